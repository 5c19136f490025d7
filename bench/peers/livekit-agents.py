"""Times livekit-agents: the session's tool executor, reached as its generation step does."""

# ruff: noqa: ARG001 the tool gives one answer whatever it is asked: dispatch is what is timed

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from harness import DispatchPath, KbFilters, Namespace, TopK, kb_results, main

# isort: split
from livekit.agents import AgentSession, RunContext, function_tool
from livekit.agents.llm import FunctionCall
from livekit.agents.llm.utils import parse_function_arguments
from livekit.agents.voice.speech_handle import SpeechHandle
from livekit.agents.voice.tool_executor import _ToolExecutor

# Each refused probe would be logged as an error.
logging.getLogger("livekit").setLevel(logging.CRITICAL)


@function_tool
async def kb_search(
    query: str, namespace: Namespace = "studio", top_k: TopK = 5, filters: KbFilters | None = None
) -> dict[str, Any]:
    """Search the knowledge base."""
    return kb_results()


async def build() -> list[DispatchPath]:
    session: AgentSession[None] = AgentSession()
    executor = _ToolExecutor()
    speech = SpeechHandle.create()

    def prepare(arguments: dict[str, Any]) -> Callable[[], Awaitable[Any]]:
        text = json.dumps(arguments)
        function_call = FunctionCall(call_id="call-1", name="kb_search", arguments=text)

        async def call() -> Any:
            context: RunContext[None] = RunContext(
                session=session, speech_handle=speech, function_call=function_call
            )
            try:
                return await executor.execute(
                    tool=kb_search, run_ctx=context, raw_arguments=parse_function_arguments(text)
                )
            finally:
                # The executor answers just before its own clean-up, which frees the call id.
                while executor.has_running_tasks:  # noqa: ASYNC110 it offers no event to wait for
                    await asyncio.sleep(0)

        return call

    return [
        DispatchPath(
            name="_ToolExecutor.execute",
            checks="types, ranges and enums by Pydantic (coerces; drops unknown keys)",
            prepare=prepare,
            unpack=lambda answer: answer,
        )
    ]


if __name__ == "__main__":
    main("livekit-agents", "livekit-agents", build)
