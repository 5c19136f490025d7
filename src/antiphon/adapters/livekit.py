"""LiveKit Agents: the tools of a session as function tools of a voice agent.

    governed = SessionTools(session)
    agent_session = AgentSession(llm=…, stt=…, tts=…)
    governed.attach(agent_session)
    await agent_session.start(Agent(instructions="…", tools=governed.tools))

LiveKit has no approvals. The model is told that the person has been asked; they answer on the
session's own channel, and the outcome is told to the model when it is there.
"""

from __future__ import annotations

from typing import Any

from antiphon.adapters.bridge import BridgedTool, SessionBridge, envelope_text, has_failed
from antiphon.adapters.frameworks import missing_framework
from antiphon.agents.notes import is_note
from antiphon.contracts import Envelope, ToolCall
from antiphon.orchestrator.session import Session

try:
    from livekit.agents import AgentSession, RunContext, ToolError, function_tool
    from livekit.agents.llm import ChatMessage, RawFunctionTool
except ImportError as error:
    raise missing_framework(error, "LiveKit Agents", "livekit-agents") from None

__all__ = ["SessionTools"]


class SessionTools:
    """The function tools of an open session (`tools`); `attach` sees to its turns and to what
    comes late."""

    def __init__(self, session: Session) -> None:
        self.bridge = SessionBridge(session, pauses=False)
        self.tools: list[RawFunctionTool[..., Any]] = [
            self._function_tool(tool) for tool in self.bridge.tools
        ]

    def _function_tool(self, tool: BridgedTool) -> RawFunctionTool[..., Any]:
        async def call(raw_arguments: dict[str, Any], context: RunContext[Any]) -> str:
            call_id = context.function_call.call_id
            envelope = await self.bridge.call(tool.name, raw_arguments, call_id)
            text = envelope_text(envelope)
            if has_failed(envelope):
                raise ToolError(text)
            return text

        schema = {
            "type": "function",
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.parameters,
        }
        return function_tool(call, raw_schema=schema)

    def attach(self, agent_session: AgentSession[Any]) -> None:
        """See to a LiveKit session until it closes: what the person says begins a turn, their
        speech interrupts running calls, and what comes late is told to the model."""
        bridge = self.bridge
        running = False

        def on_item(event: Any) -> None:
            item = event.item
            from_person = isinstance(item, ChatMessage) and item.role == "user"
            # A note of ours counts as the person's for the model, and is no turn of theirs.
            if from_person and not is_note(item.text_content or ""):
                bridge.end_turn()

        def on_user_state(event: Any) -> None:
            if event.new_state == "speaking":
                bridge.session.interrupt()

        def on_agent_state(_: Any) -> None:
            nonlocal running
            if not running:
                running = True
                tell()

        def on_close(_: Any) -> None:
            nonlocal running
            running = False
            unsubscribe()

        def tell(*_: ToolCall | Envelope) -> None:
            # What comes when nobody can be told stays for the next who takes the session.
            note = bridge.note() if running else ""
            if note:
                agent_session.generate_reply(user_input=note)

        unsubscribe = bridge.session.late_listeners.subscribe(tell)
        agent_session.on("conversation_item_added", on_item)
        agent_session.on("user_state_changed", on_user_state)
        agent_session.on("agent_state_changed", on_agent_state)
        agent_session.on("close", on_close)
