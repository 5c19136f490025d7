"""Pipecat's own pipeline, on a scripted service, with the functions of a session."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from loguru import logger

logger.remove()  # pipecat writes a line for each frame

from pipecat.frames.frames import (  # noqa: E402 - after the log is off
    EndFrame,
    Frame,
    FunctionCallFromLLM,
    LLMContextFrame,
    LLMFullResponseEndFrame,
    LLMFullResponseStartFrame,
    LLMMessagesAppendFrame,
    LLMTextFrame,
)
from pipecat.pipeline.pipeline import Pipeline  # noqa: E402
from pipecat.pipeline.worker import PipelineWorker  # noqa: E402
from pipecat.processors.aggregators.llm_context import LLMContext  # noqa: E402
from pipecat.processors.aggregators.llm_response_universal import (  # noqa: E402
    LLMContextAggregatorPair,
)
from pipecat.processors.frame_processor import FrameDirection  # noqa: E402
from pipecat.services.llm_service import LLMService  # noqa: E402
from pipecat.workers.runner import WorkerRunner  # noqa: E402
from tests.adapters.desk import BAD_NOTE, NOTE, Desk, open_desk, run_snippet  # noqa: E402

from antiphon.adapters.pipecat import SessionFunctions  # noqa: E402

pytestmark = pytest.mark.real_time


class ScriptedService(LLMService):
    """A service that answers each context with what the script has next: words, or a call."""

    def __init__(self, *script: str | tuple[str, dict[str, Any]]) -> None:
        super().__init__()
        self.script = list(script)
        self.said: asyncio.Queue[str] = asyncio.Queue()

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        if not isinstance(frame, LLMContextFrame):
            await self.push_frame(frame, direction)
            return
        await self.push_frame(LLMFullResponseStartFrame())
        step = self.script.pop(0)
        if isinstance(step, str):
            await self.push_frame(LLMTextFrame(step))
        else:
            call = FunctionCallFromLLM("leave_note", *step, frame.context)
            await self.run_function_calls([call])
        await self.push_frame(LLMFullResponseEndFrame())
        if isinstance(step, str):
            self.said.put_nowait(step)


class Talk:
    """A running pipeline with one context."""

    def __init__(self, desk: Desk, service: ScriptedService) -> None:
        self.governed = SessionFunctions(desk.session)
        self.context = LLMContext([], tools=self.governed.schema)
        self.service = service
        pair = LLMContextAggregatorPair(self.context)
        self.worker = PipelineWorker(
            Pipeline([pair.user(), service, pair.assistant()]),
            observers=[self.governed],
            cancel_on_idle_timeout=False,
            enable_rtvi=False,
        )

    async def say(self, text: str) -> str:
        await say(self.worker, text)
        return await self.answer()

    async def answer(self) -> str:
        return await heard(self.service)

    def messages(self) -> str:
        return str(self.context.get_messages())


async def say(worker: PipelineWorker, text: str) -> None:
    message: Any = {"role": "user", "content": text}
    await worker.queue_frame(LLMMessagesAppendFrame([message], run_llm=True))


async def heard(service: ScriptedService) -> str:
    async with asyncio.timeout(60):
        return await service.said.get()


@asynccontextmanager
async def running(worker: PipelineWorker) -> AsyncIterator[None]:
    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    task = asyncio.create_task(runner.run())
    try:
        yield
    finally:
        await worker.queue_frame(EndFrame())
        await task


@asynccontextmanager
async def talk(desk: Desk, *script: str | tuple[str, dict[str, Any]]) -> AsyncIterator[Talk]:
    it = Talk(desk, ScriptedService(*script))
    async with running(it.worker):
        yield it


async def test_a_refused_call_is_answered_with_the_envelope() -> None:
    async with open_desk("voice") as desk:
        async with talk(desk, ("call-refused", BAD_NOTE), "I could not.") as it:
            [schema] = it.governed.schema.standard_tools
            assert schema.to_default_dict()["parameters"]["additionalProperties"] is False
            await it.say("Go")
            assert "VALIDATION" in it.messages()
            await desk.reach_turn(2)
        assert desk.notes == []
        assert await desk.audit() == [("tool_decision", "call-refused", "refuse", "arguments")]


async def test_a_confirmed_call_runs_its_outcome_is_told_and_it_is_replayed_after() -> None:
    async with open_desk("voice") as desk:
        ours = desk.session
        call = ("call-approved", NOTE)
        async with talk(desk, call, "They were asked.", "It is left.", call, "Yes.") as it:
            await it.say("Go")
            assert "CONFIRMATION_REQUIRED" in it.messages()
            assert desk.notes == []
            [request] = ours.orchestrator.confirmations.waiting(ours)
            await ours.confirm(request["id"], request["token"], approve=True)
            assert await it.answer() == "It is left."
            assert "note-1" in it.messages()
            await it.say("Once more")
            assert "replayed" in it.messages()
        assert desk.notes == [NOTE["text"]]
        assert await desk.audit() == [
            ("tool_decision", "call-approved", "confirm", "confirmation"),
            ("tool_execution", "call-approved", "run", "run"),
            ("tool_replayed", "call-approved", "replay", "duplicate"),
        ]
        assert await desk.answers() == ["approved"]
        assert ours.late_listeners.subscribed == (), "a pipeline that ended listens no more"


async def test_the_snippet_in_the_documents_runs() -> None:
    async with open_desk("voice") as desk:
        service = ScriptedService(("call-documented", NOTE), "They were asked.")
        names = await run_snippet("Pipecat", desk.session, service)
        async with running(names["worker"]):
            await say(names["worker"], "Tell Grace that the build is green.")
            assert await heard(service) == "They were asked."
        assert await desk.audit() == [
            ("tool_decision", "call-documented", "confirm", "confirmation")
        ]
