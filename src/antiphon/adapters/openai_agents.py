"""OpenAI Agents SDK: the tools of a session as function tools, and hooks that end its turns.

    governed = SessionHooks(session)
    agent = Agent(name="desk", tools=governed.tools)
    result = await Runner.run(agent, "…", hooks=governed)

A call that a person has to approve interrupts the run: `result.interruptions` has it, and
`state.approve(item)` or `state.reject(item)` is the person's answer. A `RealtimeAgent` takes the
same tools; `async with governed.watch(realtime):` sees to the turns of its session.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import orjson

from antiphon.adapters.bridge import BridgedTool, SessionBridge, envelope_text
from antiphon.adapters.frameworks import missing_framework
from antiphon.contracts import Envelope, ToolCall
from antiphon.orchestrator.session import Session

try:
    from agents.realtime import RealtimeModelListener, RealtimeSession
    from agents.run import CallModelData, ModelInputData
    from agents.tool_context import ToolContext

    from agents import FunctionTool, RunContextWrapper, RunHooks
except ImportError as error:
    raise missing_framework(error, "the OpenAI Agents SDK", "openai-agents") from None

logger = logging.getLogger(__name__)

__all__ = ["SessionHooks"]


class SessionHooks(RunHooks[Any]):
    """The function tools of an open session (`tools`), and what ends its turns: give it to the
    runner as `hooks`. A call that a person rejects is denied in the audit too."""

    def __init__(self, session: Session) -> None:
        self.bridge = SessionBridge(session)
        self.tools = [self._function_tool(tool) for tool in self.bridge.tools]
        # The contexts that know of the person's answers to a realtime session's calls.
        self._contexts: dict[str, RunContextWrapper[Any]] = {}
        self._run_is_open = False

    def _function_tool(self, tool: BridgedTool) -> FunctionTool:
        async def needs_approval(
            context: RunContextWrapper[Any], args: dict[str, Any], call_id: str
        ) -> bool:
            asked = await self.bridge.needs_person(tool.name, args, call_id)
            if asked:
                self._contexts[call_id] = context
            return asked

        async def invoke(context: ToolContext[Any], text: str) -> str:
            call_id = context.tool_call_id
            approved = context.is_tool_approved(tool.name, call_id) is True
            self._contexts.pop(call_id, None)
            envelope = await self.bridge.call(tool.name, _args(text), call_id, approved=approved)
            return envelope_text(envelope)

        return FunctionTool(
            name=tool.name,
            description=tool.description,
            params_json_schema=tool.parameters,
            on_invoke_tool=invoke,
            strict_json_schema=False,
            needs_approval=needs_approval,
        )

    async def on_llm_start(self, context: RunContextWrapper[Any], *_: Any) -> None:
        """Deny what the person has rejected since the model was last asked."""
        for call_id, name in self.bridge.waiting().items():
            await self._deny_rejected(context, call_id, name)

    async def on_agent_start(self, context: Any, *_: Any) -> None:
        """End the turn of an earlier run that failed before its final answer."""
        is_new = context.usage.requests == 0  # and no hand-off within a run
        if is_new and self._run_is_open:
            self.bridge.end_turn()
        self._run_is_open = True

    async def on_agent_end(self, *_: Any) -> None:
        """End the turn with the final answer; an interrupted run goes on in the same turn."""
        self._run_is_open = False
        self.bridge.end_turn()

    def add_note(self, data: CallModelData[Any]) -> ModelInputData:
        """Add what came late to the model's input: a `call_model_input_filter` of `RunConfig`."""
        note, model_data = self.bridge.note(), data.model_data
        if note:
            model_data.input = [*model_data.input, {"role": "user", "content": note}]
        return model_data

    @asynccontextmanager
    async def watch(self, realtime: RealtimeSession) -> AsyncIterator[None]:
        """See to a realtime session while the body runs: turns end, barge-in reaches running calls,
        rejected calls are denied, and what came late is told to the model."""
        watch = _RealtimeWatch(self, realtime)
        realtime.model.add_listener(watch)
        unsubscribe = self.bridge.session.late_listeners.subscribe(watch.on_late)
        try:
            yield
        finally:
            unsubscribe()
            realtime.model.remove_listener(watch)
            await watch.close()

    async def deny_rejected(self) -> None:
        """Deny what the person has rejected in the contexts that asked."""
        for call_id, name in self.bridge.waiting().items():
            if call_id in self._contexts:
                await self._deny_rejected(self._contexts[call_id], call_id, name)

    async def _deny_rejected(
        self, context: RunContextWrapper[Any], call_id: str, name: str
    ) -> None:
        if context.is_tool_approved(name, call_id) is False:
            self._contexts.pop(call_id, None)
            await self.bridge.answer(call_id, approve=False)


class _RealtimeWatch(RealtimeModelListener):
    """What a realtime model's events mean for the session."""

    def __init__(self, hooks: SessionHooks, realtime: RealtimeSession) -> None:
        self._hooks = hooks
        self._realtime = realtime
        self._called = False  # in the response under way
        self._telling: set[asyncio.Task[None]] = set()

    async def on_event(self, event: Any) -> None:
        """End the turn with a response that calls nothing; interrupt calls on barge-in."""
        bridge = self._hooks.bridge
        match event.type:
            case "function_call":
                self._called = True
            case "audio_interrupted":
                bridge.session.interrupt()
            case "turn_ended":
                called, self._called = self._called, False
                if not called:
                    bridge.end_turn()
        await self._hooks.deny_rejected()

    def on_late(self, call: ToolCall, _: Envelope) -> None:
        """Tell the model an outcome that came after its answer, unless the SDK is to bring it."""
        if call.id not in self._hooks.bridge.waiting():
            task = asyncio.get_running_loop().create_task(self._tell(), name="late result")
            self._telling.add(task)
            task.add_done_callback(self._telling.discard)

    async def _tell(self) -> None:
        note = self._hooks.bridge.note()
        if not note:
            return
        try:
            await self._realtime.send_message(note)
        except Exception as error:  # noqa: BLE001 - a connection fails in ways of its own
            session = self._hooks.bridge.session.id
            logger.warning("session %s: a late result was not told: %r", session, error)

    async def close(self) -> None:
        """Wait for what is being told."""
        await asyncio.gather(*self._telling)


def _args(text: str) -> Any:
    """The arguments that a model wrote; what is no JSON stays text, for a gate to refuse."""
    try:
        return orjson.loads(text or "{}")
    except orjson.JSONDecodeError:
        return text
