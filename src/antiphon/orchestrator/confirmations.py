"""Asking a person: the arguments wait here, frozen, until the person answers on their channel."""

from __future__ import annotations

import asyncio
import logging
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import orjson

from antiphon.contracts import (
    Envelope,
    ErrorType,
    ToolCall,
    ToolDefinition,
    error_body,
    failure,
    make_meta,
)
from antiphon.orchestrator.dispatch import dispatch
from antiphon.orchestrator.previews import render_preview
from antiphon.orchestrator.spoken import affirmation
from antiphon.orchestrator.tokens import Claims, mint, new_nonce, verify
from antiphon.registry.registry import Tool
from antiphon.storage import ConfirmationRow

if TYPE_CHECKING:
    from antiphon.orchestrator.orchestrator import Orchestrator
    from antiphon.orchestrator.session import Session

logger = logging.getLogger(__name__)

SECRET_NAME = "confirmations"  # noqa: S105 - the name of it
REFUSALS = {
    "denied": (ErrorType.CANCELLED, "The user did not approve {tool}. Do not try it again."),
    "expired": (ErrorType.CANCELLED, "The user did not answer in time; {tool} was not run."),
    "void": (
        ErrorType.UNAVAILABLE,
        "The tools have changed since {tool} was asked for; it was not run. Ask anew.",
    ),
}


class Pending:
    """A confirmation that waits for its answer. The arguments are those that were validated."""

    __slots__ = ("args", "call_id", "key", "prompted", "row", "timer", "tool")

    def __init__(
        self, row: ConfirmationRow, tool: Tool, args: dict[str, Any], call_id: str | None
    ) -> None:
        self.row = row
        self.tool = tool
        self.args = args
        self.call_id = call_id
        self.key = row.key
        self.prompted = False
        self.timer: asyncio.TimerHandle | None = None


