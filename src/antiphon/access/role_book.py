"""Roles of the directory: those of an organisation, beside the built-in ones."""

from __future__ import annotations

from sqlalchemy import delete, insert, select, update

from antiphon.access.book import SERVER_WIDE, AccessBook, Change, from_json, to_json
from antiphon.access.errors import AccessError
from antiphon.access.names import role_name, shown
from antiphon.access.role_content import role_content
from antiphon.access.roles import BUILT_IN, Role, resolved
from antiphon.contracts.rights import RightsError
from antiphon.storage.tables import roles, user_groups, users


class RoleBook(AccessBook):
    """The roles of organisations."""

    async def roles(self, organisation: str = "") -> list[Role]:
        """The built-in roles, then those of the organisation by name."""

        def work(at: Change) -> list[Role]:
            self._check_organisation(at, organisation)
            found = self._roles_of(at, organisation)
            own = sorted(found.keys() - BUILT_IN.keys())
            return [*BUILT_IN.values(), *(found[name] for name in own)]

        return await self._read(work)

    async def set_role(self, organisation: str, role: Role, by: str) -> Role:
        """Make or replace a role. Raises RightsError for one that is built in, that includes
        itself or a role that is not there; AccessError for its name."""
        role_name(role.name)
        if role.name in BUILT_IN:
            raise RightsError(
                f"the role {role.name!r} is built in and cannot be changed. Make a role of another "
                "name that includes it."
            )
        if organisation and SERVER_WIDE in role.permissions:
            raise RightsError(f"`{SERVER_WIDE}` is for roles of the first organisation alone")

        def work(at: Change) -> Role:
            self._check_organisation(at, organisation)
            before = self._roles_of(at, organisation)
            resolved([*before, role.name], {**before, role.name: role})
            content = role_content(role)
            values = {"content": to_json(content), "updated_at": at.now}
            mine = (roles.c.organisation == organisation) & (roles.c.name == role.name)
            if role.name in before:
                at.connection.execute(update(roles).where(mine).values(**values))
            else:
                at.connection.execute(
                    insert(roles).values(organisation=organisation, name=role.name, **values)
                )
            at.record(
                "role_changed",
                by=by,
                organisation=organisation,
                details={"role": role.name, **content},
            )
            return role

        return await self._change(work)

    async def remove_role(self, organisation: str, name: str, by: str) -> None:
        """Remove a role that nobody has. Raises RightsError for a built-in one; AccessError."""
        if name in BUILT_IN:
            raise RightsError(f"the role {name!r} is built in and cannot be removed")

        def work(at: Change) -> None:
            found = self._roles_of(at, organisation)
            if name not in found:
                raise AccessError(f"There is no role {shown(name)}.", "missing")
            if used := self._use_of(at, organisation, name, found):
                raise AccessError(f"The role {name!r} is in use: {used}.", "conflict")
            at.connection.execute(
                delete(roles).where(roles.c.organisation == organisation, roles.c.name == name)
            )
            at.record("role_changed", by=by, organisation=organisation, details={"removed": name})

        await self._change(work)

    def _use_of(
        self, at: Change, organisation: str, name: str, found: dict[str, Role]
    ) -> str | None:
        """Who or what has the role, in words; None: nobody."""
        for what, table in (("user", users), ("group", user_groups)):
            rows = at.connection.execute(
                select(table.c.name, table.c.roles).where(table.c.organisation == organisation)
            )
            for row in rows:
                if name in from_json(row.roles):
                    return f"the {what} {row.name!r} has it"
        for role in found.values():
            if name in role.includes:
                return f"the role {role.name!r} includes it"
        return None
