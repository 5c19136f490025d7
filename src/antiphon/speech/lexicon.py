"""Words of English and given names: what a recognizer that writes them may well have heard."""

from __future__ import annotations

from functools import cache

from antiphon.text.wordpiece import VOCABULARY

_GIVEN_NAMES = """
aaron abby abdul abigail ada adam adele adrian agnes aisha akira alan albert alejandro alex
alexander alexandra alexis alfred ali alice alina alison allison amanda amber amelia amir amy ana
andre andrea andreas andrew andy angela anita ann anna anne anthony antoine antonia antonio april
ariel arjun arthur ashley astrid audrey ava barbara beatrice ben benjamin bernard bernd beth
bill bob brandon brenda brian bridget bruce bruno camille carl carla carlos carmen carol caroline
catherine cathy cecilia charles charlie charlotte chen chloe chris christian christina christine
christopher claire clara claudia colin connor craig cynthia daisy dan daniel daniela danielle
danny daria dave david dawn dean deborah dennis diana diego dieter dmitri dominic donald donna
doris dorothy douglas dylan ed eddie edgar edith edward eileen elaine elena eli elias elisa
elizabeth ella ellen emil emily emma eric erica erik ernest esther ethan eugene eva evan eve
evelyn fatima felix fernando fiona florence fran frances francesca francis frank fred freya gabriel
gary george georgia gerald gina giovanni gloria gordon grace graham greg gregory greta guido
hannah hans harold harriet harry hassan heather heidi helen helena henrik henry hiroshi holly
howard hugo ian ibrahim ida ines ingrid irene iris isaac isabel isabella ivan jack jackie jacob
jake james jamie jan jane janet jason javier jean jeff jeffrey jennifer jenny jeremy jerry jesse
jessica jill jim joan joanna joe joel johan johanna john johnny jon jonas jonathan jordan jorge
jose joseph josephine joshua joyce juan judith judy julia julian julie juliet julius june justin
karen karim karl kate katherine kathleen kathy katie keith kelly ken kenji kenneth kerry kevin
kim klaus kristin kyle lara lars laura lauren laurence lea leah lee leila lena leo leon leonard
leonie leslie liam lily linda lisa liz lorenzo louis louise luca lucas lucia lucy luis luisa
luke lydia lynn madeleine maggie malcolm manuel mara marc marcel marco marcus margaret maria
marian marianne marie marina mario marion marius mark marta martha martin martina mary mateo
matilda matt matthew maureen maurice max maya megan mei melanie melissa michael michel michelle
miguel mike mila miles miriam mohamed mohammed moira molly monica monika morgan muhammad nadia
nancy naomi natalia natalie natasha nathan neil nicholas nick nicole nicolas nigel nils nina noah
nora norman olga oliver olivia omar oscar otto owen pablo pamela paola patricia patrick paul
paula pauline pedro peggy penny pete peter phil philip philippe pierre priya rachel rafael rahul
raj ralph ramon raymond rebecca regina rene renee ricardo richard rita rob robert roberta roberto
robin rodrigo roger roland roman ron ronald rosa rose rosemary roy ruben russell ruth ryan sabine
sally sam samantha samir samuel sandra sara sarah scott sean sebastian sergei sergio seth sharon
sheila shirley sigrid silvia simon simone sofia sonia sophia sophie stan stella stephan stephanie
stephen steve steven stuart sue susan susanne svetlana sven sylvia tamara tanya tara ted teresa
terry theo theresa thomas tim timothy tina tobias todd tom tomas tommy tony tracy ulrich ursula
valentina valerie vanessa vera veronica victor victoria vincent viola virginia vivian vladimir
walter wanda wang wayne wendy werner wilhelm will william xavier yan yasmin yuki yusuf yvonne zoe
"""
GIVEN_NAMES = frozenset(_GIVEN_NAMES.split())

_ENDINGS = ("s", "es", "ed", "ing")


@cache
def _vocabulary() -> frozenset[str]:
    lines = VOCABULARY.read_text(encoding="utf-8").split("\n")
    return frozenset(word for word in lines if len(word) > 1 and word.isalpha())


def is_given_name(word: str) -> bool:
    """Whether a word, in lower case, is what people are often called."""
    return word in GIVEN_NAMES


def is_word(word: str) -> bool:
    """Whether a word, in lower case, is one of English or a name that is often written there."""
    words = _vocabulary()
    if word in words or word in GIVEN_NAMES:
        return True
    return any(word.endswith(end) and word.removesuffix(end) in words for end in _ENDINGS)
