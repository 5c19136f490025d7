"""Access factory: the directory of users and tokens, and their limits, as the settings say."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from antiphon.access.browser_sessions import SessionLifetimes
from antiphon.access.directory import AccessDirectory
from antiphon.access.passwords import PasswordCost
from antiphon.limits.book import LimitBook
from antiphon.limits.limiter import Limiter

if TYPE_CHECKING:
    from antiphon.config import Settings
    from antiphon.storage import Store


def access_directory(
    settings: Settings, store: Store, *, clock: Callable[[], float] | None = None
) -> AccessDirectory:
    """Make the directory over an open store. Without a clock the time is the database's."""
    chosen = settings.access
    return AccessDirectory(
        store,
        lifetimes=SessionLifetimes(
            idle=chosen.idle_hours * 3600,
            absolute=chosen.session_days * 86_400,
            rotation=chosen.rotation_minutes * 60,
        ),
        cost=PasswordCost(chosen.password_memory, chosen.password_passes),
        clock=clock,
    )


def limiter(
    settings: Settings, store: Store, *, clock: Callable[[], float] | None = None
) -> Limiter:
    """Make the limits of users and organisations over an open store; `load` reads those that were
    set. Without a clock days are the database's."""
    chosen = settings.limits
    return Limiter(
        LimitBook(store, clock=clock),
        user=chosen.user.amounts,
        organisation=chosen.organisation.amounts,
        record=store.append_audit,
    )
