"""The same call twice: one effect, and an answer each time. Also across a restart."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.orchestrator.helpers import (
    PURE,
    RECONCILING,
    WRITE,
    House,
    Workshop,
    answer,
    built,
    call,
    house,
    kind,
    settle,
    toolbox,
    valid,
    write_tool,
)

from antiphon import ErrorType, ToolCall, fail, ok
from antiphon.orchestrator.session import Session

pytestmark = pytest.mark.virtual_time(patience=0.0)


@pytest.fixture
def store(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'store.db'}"


async def saved(h: House, id: str = "the-session", mode: str = "voice") -> Session:
    """A session that can be resumed."""
    session = h.session(mode, id=id)
    await h.orchestrator.save(session)
    return session


async def resumed(h: House, id: str = "the-session") -> Session:
    session = await h.orchestrator.resume(id)
    assert session is not None
    return session


def waiting(seconds: float, work: Workshop, tool: str = "save_note") -> Any:
    async def script(args: Any, context: Any) -> Any:
        await asyncio.sleep(seconds)
        return ok({"effect": work.happen(tool, args)})

    return script


# -- the four scenarios of chaos ---------------------------------------------------------------


@pytest.mark.rule("duplicate")
@pytest.mark.parametrize("id", [None, "call_0123456789"])
async def test_a_turn_replayed_after_a_reconnect_is_answered_from_the_record(
    id: str | None,
) -> None:
    async with house() as h:
        session = await saved(h)
        first = await answer(session, "look_up", {"query": "ada"}, id=id)
        again = await answer(await resumed(h), "look_up", {"query": "ada"}, id=id)
        assert h.work.started == ["look_up"]
        assert again["data"] == first["data"]
        assert again["meta"] == {**first["meta"], "replayed": True, "originalTurn": 1}


@pytest.mark.rule("duplicate")
@pytest.mark.parametrize("unstable", [None, "", "short_id", "temp_0123456789", "call_temp_00001"])
async def test_without_a_stable_id_the_key_is_a_hash_of_tool_arguments_and_turn(
    unstable: str | None,
) -> None:
    async with house() as h:
        session = h.session()
        keys = []
        for args in ({"text": "a"}, {"text": "b"}):
            await answer(session, "compute", args, id=unstable)
        session.end_turn()
        await answer(session, "compute", {"text": "a"}, id=unstable)
        keys = [line["idempotencyKey"] for line in await h.told()]
        assert all(key.startswith("hash:") and len(key) == 5 + 16 for key in keys)
        assert len(set(keys)) == 3  # other arguments and another turn are other calls
        assert len(h.work.started) == 3


async def test_the_hash_does_not_depend_on_the_order_of_arguments() -> None:
    async with house() as h:
        session = h.session()
        await answer(session, "look_up", {"query": "a", "top_k": 1}, id=None)
        again = await answer(session, "look_up", {"top_k": 1, "query": "a"}, id=None)
        assert again["meta"]["replayed"] is True


@pytest.mark.rule("duplicate")
async def test_a_write_under_a_new_id_does_not_run_twice_in_one_turn_but_a_read_does() -> None:
    async with house() as h:
        session = h.session()
        for tool in ("save_note", "compute"):
            envelopes = [await answer(session, tool, {"text": "a"}) for _ in range(2)]
            assert [e["meta"].get("replayed", False) for e in envelopes] == [
                False,
                tool == "save_note",
            ]
        assert h.work.count("save_note") == 1
        session.end_turn()
        assert (await answer(session, "save_note", {"text": "a"}))["data"]["effect"] == 2


@pytest.mark.rule("registry.version")
@pytest.mark.parametrize("mode", ["development", "production"])
async def test_a_reload_is_fatal_in_development_and_harmless_in_production(
    mode: str, tmp_path: Path
) -> None:
    write_tool(tmp_path / "tools", "changing", **PURE)
    registry = built(tmp_path / "tools")
    async with house(registry, mode=mode) as h:
        session = h.session("voice")
        write_tool(tmp_path / "tools", "changing", version="9.0.0", **PURE)
        built(tmp_path / "tools")
        registry.reload()
        envelope = await answer(session, "changing")
        assert kind(envelope) == ("UNAVAILABLE" if mode == "development" else "ok")
        assert envelope["meta"]["registryVersion"] == session.snapshot.version


@pytest.mark.rule("budget.retrieval")
@pytest.mark.rule("budget.calls")
async def test_the_third_retrieval_and_the_fourth_call_of_a_voice_turn_are_over_budget() -> None:
    async with house() as h:
        session = h.session("voice")
        kinds = [kind(await answer(session, "look_up", {"query": q})) for q in "abc"]
        assert kinds == ["ok", "ok", "BUDGET_EXCEEDED"]
        kinds = [kind(await answer(session, "compute", {"text": t})) for t in "ab"]
        assert kinds == ["ok", "BUDGET_EXCEEDED"]
        assert len(h.work.started) == 3


# -- finished, running, conflicting ------------------------------------------------------------


@pytest.mark.rule("duplicate")
@pytest.mark.parametrize("tool", ["compute", "save_note"])
@pytest.mark.parametrize("options", [{"id": "call_0123456789"}, {"id": None, "client_key": "k"}])
async def test_the_same_key_with_other_arguments_is_a_conflict(
    tool: str, options: dict[str, Any]
) -> None:
    async with house() as h:
        session = h.session()
        await answer(session, tool, {"text": "a"}, **options)
        assert kind(await answer(session, tool, {"text": "b"}, **options)) == "CONFLICT"
        assert kind(await answer(session, "plain", {"text": "a"}, **options)) == "CONFLICT"
        replayed = await answer(session, tool, {"text": "a"}, **options)
        assert replayed["meta"]["replayed"] is True
        assert h.work.started == [tool]


async def test_a_clients_key_says_what_is_the_same_call_in_any_turn() -> None:
    async with house() as h:
        session = h.session()
        first = await answer(session, "save_note", {"text": "a"}, client_key="one")
        session.end_turn()
        again = await answer(session, "save_note", {"text": "a"}, client_key="one")
        assert again["meta"] == {**first["meta"], "replayed": True, "originalTurn": 1}
        other = await answer(session, "save_note", {"text": "a"}, client_key="two")
        assert other["data"]["effect"] == 2
        elsewhere = await answer(h.session(), "save_note", {"text": "a"}, client_key="one")
        assert elsewhere["data"]["effect"] == 3


async def test_handlers_get_a_key_that_no_call_of_any_other_session_has() -> None:
    async with house() as h:
        for name in ("s", "t"):
            await answer(h.session(id=name), "save_note", {"text": "a"}, client_key="one")
        assert h.work.keys == ["s/client:one", "t/client:one"]


@pytest.mark.rule("duplicate")
@pytest.mark.parametrize("tool", ["save_note", "compute", "read_detach"])
async def test_two_identical_calls_at_the_same_time_run_once_and_both_get_the_answer(
    tool: str,
) -> None:
    async with house() as h:
        h.work.does(tool, waiting(0.3, h.work, tool))
        session = h.session()
        made = call(tool, {"text": "a"})
        first, second = await asyncio.gather(session.dispatch(made), session.dispatch(made))
        assert valid(first)["data"] == valid(second)["data"] == {"effect": 1}
        assert "replayed" not in first["meta"]
        assert second["meta"]["replayed"] is True
        assert h.work.started == [tool]


@pytest.mark.rule("duplicate")
@pytest.mark.parametrize("tool", ["save_note", "compute"])
async def test_a_duplicate_waits_no_longer_than_the_latency_budget(tool: str) -> None:
    async with house() as h:
        h.work.does(tool, waiting(2, h.work, tool))
        session = h.session()
        made = call(tool, {"text": "a"})
        task = asyncio.create_task(session.dispatch(made))
        await settle()
        second = valid(await session.dispatch(made))
        assert (kind(second), second["meta"]["duration"]) == ("IN_PROGRESS", 500)
        assert second["error"]["retryable"] is False
        assert kind(await task) == "ok"
        assert (await session.dispatch(made))["meta"]["replayed"] is True
        assert h.work.count(tool) == 1


async def test_two_writes_at_once_under_different_ids_run_once() -> None:
    async with house() as h:
        h.work.does("save_note", waiting(0.1, h.work))
        session = h.session()
        envelopes = await asyncio.gather(
            *(answer(session, "save_note", {"text": "a"}) for _ in range(2))
        )
        assert [e["data"] for e in envelopes] == [{"effect": 1}] * 2


async def test_intents_are_applied_once_however_often_a_call_is_replayed() -> None:
    async with house() as h:
        message = {"type": "SET_PENDING_MESSAGE", "message": "once"}
        h.work.does("save_note", lambda args, context: ok({}, [message]))
        session = h.session()
        made = call("save_note")
        await session.dispatch(made)
        session.state.set("pending_message", None)
        assert (await session.dispatch(made))["intents"] == [message]
        assert session.state.get("pending_message") is None


# -- what is not stored ------------------------------------------------------------------------


@pytest.mark.rule("arguments")
@pytest.mark.parametrize("tool", ["save_note", "compute"])
async def test_denials_and_validation_errors_are_never_stored(tool: str) -> None:
    async with house() as h:
        session = h.session(id="s")
        assert kind(await answer(session, tool, {"wrong": 1}, id="call_0123456789")) == (
            "VALIDATION"
        )
        await h.orchestrator.block("ada", 10, "rude")
        assert kind(await answer(session, tool, {"text": "a"}, id="call_0123456789")) == (
            "UNAVAILABLE"
        )
        assert await h.store.ledger("s") == []
        h.clock.jump(11)
        envelope = await answer(session, tool, {"text": "a"}, id="call_0123456789")
        assert (kind(envelope), "replayed" in envelope["meta"]) == ("ok", False)


@pytest.mark.parametrize("tool", ["save_note", "compute"])
@pytest.mark.parametrize(
    ("failure", "runs"),
    [
        (fail(ErrorType.TRANSIENT, "busy"), 2),
        (fail(ErrorType.RATE_LIMIT, "busy"), 2),
        (fail(ErrorType.PERMANENT, "never"), 1),
    ],
)
async def test_a_failure_without_side_effects_that_is_retryable_may_be_tried_again(
    tool: str, failure: Any, runs: int
) -> None:
    async with house() as h:
        session = h.session("voice", id="s")
        h.work.does(tool, lambda args, context: failure)
        made = call(tool, {"text": "a"})
        assert not (await session.dispatch(made))["ok"]
        h.work.scripts.clear()
        envelope = valid(await session.dispatch(made))
        assert len(h.work.started) == runs
        assert envelope["ok"] is (runs == 2)
        if tool == "save_note":
            [row] = await h.store.ledger("s")
            assert row.state == "done"


async def test_a_retryable_failure_with_side_effects_is_kept() -> None:
    async with house() as h:
        session = h.session("voice")
        failure = fail(ErrorType.TRANSIENT, "half done", partial_side_effects=True)
        h.work.does("save_note", lambda args, context: failure)
        made = call("save_note", {"text": "a"})
        for _ in range(2):
            assert kind(await session.dispatch(made)) == "TRANSIENT"
        assert h.work.started == ["save_note"]


# -- restarts ----------------------------------------------------------------------------------


@pytest.mark.rule("duplicate")
@pytest.mark.parametrize("id", [None, "call_0123456789"])
async def test_a_finished_write_is_replayed_after_a_restart(store: str, id: str | None) -> None:
    work = Workshop()
    async with house(store=store, work=work) as h:
        first = await answer(await saved(h), "save_note", {"text": "a"}, id=id)
    async with house(store=store, work=work) as h:
        session = await resumed(h)
        again = await answer(session, "save_note", {"text": "a"}, id=id)
        assert again["data"] == first["data"]
        assert again["meta"] == {**first["meta"], "replayed": True, "originalTurn": 1}
        other = await answer(session, "save_note", {"text": "a"})  # a new id, the same turn
        assert other["meta"]["replayed"] is True
        assert work.count("save_note") == 1
        assert (await h.store.verify_audit()).ok


async def test_a_call_that_only_the_store_remembers_is_not_run_again(store: str) -> None:
    """The session is made anew under its id, so nothing of it is in memory."""

    work = Workshop()
    async with house(store=store, work=work) as h:
        await answer(h.session(id="s"), "save_note", {"text": "a"}, id="call_0123456789")
    async with house(store=store, work=work) as h:
        session = h.session(id="s")
        again = await answer(session, "save_note", {"text": "a"}, id="call_0123456789")
        assert again["meta"]["replayed"] is True
        session = h.session(id="s")
        conflict = await answer(session, "save_note", {"text": "b"}, id="call_0123456789")
        assert kind(conflict) == "CONFLICT"
        assert work.count("save_note") == 1


@pytest.mark.rule("known")
async def test_a_write_of_a_tool_that_is_gone_after_the_restart_is_answered(
    store: str, tmp_path: Path
) -> None:
    async with house(store=store) as h:
        await answer(await saved(h), "save_note", {"text": "a"}, id="call_0123456789")
    write_tool(tmp_path / "tools", "another", **PURE)
    async with house(built(tmp_path / "tools"), store=store) as h:
        session = await resumed(h)
        envelope = await answer(session, "save_note", {"text": "a"}, id="call_0123456789")
        assert kind(envelope) == "NOT_FOUND"


CUT_SHORT = ("plain_write", "safe_write", "asking_write")
KILLED = """\
import asyncio, sys
from antiphon import Orchestrator, Registry, ToolCall

