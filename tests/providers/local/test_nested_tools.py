"""Tools of the catalogue, which are run by their name: which one is meant, and with what."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.providers.local.world import Conversation, provider
from tests.shipped import shipped_registry

from antiphon.agents.profiles import load_profile
from antiphon.providers.port import Setup

pytestmark = pytest.mark.real_time(ignore=("*antiphon-kb-*",), timeout=90)


@asynccontextmanager
async def talking(warm: bool = True, **answers: dict[str, Any]) -> AsyncIterator[Conversation]:
    snapshot = shipped_registry().snapshot()
    made = provider(tools=lambda: [snapshot.declarations()])
    tools = load_profile("workspace").tools
    try:
        if warm:
            await made.warm()
        setup = Setup("local", tools=snapshot.declarations("text", None, tools))
        async with await made.connect(setup) as connection:
            yield Conversation(connection, None, {"list_tools": listed(), **answers})
    finally:
        await made.close()


def listed() -> dict[str, Any]:
    tools = shipped_registry().snapshot().tools
    names = [name for name, tool in tools.items() if "catalogue" in tool.entry]
    return {"ok": True, "data": {"tools": [{"id": name} for name in names]}, "intents": []}


@pytest.mark.parametrize(
    ("said", "tool", "params"),
    [
        ('run the word count tool on "one two three"', "word_count", {"text": "one two three"}),
        ("run word_count on hello there world", "word_count", {"text": "hello there world"}),
        ("run the calculator with 2+2", "calculator", {"expression": "2+2"}),
        ("what is 12 * (3 + 4)?", "calculator", {"expression": "12 * (3 + 4)"}),
        ("2 + 2", "calculator", {"expression": "2 + 2"}),
        (
            "use the unit converter to turn 5 miles into km",
            "unit_converter",
            {"value": 5, "from": "miles", "to": "km"},
        ),
        (
            'hash the text "abc" with sha256',
            "hash_text",
            {"text": "abc", "algorithm": "sha256"},
        ),
    ],
)
async def test_its_parameters_are_filled_from_its_own_schema(
    said: str, tool: str, params: dict[str, Any]
) -> None:
    async with talking() as talk:
        answer = await talk.say(said)
        assert answer.calls[-1] == ("run_tool", {"tool_id": tool, "params": params})


async def test_whoever_asks_before_the_model_is_warm_has_them_too() -> None:
    async with talking(warm=False) as talk:
        (call,) = [each for each in (await talk.say("2 + 2")).calls if each[0] == "run_tool"]
        assert call == (
            "run_tool",
            {"tool_id": "calculator", "params": {"expression": "2 + 2"}},
        )


async def test_what_it_needs_and_was_not_said_is_asked_for() -> None:
    async with talking() as talk:
        assert (await talk.say("run the word count tool")).text == "What is the text?"
        (call,) = (await talk.say("one two three four")).calls
        params = {"text": "one two three four"}
        assert call == ("run_tool", {"tool_id": "word_count", "params": params})


async def test_what_it_answers_is_told_in_a_sentence() -> None:
    result = {"words": 3, "sentences": 1, "lines": 1, "unique_words": 3}
    data = {"tool_id": "word_count", "category": "text", "result": result}
    async with talking(run_tool={"ok": True, "data": data, "intents": []}) as talk:
        answer = await talk.say('run the word count tool on "one two three"')
        assert answer.text == "Words: 3, sentences: 1, lines: 1."


@pytest.mark.parametrize(
    ("said", "tool", "name", "value"),
    [
        (
            "write tests for def add(a, b): return a + b",
            "generate_tests",
            "code",
            "def add(a, b): return a + b",
        ),
        (
            "make a fastapi endpoint to create orders",
            "generate_fastapi_endpoint",
            "description",
            "create orders",
        ),
    ],
)
async def test_a_text_is_taken_as_a_whole(said: str, tool: str, name: str, value: str) -> None:
    async with talking() as talk:
        called, args = (await talk.say(said)).calls[-1]
        assert (called, args[name]) == (tool, value)
