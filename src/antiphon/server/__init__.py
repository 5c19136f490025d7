"""HTTP application: routes, WebSocket, guard and error documents."""

from antiphon.server.app import create_app, open_store
from antiphon.server.security import MAX_MESSAGE_BYTES

__all__ = ["MAX_MESSAGE_BYTES", "create_app", "open_store"]
