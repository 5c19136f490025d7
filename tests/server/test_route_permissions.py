"""The table of permissions: every route is in it, and it decides who may use what."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.routing import iter_route_contexts

from antiphon import Principal
from antiphon.access.roles import BUILT_IN, resolved, rights_of
from antiphon.contracts.rights import PERMISSIONS, Rights
from antiphon.server.route_permissions import OPEN, OWN, PERMISSION_OF, SERVER_WIDE, refusal


def somebody(*roles: str, organisation: str = "", permissions: list[str] | None = None) -> Any:
    rights = rights_of(resolved(roles, BUILT_IN), permissions=permissions)
    return Principal("ada", organisation=organisation, roles=roles, rights=rights)


def test_every_route_is_in_the_table_and_nothing_else_is(serve: Any) -> None:
    there = {("WS", "/ws/vox")} | {
        (method, context.path_format)
        for context in iter_route_contexts(serve.app().router.routes)
        for method in context.methods or ()
        if method != "HEAD"
    }
    assert there == set(PERMISSION_OF)


def test_the_table_names_permissions_that_there_are() -> None:
    for need in PERMISSION_OF.values():
        for each in (need,) if isinstance(need, str) else need:
            assert each in PERMISSIONS or each in (OPEN, OWN)
    assert {path for _, path in PERMISSION_OF} > SERVER_WIDE


def test_what_changes_something_is_open_to_nobody_and_to_no_viewer() -> None:
    viewer = somebody("viewer")
    for (method, path), need in PERMISSION_OF.items():
        if method in ("PUT", "PATCH", "DELETE"):
            assert need != OPEN, path
    assert refusal(viewer, "POST", "/api/projects") is not None
    assert refusal(viewer, "GET", "/api/projects") is None


@pytest.mark.parametrize(
    ("roles", "method", "path", "may"),
    [
        (("member",), "POST", "/api/chat", True),
        (("member",), "GET", "/api/audit", False),
        (("operator",), "GET", "/api/audit", True),
        (("operator",), "POST", "/api/config/keys", False),
        (("admin",), "POST", "/api/config/keys", True),
        (("approver",), "POST", "/api/confirmations/{confirmation_id}", True),
        (("viewer",), "PUT", "/api/knowledge/{database}/edges", False),
        ((), "GET", "/api/chat", False),
        ((), "GET", "/api/vox/voices", True),
    ],
)
def test_roles_permit(roles: tuple[str, ...], method: str, path: str, may: bool) -> None:
    assert (refusal(somebody(*roles), method, path) is None) is may


def test_an_address_that_is_not_in_the_table_is_refused_to_everybody() -> None:
    assert "operator" in str(refusal(somebody("admin"), "GET", "/api/nowhere"))


def test_a_refusal_names_the_permission_and_whom_to_ask() -> None:
    words = str(refusal(somebody("member"), "GET", "/api/audit"))
    assert "`audit.read`" in words
    assert "administrator" in words


def test_what_concerns_the_server_is_for_its_first_organisation() -> None:
    of_another = Rights(frozenset(PERMISSIONS) - {"organisations.manage"})
    principal = Principal("bea", organisation="shop", rights=of_another)
    for path in SERVER_WIDE:
        method = "POST" if ("POST", path) in PERMISSION_OF else "GET"
        assert "first organisation" in str(refusal(principal, method, path))


def test_a_token_for_one_permission_opens_nothing_else() -> None:
    token = somebody("admin", permissions=["metrics.read"])
    assert {
        path
        for (method, path), need in PERMISSION_OF.items()
        if need not in (OPEN, OWN) and refusal(token, method, path) is None
    } == {"/metrics", "/metrics/history", "/metrics/prometheus"}
