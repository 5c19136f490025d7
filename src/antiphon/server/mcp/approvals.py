"""MCP approvals: a call that a person has to approve, asked by the client or in the console.

A client of the revision 2026-07-28 gets `input_required` with a state that it brings back. The
state is sealed: it holds the confirmation and its token, so that nobody but this server can make,
read or change one, and it is good for the user, tool and arguments of that confirmation alone.
Older clients are asked while their call waits.
"""

from __future__ import annotations

import asyncio
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NoReturn

import orjson
from mcp.server.request_state import AESGCMRequestStateCodec, InvalidRequestState
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
)

from antiphon.contracts import Envelope, ErrorType, error_body, failure, make_meta
from antiphon.server.mcp.call_results import call_result
from antiphon.server.mcp.calls import IDEMPOTENCY_KEY, McpCall, McpCalls
from antiphon.server.mcp.host import McpHost, McpRequest, invalid, is_modern

if TYPE_CHECKING:
    from antiphon.orchestrator import Session
    from antiphon.storage import ConfirmationRow

SECRET_NAME = "mcp approvals"  # noqa: S105 - the name of it
ASKED = "approval"  # the input that is required
APPROVE = "approve"  # its one field
_MAX_STATE = 4000
_MAX_WORDS = 20_000
_FORM = {
    "type": "object",
    "properties": {
        APPROVE: {
            "type": "boolean",
            "title": "Approve",
            "description": "Yes: it is done as described.",
        }
    },
    "required": [APPROVE],
}


