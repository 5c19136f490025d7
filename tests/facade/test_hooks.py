"""Functions of a program before and after a call and at the end of a turn."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest
from tests.facade.helpers import Replies, calls, says

from antiphon import Antiphon, ToolCall, tool
from antiphon.contracts import Envelope
from antiphon.orchestrator.context import SessionView

pytestmark = pytest.mark.real_time

RAN: list[str] = []


@pytest.fixture(autouse=True)
def _nothing_ran() -> None:
    RAN.clear()


@tool(side_effects="read_only", origin="trusted", outside=False)
async def look(city: str = "Oslo") -> str:
    """Look at a city."""
    RAN.append(city)
    return city


@tool
async def book(city: str) -> str:
    """Book a trip to a city."""
    RAN.append(city)
    return f"Booked: {city}."


def not_rome(call: ToolCall, session: SessionView) -> str | None:
    assert session.data == {"tenant": "acme"}
    assert isinstance(call.args, dict)
    return "Rome is closed." if call.args["city"] == "Rome" else None


async def not_rome_later(call: ToolCall, session: SessionView) -> str | None:
    await asyncio.sleep(0)
    return not_rome(call, session)


@pytest.mark.rule("before_call")
@pytest.mark.parametrize("hook", [not_rome, not_rome_later])
async def test_before_a_call_the_program_refuses_in_words_and_the_audit_names_it(hook: Any) -> None:
    model = Replies(calls(("look", {"city": "Rome"}), ("look", {})), says("Rome is closed."))
    async with Antiphon(tools=[look], model=model, before_call=hook) as app:
        result = await app.run("Look", data={"tenant": "acme"})
        refused, ran = result.calls
        assert (refused.ok, refused.outcome, refused.rule) == (False, "refuse", "before_call")
        assert refused.error is not None
        assert refused.error["message"] == "Rome is closed."
        assert ran.ok
        assert RAN == ["Oslo"]
        store = (await app.session()).orchestrator.store
        await store.flush()
        lines = [line.data for line in await store.audit_lines(session_id=result.session_id)]
        assert ("look", "before_call", False) in [
            (line.get("toolId"), line.get("rule"), line.get("ok")) for line in lines
        ]


@pytest.mark.rule("before_call")
@pytest.mark.parametrize("wrong", ["raises", "true"])
async def test_a_check_that_fails_refuses(wrong: str, caplog: pytest.LogCaptureFixture) -> None:
    def before_call(call: ToolCall, session: SessionView) -> Any:
        if wrong == "raises":
            raise LookupError("the directory is gone")
        return True

    with caplog.at_level(logging.ERROR, "antiphon"):
        async with Antiphon(tools=[look], model=Replies(), before_call=before_call) as app:
            refused = await app.call("look")
    assert (refused.rule, refused.ok, RAN) == ("before_call", False, [])
    assert "before_call" in caplog.text


@pytest.mark.rule("before_call")
async def test_the_check_is_asked_only_about_calls_that_run() -> None:
    asked: list[str] = []

    def before_call(call: ToolCall, session: SessionView) -> None:
        asked.append(call.name)

    app = Antiphon(
        tools=[look, book], model=Replies(), before_call=before_call, on_confirm=lambda _: True
    )
    async with app:
        assert not (await app.call("look", {"town": "Oslo"})).ok
        assert not (await app.call("nothing")).ok
        session = await app.session()
        await app.call("look", key="one", session=session)
        await app.call("look", key="one", session=session)
        assert asked == ["look"]
        assert (await app.call("book", {"city": "Oslo"})).ok
        assert asked == ["look", "book"]


@pytest.mark.rule("before_call")
async def test_two_of_the_same_call_at_once_run_once() -> None:
    going = asyncio.Event()

    async def before_call(call: ToolCall, session: SessionView) -> None:
        await going.wait()

    async with Antiphon(tools=[look], model=Replies(), before_call=before_call) as app:
        session = await app.session()
        both = [asyncio.create_task(app.call("look", session=session, key="one")) for _ in range(2)]
        await asyncio.sleep(0)
        going.set()
        first, second = await asyncio.gather(*both)
        assert first.ok
        assert second.ok
        assert RAN == ["Oslo"]


@pytest.mark.rule("before_call")
async def test_a_call_that_is_taken_back_meanwhile_does_not_run() -> None:
    asked, going = asyncio.Event(), asyncio.Event()

    async def before_call(call: ToolCall, session: SessionView) -> None:
        asked.set()
        await going.wait()

    async with Antiphon(tools=[look], model=Replies(), before_call=before_call) as app:
        session = await app.session()
        call = asyncio.ensure_future(session.dispatch(ToolCall("one", "look", {})))
        await asked.wait()
        assert session.cancel("one")
        assert not session.cancel("two")
        going.set()
        envelope = await call
        assert (envelope["ok"], RAN) == (False, [])
        assert "taken back" in envelope["error"]["message"]


@pytest.mark.rule("before_call")
@pytest.mark.virtual_time
async def test_a_check_that_never_ends_refuses(caplog: pytest.LogCaptureFixture) -> None:
    async def before_call(call: ToolCall, session: SessionView) -> None:
        await asyncio.Event().wait()

    with caplog.at_level(logging.ERROR, "antiphon"):
        async with Antiphon(tools=[look], model=Replies(), before_call=before_call) as app:
            refused = await app.call("look")
    assert (refused.rule, refused.ok, RAN) == ("before_call", False, [])


@pytest.mark.parametrize("form", ["sync", "async"])
async def test_after_a_call_and_a_turn_the_program_is_told(form: str) -> None:
    told: list[Any] = []

    def after_call(call: ToolCall, envelope: Envelope, session: SessionView) -> None:
        told.append((call.name, call.args, envelope["data"]["result"], session.user))
        envelope["data"] = "changed"

    def on_turn_end(session: SessionView, turn: int) -> None:
        told.append((session.id, turn))

    async def after_call_later(call: ToolCall, envelope: Envelope, session: SessionView) -> None:
        after_call(call, envelope, session)

    async def on_turn_end_later(session: SessionView, turn: int) -> None:
        on_turn_end(session, turn)

    model = Replies(calls(("look", {})), says("Oslo."), says("Bye."))
    app = Antiphon(
        tools=[look],
        model=model,
        after_call=after_call if form == "sync" else after_call_later,
        on_turn_end=on_turn_end if form == "sync" else on_turn_end_later,
    )
    async with app:
        result = await app.run("Look", user="ada")
        assert result.calls[0].data == {"result": "Oslo"}
        assert told == [("look", {"city": "Oslo"}, "Oslo", "ada"), (result.session_id, 1)]
        await app.run("Bye", user="ada", session=result.session_id)
        assert told[-1] == (result.session_id, 2)


@pytest.mark.parametrize("form", ["sync", "async"])
async def test_a_hook_that_fails_afterwards_changes_nothing(
    form: str, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*args: Any) -> None:
        raise LookupError("the directory is gone")

    async def fails_later(*args: Any) -> None:
        fails()

    hook = fails if form == "sync" else fails_later
    with caplog.at_level(logging.ERROR, "antiphon"):
        async with Antiphon(
            tools=[look], model=Replies(), after_call=hook, on_turn_end=hook
        ) as app:
            assert (await app.call("look")).ok
    assert "after_call failed" in caplog.text
    assert "on_turn_end failed" in caplog.text
