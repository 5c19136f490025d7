"""How well the trained encoders read tools and records that they have never met, and how fast.

    python bench/understanding.py [--quick]

The test split of training/data was written by an author who saw neither the model nor its training
data: 70 tools of which only the schema and up to two phrases are known, 867 utterances of every
kind, 60 dialogues, 500 questions over 50 records. Nobody who mended the model has read it. Here the
encoders are measured by themselves, without the rules of the built-in model around them, but for
the mending of slips of the hand before the tool is chosen. Intervals
are Wilson's, at 95 of 100. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import statistics
import sys
import time
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from training.examples import choices_of, confirming, done
from training.texts import Data, Tool, load

from antiphon.providers.local.spelling import cleaned
from antiphon.understanding.model import shipped_understanding
from antiphon.understanding.sequences import SlotCard, card

TEST = Path(__file__).parents[1] / "training" / "data" / "test"
QUICK = 8  # every so many-th line
CANDIDATES, SCALE, SHARE = 5, 20.0, 0.5
Hits = dict[str, dict[str, list[bool]]]


class Chooser:
    """The tools of one author, and which of them is meant; none of them at a score of nought."""

    def __init__(self, tools: dict[str, Tool]) -> None:
        self._model = shipped_understanding()
        self._tools = list(tools.values())
        texts = [card(t.name, t.description, list(t.parameters)) for t in self._tools]
        self._owners = list(range(len(texts)))
        for number, tool in enumerate(self._tools):
            texts += [phrase.replace("{", "").replace("}", "") for phrase in tool.phrases]
            self._owners += [number] * len(tool.phrases)
        self._matrix = self._model.router.vectors(texts)
        self.words = frozenset(re.findall(r"[a-z]{4,}", " ".join(texts).lower()))
        self.seconds: list[float] = []

    def choose(self, text: str, before: str = "") -> tuple[str | None, str, str]:
        """The tool (or none), the act and the sort."""
        started = time.perf_counter()
        hearing = self._model.router.hear(text, before)
        near = self._matrix @ hearing.vector
        best: dict[int, float] = {}
        for owner, like in zip(self._owners, near, strict=True):
            best[owner] = max(best.get(owner, -1.0), float(like))
        tried = sorted(best, key=lambda number: -best[number])[:CANDIDATES]
        cards = [
            card(t.name, t.description, list(t.parameters), t.phrases[0] if t.phrases else "")
            for t in (self._tools[number] for number in tried)
        ]
        pairs = self._model.reader.meant(text, cards)
        top = best[tried[0]]
        scores = [
            pair + SHARE * SCALE * (best[number] - top)
            for pair, number in zip(pairs, tried, strict=True)
        ]
        at = max(range(len(tried)), key=lambda place: scores[place])
        self.seconds.append(time.perf_counter() - started)
        name = self._tools[tried[at]].name if scores[at] > 0 else None
        return name, hearing.act, hearing.sort


def measure(data: Data, every: int) -> tuple[Hits, dict[str, list[float]]]:
    hits: Hits = defaultdict(lambda: defaultdict(list))
    seconds: dict[str, list[float]] = defaultdict(list)
    reader = shipped_understanding().reader
    for tools in data.tools.values():
        chooser = Chooser(tools)
        for one in data.said[::every]:
            name, act, sort = chooser.choose(cleaned(one.text, chooser.words))
            if one.tool and one.kind not in ("negated", "two"):
                hits["tool"][one.kind].append(name == one.tool)
            elif one.kind in ("negated", "cancel", "injection", "garbled"):
                hits["act"][one.kind].append(act == one.kind)
            elif one.kind == "refusal":
                hits["no tool"][one.kind].append(name is None)
            elif one.kind in ("talk", "self", "fact"):
                hits["no tool"][one.kind].append(name is None or sort == one.kind)
            second = shipped_understanding().router.hear(one.text).second
            hits["two requests"]["two" if one.kind == "two" else "one"].append(
                (second is not None) == (one.kind == "two")
            )
            if one.kind == "negated":
                continue
            for part in one.parts[:1]:
                tool, text = tools[part.tool], one.text[part.start : part.end]
                cards = [
                    SlotCard(n, s["description"], choices_of(s)) for n, s in tool.parameters.items()
                ]
                if not cards:
                    continue
                started = time.perf_counter()
                found = {(s.parameter, s.start, s.end) for s in reader.slots(text, cards)}
                seconds["slots"].append(time.perf_counter() - started)
                wanted = {
                    (s.parameter, s.start - part.start, s.end - part.start) for s in part.spans
                }
                hits["arguments exact"][one.kind].append(found == wanted)
                hits["spans"]["precision"] += [each in wanted for each in found]
                hits["spans"]["recall"] += [each in found for each in wanted]
        for dialogue in data.dialogues[::every]:
            before = ""
            for turn in dialogue.turns:
                if turn.speaker == "A":
                    spoken = {"ask": turn.text, "done": done(dialogue.tool)}
                    before = spoken.get(turn.kind, confirming(dialogue.tool))
                    continue
                _, act, _ = chooser.choose(turn.text, before)
                expected = turn.kind if turn.kind in ACTS else "new"
                hits["turns"][expected].append(act == expected)
        seconds["tool"] += chooser.seconds
    for record in data.records[::every]:
        for question in record.questions:
            started = time.perf_counter()
            (span,) = reader.answers(question.text, [(record.title, record.text)])
            seconds["answer"].append(time.perf_counter() - started)
            told = span.confidence >= 0.5
            hits["said to be there"]["there" if question.answers else "not there"].append(
                told == bool(question.answers)
            )
            if question.answers:
                hits["answer"]["overlaps"].append(
                    any(span.start < b and span.end > a for a, b in question.answers)
                )
    return hits, seconds


ACTS = ("new", "answer", "none", "correct", "more", "yes", "no", "cancel")


def wilson(right: int, of: int) -> tuple[float, float]:
    z, share = 1.96, right / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return max(0.0, middle - half), min(1.0, middle + half)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--quick", action="store_true", help=f"every {QUICK}th line only")
    options = parser.parse_args()
    hits, seconds = measure(load(TEST), QUICK if options.quick else 1)
    figures: dict[str, float] = {}
    for what, kinds in hits.items():
        every = [good for group in kinds.values() for good in group]
        for kind, group in {"all": every, **kinds}.items():
            low, high = wilson(sum(group), len(group))
            share = f"{sum(group):>5}/{len(group):<5} {sum(group) / len(group):6.1%}"
            print(f"{what:18} {kind:12} {share} ({low:.0%}-{high:.0%})")
        figures[what] = round(sum(every) / len(every), 4)
    for what, taken in seconds.items():
        figures[f"{what}_ms_p50"] = round(statistics.median(taken) * 1000, 1)
        print(f"{what:18} {figures[f'{what}_ms_p50']} ms (p50)")
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
