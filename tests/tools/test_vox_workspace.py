"""Macros, tours and thermal as tools: what the model calls and what comes back."""

from __future__ import annotations

from typing import Any

import pytest
from tests.workspace.vox_world import play, world

STEPS = [{"function": "list_graphs", "args": {}}]


# -- macros ----------------------------------------------------------------------------------------


def test_a_macro_is_created_listed_run_and_deleted() -> None:
    async def scenario() -> None:
        async with world() as w:
            assert await w.data("list_macros") == {"macros": [], "count": 0}
            created = await w.data(
                "create_macro", name="Morning", trigger_phrase="Good Morning", steps=STEPS
            )
            macro = created["macro"]
            assert (macro["trigger_phrase"], macro["error_policy"]) == ("good morning", "abort")
            listed = await w.data("list_macros")
            assert (listed["macros"], listed["count"]) == ([macro], 1)
            done = await w.data("run_macro", macro_id="good mornin")
            assert done["macro_id"] == macro["id"]
            assert done["results"][0]["success"]
            assert (await w.error("delete_macro", macro_id=macro["id"]))[
                "type"
            ] == "CONFIRMATION_REQUIRED"
            (request,) = w.orchestrator.confirmations.waiting(w.session)
            gone = await w.session.confirm(request["id"], request["token"], True)
            assert gone["data"] == {
                "deleted": macro["id"],
                "name": "Morning",
                "trigger_phrase": "good morning",
            }
            assert (await w.data("list_macros"))["count"] == 0

    play(scenario())


def test_a_spoken_yes_is_enough_to_delete_a_macro() -> None:
    async def scenario() -> None:
        async with world() as w:
            assert w.session.snapshot.tools["delete_macro"].definition.risk == "low"

    play(scenario())


@pytest.mark.parametrize(
    "args",
    [
        {"name": "x", "trigger_phrase": "x", "steps": []},
        {"name": "x", "trigger_phrase": "x", "steps": STEPS * 21},
        {"name": "", "trigger_phrase": "x", "steps": STEPS},
        {"name": "x", "trigger_phrase": "x", "steps": STEPS, "error_policy": "panic"},
        {"name": "x", "trigger_phrase": "x", "steps": [{"args": {}}]},
        {"name": "x", "trigger_phrase": "x", "steps": [{"function": "nope"}]},
        {"name": "x", "trigger_phrase": "?!", "steps": STEPS},
        {"name": "x", "trigger_phrase": "x"},
    ],
)
def test_a_macro_that_is_none_is_refused(args: dict[str, Any]) -> None:
    async def scenario() -> None:
        async with world() as w:
            error = await w.error("create_macro", **args)
            assert error["type"] == "VALIDATION"
            assert error["errors"]
            assert (await w.data("list_macros"))["count"] == 0

    play(scenario())


@pytest.mark.parametrize("pipe", [1, {"step": 1}, [{"step": 1, "path": "a", "to": "query"}], None])
def test_every_form_of_a_pipe_passes_the_schema(pipe: Any) -> None:
    async def scenario() -> None:
        async with world() as w:
            target = "measure_graph" if isinstance(pipe, int | dict) else "fetch"
            args = {"query": "q"} if pipe is None else {}
            steps = [*STEPS, {"function": target, "args": args, "pipe_from": pipe}]
            saved = await w.data("create_macro", name="x", trigger_phrase="x", steps=steps)
            assert saved["macro"]["steps"][1]["pipe_from"] == pipe

    play(scenario())


def test_an_unknown_macro_is_refused_with_the_nearest() -> None:
    async def scenario() -> None:
        async with world() as w:
            await w.macro("good morning", "list_graphs")
            for tool in ("run_macro", "delete_macro"):
                error = await w.error(tool, macro_id="good evening")
                assert error["type"] == "VALIDATION"
                assert error["nearest"] == ["good morning"]
                assert not error["partialSideEffects"]
            assert w.orchestrator.confirmations.waiting(w.session) == []

    play(scenario())


def test_nobody_is_asked_to_delete_a_macro_that_another_one_runs() -> None:
    async def scenario() -> None:
        async with world() as w:
            inner = await w.macro("inner", "list_graphs")
            await w.macro("outer", {"function": "run_macro", "args": {"macro_id": inner.id}})
            error = await w.error("delete_macro", macro_id="inner")
            assert error["type"] == "CONFLICT"
            assert "'outer'" in error["message"]
            assert w.orchestrator.confirmations.waiting(w.session) == []

    play(scenario())


def test_a_run_counts_once_in_the_budget_of_the_turn() -> None:
    """Voice has three calls a turn; the steps of a macro have a cap of their own."""

    async def scenario() -> None:
        async with world() as w:
            w.session = w.new_session("voice")
            fetches = [{"function": "fetch", "args": {"query": f"{n}"}} for n in range(20)]
            await w.macro("all of it", *fetches)
            done = await w.run("all of it")
            assert (done["completed"], done["failed"]) == (20, 0)

    play(scenario())


# -- tours -----------------------------------------------------------------------------------------


def test_a_tour_goes_to_the_browser_and_to_the_model() -> None:
    async def scenario() -> None:
        async with world() as w:
            found = await w.data("start_guided_tour", page="knowledge graphs")
            assert (found["action"], found["page"]) == ("start_tour", "kg-studio")
            assert found["tour"]["steps"][0]["target"] == '[data-tour="kg-studio-databases"]'
            assert w.sent == [{"type": "start_tour", "page": "kg-studio", "tour": found["tour"]}]

    play(scenario())


def test_without_a_page_the_tour_is_that_of_the_open_one() -> None:
    async def scenario() -> None:
        async with world() as w:
            assert (await w.data("start_guided_tour"))["page"] == "vox"
            await w.awareness.record_visit("ada", "audit")
            assert (await w.data("start_guided_tour"))["page"] == "audit"

    play(scenario())


def test_a_tour_of_no_page_is_refused() -> None:
    async def scenario() -> None:
        async with world() as w:
            error = await w.error("start_guided_tour", page="moon base")
            assert error["type"] == "VALIDATION"
            assert "vox, chat, tools" in error["message"]
            assert w.sent == []

    play(scenario())


def test_the_tours_are_listed_with_their_steps() -> None:
    async def scenario() -> None:
        async with world() as w:
            found = await w.data("get_available_tours")
            assert found["count"] == len(found["tours"]) == 17
            assert found["tours"][0]["page"] == "vox"

    play(scenario())


# -- thermal ---------------------------------------------------------------------------------------


def test_the_heat_of_the_device_is_told() -> None:
    async def scenario() -> None:
        async with world() as w:
            found = await w.data("check_thermal")
            assert found["threshold"] == 42
            assert found["status"] in ("normal", "hot", "very hot", "unavailable")

    play(scenario())
