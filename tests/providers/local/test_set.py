"""The set that the built-in model is measured with: large enough, and unknown to the model."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from rapidfuzz import fuzz
from tests.effort import THOROUGH
from tests.providers.local.world import Conversation, further_modes, provider
from tests.tools.kb_world import registry, sample_base

from antiphon import Orchestrator
from antiphon.agents.profiles import load_profile
from antiphon.knowledge.capability import Knowledge
from antiphon.providers.local import small_talk
from antiphon.providers.local.catalogue import SLOT, read_catalogue
from antiphon.providers.port import Setup

SET = Path(__file__).parents[2] / "local_set"
HALVES = ("dev", "held")
FRESH_HALVES = ("seen", "blind")

# What only a model asks for by itself.
FOR_MODELS = {"describe_tool"}


@cache
def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SET / name).read_text("utf-8").splitlines()]


def said_by_people() -> list[dict[str, Any]]:
    return lines("utterances.jsonl") + lines("workspace.jsonl") + lines("doing.jsonl")


def texts(said: list[dict[str, Any]], asked: list[dict[str, Any]]) -> list[str]:
    found: list[str] = []
    for line in said:
        found += [line["say"]] if isinstance(line["say"], str) else line["say"]
    return found + [line["ask"] for line in asked]


def fresh_texts() -> list[str]:
    return texts(lines("blind.jsonl"), lines("blind_questions.jsonl"))


def utterances() -> list[str]:
    return texts(said_by_people(), lines("questions.jsonl")) + fresh_texts()


def records() -> set[str]:
    base = sample_base()
    return {record.id for name in base.ids() for record in base.database(name).all_records()}


@cache
def phrases() -> list[str]:
    """Every phrase that the model compares with."""
    tools = read_catalogue(registry().snapshot().declarations().declared("local"))
    return [
        *(phrase.text for tool in tools.tools.values() for phrase in tool.phrases),
        *(text for texts in small_talk.SAID.values() for text in texts),
        *small_talk.QUESTIONS,
    ]


def bare(text: str) -> str:
    return " ".join(re.sub(r"[^\w\s{}]", " ", text.casefold()).split())


def asked_for() -> set[str]:
    """The tools of the shipped profiles that people ask for."""
    profiles = ("assistant", "vox")
    return {tool for name in profiles for tool in load_profile(name).tools or ()} - FOR_MODELS


def test_the_set_is_large_and_has_several_phrasings_of_every_tool() -> None:
    said = said_by_people()
    assert len(said) >= 200
    tools = Counter(line["tool"] for line in said)
    shipped = asked_for()
    assert (
        shipped
        == {n for n, t in registry().snapshot().tools.items() if "catalogue" not in t.entry}
        - FOR_MODELS
    )
    assert {tool: tools[tool] for tool in shipped if tools[tool] < 5} == {}
    assert tools.keys() <= {*shipped, None}
    for half in HALVES:
        of = Counter(line["tool"] for line in said if line["half"] == half)
        assert sum(of.values()) >= 0.45 * len(said)
        assert {tool for tool in shipped if of[tool] < 2} == set()


def test_the_questions_are_many_and_their_records_exist() -> None:
    questions = lines("questions.jsonl")
    assert len(questions) >= 60
    assert {record for line in questions for record in line["records"]} <= records()


def test_the_fresh_part_has_every_tool_and_much_that_writes_nothing() -> None:
    said, asked = lines("blind.jsonl"), lines("blind_questions.jsonl")
    tools = Counter(line["tool"] for line in said)
    shipped = asked_for()
    assert {tool: tools[tool] for tool in shipped if tools[tool] < 3} == {}
    assert tools.keys() <= {*shipped, None}
    assert len(said) >= 220
    assert tools[None] >= 40
    assert len(asked) >= 60
    assert {record for line in asked for record in line["records"]} <= records()


def test_which_half_a_fresh_line_belongs_to_depends_on_its_words_alone() -> None:
    for line in lines("blind.jsonl") + lines("blind_questions.jsonl"):
        (*_, last) = texts([line], []) if "say" in line else [line["ask"]]
        even = hashlib.sha256(last.encode()).digest()[0] % 2 == 0
        assert line["half"] == FRESH_HALVES[0 if even else 1], last


def test_no_fresh_line_stands_in_the_older_set() -> None:
    older = {bare(text) for text in texts(said_by_people(), lines("questions.jsonl"))}
    assert [text for text in fresh_texts() if bare(text) in older] == []


def test_no_utterance_is_a_phrase_of_a_guide_or_of_the_model() -> None:
    known = {bare(phrase) for phrase in phrases()}
    same = [text for text in utterances() if bare(text) in known]
    assert same == []


def test_no_utterance_is_a_phrase_with_its_slots_filled() -> None:
    patterns = []
    for phrase in phrases():
        fixed = re.findall(r"\w+", SLOT.sub(" ", phrase))
        if SLOT.search(phrase) and len(fixed) >= 4:
            parts = (re.escape(bare(part)) for part in SLOT.split(phrase)[::2])
            patterns.append((phrase, re.compile(r"\s*\S.*?\s*".join(parts))))
    same = [
        (text, phrase)
        for text in utterances()
        for phrase, pattern in patterns
        if pattern.fullmatch(bare(text))
    ]
    assert same == []


def test_no_utterance_differs_from_a_phrase_by_a_letter_or_two() -> None:
    known = [bare(phrase) for phrase in phrases() if "{" not in phrase]
    near = [
        (text, phrase)
        for text in utterances()
        for phrase in known
        if len(bare(text)) > 12 and fuzz.ratio(bare(text), phrase) > 92
    ]
    assert near == []


async def _called(line: dict[str, Any], orchestrator: Orchestrator, user: str) -> list[str]:
    shipped = [n for n, t in registry().snapshot().tools.items() if "catalogue" not in t.entry]
    session = orchestrator.session(line["mode"], user, toolset=shipped, modes=further_modes())
    made = provider()
    try:
        setup = Setup("local", tools=session.declarations())
        async with await made.connect(setup) as connection:
            return (await Conversation(connection, session).say(line["say"])).names
    finally:
        await made.close()
        await session.end("tested")


@pytest.mark.real_time(ignore=("*antiphon-kb-*",), timeout=380)
@pytest.mark.timeout(400)
async def test_small_talk_and_questions_write_nothing_and_a_sample_goes_to_the_right_tool() -> None:
    said = said_by_people() + lines("blind.jsonl")
    idle = [line for line in said if line["tool"] is None]
    single = [line for line in said if line["tool"] and isinstance(line["say"], str)]
    reading = [line for line in single if not registry().snapshot().tools[line["tool"]].writes]
    sample = reading[:: 15 if THOROUGH else 40]
    idle = idle if THOROUGH else idle[::3]
    writes = {name for name, tool in registry().snapshot().tools.items() if tool.writes}

    wrong: list[tuple[str, list[str]]] = []
    async with Orchestrator(
        registry(), "sqlite://", capabilities={"knowledge": Knowledge(sample_base())}
    ) as orchestrator:
        for number, line in enumerate(idle):
            names = await _called(line, orchestrator, f"idle{number}")
            assert not writes & set(names), line["say"]
        for number, line in enumerate(sample):
            names = await _called(line, orchestrator, f"user{number}")
            if line["tool"] not in names:
                wrong.append((line["say"], names))
    assert len(wrong) <= 0.1 * len(sample), wrong
