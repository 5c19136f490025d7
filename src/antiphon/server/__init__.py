"""HTTP application: routes, WebSocket, guard and error documents."""

from antiphon.server.app import AntiphonServer, create_app
from antiphon.server.authentication import PrincipalHook
from antiphon.server.security import MAX_MESSAGE_BYTES

__all__ = ["MAX_MESSAGE_BYTES", "AntiphonServer", "PrincipalHook", "create_app"]
