"""Frequent English words, which are never taken for a misheard name."""

from __future__ import annotations

_WORDS = """
a able about above across act add after again against age ago agree air all allow almost alone
along already also although always am among amount an and another answer any anyone anything
appear are area around arrive as ask at away back bad base be became because become bed been
before began begin behind being believe below best better between big bill bit black blue board
body book both boy break bring brought build built business but buy by call called came can
cannot car care carry case catch cause center certain chance change check child children choose
city class clear close cold color come common company complete contact continue control cost
could country couple course create cut dark data date day deal decide deep delete did die
different do document does dog done door down draw drive due during each early easy eat edit
eight either else email empty end enough enter even evening event ever every everyone everything
exact example expect explain eye face fact fall family far farm fast father feel feet few field
fifteen fifty figure file fill final find fine finish fire first five floor fly follow food foot
for force form forty forward found four free friday friend from front full further future game
gave general get girl give given glad go goes going gone good got great green ground group grow
guess had half hand happen happy hard has have he head hear heard heart help her here hers high
him himself his hit hold home hope hour hours house how however hundred i idea if important in
include indeed inside instead interest into is issue it its itself job join just keep key kind
knew know known land language large last late later laugh law lead leads learn least leave led
left less let letter level life light like line list listen little live local long look lost lot
love low made main make man many map march mark matter may maybe me mean meet meeting member men
might mile mind mine minute minutes miss mister moment monday money month months more morning
most mother move much must my myself name near need never new news next nice night nine no none
noon nor north not note notes nothing notice now number of off office often oh okay old on once
one only open or order other others our ours out outside over own page paper part party pass
past pay people perhaps person phone pick place plan plans play please point possible power
present press pretty problem program project public pull put question quick quite ran rate
rather reach read ready real really reason record red remember remind remove report rest result
return right road room round run said same sat saturday saw say says school search second see
seem seen send sense sent set seven several shall she short should show side sign since sit six
size sleep slow small so some someone something sometimes soon sort sound space speak spell
spend staff stand star start state stay step still stop store story street strong study such
summary sun sunday sure system table take taken talk task team tell ten test than thank thanks
that the their theirs them then there these they thing things think third thirty this those
though thought thousand three through thursday time times to today together told tomorrow
tonight too took tool top total touch toward town travel tree tried true try tuesday turn twelve
twenty two type under understand unit until up update upon us use used user usual very view
visit voice wait walk wall want war warm was watch water way we wednesday week weeks well went
were west what when where whether which while white who whole whom whose why will window wish
with within without woman women wonder word words work world would write wrong year years yellow
yes yesterday yet you young your yours yourself
"""
COMMON = frozenset(_WORDS.split())
