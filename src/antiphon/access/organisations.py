"""Organisations of the directory: made, renamed, and removed once nobody is in them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row, delete, func, insert, select, update

from antiphon.access.book import AccessBook, Change
from antiphon.access.errors import AccessError
from antiphon.access.names import label, organisation_id, shown
from antiphon.access.rows import Organisation
from antiphon.storage.tables import organisations, roles, user_groups, users


class OrganisationBook(AccessBook):
    """The organisations beside the first one, which has no row."""

    async def organisations(self) -> list[Organisation]:
        """The organisations by id, without the first one."""
        wanted = select(organisations).where(organisations.c.id != "").order_by("id")
        return await self._read(
            lambda at: [_organisation_of(row) for row in at.connection.execute(wanted)]
        )

    async def create_organisation(self, id: str, name: str, by: str) -> Organisation:
        """Make an organisation. Raises AccessError."""
        values = {"id": organisation_id(id), "name": _name(name)}

        def work(at: Change) -> Organisation:
            if at.connection.execute(select(organisations).filter_by(id=id)).first():
                raise AccessError(
                    f"There is an organisation {shown(id)} already.", "conflict", field="id"
                )
            if at.connection.execute(_people(id)).scalar():
                raise AccessError(
                    f"There was an organisation {shown(id)}, whose things are still there. Choose "
                    "another id.",
                    "conflict",
                    field="id",
                )
            at.connection.execute(insert(organisations).values(**values, created_at=at.now))
            at.record("organisation_changed", by=by, organisation=id, details={"name": name})
            return _organisation_of(_row(at, id))

        return await self._change(work)

    async def rename_organisation(self, id: str, name: str, by: str) -> Organisation:
        """Give an organisation another name. Raises AccessError."""
        given = _name(name)

        def work(at: Change) -> Organisation:
            _row(at, id)
            at.connection.execute(
                update(organisations).where(organisations.c.id == id).values(name=given)
            )
            at.record("organisation_changed", by=by, organisation=id, details={"name": given})
            return _organisation_of(_row(at, id))

        return await self._change(work)

    async def remove_organisation(self, id: str, by: str) -> None:
        """Remove an organisation that no user is in, with its groups and roles. Raises
        AccessError."""

        def work(at: Change) -> None:
            _row(at, id)
            present = at.connection.execute(_people(id).where(users.c.removed_at.is_(None)))
            if count := present.scalar():
                raise AccessError(
                    f"The organisation {shown(id)} has {count} "
                    f"{'user' if count == 1 else 'users'}. Remove them first.",
                    "conflict",
                )
            for table in (user_groups, roles):
                at.connection.execute(delete(table).where(table.c.organisation == id))
            at.connection.execute(delete(organisations).where(organisations.c.id == id))
            at.record("organisation_changed", by=by, organisation=id, details={"removed": True})

        await self._change(work)


def _name(text: str) -> str:
    return label(text, "The name of an organisation", "name", empty=False)


def _people(id: str) -> Any:
    return select(func.count()).select_from(users).where(users.c.organisation == id)


def _row(at: Change, id: str) -> Row[Any]:
    row = at.connection.execute(
        select(organisations).where(organisations.c.id == id, organisations.c.id != "")
    ).one_or_none()
    if row is None:
        raise AccessError(f"There is no organisation {shown(id)}.", "missing")
    return row


def _organisation_of(row: Row[Any]) -> Organisation:
    return Organisation(id=row.id, name=row.name, created_at=row.created_at)
