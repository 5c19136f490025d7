"""LiveKit's own agent session, run as its tests run it, on the tools of a session."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from livekit.agents import Agent, AgentSession
from livekit.agents.llm import (
    LLM,
    ChatChunk,
    ChatContext,
    ChoiceDelta,
    FunctionToolCall,
    LLMStream,
)
from livekit.agents.types import DEFAULT_API_CONNECT_OPTIONS
from tests.adapters.desk import BAD_NOTE, NOTE, Desk, open_desk, run_snippet

from antiphon import ToolCall
from antiphon.adapters.livekit import SessionTools

pytestmark = pytest.mark.real_time


class ScriptedLLM(LLM):
    """A model that says what the script has next; it keeps what it was sent."""

    def __init__(self, *script: ChoiceDelta) -> None:
        super().__init__()
        self.script = list(script)
        self.contexts: list[ChatContext] = []
        self.schemas: list[dict[str, Any]] = []

    def chat(self, *, chat_ctx: ChatContext, tools: Any = None, **_: Any) -> LLMStream:
        self.contexts.append(chat_ctx.copy())
        self.schemas = [tool.info.raw_schema for tool in tools or []]
        return ScriptedStream(
            self, chat_ctx=chat_ctx, tools=tools or [], conn_options=DEFAULT_API_CONNECT_OPTIONS
        )


class ScriptedStream(LLMStream):
    """One answer of the scripted model."""

    async def _run(self) -> None:
        model = self._llm
        assert isinstance(model, ScriptedLLM)
        delta = model.script.pop(0)
        self._event_ch.send_nowait(ChatChunk(id="chunk", delta=delta))


def wants(id: str, args: dict[str, Any]) -> ChoiceDelta:
    call = FunctionToolCall(name="leave_note", arguments=json.dumps(args), call_id=id)
    return ChoiceDelta(role="assistant", tool_calls=[call])


def says(words: str) -> ChoiceDelta:
    return ChoiceDelta(role="assistant", content=words)


@asynccontextmanager
async def talk(desk: Desk, model: ScriptedLLM) -> AsyncIterator[AgentSession[Any]]:
    governed = SessionTools(desk.session)
    async with AgentSession(llm=model) as session:
        governed.attach(session)
        await session.start(Agent(instructions="Help.", tools=governed.tools))
        yield session


def told_of(session: AgentSession[Any], words: str) -> asyncio.Event:
    """An event that is set when the agent has said these words."""
    told = asyncio.Event()

    def on_item(event: Any) -> None:
        if words in (event.item.text_content or ""):
            told.set()

    session.on("conversation_item_added", on_item)
    return told


async def test_a_refused_call_is_an_error_with_the_envelope() -> None:
    async with open_desk("voice") as desk:
        model = ScriptedLLM(wants("call-refused", BAD_NOTE), says("I could not."))
        async with talk(desk, model) as session:
            result = await session.run(user_input="Go")
            result.expect.contains_function_call(name="leave_note")
            answer = result.expect.contains_function_call_output(is_error=True).event()
            assert json.loads(answer.item.output)["error"]["type"] == "VALIDATION"
        assert model.schemas[0]["parameters"]["required"] == ["to", "text"]
        assert (desk.notes, desk.turn) == ([], 2)
        assert await desk.audit() == [("tool_decision", "call-refused", "refuse", "arguments")]


async def test_a_confirmed_call_runs_its_outcome_is_told_and_it_is_replayed_after() -> None:
    async with open_desk("voice") as desk:
        ours = desk.session
        call = wants("call-approved", NOTE)
        model = ScriptedLLM(call, says("They were asked."), says("It is left."), call, says("Yes."))
        async with talk(desk, model) as session:
            result = await session.run(user_input="Go")
            asked = result.expect.contains_function_call_output(is_error=False).event()
            assert json.loads(asked.item.output)["error"]["type"] == "CONFIRMATION_REQUIRED"
            assert desk.notes == []

            told = told_of(session, "It is left.")
            [request] = ours.orchestrator.confirmations.waiting(ours)
            await ours.confirm(request["id"], request["token"], approve=True)
            async with asyncio.timeout(60):
                await told.wait()
            assert "note-1" in str(model.contexts[-1].items[-1])
            turn = desk.turn

            result = await session.run(user_input="Once more")
            again = result.expect.contains_function_call_output().event()
            assert json.loads(again.item.output)["meta"]["replayed"] is True
        assert desk.turn == turn + 1, "what the person says is a turn, a note is none"
        assert desk.notes == [NOTE["text"]]
        assert await desk.audit() == [
            ("tool_decision", "call-approved", "confirm", "confirmation"),
            ("tool_execution", "call-approved", "run", "run"),
            ("tool_replayed", "call-approved", "replay", "duplicate"),
        ]
        assert await desk.answers() == ["approved"]
        assert ours.late_listeners.subscribed == (), "a closed session listens no more"


async def test_an_outcome_that_came_before_the_session_started_is_told_when_it_does() -> None:
    async with open_desk("voice") as desk:
        ours = desk.session
        await ours.dispatch(ToolCall("call-earlier", "leave_note", NOTE))
        [request] = ours.orchestrator.confirmations.waiting(ours)
        model = ScriptedLLM(says("It is left."))
        governed = SessionTools(ours)
        async with AgentSession(llm=model) as session:
            governed.attach(session)
            await ours.confirm(request["id"], request["token"], approve=True)
            told = told_of(session, "It is left.")
            await session.start(Agent(instructions="Help.", tools=governed.tools))
            async with asyncio.timeout(60):
                await told.wait()
            assert "note-1" in str(model.contexts[-1].items[-1])
        assert desk.turn == 1


async def test_the_snippet_in_the_documents_runs() -> None:
    async with open_desk("voice") as desk:
        model = ScriptedLLM(wants("call-documented", NOTE), says("They were asked."))
        await run_snippet("LiveKit Agents", desk.session, model)
        assert await desk.audit() == [
            ("tool_decision", "call-documented", "confirm", "confirmation")
        ]
