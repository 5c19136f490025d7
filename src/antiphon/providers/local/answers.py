"""Extractive answers: the sentences of the found records that answer, with their sources."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from antiphon.providers.local.names import Name, NameBook
from antiphon.providers.local.router import Memo
from antiphon.providers.local.words import (
    QUESTION_WORDS,
    folded,
    shortened,
    stems,
    tokens,
)
from antiphon.text.calendar_names import MONTHS, WEEKDAYS
from antiphon.text.sentences import line_sentences

# So many sentences are compared by meaning; words choose them.
_COMPARED = 14
_PER_RECORD = 40
# Below this nothing that was found answers the question.
LEAST = 0.40
# How much each sign counts; found on the development half of the test set.
_MEANING, _WORDS, _RECORD, _TITLE, _FORM = 0.45, 0.25, 0.20, 0.15, 0.10
# A word that only the title has, for a sentence under it; who names the record means all of it.
_IN_TITLE = 0.5
_LONGEST = 400

_DATE = re.compile(
    rf"\b(?:\d{{1,2}} )?(?:{'|'.join((*MONTHS, *(f'{day}s?' for day in WEEKDAYS)))})\b"
    r"|\b(?:19|20)\d\d\b|\b\d{1,2}:\d\d\b|\bdays?\b|\b\d{1,2}(?:st|nd|rd|th)\b|\bmonths?\b"
)
_PERSON = re.compile(
    r"\b(?:[A-Z][^\W\d_]+ ){1,2}[A-Z][^\W\d_]+\b|\b[Ll]ed\b|\b[Ll]ead\b|\bMrs?\b|\bDr\b"
)
# What is asked for by its name, and the form it has.
_LITERALS = (
    (re.compile(r"\bphone\b|\btelephone\b|\bcall us\b"), re.compile(r"\+\d[\d ()/-]{6,}\d")),
    (re.compile(r"\be-?mail\b|\bmail address\b"), re.compile(r"\S@\w")),
)
# How many work for somebody, and how a whole house is described.
_STAFF = re.compile(
    r"^how many (?:people|employees|persons|staff) (?:work|are employed) (?:at|for)\b"
)
_HEADCOUNT = re.compile(r"\bof \d+ (?:people|employees)\b|\b\d+ (?:people|employees) from\b")
# "Where does she work?", with her name in it.
WHERE = re.compile(r"^where (?:does|do|is|are) .{1,80}\b(?:work|based|located|live)\b")
_CALLED = (("phone number", ("phone", "telephone", "mobile")), ("email address", ("email",)))
_PLAINLY = 2.5  # nothing else has that form
_ABOUT = re.compile(
    r"^(?:(?:what|who) (?:is|are|was|were)|what(?:'s| is) (?:this|a|an|the)|"
    r"tell me (?:more )?about|what do (?:we|you) know about|explain|describe|define|"
    r"what does .+ mean)\b",
    re.IGNORECASE,
)


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
    """Sentences of one record that answer, and how well they do."""

    evidence: AnswerEvidence
    sentences: tuple[str, ...]
    strength: float


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


@dataclass(frozen=True, slots=True)
class _Candidate:
    record: AnswerEvidence
    place: int
    sentence: str
    signs: float


def findings(
    question: str, found: Sequence[AnswerEvidence], memo: Memo, book: NameBook
) -> list[AnswerFinding]:
    """What answers the question, best first, one for each record; none when nothing does."""
    asked = stems(question)
    named = {mention.name.id for mention in book.mentions(question)}
    about = bool(_ABOUT.search(question))
    candidates: list[_Candidate] = []
    rare = _rarity(asked, found)
    total = sum(rare.values())
    # One that was found and fetched is there twice, once with its whole text.
    scores: dict[str, float] = {}
    for record in found:
        scores[record.id] = max(record.score, scores.get(record.id, 0.0))
    for record in found:
        title = _title(record, asked, named)
        lines = line_sentences(record.text)[:_PER_RECORD] or [record.title]
        for place, sentence in enumerate(lines):
            words = stems(sentence)
            beside = sum(rare[w] for w in asked & (stems(record.title) - words))
            part = 1.0 if record.id in named else _IN_TITLE
            said = sum(rare[w] for w in asked & words) + part * beside
            covered = said / total if total else 0.0
            signs = (
                _WORDS * covered
                + _RECORD * scores[record.id]
                + _TITLE * title
                + _FORM * _form(question, sentence, "" if named else record.type)
                + (0.06 if about and place == 0 else 0.0)
            )
            candidates.append(_Candidate(record, place, sentence, signs))
    candidates.sort(key=lambda one: (-one.signs, one.record.id, one.place))
    compared = candidates[:_COMPARED]
    if not compared:
        return []
    vectors = memo.fresh([question, *(f"{c.record.title}: {c.sentence}" for c in compared)])
    meanings = vectors[1:] @ vectors[0]
    scored = sorted(
        (
            (_MEANING * float(meaning) + c.signs, c)
            for meaning, c in zip(meanings, compared, strict=True)
        ),
        key=lambda one: (-one[0], one[1].record.id, one[1].place),
    )
    best: dict[str, list[tuple[float, _Candidate]]] = {}
    for strength, candidate in scored:
        if strength >= LEAST:
            best.setdefault(candidate.record.id, []).append((strength, candidate))
    return [_finding(group, about) for group in best.values()]


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


def _finding(group: list[tuple[float, _Candidate]], about: bool) -> AnswerFinding:
    strength, first = group[0]
    chosen = {first.place: first.sentence}
    for other, candidate in group[1:]:
        near = about or other >= 0.9 * strength
        if near and len(chosen) < 2 and sum(map(len, chosen.values())) < _LONGEST:
            chosen[candidate.place] = candidate.sentence
    ordered = tuple(chosen[place] for place in sorted(chosen))
    return AnswerFinding(first.record, ordered, strength)


def _rarity(asked: set[str], found: Sequence[AnswerEvidence]) -> dict[str, float]:
    """A word that everything has which was found tells little."""
    texts = [stems(f"{record.title} {record.text}") for record in found]
    return {w: math.log((len(texts) + 2) / (1 + sum(w in text for text in texts))) for w in asked}


def _title(record: AnswerEvidence, asked: set[str], named: set[str]) -> float:
    if record.id in named:
        return 1.0
    words = stems(record.title)
    return len(words & asked) / len(words) if words else 0.0


def _form(question: str, sentence: str, of: str) -> float:
    """Whether the sentence has what is asked for: a date for when, a number for how many,
    somebody for who. `of` is the type of its record, where nobody was named in the question."""
    words = [token.key for token in tokens(question)]
    first = next((word for word in words if word in QUESTION_WORDS), "")
    text = folded(question)
    for asked, form in _LITERALS:
        if asked.search(text):
            return _PLAINLY if form.search(sentence) else 0.0
    if _STAFF.search(text):
        return _PLAINLY if _HEADCOUNT.search(sentence) else 0.0
    if first == "when" or "what time" in text or "which day" in text:
        return 1.0 if _DATE.search(sentence) else 0.0
    if re.search(r"\bhow (?:many|much|long|old|big|large|fast|far)\b|\bcosts?\b|\bprice\b", text):
        return (
            1.0
            if re.search(r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\b", sentence)
            else 0.0
        )
    if first in ("who", "whom", "whose"):
        return 1.0 if of == "person" or _PERSON.search(sentence) else 0.0
    return 0.5


# -- in words


def told(finding: AnswerFinding, spoken: bool) -> str:
    """The sentences as an answer, with the record that they are from."""
    text = " ".join(finding.sentences)
    record = finding.evidence
    if not stems(record.title) & stems(text):
        text = f"{record.title}: {text}"
    text = shortened(text, 260 if spoken else 600)
    return text if spoken else f"{text} ({record.id})"


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
