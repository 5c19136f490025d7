"""Spoken consent: a yes/no classifier for confirmations by voice.

A yes that was not meant runs an action, so only whole utterances of a small closed grammar count:
a few phrases of agreement in a row, or words of refusal before at most one phrase of refusal, all
in one language. Anything else is unclear, and the person is asked again.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

MAX_CHARS = 80
MAX_WORDS = 8
MAX_PHRASES = 3

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Language:
    agreement: frozenset[Words]
    refusing_word: frozenset[Words]  # may be repeated, and may stand before a refusal
    refusal: frozenset[Words]


def _phrases(text: str) -> frozenset[Words]:
    return frozenset(tuple(phrase.split()) for phrase in text.split(",") if phrase.strip())


# Apostrophes are dropped before the look-up. What is left out is left out on purpose: "right",
# "fine", "good" (also said to gain time), "go on" (speak on), "uh huh" (one sound from "uh uh"),
# "no problem", "doch", "c'est bon" (yes to one, no to another), "para" (also "for"), "ja ja" (a
# brush-off in German, laughter in Spanish).
_LANGUAGES = (
    _Language(
        agreement=_phrases(
            """yes, yes yes, yeah, yea, yep, yup, ok, okay, sure, sure thing, of course, certainly,
            absolutely, definitely, affirmative, exactly, correct, thats right, that is right,
            thats correct, that is correct, thats fine, that is fine, sounds good, looks good,
            go ahead, go for it, do it, do that, please do, lets do it, proceed, confirm,
            confirm it, confirmed, i confirm, approve, approve it, approved, i approve, i agree"""
        ),
        refusing_word=_phrases("no, nope, nah"),
        refusal=_phrases(
            """never, no way, dont, do not, dont do it, do not do it, dont do that, do not do that,
            cancel, cancel it, cancel that, stop, stop it, stop that, abort, not now, not yet,
            never mind, nevermind, forget it, forget that, negative, deny, denied, decline,
            absolutely not, definitely not, certainly not, lets not, i dont want that,
            i dont want to, i do not want that, i do not want to, i dont think so, rather not,
            id rather not, thats wrong, that is wrong, thats not right, that is not right,
            thats not correct, that is not correct, incorrect"""
        ),
    ),
    _Language(
        agreement=_phrases(
            """ja, jawohl, jep, ok, okay, gerne, ja gern, klar, na klar, natürlich, genau,
            richtig, stimmt, das stimmt, einverstanden, in ordnung, geht klar, mach das, mach es,
            machs, machen sie das, tu es, bestätigt, bestätige, bestätigen, ich bestätige,
            auf jeden fall, selbstverständlich"""
        ),
        refusing_word=_phrases("nein, nee, nö"),
        refusal=_phrases(
            """nicht, niemals, auf keinen fall, auf gar keinen fall, lieber nicht, besser nicht,
            nicht jetzt, jetzt nicht, noch nicht, abbrechen, abbruch, brich ab, stopp, stop, halt,
            lass es, lass das, lassen sie das, vergiss es, natürlich nicht, das stimmt nicht"""
        ),
    ),
    _Language(
        agreement=_phrases(
            """oui, oui oui, ouais, ok, okay, daccord, bien sûr, bien sur, bien entendu,
            vas y, allez y, exact, exactement, cest ça, cest ca, cest exact, cest correct,
            tout à fait, volontiers, je confirme, confirme, confirmer, confirmez, confirmé, fais le,
            faites le, avec plaisir"""
        ),
        refusing_word=_phrases("non"),
        refusal=_phrases(
            """jamais, pas maintenant, pas encore, surtout pas, pas du tout, absolument pas,
            annule, annulez, annuler, annule ça, arrête, arrêtez, stop, laisse tomber,
            laissez tomber, bien sûr que non, bien sur que non, ne fais pas ça, ne le fais pas,
            ne le faites pas"""
        ),
    ),
    _Language(
        agreement=_phrases(
            """sí, si, sí sí, si si, ok, okay, vale, claro, claro que sí, claro que si,
            por supuesto, desde luego, adelante, hazlo, hágalo, de acuerdo, está bien, correcto,
            exacto, exactamente, confirmo, confirma, confirmar, confirmado"""
        ),
        refusing_word=_phrases("no"),
        refusal=_phrases(
            """nunca, jamás, ahora no, todavía no, aún no, mejor no, claro que no,
            por supuesto que no, desde luego que no, de ninguna manera, ni hablar, cancela,
            cancelar, cancélalo, cancele, detente, alto, déjalo, olvídalo, no lo hagas,
            no lo haga"""
        ),
    ),
)

_HESITATION = frozenset({"um", "uh", "uhm", "umm", "erm", "er", "äh", "ähm", "euh"})
# Only at the start: "do it well" is not "do it".
_OPENING = frozenset({"well", "also", "alors", "bueno", "pues"})
_COURTESY = _phrases(
    """please, thanks, thank you, thank you very much, many thanks, bitte, danke, danke schön,
    vielen dank, merci, merci beaucoup, sil te plaît, sil vous plaît, por favor, gracias,
    muchas gracias"""
)
_LONGEST_COURTESY = max(len(phrase) for phrase in _COURTESY)

_APOSTROPHE = re.compile(r"(?<=[^\W\d_])['\u2019\u02bc](?=[^\W\d_])")
_PAUSE = re.compile(r"[.,;:!\u00a1\u2013\u2014-]")
# A sentence that trails off may go on with "but".
_UNFINISHED = re.compile(r"(?:\.\.|[,;:\u2013\u2014-])\s*\Z")


def classify_consent(text: str) -> bool | None:
    """Classify an utterance: True for a clear yes, False for a clear no, None for anything else."""
    words = _words(text)
    if not words:
        return None
    # As it was said first: in "please do" the courtesy is part of the phrase.
    for said in (words, _without_courtesy(words)):
        for language in _LANGUAGES:
            if _agrees(said, language.agreement):
                return True
            if _refuses(said, language):
                return False
    return None


def _words(text: str) -> Words:
    """The words that count; none when the utterance holds anything but words and pauses."""
    if len(text) > MAX_CHARS:
        return ()
    text = unicodedata.normalize("NFKC", text).casefold().strip()
    if _UNFINISHED.search(text):
        return ()
    text = _PAUSE.sub(" ", _APOSTROPHE.sub("", text))
    words = text.split()
    # Question marks, quotation marks, digits and symbols all end up here.
    if len(words) > MAX_WORDS or not all(word.isalpha() for word in words):
        return ()
    words = [word for word in words if word not in _HESITATION]
    return tuple(words[1:] if words and words[0] in _OPENING else words)


def _without_courtesy(words: Words) -> Words:
    kept: list[str] = []
    index = 0
    while index < len(words):
        for length in range(_LONGEST_COURTESY, 0, -1):
            if words[index : index + length] in _COURTESY:
                index += length
                break
        else:
            kept.append(words[index])
            index += 1
    return tuple(kept)


def _agrees(words: Words, phrases: frozenset[Words], said: frozenset[Words] = frozenset()) -> bool:
    """Whether the words are a few different phrases of agreement and nothing else."""
    if len(said) == MAX_PHRASES:
        return False
    for end in range(1, len(words) + 1):
        phrase = words[:end]
        if phrase not in phrases or phrase in said:
            continue
        if end == len(words) or _agrees(words[end:], phrases, said | {phrase}):
            return True
    return False


def _refuses(words: Words, language: _Language) -> bool:
    """Whether the words are refusing words, then at most one refusal, which may be insisted on.

    Refusals are not strung together: "don't" and "stop" are two of them, "don't stop" is none.
    """
    leading = 0
    while leading < min(len(words), MAX_PHRASES) and words[leading : leading + 1] in (
        language.refusing_word
    ):
        leading += 1
    # From the longest on, because "no way" and "no lo hagas" begin with a refusing word.
    for start in range(leading, -1, -1):
        rest = words[start:]
        if not rest:
            return start > 0
        if rest in language.refusal:
            return True
    return len(set(words)) == 1 and len(words) <= MAX_PHRASES and words[:1] in language.refusal
