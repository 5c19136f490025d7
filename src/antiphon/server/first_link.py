"""First link: how the first administrator of a server that asks people to sign in comes in."""

from __future__ import annotations

import logging

from antiphon.access.single_use import LINK_SECONDS, link_address
from antiphon.app import Application
from antiphon.config import Settings

logger = logging.getLogger(__name__)

BY = "(server)"
_EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - to be told apart, not to listen on


async def announce_first_link(application: Application) -> None:
    """Write a link into the log that makes the first administrator, once. Those of earlier starts
    are over. Nothing happens where there are users."""
    secret = await application.access.make_first_link(by=BY)
    if secret is None:
        return
    logger.warning(
        "There are no users yet. Whoever opens this link within %d hours becomes the first "
        "administrator, and it works once: %s",
        LINK_SECONDS // 3600,
        link_address(_base(application.settings), secret),
    )


def _base(settings: Settings) -> str:
    """The address under which the server is reached."""
    if settings.access.public_url is not None:
        return settings.access.public_url
    host = settings.server.host
    name = "localhost" if host in _EVERYWHERE else f"[{host}]" if ":" in host else host
    return f"http://{name}:{settings.server.port}"
