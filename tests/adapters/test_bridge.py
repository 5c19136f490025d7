"""The bridge that all adapters share, without any framework, and the words for a missing one."""

from __future__ import annotations

import importlib

import pytest
from tests.adapters.desk import NOTE, open_desk

from antiphon.adapters.bridge import SessionBridge, confirmation_of, has_failed

OTHER = {**NOTE, "text": "The build is red."}


async def test_an_approval_counts_for_the_call_that_a_gate_has_asked_about() -> None:
    async with open_desk() as desk:
        bridge = SessionBridge(desk.session)
        first = await bridge.call("leave_note", NOTE, "call-number-1", approved=True)
        assert confirmation_of(first) is not None, "nobody had been asked before"
        changed = await bridge.call("leave_note", OTHER, "call-number-1", approved=True)
        assert confirmation_of(changed) is not None, "they were asked about other arguments"
        assert desk.notes == []
        done = await bridge.call("leave_note", OTHER, "call-number-1", approved=True)
        assert done["ok"]
        assert desk.notes == [OTHER["text"]]


async def test_a_new_bridge_takes_up_what_an_earlier_one_has_asked() -> None:
    async with open_desk() as desk:
        await SessionBridge(desk.session).call("leave_note", NOTE, "call-number-1")
        later = SessionBridge(desk.session)
        assert (await later.call("leave_note", NOTE, "call-number-1", approved=True))["ok"]
        assert await desk.answers() == ["approved"]


async def test_a_denied_call_stays_denied_under_its_id_and_is_asked_about_under_another() -> None:
    async with open_desk() as desk:
        bridge = SessionBridge(desk.session)
        await bridge.call("leave_note", NOTE, "call-number-1")
        denied = await bridge.answer("call-number-1", approve=False)
        assert denied["error"]["outcome"] == "denied"
        assert await bridge.call("leave_note", NOTE, "call-number-1", approved=True) == denied
        assert confirmation_of(await bridge.call("leave_note", NOTE, "call-number-2")) is not None
        assert desk.notes == []


async def test_two_calls_that_share_a_question_run_once() -> None:
    async with open_desk() as desk:
        bridge = SessionBridge(desk.session)
        for call_id in ("call-number-1", "call-number-2"):
            await bridge.call("leave_note", NOTE, call_id)
        for call_id in ("call-number-1", "call-number-2"):
            assert (await bridge.answer(call_id, approve=True))["ok"]
        assert desk.notes == [NOTE["text"]]
        assert bridge.note() == ""


async def test_an_answer_on_another_channel_is_the_outcome_here_too() -> None:
    async with open_desk() as desk:
        session, bridge = desk.session, SessionBridge(desk.session)
        await bridge.call("leave_note", NOTE, "call-number-1")
        request = bridge.request("call-number-1")
        assert request is not None
        assert "token" not in request
        [asked] = session.orchestrator.confirmations.waiting(session)
        await session.confirm(asked["id"], asked["token"], approve=False)
        assert bridge.note() == "", "the framework brings the answer"
        outcome = await bridge.answer("call-number-1", approve=True)
        assert outcome["error"]["outcome"] == "denied"
        assert desk.notes == []


async def test_who_needs_a_person_is_found_out_without_running_or_counting_anything() -> None:
    async with open_desk() as desk:
        bridge = SessionBridge(desk.session)
        assert not await bridge.needs_person("leave_note", {"to": "Grace"}, "call-number-1")
        assert not await bridge.needs_person("no_such_tool", {}, "call-number-2")
        assert (await desk.audit(), desk.session.view.turn.total) == ([], 0)
        assert await bridge.needs_person("leave_note", NOTE, "call-number-3")
        assert await bridge.needs_person("leave_note", NOTE, "call-number-3")
        assert len(await desk.audit()) == 1, "the second time nobody was asked again"


async def test_what_waits_or_still_runs_has_not_failed() -> None:
    async with open_desk() as desk:
        bridge = SessionBridge(desk.session, pauses=False)
        asked = await bridge.call("leave_note", NOTE, "call-number-1")
        assert not has_failed(asked)
        assert bridge.waiting() == {}
        assert has_failed(await bridge.call("leave_note", {}, "call-number-2"))


@pytest.mark.parametrize(
    ("adapter", "line"),
    [
        (
            "pydantic_ai",
            "Pydantic AI, which is not installed here: pip install --upgrade pydantic-ai",
        ),
        ("openai_agents", "pip install --upgrade openai-agents"),
        ("langchain", "pip install --upgrade langchain"),
        ("google_adk", "pip install --upgrade google-adk"),
        ("livekit", "pip install --upgrade livekit-agents"),
        ("pipecat", "pip install --upgrade pipecat-ai"),
    ],
)
def test_a_missing_framework_is_named_with_its_pip_line(adapter: str, line: str) -> None:
    with pytest.raises(ImportError, match=line):
        importlib.import_module(f"antiphon.adapters.{adapter}")
