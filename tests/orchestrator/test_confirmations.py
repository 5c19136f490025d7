"""Asking a person: nothing runs that they have not approved, and everything they say is heard."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from tests.orchestrator.helpers import (
    ASKED,
    MAIL,
    answer,
    built,
    call,
    house,
    kind,
    settle,
    valid,
    write_tool,
)

from antiphon import Policy, ok
from antiphon.contracts import Envelope
from antiphon.orchestrator.session import Session

pytestmark = pytest.mark.virtual_time(patience=0.0)

TO_ADA = {"to": ["ada@example.org"]}


async def ask(session: Session, tool: str = "send_mail", args: Any = None) -> dict[str, Any]:
    """Make a call that needs a yes; what the person's own channel gets."""
    envelope = await answer(session, tool, TO_ADA if args is None else args)
    assert kind(envelope) == "CONFIRMATION_REQUIRED"
    [request] = [m for m in session.drain_messages() if m["type"] == "confirmation_required"]
    return request


async def say(session: Session, request: dict[str, Any], approve: bool = True) -> Envelope:
    return valid(await session.confirm(request["id"], request["token"], approve))


# -- asking ------------------------------------------------------------------------------------


@pytest.mark.rule("confirmation")
async def test_the_model_learns_what_is_asked_and_nothing_it_could_approve_with() -> None:
    async with house() as h:
        session = h.session(id="s")
        envelope = await answer(session, "send_mail", TO_ADA)
        [message] = session.drain_messages()
        error = envelope["error"]
        assert (error["retryable"], error["partialSideEffects"]) == (False, False)
        assert error["confirmation_request"] == {
            "id": message["id"],
            "tool": "send_mail",
            "title": message["title"],
            "preview": message["preview"],
            "expires_at": h.clock.now() + 300,
        }
        assert message["token"] not in json.dumps(envelope)
        assert "ada@example.org" in message["preview"]
        assert message["type"] == "confirmation_required"
        assert (message["risk"], message["session_id"]) == ("high", "s")
        assert h.work.started == []
        [line] = await h.told(event="tool_decision")
        assert (line["decision"], line["rule"]) == ("confirm", "confirmation")
        assert message["token"] not in json.dumps(line)
        [row] = await h.store.confirmations(session_id="s")
        assert (row.status, json.loads(row.args)) == (
            "pending",
            {**TO_ADA, "subject": "Hello"},
        )


@pytest.mark.rule("confirmation")
async def test_what_runs_is_what_was_asked_for_whatever_becomes_of_the_callers_object() -> None:
    async with house() as h:
        session = h.session()
        args = {"to": ["ada@example.org"]}
        request = await ask(session, args=args)
        args["to"].append("eve@example.org")
        args["subject"] = "changed"  # type: ignore[assignment]
        assert kind(await say(session, request)) == "ok"
        assert h.work.effects == [("send_mail", {"to": ["ada@example.org"], "subject": "Hello"})]


@pytest.mark.rule("confirmation")
@pytest.mark.parametrize("at_once", [True, False])
async def test_the_same_call_again_does_not_ask_again(at_once: bool) -> None:
    async with house() as h:
        session = h.session()
        made = call("send_mail", TO_ADA)
        calls = [made, made, call("send_mail", TO_ADA)][: 3 if at_once else 2]
        if at_once:
            envelopes = await asyncio.gather(*(session.dispatch(c) for c in calls))
        else:
            envelopes = [await session.dispatch(c) for c in calls]
        found = {e["error"].get("confirmation_request", {}).get("id") for e in envelopes[:2]}
        assert len(found) == 1
        assert len(session.drain_messages()) == 1
        assert len(await h.store.confirmations()) == 1


@pytest.mark.rule("confirmation.token")
async def test_a_token_in_the_arguments_is_refused_even_a_good_one() -> None:
    async with house() as h:
        session = h.session()
        request = await ask(session)
        for name in ("confirmationToken", "confirmation_token"):
            envelope = await answer(session, "send_mail", {**TO_ADA, name: request["token"]})
            assert kind(envelope) == "VALIDATION"
        assert h.work.started == []
        assert kind(await say(session, request)) == "ok"


async def test_a_broken_channel_does_not_break_the_call_and_the_request_stays_open() -> None:
    async def broken(message: dict[str, Any]) -> None:
        raise RuntimeError("gone")

    async with house() as h:
        session = h.session(channel=broken)
        envelope = await answer(session, "send_mail", TO_ADA)
        assert kind(envelope) == "CONFIRMATION_REQUIRED"
        [request] = h.orchestrator.confirmations.waiting(session)
        assert kind(await say(session, request)) == "ok"
        assert len(session.drain_late_results()) == 1


