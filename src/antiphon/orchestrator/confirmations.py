"""Pending confirmations: calls frozen until a person approves or denies them on their channel."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, cast
from uuid import uuid4

import orjson

from antiphon.contracts import (
    Envelope,
    ErrorType,
    Principal,
    ToolCall,
)
from antiphon.orchestrator.call_frame import is_unattended
from antiphon.orchestrator.call_origins import concerns, note_destinations, trace_call
from antiphon.orchestrator.call_records import FrozenCall, canonical_json
from antiphon.orchestrator.changed_call import change_call, changed_row, told_changes
from antiphon.orchestrator.dispatch import dispatch
from antiphon.orchestrator.grants import GrantScope, grantable_scopes
from antiphon.orchestrator.origin_sources import trace_origins
from antiphon.orchestrator.pending_confirmation import (
    AnswerOutcome,
    PendingConfirmation,
    answered_already,
    awaits_second,
    denied_envelope,
    not_accepted,
    not_accepted_for,
    not_written,
    preview_call,
)
from antiphon.orchestrator.second_persons import SecondPersons
from antiphon.orchestrator.spoken_consent import classify_consent
from antiphon.orchestrator.tokens import Claims, mint, new_nonce, verify
from antiphon.policy import CallOrigins
from antiphon.policy.provenance_rules import ONE_CALL_RULES
from antiphon.registry.registry import Tool
from antiphon.storage import ConfirmationRow, StoreError

if TYPE_CHECKING:
    from antiphon.contracts.definition import Risk
    from antiphon.contracts.person_messages import (
        ConfirmationRequired,
        ConfirmationResolved,
        Outcome,
        PreviewField,
    )
    from antiphon.orchestrator.orchestrator import Orchestrator
    from antiphon.orchestrator.session import Session

logger = logging.getLogger(__name__)

SECRET_NAME = "confirmations"  # noqa: S105 - the name of it
# A question of a run that a schedule began waits until somebody comes.
UNATTENDED_SECONDS = 24 * 3600.0


def _seconds(session: Session, key: str) -> float:
    """How long a question of a call waits for an answer."""
    if is_unattended(key):
        return UNATTENDED_SECONDS
    return session.view.policy.confirmation_seconds


class Confirmations:
    """The pending confirmations of all sessions of this process; the store keeps them durable."""

    def __init__(self, orchestrator: Orchestrator) -> None:
        self._orchestrator = orchestrator
        self._secret = orchestrator.store.secret(SECRET_NAME)
        self._approvers = SecondPersons(orchestrator)
        self._pending: dict[str, PendingConfirmation] = {}
        self._asked: dict[tuple[str, str, bytes], str] = {}

    # -- asking ------------------------------------------------------------------------------

    async def open_request(
        self,
        session: Session,
        call: ToolCall,
        tool: Tool,
        args: dict[str, Any],
        frozen: FrozenCall,
        rule: str,
        source: str = "agent",
        origins: CallOrigins | None = None,
    ) -> dict[str, Any]:
        """Freeze a call that `rule` wants approved, ask the person, and return what the model may
        know of the request. `source` is who made the call, `origins` where its values come from.

        Raises StoreError when it cannot be stored; then nobody was asked.
        """
        mark = (session.id, tool.definition.tool_id, frozen.canonical)
        pending = self._pending.get(self._asked.get(mark, ""))
        if pending is None:
            read = "" if origins is None else origins.read
            pending = self._freeze(session, call, tool, args, frozen, rule, read)
            # Before anything is awaited: the same call at the same time asks no second time.
            self._asked[mark] = pending.row.id
            self._pending[pending.row.id] = pending
            self._count(session.id)
            try:
                await self._orchestrator.store.add_confirmation(pending.row)
            except StoreError:
                self._drop(pending)
                raise
            if origins is not None:
                pending.take_origins(origins)
            else:
                pending.origins = await trace_origins(session, pending, source)
            self._open(session, pending)
            await self._tell(session, self.request(session, pending))
        row = pending.row
        request: dict[str, Any] = {
            "id": row.id,
            "tool": row.tool_id,
            "title": row.title,
            "preview": row.preview,
            "expires_at": row.expires_at,
        }
        if session.mode == "voice" and pending.question is not None:
            request["question"] = pending.question
        return request

    def _open(self, session: Session, pending: PendingConfirmation) -> None:
        self._pending[pending.row.id] = pending
        self._count(session.id)
        pending.timer = asyncio.get_running_loop().call_later(
            max(0.0, pending.row.expires_at - self._orchestrator.now()),
            self._expire,
            session,
            pending,
        )

    async def reopen(self, session: Session) -> None:
        """Reopen the pending requests of a resumed session; void those whose tools have changed."""
        for row in await self._orchestrator.store.confirmations(
            session_id=session.id, status="pending"
        ):
            tool = session.snapshot.tools.get(row.tool_id)
            if row.id in self._pending:
                continue
            if tool is None or row.registry_version != session.snapshot.version:
                await self._close_row(row, "void")
            else:
                changes = orjson.loads(row.changes) or None
                frozen = FrozenCall(row.key, row.call_hash, row.call_args, changes)
                self._asked[session.id, row.tool_id, row.call_args] = row.id
                args = orjson.loads(row.args)
                question = preview_call(session, tool, args).question
                rule = row.rule or "confirmation"
                pending = PendingConfirmation(row, tool, args, None, frozen, question, rule)
                call = ToolCall(None, row.tool_id, orjson.loads(row.call_args))
                if concerns(tool, session.view.exposure.marks):
                    origins = await trace_call(session, call, tool, None)
                    if origins is not None:
                        pending.take_origins(origins)
                self._open(session, pending)

    async def sweep(self) -> None:
        """Expire requests whose time ran out while no server was running."""
        now = self._orchestrator.now()
        for row in await self._orchestrator.store.confirmations(status="pending", limit=10_000):
            if row.expires_at <= now and row.id not in self._pending:
                await self._close_row(row, "expired")

    async def _close_row(self, row: ConfirmationRow, status: str) -> None:
        if await self._orchestrator.store.resolve_confirmation(row.id, status, via="restart"):
            self._orchestrator.store.append_audit(
                {
                    "event": "confirmation_resolved",
                    "at": self._orchestrator.now(),
                    "sessionId": row.session_id,
                    "user": row.user,
                    "toolId": row.tool_id,
                    "registryVersion": row.registry_version,
                    "details": {"id": row.id, "outcome": status, "via": "restart", "ok": False},
                }
            )

    async def _tell(self, session: Session, message: dict[str, Any]) -> None:
        """Send a message to the person's channel; if it fails, they find the request when they are
        back."""
        try:
            await session.send(message)
        except Exception as error:  # noqa: BLE001 - a channel fails in ways of its own
            logger.info("%s did not reach session %s: %r", message["type"], session.id, error)

    def _freeze(
        self,
        session: Session,
        call: ToolCall,
        tool: Tool,
        args: dict[str, Any],
        frozen: FrozenCall,
        rule: str,
        read: str,
    ) -> PendingConfirmation:
        now = self._orchestrator.now()
        definition = tool.definition
        canonical = canonical_json(args)
        preview = preview_call(session, tool, args)
        row = ConfirmationRow(
            id=uuid4().hex,
            session_id=session.id,
            user=session.user,
            tool_id=definition.tool_id,
            args=canonical,
            args_digest=sha256(canonical).hexdigest(),
            registry_version=session.snapshot.version,
            nonce=new_nonce(),
            key=frozen.key,
            turn=session.view.turn.number,
            risk=definition.consent_risk,
            preview=f"After reading {read}: {preview.text}" if read else preview.text,
            title=preview.title,
            rule=rule,
            call_hash=frozen.hash,
            call_args=frozen.canonical,
            status="pending",
            created_at=now,
            expires_at=now + _seconds(session, frozen.key),
            resolved_at=None,
        )
        return PendingConfirmation(
            row, tool, orjson.loads(canonical), call.id, frozen, preview.question, rule
        )

    def request(
        self, session: Session, pending: PendingConfirmation, by: str | None = None
    ) -> dict[str, Any]:
        """The request for the person's own channel: with the token, and with redacted values
        too. `by` is who gets it where that is not the person of the session."""
        row, origins = pending.row, pending.origins
        preview = preview_call(session, pending.tool, pending.args, redact=False)
        fields = [
            {**each, "origin": origins[each["name"]]} if each["name"] in origins else each
            for each in preview.fields
        ]
        for field in fields:
            if field["name"] in pending.new:
                field["new"] = True
        message: ConfirmationRequired = {
            "type": "confirmation_required",
            "id": row.id,
            "tool": row.tool_id,
            "title": preview.title,
            "preview": row.preview,
            "fields": cast("list[PreviewField]", fields),
            "complete": preview.complete,
            "risk": cast("Risk", row.risk),
            "rule": pending.rule,
            "remember": _offered(session, pending),
            "args": pending.args if preview.complete else None,
            "approvals": pending.tool.definition.approvals,
            "approved_by": pending.approvers,
            "expires_at": row.expires_at,
            "token": mint(self._secret, self._claims(row, by)),
            "session_id": session.id,
        }
        if pending.read:
            message["read_before"] = pending.read
        return cast("dict[str, Any]", message)

    def _claims(self, row: ConfirmationRow, by: str | None) -> Claims:
        return Claims(
            confirmation_id=row.id,
            session_id=row.session_id,
            user=by or row.user,
            tool_id=row.tool_id,
            args_digest=row.args_digest,
            registry_version=row.registry_version,
            nonce=row.nonce,
            expires_at=row.expires_at,
        )

    def waiting(self, session: Session, by: str | None = None) -> list[dict[str, Any]]:
        """Return the open requests of a session, tokens included, for its own person only, or for
        `by`, who may answer in their place."""
        return [self.request(session, pending, by) for pending in self._of(session)]

    def questions(self, session: Session) -> dict[str, tuple[str, int]]:
        """Return the open requests that may be approved by voice: the question of each, and the
        turn in which it was opened."""
        return {
            pending.row.id: (pending.question, pending.row.turn)
            for pending in self._of(session)
            if pending.question is not None
        }

    def mark_prompted(self, session: Session, id: str) -> bool:
        """Note that the question of a request was just asked aloud and heard to its end: if the
        person's next words are a yes, it counts. Return False if there is no such request in this
        session."""
        pending = self._pending.get(id)
        if pending is None or pending.row.session_id != session.id:
            return False
        pending.prompted = True
        return True

    def _of(self, session: Session) -> list[PendingConfirmation]:
        return [each for each in self._pending.values() if each.row.session_id == session.id]

    # -- answering ---------------------------------------------------------------------------

    async def answer(
        self,
        session: Session,
        id: str,
        token: str,
        approve: bool,
        remember: GrantScope | None = None,
        *,
        args: dict[str, Any] | None = None,
        by: str | None = None,
        approver: Principal | None = None,
    ) -> AnswerOutcome:
        """Approve or deny a request; `remember` approves further calls of that tool as well. `args`
        are run in place of those that were asked about. `by` is who answers, where that is not the
        person of the session, and `approver` their principal, where it is known."""
        pending = self._pending.get(id)
        if pending is None or pending.row.session_id != session.id:
            return not_accepted(session, ErrorType.NOT_FOUND, "There is no such open request.")
        row, who = pending.row, by or pending.row.user
        problem = verify(self._secret, token, self._claims(row, by), self._orchestrator.now())
        if problem is not None:
            session.append_audit(
                "confirmation_refused",
                tool_id=row.tool_id,
                details={"id": id, "reason": problem},
            )
            return not_accepted(session, ErrorType.AUTH, f"The answer was refused: {problem}.")
        if not approve:
            if remember is not None or args is not None:
                words = "Only a yes can be remembered, or change values. Leave the rest out."
                return not_accepted(session, ErrorType.VALIDATION, words)
            return await self._settle(session, pending, "denied", "channel", by=who)
        refusal = _remember_refusal(remember, _offered(session, pending))
        if refusal is not None:
            return not_accepted(session, ErrorType.VALIDATION, refusal)
        changed = row
        if args is not None:
            checked = await change_call(session, pending, args)
            if checked.error is not None:
                return not_accepted_for(session, checked.error)
            changed = changed_row(session, pending, checked)
        if by is not None:
            refusal = await self._approvers.objection(session, pending, changed, by, approver)
            if refusal is not None:
                details = {"id": id, "by": by, "reason": refusal}
                session.append_audit("confirmation_refused", tool_id=row.tool_id, details=details)
                return not_accepted(session, ErrorType.AUTH, refusal)
        return await self._approve(session, pending, row, changed, who, remember)

    async def _approve(
        self,
        session: Session,
        pending: PendingConfirmation,
        asked: ConfirmationRow,
        approved: ConfirmationRow,
        who: str,
        remember: GrantScope | None,
    ) -> AnswerOutcome:
        """Take a yes to the request as it is in `approved`: run it, or wait for a second person."""
        approvers = await self._approvers.still_in_force(session, pending, approved)
        if who in approvers:
            words = f"{who} has approved this already. A second person has to approve it, too."
            return not_accepted(session, ErrorType.CONFLICT, words)
        if pending.tool.definition.approvals > 1:
            approved = replace(approved, approvers=orjson.dumps([*approvers, who]).decode())
        if approved is not asked:
            try:
                kept = await self._orchestrator.store.change_confirmation(approved)
            except StoreError as error:
                return not_written(session, error)
            # Nobody is taken to have approved what somebody else changed meanwhile.
            if not kept or pending.row is not asked:
                return answered_already(session)
            pending.apply(approved)
        if len(pending.approvers) < pending.tool.definition.approvals > 1:
            session.append_audit(
                "confirmation_approved",
                tool_id=asked.tool_id,
                details={"id": asked.id, "by": who, **told_changes(approved)},
            )
            await self._tell(session, self.request(session, pending))
            return AnswerOutcome(True, awaits_second(session, pending))
        if pending.row is not approved:
            return answered_already(session)
        return await self._settle(session, pending, "approved", "channel", remember, by=who)

    async def deny(self, session: Session, id: str, by: str) -> AnswerOutcome:
        """Deny a request without its token: nothing can happen by that."""
        pending = self._pending.get(id)
        if pending is None or pending.row.session_id != session.id:
            return not_accepted(session, ErrorType.NOT_FOUND, "There is no such open request.")
        return await self._settle(session, pending, "denied", "inbox", by=by)

    async def answer_spoken(self, session: Session, utterance: str) -> Envelope | None:
        """Answer by voice: a yes is for the low-risk request whose question was just heard, a no
        for that one or for the only open one. Any utterance ends the question."""
        open_requests = self._of(session)
        heard = [pending for pending in open_requests if pending.prompted]
        for pending in heard:
            pending.prompted = False
        said = classify_consent(utterance)
        may_say = len(heard) == 1 and heard[0].question is not None
        if said is True and may_say and heard[0].row.risk == "low":
            return (
                await self._settle(session, heard[0], "approved", "voice", by=session.user)
            ).envelope
        if said is False and len(heard or open_requests) == 1:
            [only] = heard or open_requests
            return (await self._settle(session, only, "denied", "voice", by=session.user)).envelope
        return None

    async def _settle(
        self,
        session: Session,
        pending: PendingConfirmation,
        status: str,
        via: str,
        remember: GrantScope | None = None,
        by: str | None = None,
    ) -> AnswerOutcome:
        """Resolve a request in a task of its own: once the person has answered, the model gets the
        outcome, whatever becomes of the request that brought the answer."""
        work = self._resolve(session, pending, status, via, remember, by)
        try:
            return await asyncio.shield(self._orchestrator.spawn(work, "confirmation answer"))
        except StoreError as error:
            return not_written(session, error)

    def _expire(self, session: Session, pending: PendingConfirmation) -> None:
        pending.timer = None
        if pending.row.id in self._pending:
            self._orchestrator.spawn(
                self._resolve(session, pending, "expired", "clock"), "confirmation expiry"
            )

    async def void(self, session: Session, reason: str) -> None:
        """Void all open requests of a session."""
        for pending in self._of(session):
            await self._resolve(session, pending, "void", reason)

    async def _resolve(
        self,
        session: Session,
        pending: PendingConfirmation,
        status: str,
        via: str,
        remember: GrantScope | None = None,
        by: str | None = None,
    ) -> AnswerOutcome:
        # Taken now: what somebody changes while the store is asked was not approved here.
        row, definition = pending.row, pending.tool.definition
        call, frozen = ToolCall(pending.call_id, row.tool_id, pending.args), pending.frozen
        if status == "approved":
            # The clock may have been set, and the tools reloaded, since the person was asked.
            if self._orchestrator.now() >= row.expires_at:
                status = "expired"
            elif row.registry_version != self._orchestrator.registry_snapshot().version:
                status = "void"
        if row.id not in self._pending or not await self._orchestrator.store.resolve_confirmation(
            row.id, status, by=by, via=via
        ):
            return answered_already(session)
        self._drop(pending)
        if status == "approved":
            if remember is not None:
                await self._orchestrator.grants.grant(session, pending.tool, remember)
            await note_destinations(session, pending.tool, pending.args)
            envelope = await dispatch(session, call, "confirmation", frozen=frozen)
        else:
            envelope = denied_envelope(session, definition, status)
        session.append_audit(
            "confirmation_resolved",
            tool_id=row.tool_id,
            details={
                "id": row.id,
                "outcome": status,
                "via": via,
                "ok": envelope["ok"],
                **({} if by is None else {"by": by}),
                **told_changes(row),
            },
        )
        resolved: ConfirmationResolved = {
            "type": "confirmation_resolved",
            "id": row.id,
            "tool": row.tool_id,
            "outcome": cast("Outcome", status),
            "result": envelope,
        }
        if by is not None:
            resolved["answered_by"] = by
        await self._tell(session, cast("dict[str, Any]", resolved))
        session.queue_late_result(call, envelope)
        return AnswerOutcome(True, envelope)

    def _count(self, session_id: str) -> None:
        """Update the number of open requests that the rules of a session see."""
        session = self._orchestrator.sessions.get(session_id)
        if session is not None:
            session.view.open_questions = len(self._of(session))

    def _drop(self, pending: PendingConfirmation) -> None:
        self._pending.pop(pending.row.id, None)
        self._count(pending.row.session_id)
        self._asked = {m: i for m, i in self._asked.items() if i != pending.row.id}
        if pending.timer is not None:
            pending.timer.cancel()

    def close(self) -> None:
        """Cancel the expiry timers. Open requests stay open in the store."""
        for pending in self._pending.values():
            if pending.timer is not None:
                pending.timer.cancel()


def _offered(session: Session, pending: PendingConfirmation) -> list[GrantScope]:
    """For how long a yes to a request may hold. What a rule of the person's roles wants approved is
    asked anew each time, and so is what text of others may have led to."""
    if pending.rule == "rights" or pending.rule in ONE_CALL_RULES:
        return []
    return grantable_scopes(session, pending.tool)


def _remember_refusal(remember: GrantScope | None, offered: list[GrantScope]) -> str | None:
    if remember is None or remember in offered:
        return None
    allowed = (
        f"for this tool `remember` may be one of: {', '.join(offered)}."
        if offered
        else "a yes to this request holds for one call. Leave `remember` out."
    )
    return f"Not {remember!r}; {allowed}"
