"""How surely the right tool is among the eight that tool search finds in 1,000.

    python bench/peers/install.py --tools          # once: the questions
    python bench/tool_search.py [--quick] [--half dev] [--misses]

The questions and tools are those of the Berkeley Function Calling Leaderboard (bfcl-eval on PyPI):
every question of its simple, multiple and parallel sets, written by its authors or by users
("live"), in Python, Java and JavaScript, with the functions that are right by its answers. Its sets
of several turns and those in which no function is right are left out.

- The questions are split in two by a hash of the name of the right function. What is tuned is tuned
  on `dev`; the figures are of `test`, whose functions `dev` does not have.
- A registry of 1,000 tools holds all functions that are right in a half, and is filled up by hash
  with those of the other half. One name is one tool: the first that has it. Tools of the sets in
  which no function is right stay out: nobody has said which of the questions they would answer.
- A tool counts as right where it is the same function: it has the name, or the same words in its
  name apart from numbers, or word for word the same description.
- The goal is on every question with one right function. Where several are, each has to be found.

The last line is JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import math
import re
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from typing import Any

import orjson

from antiphon.orchestrator import estimate_tokens
from antiphon.tool_search import ToolSearch
from antiphon.tool_search.encoders import installed_encoders
from antiphon.tool_search.tool_texts import spaced_name
from common import result, table, verdict

HERE = Path(__file__).parent
PACKAGE = "peers/.venvs/tools/bfcl-eval/lib/python*/site-packages/bfcl_eval/data"
SETS = (
    *("simple_python", "simple_java", "simple_javascript", "multiple", "parallel"),
    *("parallel_multiple", "live_simple", "live_multiple", "live_parallel"),
    "live_parallel_multiple",
)
TOOLS, TOP, GOAL = 1_000, 8, 0.97
DECLARED = 16  # of the tools that are found, in a turn


@dataclass(frozen=True)
class Question:
    """What somebody asked, of which set, and the functions that are right."""

    group: str
    id: str
    text: str
    right: tuple[str, ...]

    @property
    def half(self) -> str:
        return "dev" if digest("half:" + self.right[0]) % 2 else "test"


def digest(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16)


def lines(file: Path) -> Iterator[dict[str, Any]]:
    for line in file.read_text("utf-8").splitlines():
        yield json.loads(line)


def load(folder: Path) -> tuple[list[Question], dict[str, dict[str, Any]]]:
    """All questions, and all tools by name."""
    questions, tools = [], {}
    for group in SETS:
        rows = list(lines(folder / f"BFCL_v4_{group}.json"))
        for row in rows:
            for function in row["function"]:
                tools.setdefault(function["name"], function)
        answers = {
            row["id"]: row["ground_truth"]
            for row in lines(folder / f"possible_answer/BFCL_v4_{group}.json")
        }
        for row in rows:
            said = [m["content"] for turn in row["question"] for m in turn if m["role"] == "user"]
            right = tuple(sorted({name for call in answers[row["id"]] for name in call}))
            questions.append(Question(group, row["id"], "\n".join(said), right))
    return questions, tools


def registry(
    questions: Sequence[Question], tools: dict[str, dict[str, Any]], size: int
) -> list[dict[str, Any]]:
    """The entries of a registry with every right tool of the questions."""
    right = sorted({name for question in questions for name in question.right})
    others = sorted(tools.keys() - set(right), key=lambda name: digest("pool:" + name))
    return [entry(tools[name]) for name in (*right, *others)[: max(size, len(right))]]


def entry(function: dict[str, Any]) -> dict[str, Any]:
    """A function as the registry says it."""
    body = orjson.dumps(function, option=orjson.OPT_SORT_KEYS)
    return {
        "toolId": function["name"],
        "description": function["description"],
        "jsonSchema": function["parameters"],
        "digest": hashlib.sha256(body).hexdigest(),
    }


class SameFunction:
    """Which tools of a registry are the same function."""

    def __init__(self, entries: Iterable[dict[str, Any]]) -> None:
        self._marks: dict[str, tuple[Any, Any]] = {}
        self._by_mark: dict[Any, set[str]] = defaultdict(set)
        for each in entries:
            words = re.findall(r"[^\W\d_]+", spaced_name(each["toolId"]))
            named = frozenset(word for word in words if word not in ("v", "version"))
            said = tuple(re.findall(r"\w+", each["description"].lower()))
            marks = self._marks[each["toolId"]] = (named, said)
            for mark in marks:
                self._by_mark[mark].add(each["toolId"])

    def __call__(self, name: str) -> set[str]:
        return {name}.union(*(self._by_mark[mark] for mark in self._marks[name]))


def interval(hits: int, total: int) -> tuple[float, float]:
    """Wilson's, at 95 of 100."""
    z, share = 1.96, hits / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    wide = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total**2)) / (1 + z * z / total)
    return middle - wide, middle + wide


