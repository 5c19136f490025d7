"""Examples: what the two encoders are asked, made anew from the data in each epoch with fresh noise."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from antiphon.understanding.sequences import SlotCard
from training.noise import noisy
from training.texts import Data, Dialogue, DialogueTurn, Record, Span, Tool, Utterance

ACTS = (
    "new",
    "answer",
    "none",
    "correct",
    "more",
    "yes",
    "no",
    "cancel",
    "negated",
    "injection",
    "garbled",
)
SORTS = ("tool", "fact", "talk", "self")
PSEUDO = ("fact", "talk", "self", "refusal")  # labels that are no tool
_ACT_OF = {"negated": "negated", "cancel": "cancel", "injection": "injection", "garbled": "garbled"}
# Kinds that few lines have are shown three times, with other noise each time.
RARE = frozenset({"talk", "self", "refusal", "fact", "cancel", "injection", "garbled"})
JOINS = (
    " and ",
    ", and ",
    ", then ",
    " and then ",
    ". Also ",
    ". And ",
    "; ",
    ". ",
    ", and also ",
    " plus ",
    " and after that ",
)


@dataclass(frozen=True, slots=True)
class RouteExample:
    """What is said, after what; `label` is a tool, one of PSEUDO, or empty where it says nothing."""

    text: str
    before: str
    universe: str
    label: str
    act: str
    second: int  # where a second request begins, or -1
    kind: str


@dataclass(frozen=True, slots=True)
class SlotExample:
    text: str
    cards: tuple[SlotCard, ...]
    targets: tuple[tuple[int, int, int], ...]  # number of the mark, start and end in the text
    kind: str


@dataclass(frozen=True, slots=True)
class AnswerExample:
    question: str
    title: str
    text: str
    answers: tuple[tuple[int, int], ...]  # in title + newline + text
    kind: str


def asked_for(tool: Tool, name: str, rng: random.Random) -> str:
    """A question of the assistant for a parameter."""
    label = name.replace("_", " ").removesuffix(" id").removesuffix(" name")
    schema = tool.parameters[name]
    choices = schema.get("enum")
    forms = [
        f"What is the {label}?",
        f"Which {label}?",
        f"And the {label}?",
        f"What {label} should I use?",
        f"Please tell me the {label}.",
        f"{label.capitalize()}?",
    ]
    if choices and len(choices) <= 8:
        forms += [f"Which {label}: {', '.join(map(str, choices[:-1]))} or {choices[-1]}?"] * 3
    if re.search(r"time|date|when|day|start", name):
        forms += ["When?", "From when?", "For which date or time?", "What day?"] * 2
    if re.search(r"end|until", name):
        forms += ["Until when?"] * 3
    if re.search(r"duration|minutes|hours|length", name):
        forms += ["For how long?"] * 3
    if re.search(r"email|attendee|guest|recipient", name):
        forms += [
            f"What are the email addresses of the {label}?",
            "Who should be invited?",
            "Who is it for?",
        ] * 2
    if re.search(r"count|number|size|amount|quantity|limit", name):
        forms += ["How many?", f"Which number for {label}?"] * 2
    return rng.choice(forms)


class Examples:
    def __init__(self, data: Data, seed: int) -> None:
        self.data = data
        self.rng = random.Random(seed)
        # The assistant's own questions, as they were written in dialogues.
        self._questions: dict[tuple[str, str, str], list[str]] = defaultdict(list)
        self._all_questions: list[str] = []
        for dialogue in data.dialogues:
            universe = data.universe(dialogue.author)
            for turn in dialogue.turns:
                if turn.kind == "ask" and turn.asked and turn.text:
                    self._questions[universe, dialogue.tool, turn.asked].append(turn.text)
                    self._all_questions.append(turn.text)
        self._plain: dict[str, list[Utterance]] = defaultdict(list)
        for one in data.said:
            if one.kind in ("plain", "question", "indirect", "short") and len(one.text) < 90:
                self._plain[data.universe(one.author)].append(one)

    # -- routes

    def routes(self) -> list[RouteExample]:
        found = [example for one in self.data.said for example in self._said(one)]
        found += [
            e
            for one in self.data.said
            if one.kind in RARE
            for _ in range(2)
            for e in self._said(one)
        ]
        asked = [question.text for record in self.data.records for question in record.questions]
        for text in self.rng.sample(asked, len(asked) // 4):
            universe = self.rng.choice(list(self.data.tools))
            said, _ = noisy(text, (), self.rng)
            found.append(RouteExample(said, "", universe, "fact", "new", -1, "fact"))
        for dialogue in self.data.dialogues:
            turns = list(self._turns(dialogue))
            found += [*turns, *(one for one in turns if one.act in ("yes", "no", "cancel"))]
        for universe, lines in self._plain.items():
            found += [self._two(universe, lines) for _ in range(len(lines) // 8)]
        return found

    def _said(self, one: Utterance) -> Iterator[RouteExample]:
        rng, universe = self.rng, self.data.universe(one.author)
        second = one.parts[1].start if len(one.parts) > 1 else -1
        text, moved = noisy(one.text, [(second, second + 1)] if second >= 0 else [], rng)
        second = moved[0][0] if moved else -1
        act = _ACT_OF.get(one.kind, "new")
        label = one.tool or one.kind
        if one.kind in ("negated", "cancel"):
            label = ""
        elif one.kind in ("injection", "garbled"):
            label = "refusal"
        before = self._before(universe) if rng.random() < 0.35 else ""
        yield RouteExample(text, before, universe, label, act, second, one.kind)

    def _before(self, universe: str) -> str:
        """Something that the assistant said before, which is of no matter now."""
        rng, tools = self.rng, list(self.data.tools[universe].values())
        tool = rng.choice(tools)
        roll = rng.random()
        if roll < 0.3 or not tool.parameters:
            return done(tool.name)
        if roll < 0.45:
            return confirming(tool.name)
        if roll < 0.65 and self._all_questions:
            return rng.choice(self._all_questions)
        return self._asked(universe, tool, rng.choice(list(tool.parameters)))

    def _asked(self, universe: str, tool: Tool, name: str) -> str:
        written = self._questions.get((universe, tool.name, name))
        if written and self.rng.random() < 0.5:
            return self.rng.choice(written)
        return asked_for(tool, name, self.rng)

    def _two(self, universe: str, lines: list[Utterance]) -> RouteExample:
        rng = self.rng
        first, other = rng.choice(lines), rng.choice(lines)
        join = rng.choice(JOINS)
        end = first.text.rstrip(" .?!")
        follow = other.text if join.endswith(". ") else other.text[:1].lower() + other.text[1:]
        text = f"{end}{join}{follow}"
        start = len(end) + len(join) - len(join.lstrip(" ,.;"))
        start = len(end) + (len(join) - len(join.lstrip(" ,.;")))
        text, moved = noisy(text, [(start, start + 1)], rng)
        return RouteExample(text, "", universe, first.tool or "", "new", moved[0][0], "two")

    def _turns(self, dialogue: Dialogue) -> Iterator[RouteExample]:
        universe, before = self.data.universe(dialogue.author), ""
        for turn in dialogue.turns:
            if turn.speaker == "A":
                before = _assistant(turn, dialogue.tool)
                continue
            act = turn.kind if turn.kind in ACTS else "new"
            label = ""
            if act == "new":
                label = turn.kind if turn.kind in PSEUDO else turn.tool or ""
            text, _ = noisy(turn.text, (), self.rng)
            yield RouteExample(text, before, universe, label, act, -1, f"dialogue {turn.kind}")

    # -- slots

    def slots(self) -> list[SlotExample]:
        found = []
        for one in self.data.said:
            tools = self.data.of(one.author)
            for part in one.parts if one.kind != "bare" else ():
                spans = [
                    Span(s.parameter, s.start - part.start, s.end - part.start, s.value)
                    for s in part.spans
                ]
                text = one.text[part.start : part.end]
                found.append(self._slots(text, spans, tools[part.tool], None, one.kind))
        for dialogue in self.data.dialogues:
            tools, asked = self.data.of(dialogue.author), None
            for turn in dialogue.turns:
                if turn.speaker == "A":
                    asked = turn.asked
                elif turn.tool and turn.kind in (
                    "request",
                    "answer",
                    "correct",
                    "more",
                    "new",
                    "none",
                ):
                    of = (
                        asked
                        if turn.kind in ("answer", "none") and turn.tool == dialogue.tool
                        else None
                    )
                    tool = tools[turn.tool]
                    found.append(
                        self._slots(turn.text, turn.spans, tool, of, f"dialogue {turn.kind}")
                    )
        return found

    def _slots(
        self, text: str, spans: Sequence[Span], tool: Tool, asked: str | None, kind: str
    ) -> SlotExample:
        rng = self.rng
        text, moved = noisy(text, [(s.start, s.end) for s in spans], rng)
        said = {span.parameter for span in spans}
        names = list(tool.parameters)
        if rng.random() < 0.5:
            rng.shuffle(names)
        if len(names) > 4 and rng.random() < 0.3:  # fewer parameters, other company
            names = [n for n in names if n in said or n == asked or rng.random() < 0.6]
        cards, numbers, at = [], {}, 0
        for name in names:
            choices = choices_of(tool.parameters[name])
            cards.append(
                SlotCard(name, str(tool.parameters[name]["description"]), choices, name == asked)
            )
            numbers[name] = at
            for offset, value in enumerate(choices[:12]):
                numbers[name, value] = at + 1 + offset
            at += 1 + len(choices[:12])
        targets = []
        for span, (start, end) in zip(spans, moved, strict=True):
            if end <= start or span.parameter not in numbers:
                continue
            targets.append((numbers[span.parameter], start, end))
            value = span.value
            choices = choices_of(tool.parameters[span.parameter])
            if value is None and choices:
                words = text[start:end].lower().replace("_", " ").replace("-", " ")
                value = next(
                    (c for c in choices if c.lower().replace("_", " ").replace("-", " ") == words),
                    None,
                )
            elif value in ("true", "false") and choices == ("yes", "no"):
                value = "yes" if value == "true" else "no"
            if (number := numbers.get((span.parameter, value))) is not None:
                targets.append((number, start, end))
        return SlotExample(text, tuple(cards), tuple(targets), kind)

    # -- answers

    def answers(self) -> list[AnswerExample]:
        rng, found = self.rng, []
        by_author: dict[str, list[Record]] = defaultdict(list)
        for record in self.data.records:
            by_author[record.author].append(record)
        for record in self.data.records:
            for question in record.questions:
                asked, _ = noisy(question.text, (), rng, 0.6)
                found.append(
                    AnswerExample(
                        asked,
                        record.title,
                        record.text,
                        question.answers,
                        "there" if question.answers else "not there",
                    )
                )
                named = _is_named(question.text, record)
                if rng.random() < (0.7 if named else 0.5):
                    other = _like(question.text, record, by_author[record.author], rng)
                    if other is not None:
                        found.append(
                            AnswerExample(asked, other.title, other.text, (), "other record")
                        )
        return found


def choices_of(schema: dict) -> tuple[str, ...]:
    if schema["type"] == "boolean":
        return ("yes", "no")
    return tuple(str(value) for value in schema.get("enum", ()))


def done(tool: str) -> str:
    return f"Done: {tool.replace('_', ' ')}."


def confirming(tool: str) -> str:
    return f"Shall I go on with {tool.replace('_', ' ')}? Yes or no?"


def _assistant(turn: DialogueTurn, tool: str) -> str:
    match turn.kind:
        case "ask":
            return turn.text
        case "done":
            return done(tool)
        case "asks":
            return confirming(tool)
    return turn.text


_WORD = re.compile(r"[^\W_]{3,}")


@lru_cache(maxsize=20_000)
def _words(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(text))


def _is_named(question: str, record: Record) -> bool:
    return bool(_words(question) & _words(record.title))


_ASKS = re.compile(
    r"(?:who|whom|whose|what|when|where|why|how|which|since|until|by|on|in|at|is|are|was|were|do|does|did|"
    r"can|could|may|must|should|has|have|had|will|would)\b|what's|who's|where's",
    re.IGNORECASE,
)


def _like(question: str, own: Record, records: list[Record], rng: random.Random) -> Record | None:
    """Another record that shares words with the question and does not answer it: not its subject where
    one is named; fewer of its words where it asks; any where it tells of a trouble."""
    asked, named = _words(question), _words(question) & _words(own.title)
    if not named and len(asked) < 4:
        return None
    shared = len(asked & _words(own.whole)) if _ASKS.match(question) else len(asked)
    scored = []
    for record in records:
        whole = _words(record.whole)
        if record.title == own.title or (not named and len(asked & whole) >= shared):
            continue
        # One that has the names as well may tell it as well.
        if named and (len(named & _words(record.title)) >= len(named) or named <= whole):
            continue
        scored.append((len(asked & whole) + rng.random(), record))
    scored.sort(key=lambda one: -one[0])
    return scored[rng.randrange(min(4, len(scored)))][1] if scored else None
