"""Mount paths: what of a request's path is ours, and what is the host application's prefix."""

from __future__ import annotations

import re

from starlette.types import Scope

# Addresses of this server as texts name them.
_OWN = re.compile(r"(?<![\w/.])(?=/(?:api/|ws/|console/|metrics\b|openapi\.json))")


def route_path(scope: Scope) -> str:
    """The path below the mount: `/api/chat` for `/voice/api/chat` under the prefix `/voice`."""
    path: str = scope["path"]
    prefix = mount_prefix(scope)
    return path[len(prefix) :] if prefix and path.startswith(f"{prefix}/") else path


def mount_prefix(scope: Scope) -> str:
    """The prefix that the server is mounted under, without its last slash; empty at the root."""
    return str(scope.get("root_path", "")).rstrip("/")


def with_prefix(scope: Scope, text: str) -> str:
    """`text` with the mount's prefix before each address of this server that it names."""
    prefix = mount_prefix(scope)
    return _OWN.sub(lambda _: prefix, text) if prefix else text
