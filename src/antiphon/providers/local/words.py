"""Words of an utterance: folded for comparison, cut to stems."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from antiphon.text.sentences import line_sentences
from antiphon.text.words import FUNCTION_WORDS, word_set

_TOKEN = re.compile(r"[^\W\d_]+:[\w*]+|\w+(?:['\u2019][^\W\d_]+)*|\*")
_SUFFIXES = ("ingly", "edly", "ations", "ation", "ments", "ment", "ing", "ies", "ed", "es", "s")


QUESTION_WORDS = word_set(
    "who whom whose what which when where why how is are was were do does did has have had can "
    "could will would should may might am"
)
STOP = FUNCTION_WORDS | word_set(
    """d every i'd i'll i'm i've it's let's ll m may might must please re really shall that's
    there's ve we're what's where's whether who's you're"""
)
# Verbs with which something is asked to be done.
ORDERS = word_set(
    """accept activate add adjust alert allow analyse analyze append apply approve archive arrange
    ask assess assign attach audit back ban begin block book bookmark branch bring build call
    cancel carry change check clear clone close code collapse collect commit compare compile
    compose compute conduct connect consult continue convert copy count cover create crop cross
    cut deactivate define delete deliver deploy describe design dial dim disable discard
    disconnect discuss dig dispatch display do download draft drag draw drive drop duplicate edit
    email employ enable end engage enter erase evaluate examine execute exit expand explain
    export extract favorite favourite feed fetch fill find finish fire focus fold forget fork
    format forward freeze gather generate get give go grant hand handle hang hear hide highlight
    hold ignore illustrate implement import include inform ingest initiate insert inspect
    install invite join jot keep kick label launch lead learn leave light link list load lock log
    look mail make mark match measure merge move mute name navigate new note notify open order
    organise organize page paint pass pause pay pencil perform pick pin place plan play point poll
    pop pose
    post prepare present print proceed process produce program propose provide publish pull push
    put query quit raise rank rate read record recover redo refuse register reject release
    reload remember remind remove rename reopen repeat replace reply report request rerun
    reschedule reserve reset resize resolve restart restore resume retrieve retry revert review
    rewrite rid ring rotate run save say scaffold scan schedule scrap scroll search select send
    set share show shut sign silence sketch skip slot slow solve sort speak speed squeeze start
    steer stick stop
    store strike submit subscribe suggest sum summarise summarize supply survey switch sync
    tackle tag take talk teach tell test think throw tidy toggle train transfer translate
    trigger try turn type undo unfold unlink unlock unpin update upload use verify visit wait
    wake warn wipe word write zoom"""
)
DETERMINERS = word_set("the a an some any this these those my our your all")
POLITE = re.compile(
    r"^(?:(?:hey|hi|hello|ok|okay|so|well|and|now|then|alright|right|please|pls|kindly|just|maybe|"
    r"perhaps|um|umm|uh|uhm|er|erm|hm|hmm|oh|ah|actually|listen|antiphon|vox)[\s,.!:]+)*"
    r"(?:(?:can|could|would|will) you (?:please |kindly |just |also )?|"
    r"i(?:'d| would) like you to |i want you to |i need you to |would you mind )?(?:please )?",
    re.IGNORECASE,
)
_REQUEST = re.compile(r"^(?:\w+[\s,]+){0,3}?(?:can|could|would|will) you\b", re.IGNORECASE)
_POLITE_END = re.compile(
    # From the beginning of a run of blanks only, or a long one takes its square to look through.
    r"(?<![\s,])(?:[\s,]++(?:please|pls|plz|thanks|thank you|for me|will you|would you)){1,6}"
    r"[.!?\s]*+$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word and where it stands. `key` is what it is compared by."""

    text: str
    start: int
    end: int
    key: str


@lru_cache(maxsize=4096)
def folded(text: str) -> str:
    """Without case, accents and typographic apostrophes."""
    flat = unicodedata.normalize("NFKD", text.replace("\u2019", "'")).casefold()
    return "".join(c for c in flat if not unicodedata.combining(c))


def tokens(text: str) -> list[Token]:
    return list(_tokens(text))


@lru_cache(maxsize=8192)
def _tokens(text: str) -> tuple[Token, ...]:
    return tuple(
        Token(m.group(), m.start(), m.end(), spelled(folded(m.group()).removesuffix("'s")))
        for m in _TOKEN.finditer(text)
    )


_BRITISH = re.compile(r"^([a-z]+[^aeiou]|behavi)our(s|ed|ing|ful|ite|hood)?$")
_OUR = word_set("detour detours contour contours velour flour flours scour scours devour devours")


def spelled(word: str) -> str:
    """In American spelling, in which speech is written down: "colour" is "color"."""
    if len(word) > 5 and word not in _OUR:
        word = _BRITISH.sub(r"\1or\2", word)
    return word[:-2] if word.endswith(("alogue", "ialogue")) else word


