"""Pipecat: the tools of a session as function schemas with handlers, and an observer for its turns.

    governed = SessionFunctions(session)
    context = LLMContext(messages, tools=governed.schema)
    worker = PipelineWorker(pipeline, observers=[governed])

The schemas carry their handlers, so nothing else has to be registered. Pipecat has no approvals:
the model is told that the person has been asked, they answer on the session's own channel, and the
outcome is put into the context when it is there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from antiphon.adapters.bridge import BridgedTool, SessionBridge
from antiphon.adapters.frameworks import missing_framework
from antiphon.contracts import Envelope, ToolCall
from antiphon.orchestrator.session import Session

try:
    from pipecat.adapters.llm.schemas.function_schema import FunctionSchema
    from pipecat.adapters.llm.schemas.tools_schema import ToolsSchema
    from pipecat.frames.frames import (
        FunctionCallsStartedFrame,
        InterruptionFrame,
        LLMFullResponseEndFrame,
        LLMMessagesAppendFrame,
    )
    from pipecat.observers.base_observer import BaseObserver, FramePushed
    from pipecat.services.llm_service import FunctionCallParams
except ImportError as error:
    raise missing_framework(error, "Pipecat", "pipecat-ai") from None

__all__ = ["SessionFunctions"]


class SessionFunctions(BaseObserver):
    """The functions of an open session (`schema`, for a context), and what sees to its turns: give
    it to the pipeline's worker among its `observers`."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.bridge = SessionBridge(session, pauses=False)
        self.schema = ToolsSchema([_GovernedSchema(tool, self._call) for tool in self.bridge.tools])
        self._worker: Any = None  # of the pipeline that the last call came from
        self._called = False  # in the response under way
        self._telling: set[asyncio.Task[None]] = set()
        self._unsubscribe = session.late_listeners.subscribe(self._on_late)

    async def _call(self, params: FunctionCallParams) -> None:
        self._worker = params.pipeline_worker
        args, call_id = dict(params.arguments), params.tool_call_id
        envelope = await self.bridge.call(params.function_name, args, call_id)
        await params.result_callback(envelope)

    async def on_push_frame(self, data: FramePushed) -> None:
        """End the turn with a response that calls nothing, and interrupt running calls when the
        person does."""
        if not data.first_push:
            return
        match data.frame:
            case FunctionCallsStartedFrame():
                self._called = True
            case InterruptionFrame():
                self.bridge.session.interrupt()
            case LLMFullResponseEndFrame():
                called, self._called = self._called, False
                if not called:
                    self.bridge.end_turn()

    async def cleanup(self) -> None:
        """Listen no more for what comes late: the pipeline has ended."""
        self._unsubscribe()
        observer: Any = super()  # its own cleanup has no types
        await observer.cleanup()

    def _on_late(self, _: ToolCall, __: Envelope) -> None:
        if self._worker is None:
            return  # not of a call that came from a pipeline
        note = self.bridge.note()
        if note:
            task = asyncio.get_running_loop().create_task(self._tell(note), name="late result")
            self._telling.add(task)
            task.add_done_callback(self._telling.discard)

    async def _tell(self, note: str) -> None:
        message: Any = {"role": "user", "content": note}
        await self._worker.queue_frame(LLMMessagesAppendFrame([message], run_llm=True))


class _GovernedSchema(FunctionSchema):
    """The schema of one tool with all that the tool's own says, which properties alone do not."""

    def __init__(self, tool: BridgedTool, handler: Callable[[FunctionCallParams], Any]) -> None:
        super().__init__(
            tool.name,
            tool.description,
            tool.parameters.get("properties", {}),
            tool.parameters.get("required", []),
            handler,
        )
        self._parameters = tool.parameters

    def to_default_dict(self) -> dict[str, Any]:
        """Return the declaration with the whole JSON schema of the parameters."""
        return {**super().to_default_dict(), "parameters": self._parameters}
