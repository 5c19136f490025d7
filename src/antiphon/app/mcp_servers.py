"""MCP manager factory: the MCP servers of the settings and of the store."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from antiphon.mcp.manager import McpManager
from antiphon.mcp.server_book import McpServerBook
from antiphon.mcp.server_options import ServerOptions
from antiphon.mcp.user_sign_in import UserSignIn

if TYPE_CHECKING:
    from antiphon.config import Settings
    from antiphon.config.mcp_servers import McpServerSettings
    from antiphon.registry import Registry
    from antiphon.storage import Store


def server_options(name: str, section: McpServerSettings) -> ServerOptions:
    """The options of a server, as its section of the settings has them."""
    given: dict[str, Any] = section.options()
    lists = {key: tuple(value) for key, value in given.items() if isinstance(value, list)}
    return ServerOptions(name, **{**given, **lists})


def mcp_manager(
    settings: Settings,
    store: Store,
    registry: Registry | None,
    *,
    clock: Callable[[], float] | None = None,
) -> McpManager:
    """Make the manager over an open store; nothing is read or connected yet."""
    book = McpServerBook(store, clock=clock)
    allowed = tuple(settings.egress.allowed)
    return McpManager(
        book,
        [server_options(*each) for each in settings.mcp_servers.by_name.items()],
        registry=registry,
        sign_in=UserSignIn(
            book,
            public_url=settings.access.public_url,
            allowed=allowed,
            record=store.append_audit,
        ),
        allowed=allowed,
        record=store.append_audit,
    )