class McpApprovals:
    """Answers calls: with their result, with a question to the person, or with where to approve."""

    def __init__(self, host: McpHost, calls: McpCalls) -> None:
        self._host = host
        self._calls = calls
        application = host.application
        self._codec = AESGCMRequestStateCodec([application.store.secret(SECRET_NAME)])
        self._in_console = application.settings.mcp.high_risk_approvals == "console"

    async def answer(
        self, request: McpRequest, call: McpCall, envelope: Envelope
    ) -> CallToolResult | InputRequiredResult:
        """What a client gets for the envelope of a call."""
        asked = self._question(call, envelope)
        if asked is None:
            return call_result(envelope)
        self._calls.remember(call, asked["id"])
        if self._may_ask(request, asked):
            if is_modern(request):
                return _input_required(asked, self._seal(call, asked))
            if request.session.can_send_request:
                return await self._elicited(request, call, envelope, asked)
        return call_result(self._elsewhere(request, envelope))

    async def resume(
        self, request: McpRequest, params: CallToolRequestParams, call: McpCall
    ) -> CallToolResult | InputRequiredResult:
        """Go on with a call whose client brings the person's answer. Raises MCPError for a state
        that is none of this call."""
        sealed = self._unseal(call, params.request_state)
        row = await self._host.application.store.confirmation(sealed["id"])
        self._check(call, row, sealed)
        call = McpCall(
            call.session, call.sessions, call.name, call.args, sealed["key"], call.canonical
        )
        answer = (params.input_responses or {}).get(ASKED)
        asked = self._open_question(call.session, sealed["id"])
        if not isinstance(answer, ElicitResult) or answer.action == "cancel":
            if asked is None:
                return await self._settled(request, call, sealed["id"])
            if isinstance(answer, ElicitResult):
                return call_result(self._elsewhere(request, _waiting(asked, call)))
            return _input_required(asked, str(params.request_state))
        return await self._answered(request, call, sealed["id"], sealed["token"], answer)

    # -- the question

    def _question(self, call: McpCall, envelope: Envelope) -> dict[str, Any] | None:
        """The open request that an envelope tells of; None: it tells of none."""
        error = {} if envelope["ok"] else envelope["error"]
        if error.get("type") != ErrorType.CONFIRMATION_REQUIRED:
            return None
        request = error.get("confirmation_request")
        return self._open_question(call.session, request["id"]) if request else None

    def _open_question(self, session: Session, id: str) -> dict[str, Any] | None:
        open_requests = session.orchestrator.confirmations.waiting(session)
        return next((each for each in open_requests if each["id"] == id), None)

    def _may_ask(self, request: McpRequest, asked: dict[str, Any]) -> bool:
        """Whether the client shows a question to its person, and its answer counts."""
        capabilities = request.session.client_capabilities
        elicitation = None if capabilities is None else capabilities.elicitation
        if elicitation is None or (elicitation.form is None and elicitation.url is not None):
            return False
        if self._in_console and asked["risk"] == "high":
            return False
        # Nobody approves what they cannot be shown as a whole.
        return bool(asked["complete"]) and len(_words(asked)) <= _MAX_WORDS

    def _elsewhere(self, request: McpRequest, envelope: Envelope) -> Envelope:
        """The envelope of a call that waits, with where a person approves it."""
        error = envelope["error"]
        where = (
            f"A person approves or denies it in the console ({self._host.console(request)}) or at "
            "/api/confirmations. Make the same call again afterwards: you get its outcome."
        )
        return {**envelope, "error": {**error, "approve_at": where, "again": IDEMPOTENCY_KEY}}

    # -- the answer

    async def _elicited(
        self, request: McpRequest, call: McpCall, envelope: Envelope, asked: dict[str, Any]
    ) -> CallToolResult:
        left = asked["expires_at"] - self._host.application.orchestrator.now()
        try:
            async with asyncio.timeout(max(0.0, left)):
                answer = await request.session.elicit_form(
                    _words(asked), _FORM, related_request_id=request.request_id
                )
        except (MCPError, TimeoutError, ValueError):
            # The client could not ask after all. Somebody else may have answered meanwhile.
            if self._open_question(call.session, asked["id"]) is None:
                return await self._settled(request, call, asked["id"])
            return call_result(self._elsewhere(request, envelope))
        if answer.action == "cancel":
            return call_result(self._elsewhere(request, envelope))
        return await self._answered(request, call, asked["id"], asked["token"], answer)

    async def _answered(
        self, request: McpRequest, call: McpCall, id: str, token: str, answer: ElicitResult
    ) -> CallToolResult:
        approve = answer.action == "accept" and (answer.content or {}).get(APPROVE) is True
        outcome = await call.sessions.confirm(call.session, id, token, approve)
        if not outcome.accepted:
            error = outcome.envelope["error"]
            if error["type"] != ErrorType.AUTH:  # which is in the audit already
                self._note_refusal(call, id, error["message"])
            return call_result(outcome.envelope)
        if self._open_question(call.session, id) is None:
            self._calls.forget(call)
            return call_result(outcome.envelope)
        return call_result(self._elsewhere(request, outcome.envelope))

    async def _settled(self, request: McpRequest, call: McpCall, id: str) -> CallToolResult:
        """The outcome of a call that somebody has answered elsewhere meanwhile."""
        self._calls.remember(call, id)
        again, envelope = await self._calls.dispatch(request, call)
        if self._question(again, envelope) is not None:
            envelope = self._elsewhere(request, envelope)
        return call_result(envelope)

    # -- the state

    def _seal(self, call: McpCall, asked: dict[str, Any]) -> str:
        content = {
            "id": asked["id"],
            "token": asked["token"],
            "key": call.key,
            "args": _digest(call),
        }
        return self._codec.seal(orjson.dumps(content))

    def _unseal(self, call: McpCall, state: str | None) -> dict[str, str]:
        try:
            if state is None or len(state) > _MAX_STATE:
                raise InvalidRequestState("too long")
            found: dict[str, str] = orjson.loads(self._codec.unseal(state))
        except (InvalidRequestState, ValueError):
            self._refuse(call, "", "the state was not made by this server, or was changed")
        return found

    def _check(self, call: McpCall, row: ConfirmationRow | None, sealed: dict[str, str]) -> None:
        if row is None or row.session_id != call.session.id or row.user != call.session.user:
            self._refuse(call, row.id if row else "", "the state is of another user's call")
        if row.tool_id != call.name or sealed["args"] != _digest(call):
            self._refuse(call, row.id, "the state is of another tool, or of other arguments")

    def _note_refusal(self, call: McpCall, id: str, reason: str) -> None:
        known = call.name in call.session.snapshot.tools
        call.session.append_audit(
            "confirmation_refused",
            tool_id=call.name if known else None,
            details={"id": id, "reason": reason, "via": "mcp"},
        )

    def _refuse(self, call: McpCall, id: str, reason: str) -> NoReturn:
        self._note_refusal(call, id, reason)
        raise invalid(f"The request state is refused: {reason}. Make the call anew without it.")


def _digest(call: McpCall) -> str:
    return sha256(call.canonical or b"").hexdigest()


def _input_required(asked: dict[str, Any], state: str) -> InputRequiredResult:
    question = ElicitRequest(
        params=ElicitRequestFormParams(message=_words(asked), requested_schema=_FORM)
    )
    return InputRequiredResult(input_requests={ASKED: question}, request_state=state)


def _waiting(asked: dict[str, Any], call: McpCall) -> Envelope:
    """The envelope of a call whose person has not said yes or no."""
    definition = call.session.snapshot.tools[call.name].definition
    told = {name: asked[name] for name in ("id", "tool", "title", "preview", "expires_at")}
    body = error_body(
        ErrorType.CONFIRMATION_REQUIRED,
        f"{call.name} waits for a person's approval.",
        confirmation_request=told,
    )
    version = call.session.snapshot.version
    return failure(body, make_meta(call.name, definition.version, version, 0))


def _words(asked: dict[str, Any]) -> str:
    """The question, with every value that will be used."""
    lines = [str(asked["title"])]
    for each in asked["fields"]:
        if not each.get("empty"):
            lines.append(f"{each['label']}: {each['full']}")
    return "\n".join(lines)
