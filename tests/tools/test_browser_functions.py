"""The functions that run in the person's browser: checked here, done there."""

from __future__ import annotations

from typing import Any

import pytest
from tests.workspace.vox_world import World, play, world

from antiphon import ErrorType, ToolError
from antiphon.orchestrator.client_call import ClientRequest

FUNCTIONS: dict[str, dict[str, Any]] = {
    "navigate_page": {"path": "tools"},
    "get_current_page": {},
    "get_workspace_state": {},
    "read_page_content": {},
    "switch_model": {"provider": "claude", "model": "claude-sonnet-4-6"},
    "switch_theme": {"theme_id": "dark"},
}


def browser(w: World, answer: Any = None) -> list[tuple[str, dict[str, Any]]]:
    """A browser that answers everything with this; returns what it is asked."""
    asked: list[tuple[str, dict[str, Any]]] = []

    async def run_in_client(request: ClientRequest) -> Any:
        asked.append((request.tool_id, request.args))
        if isinstance(answer, ToolError):
            raise answer
        return answer or {"success": True}

    w.session.run_in_client = run_in_client
    return asked


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("mode", ["text", "voice"])
def test_the_browser_is_asked_and_its_answer_is_the_result(name: str, mode: str) -> None:
    async def scenario() -> None:
        async with world() as w:
            w.session = w.new_session(mode)
            asked = browser(w, {"success": True, "said": "by the browser"})
            assert (await w.data(name, **FUNCTIONS[name]))["said"] == "by the browser"
            assert asked == [(name, FUNCTIONS[name])]

    play(scenario())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_without_a_browser_they_are_not_available(name: str) -> None:
    async def scenario() -> None:
        async with world() as w:
            error = await w.error(name, **FUNCTIONS[name])
            assert error["type"] == "UNAVAILABLE"
            assert "none is connected" in error["message"]

    play(scenario())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_parameters_are_exactly_those_of_the_contract(name: str) -> None:
    async def scenario() -> None:
        async with world() as w:
            definition = w.session.snapshot.tools[name].definition
            assert definition.execution == "client"
            assert set(definition.parameters["properties"]) == set(FUNCTIONS[name])
            assert definition.parameters.get("required", []) == list(FUNCTIONS[name])
            asked = browser(w)
            assert (await w.error(name, **FUNCTIONS[name], more=1))["type"] == "VALIDATION"
            assert asked == []

    play(scenario())


@pytest.mark.parametrize(
    ("said", "page"),
    [
        ("knowledge graphs", "kg-studio"),
        ("KG Studio", "kg-studio"),
        ("/settings", "settings"),
        ("tools/kb_search", "tools/kb_search"),
    ],
)
def test_the_browser_gets_the_page_that_was_meant(said: str, page: str) -> None:
    async def scenario() -> None:
        async with world() as w:
            asked = browser(w)
            await w.data("navigate_page", path=said)
            assert asked == [("navigate_page", {"path": page})]

    play(scenario())


def test_a_page_that_does_not_exist_is_refused_before_the_browser_is_asked() -> None:
    async def scenario() -> None:
        async with world() as w:
            asked = browser(w)
            error = await w.error("navigate_page", path="chart")
            assert error["type"] == "VALIDATION"
            assert error["nearest"][:2] == ["metrics", "chat"]
            assert error["errors"][0]["pointer"] == "/path"
            assert not error["partialSideEffects"]
            assert asked == []

    play(scenario())


@pytest.mark.parametrize(
    ("name", "args", "pointer"),
    [
        ("switch_theme", {"theme_id": "pink"}, "/theme_id"),
        ("switch_model", {"provider": "hal", "model": "9000"}, "/provider"),
        ("switch_model", {"provider": "claude", "model": ""}, "/model"),
        ("switch_model", {"provider": "claude"}, "/model"),
        ("navigate_page", {"path": ""}, "/path"),
        ("navigate_page", {"path": "x" * 201}, "/path"),
    ],
)
def test_wrong_arguments_are_refused_with_their_place(
    name: str, args: dict[str, Any], pointer: str
) -> None:
    async def scenario() -> None:
        async with world() as w:
            asked = browser(w)
            error = await w.error(name, **args)
            assert error["errors"][0]["pointer"] == pointer
            assert asked == []

    play(scenario())


def test_a_browser_that_fails_is_told_as_it_says() -> None:
    async def scenario() -> None:
        async with world() as w:
            browser(w, ToolError(ErrorType.PERMANENT, "There is no key for Claude."))
            error = await w.error("switch_model", provider="claude", model="x")
            assert (error["type"], error["message"]) == ("PERMANENT", "There is no key for Claude.")

    play(scenario())


def test_a_macro_drives_the_browser() -> None:
    async def scenario() -> None:
        async with world() as w:
            asked = browser(w, {"success": True})
            await w.macro("open up", {"function": "navigate_page", "args": {"path": "audit log"}})
            assert (await w.run("open up"))["failed"] == 0
            assert asked == [("navigate_page", {"path": "audit"})]

    play(scenario())
