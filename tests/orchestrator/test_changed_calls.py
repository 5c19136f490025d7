"""A person may change what they approve, and some calls need two people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.orchestrator.helpers import (
    ASKED,
    MAIL,
    Workshop,
    answer,
    built,
    call,
    house,
    kind,
    write_tool,
)

from antiphon import ErrorType, fail
from antiphon.contracts.events import AnswersTurn, CallAnswer, UserTurn
from antiphon.orchestrator.session import Session
from antiphon.storage import TurnRow

pytestmark = pytest.mark.virtual_time(patience=0.0)

TO_ADA = {"to": ["ada@example.org"]}
TO_BOB = {"to": ["bob@example.org"], "subject": "Hello"}


async def ask(session: Session, tool: str = "send_mail", made: Any = None) -> dict[str, Any]:
    await session.dispatch(made or call(tool, TO_ADA))
    [request] = [m for m in session.drain_messages() if m["type"] == "confirmation_required"]
    return request


async def test_what_the_person_changed_runs_once_and_everybody_is_told() -> None:
    async with house() as h:
        session = h.session()
        made = call("send_mail", TO_ADA)
        request = await ask(session, made=made)
        assert request["args"] == {**TO_ADA, "subject": "Hello"}
        token = request["token"]
        taken = await session.answer_confirmation(request["id"], token, True, args=TO_BOB)
        changed = {"to": {"asked": TO_ADA["to"], "approved": TO_BOB["to"]}}
        assert taken.accepted
        assert taken.envelope["meta"]["changed"] == changed  # the model reads it
        assert h.work.effects == [("send_mail", TO_BOB)]
        [line] = await h.told(event="tool_execution")
        assert (line["args"], line["idempotencyKey"]) == (TO_BOB, f"provider:{made.id}")
        [line] = await h.told(event="confirmation_resolved")
        assert (line["details"]["by"], line["details"]["changes"]) == ("ada", changed)
        [row] = await h.store.confirmations()
        assert json.loads(row.changes) == changed
        # It is still the call that the model made: made again, it is answered and not run.
        again = await session.dispatch(made)
        assert (again["meta"]["replayed"], again["meta"]["changed"]) == (True, changed)
        assert h.work.count("send_mail") == 1


async def test_a_changed_value_that_is_wrong_is_named_and_the_question_stays_open() -> None:
    async with house() as h:
        session = h.session()
        request = await ask(session)
        asked, token = request["id"], request["token"]
        refused = await session.answer_confirmation(asked, token, True, args={"to": "bob", "x": 1})
        error = refused.envelope["error"]
        assert (refused.accepted, error["type"]) == (False, "VALIDATION")
        assert {each["pointer"] for each in error["errors"]} == {"/to", "/x"}
        denied = await session.answer_confirmation(asked, token, False, args=TO_BOB)
        assert not denied.accepted
        assert h.work.started == []
        assert (await session.answer_confirmation(asked, token, True, args=TO_BOB)).accepted
        assert h.work.effects == [("send_mail", TO_BOB)]


async def test_nobody_approves_what_somebody_else_changed(tmp_path: Path) -> None:
    write_tool(tmp_path / "tools", "wire_money", **ASKED, parameters=MAIL, approvals=2)
    async with house(built(tmp_path / "tools")) as h:
        session = h.session()
        confirmations = h.orchestrator.confirmations
        before = await ask(session, "wire_money")
        first = await session.answer_confirmation(before["id"], before["token"], True, args=TO_BOB)
        assert (first.accepted, first.envelope["error"]["approved_by"]) == (True, ["ada"])
        [again] = session.drain_messages()
        assert (again["approved_by"], again["approvals"], again["args"]) == (["ada"], 2, TO_BOB)
        # The token is of what was shown with it.
        old = await session.answer_confirmation(before["id"], before["token"], True)
        assert (old.accepted, old.envelope["error"]["type"]) == (False, "AUTH")
        # One person is not two.
        same = await session.answer_confirmation(again["id"], again["token"], True)
        assert same.envelope["error"]["type"] == "CONFLICT"
        assert h.work.started == []
        [of_bea] = confirmations.waiting(session, "bea")
        assert of_bea["token"] != again["token"]
        stolen = await session.answer_confirmation(again["id"], again["token"], True, by="bea")
        assert stolen.envelope["error"]["type"] == "AUTH"
        second = await session.answer_confirmation(again["id"], of_bea["token"], True, by="bea")
        assert kind(second.envelope) == "ok"
        assert h.work.effects == [("wire_money", TO_BOB)]
        [line] = await h.told(event="confirmation_approved")
        assert (line["details"]["by"], list(line["details"]["changes"])) == ("ada", ["to"])
        [line] = await h.told(event="confirmation_resolved")
        assert line["details"]["by"] == "bea"


async def test_a_second_person_who_changes_something_needs_another_yes(tmp_path: Path) -> None:
    write_tool(tmp_path / "tools", "wire_money", **ASKED, parameters=MAIL, approvals=2)
    async with house(built(tmp_path / "tools")) as h:
        session = h.session()
        confirmations = h.orchestrator.confirmations
        asked = await ask(session, "wire_money")
        assert (await session.answer_confirmation(asked["id"], asked["token"], True)).accepted
        [of_bea] = confirmations.waiting(session, "bea")
        given: dict[str, Any] = {"by": "bea", "args": TO_BOB}
        changed = await session.answer_confirmation(asked["id"], of_bea["token"], True, **given)
        assert changed.envelope["error"]["approved_by"] == ["bea"]
        assert h.work.started == []
        [of_ada] = confirmations.waiting(session)
        done = await session.answer_confirmation(asked["id"], of_ada["token"], True)
        assert kind(done.envelope) == "ok"
        assert h.work.effects == [("wire_money", TO_BOB)]


async def test_a_redacted_value_cannot_be_changed_and_is_told_to_nobody(tmp_path: Path) -> None:
    secret = {**ASKED, "parameters": MAIL, "redact": ["/subject"]}
    write_tool(tmp_path / "tools", "send_secret", **secret)
    async with house(built(tmp_path / "tools")) as h:
        session = h.session()
        request = await ask(session, made=call("send_secret", {**TO_ADA, "subject": "4711"}))
        asked, token = request["id"], request["token"]
        refused = await session.answer_confirmation(asked, token, True, args=TO_BOB)
        assert [each["pointer"] for each in refused.envelope["error"]["errors"]] == ["/subject"]
        kept = {**TO_BOB, "subject": "4711"}
        taken = await session.answer_confirmation(asked, token, True, args=kept)
        assert list(taken.envelope["meta"]["changed"]) == ["to"]
        assert h.work.effects == [("send_secret", kept)]
        assert "4711" not in json.dumps(await h.told())


async def test_after_a_crash_what_the_person_approved_is_run_again(tmp_path: Path) -> None:
    """The call comes again with the arguments that the model gave."""
    safe = {**ASKED, "idempotent": True, "parameters": MAIL}
    write_tool(tmp_path / "tools", "put_mail", **safe)
    registry, store = built(tmp_path / "tools"), f"sqlite:///{tmp_path / 'store.db'}"
    made, work = call("put_mail", TO_ADA), Workshop()

    async with house(registry, store=store, work=work) as h:
        session = h.session(id="s")
        request = await ask(session, made=made)
        work.does("put_mail", lambda args, context: fail(ErrorType.OUTCOME_UNKNOWN, "Perhaps."))
        await session.answer_confirmation(request["id"], request["token"], True, args=TO_BOB)
        await h.orchestrator.save(session)
    work.scripts.clear()
    async with house(registry, store=store, work=work) as h:
        again = await h.orchestrator.resume("s")
        assert again is not None
        assert kind(await again.dispatch(made)) == "ok"
        assert work.effects == [("put_mail", TO_BOB)]


async def test_the_person_sees_where_each_value_comes_from() -> None:
    async with house() as h:
        session = h.session()
        await answer(session, "compute")
        found = {"results": [{"type": "person", "title": "Ada", "email": "ada@example.org"}]}
        for turn in (
            UserTurn("Write a mail to Ada called Lunch today"),
            AnswersTurn((CallAnswer("c", "kb_search", {"ok": True, "data": found}),)),
        ):
            row = TurnRow(session.id, h.clock.now(), "text", json.dumps(turn.to_dict()))
            await h.store.add_turn(row)
        request = await ask(session, made=call("send_mail", {**TO_ADA, "subject": "Lunch"}))
        assert {each["name"]: each["origin"] for each in request["fields"]} == {
            "to": {"kind": "result", "text": "kb_search: person Ada"},
            "subject": {"kind": "said", "text": "Lunch"},
        }
