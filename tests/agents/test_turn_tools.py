"""Hundreds of tools: what a turn declares, and how a model gets to the rest."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from tests.agents.chatting import VENDORS, calls, chat, only, says, step
from tests.orchestrator.helpers import answer, house

from antiphon import Registry, tool
from antiphon.agents.profiles import Profile, ProfileError, load_profile
from antiphon.agents.setup import instructions, model_setup, open_session
from antiphon.agents.turn_tools import standing_tools
from antiphon.contracts import Principal
from antiphon.contracts.events import HistoryTurn, UserTurn
from antiphon.contracts.rights import Rights, ToolRule
from antiphon.registry.sources import SHIPPED_TOOLS
from antiphon.tool_search import ToolSearch

pytestmark = pytest.mark.virtual_time(patience=0.2)

NOUNS = ("invoice", "ticket", "parcel", "contract", "meeting", "backup", "certificate", "sensor")
VERBS = ("create", "delete", "archive", "rename", "export", "approve", "print", "share", "count",
         "merge")  # fmt: skip
MANY = [f"{verb}_{noun}" for noun in NOUNS for verb in VERBS]


DEFINITION = """
def {tool}(name: str) -> str:
    \"\"\"{Verb} a {noun} by its name.

    Args:
        name: Of the {noun}.
    \"\"\"
    return "{verb} " + name
