"""Principal: the person or program on whose behalf a request is made."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from antiphon.contracts.rights import Rights
from antiphon.contracts.session_data import session_data

MAX_USER = 200


class PrincipalRefused(Exception):
    """Nobody acts in this name, or it cannot be told now; `reason` says why, in words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


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

    @property
    def approves_for(self) -> frozenset[str]:
        """The users, or `*`, for whose calls it may be the second person who approves: by its
        roles, and by its data where the application says so."""
        named = self.data.get("approves_for")
        if not isinstance(named, Sequence) or isinstance(named, str):
            named = ()
        found = frozenset(each for each in named if isinstance(each, str))
        if self.rights is None:
            return found - {"*"}
        return found | self.rights.approves if self.may("approvals.answer") else frozenset()

    def may_approve_for(self, user: str) -> bool:
        """Whether it may be the second person for a call of `user`: never for its own."""
        return user != self.user and not self.approves_for.isdisjoint((user, "*"))


# What principals have that a host application names without rights of their own.
OWN_PERMISSIONS = frozenset({"tools.call", "workspace.write", "knowledge.read", "knowledge.write"})

# Finds the principal of a user as of today, bounded as the credential with this id is ('': as the
# user themselves). Raises PrincipalRefused.
PrincipalLookup: TypeAlias = Callable[[str, str], Awaitable[Principal]]
