"""Anything, in any order: calls, duplicates, answers, interruptions, clocks, restarts.

What must hold whatever happens: a write has one effect, a call one answer, nothing runs that needs
a yes and has none, no turn costs more than its budget, and the audit chain is whole.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.orchestrator.helpers import (
    HeldStore,
    House,
    Workshop,
    house,
    kind,
    valid,
)

from antiphon import ErrorType, ToolCall, fail, ok
from antiphon.contracts import Envelope
from antiphon.orchestrator.session import Session
from antiphon.testing import VirtualTimeLoop

T = TypeVar("T")

SESSIONS = {"typed": "text", "spoken": "voice"}
READS = ("compute", "look_up", "read_detach", "read_finish")
WRITES = ("save_note", "write_cancel", "write_detach")
CONFIRMED = ("send_mail", "dim_lights")
CODES = [
    f"{delay}|{ending}"
    for delay in (0.0, 0.2, 30.0)
    for ending in ("ok", "ok", "empty", "busy", "raise")
]


@cache
def empty_store() -> bytes:
    """A store that has its tables: copying it is quicker than making it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.db"

        async def make() -> None:
            await HeldStore.open(f"sqlite:///{path}").close()

        asyncio.run(make())
        return path.read_bytes()


def arguments(tool: str, code: str, number: int) -> dict[str, Any]:
    text = f"{code}|{number}"
    if tool == "look_up":
        return {"query": text}
    if tool == "send_mail":
        return {"to": ["ada"], "subject": text}
    return {"text": text}


class World(Workshop):
    """Handlers do what their arguments say, and every effect is known by session and key."""

    def __init__(self) -> None:
        super().__init__()
        self.by_key: Counter[tuple[str, str]] = Counter()
        self.by_call: Counter[tuple[str, str, str]] = Counter()

    async def perform(self, tool_id: str, args: dict[str, Any], context: Any) -> Any:
        text = args.get("text") or args.get("query") or args["subject"]
        delay, ending, _ = text.split("|")
        session = context.session.id
        if float(delay):
            await asyncio.sleep(float(delay) / 2)
        if ending == "busy":
            return fail(ErrorType.TRANSIENT, "Nothing has happened.")
        if tool_id in WRITES + CONFIRMED:
            self.by_key[session, context.idempotency_key] += 1
            self.by_call[session, tool_id, json.dumps(args, sort_keys=True)] += 1
        if float(delay):
            await asyncio.sleep(float(delay) / 2)
        if ending == "raise":
            raise RuntimeError("after the effect")
        return ok({"results": []} if ending == "empty" else {"results": [text]})


