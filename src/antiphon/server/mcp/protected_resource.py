"""MCP as a protected resource: its address, its metadata (RFC 9728) and its challenges."""

from __future__ import annotations

from typing import Any

from starlette.types import Scope

from antiphon.server.forwarded import scheme_of
from antiphon.server.mount_paths import mount_prefix, route_path

PATH = "/mcp"
METADATA = "/.well-known/oauth-protected-resource"
# What a token of this server has to have.
PERMISSION = "tools.call"


def resource_of(scope: Scope, configured: str | None) -> str:
    """The address that tokens of an identity provider have to be for (RFC 8707)."""
    return configured or f"{_address(scope)}{PATH}"


def metadata_of(
    scope: Scope, configured: str | None, issuers: list[str], scopes: list[str]
) -> dict[str, Any]:
    """What a client has to know to get a token."""
    found: dict[str, Any] = {
        "resource": resource_of(scope, configured),
        "resource_name": "Antiphon",
        "bearer_methods_supported": ["header"],
    }
    if issuers:
        found["authorization_servers"] = issuers
    if scopes:
        found["scopes_supported"] = scopes
    return found


def challenge(scope: Scope, *, error: str = "", scopes: tuple[str, ...] | list[str] = ()) -> str:
    """The `WWW-Authenticate` of a refused request, for an MCP client with where to go on."""
    if scope["type"] != "http" or route_path(scope) != PATH:
        return "Bearer"
    told = {"error": error, "scope": " ".join(scopes)}
    told["resource_metadata"] = f"{_address(scope)}{METADATA}{PATH}"
    return "Bearer " + ", ".join(f'{name}="{value}"' for name, value in told.items() if value)


def _address(scope: Scope) -> str:
    """The address of this server as a request reached it. The guard has checked the name."""
    host = next((value for name, value in scope["headers"] if name == b"host"), b"localhost")
    return f"{scheme_of(scope)}://{host.decode('latin-1')}{mount_prefix(scope)}"
