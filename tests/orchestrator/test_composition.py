"""Tools that call tools: the same gates, caps of their own, keys that a rerun finds again."""

from __future__ import annotations

import asyncio
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from tests.orchestrator.helpers import Script, answer, call, house, kind, settle, valid

from antiphon import ErrorType, Policy, ToolCall, fail, ok
from antiphon.contracts import Envelope

pytestmark = pytest.mark.virtual_time(patience=0.0)


def calling(*calls: tuple[str, dict[str, Any]], at_once: bool = False) -> Script:
    """A handler that makes these calls and answers with their envelopes."""

    async def script(args: Any, context: Any) -> Any:
        made = [context.call_tool(tool, given) for tool, given in calls]
        if at_once:
            return ok({"answers": await asyncio.gather(*made)})
        return ok({"answers": [await one for one in made]})

    return script


def answers(envelope: Envelope) -> list[Envelope]:
    assert envelope["ok"], envelope
    return [valid(inner) for inner in envelope["data"]["answers"]]


async def test_the_inner_envelope_comes_back_whatever_it_says() -> None:
    async with house() as h:
        h.work.does("inner", lambda args, context: fail(ErrorType.PERMANENT, "no"))
        calls = [
            ("compute", {"text": "a"}),
            ("inner", {}),
            ("nobody", {}),
            ("compute", {"x": 1}),
        ]
        h.work.does("outer", calling(*calls))
        inner = answers(await answer(h.session(), "outer"))
        assert [kind(e) for e in inner] == ["ok", "PERMANENT", "NOT_FOUND", "VALIDATION"]
        assert inner[0]["data"]["args"] == {"text": "a"}


@pytest.mark.rule("nesting")
async def test_calls_go_three_deep_and_no_deeper() -> None:
    async with house() as h:
        chain = ["outer", "middle", "inner", "compute", "plain"]
        for tool, following in pairwise(chain):
            h.work.does(tool, calling((following, {})))
        envelope = await answer(h.session(), "outer")
        for _ in range(3):
            [envelope] = answers(envelope)
        [refused] = answers(envelope)
        assert kind(refused) == "BUDGET_EXCEEDED"
        assert "3 deep" in refused["error"]["message"]
        assert h.work.started == chain[:4]


@pytest.mark.rule("nesting")
@pytest.mark.parametrize("chain", [["outer", "outer"], ["outer", "middle", "outer"]])
async def test_a_circle_is_refused(chain: list[str]) -> None:
    async with house() as h:
        for tool, following in pairwise(chain):
            h.work.does(tool, calling((following, {"text": "new"})))
        envelope = await answer(h.session(), "outer")
        while envelope["ok"]:
            [envelope] = answers(envelope)
        assert kind(envelope) == "LOOP_DETECTED"
        assert " → ".join(chain) in envelope["error"]["message"]
        assert h.work.started == chain[:-1]


@pytest.mark.rule("nesting")
@pytest.mark.parametrize("tool", ["compute", "save_note", "read_detach"])
@pytest.mark.parametrize("at_once", [True, False])
async def test_one_call_makes_twenty_further_calls_at_most(tool: str, at_once: bool) -> None:
    async with house() as h:
        calls = [(tool, {"text": str(n)}) for n in range(25)]
        h.work.does("outer", calling(*calls, at_once=at_once))
        session = h.session()
        kinds = Counter(kind(e) for e in answers(await answer(session, "outer")))
        assert kinds == {"ok": 20, "BUDGET_EXCEEDED": 5}
        assert h.work.count(tool) == 20


@pytest.mark.rule("nesting")
async def test_the_cap_is_for_the_whole_tree_and_for_each_call_of_the_model_anew() -> None:
    async with house(policy=Policy(nested_calls=4)) as h:
        h.work.does("middle", calling(*[("compute", {"text": t}) for t in "ab"]))
        h.work.does("outer", calling(("middle", {"text": "1"}), ("middle", {"text": "2"})))
        session = h.session()
        for text in "xy":
            first, second = answers(await answer(session, "outer", {"text": text}))
            assert [kind(e) for e in answers(first)] == ["ok", "ok"]
            assert [kind(e) for e in answers(second)] == ["BUDGET_EXCEEDED"] * 2


@pytest.mark.rule("budget.calls")
async def test_the_budget_of_the_turn_counts_what_the_model_asked_for() -> None:
    async with house() as h:
        calls = [("look_up", {"query": str(n)}) for n in range(10)]
        h.work.does("outer", calling(*calls))
        session = h.session("voice")
        inner = answers(await answer(session, "outer", {"text": "a"}))
        assert [kind(e) for e in inner] == ["ok"] * 10
        assert inner[0]["data"]["args"]["top_k"] == 3  # the other limits of the mode hold
        assert (session.view.turn.total, session.view.turn.retrieval) == (1, 0)
        kinds = [kind(await answer(session, "compute", {"text": t})) for t in "abc"]
        assert kinds == ["ok", "ok", "BUDGET_EXCEEDED"]


@pytest.mark.rule("mode")
@pytest.mark.rule("availability")
@pytest.mark.rule("rate")
@pytest.mark.rule("confirmation")
@pytest.mark.rule("confirmation.token")
async def test_every_other_gate_is_passed_by_inner_calls_too() -> None:
    async with house() as h:
        calls: list[tuple[str, dict[str, Any]]] = [
            ("text_only", {}),
            ("for_admins", {}),
            ("limited", {"text": "a"}),
            ("limited", {"text": "b"}),
            ("limited", {"text": "c"}),
            ("send_mail", {"to": ["ada"]}),
            ("send_mail", {"to": ["ada"], "confirmationToken": "x"}),
        ]
        h.work.does("outer", calling(*calls))
        session = h.session("voice")
        kinds = [kind(e) for e in answers(await answer(session, "outer"))]
        assert kinds == [
            "MODE_RESTRICTED",
            "UNAVAILABLE",
            "ok",
            "ok",
            "RATE_LIMIT",
            "CONFIRMATION_REQUIRED",
            "VALIDATION",
        ]
        [request] = session.drain_messages()
        await session.confirm(request["id"], request["token"], True)
        assert h.work.count("send_mail") == 1


