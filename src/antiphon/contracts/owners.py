"""Owners: the users whose things a query may find."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Owners:
    """One user, and with `organisation` everybody whom the store knows to be in it as well."""

    user: str
    organisation: str | None = None
