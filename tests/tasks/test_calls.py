"""A call of a background tool: answered at once, run as a task, its outcome told."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from tests.orchestrator.helpers import Workshop, answer, call, kind
from tests.tasks.world import backend, listening, node, outcome, registry, told, until

from antiphon import ErrorType, Orchestrator, ToolError, fail, ok
from antiphon.contracts import envelope_problems
from antiphon.contracts.owners import Owners
from antiphon.testing import tool_session

pytestmark = pytest.mark.real_time


async def test_a_call_is_answered_with_a_task_and_its_outcome_is_kept() -> None:
    gate = asyncio.Event()
    work = Workshop()

    async def slowly(args: dict[str, Any], context: Any) -> Any:
        await gate.wait()
        return ok({"effect": work.happen("keep", args)})

    work.does("keep", slowly)
    async with node(work=work) as orchestrator:
        session = orchestrator.session("text", "ada")
        first = await answer(session, "keep", {"text": "tea"})
        assert first["data"].keys() == {"task_id", "status"}
        assert first["data"]["status"] == "started"
        await until(lambda: work.started)
        task = await backend(orchestrator).get(first["data"]["task_id"])
        assert task is not None
        assert (task.status, task.args, task.user) == ("running", {"text": "tea"}, "ada")
        gate.set()
        task = await outcome(orchestrator, first)
        assert (task.status, task.attempts) == ("succeeded", 1)
        assert task.envelope is not None
        assert envelope_problems(task.envelope) == []
        assert task.envelope["data"] == {"effect": 1}
        assert task.envelope["meta"]["taskId"] == task.id


@pytest.mark.parametrize("tool", ["look", "keep"])
async def test_the_same_call_again_is_the_same_task(tool: str) -> None:
    work = Workshop()
    async with node(work=work) as orchestrator:
        session = orchestrator.session("text", "ada")
        one = await answer(session, tool, {"text": "a"}, client_key="k")
        again = await answer(session, tool, {"text": "a"}, client_key="k")
        other = await answer(session, tool, {"text": "a"}, client_key="another")
        assert one["data"] == again["data"]
        assert again["meta"]["replayed"]
        assert one["data"]["task_id"] != other["data"]["task_id"]
        assert kind(await answer(session, tool, {"text": "b"}, client_key="k")) == "CONFLICT"
        await outcome(orchestrator, one)
        await outcome(orchestrator, other)
        assert work.count(tool) == 2


@pytest.mark.parametrize("tool", ["look", "keep"])
async def test_a_session_that_has_forgotten_a_key_still_finds_its_task(tool: str) -> None:
    work = Workshop()
    async with node(work=work) as orchestrator:
        session = orchestrator.session("text", "ada")
        one = await answer(session, tool, {"text": "a"}, client_key="k")
        session.recent.clear()
        session.by_hash.clear()
        again = await answer(session, tool, {"text": "a"}, client_key="k")
        assert one["data"] == again["data"]
        session.recent.clear()
        session.by_hash.clear()
        assert kind(await answer(session, tool, {"text": "b"}, client_key="k")) == "CONFLICT"
        await outcome(orchestrator, one)
        assert work.count(tool) == 1


async def test_the_person_and_the_model_are_told_when_it_is_over() -> None:
    async with node() as orchestrator:
        session = orchestrator.session("voice", "ada")
        messages = listening(session)
        late: list[Any] = []
        session.late_listeners.subscribe(lambda made, envelope: late.append((made, envelope)))
        made = call("keep", {"text": "tea"})
        started = await session.dispatch(made)
        task = await outcome(orchestrator, started)
        assert [m["type"] for m in messages] == ["async_task_started", "async_task_complete"]
        for message in messages:
            assert message["task_id"] == task.id
            assert (message["function"], message["fn_call_id"]) == ("keep", made.id)
        assert messages[1]["result"]["success"] is True
        assert messages[1]["result"]["effect"] == 1
        assert messages[1]["status"] == "succeeded"
        assert [(each.id, each.name, envelope) for each, envelope in late] == [
            (made.id, "keep", task.envelope)
        ]
        session.drain_late_results()
        await told(orchestrator, task.id)


async def test_who_is_away_gets_it_when_they_are_back() -> None:
    async with node() as orchestrator:
        session = orchestrator.session("text", "ada")
        task = await outcome(orchestrator, await answer(session, "keep", {"text": "tea"}))
        [message] = session.drain_messages()
        assert (message["type"], message["task_id"]) == ("async_task_complete", task.id)
        [(made, envelope)] = session.drain_late_results()
        assert (made.name, envelope) == ("keep", task.envelope)
        await told(orchestrator, task.id)
        assert session.drain_messages() == []
        assert await backend(orchestrator).undelivered(session.id) == []


async def test_progress_is_kept_and_told() -> None:
    gate, work = asyncio.Event(), Workshop()

    async def slowly(args: dict[str, Any], context: Any) -> Any:
        context.progress("half way", 0.5, pages=7)
        await gate.wait()
        context.progress("nearly", 0.9)
        return ok({})

    work.does("look", slowly)
    async with node(work=work) as orchestrator:
        session = orchestrator.session("text", "ada")
        messages = listening(session)
        started = await answer(session, "look")
        await until(lambda: len(messages) == 2)
        assert messages[1]["type"] == "async_task_progress"
        assert messages[1]["task_id"] == started["data"]["task_id"]
        said = [messages[1][name] for name in ("message", "fraction", "pages")]
        assert said == ["half way", 0.5, 7]
        task = await backend(orchestrator).get(started["data"]["task_id"])
        assert task is not None
        assert task.progress is not None
        assert (task.progress["message"], task.progress["pages"]) == ("half way", 7)
        gate.set()
        task = await outcome(orchestrator, started)
        assert task.progress is not None
        assert task.progress["message"] == "nearly"  # what was said last is not lost
        assert [m["type"] for m in messages[2:]] == [
            "async_task_progress",
            "async_task_complete",
        ]


async def test_progress_that_comes_in_a_flood_or_is_no_json_does_no_harm() -> None:
    work = Workshop()

    async def loudly(args: dict[str, Any], context: Any) -> Any:
        for number in range(1000):
            context.progress(f"{number}", thing=object())
        await asyncio.to_thread(context.progress, "from a thread")
        return ok({"thread": threading.current_thread().name})

    work.does("look", loudly)
    async with node(work=work) as orchestrator:
        session = orchestrator.session("text", "ada")
        messages = listening(session)
        task = await outcome(orchestrator, await answer(session, "look"))
        assert task.status == "succeeded"
        told_of = [m for m in messages if m["type"] == "async_task_progress"]
        assert 1 <= len(told_of) < 10
        assert told_of[-1]["message"] == "from a thread"


async def test_what_a_generator_yields_is_its_progress_and_its_end_the_outcome() -> None:
    async with node() as orchestrator:
        session = orchestrator.session("text", "ada")
        task = await outcome(orchestrator, await answer(session, "steps"))
        assert task.envelope is not None
        assert task.envelope["data"] == {"steps": 3}
        assert task.progress is not None
        assert (task.progress["message"], task.progress["number"]) == ("step 2", 2)


@pytest.mark.parametrize(
    ("answered", "status", "error"),
    [
        (fail(ErrorType.PERMANENT, "No."), "failed", "PERMANENT"),
        (ToolError(ErrorType.AUTH, "Not you."), "failed", "AUTH"),
        (RuntimeError("secret"), "failed", "INTERNAL"),
        ("no result", "failed", "INTERNAL"),
        (ok({"n": "no number"}), "failed", "INTERNAL"),
    ],
)
async def test_a_failure_is_an_outcome_like_any_other(
    answered: Any, status: str, error: str
) -> None:
    work = Workshop()

    def doing(args: dict[str, Any], context: Any) -> Any:
        if isinstance(answered, Exception):
            raise answered
        return answered

    work.does("shaped", doing)
    async with node(work=work) as orchestrator:
        session = orchestrator.session("voice", "ada")
        started = await answer(session, "shaped")
        assert kind(started) == "ok"  # the output's shape is the outcome's, not the answer's
        task = await outcome(orchestrator, started)
        assert task.envelope is not None
        assert (task.status, kind(task.envelope)) == (status, error)
        assert "secret" not in str(task.envelope)
        [(_, envelope)] = session.drain_late_results()
        assert envelope == task.envelope


async def test_all_gates_are_before_the_task() -> None:
    work = Workshop()
    async with node(work=work) as orchestrator:
        session = orchestrator.session("text", "ada")
        assert kind(await answer(session, "keep", {"text": 5})) == "VALIDATION"
        assert kind(await answer(session, "ask", {"text": "x"})) == "CONFIRMATION_REQUIRED"
        assert await backend(orchestrator).list() == []
        [request] = session.drain_messages()
        approved = await session.confirm(request["id"], request["token"], True)
        task = await outcome(orchestrator, approved)
        assert (task.tool_id, task.status, work.count("ask")) == ("ask", "succeeded", 1)


async def test_a_call_that_another_call_makes_is_part_of_that_one() -> None:
    work = Workshop()
    async with node(work=work) as orchestrator:
        session = orchestrator.session("text", "ada")
        direct = await answer(session, "parent", {"text": "a"})
        assert direct["data"]["inner"]["data"] == {"effect": 1, "args": {"text": "a"}}
        task = await outcome(orchestrator, await answer(session, "parent_task", {"text": "b"}))
        assert task.envelope is not None
        assert task.envelope["data"]["inner"]["data"]["effect"] == 2
        assert len(await backend(orchestrator).list()) == 1


async def test_a_task_goes_on_when_its_session_has_ended() -> None:
    gate, work = asyncio.Event(), Workshop()

    async def slowly(args: dict[str, Any], context: Any) -> Any:
        await gate.wait()
        return ok({"inner": await context.call_tool("look", {"text": "x"})})

    work.does("keep", slowly)
    async with node(work=work) as orchestrator:
        session = orchestrator.session("text", "ada")
        started = await answer(session, "keep", {"text": "tea"})
        await session.end()
        gate.set()
        task = await outcome(orchestrator, started)
        assert task.envelope is not None
        assert task.envelope["data"]["inner"]["ok"]
        assert not task.model_told


async def test_what_must_stay_secret_is_dropped_when_the_task_is_over() -> None:
    work = Workshop()
    seen: list[Any] = []

    def doing(args: dict[str, Any], context: Any) -> Any:
        seen.append(dict(args))
        args.clear()  # what a handler does to its arguments is its own affair
        return ok({})

    work.does("sign", doing)
    async with node(work=work) as orchestrator:
        session = orchestrator.session("text", "ada")
        secret = {"user": "ada", "password": "hunter2"}
        task = await outcome(orchestrator, await answer(session, "sign", secret))
        assert seen == [secret]
        assert task.args["user"] == "ada"
        assert "hunter2" not in str(task)
        await orchestrator.store.flush()
        assert "hunter2" not in str(await orchestrator.store.audit_lines())


async def test_the_audit_has_the_answer_and_the_outcome_and_both_are_measured() -> None:
    async with node() as orchestrator:
        session = orchestrator.session("text", "ada")
        await outcome(orchestrator, await answer(session, "keep", {"text": "tea"}))
        await orchestrator.store.flush()
        lines = [line.data for line in await orchestrator.store.audit_lines(tool_id="keep")]
        assert [(line["event"], line["ok"]) for line in lines] == [
            ("tool_execution", True),
            ("task_execution", True),
        ]
        assert lines[0]["idempotencyKey"] == lines[1]["idempotencyKey"]
        assert orchestrator.metrics.tools["keep"].outcomes["ok"] == 2


async def test_the_work_is_bounded_and_the_rest_waits_its_turn() -> None:
    gate, work = asyncio.Event(), Workshop()
    now: list[int] = [0, 0]

    async def slowly(args: dict[str, Any], context: Any) -> Any:
        now[0] += 1
        now[1] = max(now)
        await gate.wait()
        now[0] -= 1
        return ok({})

    work.does("keep", slowly)
    async with node(work=work, at_once=2, per_session=5) as orchestrator:
        session = orchestrator.session("text", "ada")
        started = [await answer(session, "keep", {"text": str(n)}) for n in range(5)]
        await until(lambda: now[0] == 2)
        statuses = [task.status for task in await backend(orchestrator).list()]
        assert statuses == ["queued"] * 3 + ["running"] * 2
        refused = await answer(session, "keep", {"text": "one more"})
        assert kind(refused) == "RATE_LIMIT"
        assert refused["error"]["retryAfter"] > 0
        other = await answer(orchestrator.session("text", "eve"), "keep", {"text": "x"})
        assert kind(other) == "ok"
        gate.set()
        for each in [*started, other]:
            assert (await outcome(orchestrator, each)).status == "succeeded"
        assert now[1] == 2


async def test_tasks_are_listed_newest_first_in_pages_and_by_what_they_are() -> None:
    async with node() as orchestrator:
        ada, eve = (orchestrator.session("text", user) for user in ("ada", "eve"))
        made = []
        for number in range(5):
            session = ada if number % 2 else eve
            started = await answer(session, "keep", {"text": str(number)})
            made.append((await outcome(orchestrator, started)).id)
        tasks = backend(orchestrator)
        first = await tasks.list(limit=2)
        rest = await tasks.list(limit=9, before=first[-1].id)
        assert [task.id for task in [*first, *rest]] == made[::-1]
        assert {task.user for task in await tasks.list(owners=Owners("ada"))} == {"ada"}
        assert len(await tasks.list(session_id=eve.id)) == 3
        assert await tasks.list(status="failed") == []
        assert len(await tasks.list(status="succeeded", tool_id="keep")) == 5
        assert await tasks.get("nobody") is None
        assert await tasks.result("nobody", 1) is None


async def test_without_a_backend_such_tools_are_not_available() -> None:
    async with Orchestrator(registry()) as orchestrator:
        refused = await answer(orchestrator.session("text", "ada"), "keep", {"text": "x"})
        assert kind(refused) == "UNAVAILABLE"
        assert "background" in refused["error"]["message"]


async def test_a_tool_can_be_tried_alone_with_the_outcome_of_its_task() -> None:
    path = registry().path
    assert path is not None
    work = Workshop()
    async with tool_session(path.parent / "tools" / "keep", workspace=work) as tried:
        answered = await tried.call({"text": "tea"})
        assert answered["data"]["status"] == "started"
        assert (await tried.outcome(answered))["data"]["effect"] == 1
        refused = await tried.call({"text": 5})
        assert await tried.outcome(refused) is refused