async def test_inner_calls_have_keys_of_their_own_in_the_order_in_which_they_are_made() -> None:
    async with house() as h:
        h.work.does("middle", calling(("save_note", {"text": "deep"})))
        h.work.does(
            "outer",
            calling(
                ("save_note", {"text": "same"}),
                ("save_note", {"text": "same"}),
                ("nobody", {}),
                ("middle", {}),
                at_once=True,
            ),
        )
        session = h.session()
        made = call("outer")
        await session.dispatch(made)
        key = f"provider:{made.id}"
        lines = await h.told()
        found = {line["idempotencyKey"]: line["toolId"] for line in lines}
        assert found == {
            key: "outer",
            f"nested:{key}/1": "save_note",
            f"nested:{key}/2": "save_note",
            f"nested:{key}/3": "nobody",
            f"nested:{key}/4": "middle",
            f"nested:nested:{key}/4/1": "save_note",
        }
        assert h.work.count("save_note") == 3
        assert {line["source"] for line in lines} == {"agent", "tool"}


async def test_a_handler_that_runs_again_finds_the_results_of_its_inner_calls() -> None:
    async with house() as h:
        runs: list[list[Envelope]] = []

        async def outer(args: Any, context: Any) -> Any:
            made = [await context.call_tool("save_note", {"text": t}) for t in "ab"]
            runs.append(made)
            if len(runs) == 1:
                return fail(ErrorType.TRANSIENT, "once more")
            return ok({"answers": made})

        h.work.does("outer", outer)
        again = answers(await answer(h.session("text"), "outer"))
        assert len(runs) == 2
        assert [e["meta"]["replayed"] for e in again] == [True, True]
        assert [e["data"]["args"] for e in again] == [{"text": "a"}, {"text": "b"}]
        assert h.work.count("save_note") == 2


async def test_inner_keys_are_the_same_after_a_first_run_in_which_a_call_was_refused() -> None:
    async with house() as h:
        session = h.session("text")
        runs: list[list[str]] = []

        async def outer(args: Any, context: Any) -> Any:
            made = [await context.call_tool("limited", {"text": "first"})]
            made.append(await context.call_tool("save_note", {"text": "second"}))
            runs.append([kind(e) for e in made])
            session.view.rates.clear()
            return fail(ErrorType.TRANSIENT, "again") if len(runs) == 1 else ok({"x": 1})

        h.work.does("outer", outer)
        for text in "ab":
            await answer(session, "limited", {"text": text})
        assert kind(await answer(session, "outer")) == "ok"
        assert runs == [["RATE_LIMIT", "ok"], ["ok", "ok"]]
        assert h.work.count("save_note") == 1


async def test_a_circle_of_calls_at_once_does_not_wait_for_itself() -> None:
    """A call that would wait for its own end is refused, so nothing hangs."""

    async with house() as h:
        session = h.session()
        made = call("save_note", {"text": "a"})

        async def inside(args: Any, context: Any) -> Any:
            again = await session.dispatch(made)
            return ok({"again": kind(again)})

        h.work.does("save_note", inside)
        envelope = valid(await session.dispatch(made))
        assert envelope["data"] == {"again": "IN_PROGRESS"}


async def test_a_nested_write_that_takes_long_does_not_outlast_its_time_and_comes_late() -> None:
    async with house() as h:

        async def slow(args: Any, context: Any) -> Any:
            await asyncio.sleep(8)
            return ok({"n": 1})

        h.work.does("save_note", slow)
        h.work.does("write_finish", calling(("save_note", {"text": "a"})))
        session = h.session()
        envelope = await answer(session, "write_finish", {"text": "x"})
        assert kind(envelope) in ("IN_PROGRESS", "ok")
        await h.clock.advance(60)
        await settle()
        assert {made.name for made, _ in session.drain_late_results()} >= {"save_note"}
        assert session.running == {}


async def test_arguments_of_inner_calls_may_be_left_out() -> None:
    async with house() as h:

        async def outer(args: Any, context: Any) -> Any:
            return ok({"answers": [await context.call_tool("compute")]})

        h.work.does("outer", outer)
        [inner] = answers(valid(await h.session().dispatch(ToolCall(None, "outer"))))
        assert inner["data"]["args"] == {}


async def test_a_nested_call_that_is_approved_runs_though_the_agent_itself_may_not_make_it() -> (
    None
):
    async def outer(args: Any, context: Any) -> Any:
        inner = await context.call_tool("send_mail", {"to": ["ada@example.org"]})
        return ok({"inner": inner["error"]["type"]})

    async with house() as h:
        h.work.does("outer", outer)
        session = h.session(toolset={"outer"})
        assert (await answer(session, "outer"))["data"] == {"inner": "CONFIRMATION_REQUIRED"}
        assert (await answer(session, "send_mail", {"to": []}))["error"]["type"] == "NOT_FOUND"
        [request] = h.orchestrator.confirmations.waiting(session)
        envelope = await session.confirm(request["id"], request["token"], True)
        assert envelope["ok"], envelope
        assert h.work.count("send_mail") == 1
