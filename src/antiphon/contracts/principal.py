"""Principal: the person or program on whose behalf a request is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from antiphon.contracts.rights import Rights
from antiphon.contracts.session_data import session_data

MAX_USER = 200


@dataclass(frozen=True, slots=True)
class Principal:
    """Who makes a request: `user` owns the sessions, `data` becomes their `session.data`.

    `data` (a locale, a plan) is JSON, copied and read-only. `organisation` is whose knowledge and
    usage it is ('' where there is but one), `roles` are the names that `availability.roles` looks
    for, and `rights` what may be done: None leaves that to the application, which then lets its
    principals use every tool and see their own things. `credential` is the id of the browser
    session or token that was shown, for the audit. Raises ValueError for other data and for a
    `user` that is empty or longer than 200 characters, TypeError for one that is no text.
    """

    user: str
    data: Mapping[str, Any] = field(default_factory=dict)
    organisation: str = ""
    roles: tuple[str, ...] = ()
    rights: Rights | None = None
    credential: str = ""

    def __post_init__(self) -> None:
        for name in ("user", "organisation", "credential"):
            value = getattr(self, name)
            if not isinstance(value, str):
                raise TypeError(
                    f"Principal.{name} must be a str, not {type(value).__name__}. A number is "
                    "given as str(number)."
                )
        if not 1 <= len(self.user) <= MAX_USER:
            raise ValueError(
                f"Principal.user must have 1 to {MAX_USER} characters; this one has "
                f"{len(self.user)}."
            )
        object.__setattr__(self, "roles", tuple(self.roles))
        object.__setattr__(self, "data", session_data(self.data))

    def may(self, permission: str) -> bool:
        """Whether it has a permission. One without `rights` has what concerns its own things."""
        if self.rights is None:
            return permission in OWN_PERMISSIONS
        return permission in self.rights.permissions


# What principals have that a host application names without rights of their own.
OWN_PERMISSIONS = frozenset({"tools.call", "workspace.write", "knowledge.read", "knowledge.write"})
