"""Limits: what each of them bounds, and the refusal of what is beyond one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from math import ceil
from typing import Any, Literal, Protocol

from antiphon.contracts.principal import Principal

# How a limit is counted: a pace with a burst, a window that slides, things that are open at once,
# a day of UTC, the size of one thing, or what is kept.
Counting = Literal["pace", "window", "open", "day", "size", "kept"]
# Whose limit it is: one user's, or that of everybody in an organisation together.
LimitScope = Literal["user", "organisation"]

UNLIMITED = "unlimited"
SCOPES: tuple[LimitScope, ...] = ("user", "organisation")


@dataclass(frozen=True, slots=True)
class LimitKind:
    """One thing that is bounded: its name, how it is counted, and words after the number.

    `seconds` is the length of a window. A `pace` lets through so much at once as `burst` names,
    another limit; without one, what comes in `seconds`.
    """

    name: str
    counting: Counting
    words: str
    seconds: float = 0.0
    burst: str = ""


KINDS: Mapping[str, LimitKind] = {
    kind.name: kind
    for kind in (
        LimitKind("requests_per_second", "pace", "requests a second", burst="request_burst"),
        LimitKind("request_burst", "size", "requests at once"),
        LimitKind("bytes_per_second", "pace", "bytes a second", seconds=10.0),
        LimitKind("calls_per_minute", "window", "tool calls a minute", 60.0),
        LimitKind("calls_per_hour", "window", "tool calls an hour", 3600.0),
        LimitKind("sockets", "open", "sockets at once"),
        LimitKind("sessions", "open", "open sessions"),
        LimitKind("tasks", "open", "background tasks and runs at once"),
        LimitKind("upload_bytes", "size", "bytes in one file"),
        LimitKind("uploads_per_day", "day", "files a day"),
        LimitKind("upload_bytes_per_day", "day", "bytes of files a day"),
        LimitKind("heard_seconds_per_day", "day", "seconds of speech heard a day"),
        LimitKind("spoken_seconds_per_day", "day", "seconds of speech spoken a day"),
        LimitKind("knowledge_bytes", "kept", "bytes of knowledge"),
    )
}


@dataclass(frozen=True, slots=True)
class LimitSubject:
    """Who is counted: a user, with what makes their limits others than those of most."""

    user: str
    organisation: str = ""
    roles: tuple[str, ...] = ()

    def name(self, scope: LimitScope) -> str:
        """The user or the organisation."""
        return self.user if scope == "user" else self.organisation


@dataclass(frozen=True, slots=True)
class LimitReached:
    """A limit that leaves no room: which, whose, how much of it is used, and the seconds until
    there is room again (None: once something is given back)."""

    limit: str
    scope: LimitScope
    most: float
    used: float
    wait: float | None = None

    @property
    def message(self) -> str:
        """What is wrong and what to do."""
        whose = "You have" if self.scope == "user" else "Your organisation has"
        kind = KINDS[self.limit]
        return (
            f"{whose} reached the limit `{self.limit}`: {number(self.most)} {kind.words}. "
            f"{self._advice(kind)}"
        )

    def _advice(self, kind: LimitKind) -> str:
        if self.wait is not None:
            return f"Try again in {self.retry_after} s."
        if kind.counting == "open":
            return "End one of them, or wait until one has ended."
        if kind.counting == "size":
            return "Send less at once, or ask an administrator for more."
        return "Delete something, or ask an administrator for more."

    @property
    def retry_after(self) -> int | None:
        """Whole seconds, for the header of that name."""
        return None if self.wait is None else max(1, ceil(self.wait))

    @property
    def members(self) -> dict[str, Any]:
        """The same for programs."""
        members: dict[str, Any] = {
            "limit": self.limit,
            "scope": self.scope,
            "most": self.most,
            "used": round(self.used, 3),
        }
        if self.wait is not None:
            members["retryAfter"] = round(max(0.001, self.wait), 3)
        return members


class LimitRefused(Exception):
    """What was asked for is beyond a limit; nothing was done."""

    def __init__(self, reached: LimitReached) -> None:
        super().__init__(reached.message)
        self.reached = reached


class CallLimits(Protocol):
    """The limits that calls are held to, whoever counts them."""

    async def take_call(self, subject: LimitSubject) -> LimitReached | None:
        """Count a tool call; return the limit that has no room for it."""

    def check_open(
        self, subject: LimitSubject, limit: str, count: Callable[[LimitScope], int]
    ) -> None:
        """Raise LimitRefused unless one more may be open beside those that `count` finds."""

    def held(self, subject: LimitSubject | None, limit: str) -> AbstractContextManager[None]:
        """Count one thing as open until the context is left; entering raises LimitRefused."""


def subject_of(principal: Principal | None) -> LimitSubject | None:
    """Who is counted for a principal; None: nobody is."""
    if principal is None:
        return None
    return LimitSubject(principal.user, principal.organisation, principal.roles)


class LimitsAway(Exception):
    """The store cannot be asked how much is used, so nothing that it counts is let through."""


def number(value: float) -> str:
    """A number as people read it."""
    return f"{value:,.10g}" if value != int(value) else f"{int(value):,}"
