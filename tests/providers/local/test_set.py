"""The requests that the built-in model is measured with: many, well formed, unknown to training."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.effort import THOROUGH
from tests.providers.local.world import Conversation, declarations, provider
from tests.tools.kb_world import registry, sample_base
from training.texts import load

from antiphon.providers.port import Setup

ROOT = Path(__file__).parents[3]
SET = ROOT / "tests" / "local_set"
SPLITS = ("fresh", "unseen")
REQUESTS = {"plain", "typo", "disfluent", "long", "indirect", "two", "negated", "corrected"}
WITHOUT_TOOL = {"talk", "self", "refusal", "injection"}
DIALOGUES = {"answer", "correct", "override", "followup", "none", "cancel", "two_turns"}
QUESTIONS = {"question", "problem", "typo", "spoken", "own", "unknown"}


@cache
def lines(split: str, part: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SET / split / f"{part}.jsonl").read_text().splitlines()]


def texts(split: str) -> list[str]:
    """Everything that is said, asked or answered in a split."""
    found = [line["say"] for line in lines(split, "requests")]
    found += [line["ask"] for line in lines(split, "questions")]
    return found + [turn for line in lines(split, "dialogues") for turn in line["turns"]]


def bare(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def named(line: dict[str, Any]) -> set[str]:
    """The tools that a line speaks of."""
    wanted = line.get("tools") or [line.get("tool")]
    return {tool for tool in (*wanted, *line.get("allow", ())) if tool is not None}


@pytest.mark.parametrize("split", SPLITS)
def test_a_split_has_every_kind_of_request_in_good_number(split: str) -> None:
    kinds = Counter(line["kind"] for line in lines(split, "requests"))
    assert kinds.keys() == REQUESTS | WITHOUT_TOOL
    assert min(kinds.values()) >= 12
    assert len(lines(split, "requests")) >= 300
    turns = Counter(line["kind"] for line in lines(split, "dialogues"))
    assert turns.keys() == DIALOGUES
    assert len(lines(split, "dialogues")) >= 55
    asked = Counter(line["kind"] for line in lines(split, "questions"))
    assert asked.keys() == QUESTIONS
    assert len(lines(split, "questions")) >= 110


@pytest.mark.parametrize("split", SPLITS)
def test_the_tools_and_records_that_a_split_names_exist(split: str) -> None:
    tools = set(registry().snapshot().tools)
    said = [*lines(split, "requests"), *lines(split, "dialogues")]
    unknown = sorted({tool for line in said for tool in named(line)} - tools)
    assert unknown == []
    base = sample_base()
    known = {record.id for name in base.ids() for record in base.database(name).all_records()}
    missing = sorted({r for line in lines(split, "questions") for r in line["records"]} - known)
    assert missing == []


def test_nothing_of_the_unseen_split_was_trained_on() -> None:
    data = load(ROOT / "training" / "data" / "train")
    trained = {bare(one.text) for one in data.said}
    trained |= {bare(q.text) for record in data.records for q in record.questions}
    trained |= {bare(turn.text) for one in data.dialogues for turn in one.turns}
    # A few words, such as "yes" or "never mind", are anybody's. Counted, not shown: nobody who
    # trains reads this split.
    own = [bare(text) for text in texts("unseen") if len(bare(text).split()) > 4]
    taught = sum(text in trained for text in own)
    assert taught == 0, f"{taught} texts of tests/local_set/unseen stand in training/data/train"


@pytest.mark.real_time(ignore=("*antiphon-kb-*",), timeout=90)
async def test_what_asks_for_no_tool_writes_nothing() -> None:
    snapshot = registry().snapshot()
    shipped = [name for name, tool in snapshot.tools.items() if "catalogue" not in tool.entry]
    writes = {name for name in shipped if snapshot.tools[name].writes}
    idle = [line for line in lines("fresh", "requests") if line.get("tool", "") is None]
    made = provider()
    try:
        for line in idle[:: 1 if THOROUGH else 8]:
            setup = Setup("local", tools=declarations(line["mode"], *shipped))
            async with await made.connect(setup) as connection:
                called = (await Conversation(connection, None).say(line["say"])).names
                assert not writes & set(called), line["say"]
    finally:
        await made.close()
