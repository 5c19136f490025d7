"""Facts for experts: the words of a record that answer a question, found by the trained model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from antiphon.contracts import ErrorType, ToolError
from antiphon.text.calendar_names import MONTHS, WEEKDAYS
from antiphon.text.sentences import quick_sentences
from antiphon.workspace.experts.extraction import can_be_told, record_text, told_sentence

# From here on a record answers, when it is also what the search was for.
SURE, FITTING = 0.5, 0.5
LIKELY = 0.1  # enough to be said first, where the words of the question led to the same record
MOST_WORDS = 8  # of a fact that is said before its sentence
# Questions that ask for one fact.
_ASKS_FACT = re.compile(
    r"(?:who|whom|when|where|which|how (?:many|much|long|old|far|tall|often)|"
    r"what (?!is|are|was))\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"how (?:many|much)\b", re.IGNORECASE)
_MEASURED = re.compile(r"how (tall|wide|deep|high|heavy|big|large|old|far)\b", re.IGNORECASE)
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|"
    r"fifty|hundred|thousand|million|half|no|none|free|once|twice)\b",
    re.IGNORECASE,
)
_TIME = re.compile(
    rf"\d|\b(?:{'|'.join((*MONTHS, *WEEKDAYS))}|day|days|week|weeks|month|months|year|years|"
    r"morning|noon|afternoon|evening|night|spring|summer|autumn|winter|today|tomorrow|yesterday|"
    r"when|after|before|until|once|as soon as)",
    re.IGNORECASE,
)
_WHO_DOES = re.compile(
    r"who (?P<does>(?!do |does |did |should |can |could |would |will )[a-z][^?.!]{3,90})[?.! ]*",
    re.IGNORECASE,
)
_NAME = re.compile(r"[^\W\d_][\w'\u2019.-]*(?: [^\W\d_][\w'\u2019.-]*){0,3}")


@dataclass(frozen=True, slots=True)
class RecordFact:
    """Words of a record that answer a question, the sentence they stand in, and how surely."""

    record: dict[str, Any]
    words: str
    sentence: str
    confidence: float

    @property
    def told(self) -> str:
        return f"{told_sentence(self.record, self.sentence)} [{self.record['id']}]"


def read_facts(question: str, found: Sequence[dict[str, Any]]) -> dict[str, RecordFact]:
    """What each of the found records says to a question, by its id. Blocks while it computes.

    Raises PERMANENT where the model cannot be run.
    """
    from antiphon.understanding.model import shipped_understanding
    from antiphon.understanding.network import WeightsError

    texts = [(str(record["title"]), record_text(record)) for record in found]
    try:
        spans = shipped_understanding().reader.answers(question, texts)
    except WeightsError as error:
        raise ToolError(ErrorType.PERMANENT, str(error)) from error
    facts = {}
    for record, (title, text), span in zip(found, texts, spans, strict=True):
        said = f"{title}\n{text}"[span.start : span.end].strip(" .,;:")
        sentence = _around(text, span.start - len(title) - 1, span.end - len(title) - 1)
        facts[record["id"]] = RecordFact(record, said, sentence, span.confidence)
    return facts


def surest_fact(question: str, facts: dict[str, RecordFact]) -> RecordFact | None:
    """The fact that surely answers, of a record that the question is about, if any does."""
    if not can_be_told(question, [fact.record for fact in facts.values()]):
        return None
    sure = [
        fact
        for fact in facts.values()
        if fact.confidence >= SURE
        and fact.record["score"] >= FITTING
        and (_is_name(fact.words) or not question.lower().startswith("who"))
        and is_said(question, fact, fact.sentence)
    ]
    return max(sure, key=lambda fact: fact.confidence + fact.record["score"], default=None)


def is_said(question: str, fact: RecordFact, told: str) -> bool:
    """Whether an answer has what is asked for at all: a number for "how many", a time for "when",
    and for "how tall" the word itself."""
    if _COUNTED.match(question):
        return _NUMBER.search(told) is not None
    if measured := _MEASURED.match(question):
        return measured[1].lower() in told.lower()
    return not question.lower().startswith("when ") or _TIME.search(fact.words) is not None


def with_fact_first(question: str, fact: RecordFact, told: str) -> str:
    """An answer that begins with the fact; as it is, where it begins so already or is one whole."""
    begin = told.removeprefix(f"{fact.record['title']}: ")
    words = fact.words
    if (
        fact.confidence < LIKELY
        or words not in told
        or told.startswith(words)
        or begin.startswith(words)
        or len(words.split()) > MOST_WORDS
        or not _ASKS_FACT.match(question)
    ):
        return told
    does = _WHO_DOES.fullmatch(question.strip())
    if does is not None and _is_name(words):
        return f"{words} {does['does'].strip()}. {told}"
    return f"{words[:1].upper()}{words[1:]}. {told}"


def _is_name(words: str) -> bool:
    return words[:1].isupper() and _NAME.fullmatch(words) is not None


def _around(text: str, start: int, end: int) -> str:
    """The sentence in which an answer stands; the first where it is the title."""
    sentences = quick_sentences(text) or [text]
    at = 0
    for sentence in sentences:
        place = text.find(sentence, at)
        at = max(place, 0) + len(sentence)
        if place < end and start < at and end > 0:
            return sentence
    return sentences[0]
