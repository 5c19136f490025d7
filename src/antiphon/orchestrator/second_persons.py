"""Second persons: whether somebody may approve a call that another one has asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from antiphon.contracts import Principal
from antiphon.contracts.principal import PrincipalRefused
from antiphon.orchestrator.pending_confirmation import PendingConfirmation
from antiphon.storage import ConfirmationRow

if TYPE_CHECKING:
    from antiphon.orchestrator.orchestrator import Orchestrator
    from antiphon.orchestrator.session import Session


class SecondPersons:
    """The check of approvals by others against their rights of today.

    Where nobody signs in, any name may be given. The principal of an application, which has no
    rights of its own, approves for those that the application names.
    """

    def __init__(self, orchestrator: Orchestrator) -> None:
        self._orchestrator = orchestrator

    async def objection(
        self,
        session: Session,
        pending: PendingConfirmation,
        row: ConfirmationRow,
        name: str,
        person: Principal | None = None,
    ) -> str | None:
        """Return why a person may not approve the call in `row` as somebody else than the one who
        asked for it, in words. Without `person` they are looked up, where the asker has rights."""
        asker = session.principal
        if person is None and (asker is None or asker.rights is None):
            return None
        if person is None:
            look_up = self._orchestrator.principals
            if look_up is None:
                return f"What {name} may approve cannot be looked up here."
            try:
                person = await look_up(name, "")
            except PrincipalRefused as refused:
                return refused.reason
        fields = session.view.fields
        if person.rights is not None and person.organisation != (fields.get("organisation") or ""):
            return f"{name} is not of the organisation of {session.user}."
        if not person.may_approve_for(session.user):
            return (
                f"{name} may not approve calls of {session.user}. That needs the permission "
                "`approvals.answer` and a role that approves for them."
            )
        args = orjson.loads(row.args)
        if person.rights is not None and not person.rights.may_approve(
            pending.tool.definition, session.mode, args, fields
        ):
            return f"{name} may not approve {row.tool_id} with these arguments."
        return None

    async def still_in_force(
        self, session: Session, pending: PendingConfirmation, row: ConfirmationRow
    ) -> list[str]:
        """Return those who have approved a request and still may, and write down whose approval
        holds no longer. The one who asked for it is checked as every call is."""
        kept: list[str] = []
        for name in orjson.loads(row.approvers):
            problem = None
            if name != session.user:
                problem = await self.objection(session, pending, row, name)
            if problem is None:
                kept.append(name)
                continue
            session.append_audit(
                "confirmation_approval_lost",
                tool_id=row.tool_id,
                details={"id": row.id, "by": name, "reason": problem},
            )
        return kept
