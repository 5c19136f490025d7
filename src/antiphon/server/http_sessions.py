"""Sessions behind HTTP: shared ones for single requests, and named ones."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Literal, Self, TypeAlias
from uuid import uuid4

from antiphon.contracts import Envelope, Principal, ToolCall
from antiphon.contracts.definition import Mode
from antiphon.contracts.owners import Owners
from antiphon.orchestrator import Orchestrator, Session
from antiphon.orchestrator.call_records import CallRecord
from antiphon.orchestrator.grants import GrantScope
from antiphon.orchestrator.pending_confirmation import AnswerOutcome
from antiphon.server.problems import ProblemError
from antiphon.server.scope import LOCAL_USER, Scope, Wider

# By what requests come that bring no session.
Via: TypeAlias = Literal["rest", "mcp"]
SOURCE: Via = "rest"
MCP: Via = "mcp"
SHARED = frozenset({"rest-text", "rest-voice", "mcp-text"})


def is_shared(session_id: str) -> bool:
    """Whether a session is one that requests without a session share."""
    name, _, _ = session_id.partition("~")
    return name in SHARED


class HttpSessions:
    """Finds, makes and uses sessions for HTTP requests.

    Requests without a session share one for each mode, and those of MCP clients another. It is
    durable: a key that is sent again after a restart finds the call that it belongs to. Each such
    request is a turn of its own.

    `of` gives those of one principal: their sessions are theirs alone, the shared ones too, and
    those of others do not exist. Without a principal everything is seen, as user `local`.
    """

    def __init__(self, orchestrator: Orchestrator, principal: Principal | None = None) -> None:
        self._orchestrator = orchestrator
        self.scope = Scope(orchestrator.store, principal)
        self._finding = asyncio.Lock()  # two requests at once must not resume a session twice
        self._fresh: set[str] = set()  # shared sessions whose first turn has not been used

    def of(self, principal: Principal | None) -> Self:
        """The same sessions as one principal sees them."""
        if principal is None:
            return self
        bound = type(self)(self._orchestrator, principal)
        bound._finding, bound._fresh = self._finding, self._fresh
        return bound

    @property
    def user(self) -> str:
        """The user on whose behalf the request is made."""
        return self.scope.user

    @property
    def data(self) -> Mapping[str, Any] | None:
        """What the application knows of the principal; None: there is none."""
        return self.scope.data

    async def approved_owners(self) -> list[Owners]:
        """Those for whose calls the principal may be the second person who approves."""
        principal = self.scope.principal
        if principal is None:
            return []
        users = principal.approves_for
        if "*" not in users:
            return [Owners(user) for user in sorted(users) if await self.approves_for(user)]
        everybody = [Owners(principal.user, principal.organisation)]
        # Whose calls are of the first organisation, and who is no user of it.
        return everybody if principal.organisation else [*everybody, Owners(LOCAL_USER)]

    async def approves_for(self, user: str) -> bool:
        """Whether the principal may be the second person for calls of a user: as the application
        says in the principal's data, or by their roles, within their organisation."""
        principal = self.scope.principal
        if principal is None or not principal.may_approve_for(user):
            return False
        return principal.rights is None or await self.scope.is_colleague(user)

    def answering_as(self, owner: str, asked: str | None) -> str:
        """Who answers a question to `owner`: the principal; without one, whoever the request
        names, else `owner`. Raises a 403 problem for another principal's name."""
        return self.scope.own_name(asked) or owner

    async def asked_session(self, id: str, owner: str) -> Session:
        """The session in which a question to `owner` waits. Raises a 404 problem."""
        if self.scope.owns(owner):
            return await self.find(id)
        everybody = type(self)(self._orchestrator)  # whoever calls this may approve for `owner`
        everybody._finding, everybody._fresh = self._finding, self._fresh
        return await everybody.find(id)

    def shared_id(self, mode: Mode, via: Via = SOURCE) -> str:
        """The id of the session of requests that bring none."""
        name = f"{via}-{mode}"
        if self.scope.principal is None:
            return name
        return f"{name}~{sha256(self.user.encode()).hexdigest()[:32]}"

    async def shared(self, mode: Mode, via: Via = SOURCE) -> Session:
        orchestrator = self._orchestrator
        name = self.shared_id(mode, via)
        async with self._finding:
            session, today = orchestrator.sessions.get(name), orchestrator.registry_snapshot()
            if session is not None and session.snapshot.base is not today:
                # No conversation holds on to the old tools; the next request takes today's.
                await self._let_go(session)
                session = None
            if session is None:
                session = await self._resumed(name)
            if session is None:
                session = orchestrator.session(
                    mode, self.user, id=name, shared=True, principal=self.scope.principal
                )
                self._fresh.add(name)
                await orchestrator.save(session)
        return self._updated(session)

    def _updated(self, session: Session) -> Session:
        """The session with the principal as they are today: of each request, as their rights and
        data may change. In the session of somebody else it is that person's."""
        principal = self.scope.principal
        if principal is not None and principal.user == session.user:
            session.set_principal(principal)
        return session

    async def _let_go(self, session: Session) -> None:
        orchestrator = self._orchestrator
        await orchestrator.save(session)
        orchestrator.sessions.pop(session.id, None)
        lived = (orchestrator.now() - session.created_at) * 1000
        orchestrator.metrics.session_ended(lived, session.calls, session.view.turn.number)

    async def find(self, id: str, permission: Wider | None = None) -> Session:
        """The session of that id, with `permission` also one of somebody else whose things it
        opens. Raises a 404 problem when there is none, or it has ended."""
        session = await self.resumed(id)
        if session is None and permission is not None:
            row = await self._orchestrator.store.session(id)
            if row is not None and await self.scope.includes(row.user, permission):
                return await self.asked_session(id, row.user)
        if session is None:
            known = await self._orchestrator.store.session(id)
            there = known is not None and self.scope.owns(known.user)
            said = "has ended" if there else "does not exist"
            raise ProblemError(
                404,
                f"The session `{id[:200]}` {said}. POST /api/sessions starts one; leave session_id "
                "out to call without one.",
            )
        return self._updated(session)

    async def resumed(self, id: str) -> Session | None:
        """The session of that id, from this life of the server or an earlier one."""
        async with self._finding:
            return await self._resumed(id)

    async def _resumed(self, id: str) -> Session | None:
        orchestrator = self._orchestrator
        known = orchestrator.sessions.get(id)
        if known is not None:
            return known if self.scope.owns(known.user) else None
        if self.scope.principal is not None:
            row = await orchestrator.store.session(id)
            if row is None or not self.scope.owns(row.user):
                return None
        session = await orchestrator.resume(
            id, shared=is_shared(id), principal=self.scope.principal
        )
        if session is not None:
            session.append_audit("session_resumed", details={"via": SOURCE})
        return session

    async def create(self, mode: Mode, user: str | None) -> Session:
        owner = self.scope.own_name(user) or LOCAL_USER
        session = self._orchestrator.session(mode, owner, principal=self.scope.principal)
        session.append_audit("session_started", details={"via": SOURCE})
        await self._orchestrator.save(session)
        return session

    # -- calls -------------------------------------------------------------------------------

    async def call_shared(
        self, mode: Mode, tool_id: str, args: dict[str, Any], key: str | None, via: Via = SOURCE
    ) -> Envelope:
        """Dispatch a call in the shared session, as a turn of its own with a whole budget."""
        session = await self.shared(mode, via)
        # Without a key of the client's every request is another call, whatever it says.
        call = ToolCall(None, tool_id, args, key or uuid4().hex)
        await self._recall(session, call)
        # Nothing may be awaited between the two: requests that run side by side share the
        # session, and the decision belongs into the turn that was opened for it.
        if session.id in self._fresh:
            self._fresh.discard(session.id)
        else:
            session.end_turn()
        envelope = await self._updated(session).dispatch(call, source=via)
        # Nobody talks in a shared session: what a call asked to happen to it is over with the call.
        session.state.clear_effects()
        self._forget_messages(session)
        return envelope

    async def call_in(
        self, session: Session, tool_id: str, args: dict[str, Any], key: str | None
    ) -> Envelope:
        """Dispatch a call in the session's current turn."""
        call = ToolCall(None, tool_id, args, key)
        await self._recall(session, call)
        # Whoever else uses the session meanwhile may have come with another credential.
        return await self._updated(session).dispatch(call, source=SOURCE)

    async def _recall(self, session: Session, call: ToolCall) -> None:
        """A session forgets after some turns which keys it has seen; the ledger does not."""
        tool = session.snapshot.tools.get(call.name)
        if call.client_key is None or tool is None or not tool.definition.writes:
            return
        key = f"client:{call.client_key}"
        if key in session.recent:
            return
        row = await self._orchestrator.store.find(session.id, key)
        # One that runs elsewhere right now is for the ledger to answer.
        if row is not None and row.state != "running" and key not in session.recent:
            session.remember(CallRecord.from_row(row, tool))

    async def confirm(
        self,
        session: Session,
        id: str,
        token: str,
        approve: bool,
        remember: GrantScope | None = None,
        *,
        args: dict[str, Any] | None = None,
        by: str | None = None,
    ) -> AnswerOutcome:
        other = None if by == session.user else by
        answer = await session.answer_confirmation(
            *(id, token, approve, remember),
            args=args,
            by=other,
            approver=None if other is None else self.scope.principal,
        )
        if is_shared(session.id):
            self._forget_messages(session)
        return answer

    async def deny(self, session: Session, id: str, by: str) -> AnswerOutcome:
        answer = await self._orchestrator.confirmations.deny(session, id, by)
        if is_shared(session.id):
            self._forget_messages(session)
        return answer

    def _forget_messages(self, session: Session) -> None:
        # Nobody listens on a shared session. What is open is asked for at /api/confirmations, and
        # a late result is had by sending the same key again.
        session.drain_late_results()
        session.drain_messages()

    async def save_all(self) -> None:
        """Save the turn counter and state of every session; called before the server stops."""
        for session in list(self._orchestrator.sessions.values()):
            await self._orchestrator.save(session)
