"""Access directory: users, groups, roles, tokens, browser sessions and single-use secrets."""

from __future__ import annotations

import time
from collections.abc import Callable

from sqlalchemy import case, delete

from antiphon.access.accounts import AccountBook
from antiphon.access.book import Change
from antiphon.access.browser_sessions import SessionLifetimes
from antiphon.access.errors import AccessRefused
from antiphon.access.groups import GroupBook
from antiphon.access.names import shown
from antiphon.access.organisations import OrganisationBook
from antiphon.access.passkey_book import PasskeyBook
from antiphon.access.passwords import PasswordCost
from antiphon.access.role_book import RoleBook
from antiphon.access.service_tokens import ID_PREFIX as TOKEN_PREFIX
from antiphon.access.service_tokens import find_token
from antiphon.contracts.principal import Principal
from antiphon.storage import Store
from antiphon.storage.tables import browser_sessions, single_use

# How long links and sessions that are over can be told from those that never were, and the rest.
KEPT_SECONDS = 30 * 86_400.0
KEPT_SHORT_SECONDS = 3600.0


class AccessDirectory(AccountBook, PasskeyBook, RoleBook, GroupBook, OrganisationBook):
    """Everything that says who may come in and do what, in the store of a server.

    Changes are in the audit with who made them (`by`); a change that cannot be made leaves nothing
    behind. What was revoked on another node is refused here within a second. `clock` is for tests:
    without it the time is the database's, the same for all nodes.
    """

    def __init__(
        self,
        store: Store,
        *,
        lifetimes: SessionLifetimes | None = None,
        cost: PasswordCost | None = None,
        clock: Callable[[], float] | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(store, clock=clock, monotonic=monotonic, cost=cost)
        self.lifetimes = lifetimes or SessionLifetimes()

    async def purge(self) -> None:
        """Delete what has been over for so long that nobody asks why: secrets for one use, and
        browser sessions."""

        def work(at: Change) -> None:
            is_link = single_use.c.purpose == "link"
            expired = case(
                (is_link, single_use.c.expires_at + KEPT_SECONDS),
                else_=single_use.c.expires_at + KEPT_SHORT_SECONDS,
            )
            at.connection.execute(
                delete(single_use).where(single_use.c.expires_at < at.now, expired < at.now)
            )
            at.connection.execute(
                delete(browser_sessions).where(
                    browser_sessions.c.expires_at < at.now - KEPT_SECONDS
                )
            )

        await self._write(work)

    async def todays_principal(self, user: str, credential: str = "") -> Principal:
        """The principal of a user as of now, for what goes on while nobody is signed in: within
        the bounds of the token that the credential is, if it is one. Raises AccessRefused for a
        user who may not act any more, and for a token that is over."""

        async def look() -> Principal:
            def work(at: Change) -> Principal:
                if credential.startswith(TOKEN_PREFIX):
                    token = find_token(at, credential)
                    if token is None or token.user != user:
                        raise AccessRefused("The token that this began with is gone.", "revoked")
                    return self._token_principal(at, token)
                row = self._find_user(at, user)
                if row is None:
                    raise AccessRefused(f"There is no user {shown(user)} any more.", "revoked")
                return self._resolve(at, row, credential, {})

            return await self._read(work)

        return await self._looked_up(f"today {credential} {user}", credential, look)
