"""LangChain and LangGraph: the tools of a session as LangChain tools, and callbacks that end turns.

    governed = SessionToolkit(session)
    agent = create_agent(model, tools=governed.tools, checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "…"}, "callbacks": [governed]}
    result = await agent.ainvoke({"messages": [...]}, config)

A call that a person has to approve interrupts the graph. The value of the interrupt is the request;
`Command(resume={"id": request["id"], "approve": True})` is the person's answer to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from antiphon.adapters.bridge import SessionBridge, confirmation_of, envelope_text, has_failed
from antiphon.adapters.frameworks import missing_framework
from antiphon.contracts import Envelope
from antiphon.orchestrator.session import Session

try:
    from langchain_core.callbacks import AsyncCallbackHandler
    from langchain_core.messages import ToolMessage
    from langchain_core.tools import BaseTool
except ImportError as error:
    raise missing_framework(error, "LangChain", "langchain") from None

__all__ = ["SessionToolkit"]


class SessionToolkit(AsyncCallbackHandler):
    """The tools of an open session (`tools`, for an agent or a `ToolNode`), and the callbacks that
    end its turns: give it to `ainvoke` among the `callbacks`."""

    def __init__(self, session: Session) -> None:
        self.bridge = SessionBridge(session)
        self.tools: list[BaseTool] = [
            _GovernedTool(
                name=tool.name,
                description=tool.description,
                args_schema=tool.parameters,
                bridge=self.bridge,
            )
            for tool in self.bridge.tools
        ]

    async def on_chain_end(self, outputs: Any, *, parent_run_id: Any = None, **_: Any) -> None:  # noqa: ARG002
        """End the turn with the graph's run, unless it only waits for a person."""
        if parent_run_id is None and not self.bridge.waiting():
            self.bridge.end_turn()

    async def on_chain_error(
        self,
        error: BaseException,  # noqa: ARG002
        *,
        parent_run_id: Any = None,
        **_: Any,
    ) -> None:
        """End the turn of a run that failed."""
        await self.on_chain_end(None, parent_run_id=parent_run_id)


class _GovernedTool(BaseTool):
    """One tool of a session. LangChain checks nothing of the arguments: the gates do."""

    args_schema: dict[str, Any]
    bridge: Any

    async def arun(self, tool_input: Any, *args: Any, **how: Any) -> Any:
        """Run the tool with the arguments and the call's id side by side, so that no argument can
        have the name of something that LangChain passes itself."""
        call = {"call_args": tool_input, "call_id": how.get("tool_call_id")}
        return await super().arun(call, *args, **how)

    def _run(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError(
            f"{self.name} is asynchronous, as its session is: use ainvoke, astream or abatch."
        )

    async def _arun(self, call_args: Any, call_id: str | None) -> Any:
        bridge: SessionBridge = self.bridge
        envelope = None
        if call_id is None or call_id not in bridge.waiting():
            envelope = await bridge.call(self.name, call_args, call_id)
        if call_id is None:
            return envelope_text(envelope or {})
        if envelope is None or confirmation_of(envelope) is not None:
            envelope = await self._ask(call_id, envelope)
        return ToolMessage(
            content=envelope_text(envelope),
            artifact=envelope,
            name=self.name,
            tool_call_id=call_id,
            status="error" if has_failed(envelope) else "success",
        )

    async def _ask(self, call_id: str, asked: Envelope | None) -> Envelope:
        """Interrupt the graph for the person; when it goes on, answer the gate with what they said.
        Outside of a graph the answer comes on the session's own channel."""
        bridge: SessionBridge = self.bridge
        request = bridge.request(call_id) or {}
        try:
            from langgraph.types import interrupt

            approve = _answer_of(interrupt(request), request["id"])
            while approve is None:
                # Resumed values come in the order of the node's interrupts: that one was for
                # another call, which was answered and does not ask again.
                approve = _answer_of(interrupt(request), request["id"])
        except (ImportError, KeyError, RuntimeError):
            if asked is None:
                raise
            bridge.release(call_id)
            return asked
        return await bridge.answer(call_id, approve=approve)


def _answer_of(resumed: Any, request_id: str) -> bool | None:
    """The person's answer in a resumed value; None when it is for another request."""
    if not isinstance(resumed, Mapping) or {"id", "approve"} - resumed.keys():
        raise TypeError(
            "The answer to an approval names its request, so that no answer can reach another one: "
            'Command(resume={"id": request["id"], "approve": True or False})'
        )
    if resumed["id"] != request_id:
        return None
    return resumed["approve"] is True
