"""Limit administration: limits of users, roles and organisations, as somebody may set them."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

from antiphon.access.administration import Administration
from antiphon.access.errors import AccessError, AccessRefused
from antiphon.contracts.limits import KINDS, UNLIMITED, LimitSubject, number
from antiphon.limits.book import WHOLE, Amounts, LimitOverride, OverrideFor
from antiphon.limits.limiter import Limiter

Given = Mapping[str, float | str]


class LimitAdministration:
    """The limits as a principal may set them: within one organisation, nobody's wider than those
    of the organisation, which administrators of the whole server set.

    Everything raises AccessError, AccessRefused and StoreError.
    """

    def __init__(self, limiter: Limiter, administration: Administration) -> None:
        self._limiter = limiter
        self._administration = administration

    def organisation(self, asked: str | None) -> str:
        """The organisation that is meant: the one asked for, or one's own."""
        return self._administration.organisation(asked)

    async def subject(self, user: str) -> LimitSubject:
        """A user whom one may see, as the limits know them."""
        found, roster = await self._administration.user(user)
        roles = tuple(role.name for role in roster.roles_of(found))
        return LimitSubject(found.name, found.organisation, roles)

    async def set(
        self, kind: OverrideFor, name: str, given: Given, organisation: str | None = None
    ) -> LimitOverride:
        """Set limits, in place of those that were set; what is not given is as the settings have
        it."""
        own, name = await self._target(kind, name, organisation)
        amounts = _amounts(given)
        if kind != "organisation":
            self._check_within(own, amounts)
        book = self._limiter.book
        made = await book.set_override(own, kind, name, amounts, self._administration.by)
        await self._limiter.load()
        return made

    async def remove(self, kind: OverrideFor, name: str, organisation: str | None = None) -> None:
        """Give back the limits of the settings."""
        own, name = await self._target(kind, name, organisation)
        await self._limiter.book.remove_override(own, kind, name, self._administration.by)
        await self._limiter.load()

    async def _target(
        self, kind: OverrideFor, name: str, organisation: str | None
    ) -> tuple[str, str]:
        """The organisation and the name of whose limits are set."""
        if kind == "user":
            user, _ = await self._administration.user(name)
            if self._administration.is_self(user.name):
                raise AccessRefused(
                    "Nobody sets their own limits. Ask another administrator.", "forbidden"
                )
            return user.organisation, user.name
        own = self.organisation(organisation)
        if kind == "organisation":
            if not self._administration.is_server_wide:
                raise AccessRefused(
                    "The limits of an organisation are set by administrators of the whole server. "
                    "You can set those of its users and roles.",
                    "forbidden",
                )
            return own, WHOLE
        return own, name

    def _check_within(self, organisation: str, amounts: Amounts) -> None:
        whole = self._limiter.organisation_amounts(organisation)
        for name, most in amounts.items():
            bound = whole.get(name)
            if bound is not None and (most is None or most > bound):
                raise AccessError(
                    f"`{name}` may be at most {number(bound)}, which is the limit of the whole "
                    "organisation."
                )


def _amounts(given: Given) -> dict[str, float | None]:
    """The amounts that were given, None for no limit. Raises AccessError."""
    found: dict[str, float | None] = {}
    for name, value in given.items():
        if name not in KINDS:
            raise AccessError(f"There is no limit `{name[:100]}`. There are: {', '.join(KINDS)}.")
        if value == UNLIMITED:
            found[name] = None
        elif isinstance(value, str) or not isfinite(value) or value < 0:
            raise AccessError(f'`{name}` must be a number from 0, or "{UNLIMITED}".')
        else:
            found[name] = value
    return found
