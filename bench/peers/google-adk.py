"""Times google-adk: `handle_function_call_list_async` with one FunctionCall."""

# ruff: noqa: ARG001 the tool gives one answer whatever it is asked: dispatch is what is timed

from collections.abc import Awaitable, Callable
from typing import Any

from harness import DispatchPath, KbFilters, Namespace, TopK, kb_results, main

# isort: split
from google.adk.agents import LlmAgent
from google.adk.agents.invocation_context import InvocationContext
from google.adk.flows.llm_flows.functions import handle_function_call_list_async
from google.adk.sessions import InMemorySessionService
from google.adk.tools import FunctionTool
from google.genai import types


async def kb_search(
    query: str, namespace: Namespace = "studio", top_k: TopK = 5, filters: KbFilters | None = None
) -> dict[str, Any]:
    """Search the knowledge base."""
    return kb_results()


async def build() -> list[DispatchPath]:
    tool = FunctionTool(kb_search)
    sessions = InMemorySessionService()
    context = InvocationContext(
        session_service=sessions,
        invocation_id="invocation-1",
        agent=LlmAgent(name="peer", tools=[tool]),
        session=await sessions.create_session(app_name="peer", user_id="user-1"),
    )
    tools = {"kb_search": tool}

    def prepare(arguments: dict[str, Any]) -> Callable[[], Awaitable[Any]]:
        calls = [types.FunctionCall(id="call-1", name="kb_search", args=arguments)]
        return lambda: handle_function_call_list_async(context, calls, tools)

    return [
        DispatchPath(
            name="handle_function_call_list_async",
            checks="that required arguments are there; drops unknown top-level keys",
            prepare=prepare,
            unpack=lambda event: event.content.parts[0].function_response.response,
        )
    ]


if __name__ == "__main__":
    main("google-adk", "google-adk", build)
