"""Access directory: users, groups, roles, tokens, browser sessions and single-use secrets."""

from __future__ import annotations

import time
from collections.abc import Callable

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
