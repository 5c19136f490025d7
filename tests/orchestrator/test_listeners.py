"""Listeners: any number of subscribers, each with a handle of its own."""

from __future__ import annotations

from typing import Any

import pytest
from tests.orchestrator.helpers import answer, house, kind, settle

from antiphon import ToolCall, ok
from antiphon.contracts import Envelope
from antiphon.policy import Verdict

pytestmark = pytest.mark.virtual_time(patience=0.0)


async def test_several_may_listen_to_decisions_and_each_unsubscribes_for_itself() -> None:
    async with house() as h:
        session = h.session()
        first: list[str] = []
        second: list[str] = []

        def note(call: ToolCall, verdict: Verdict) -> None:
            first.append(f"{call.name} {verdict.outcome}")

        def also(call: ToolCall, verdict: Verdict) -> None:
            second.append(f"{call.name} {verdict.outcome}")

        forget_first = session.decision_listeners.subscribe(note)
        forget_second = session.decision_listeners.subscribe(also)
        assert kind(await answer(session, "compute")) == "ok"
        forget_first()
        forget_first()  # does nothing the second time
        assert kind(await answer(session, "no_such_tool")) == "NOT_FOUND"
        forget_second()
        assert kind(await answer(session, "compute", {"text": "b"})) == "ok"
        assert first == ["compute run"]
        assert second == ["compute run", "no_such_tool refuse"]


async def test_a_listener_that_raises_keeps_neither_the_call_nor_the_others_from_going_on() -> None:
    async with house() as h:
        session = h.session()
        heard: list[str] = []

        def fails(call: ToolCall, verdict: Verdict) -> None:
            raise RuntimeError("a listener's own fault")

        session.decision_listeners.subscribe(fails)
        session.decision_listeners.subscribe(lambda call, _: heard.append(call.name))
        assert kind(await answer(session, "compute")) == "ok"
        assert heard == ["compute"]


async def test_one_function_may_subscribe_twice_and_is_told_twice() -> None:
    async with house() as h:
        session = h.session()
        late: list[str] = []

        def note(call: ToolCall, envelope: Envelope) -> None:
            late.append(call.name)

        forget = session.late_listeners.subscribe(note)
        session.late_listeners.subscribe(note)
        session.queue_late_result(ToolCall("call-one-two", "compute", {}), {"ok": True})
        forget()
        session.queue_late_result(ToolCall("call-one-three", "save_note", {}), {"ok": True})
        assert late == ["compute", "compute", "save_note"]


async def test_a_listener_may_unsubscribe_while_it_is_told() -> None:
    async with house() as h:
        seen: list[Any] = []

        def script(args: dict[str, Any], context: Any) -> Any:
            context.progress("one")
            context.progress("two")
            return ok({})

        h.work.does("compute", script)
        session = h.session()

        def once(_session: Any, event: dict[str, Any]) -> None:
            seen.append(("once", event["message"]))
            forget()

        forget = h.orchestrator.progress_listeners.subscribe(once)
        h.orchestrator.progress_listeners.subscribe(
            lambda _, event: seen.append(("always", event["message"]))
        )
        assert kind(await answer(session, "compute")) == "ok"
        await settle()
        assert seen == [("once", "one"), ("always", "one"), ("always", "two")]