"""


def made(names: Sequence[str]) -> list[Callable[..., Any]]:
    source = ""
    for each in names:
        verb, _, noun = each.partition("_")
        source += DEFINITION.format(tool=each, Verb=verb.capitalize(), verb=verb, noun=noun)
    scope: dict[str, Any] = {}
    exec(compile(source, "many.py", "exec"), scope)
    return [tool(side_effects="read_only")(scope[each]) for each in names]


@cache
def registry(names: Sequence[str] = tuple(MANY)) -> Registry:
    with TemporaryDirectory() as home:
        folder = Path(home) / "tools"
        shutil.copytree(SHIPPED_TOOLS / "find-tools", folder / "find-tools")
        return Registry.of(*made(names), folders=[folder])


def declared(body: dict[str, Any]) -> list[str]:
    """The names of the tools in a request to any vendor."""
    names = []
    for each in body.get("tools", ()):
        for one in each.get("functionDeclarations", [each]):
            names.append(one.get("name") or one["function"]["name"])
    return names


@pytest.mark.parametrize("vendor", VENDORS)
async def test_what_is_found_can_be_called_in_the_next_round(vendor: str) -> None:
    find = ("find_tools", {"need": "merge two certificates", "limit": 3})
    script = [
        step("text", calls(find)),
        step("results", calls(("merge_certificate", {"name": "web"})), ok=True),
        step("results", says("Merged."), ok=True),
        step("text", says("Again?")),
    ]
    search = ToolSearch()
    options: dict[str, Any] = {"registry": registry(), "capabilities": {"tool_search": search}}
    profile = Profile("everybody", pinned=frozenset({"count_parcel"}))
    async with chat(vendor, script, profile=profile, **options) as c:
        events = await c.say("Print the invoice from May")
        found, merged = [each["envelope"] for each in only(events, "tool_result")]
        assert found["data"]["tools"][0]["tool_id"] == "merge_certificate"
        assert found["data"]["searched"] == len(MANY)
        assert merged["data"] == {"result": "merge web"}
        await c.say("And the other one")
        first, second, third, later = map(declared, c.emulator.received)
    assert first[:3] == ["count_parcel", "find_tools", "print_invoice"]
    assert len(first) < 32
    assert "merge_certificate" not in first
    # what was declared before stays where it was, so that a vendor's cache of it holds
    assert second[: len(first)] == first
    assert "merge_certificate" in second
    assert third == second
    assert "merge_certificate" in later  # called of late
    search.close()


@pytest.mark.parametrize("vendor", VENDORS)
async def test_few_tools_are_declared_as_ever(vendor: str) -> None:
    names = tuple(MANY[:12])
    options: dict[str, Any] = {"capabilities": {"tool_search": ToolSearch()}}
    async with chat(vendor, [step("text", says("Hm"))], registry=registry(names), **options) as c:
        await c.say("Print the invoice from May")
        [body] = c.emulator.received
        assert sorted(declared(body)) == sorted(names)
        assert "find_tools" not in str(body)


async def test_the_limit_is_the_profiles_or_that_of_the_settings() -> None:
    search = ToolSearch(most_declared=100)
    async with house(registry(), capabilities={"tool_search": search}) as h:
        session = open_session(h.orchestrator, "text", Profile("any"), "openai", user="ada")
        assert standing_tools(session, Profile("any")) is None  # 80 are fewer
        tools = standing_tools(session, Profile("any", most_declared=20))
        assert tools is not None
        assert tools.pinned == ("find_tools",)
        # and nowhere else: the built-in model chooses by itself
        session.provider = "local"
        assert standing_tools(session, Profile("any", most_declared=20)) is None
    search.close()


async def test_the_prompt_lists_what_is_pinned_and_says_how_to_find_the_rest() -> None:
    search = ToolSearch()
    pinned = Profile("any", pinned=frozenset({"share_backup", "no_such_tool"}))
    async with house(registry(), capabilities={"tool_search": search}) as h:
        session = open_session(h.orchestrator, "text", pinned, "openai", user="ada")
        prompt = instructions(session, pinned)
        assert "**share_backup**" in prompt.text
        assert "**share_ticket**" not in prompt.text
        assert "You have 81 tools." in prompt.text
        everything = instructions(session, Profile("all", most_declared=1000))
        assert prompt.tokens + prompt.declarations < everything.tokens
        assert "find_tools" not in everything.text
    search.close()


async def test_a_spoken_conversation_begins_with_as_many_as_there_may_be() -> None:
    search = ToolSearch()
    profile = Profile("any", pinned=frozenset({"share_backup"}))
    history: list[HistoryTurn] = [UserTurn("I wonder about the sensor that I wanted to rename")]
    async with house(registry(), capabilities={"tool_search": search}) as h:
        session = open_session(h.orchestrator, "voice", profile, "openai", user="ada")
        tools = standing_tools(session, profile, history)
        prompt = instructions(session, profile, tools=tools)
        setup = model_setup(session, profile, "gpt", prompt, history=history, tools=tools)
        names = declared({"tools": setup.tools.declared("openai")})
        assert names[:3] == ["share_backup", "find_tools", "rename_sensor"]
        assert len(names) == len(set(names)) == 64
    search.close()


async def test_what_one_may_not_use_is_not_found() -> None:
    search = ToolSearch()
    rules = (ToolRule(("find_tools", "print_*")), ToolRule(("print_contract",), "refuse"))
    clerk = Principal("bea", rights=Rights(frozenset({"tools.call"}), rules))
    async with house(registry(), capabilities={"tool_search": search}) as h:
        toolset = frozenset({"find_tools", "print_invoice", "print_ticket"})
        session = h.orchestrator.session("text", "ada", toolset=toolset)
        data = (await answer(session, "find_tools", {"need": "print a contract"}))["data"]
        assert [each["tool_id"] for each in data["tools"]] == ["print_invoice", "print_ticket"]
        assert data["searched"] == 2
        theirs = h.orchestrator.session("text", principal=clerk)
        data = (await answer(theirs, "find_tools", {"need": "print a contract"}))["data"]
        assert data["searched"] == len(NOUNS) - 1
        assert "print_contract" not in str(data)
    search.close()


async def test_without_a_search_it_is_said() -> None:
    async with house(registry()) as h:
        session = h.orchestrator.session("text", "ada")
        error = (await answer(session, "find_tools", {"need": "print"}))["error"]
        assert "no tool search" in error["message"]


def test_mistakes_in_a_profile_are_named(tmp_path: Path) -> None:
    (tmp_path / "wide.toml").write_text('pinned = "alle"\nmost_declared = 5\n')
    with pytest.raises(ProfileError) as caught:
        load_profile("wide", tmp_path)
    assert [each.partition(": ")[2] for each in caught.value.problems] == [
        '`pinned` must be a list of tool ids, or "all".',
        "`most_declared` must be a whole number from 8 to 1000.",
    ]