# -- answering ---------------------------------------------------------------------------------


@pytest.mark.rule("confirmation")
@pytest.mark.parametrize("approve", [True, False])
async def test_the_outcome_reaches_the_person_the_model_and_the_audit(approve: bool) -> None:
    sent: list[dict[str, Any]] = []
    heard: list[Any] = []
    async with house() as h:
        session = h.session(channel=sent.append)
        session.late_listeners.subscribe(lambda made, envelope: heard.append((made, envelope)))
        made = call("send_mail", TO_ADA)
        await session.dispatch(made)
        envelope = await say(session, sent[0], approve)
        outcome = "approved" if approve else "denied"
        assert kind(envelope) == ("ok" if approve else "CANCELLED")
        assert sent[1] == {
            "type": "confirmation_resolved",
            "id": sent[0]["id"],
            "tool": "send_mail",
            "outcome": outcome,
            "result": envelope,
            "answered_by": "ada",
        }
        [(late_call, late)] = session.drain_late_results()
        assert (late_call.id, late_call.name, late) == (made.id, "send_mail", envelope)
        assert heard == [(late_call, late)]
        assert session.drain_late_results() == []
        [line] = await h.told(event="confirmation_resolved")
        assert line["details"].items() >= {"outcome": outcome, "via": "channel"}.items()
        [row] = await h.store.confirmations(session_id=session.id)
        assert (row.status, row.answered_by, row.via) == (outcome, "ada", "channel")
        assert h.work.count("send_mail") == int(approve)
        if approve:
            [line] = await h.told(event="tool_execution")
            assert (line["source"], line["idempotencyKey"]) == (
                "confirmation",
                f"provider:{made.id}",
            )
        assert (await h.store.verify_audit()).ok


@pytest.mark.parametrize("first", [True, False])
async def test_a_token_works_once(first: bool) -> None:
    async with house() as h:
        session = h.session()
        request = await ask(session)
        await say(session, request, first)
        for approve in (True, False):
            assert not (await say(session, request, approve))["ok"]
        assert h.work.count("send_mail") == int(first)
        assert len(session.drain_late_results()) == 1


async def test_of_answers_at_the_same_time_one_counts() -> None:
    async with house() as h:
        session = h.session()
        request = await ask(session)
        answers = await asyncio.gather(*(say(session, request) for _ in range(5)))
        assert sorted(map(kind, answers)) == ["CONFLICT"] * 4 + ["ok"]
        assert h.work.count("send_mail") == 1


async def test_a_wrong_token_approves_nothing_and_is_noted() -> None:
    async with house() as h:
        session = h.session()
        request = await ask(session)
        other = await ask(session, args={"to": ["eve@example.org"]})
        spoilt = request["token"][:-2] + ("aa" if request["token"][-2:] != "aa" else "bb")
        for token in ("", "yes", None, 7, spoilt, other["token"]):
            envelope = valid(await session.confirm(request["id"], token, True))  # type: ignore[arg-type]
            assert kind(envelope) == "AUTH"
        assert kind(valid(await session.confirm("nobody", request["token"], True))) == ("NOT_FOUND")
        assert len(await h.lines(event="confirmation_refused")) == 6
        assert h.work.started == []
        assert kind(await say(session, request)) == "ok"


async def test_another_session_of_the_same_or_another_user_cannot_answer() -> None:
    async with house() as h:
        session = h.session(user="ada")
        request = await ask(session)
        for other in (h.session(user="ada"), h.session(user="eve")):
            assert kind(await say(other, request)) == "NOT_FOUND"
            assert h.orchestrator.confirmations.waiting(other) == []
            assert await other.confirm_spoken("yes") is None
        assert h.work.started == []


@pytest.mark.rule("confirmation")
@pytest.mark.parametrize("how", ["same id", "new id", "no id"])
async def test_a_call_resent_after_it_was_approved_and_has_run_is_answered_from_the_record(
    how: str,
) -> None:
    """Although the arguments that ran have the defaults in them, it is the same call."""

    async with house() as h:
        session = h.session()
        made = call("send_mail", TO_ADA, **({"id": None} if how == "no id" else {}))
        await session.dispatch(made)
        [request] = session.drain_messages()
        await say(session, request)
        again = call("send_mail", TO_ADA) if how == "new id" else made
        envelope = valid(await session.dispatch(again))
        assert (kind(envelope), envelope["meta"].get("replayed")) == ("ok", True)
        assert [m["type"] for m in session.drain_messages()] == ["confirmation_resolved"]
        assert h.work.count("send_mail") == 1