# Forms that share no part with their verb, or too little.
_IRREGULAR = {
    form: verb
    for verb, forms in {
        "pay": "paid",
        "lead": "led",
        "write": "wrote written",
        "buy": "bought",
        "sell": "sold",
        "hold": "held",
        "lose": "lost",
        "find": "found",
        "build": "built",
        "send": "sent",
        "spend": "spent",
        "take": "took taken",
        "begin": "began begun",
        "win": "won",
        "make": "made",
        "choose": "chose chosen",
        "grow": "grew grown",
        "fly": "flew flown",
        "give": "gave given",
        "speak": "spoke spoken",
        "draw": "drew drawn",
        "break": "broke broken",
        "know": "knew known",
        "teach": "taught",
        "bring": "brought",
        "run": "ran",
        "meet": "met",
        "tell": "told",
        "keep": "kept",
    }.items()
    for form in forms.split()
}


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """The part that most forms of a word share. Rough, and the same for every form of it."""
    word = spelled(folded(word).removesuffix("'s"))
    word = _IRREGULAR.get(word, word)
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word[: -len(suffix)] + ("y" if suffix == "ies" else "")
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


def stems(text: str) -> set[str]:
    """The stems of the words that say something."""
    return {stem(token.key) for token in tokens(text) if token.key not in STOP}


def without_courtesy(text: str) -> str:
    """The request itself: without a call, a "please" and a "could you" around it."""
    text = _POLITE_END.sub("", text.strip())
    cut = POLITE.sub("", text, count=1).strip()
    if _REQUEST.match(text) and order_verb(cut) is not None:
        return cut.rstrip("? ")  # "could you list them?" is no question
    return cut or text


_PREAMBLE = re.compile(
    r"^(?:(?:can|could|would) you )?(?:please )?(?:tell me|do you know|do you remember|remind me|"
    r"i(?:'d| would) (?:like|love) to know|i (?:want|need) to know|i(?:'m| am) wondering|i wonder|"
    r"any idea|let me know|have you any idea)[\s,]+"
    r"(?=(?:who|whom|whose|what|which|when|where|why|how|if|whether)\b)",
    re.IGNORECASE,
)


def bare_question(text: str) -> str:
    """The question itself: without "do you know" and the like before it."""
    return _PREAMBLE.sub("", without_courtesy(text), count=1)


_CLAUSES = re.compile(r"(?<=[\w)'\"])[,.;!]\s+(?=\S)")
_PLEASE = re.compile(r"\b(?:please|pls|plz)\W*$", re.IGNORECASE)
_REASON_WORDS = 3


def asking_clause(text: str) -> str:
    """The clause that asks for something, where those before it only say why: "it is dark here,
    switch the light on". Else the whole."""
    text = text.strip()
    if ":" in text or "\n" in text or DEFINES.match(text):
        return text
    *before, last = _CLAUSES.split(text)
    told = [without_courtesy(clause) for clause in before]
    # "No, leave it" is one thing.
    short = any(len(tokens(clause)) < _REASON_WORDS for clause in before)
    if not before or short or any(order_verb(one) or is_question(one) for one in told):
        return text
    asks = order_verb(without_courtesy(last)) is not None or _PLEASE.search(last)
    return last if asks and not is_question(last) else text


# What is said then is to mean something.
DEFINES = re.compile(
    r"^(?:when(?:ever)?|every time|each time|if|as soon as) i say\b", re.IGNORECASE
)


def is_question(text: str) -> bool:
    """Asked, rather than told to do: by its first word or its last sign."""
    text = without_courtesy(text)
    if DEFINES.match(text):
        return False
    words = [token.key for token in tokens(text)[:2]]
    first, second = (*words, "", "")[:2]
    if first in ("do", "have") and second in DETERMINERS:
        return text.endswith("?")  # "do the report", "have the researcher look"
    return text.endswith("?") or first in QUESTION_WORDS


def order_verb(text: str) -> str | None:
    """The verb of an order that begins here, in the form of an order."""
    first = next(iter(tokens(text)), None)
    if first is None:
        return None
    for form in (first.key, first.key.removesuffix("s"), first.key.removesuffix("es")):
        if form in ORDERS:
            return form
    return None


_PARTICLES = word_set("up off out over down away back on rid")


def order_words(text: str) -> str | None:
    """The verb of an order with what belongs to it: "set up", "throw away", "get rid"."""
    verb, words = order_verb(text), tokens(text)
    if verb is None:
        return None
    particle = words[1].key if len(words) > 1 and words[1].key in _PARTICLES else ""
    return f"{verb} {particle}".strip()


def as_order(clause: str) -> str:
    """ "Lists the graphs" is "list the graphs"."""
    clause = clause.strip(" ,.")
    verb = order_verb(clause)
    return clause if verb is None else f"{verb}{clause[tokens(clause)[0].end :]}"


def joined(parts: Iterable[str], word: str = "and") -> str:
    """A list in words: "a, b and c"."""
    listed = list(parts)
    if len(listed) < 2:
        return "".join(listed)
    return f"{', '.join(listed[:-1])} {word} {listed[-1]}"


def shortened(text: str, most: int) -> str:
    """At most so many characters, cut after a word."""
    text = " ".join(text.split())
    if len(text) <= most:
        return text
    cut = text[: most - 1].rsplit(" ", 1)[0].rstrip(" ,;:.")
    return f"{cut}\u2026"


_ADDRESS = re.compile(r"https?://\S+")
_MARKUP = re.compile(r"[`*#|]|(?<!\w)_|_(?!\w)")
_SPOKEN_SENTENCES = 3


def aloud(text: str) -> str:
    """What can be heard: a few sentences, without links and marks for the eye."""
    text = _MARKUP.sub("", _ADDRESS.sub("", text))
    return " ".join(line_sentences(text)[:_SPOKEN_SENTENCES])
