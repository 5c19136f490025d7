"""Groups of the directory: users of an organisation who have roles together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Row, delete, insert, select, update

from antiphon.access.book import AccessBook, Change, from_json, to_json
from antiphon.access.errors import AccessError
from antiphon.access.names import group_name, shown
from antiphon.access.roles import resolved
from antiphon.access.rows import UserGroup
from antiphon.storage.tables import user_groups


class GroupBook(AccessBook):
    """The groups of organisations."""

    async def groups(self, organisation: str = "") -> list[UserGroup]:
        """The groups of an organisation, by name. Raises AccessError."""

        def work(at: Change) -> list[UserGroup]:
            self._check_organisation(at, organisation)
            rows = at.connection.execute(
                select(user_groups).filter_by(organisation=organisation).order_by("name")
            )
            return [_group_of(row) for row in rows]

        return await self._read(work)

    async def set_group(
        self,
        organisation: str,
        name: str,
        *,
        roles: Iterable[str] = (),
        members: Iterable[str] = (),
        by: str,
    ) -> UserGroup:
        """Make or replace a group. Raises AccessError also for a member who is not in the
        organisation; RightsError for a role that is not there."""
        group_name(name)
        given, wanted = list(dict.fromkeys(roles)), list(members)

        def work(at: Change) -> UserGroup:
            self._check_organisation(at, organisation)
            resolved(given, self._roles_of(at, organisation))
            rows = []
            for member in wanted:
                row = self._find_user(at, member)
                if row is None or row.organisation != organisation:
                    raise AccessError(
                        f"There is no user {shown(member)}.", "missing", field="members"
                    )
                rows.append(row)
            names = sorted({row.name for row in rows})
            values = {"roles": to_json(given), "members": to_json(names), "updated_at": at.now}
            if _find(at, organisation, name) is None:
                at.connection.execute(
                    insert(user_groups).values(organisation=organisation, name=name, **values)
                )
            else:
                at.connection.execute(
                    update(user_groups).where(*_is(organisation, name)).values(**values)
                )
            at.record(
                "group_changed",
                by=by,
                organisation=organisation,
                details={"group": name, "roles": given, "members": names},
            )
            return _group_of(_row(at, organisation, name))

        return await self._change(work)

    async def remove_group(self, organisation: str, name: str, by: str) -> None:
        """Remove a group; its members lose its roles. Raises AccessError."""

        def work(at: Change) -> None:
            _row(at, organisation, name)
            at.connection.execute(delete(user_groups).where(*_is(organisation, name)))
            at.record("group_changed", by=by, organisation=organisation, details={"removed": name})

        await self._change(work)


def join_groups(at: Change, user: Row[Any], wanted: Iterable[str]) -> list[str]:
    """Make a user a member of these groups of their organisation, and of no others; return the
    names. Raises AccessError for a group that is not there."""
    names = list(dict.fromkeys(wanted))
    groups = at.connection.execute(
        select(user_groups).filter_by(organisation=user.organisation)
    ).all()
    if missing := sorted(set(names) - {group.name for group in groups}):
        raise AccessError(f"There is no group {shown(missing[0])}.", "missing", field="groups")
    for group in groups:
        members = set(from_json(group.members))
        changed = members | {user.name} if group.name in names else members - {user.name}
        if changed != members:
            at.connection.execute(
                update(user_groups)
                .where(*_is(group.organisation, group.name))
                .values(members=to_json(sorted(changed)), updated_at=at.now)
            )
    return names


def _is(organisation: str, name: str) -> tuple[Any, ...]:
    return user_groups.c.organisation == organisation, user_groups.c.name == name


def _find(at: Change, organisation: str, name: str) -> Row[Any] | None:
    return at.connection.execute(select(user_groups).where(*_is(organisation, name))).one_or_none()


def _row(at: Change, organisation: str, name: str) -> Row[Any]:
    row = _find(at, organisation, name)
    if row is None:
        raise AccessError(f"There is no group {shown(name)}.", "missing")
    return row


def _group_of(row: Row[Any]) -> UserGroup:
    return UserGroup(
        organisation=row.organisation,
        name=row.name,
        roles=tuple(from_json(row.roles)),
        members=tuple(from_json(row.members)),
        updated_at=row.updated_at,
    )
