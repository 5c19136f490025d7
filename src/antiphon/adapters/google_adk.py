"""Google ADK: the tools of a session as a toolset, and a plug-in that ends its turns.

    governed = SessionPlugin(session)
    agent = LlmAgent(name="desk", model="…", tools=[governed.toolset])
    runner = InMemoryRunner(agent, plugins=[governed])

A call that a person has to approve is requested as ADK's own tool confirmation: an event with the
function call `adk_request_confirmation`, whose response is the person's answer.
"""

from __future__ import annotations

from typing import Any

from antiphon.adapters.bridge import BridgedTool, SessionBridge, confirmation_of
from antiphon.adapters.frameworks import missing_framework
from antiphon.orchestrator.session import Session

try:
    from google.adk.plugins.base_plugin import BasePlugin
    from google.adk.tools.base_tool import BaseTool
    from google.adk.tools.base_toolset import BaseToolset
    from google.adk.tools.tool_context import ToolContext
    from google.genai import types
except ImportError as error:
    raise missing_framework(error, "Google ADK", "google-adk") from None

__all__ = ["SessionPlugin"]


class SessionPlugin(BasePlugin):
    """The tools of an open session (`toolset`), and what ends its turns: give it to the runner
    among its `plugins`. What came late is told to the model before its next answer."""

    def __init__(self, session: Session, *, name: str = "antiphon") -> None:
        super().__init__(name=name)
        self.bridge = SessionBridge(session)
        self.toolset: BaseToolset = _SessionTools(self.bridge)

    async def before_model_callback(self, *, callback_context: Any, llm_request: Any) -> None:  # noqa: ARG002
        """Add what came late to the model's request."""
        note = self.bridge.note()
        if note:
            part = types.Part(text=note)
            llm_request.contents.append(types.Content(role="user", parts=[part]))

    async def after_run_callback(self, *, invocation_context: Any) -> None:  # noqa: ARG002
        """End the turn with the run, unless it only waits for a person."""
        if not self.bridge.waiting():
            self.bridge.end_turn()

    async def on_run_error_callback(self, *, invocation_context: Any, error: Exception) -> None:  # noqa: ARG002
        """End the turn of a run that failed."""
        self.bridge.end_turn()


class _SessionTools(BaseToolset):
    """The toolset; it lasts as long as the session."""

    def __init__(self, bridge: SessionBridge) -> None:
        super().__init__()
        self._tools = [_GovernedFunction(bridge, tool) for tool in bridge.tools]

    async def get_tools(self, readonly_context: Any = None) -> list[BaseTool]:  # noqa: ARG002
        return list(self._tools)


class _GovernedFunction(BaseTool):
    """One tool of a session. ADK checks nothing of the arguments: the gates do."""

    def __init__(self, bridge: SessionBridge, tool: BridgedTool) -> None:
        super().__init__(name=tool.name, description=tool.description)
        self._bridge = bridge
        self._tool = tool

    def _get_declaration(self) -> types.FunctionDeclaration:
        return types.FunctionDeclaration(
            name=self.name,  # with the prefix of the toolset, if it has one
            description=self._tool.description,
            parameters_json_schema=self._tool.parameters,
        )

    async def run_async(self, *, args: dict[str, Any], tool_context: ToolContext) -> Any:
        """Dispatch one call and return the envelope; one that waits for a person is requested as a
        tool confirmation, and called again by ADK with their answer."""
        bridge, call_id = self._bridge, tool_context.function_call_id
        answer = tool_context.tool_confirmation
        if answer is not None and not answer.confirmed and call_id in bridge.waiting():
            return await bridge.answer(call_id, approve=False)
        approved = answer is not None and answer.confirmed
        envelope = await bridge.call(self._tool.name, args, call_id, approved=approved)
        request = None if confirmation_of(envelope) is None else bridge.request(call_id)
        if request is not None:
            tool_context.request_confirmation(hint=request["preview"], payload=request)
            # The model has nothing to say before the person has.
            tool_context.actions.skip_summarization = True
        return envelope
