"""Extractive answers: the sentences of the found records that answer, with their sources."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from antiphon.providers.local.names import Name, NameBook
from antiphon.providers.local.words import folded, is_question, shortened, stems
from antiphon.text.sentences import line_sentences
from antiphon.understanding.reader import SpanReader

# So many records are read closely.
_READ = 6
_PER_RECORD = 40
# Below this nothing that was found answers the question.
LEAST, LEAST_NAMED, LEAST_TOLD, LEAST_BRIEF = 0.12, 0.2, 0.1, 0.5
# A sentence of its own is made of a fact that is as sure as this.
_STATED = 0.6
# How much each sign counts beside the reading.
_SEARCH, _TITLE, _NAMED, _COVERED = 0.8, 0.4, 0.3, 0.6
_LONGEST = 700
# A short fact that stands so far inside its sentence is said first.
_FACT, _FAR = 7, 40

_SHORT = re.compile(
    r"^\W*(?:so |and |um |uh )*(?:who|when|where|how (?:much|many|long|far|old)|which|what)", re.I
)
_NAME = re.compile(r"[A-Z][\w'\u2019.-]*(?: (?:of |and |de |van |von )?[A-Z][\w'\u2019.-]*){0,4}")
_WHO_DOES = re.compile(
    r"^(?:so |and |um |uh )*who(?P<is>'s| is| are| was|) (?P<does>"
    r"(?!do |does |did |should |can |could |would |will |i |we |you |else )"
    r"[a-z][^?.!]{3,90}?)[?.! ]*$",
    re.IGNORECASE,
)
# What is asked for by its name, and the form it has.
_LITERALS = (
    (re.compile(r"\bphone\b|\btelephone\b|\bcall us\b"), re.compile(r"\+\d[\d ()/-]{6,}\d")),
    (re.compile(r"\be-?mail\b|\bmail address\b"), re.compile(r"\S@\w")),
)
# "Where does she work?", with her name in it.
WHERE = re.compile(r"^where (?:does|do|is|are) .{1,80}\b(?:work|based|located|live)\b")
_CALLED = (("phone number", ("phone", "telephone", "mobile")), ("email address", ("email",)))
_ABOUT = re.compile(
    r"^(?:(?:what|who) (?:is|are|was|were)|what(?:'s| is) (?:this|a|an|the)|"
    r"tell me (?:more )?about|what do (?:we|you) know about|explain|describe|define|"
    r"what does .+ mean)\b",
    re.IGNORECASE,
)


_TELLING = stems("mean means meaning know tell explain describe define definition")


@dataclass(frozen=True, slots=True)
class AnswerEvidence:
    """A record that a search found."""

    id: str
    type: str
    title: str
    text: str
    score: float
    url: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> Name:
        return Name(self.id, self.title, self.type)


@dataclass(frozen=True, slots=True)
class AnswerFinding:
    """Part of a record that answers, the sentences it stands in, and how surely it does."""

    evidence: AnswerEvidence
    fact: str
    sentences: tuple[str, ...]
    strength: float
    sure: float = 0.0


def evidence(results: Sequence[Mapping[str, Any]]) -> list[AnswerEvidence]:
    return [
        AnswerEvidence(
            id=result["id"],
            type=str(result.get("type") or ""),
            title=str(result.get("title") or result["id"]),
            text=str(result.get("full_text") or result.get("text") or result.get("snippet") or ""),
            score=float(result.get("score") or 0.0),
            url=str(result.get("url") or ""),
            metadata=result.get("metadata") or {},
        )
        for result in results
    ]


def findings(
    question: str, found: Sequence[AnswerEvidence], reader: SpanReader, book: NameBook
) -> list[AnswerFinding]:
    """What answers the question, the surest first, one for each record; none when nothing does."""
    named = {mention.name.id for mention in book.mentions(question)}
    records: dict[str, AnswerEvidence] = {}
    for record in found:
        # One that was found and fetched is there twice, once with its whole text.
        known = records.get(record.id)
        if known is None or len(record.text) > len(known.text):
            score = max(record.score, known.score if known else 0.0)
            records[record.id] = replace(record, score=score)
    asked = stems(question)
    top = max((record.score for record in records.values()), default=0.0) or 1.0

    def signs(record: AnswerEvidence) -> float:
        return _SEARCH * record.score / top + _signs(record, asked, named)

    chosen = sorted(records.values(), key=lambda record: -signs(record))[:_READ]
    texts = [_passage(record, asked) for record in chosen]
    spans = reader.answers(question, [(r.title, t) for r, t in zip(chosen, texts, strict=True)])
    asks = is_question(question)
    told_least = LEAST_TOLD if len(asked) > 2 else LEAST_BRIEF
    best: list[AnswerFinding] = []
    for record, text, span in zip(chosen, texts, spans, strict=True):
        sure = span.confidence
        # "What is Atlas?" asks for all of it, "what is the budget of Atlas?" does not.
        about = bool(_ABOUT.search(question)) and not asked - stems(record.title) - _TELLING
        if about and record.id in named:
            sure = max(sure, 0.9)
        strength = sure + signs(record)
        best.append(AnswerFinding(record, "", (), strength))
        least = LEAST_NAMED if record.id in named else LEAST
        if sure >= (least if asks else told_least):
            whole = f"{record.title}\n{text}"
            fact = "" if about else whole[span.start : span.end].strip()
            sentences = _around(record.title, text, span.start, span.end, about)
            best[-1] = AnswerFinding(record, fact, sentences, strength, sure)
    best.sort(key=lambda one: (-one.strength, one.evidence.id))
    # The record that it must be in does not say it: then no other one does.
    return best if best and best[0].sentences else []


def _signs(record: AnswerEvidence, asked: set[str], named: set[str]) -> float:
    """What speaks for a record besides its text: it is named, or its title was said."""
    words = stems(record.title)
    part = len(words & asked) / len(words) if words else 0.0
    covered = len((words | stems(record.text)) & asked) / max(1, len(asked))
    return _NAMED * (record.id in named) + _TITLE * part + _COVERED * covered


def _passage(record: AnswerEvidence, asked: set[str]) -> str:
    """The text of a record, or of a long one the part that shares the most words with the
    question; behind it what it has besides."""
    text = record.text
    if len(text) > _LONGEST:
        lines = line_sentences(text)[:_PER_RECORD]
        scores = [len(stems(line) & asked) for line in lines]
        at = max(range(len(lines)), key=lambda n: (scores[n], -n), default=0)
        first = last = at
        while sum(map(len, lines[first : last + 1])) < _LONGEST and last - first + 1 < len(lines):
            if first > 0 and (last + 1 >= len(lines) or at - first <= last - at):
                first -= 1
            else:
                last += 1
        text = " ".join(lines[first : last + 1])
    plain = text.lower().replace(",", "")
    beside = [
        f"{name.replace('_', ' ').capitalize()}: {value}."
        for name, value in list(record.metadata.items())[:8]
        if isinstance(value, str | int | float) and str(value).lower() not in plain
    ]
    return " ".join([text, *beside])


def _around(title: str, text: str, start: int, end: int, about: bool) -> tuple[str, ...]:
    """The sentences in which the answer stands; the first ones where all of it is asked about."""
    lines = line_sentences(text)
    if about or not lines:
        return tuple(lines[:2]) or (title,)
    begin, stop, at = start - len(title) - 1, end - len(title) - 1, 0
    if stop <= 0:  # it is the title itself
        return (lines[0],)
    kept = []
    for line in lines:
        place = text.find(line, at)
        at = max(place, 0) + len(line)
        if place < stop and at > begin:
            kept.append(line)
    return tuple(kept[:3]) or (lines[0],)


def particular(
    question: str, found: Sequence[AnswerEvidence], book: NameBook
) -> tuple[AnswerEvidence, str] | None:
    """An address or a number that is asked for of a person who is named: what their record has
    beside its text, or that it has none. None when it stands in the text, or is not asked for."""
    text = folded(question)
    named = {mention.name.id for mention in book.mentions(question)}
    # How to reach a company may well stand in a record of its own.
    own = [record for record in found if record.id in named and record.type == "person"]
    for (asked, form), (called, keys) in zip(_LITERALS, _CALLED, strict=True):
        if not own or not asked.search(text):
            continue
        for record in own:
            for key in keys:
                if value := record.metadata.get(key):
                    return record, f"The {called} of {record.title} is {value}."
        if not any(form.search(record.text) for record in own):
            return own[0], f"I found no {called} in the record of {own[0].title}."
    if WHERE.search(text):
        for record in own:
            if place := record.metadata.get("location"):
                return record, f"{record.title} works in {place}."
    return None


_LEADS = re.compile(
    r"^who(?:'s| is| are)? (?:leads?|leading|runs?|running|manages?|managing|heads?|heading|"
    r"in charge of|responsible for|the (?:lead|leader|manager|head) of)\b",
    re.IGNORECASE,
)
_WHO = r"(?P<who>\b[A-Z][\w'-]{1,40}(?: [A-Z][\w'-]{1,40}){1,2})"
_LED_BY = (
    re.compile(rf"\b(?:[Ll]ead|[Ll]eader|[Ll]ed by|[Mm]anager|[Mm]anaged by):? {_WHO}"),
    re.compile(rf"{_WHO} (?:leads|runs|manages|heads)\b"),
)


def leader(
    question: str, found: Sequence[AnswerEvidence], book: NameBook
) -> tuple[AnswerEvidence, str] | None:
    """Who leads what the question names, in one sentence, where its record says so."""
    if not _LEADS.match(question.strip()):
        return None
    named = {mention.name.id for mention in book.mentions(question)}
    for record in found:
        if record.id not in named or record.type == "person":
            continue
        for pattern in _LED_BY:
            if match := pattern.search(record.text):
                return record, f"{match['who']} leads {record.title}."
    return None


# -- in words


def told(finding: AnswerFinding, question: str, spoken: bool) -> str:
    """An answer that begins with the fact, with the record that it is from."""
    text = " ".join(finding.sentences)
    record = finding.evidence
    first = _stated(question, finding.fact) if finding.sure >= _STATED else ""
    if first and first.rstrip(".").lower() not in text.lower():
        text = first if spoken else f"{first} {_subjected(text, record)}"
    else:
        text = first or _subjected(text, record)
        fact = finding.fact.strip(" .")
        lead = text.lower().find(fact.lower())
        if _SHORT.match(question) and 0 < len(fact.split()) <= _FACT and lead > _FAR:
            text = f"{fact[:1].upper()}{fact[1:]}. {text}"
    text = shortened(text, 260 if spoken else 600)
    if record.type == "link" and record.url and not spoken:
        text = f"{text} {record.url}"
    return text if spoken else f"{text} ({record.id})"


def _subjected(text: str, record: AnswerEvidence) -> str:
    return text if stems(record.title) & stems(text) else f"{record.title}: {text}"


def _stated(question: str, fact: str) -> str:
    """ "Who leads Atlas?" and a name make a sentence; empty for other questions."""
    match = _WHO_DOES.match(question.strip())
    name = fact.strip(" .,")
    if match is None or not _NAME.fullmatch(name):
        return ""
    copula = {"": "", "'s": "is "}.get(match["is"].lower(), f"{match['is'].strip().lower()} ")
    return f"{name} {copula}{match['does'].strip()}."


def listed(found: Sequence[AnswerEvidence], spoken: bool) -> str:
    """Search results, a few of them, with what each is about."""
    if spoken:
        names = [record.title for record in found[:3]]
        first = line_sentences(found[0].text)[:1]
        return f"I found {_joined(names)}." + (f" {first[0]}" if first else "")
    lines = [f"I found {len(found)}:" if len(found) > 1 else "I found this:"]
    for record in found:
        about = shortened((line_sentences(record.text) or [""])[0], 200)
        link = f" {record.url}" if record.url else ""
        lines.append(f"- {record.title}: {about} ({record.id}){link}")
    return "\n".join(lines)


def _joined(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
