"""Access factory: the directory of users, roles and tokens, as the settings have it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from antiphon.access.browser_sessions import SessionLifetimes
from antiphon.access.directory import AccessDirectory
from antiphon.access.passwords import PasswordCost

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
