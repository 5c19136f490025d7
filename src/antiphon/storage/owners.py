"""Owners in SQL: the one condition that binds a query to the users whose rows it may find."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Select, select

from antiphon.contracts.owners import Owners
from antiphon.storage.tables import users


def owned_by(column: ColumnElement[Any], owners: Owners | None) -> list[ColumnElement[bool]]:
    """Return what a row has to meet to be theirs, by its column of users; None: anybody's."""
    if owners is None:
        return []
    own = column == owners.user
    if owners.organisation is None:
        return [own]
    return [own | column.in_(names_in(owners.organisation))]


def names_in(organisation: str) -> Select[tuple[str]]:
    """Return the query for the names of an organisation's users."""
    return select(users.c.name).where(users.c.organisation == organisation)


def organisation_of(user: str) -> Select[tuple[str]]:
    """Return the query for the organisation of a user; no row for one who is not known."""
    return select(users.c.organisation).where(users.c.name == user)