def prompt_tokens(entries: Iterable[dict[str, Any]]) -> int:
    """What tools cost in a request: each is declared, and has a line in the instructions."""
    declared = [
        {"type": "function", "name": e["toolId"], "description": e["description"],
         "parameters": e["jsonSchema"]}
        for e in entries
    ]  # fmt: skip
    listed = "\n\n".join(f"**{e['toolId']}** (utility): {e['description']}" for e in entries)
    return estimate_tokens(len(orjson.dumps(declared)) + len(listed))


def searched(request: str, search: ToolSearch, entries: list[dict[str, Any]]) -> list[str]:
    found = asyncio.run(search.find(request, entries, DECLARED))
    return [each.tool_id for each in found]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a smaller run, for a first look")
    parser.add_argument("--half", choices=("dev", "test"), default="test")
    parser.add_argument("--misses", action="store_true", help="name what was not found")
    options = parser.parse_args()
    folder = next(HERE.glob(PACKAGE), None)
    if folder is None:
        print("The questions are not there: python bench/peers/install.py --tools", file=sys.stderr)
        return 0
    questions, tools = load(folder)
    asked = [each for each in questions if each.half == options.half]
    if options.quick:
        asked = asked[::8]
    entries = registry(asked, tools, 200 if options.quick else TOOLS)
    same = SameFunction(entries)
    search = ToolSearch(installed_encoders)
    began = time.perf_counter()
    search.warm(entries)
    indexed = time.perf_counter() - began

    one: dict[str, list[bool]] = defaultdict(list)
    several: dict[str, list[bool]] = defaultdict(list)
    words: list[bool] = []
    times, after, places = [], [], []
    known = {each["toolId"]: each for each in entries}
    for question in asked:
        began = time.perf_counter()
        found = searched(question.text, search, entries)
        times.append(1000 * (time.perf_counter() - began))
        after.append(prompt_tokens([known[name] for name in found]))
        top = set(found[:TOP])
        hit = all(same(name) & top for name in question.right)
        (one if len(question.right) == 1 else several)[question.group].append(hit)
        if len(question.right) == 1:
            rank = [at for at, name in enumerate(found) if name in same(question.right[0])]
            places.append(rank[0] if rank else DECLARED)
            lexical = search.find_by_words(question.text, entries, TOP)
            words.append(bool(same(question.right[0]) & {each.tool_id for each in lexical}))
        if options.misses and not hit:
            print(f"{question.id}: {question.text[-200:]!r} needs {', '.join(question.right)}")
    search.close()

    all_one = [hit for hits in one.values() for hit in hits]
    all_several = [hit for hits in several.values() for hit in hits]
    share, (low, high) = mean(all_one), interval(sum(all_one), len(all_one))
    every = prompt_tokens(entries)
    rows = [
        (
            f"one right tool, in the top {TOP}",
            f"{share:.2%} of {len(all_one)}",
            f"{low:.1%} to {high:.1%}; {verdict(share >= GOAL, f'{GOAL:.0%}')}",
        ),
        *(
            (f"  {group}", f"{sum(hits)} of {len(hits)}", "")
            for group, hits in one.items()
        ),
        *((f"in the top {n}", f"{mean(p < n for p in places):.2%}", "") for n in (1, 3, 16)),
        (f"by words alone, in the top {TOP}", f"{mean(words):.2%}", "the core without encoders"),
        (f"several right tools, all in the top {TOP}",
         f"{mean(all_several):.2%} of {len(all_several)}", ""),
        ("both", f"{mean(all_one + all_several):.2%} of {len(asked)}", ""),
        ("prompt with every tool", f"{every:,} tokens", "declarations and their lines"),
        (f"prompt with {DECLARED} that were found", f"{mean(after):,.0f} tokens",
         f"{1 - mean(after) / every:.1%} less"),
        ("a search", f"{median(times):.1f} ms", "median"),
        ("indexing", f"{indexed:.1f} s", "once, beside the searches"),
    ]  # fmt: skip
    table(f"Tool search in {len(entries)} tools, half {options.half}", rows)
    result(
        {
            "half": options.half, "tools": len(entries), "questions": len(all_one), "top8": share,
            "top1": mean(p < 1 for p in places), "words": mean(words),
            "several": mean(all_several), "both": mean(all_one + all_several),
            "tokens_before": every, "tokens_after": mean(after), "search_ms": median(times),
            "index_s": indexed,
        }
    )  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
