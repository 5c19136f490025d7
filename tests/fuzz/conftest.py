"""The server of the tests of the server."""

from __future__ import annotations

from tests.server.conftest import serve

__all__ = ["serve"]