async def test_an_answer_whose_request_is_cut_off_still_counts_and_the_model_hears_of_it() -> None:
    async def slow(args: Any, context: Any) -> Any:
        await asyncio.sleep(1)
        return ok({"sent": 1})

    async with house() as h:
        h.work.does("send_mail", slow)
        session = h.session()
        request = await ask(session)
        task = asyncio.create_task(say(session, request))
        await settle()
        await h.clock.advance(0.5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await h.clock.advance(1)
        await settle()
        [(_, envelope)] = session.drain_late_results()
        assert envelope["data"] == {"sent": 1}


# -- expiry ------------------------------------------------------------------------------------


@pytest.mark.rule("confirmation")
async def test_no_answer_in_time_is_a_denial_that_everybody_sees() -> None:
    async with house(policy=Policy(confirmation_seconds=60)) as h:
        session = h.session()
        request = await ask(session)
        await h.clock.advance(59.9)
        assert session.drain_late_results() == []
        await h.clock.advance(0.2)
        await settle()
        [(_, envelope)] = session.drain_late_results()
        assert (kind(valid(envelope)), envelope["error"]["outcome"]) == (
            "CANCELLED",
            "expired",
        )
        assert [m["outcome"] for m in session.drain_messages()] == ["expired"]
        [row] = await h.store.confirmations()
        assert row.status == "expired"
        assert kind(await say(session, request)) == "NOT_FOUND"
        assert h.work.started == []
        new = await ask(session)
        assert new["id"] != request["id"]


@pytest.mark.parametrize("spoken", [True, False])
async def test_a_clock_that_was_set_forward_ends_what_has_expired_by_it(spoken: bool) -> None:
    """A machine that slept: the wall clock has moved on, the timers have not."""

    async with house() as h:
        session = h.session("voice")
        request = await ask(session, "dim_lights", {"text": "a"})
        h.orchestrator.confirmations.mark_prompted(session, request["id"])
        h.clock.jump(301)
        if spoken:
            envelope = await session.confirm_spoken("yes")
            assert envelope is not None
            assert envelope["error"]["outcome"] == "expired"
        else:
            assert kind(await say(session, request)) == "AUTH"
        assert h.work.started == []


# -- what has changed meanwhile ----------------------------------------------------------------


@pytest.mark.rule("confirmation")
async def test_a_changed_registry_voids_what_was_asked(tmp_path: Path) -> None:
    folder = tmp_path / "tools"
    write_tool(folder, "send_it", **ASKED, parameters=MAIL)
    registry = built(folder)
    async with house(registry) as h:
        session = h.session()
        request = await ask(session, "send_it")
        write_tool(folder, "send_it", **ASKED, parameters=MAIL, version="2.0.0")
        built(folder)
        registry.reload()
        envelope = await say(session, request)
        assert (kind(envelope), envelope["error"]["outcome"]) == ("UNAVAILABLE", "void")
        assert h.work.started == []
        [row] = await h.store.confirmations()
        assert row.status == "void"
        assert [m["outcome"] for m in session.drain_messages()] == ["void"]


@pytest.mark.rule("blocked")
@pytest.mark.rule("active")
@pytest.mark.rule("availability")
@pytest.mark.rule("rate")
@pytest.mark.parametrize("what", ["blocked", "inactive", "unavailable", "too often"])
async def test_every_gate_is_passed_again_on_approval(what: str, tmp_path: Path) -> None:
    expected = {
        "blocked": "UNAVAILABLE",
        "inactive": "SESSION_INACTIVE",
        "unavailable": "UNAVAILABLE",
        "too often": "RATE_LIMIT",
    }

    write_tool(
        tmp_path / "tools",
        "send_it",
        **ASKED,
        parameters=MAIL,
        availability={"env": ["MAIL_KEY"]},
        rateLimit={"calls": 1, "windowMs": 60_000},
    )
    environment = {"MAIL_KEY": "x"}
    async with house(built(tmp_path / "tools"), environment=environment) as h:
        session = h.session()
        request = await ask(session, "send_it")
        if what == "blocked":
            await h.orchestrator.block("ada", 60, "rude")
        elif what == "inactive":
            session.view.active = False
        elif what == "unavailable":
            environment.clear()
        else:
            other = await ask(session, "send_it", {"to": ["bob@example.org"]})
            assert kind(await say(session, other)) == "ok"
            session.drain_late_results()
        done = len(h.work.effects)
        assert kind(await say(session, request)) == expected[what]
        assert len(h.work.effects) == done
        [(_, envelope)] = session.drain_late_results()
        assert kind(envelope) == expected[what]


@pytest.mark.rule("confirmation")
async def test_an_approval_is_outside_the_budget_of_the_turn() -> None:
    async with house() as h:
        session = h.session("voice")
        request = await ask(session)
        for text in "ab":
            await answer(session, "compute", {"text": text})
        assert kind(await answer(session, "compute", {"text": "c"})) == "BUDGET_EXCEEDED"
        assert kind(await say(session, request)) == "ok"


async def test_the_end_of_a_session_ends_what_it_has_asked() -> None:
    async with house() as h:
        session = h.session()
        request = await ask(session)
        await session.end()
        assert kind(await say(session, request)) == "NOT_FOUND"
        [row] = await h.store.confirmations()
        assert row.status == "void"
        [(_, envelope)] = session.drain_late_results()
        assert envelope["error"]["outcome"] == "void"


@pytest.mark.parametrize("expired", [False, True])
async def test_an_open_request_survives_a_restart_until_it_expires(
    tmp_path: Path, expired: bool
) -> None:
    store = f"sqlite:///{tmp_path / 'store.db'}"
    async with house(store=store) as h:
        session = h.session(id="s")
        await h.orchestrator.save(session)
        request = await ask(session)
    async with house(store=store) as h:
        if expired:
            h.clock.jump(301)
        session = await h.orchestrator.resume("s")  # type: ignore[assignment]
        envelope = await say(session, request)
        assert kind(envelope) == ("AUTH" if expired else "ok")
        assert h.work.effects == (
            [] if expired else [("send_mail", {**TO_ADA, "subject": "Hello"})]
        )


async def test_a_call_resent_after_a_restart_is_the_one_that_was_asked_for(tmp_path: Path) -> None:
    """Before its answer it asks no second time, after it it is answered from the record."""

    store = f"sqlite:///{tmp_path / 'store.db'}"
    async with house(store=store) as h:
        session = h.session(id="s")
        await h.orchestrator.save(session)
        first = await answer(session, "send_mail", dict(TO_ADA), id="call_resent_later")
        asked = first["error"]["confirmation_request"]["id"]
    async with house(store=store) as h:
        session = await h.orchestrator.resume("s")  # type: ignore[assignment]
        again = await answer(session, "send_mail", dict(TO_ADA), id="call_resent_later")
        assert again["error"]["confirmation_request"]["id"] == asked
        (request,) = h.orchestrator.confirmations.waiting(session)
        assert kind(await say(session, request)) == "ok"
        after = await answer(session, "send_mail", dict(TO_ADA), id="call_resent_later")
        assert kind(after) == "ok"
        assert after["meta"]["replayed"] is True
        assert h.work.count("send_mail") == 1


# -- by voice ----------------------------------------------------------------------------------


@pytest.mark.rule("confirmation")
async def test_a_spoken_yes_counts_only_for_low_risk_and_only_after_the_prompt() -> None:
    async with house() as h:
        session = h.session("voice")
        confirmations = h.orchestrator.confirmations
        high = await ask(session)
        assert confirmations.mark_prompted(session, high["id"])
        assert await session.confirm_spoken("yes") is None
        assert kind(await say(session, high, approve=False)) == "CANCELLED"

        low = await ask(session, "dim_lights", {"text": "a"})
        assert await session.confirm_spoken("yes") is None
        assert not confirmations.mark_prompted(h.session(), low["id"])
        assert not confirmations.mark_prompted(session, "nobody")
        for unclear in ("yes but later", "maybe", "yes?", ""):
            assert confirmations.mark_prompted(session, low["id"])
            assert await session.confirm_spoken(unclear) is None
            # Only the next thing that is said can be the answer.
            assert await session.confirm_spoken("yes") is None
        assert h.work.started == []
        assert confirmations.mark_prompted(session, low["id"])
        envelope = await session.confirm_spoken("Yes, please.")
        assert envelope is not None
        assert kind(valid(envelope)) == "ok"
        assert h.work.count("dim_lights") == 1
        assert await session.confirm_spoken("yes") is None
        lines = await h.told(event="confirmation_resolved")
        assert lines[-1]["details"]["via"] == "voice"


async def test_a_spoken_no_denies_and_two_open_requests_are_too_many_for_one_word() -> None:
    async with house() as h:
        session = h.session("voice")
        first = await ask(session, "dim_lights", {"text": "a"})
        second = await ask(session, "dim_lights", {"text": "b"})
        for request in (first, second):
            h.orchestrator.confirmations.mark_prompted(session, request["id"])
        assert await session.confirm_spoken("yes") is None
        assert await session.confirm_spoken("no") is None
        await say(session, first, approve=False)
        envelope = await session.confirm_spoken("no")
        assert envelope is not None
        assert envelope["error"]["outcome"] == "denied"
        assert h.work.started == []
