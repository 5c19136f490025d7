"""Pydantic AI: the tools of a session as a toolset, and as a capability that also ends turns.

    agent = Agent(model, output_type=[str, DeferredToolRequests])
    result = await agent.run("…", capabilities=[SessionCapability(session)])

A call that a person has to approve pauses the run: its output is a `DeferredToolRequests`, whose
`metadata` has the question. The next run brings the answer as `deferred_tool_results`.
"""

from __future__ import annotations

from typing import Any

from antiphon.adapters.bridge import SessionBridge, confirmation_of, envelope_text, has_failed
from antiphon.adapters.frameworks import missing_framework
from antiphon.orchestrator.session import Session

try:
    from pydantic_ai import RunContext, ToolDefinition
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.exceptions import ApprovalRequired, ToolFailed
    from pydantic_ai.messages import ModelRequest, ToolReturnPart
    from pydantic_ai.run import AgentRunResult
    from pydantic_ai.tools import DeferredToolRequests
    from pydantic_ai.toolsets import AbstractToolset, ToolsetTool
    from pydantic_core import SchemaValidator, core_schema
except ImportError as error:
    raise missing_framework(error, "Pydantic AI", "pydantic-ai") from None

__all__ = ["SessionCapability", "SessionToolset"]

# The gates validate; what they refuse is in the audit with the rule that said so.
_ANYTHING = SchemaValidator(core_schema.any_schema())


class SessionToolset(AbstractToolset[Any]):
    """The tools of an open session. Without the capability, whoever runs the agent ends the turns
    (`session.end_turn()`) and tells the model what came late."""

    def __init__(self, session: Session, *, id: str | None = "antiphon") -> None:
        self.bridge = SessionBridge(session)
        self._id = id

    @property
    def id(self) -> str | None:
        """The id of the toolset, unique among those of one agent."""
        return self._id

    async def get_tools(self, ctx: RunContext[Any]) -> dict[str, ToolsetTool[Any]]:  # noqa: ARG002
        """Return the tools that the session's model may call."""
        return {
            tool.name: ToolsetTool(
                toolset=self,
                tool_def=ToolDefinition(
                    name=tool.name,
                    description=tool.description,
                    parameters_json_schema=tool.parameters,
                ),
                max_retries=0,
                args_validator=_ANYTHING,
            )
            for tool in self.bridge.tools
        }

    async def call_tool(
        self,
        name: str,
        tool_args: dict[str, Any],
        ctx: RunContext[Any],
        tool: ToolsetTool[Any],  # noqa: ARG002
    ) -> Any:
        """Dispatch one call and return the envelope. Raises ApprovalRequired for a call that waits
        for a person, and ToolFailed with the envelope for one that was refused or failed."""
        call_id, approved = ctx.tool_call_id, ctx.tool_call_approved
        envelope = await self.bridge.call(name, tool_args, call_id, approved=approved)
        if call_id is not None and confirmation_of(envelope) is not None:
            raise ApprovalRequired(metadata=self.bridge.request(call_id))
        if has_failed(envelope):
            raise ToolFailed(envelope_text(envelope))
        return envelope


class SessionCapability(AbstractCapability[Any]):
    """A session's tools and turns: a run is a turn, a denied call is denied in the audit too, and
    what came late is told to the model before its next answer."""

    def __init__(self, session: Session) -> None:
        self.toolset = SessionToolset(session)

    def get_toolset(self) -> SessionToolset:
        """Return the toolset with the session's tools."""
        return self.toolset

    async def before_model_request(self, ctx: RunContext[Any], request_context: Any) -> Any:
        """Deny what the person has denied in the framework, and add what came late."""
        bridge = self.toolset.bridge
        for message in ctx.messages:
            for part in message.parts if isinstance(message, ModelRequest) else ():
                if (
                    isinstance(part, ToolReturnPart)
                    and part.outcome == "denied"
                    and part.tool_call_id in bridge.waiting()
                ):
                    await bridge.answer(part.tool_call_id, approve=False)
        note = bridge.note()
        if note:
            ctx.enqueue(note)
        return request_context

    async def wrap_run(self, ctx: RunContext[Any], *, handler: Any) -> AgentRunResult[Any]:  # noqa: ARG002
        """End the turn with the run, unless it only pauses for a person."""
        result: AgentRunResult[Any] | None = None
        try:
            result = await handler()
            return result
        finally:
            if result is None or not isinstance(result.output, DeferredToolRequests):
                self.toolset.bridge.end_turn()
