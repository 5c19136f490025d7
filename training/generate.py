"""Generator of short dialogues out of what people said for each tool: answers, corrections, "nobody", more of the same.

    python -m training.generate training/data/train          writes dialogues-generated-AUTHOR.txt, seeded

A request loses a value that was said for it, the assistant asks for it, and the person answers, corrects,
goes on, or wants something else.
"""

from __future__ import annotations

import random
import sys
from collections import defaultdict
from pathlib import Path

from training.examples import asked_for
from training.texts import Data, Span, Tool, Utterance, load

ANSWERS = (
    "{v}", "{v}", "{v}", "{v} please", "{v}, please", "make it {v}", "{v} I think", "um {v}", "let's say {v}", "it's {v}",
    "that would be {v}", "{v} would be good", "I'd say {v}", "oh, {v}", "{v} works", "sorry, {v}", "uh {v} I guess", "{v}.",
    "probably {v}", "{v} is fine", "ok {v}", "just {v}", "let me see... {v}", "go with {v}", "put {v}", "{v} thanks",
)  # fmt: skip
CORRECTIONS = (
    "no, I meant {v}", "no, {v}", "sorry, I meant {v}", "actually {v}", "actually, make it {v}", "make that {v} instead",
    "wait, {v}", "change it to {v}", "no wait, {v}", "not that, {v}", "I said {v}", "rather {v}", "oops, {v}", "hmm, {v} instead",
    "can you change that to {v}", "correction: {v}", "that's wrong, it should be {v}", "it should be {v}", "hold on, {v} not {w}",
    "{v}, not {w}", "better {v}", "on second thought {v}", "let's do {v} instead", "I misspoke, {v}", "switch it to {v}",
)  # fmt: skip
MORE = (
    "and {v}?", "what about {v}?", "how about {v}?", "and for {v}", "same for {v}", "now {v}", "also {v}", "and {v} as well",
    "the same with {v}", "do {v} too", "once more for {v}", "and what about {v}", "okay, and {v}?", "again, but {v}", "try {v}",
)  # fmt: skip
NONE = (
    "none", "nobody", "no one", "nothing", "skip it", "skip that", "no need", "leave it empty", "doesn't matter", "I don't have one",
    "there is none", "leave it out", "not needed", "no preference", "whatever", "just leave that", "I don't know", "no idea", "n/a",
    "only me", "just me", "just myself", "nobody else", "no attendees", "no guests", "without", "none needed", "any", "up to you",
)  # fmt: skip
CANCELS = (
    "never mind", "forget it", "cancel that", "stop", "leave it", "oh forget it", "drop it", "no, cancel", "let's not", "don't bother",
    "scrap that", "I changed my mind", "actually no, forget about it", "abort", "not now", "let it be", "skip the whole thing",
)  # fmt: skip
EACH = 280  # dialogues for each author


def generated(data: Data, author: str, rng: random.Random) -> list[str]:
    lines = [one for one in data.said if data.universe(one.author) == author]
    with_spans = [
        one
        for one in lines
        if len(one.parts) == 1 and one.parts[0].spans and one.kind != "corrected"
    ]
    values: dict[tuple[str, str], list[str]] = defaultdict(list)
    for one in with_spans:
        for span in one.parts[0].spans:
            values[one.parts[0].tool, span.parameter].append(
                _marked(one.text[span.start : span.end], span)
            )
    found: list[str] = []
    while len(found) < EACH and with_spans:
        one = rng.choice(with_spans)
        part = one.parts[0]
        tool, span = data.tools[author][part.tool], rng.choice(part.spans)
        found.append("\n".join(_dialogue(one, tool, span, values, lines, rng)))
    return found


def _dialogue(
    one: Utterance,
    tool: Tool,
    span: Span,
    values: dict[tuple[str, str], list[str]],
    lines: list[Utterance],
    rng: random.Random,
) -> list[str]:
    pool = values[tool.name, span.parameter]
    value, other = rng.choice(pool), rng.choice(pool)
    question = asked_for(tool, span.parameter, rng)
    turns = [
        f"@ {tool.name}",
        f"U request: {_without(one, span)}",
        f"A {span.parameter}: {question}",
    ]
    roll = rng.random()
    if roll < 0.62:
        turns += [f"U answer: {rng.choice(ANSWERS).format(v=value)}", "A done"]
    elif roll < 0.74:
        return [*turns, f"U none: {rng.choice(NONE)}"]
    elif roll < 0.82:
        return [*turns, f"U cancel: {rng.choice(CANCELS)}"]
    else:
        return [*turns, *_another(lines, rng)]
    roll = rng.random()
    if roll < 0.35:
        form = rng.choice(CORRECTIONS)
        turns.append(f"U correct: {form.format(v=other, w=_plain(value))}")
    elif roll < 0.6:
        turns.append(f"U more: {rng.choice(MORE).format(v=other)}")
    elif roll < 0.8:
        turns += _another(lines, rng)
    return turns


def _another(lines: list[Utterance], rng: random.Random) -> list[str]:
    one = rng.choice(
        [
            line
            for line in lines
            if line.kind in ("plain", "question", "indirect", "talk", "fact", "self")
        ]
    )
    if one.tool is None:
        return [f"U {one.kind}: {one.text}"]
    return [f"U new {one.tool}: {_with_marks(one)}"]


def _with_marks(one: Utterance, left_out: Span | None = None) -> str:
    text, at = "", 0
    for span in sorted(one.parts[0].spans, key=lambda s: s.start):
        text += one.text[at : span.start]
        if span is not left_out:
            text += _marked(one.text[span.start : span.end], span)
        at = span.end
    return " ".join((text + one.text[at:]).split())


def _without(one: Utterance, span: Span) -> str:
    return _with_marks(one, span) or one.text


def _marked(words: str, span: Span) -> str:
    value = f"={span.value}" if span.value is not None else ""
    return f"[{span.parameter}{value}:{words}]"


def _plain(marked: str) -> str:
    return marked[marked.index(":") + 1 : -1]


def main(folder: Path) -> None:
    data = load(folder)
    for author in sorted(data.tools):
        found = generated(data, author, random.Random(f"dialogues {author}"))
        path = folder / f"dialogues-{author}.generated.txt"
        path.write_text("\n\n".join(found) + "\n", "utf-8")
        print(path.name, len(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
