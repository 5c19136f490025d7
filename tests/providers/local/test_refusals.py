"""What the built-in model will not do, or cannot do here: it says so, and does nothing else."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.providers.local.world import Conversation, done, further_modes, provider
from tests.tools.kb_world import registry

from antiphon.agents.profiles import load_profile, profiles
from antiphon.contracts import ErrorType
from antiphon.contracts.rights import Rights, ToolRule
from antiphon.providers.local.provider import LocalConnection
from antiphon.providers.port import Setup

pytestmark = pytest.mark.real_time(ignore=("*antiphon-kb-*",), timeout=90)

PROFILES = {name: load_profile(name).tools or frozenset() for name in profiles()}


@asynccontextmanager
async def under(
    profile: str,
    mode: Any = "voice",
    answers: dict[str, dict[str, Any]] | None = None,
    rights: Rights | None = None,
) -> AsyncIterator[Conversation]:
    """A conversation with the tools of one profile, next to which there are the others; `rights`
    are the person's."""
    snapshot = registry().snapshot()
    every = snapshot.declarations(modes=further_modes())
    made = provider(tools=lambda: [every], profiles=lambda: PROFILES)
    try:
        await made.warm()
        modes = load_profile(profile).modes
        tools = snapshot.declarations(mode, None, PROFILES[profile], modes, rights)
        unusable = (
            name
            for name, tool in snapshot.tools.items()
            if rights is not None and not rights.may_see(tool.definition)
        )
        setup = Setup("local", tools=tools, unusable=frozenset(unusable))
        async with LocalConnection(made, setup, spoken=mode == "voice") as connection:
            yield Conversation(connection, None, answers)
    finally:
        await made.close()


def waits(preview: str, **more: str) -> dict[str, Any]:
    request = {"id": "c1", "preview": preview, **more}
    error = {"type": ErrorType.CONFIRMATION_REQUIRED, "message": "", "retryable": False}
    return {"ok": False, "error": {**error, "confirmation_request": request}, "meta": {}}


@pytest.mark.parametrize("said", ["end the session", "stop the session", "goodbye"])
async def test_where_nothing_ends_the_conversation_a_goodbye_says_how_to_hang_up(said: str) -> None:
    async with under("vox") as talk:
        answer = await talk.say(said)
        assert set(answer.names) <= {"list_macros"}
        assert answer.text.startswith("Goodbye. ")
        assert "Hang up" in answer.text


@pytest.mark.parametrize("profile", ["vox", "workspace"])
async def test_in_writing_a_goodbye_starts_nothing_either(profile: str) -> None:
    async with under(profile, "text") as talk:
        answer = await talk.say("end the session")
        assert set(answer.names) <= {"list_macros"}
        assert answer.text.startswith("Goodbye. ")


async def test_voice_is_begun_and_ended_where_it_can_be() -> None:
    async with under("assistant", "text") as talk:
        assert (await talk.say("turn on voice")).names == ["start_voice_session"]
    async with under("assistant") as talk:
        assert (await talk.say("quit voice mode")).names == ["end_voice_session"]


async def test_where_something_ends_it_a_goodbye_does() -> None:
    async with under("workspace") as talk:
        assert (await talk.say("end the session")).names[-1:] == ["end_voice_session"]


@pytest.mark.parametrize(
    "said",
    [
        "schedule a review tomorrow from 3 to 4 pm with ada@example.org",
        "am I free tomorrow afternoon?",
    ],
)
async def test_what_another_profile_can_is_refused_with_its_name(said: str) -> None:
    async with under("vox") as talk:
        answer = await talk.say(said)
        assert set(answer.names) <= {"list_macros"}
        assert answer.text.startswith("I cannot ")
        assert "Start a new one with the agent workspace" in answer.text
    async with under("workspace") as talk:
        assert "I cannot" not in (await talk.say(said)).text


@pytest.mark.parametrize("profile", ["vox", "workspace"])
async def test_a_tool_that_the_person_may_not_use_is_neither_offered_nor_named(
    profile: str,
) -> None:
    rules = (ToolRule(("*",)), ToolRule(("calendar_*",), "refuse"))
    async with under(profile, rights=Rights(frozenset({"tools.call"}), rules)) as talk:
        answer = await talk.say("schedule a review tomorrow from 3 to 4 pm with ada@example.org")
        assert not any(name.startswith("calendar") for name in answer.names)
        assert "agent workspace" not in answer.text
        answer = await talk.say("What can you do?")
        assert "calendar" not in answer.text.lower()
        assert "event" not in answer.text.lower()


async def test_what_is_here_is_done_although_other_profiles_have_more() -> None:
    async with under("vox") as talk:
        assert (await talk.say("list my knowledge graphs")).names[-1:] == ["list_kgs"]
        assert (await talk.say("switch to the dark theme")).names == ["switch_theme"]
        assert "search_kg" in (await talk.say("Who leads Harbor Light?")).names


@pytest.mark.parametrize("said", ["delete everything", "wipe the database", "please erase all"])
@pytest.mark.parametrize("profile", ["assistant", "workspace"])
async def test_an_order_to_destroy_what_no_tool_may_is_refused_in_words(
    profile: str, said: str
) -> None:
    async with under(profile, "text") as talk:
        answer = await talk.say(said)
        assert set(answer.names) <= {"list_macros"}
        assert "nothing was deleted" in answer.text


async def test_what_may_be_deleted_is_when_it_is_named() -> None:
    macro = {"id": "m1", "name": "good day", "trigger_phrase": "good day"}
    known = {"list_macros": done("list_macros", macros=[macro, {**macro, "name": "night"}])}
    async with under("vox", answers=known) as talk:
        assert (await talk.say("delete a macro")).text.startswith("Which macro")
        answer = await talk.say('delete the macro "good day"')
        assert answer.calls[-1] == ("delete_macro", {"macro_id": "good day"})


async def test_a_yes_that_comes_too_early_is_told_that_nothing_was_done() -> None:
    question = "Delete the macro \u201cgood day\u201d? Please say yes or no."

    macro = {"id": "m1", "name": "good day", "trigger_phrase": "good day"}
    asks = {
        "list_macros": done("list_macros", macros=[macro]),
        "delete_macro": waits("Delete the macro \u201cgood day\u201d.", question=question),
    }
    async with under("vox", answers=asks) as talk:
        asked = await talk.say('delete the macro "good day"')
        assert asked.text == question
        for _ in range(2):
            early = await talk.say("Yes.")
            assert early.text.startswith("Nothing was done yet.")
            assert early.text.endswith(question)
