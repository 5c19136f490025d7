"""Standing grants: calls a person allowed once for a session or for always.

Given only with the answer to a confirmation, on the person's own channel. It is the tool as it was
then that is approved: when anything of it changes, the person is asked again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal
from uuid import uuid4

from antiphon.contracts.principal import PrincipalRefused
from antiphon.contracts.rights import Rights
from antiphon.registry.registry import Tool
from antiphon.storage import GrantRow

if TYPE_CHECKING:
    from antiphon.orchestrator.orchestrator import Orchestrator
    from antiphon.orchestrator.session import Session

GrantScope = Literal["session", "always"]


def grantable_scopes(session: Session, tool: Tool) -> list[GrantScope]:
    """The scopes in which a tool may be granted beyond one call. A tool of high risk is asked about
    every time, as is one that two people approve; one that is not idempotent anew in every
    session. A session that several callers share never ends, and an anonymous user is known in no
    other one."""
    definition = tool.definition
    if definition.consent_risk != "low" or definition.approvals > 1:
        return []
    found: list[GrantScope] = [] if session.shared else ["session"]
    if (not tool.writes or definition.idempotent) and not session.user.startswith("anonymous:"):
        found.append("always")
    return found


def scope_of(row: GrantRow) -> GrantScope:
    return "always" if row.session_id is None else "session"


class Grants:
    """The standing grants of all users; the store keeps them durable."""

    def __init__(self, orchestrator: Orchestrator) -> None:
        self._orchestrator = orchestrator
        self._rows: list[GrantRow] = []

    async def load(self) -> None:
        """Reload the grants, with those that other nodes added or revoked."""
        self._rows = await self._orchestrator.store.grants()
        self._in_force()

    def of_user(self, user: str | None = None) -> list[GrantRow]:
        return [row for row in self._rows if user is None or row.user == user]

    def granted_tools(self, session: Session) -> frozenset[str]:
        """Return the tools of a session that need no further approval."""
        if not self._rows:
            return frozenset()
        tools = session.snapshot.tools
        return frozenset(
            row.tool_id
            for row in self._rows
            if row.user == session.user
            and row.session_id in (None, session.id)
            and row.tool_id in tools
            and session.may_use(row.tool_id)
            and tools[row.tool_id].entry["digest"] == row.tool_digest
            and scope_of(row) in grantable_scopes(session, tools[row.tool_id])
        )

    async def grant(self, session: Session, tool: Tool, scope: GrantScope) -> None:
        """Grant a tool in a scope. Durable before it returns."""
        row = GrantRow(
            id=uuid4().hex,
            user=session.user,
            tool_id=tool.definition.tool_id,
            tool_digest=tool.entry["digest"],
            session_id=session.id if scope == "session" else None,
            created_at=self._orchestrator.now(),
        )
        await self._orchestrator.store.add_grant(row)
        self._rows = [*self._rows, row]
        self._in_force()
        session.append_audit(
            "approval_given", tool_id=row.tool_id, details={"id": row.id, "scope": scope}
        )

    def rights_changed(self, session: Session) -> None:
        """Hold the grants of a session to what its principal may do now."""
        session.view.approved = self.granted_tools(session)
        if any(row.user == session.user for row in self._rows):
            self._orchestrator.spawn(self.end_lost(session.user), "grants of lost rights")

    async def end_lost(self, user: str | None = None) -> None:
        """Revoke the grants of users, or of one, for tools that they may not use any more: they are
        asked anew when the right comes back. Whoever cannot be looked up keeps theirs, which are of
        no use meanwhile."""
        look_up = self._orchestrator.principals
        if look_up is None:
            return
        for name in sorted({row.user for row in self._rows if user in (None, row.user)}):
            try:
                rights = (await look_up(name, "")).rights
            except PrincipalRefused:
                continue
            for row in self.of_user(name):
                if rights is not None and self._is_lost(row, rights):
                    await self.revoke(row.id)

    def _is_lost(self, row: GrantRow, rights: Rights) -> bool:
        tool = self._orchestrator.registry_snapshot().tools.get(row.tool_id)
        return tool is not None and not rights.may_see(tool.definition)

    async def revoke(self, id: str) -> GrantRow | None:
        """Revoke a grant and append its audit line; return None if there is no such grant."""
        row = next((row for row in self._rows if row.id == id), None)
        if row is None:
            return None
        await self._drop([row])
        self._orchestrator.store.append_audit(
            {
                "event": "approval_taken_back",
                "at": self._orchestrator.now(),
                "sessionId": row.session_id or "",
                "user": row.user,
                "toolId": row.tool_id,
                "details": {"id": row.id},
            }
        )
        return row

    async def drop_session(self, session: Session) -> None:
        """Delete the grants of a session that has ended."""
        gone = [row for row in self._rows if row.session_id == session.id]
        if gone:
            await self._drop(gone)

    async def _drop(self, gone: list[GrantRow]) -> None:
        ids = [row.id for row in gone]
        # In force at once: a call that is decided meanwhile is not let through any more.
        self._rows = [row for row in self._rows if row.id not in ids]
        self._in_force()
        await self._orchestrator.store.drop_grants(ids)

    def _in_force(self) -> None:
        for session in self._orchestrator.sessions.values():
            session.view.approved = self.granted_tools(session)