registry, store, effects, *tools = sys.argv[1:]


class World:
    async def perform(self, tool_id, args, context):
        with open(effects, "a") as file:
            file.write(tool_id + "\\n")
        print("started", flush=True)
        await asyncio.Event().wait()


async def main():
    loaded, world = Registry.load(registry), {"workspace": World()}
    async with Orchestrator(loaded, store=store, capabilities=world, now=lambda: 1.8e9) as o:
        session = o.session("text", "ada", id="the-session")
        await o.save(session)
        calls = [ToolCall(f"call_{tool}", tool, {"text": "a"}) for tool in tools]
        await asyncio.gather(*map(session.dispatch, calls))


asyncio.run(main())
"""


class Crash:
    """What a process leaves that was killed in the middle of three writes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.answers = folder / "answers.json"
        asking = RECONCILING.replace("{file!r}", repr(str(self.answers)))
        write_tool(folder / "tools", "plain_write", **WRITE)
        write_tool(folder / "tools", "safe_write", **WRITE | {"idempotent": True})
        write_tool(folder / "tools", "asking_write", handler=asking, **WRITE)
        self.registry = built(folder / "tools")
        store, effects = folder / "store.db", folder / "effects"
        artifact = folder / "tool_registry.json"
        command = [sys.executable, "-c", KILLED, artifact, f"sqlite:///{store}", effects]
        with subprocess.Popen([*command, *CUT_SHORT], stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            for _ in CUT_SHORT:
                assert child.stdout.readline() == b"started\n"
            os.kill(child.pid, signal.SIGKILL)
        assert sorted(effects.read_text().split()) == sorted(CUT_SHORT)

    def store(self, folder: Path) -> str:
        """A copy of the store, as the killed process left it."""
        for file in self.folder.glob("store.db*"):
            if file.is_file():
                shutil.copy(file, folder)
        return f"sqlite:///{folder / 'store.db'}"


@pytest.fixture(scope="module")
def crash(tmp_path_factory: pytest.TempPathFactory) -> Crash:
    return Crash(tmp_path_factory.mktemp("crash"))


@pytest.mark.rule("duplicate")
@pytest.mark.parametrize(
    ("tool", "known", "answered", "runs", "events"),
    [
        ("plain_write", False, "OUTCOME_UNKNOWN", 0, ["tool_decision"] * 2),
        ("safe_write", False, "ok", 1, ["tool_execution", "tool_replayed"]),
        ("asking_write", True, "ok", 0, ["tool_reconciled", "tool_replayed"]),
        ("asking_write", False, "OUTCOME_UNKNOWN", 0, ["tool_execution"] * 2),
    ],
)
async def test_a_write_cut_short_by_a_crash_is_unknown_unless_it_can_be_run_again_or_asked(
    crash: Crash,
    tmp_path: Path,
    tool: str,
    known: bool,
    answered: str,
    runs: int,
    events: list[str],
) -> None:
    key = f"the-session/provider:call_{tool}"
    crash.answers.write_text(json.dumps({key: {"happened": True}} if known else {}))
    async with house(crash.registry, store=crash.store(tmp_path)) as h:
        session = await resumed(h)
        made = ToolCall(f"call_{tool}", tool, {"text": "a"})
        for _ in range(2):
            assert kind(valid(await session.dispatch(made))) == answered
        assert h.work.keys == [key] * runs
        assert session.running == {}
        lines = await h.told()
        assert [line["event"] for line in lines[:3]] == ["tool_unknown"] * 3
        assert [line["event"] for line in lines[3:]] == events
        assert (await h.store.verify_audit()).ok


@pytest.mark.rule("duplicate")
async def test_a_tool_that_can_say_later_what_became_of_a_call_is_asked_again(
    crash: Crash, tmp_path: Path
) -> None:
    async with house(crash.registry, store=crash.store(tmp_path)) as h:
        session = await resumed(h)
        made = ToolCall("call_asking_write", "asking_write", {"text": "a"})
        crash.answers.unlink(missing_ok=True)  # asking fails
        assert kind(valid(await session.dispatch(made))) == "OUTCOME_UNKNOWN"
        crash.answers.write_text(json.dumps({"the-session/provider:call_asking_write": {"n": 1}}))
        assert (await session.dispatch(made))["data"] == {"n": 1}
        assert h.work.started == []


@pytest.mark.parametrize(
    ("tool", "answered"), [("plain_write", "OUTCOME_UNKNOWN"), ("safe_write", "ok")]
)
async def test_a_call_cut_short_is_known_also_to_a_session_that_was_not_resumed(
    crash: Crash, tmp_path: Path, tool: str, answered: str
) -> None:
    async with house(crash.registry, store=crash.store(tmp_path)) as h:
        session = h.session(id="the-session")
        made = ToolCall("call_9876543210", tool, {"text": "a"})  # found by its hash
        assert kind(valid(await session.dispatch(made))) == answered
        assert session.running == {}
        assert h.work.keys == ([f"the-session/provider:call_{tool}"] if answered == "ok" else [])


async def test_a_write_that_does_not_end_when_the_server_stops_is_unknown_afterwards(
    store: str,
) -> None:
    async def endless(args: Any, context: Any) -> Any:
        await asyncio.Event().wait()

    work = Workshop()
    work.does("save_note", endless)
    async with house(store=store, work=work) as h:
        session = await saved(h)
        task = asyncio.create_task(answer(session, "save_note", {"text": "a"}, id=None))
        await settle()
        await h.clock.advance(0.1)
    assert kind(await task) in ("OUTCOME_UNKNOWN", "IN_PROGRESS")
    async with house(store=store, work=work) as h:
        envelope = await answer(await resumed(h), "save_note", {"text": "a"}, id=None)
        assert kind(envelope) == "OUTCOME_UNKNOWN"
        assert work.started == ["save_note"]


async def test_a_write_under_way_is_finished_before_the_store_is_closed(store: str) -> None:
    work = Workshop()
    work.does("save_note", waiting(3, work))
    async with house(store=store, work=work) as h:
        session = await saved(h)
        task = asyncio.create_task(answer(session, "save_note", {"text": "a"}, id=None))
        await h.clock.advance(0.1)
    assert kind(await task) == "ok"
    async with house(store=store, work=work) as h:
        again = await answer(await resumed(h), "save_note", {"text": "a"}, id=None)
        assert again["meta"]["replayed"] is True


async def test_the_ledger_forgets_after_a_day(store: str) -> None:
    work = Workshop()
    async with house(store=store, work=work) as h:
        await answer(await saved(h), "save_note", {"text": "a"}, id="call_0123456789")
    async with house(store=store, work=work) as h:
        h.clock.jump(24 * 3600 + 1)
        envelope = await answer(await resumed(h), "save_note", {"text": "a"}, id="call_0123456789")
        assert envelope["data"]["effect"] == 2


async def test_what_a_session_remembers_does_not_grow_with_its_turns() -> None:
    async with house() as h:
        session = h.session()
        for number in range(200):
            await answer(session, "compute", {"text": str(number)})
            await answer(session, "save_note", {"text": str(number)})
            session.end_turn()
        assert len(session.recent) <= 2 * h.orchestrator.policy.history_turns
        assert len(session.history) == h.orchestrator.policy.history_turns
        assert session.by_hash == session.running == {}
        session.view.budget = replace(session.view.budget, total_calls=None)
        for number in range(200):
            await answer(session, "compute", {"text": f"same turn {number}"})
        assert len(session.recent) <= 64
        # A write that memory has lost is still found in the store.
        first = {"text": "0"}
        assert toolbox().tools["save_note"].definition.writes
        rows = await h.store.ledger(session.id)
        made = ToolCall(rows[0].key.removeprefix("provider:"), "save_note", first)
        assert (await session.dispatch(made))["meta"]["originalTurn"] == 1


# -- in another turn -----------------------------------------------------------------------------


@pytest.mark.rule("duplicate")
@pytest.mark.parametrize("how", ["withdrawn", "answered before it was done", "left"])
async def test_a_write_whose_outcome_was_not_told_is_not_run_again_in_the_next_turn(
    how: str,
) -> None:
    async with house() as h:
        h.work.does("save_note", waiting(8, h.work))
        session = h.session("voice")
        made = call("save_note", {"text": "a"})
        task = asyncio.ensure_future(session.dispatch(made))
        await settle(2)
        if how == "withdrawn":
            assert session.cancel(str(made.id))
        elif how == "left":
            task.cancel()
            await settle(2)
        else:
            await h.clock.advance(6)
            assert kind(await task) == "IN_PROGRESS"
        session.end_turn()
        again = await answer(session, "save_note", {"text": "a"})
        assert kind(again) == "IN_PROGRESS"
        await h.clock.advance(10)
        again = await answer(session, "save_note", {"text": "a"})
        assert again["meta"].items() >= {"replayed": True, "originalTurn": 1}.items()
        assert session.drain_late_results() == [], "it was told with that"
        assert h.work.count("save_note") == 1
        h.work.does("save_note", waiting(0, h.work))
        session.end_turn()
        assert (await answer(session, "save_note", {"text": "a"}))["data"]
        assert h.work.count("save_note") == 2, "from then on it is another call"
        await asyncio.gather(task, return_exceptions=True)


async def test_an_id_that_comes_again_in_another_turn_is_another_call(store: str) -> None:
    def ask(text: str) -> ToolCall:
        return ToolCall("call_0000000001", "save_note", {"text": text})

    work = Workshop()
    async with house(store=store, work=work) as h:
        session = await saved(h)
        for text in ("a", "a", "b"):
            envelope = valid(await session.dispatch(session.with_unique_id(ask(text))))
            assert "replayed" not in envelope["meta"]
            again = valid(await session.dispatch(session.with_unique_id(ask(text))))
            assert again["meta"]["replayed"] is True
            session.end_turn()
            await h.orchestrator.save(session)
    async with house(store=store, work=work) as h:
        session = await resumed(h)
        assert kind(await session.dispatch(session.with_unique_id(ask("a")))) == "ok"
        assert work.count("save_note") == 4