class Calls(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.loop = VirtualTimeLoop(patience=0.0)
        self.loop.deadline = time.monotonic() + 60
        self.folder = tempfile.mkdtemp(prefix="antiphon-machine-")
        path = Path(self.folder) / "store.db"
        path.write_bytes(empty_store())
        self.store = f"sqlite:///{path}"
        self.world = World()
        self.opened = AsyncExitStack()
        self.sessions: dict[str, Session] = {}
        self.made: list[tuple[str, ToolCall]] = []
        self.tasks: list[asyncio.Task[Envelope]] = []
        self.requests: list[tuple[str, dict[str, Any]]] = []
        self.approvals: Counter[tuple[str, str, str]] = Counter()
        self.turns: defaultdict[tuple[str, str, str], set[int]] = defaultdict(set)
        self.lives: Counter[tuple[str, int]] = Counter()
        self.late: list[tuple[ToolCall, Envelope]] = []
        self.number = 0

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(work)

    # -- life ----------------------------------------------------------------------------------

    @initialize()
    def start(self) -> None:
        self.run(self._start())

    async def _start(self) -> None:
        self.opened = AsyncExitStack()
        self.house: House = await self.opened.enter_async_context(
            house(store=self.store, work=self.world)
        )
        for name, mode in SESSIONS.items():
            session = await self.house.orchestrator.resume(name)
            if session is None:
                session = self.house.session(mode, id=name)
                await self.house.orchestrator.save(session)
            self.sessions[name] = session
            self.lives[name, session.view.turn.number] += 1

    async def _stop(self) -> None:
        for session in self.sessions.values():
            await self.house.orchestrator.save(session)
        await self.opened.aclose()
        await self.house.clock.advance(0)
        self._collect()
        self.requests.clear()

    def _collect(self) -> None:
        """What the model and the person were told meanwhile."""
        for sid, session in self.sessions.items():
            self.late += session.drain_late_results()
            for message in session.drain_messages():
                if message["type"] == "confirmation_required":
                    self.requests.append((sid, message))

    @rule()
    def restart(self) -> None:
        """Writes that do not end in time are cut short, as they are when a server is stopped."""

        async def work() -> None:
            await self._stop()
            for task in self.tasks:
                if not task.done():  # a read whose caller lost its connection
                    task.cancel()
            await asyncio.gather(*self.tasks, return_exceptions=True)
            await self._start()
            for sid, session in self.sessions.items():
                for request in self.house.orchestrator.confirmations.waiting(session):
                    self.requests.append((sid, request))

        self.run(work())

    # -- calls ---------------------------------------------------------------------------------

    @rule(
        sid=st.sampled_from(list(SESSIONS)),
        tool=st.sampled_from(READS + WRITES * 2 + CONFIRMED * 2),
        code=st.sampled_from(CODES),
        named=st.booleans(),
    )
    def call(self, sid: str, tool: str, code: str, named: bool) -> None:
        self.number += 1
        name = f"call_{self.number:08d}" if named else None
        self._dispatch(sid, ToolCall(name, tool, arguments(tool, code, self.number)))

    @precondition(lambda self: self.made)
    @rule(data=st.data(), how=st.sampled_from(["same id", "new id", "no id", "other session"]))
    def duplicate(self, data: st.DataObject, how: str) -> None:
        sid, made = data.draw(st.sampled_from(self.made))
        if how == "other session":
            sid = next(other for other in SESSIONS if other != sid)
        if how in ("new id", "no id"):
            self.number += 1
            name = None if how == "no id" else f"call_{self.number:08d}"
            made = ToolCall(name, made.name, made.args)
        self._dispatch(sid, made)

    def _dispatch(self, sid: str, made: ToolCall) -> None:
        session = self.sessions[sid]
        self.made.append((sid, made))
        mark = (sid, made.name, json.dumps(made.args, sort_keys=True))
        self.turns[mark].add(session.view.turn.number)

        async def work() -> None:
            self.tasks.append(asyncio.create_task(_one_answer(session, made)))
            await self.house.clock.advance(0)
            self._collect()

        self.run(work())

    # -- the person ----------------------------------------------------------------------------

    @precondition(lambda self: self.requests)
    @rule(data=st.data(), what=st.sampled_from(["yes", "yes", "no", "bad token", "spoken"]))
    def answer(self, data: st.DataObject, what: str) -> None:
        sid, request = data.draw(st.sampled_from(self.requests))
        session = self.sessions[sid]
        confirmations = self.house.orchestrator.confirmations

        async def work() -> Envelope | None:
            if what == "spoken":
                confirmations.mark_prompted(session, request["id"])
                return await session.confirm_spoken("yes")
            token = request["token"][:-3] + "abc" if what == "bad token" else request["token"]
            return await session.confirm(request["id"], token, what != "no")

        async def approve() -> None:
            row = await self.house.store.confirmation(request["id"])
            assert row is not None
            # What was frozen is gone from the store once it is answered.
            frozen = {}
            for waiting in confirmations.waiting(session):
                kept = await self.house.store.confirmation(waiting["id"])
                assert kept is not None
                frozen[waiting["id"]] = json.dumps(json.loads(kept.args), sort_keys=True)
            envelope = await work()
            if envelope is not None:
                valid(envelope)
            for asked, args in frozen.items():
                resolved = await self.house.store.confirmation(asked)
                assert resolved is not None
                if resolved.status == "approved":
                    self.approvals[sid, resolved.tool_id, args] += 1
            assert what != "bad token" or kind(envelope) != "ok"  # type: ignore[arg-type]
            self._collect()

        self.run(approve())

    @rule(sid=st.sampled_from(list(SESSIONS)))
    def interrupt(self, sid: str) -> None:
        async def work() -> None:
            self.sessions[sid].interrupt()
            await self.house.clock.advance(0)
            self._collect()

        self.run(work())

    @precondition(lambda self: self.made)
    @rule(data=st.data())
    def withdraw(self, data: st.DataObject) -> None:
        sid, made = data.draw(st.sampled_from(self.made))

        async def work() -> None:
            if made.id is not None:
                self.sessions[sid].cancel(made.id)
            await self.house.clock.advance(0)

        self.run(work())

    # -- time ----------------------------------------------------------------------------------

    @rule(sid=st.sampled_from(list(SESSIONS)))
    def end_turn(self, sid: str) -> None:
        session = self.sessions[sid]
        session.end_turn()
        self.lives[sid, session.view.turn.number] += 1

    @rule(seconds=st.sampled_from([0.1, 1.0, 20.0, 400.0]))
    def advance(self, seconds: float) -> None:
        async def work() -> None:
            await self.house.clock.advance(seconds)
            await self.house.clock.advance(0)
            self._collect()

        self.run(work())

    @rule(seconds=st.sampled_from([-500.0, -1.0, 1.0, 250.0]))
    def jump(self, seconds: float) -> None:
        async def work() -> None:
            self.house.clock.jump(seconds)

        self.run(work())

    # -- what must hold ------------------------------------------------------------------------

    @invariant()
    def one_effect_for_each_key(self) -> None:
        assert all(count == 1 for count in self.world.by_key.values())

    @invariant()
    def one_effect_for_each_call_of_a_turn(self) -> None:
        for mark, count in self.world.by_call.items():
            if mark[1] in WRITES:
                assert count <= len(self.turns[mark]), mark

    @invariant()
    def nothing_runs_unconfirmed(self) -> None:
        for mark, count in self.world.by_call.items():
            if mark[1] in CONFIRMED:
                assert count <= self.approvals[mark], mark

    @invariant()
    def late_results_are_given_once(self) -> None:
        given = Counter(id(envelope) for _, envelope in self.late)
        assert all(count == 1 for count in given.values())

    def teardown(self) -> None:
        try:
            if hasattr(self, "house"):
                self.run(self._finish())
        finally:
            self.run(self.loop.shutdown_default_executor())
            self.loop.close()
            shutil.rmtree(self.folder)

    async def _finish(self) -> None:
        await self.house.clock.advance(700)
        await self.house.clock.advance(0)
        answers = await asyncio.gather(*self.tasks, return_exceptions=True)
        for answer in answers:
            if not isinstance(answer, asyncio.CancelledError):
                assert not isinstance(answer, BaseException), answer
        assert all(session.running == {} for session in self.sessions.values())
        lines = await self.house.told(limit=100_000)
        report = await self.house.store.verify_audit()
        assert (report.ok, report.count) == (True, len(lines))
        self._check_budgets(lines)
        await self._stop()
        self.one_effect_for_each_key()
        self.one_effect_for_each_call_of_a_turn()
        self.nothing_runs_unconfirmed()
        self.late_results_are_given_once()

    def _check_budgets(self, lines: list[dict[str, Any]]) -> None:
        """What ran because the model asked for it, by session and turn, as the audit tells it."""
        ran: Counter[tuple[str, int]] = Counter()
        searched: Counter[tuple[str, int]] = Counter()
        for line in lines:
            if line["event"] != "tool_execution" or line["source"] != "agent":
                continue
            turn = line["sessionId"], line["turnId"]
            ran[turn] += 1
            searched[turn] += line["category"] == "retrieval"
        for turn, count in ran.items():
            lives = self.lives[turn]  # a restart in the middle of a turn begins its budget anew
            if SESSIONS[turn[0]] == "voice":
                assert count <= 3 * lives, turn
            assert searched[turn] <= (2 if SESSIONS[turn[0]] == "voice" else 5) * lives, turn


async def _one_answer(session: Session, made: ToolCall) -> Envelope:
    return valid(await session.dispatch(made))


Calls.TestCase.settings = settings(
    max_examples=20,
    stateful_step_count=25,
    deadline=None,
    # Making a failure smaller takes minutes with a real store; the steps are few as they are.
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
TestCalls = Calls.TestCase
