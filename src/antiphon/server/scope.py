"""Scope of a request: whose things it may see and change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from antiphon.contracts import Principal
from antiphon.contracts.definition import Mode, ToolDefinition
from antiphon.contracts.owners import Owners
from antiphon.server.problems import ProblemError
from antiphon.storage import Store

# Without sign-in only this machine may connect: everybody is this person.
LOCAL_USER = "local"

# The permissions that open the things of others in the organisation.
Wider = Literal["others.read", "others.manage", "audit.read", "usage.read", "approvals.answer"]


class Scope:
    """The one place that says whose things a principal sees: their own; with a permission for it
    those of their organisation; as administrator of the server, or where no principal is asked
    for, everybody's."""

    def __init__(self, store: Store, principal: Principal | None = None) -> None:
        self.store = store
        self.principal = principal

    @property
    def user(self) -> str:
        """The user on whose behalf the request is made."""
        return LOCAL_USER if self.principal is None else self.principal.user

    @property
    def organisation(self) -> str:
        """The organisation whose knowledge and usage it is."""
        return "" if self.principal is None else self.principal.organisation

    @property
    def data(self) -> Mapping[str, Any] | None:
        """What the application knows of the principal; None: there is none."""
        return None if self.principal is None else self.principal.data

    @property
    def is_server_wide(self) -> bool:
        """Whether what belongs to no organisation may be seen, given the permission for it."""
        return self.organisation == ""

    def may(self, permission: str) -> bool:
        """Whether it has a permission; everybody has all where no principal is asked for."""
        return self.principal is None or self.principal.may(permission)

    @property
    def counted(self) -> str | None:
        """Whose conversations are counted where the server tells how many there are; None:
        everybody's."""
        return None if self.is_server_wide and self.may("metrics.read") else self.user

    def may_use(self, tool: ToolDefinition, mode: Mode | None = None) -> bool:
        """Whether there is such a tool for the principal, in a mode or in any; all there are where
        their rights are not known."""
        rights = None if self.principal is None else self.principal.rights
        return rights is None or rights.may_see(tool, mode)

    def owns(self, user: str) -> bool:
        """Whether what belongs to `user` may be used and changed as one's own."""
        return self.principal is None or self.principal.user == user

    def owners(self, permission: Wider) -> Owners | None:
        """Whose things the permission opens, for a query; None: everybody's."""
        principal = self.principal
        if principal is None:
            return None
        if not principal.may(permission):
            return Owners(principal.user)
        if principal.organisation == "" and principal.may("organisations.manage"):
            return None
        return Owners(principal.user, principal.organisation)

    async def includes(self, user: str, permission: Wider) -> bool:
        """Whether what belongs to `user` is among what the permission opens."""
        return bool(await self.among([user], permission))

    async def among(self, users: Iterable[str], permission: Wider) -> set[str]:
        """Return those of the users whose things the permission opens."""
        given, owners = set(users), self.owners(permission)
        if owners is None:
            return given
        others = given - {owners.user}
        found = given - others
        if owners.organisation is not None and others:
            found |= await self._of_organisation(owners.organisation, others)
        return found

    async def is_colleague(self, user: str) -> bool:
        """Whether a user is of the same organisation. Whom the directory does not know is of the
        first: the operator, and whoever was there before there were users."""
        if self.owns(user):
            return True
        found = await self._organisation_of(user)
        return (found or "") == self.organisation

    async def chosen(self, asked: str | None, permission: Wider) -> Owners | None:
        """Whose things a request is about that may name a user. Raises a 403 problem for one whose
        things it may not see, whether or not there is such a user."""
        if asked is None:
            return self.owners(permission)
        if not await self.includes(asked, permission):
            raise ProblemError(403, f"You are `{self.user}` here. Leave `user` out.")
        return Owners(asked)

    def own_name(self, asked: str | None) -> str | None:
        """The user that a request names for what it begins, or its principal; None: neither.
        Raises a 403 problem for another than the principal."""
        if self.principal is None:
            return asked
        if asked not in (None, self.user):
            raise ProblemError(403, f"You are `{self.user}` here. Leave `user` out.")
        return self.user

    async def _organisation_of(self, user: str) -> str | None:
        from antiphon.storage.owners import organisation_of

        statement = organisation_of(user)
        row = await self.store.run(lambda to: to.execute(statement).first(), writes=False)
        return None if row is None else str(row[0])

    async def _of_organisation(self, organisation: str, users: set[str]) -> set[str]:
        from antiphon.storage.owners import names_in
        from antiphon.storage.tables import users as table

        statement = names_in(organisation).where(table.c.name.in_(sorted(users)))
        return await self.store.run(
            lambda to: {str(name) for (name,) in to.execute(statement)}, writes=False
        )
