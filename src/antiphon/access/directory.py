"""Access directory: users, groups, roles, tokens, browser sessions and single-use secrets."""

from __future__ import annotations

import time
from collections.abc import Callable

from antiphon.access.accounts import AccountBook
from antiphon.access.browser_sessions import SessionLifetimes
from antiphon.access.groups import GroupBook
from antiphon.access.organisations import OrganisationBook
from antiphon.access.passkey_book import PasskeyBook
from antiphon.access.passwords import PasswordCost
from antiphon.access.role_book import RoleBook
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
