"""Principal: the person on whose behalf a request is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from antiphon.contracts.session_data import session_data

MAX_USER = 200


@dataclass(frozen=True, slots=True)
class Principal:
    """Who makes a request: `user` owns the sessions, `data` becomes their `session.data`.

    `data` (a tenant, a locale) is JSON, copied and read-only. Raises ValueError for other data
    and for a `user` that is empty or longer than 200 characters, TypeError for one that is no
    text.
    """

    user: str
    data: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.user, str):
            raise TypeError(
                f"Principal.user must be a str, not {type(self.user).__name__}. A number is given "
                "as str(number)."
            )
        if not 1 <= len(self.user) <= MAX_USER:
            raise ValueError(
                f"Principal.user must have 1 to {MAX_USER} characters; this one has "
                f"{len(self.user)}."
            )
        object.__setattr__(self, "data", session_data(self.data))
