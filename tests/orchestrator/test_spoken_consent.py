"""Spoken answers: a clear yes, a clear no, and the many things that are neither."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antiphon.orchestrator.spoken_consent import classify_consent

YES = """
yes
Yes.
YES!
 yes
yeah
yep
yup
ok
okay
Okay.
sure
sure thing
yes please
yes, please
please, yes
yes thank you
Yes, thanks.
go ahead
please go ahead
do it
please do
please do it
yes please do
yes, please do it
confirm
confirmed
I confirm
approve
that's right
that\u2019s right
That is correct.
yes, that's right
yes, go ahead
okay, go ahead
sure, go ahead, please
yeah sure go ahead
um, yes
uh, yeah
well, yes
yes um please
Um... yes.
yes yes
yes, yes, yes
Yes. Yes.
yes, of course
of course
absolutely
sounds good
let's do it
ｙｅｓ
ja
Ja, bitte.
ja gerne
Ja, genau.
na klar
mach das
Ja, mach das bitte.
ähm, ja
in Ordnung
bestätigt
oui
Oui, merci.
oui, s'il te plaît
d'accord
vas-y
bien sûr
Oui, bien sûr !
euh, oui
je confirme
sí
si
Sí, por favor.
¡Sí!
claro que sí
vale
de acuerdo
adelante
"""

NO = """
no
No.
NO!
no no
no, no, no
nope
nah
no thanks
no, thank you
no thank you very much
thanks, no
please, no
um, no
well, no
don't
don\u2019t
dont
do not
please don't
no, don't
don't do it
no, don't do it
cancel
cancel it
cancel that please
no, cancel
stop
stop stop stop
please stop
no, stop
not now
no, not now
not yet
never mind
nevermind
no, never mind
never
no way
forget it
abort
absolutely not
definitely not
let's not
I don't want that
I'd rather not
that's not right
nope, cancel it
nein
Nein, danke.
nein nein
nein, nicht jetzt
auf keinen Fall
bitte nicht
lieber nicht
abbrechen
lass es
non
Non, merci.
non non
pas maintenant
annule
laisse tomber
bien sûr que non
no, gracias
no, por favor
ahora no
mejor no
claro que no
no lo hagas
cancela
"""

UNCLEAR = """
yes but make it 3 pm
yes but make it three
yes, but
yes and also call Bob
yes if it is free
yes except the last one
yes to the first one
no wait yes
wait
hold on
yes no
no yes
yeah no
no yeah
yeah, no, okay
okay no
sure, no
not yes
not okay
not sure
I'm not sure
sure?
yes?
Yes!?
no?
¿sí?
yes؟
yes？
he said yes
she said no
they said go ahead
"yes"
\u201cyes\u201d
'yes'
\u00abyes\u00bb
say yes
I said yes
tell him yes
did I say yes
don't stop
don't cancel
do not cancel
never stop
no, don't stop
no, don't cancel
never cancel it
stop cancel
don't do it, do it
don't say no
no problem
no worries
no doubt
no objection
no go
no go ahead
no, do it
no please do
no sure
cancel yes
yes cancel
okay, cancel
okay stop
yes stop
yes don't
do it not
do it don't
don't do it yet yes
of course not
of course no
why not
maybe
probably
perhaps
I think so
I guess
I suppose so
if you want
whatever
up to you
right
fine
good
great
hmm
mm-hmm
uh-huh
uh-uh
uh
um
well
please
thanks
thank you
do
it
do it well
do it tomorrow
go
go on
ahead
later
no later
no later than five
yesterday
yes sir I mean no
no no no no
yesyes
y e s
yes/no
yes (no)
yes 2
1
ok 3
yes, 3 pm
yes...
yes\u2026
yes -
yes,
yes\u2014
no,
yeah yeah
okay okay
ja ja
jaja
jein
ja nein
nein doch
ja aber
doch
na ja
nicht nein
nicht abbrechen
bitte
danke
nein ja
oui non
oui mais
pas non
n'annule pas
ne stop pas
merci
c'est bon
si no
no sí
sí pero
sí, ¿no?
no si
já
no cancela sí
ne
yes oui non
уes
yes\u200b
y\u0000es
yes\u202eon
\U0001f44d
\U0001f44d yes
yes \U0001f642
-
.
!
the answer to your question is a very clear and definite yes
yes I would like you to go ahead and send that to everybody on the list
"""


def lines(table: str) -> list[str]:
    return [line for line in table.split("\n") if line]


@pytest.mark.parametrize("said", lines(YES))
def test_a_clear_yes(said: str) -> None:
    assert classify_consent(said) is True


@pytest.mark.parametrize("said", lines(NO))
def test_a_clear_no(said: str) -> None:
    assert classify_consent(said) is False


@pytest.mark.parametrize("said", lines(UNCLEAR) + ["", " ", "\n", "yes\nno", "yes\tbut"])
def test_anything_else_is_unclear(said: str) -> None:
    assert classify_consent(said) is None


@pytest.mark.parametrize("said", ["sí", "bien sûr", "natürlich", "lieber nicht", "déjalo"])
def test_accents_count_the_same_however_they_are_encoded(said: str) -> None:
    composed = classify_consent(unicodedata.normalize("NFC", said))
    assert composed is not None
    assert classify_consent(unicodedata.normalize("NFD", said)) is composed


REFUSALS = ["no", "nope", "nein", "non", "cancel", "stop", "don't", "not now"]
CONDITIONS = ["but", "if", "after lunch", "with Bob", "except", "unless", "I mean", "not", "7"]


@pytest.mark.parametrize("no", REFUSALS)
def test_a_yes_and_a_no_together_are_never_a_yes(no: str) -> None:
    for yes in lines(YES):
        for said in (f"{yes} {no}", f"{no}, {yes}", f"{yes}. {no}.", f"{no} {yes} {no}"):
            assert classify_consent(said) is not True, said


@pytest.mark.parametrize("condition", CONDITIONS)
def test_an_answer_with_a_condition_is_never_a_yes(condition: str) -> None:
    for answer in lines(YES) + lines(NO):
        for said in (f"{answer} {condition}", f"{condition} {answer}"):
            assert classify_consent(said) is not True, said


def test_a_question_is_unclear() -> None:
    for answer in lines(YES) + lines(NO):
        assert classify_consent(answer.rstrip(".!") + "?") is None, answer


def test_an_endless_utterance_is_unclear() -> None:
    assert classify_consent("yes " * 1_000_000) is None
    assert classify_consent("um " * 20 + "yes") is None


WORDS = sorted({word for line in lines(YES) + lines(NO) + lines(UNCLEAR) for word in line.split()})
NEGATIVE = {"no", "not", "non", "nein", "nope", "nah", "nicht", "never", "stop", "cancel", "don't"}


@given(st.lists(st.sampled_from(WORDS), max_size=6))
def test_no_string_of_known_words_with_a_refusal_in_it_is_a_yes(words: list[str]) -> None:
    if {word.strip(",.!").lower() for word in words} & NEGATIVE:
        assert classify_consent(" ".join(words)) is not True


@given(st.text(max_size=40), st.sampled_from('?"0%(\u201c\u200b\x00'), st.text(max_size=40))
def test_text_with_more_than_words_in_it_is_unclear(before: str, sign: str, after: str) -> None:
    assert classify_consent(before + sign + after) is None
