"""Client-side function calls: run in the person's browser, asked and answered over the socket."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any
from uuid import uuid4

from antiphon.contracts import ErrorType, ToolError
from antiphon.contracts.session_events import CallDecision, CallStarted
from antiphon.orchestrator import Session
from antiphon.orchestrator.client_call import ClientRequest
from antiphon.server.ws.client_messages import ClientFunctionResult, ProtocolError

ABOUT = "browser_function_result"


class ClientCalls:
    """Pending function calls of one browser."""

    def __init__(self, send: Callable[[CallStarted, int], None]) -> None:
        self._send = send
        self._waiting: dict[str, tuple[str, asyncio.Future[Any]]] = {}
        self._past: deque[str] = deque(maxlen=256)

    async def ask(self, session: Session, request: ClientRequest) -> Any:
        """Ask the browser and wait for its answer. Raises ToolError when it says that it
        failed, or says nothing within the tool's timeout."""
        name = request.tool_id
        fn_call_id, decision = self._identity(request)
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[fn_call_id] = name, answer
        now = session.orchestrator.now()
        asked = CallStarted(fn_call_id, name, request.args, decision, now, server_handled=False)
        self._send(asked, session.view.turn.number)
        tool = session.snapshot.tools[name]
        try:
            async with asyncio.timeout(tool.definition.timeout_ms / 1000):
                result = await answer
        except TimeoutError:
            raise ToolError(
                ErrorType.TRANSIENT,
                f"The browser did not answer {name} in time.",
                partial_side_effects=tool.writes,
            ) from None
        finally:
            del self._waiting[fn_call_id]
            self._past.append(fn_call_id)
        if isinstance(result, dict) and result.get("success") is False:
            said = result.get("error")
            words = said if isinstance(said, str) and said else "it said no more"
            raise ToolError(ErrorType.PERMANENT, f"The browser could not do {name}: {words[:500]}")
        return result

    def answer(self, message: ClientFunctionResult) -> None:
        """Raises ProtocolError for an answer that nobody waits for."""
        waiting = self._waiting.get(message.id)
        if waiting is None:
            why = (
                "was answered already, or its time is over"
                if message.id in self._past
                else "is not known here"
            )
            raise ProtocolError(f"The call `{message.id}` {why}; this result is not used.", ABOUT)
        name, answer = waiting
        if message.name is not None and message.name != name:
            raise ProtocolError(
                f"The call `{message.id}` is one of `{name}`, not of `{message.name}`; this result "
                "is not used.",
                ABOUT,
            )
        if answer.done():
            raise ProtocolError(
                f"The call `{message.id}` was answered already; this result is not used.", ABOUT
            )
        answer.set_result(message.result)

    def _identity(self, request: ClientRequest) -> tuple[str, CallDecision | None]:
        """The model's own id of the call where it has one, so that its result can be told apart."""
        if request.nested:  # a step of a macro, or of another tool
            return f"fc_{uuid4().hex[:16]}", None
        decision = CallDecision("run", request.rule)
        own = request.call.id if isinstance(request.call.id, str) else ""
        free = own and len(own) <= 200 and own not in self._waiting and own not in self._past
        return (own if free else f"fc_{uuid4().hex[:16]}"), decision
