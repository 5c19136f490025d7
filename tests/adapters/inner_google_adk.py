"""Google ADK's own runner, on a scripted model, with the tools of a session."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

import pytest
from google.adk.agents import LlmAgent
from google.adk.events import Event
from google.adk.models import BaseLlm, LlmRequest, LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types
from tests.adapters.desk import BAD_NOTE, NOTE, Desk, open_desk, run_snippet

from antiphon.adapters.google_adk import SessionPlugin

pytestmark = pytest.mark.real_time


class ScriptedLlm(BaseLlm):
    """A model that says what the script has next; it keeps what it was sent."""

    model: str = "scripted"
    script: list[types.Part]
    requests: list[LlmRequest]

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        self.requests.append(llm_request)
        part = self.script.pop(0)
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


class Talk:
    """A conversation of ADK's runner with one agent on the tools of a session."""

    def __init__(self, desk: Desk, *script: types.Part) -> None:
        self.plugin = SessionPlugin(desk.session)
        self.model = ScriptedLlm(script=list(script), requests=[])
        agent = LlmAgent(name="desk", model=self.model, tools=[self.plugin.toolset])
        self.runner = InMemoryRunner(agent, app_name="desk", plugins=[self.plugin])

    async def __aenter__(self) -> Talk:
        sessions = self.runner.session_service
        self.session = await sessions.create_session(app_name="desk", user_id="ada")
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.runner.close()

    async def say(self, part: types.Part) -> list[Event]:
        message = types.Content(role="user", parts=[part])
        run = self.runner.run_async(user_id="ada", session_id=self.session.id, new_message=message)
        return [event async for event in run]


def wants(id: str, args: dict[str, Any]) -> types.Part:
    return types.Part(function_call=types.FunctionCall(id=id, name="leave_note", args=args))


def text(words: str) -> types.Part:
    return types.Part(text=words)


def answers(events: list[Event]) -> list[Any]:
    return [each.response for event in events for each in event.get_function_responses()]


def question(events: list[Event]) -> types.FunctionCall:
    """The event's call by which ADK asks the person."""
    calls = [call for event in events for call in event.get_function_calls()]
    [asked] = [call for call in calls if call.name == "adk_request_confirmation"]
    return asked


def answer(asked: types.FunctionCall, confirmed: bool) -> types.Part:
    return types.Part(
        function_response=types.FunctionResponse(
            id=asked.id, name=asked.name, response={"confirmed": confirmed}
        )
    )


async def test_a_refused_call_is_answered_with_the_envelope() -> None:
    async with open_desk() as desk:
        async with Talk(desk, wants("call-refused", BAD_NOTE), text("I could not.")) as talk:
            [envelope] = answers(await talk.say(text("Go")))
            declared = talk.model.requests[0].config.tools[0].function_declarations[0]
        assert declared.parameters_json_schema["required"] == ["to", "text"]
        assert (envelope["ok"], envelope["error"]["type"]) == (False, "VALIDATION")
        assert (desk.notes, desk.turn) == ([], 2)
        assert await desk.audit() == [("tool_decision", "call-refused", "refuse", "arguments")]


async def test_a_confirmed_call_runs_when_the_person_has_answered_and_is_replayed_after() -> None:
    async with open_desk() as desk:
        call = wants("call-approved", NOTE)
        async with Talk(desk, call, text("Done."), call, text("Again.")) as talk:
            asked = question(await talk.say(text("Go")))
            assert asked.args is not None
            assert asked.args["toolConfirmation"]["hint"]
            assert "token" not in asked.args["toolConfirmation"]["payload"]
            assert (desk.notes, desk.turn) == ([], 1)
            [envelope] = answers(await talk.say(answer(asked, confirmed=True)))
            assert envelope["data"] == {"note_id": "note-1"}
            assert talk.plugin.bridge.note() == "", "the model has the outcome already"
            [again] = answers(await talk.say(text("Once more")))
        assert again["meta"]["replayed"] is True
        assert desk.notes == [NOTE["text"]]
        assert await desk.audit() == [
            ("tool_decision", "call-approved", "confirm", "confirmation"),
            ("tool_execution", "call-approved", "run", "run"),
            ("tool_replayed", "call-approved", "replay", "duplicate"),
        ]
        assert await desk.answers() == ["approved"]


async def test_a_rejected_call_is_denied_in_the_audit_too() -> None:
    async with open_desk() as desk:
        async with Talk(desk, wants("call-denied", NOTE), text("All right.")) as talk:
            asked = question(await talk.say(text("Go")))
            [envelope] = answers(await talk.say(answer(asked, confirmed=False)))
        assert envelope["error"]["outcome"] == "denied"
        assert (desk.notes, await desk.answers()) == ([], ["denied"])


async def test_a_late_outcome_is_told_with_the_next_request() -> None:
    async with open_desk() as desk:
        session = desk.session
        async with Talk(desk, wants("call-elsewhere", NOTE)) as talk:
            await talk.say(text("Go"))
        [request] = session.orchestrator.confirmations.waiting(session)
        await session.confirm(request["id"], request["token"], approve=True)
        async with Talk(desk, text("Fine.")) as talk:
            await talk.say(text("And now?"))
            assert "note-1" in str(talk.model.requests[-1].contents)
        assert session.drain_late_results() == []


async def test_a_run_that_fails_ends_its_turn() -> None:
    async with open_desk() as desk:
        async with Talk(desk, wants("call-refused", BAD_NOTE)) as talk:
            with pytest.raises(IndexError):
                await talk.say(text("Go"))
        assert desk.turn == 2


async def test_the_snippet_in_the_documents_runs() -> None:
    async with open_desk() as desk:
        model = ScriptedLlm(
            script=[wants("call-documented", NOTE), text("It is left.")], requests=[]
        )
        names = await run_snippet("Google ADK", desk.session, model)
        assert names["event"].content.parts[0].text == "It is left."
        assert (len(names["asked"]), desk.notes, desk.turn) == (1, [NOTE["text"]], 2)
