"""Pydantic AI's own agent and function model on the tools of a session."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults, ToolDenied
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel
from tests.adapters.desk import BAD_NOTE, NOTE, open_desk, run_snippet

from antiphon.adapters.pydantic_ai import SessionCapability, SessionToolset

pytestmark = pytest.mark.real_time


def calls_once(call_id: str, args: dict[str, Any]) -> Callable[..., Awaitable[ModelResponse]]:
    """A model that calls leave_note, and says what it was answered."""

    async def respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        assert [tool.name for tool in info.function_tools] == ["leave_note"]
        assert info.function_tools[0].parameters_json_schema["required"] == ["to", "text"]
        last = messages[-1]
        assert isinstance(last, ModelRequest)
        answers = [part for part in last.parts if isinstance(part, ToolReturnPart)]
        if answers:
            return ModelResponse(parts=[TextPart(answers[0].model_response_str())])
        return ModelResponse(parts=[ToolCallPart("leave_note", args, call_id)])

    return respond


def agent(call_id: str, args: dict[str, Any]) -> Agent[None, str | DeferredToolRequests]:
    model = FunctionModel(calls_once(call_id, args))
    return Agent(model, output_type=[str, DeferredToolRequests])


async def test_a_refused_call_is_a_failed_result_with_the_envelope() -> None:
    async with open_desk() as desk:
        capability = SessionCapability(desk.session)
        result = await agent("call-refused", BAD_NOTE).run("Go", capabilities=[capability])
        parts = [part for message in result.all_messages() for part in message.parts]
        [answer] = [part for part in parts if isinstance(part, ToolReturnPart)]
        assert '"type":"VALIDATION"' in str(answer.content)
        assert answer.outcome == "failed"
        assert desk.notes == []
        assert desk.turn == 2, "the run was a turn"
        assert await desk.audit() == [("tool_decision", "call-refused", "refuse", "arguments")]


async def test_an_approved_call_runs_when_the_run_goes_on_and_is_replayed_after() -> None:
    async with open_desk() as desk:
        capability = SessionCapability(desk.session)
        helper = agent("call-approved", NOTE)
        asked = await helper.run("Go", capabilities=[capability])
        requests = asked.output
        assert isinstance(requests, DeferredToolRequests)
        assert requests.metadata["call-approved"]["preview"]
        assert "token" not in requests.metadata["call-approved"]
        assert (desk.notes, desk.turn) == ([], 1)

        for _ in range(2):  # the second time as after a crash of the program between the two
            done = await helper.run(
                message_history=asked.all_messages(),
                deferred_tool_results=DeferredToolResults(approvals={"call-approved": True}),
                capabilities=[capability],
            )
            assert '"note_id":"note-1"' in str(done.output)
        assert '"replayed":true' in str(done.output)
        assert desk.notes == [NOTE["text"]]
        assert capability.toolset.bridge.note() == "", "the model has the outcome already"
        assert await desk.audit() == [
            ("tool_decision", "call-approved", "confirm", "confirmation"),
            ("tool_execution", "call-approved", "run", "run"),
            ("tool_replayed", "call-approved", "replay", "duplicate"),
        ]
        assert await desk.answers() == ["approved"]


async def test_a_denied_call_is_denied_in_the_audit_too() -> None:
    async with open_desk() as desk:
        capability = SessionCapability(desk.session)
        helper = agent("call-denied", NOTE)
        asked = await helper.run("Go", capabilities=[capability])
        denied = DeferredToolResults(approvals={"call-denied": ToolDenied("Not now.")})
        done = await helper.run(
            message_history=asked.all_messages(),
            deferred_tool_results=denied,
            capabilities=[capability],
        )
        assert done.output == "Not now."
        assert (desk.notes, await desk.answers()) == ([], ["denied"])


async def test_a_late_outcome_is_told_with_the_next_request() -> None:
    async with open_desk() as desk:
        session = desk.session
        toolset = SessionToolset(session)
        asked = await agent("call-elsewhere", NOTE).run("Go", toolsets=[toolset])
        assert isinstance(asked.output, DeferredToolRequests)
        [request] = session.orchestrator.confirmations.waiting(session)
        await session.confirm(request["id"], request["token"], approve=True)

        heard: list[str] = []

        async def listen(messages: list[ModelMessage], _info: AgentInfo) -> ModelResponse:
            heard.append(str(messages))
            return ModelResponse(parts=[TextPart("Fine.")])

        later = Agent(FunctionModel(listen), capabilities=[SessionCapability(session)])
        await later.run("And now?")
        assert any("note-1" in text for text in heard)
        assert session.drain_late_results() == []


async def test_the_snippet_in_the_documents_runs() -> None:
    async with open_desk() as desk:
        model = FunctionModel(calls_once("call-documented", NOTE))
        names = await run_snippet("Pydantic AI", desk.session, model)
        assert "note-1" in names["result"].output
        assert (len(names["asked"]), desk.notes, desk.turn) == (1, [NOTE["text"]], 2)
