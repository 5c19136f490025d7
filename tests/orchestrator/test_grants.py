"""A yes that holds: for a session or for always, until it is taken back or the tool changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.orchestrator.helpers import (
    ASKED,
    House,
    answer,
    built,
    house,
    kind,
    play,
    valid,
    write_tool,
)

from antiphon.orchestrator.session import Session

pytestmark = pytest.mark.virtual_time(patience=0.0)


async def allow(
    session: Session, tool: str, remember: Any, args: Any = None, approve: bool = True
) -> str:
    """Call, and answer the question; what came of the answer."""
    assert kind(await answer(session, tool, args or {"text": "a"})) == "CONFIRMATION_REQUIRED"
    [request] = [m for m in session.drain_messages() if m["type"] == "confirmation_required"]
    answered = await session.confirm(request["id"], request["token"], approve, remember)
    return kind(valid(answered))


async def needs_a_yes(session: Session, tool: str = "dim_lights") -> bool:
    session.end_turn()
    told = kind(await answer(session, tool, {"text": f"turn {session.view.turn.number}"}))
    assert told in ("ok", "CONFIRMATION_REQUIRED")
    return told != "ok"


@pytest.mark.rule("approval")
async def test_a_yes_for_the_session_holds_in_that_session_for_that_tool_and_user() -> None:
    async with house() as h:
        session, other = h.session(id="s"), h.session(id="t")
        assert await allow(session, "dim_lights", "session") == "ok"
        assert not await needs_a_yes(session)
        assert await needs_a_yes(other)
        assert await needs_a_yes(h.session(user="bob"))
        envelope = await answer(session, "send_mail", {"to": ["ada@example.org"]})
        assert kind(envelope) == "CONFIRMATION_REQUIRED"
        [given] = await h.told(event="approval_given")
        assert (given["toolId"], given["details"]["scope"]) == ("dim_lights", "session")
        rules = [line["rule"] for line in await h.told(event="tool_execution")]
        assert rules == ["run", "approval"]
        assert [row.session_id for row in h.orchestrator.grants.of_user("ada")] == ["s"]


@pytest.mark.rule("approval")
async def test_a_yes_for_always_holds_in_every_session_and_after_a_restart(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'store.db'}"
    async with house(store=store) as h:
        early = h.session()
        assert await allow(h.session(), "dim_lights", "always") == "ok"
        assert not await needs_a_yes(early)
        assert not await needs_a_yes(h.session())
    async with house(store=store) as h:
        assert not await needs_a_yes(h.session())
        assert await needs_a_yes(h.session(user="bob"))


async def test_a_yes_for_the_session_survives_a_restart_but_not_the_end_of_it(
    tmp_path: Path,
) -> None:
    store = f"sqlite:///{tmp_path / 'store.db'}"
    async with house(store=store) as h:
        session = h.session(id="s")
        assert await allow(session, "burn_note", "session") == "ok"
        await h.orchestrator.save(session)
    async with house(store=store) as h:
        session = await h.orchestrator.resume("s")  # type: ignore[assignment]
        assert kind(await answer(session, "burn_note", {"text": "b"})) == "ok"
        await session.end("over")
        assert await h.store.grants() == []


async def test_taken_back_the_person_is_asked_again_at_once() -> None:
    async with house() as h:
        session = h.session()
        await allow(session, "dim_lights", "always")
        [row] = h.orchestrator.grants.of_user("ada")
        assert await h.orchestrator.grants.revoke(row.id) == row
        assert await needs_a_yes(session)
        assert await h.orchestrator.grants.revoke(row.id) is None
        assert await h.store.grants() == []
        [line] = await h.told(event="approval_taken_back")
        assert line["toolId"] == "dim_lights"


@pytest.mark.parametrize(
    ("tool", "remember", "approve", "user"),
    [
        ("send_mail", "always", True, "ada"),  # of high risk
        ("send_mail", "session", True, "ada"),
        ("burn_note", "always", True, "ada"),  # writes anew with every call
        ("dim_lights", "always", True, None),  # nobody in particular
        ("dim_lights", "session", False, "ada"),
    ],
)
async def test_what_may_not_be_remembered_is_refused_and_can_still_be_answered(
    tool: str, remember: Any, approve: bool, user: str | None
) -> None:
    async with house() as h:
        session = h.orchestrator.session("text", user)
        args = {"to": ["ada@example.org"]} if tool == "send_mail" else {"text": "a"}
        assert await allow(session, tool, remember, args, approve) == "VALIDATION"
        assert h.orchestrator.grants.of_user() == []
        [request] = h.orchestrator.confirmations.waiting(session)
        assert remember not in request["remember"] or not approve
        answered = await session.confirm(request["id"], request["token"], True)
        assert kind(valid(answered)) == "ok"
        assert await needs_a_yes(session) if tool == "dim_lights" else True


def test_a_tool_that_has_changed_is_asked_for_anew(tmp_path: Path) -> None:
    folder = tmp_path / "tools"
    lights = {**ASKED, "risk": "low", "idempotent": True}
    write_tool(folder, "dim_lights", **lights)
    registry = built(folder)
    store = f"sqlite:///{tmp_path / 'store.db'}"

    async def before() -> None:
        async with house(registry, store=store) as h:
            await allow(h.session(), "dim_lights", "always")
            assert not await needs_a_yes(h.session())

    async def after(h: House) -> bool:
        return await needs_a_yes(h.session())

    async def main() -> None:
        async with house(built(folder), store=store) as h:
            assert await after(h)

    play(before())
    write_tool(folder, "dim_lights", **{**lights, "description": "Dims all lights at once."})
    play(main())