class Confirmations:
    """All that wait, of all sessions of this process; the store keeps them durable."""

    def __init__(self, orchestrator: Orchestrator) -> None:
        self._orchestrator = orchestrator
        self._secret = orchestrator.store.secret(SECRET_NAME)
        self._pending: dict[str, Pending] = {}
        self._asked: dict[tuple[str, str, bytes], str] = {}

    # -- asking ------------------------------------------------------------------------------

    async def ask(
        self,
        session: Session,
        call: ToolCall,
        tool: Tool,
        canonical: bytes,
        args: dict[str, Any],
        key: str,
    ) -> dict[str, Any]:
        """Freeze a call, ask the person, and give back what the model may know of it."""
        mark = (session.id, tool.definition.tool_id, canonical)
        pending = self._pending.get(self._asked.get(mark, ""))
        if pending is None:
            pending = self._freeze(session, call, tool, args, key)
            self._asked[mark] = pending.row.id
            self._pending[pending.row.id] = pending
            await self._orchestrator.store.add_confirmation(pending.row)
            pending.timer = asyncio.get_running_loop().call_later(
                max(0.0, pending.row.expires_at - self._orchestrator.now()),
                self._expire,
                session,
                pending,
            )
            await session.send(self.request(session, pending))
        row = pending.row
        return {
            "id": row.id,
            "tool": row.tool_id,
            "preview": row.preview,
            "expires_at": row.expires_at,
        }

    def _freeze(
        self, session: Session, call: ToolCall, tool: Tool, args: dict[str, Any], key: str
    ) -> Pending:
        now = self._orchestrator.now()
        definition = tool.definition
        frozen = orjson.dumps(args, option=orjson.OPT_SORT_KEYS)
        row = ConfirmationRow(
            id=uuid4().hex,
            session_id=session.id,
            user=session.user,
            tool_id=definition.tool_id,
            args=frozen,
            args_digest=sha256(frozen).hexdigest(),
            registry_version=session.snapshot.version,
            nonce=new_nonce(),
            key=key,
            turn=session.view.turn.number,
            risk=definition.risk,
            preview=render_preview(definition, args).text,
            status="pending",
            created_at=now,
            expires_at=now + self._orchestrator.policy.confirmation_seconds,
            resolved_at=None,
        )
        return Pending(row, tool, orjson.loads(frozen), call.id)

    def request(self, session: Session, pending: Pending) -> dict[str, Any]:
        """What the person's own channel gets, the token included."""
        row, definition = pending.row, pending.tool.definition
        preview = render_preview(definition, pending.args)
        return {
            "type": "confirmation_required",
            "id": row.id,
            "tool": row.tool_id,
            "title": preview.title,
            "preview": row.preview,
            "fields": preview.fields,
            "risk": row.risk,
            "rule": "confirmation",
            "expires_at": row.expires_at,
            "token": mint(self._secret, self._claims(row)),
            "session_id": session.id,
        }

    def _claims(self, row: ConfirmationRow) -> Claims:
        return Claims(
            confirmation_id=row.id,
            session_id=row.session_id,
            user=row.user,
            tool_id=row.tool_id,
            args_digest=row.args_digest,
            registry_version=row.registry_version,
            nonce=row.nonce,
            expires_at=row.expires_at,
        )

    def waiting(self, session: Session) -> list[dict[str, Any]]:
        """The open requests of a session, tokens included, for its own person only."""
        return [
            self.request(session, pending)
            for pending in self._pending.values()
            if pending.row.session_id == session.id
        ]

    def prompted(self, session: Session, id: str) -> bool:
        """The prompt of a confirmation has been played to the end: a spoken yes counts from now."""
        pending = self._pending.get(id)
        if pending is None or pending.row.session_id != session.id:
            return False
        pending.prompted = True
        return True

    # -- answering ---------------------------------------------------------------------------

    async def answer(self, session: Session, id: str, token: str, approve: bool) -> Envelope:
        """Approve or deny. The envelope is the outcome, as the model gets it, or says why the
        answer was not taken."""
        pending = self._pending.get(id)
        if pending is None or pending.row.session_id != session.id:
            return self._not_taken(session, ErrorType.NOT_FOUND, "There is no such open request.")
        problem = verify(self._secret, token, self._claims(pending.row), self._orchestrator.now())
        if problem is not None:
            session.note(
                "confirmation_refused",
                tool_id=pending.row.tool_id,
                details={"id": id, "reason": problem},
            )
            return self._not_taken(session, ErrorType.AUTH, f"The answer was refused: {problem}.")
        return await self._resolve(session, pending, "approved" if approve else "denied", "channel")

    async def answer_spoken(self, session: Session, utterance: str) -> Envelope | None:
        """A yes or no by voice: only for one open low-risk request, after its prompt was played."""
        said = affirmation(utterance)
        if said is None:
            return None
        open_requests = [p for p in self._pending.values() if p.row.session_id == session.id]
        if len(open_requests) != 1:
            return None
        pending = open_requests[0]
        if said is False:
            return await self._resolve(session, pending, "denied", "voice")
        if pending.row.risk != "low" or not pending.prompted:
            return None
        return await self._resolve(session, pending, "approved", "voice")

    def _expire(self, session: Session, pending: Pending) -> None:
        pending.timer = None
        if pending.row.id in self._pending:
            self._orchestrator.spawn(
                self._resolve(session, pending, "expired", "clock"), "confirmation expiry"
            )

    async def void(self, session: Session, reason: str) -> None:
        """Nothing of this session can be approved any more."""
        for pending in list(self._pending.values()):
            if pending.row.session_id == session.id:
                await self._resolve(session, pending, "void", reason)

    async def _resolve(self, session: Session, pending: Pending, status: str, via: str) -> Envelope:
        row, definition = pending.row, pending.tool.definition
        if status == "approved" and row.registry_version != session.snapshot.version:
            status = "void"
        if row.id not in self._pending or not await self._orchestrator.store.resolve_confirmation(
            row.id, status
        ):
            return self._not_taken(
                session, ErrorType.CONFLICT, "This request has been answered already."
            )
        self._drop(pending)
        if status == "approved":
            call = ToolCall(pending.call_id, row.tool_id, pending.args)
            envelope = await dispatch(session, call, "confirmation", approved=pending.key)
        else:
            envelope = self._denied(session, definition, status)
        session.note(
            "confirmation_resolved",
            tool_id=row.tool_id,
            details={"id": row.id, "outcome": status, "via": via, "ok": envelope["ok"]},
        )
        try:
            await session.send(
                {
                    "type": "confirmation_resolved",
                    "id": row.id,
                    "tool": row.tool_id,
                    "outcome": status,
                    "result": envelope,
                }
            )
        except Exception as error:  # noqa: BLE001 - a channel fails in ways of its own
            logger.info("the outcome of a confirmation did not reach its channel: %r", error)
        call = ToolCall(pending.call_id, row.tool_id, pending.args)
        session.late.append((call, envelope))
        if session.on_late is not None:
            session.on_late(call, envelope)
        return envelope

    def _drop(self, pending: Pending) -> None:
        self._pending.pop(pending.row.id, None)
        self._asked = {m: i for m, i in self._asked.items() if i != pending.row.id}
        if pending.timer is not None:
            pending.timer.cancel()

    def _denied(self, session: Session, definition: ToolDefinition, status: str) -> Envelope:
        kind, words = REFUSALS[status]
        body = error_body(kind, words.format(tool=definition.tool_id), outcome=status)
        meta = make_meta(definition.tool_id, definition.version, session.snapshot.version, 0)
        return failure(body, meta)

    def _not_taken(self, session: Session, type: ErrorType, message: str) -> Envelope:
        meta = make_meta("confirmation", None, session.snapshot.version, 0)
        return failure(error_body(type, message), meta)

    def close(self) -> None:
        """Stop the clocks. What is open stays open in the store."""
        for pending in self._pending.values():
            if pending.timer is not None:
                pending.timer.cancel()
