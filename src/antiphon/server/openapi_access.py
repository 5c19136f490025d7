"""Access in the OpenAPI document: what a request shows, and the problems of one that may not."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from antiphon.server.problems import documented
from antiphon.server.route_permissions import OPEN, PERMISSION_OF
from antiphon.server.session_cookies import HTTPS_PREFIX, SESSION

_SCHEMES: dict[str, Any] = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "A service token (`anti_…`), or the admin token of the operator.",
    },
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": HTTPS_PREFIX + SESSION,
        "description": "Set by signing in; on loopback without https it is called "
        f"`{SESSION}`. A request that changes something also needs the `Origin` of this server.",
    },
}
# Where nobody is asked to sign in, nothing is shown.
_NEEDS: list[dict[str, list[str]]] = [{"token": []}, {"session": []}, {}]
_EVERY, _CHANGES, _HAS_BODY = (401, 403, 503), (415,), (413,)


def install_openapi_access(app: FastAPI) -> None:
    """Add to the document of an application how its requests show who makes them."""
    made = app.openapi

    def openapi() -> dict[str, Any]:
        document = made()
        schemes = document.setdefault("components", {}).setdefault("securitySchemes", {})
        if "session" not in schemes:
            schemes.update(_SCHEMES)
            for path, operations in document["paths"].items():
                for method, operation in operations.items():
                    _add(operation, method.upper(), path)
        return document

    app.openapi = openapi  # type: ignore[method-assign]


def _add(operation: dict[str, Any], method: str, path: str) -> None:
    if PERMISSION_OF.get((method, path)) == OPEN:
        operation["security"] = []
        return
    operation["security"] = _NEEDS
    statuses: tuple[int, ...] = _EVERY if method == "GET" else (*_EVERY, *_CHANGES)
    statuses += _HAS_BODY if "requestBody" in operation else ()
    for status, answer in documented(*statuses).items():
        operation["responses"].setdefault(str(status), answer)
