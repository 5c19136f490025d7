"""Permissions of routes: the one table of what a principal needs for each address."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

from starlette.routing import compile_path
from starlette.types import Scope

from antiphon.contracts import Principal
from antiphon.contracts.rights import PERMISSIONS
from antiphon.server.mount_paths import route_path

# A permission, several of which one is enough, or one of the two words below.
Need: TypeAlias = str | tuple[str, ...]
# Everybody, signed in or not.
OPEN: Final = "open"
# Every principal: the address shows and changes what is theirs alone.
OWN: Final = "own"

_TALK = "tools.call"
_READ_ALL = (_TALK, "others.read")
_MANAGE_ALL = (_TALK, "others.manage")
_WRITE = "workspace.write"
_ANSWER = (_TALK, "approvals.answer")
_KNOW, _TEACH = "knowledge.read", "knowledge.write"
_AUDIT, _METRICS = "audit.read", "metrics.read"
_USERS, _ROLES, _ORGANISATIONS = "users.manage", "roles.manage", "organisations.manage"
_LIMITS, _MCP = "limits.manage", "mcp.manage"

SOCKET: Final = "WS"
# By address, then by method.
_TABLE: Mapping[str, Mapping[str, Need]] = {
    "/": {"GET": OPEN},
    "/console/{name}": {"GET": OPEN},
    "/healthz": {"GET": OPEN},
    "/readyz": {"GET": OPEN},
    "/openapi.json": {"GET": OWN},
    "/mcp": {"POST": _TALK, "GET": _TALK, "DELETE": _TALK},
    "/.well-known/oauth-protected-resource": {"GET": OPEN},
    "/.well-known/oauth-protected-resource/mcp": {"GET": OPEN},
    # -- sign-in and one's own account -----------------------------------------------------------
    "/api/sign-in": {"GET": OPEN},
    "/api/sign-in/password": {"POST": OPEN},
    "/api/sign-in/link/look": {"POST": OPEN},
    "/api/sign-in/link": {"POST": OPEN},
    "/api/sign-in/oidc/{provider}": {"GET": OPEN},
    "/api/sign-in/oidc/{provider}/callback": {"GET": OPEN},
    "/api/sign-in/passkey/options": {"POST": OPEN},
    "/api/sign-in/passkey": {"POST": OPEN},
    "/api/sign-out": {"POST": OPEN},
    "/api/account": {"GET": OWN, "PATCH": OWN},
    "/api/account/password": {"PUT": OWN},
    "/api/account/sessions": {"GET": OWN, "DELETE": OWN},
    "/api/account/sessions/{session_id}": {"DELETE": OWN},
    "/api/account/passkeys": {"GET": OWN, "POST": OWN},
    "/api/account/passkeys/options": {"POST": OWN},
    "/api/account/passkeys/{passkey_id}": {"DELETE": OWN},
    "/api/account/ticket": {"POST": OWN},
    # -- tools, conversations, sessions ----------------------------------------------------------
    "/ws/vox": {SOCKET: _TALK},
    "/api/tools": {"GET": _TALK},
    "/api/tools/{tool_id}": {"GET": _TALK},
    "/api/tools/{tool_id}/call": {"POST": _TALK},
    "/api/tasks": {"GET": _READ_ALL},
    "/api/tasks/{task_id}": {"GET": _READ_ALL},
    "/api/tasks/{task_id}/cancel": {"POST": _MANAGE_ALL},
    "/api/sessions": {"GET": _READ_ALL, "POST": _TALK},
    "/api/sessions/{session_id}": {"GET": _READ_ALL, "DELETE": _MANAGE_ALL},
    "/api/sessions/{session_id}/turns": {"POST": _TALK},
    "/api/sessions/{session_id}/timeline": {"GET": _READ_ALL},
    "/api/traces": {"GET": _READ_ALL},
    "/api/traces/{session_id}/{turn}": {"GET": _READ_ALL},
    "/api/traces/{session_id}/{turn}/sound": {"GET": _READ_ALL},
    "/api/confirmations": {"GET": _ANSWER},
    "/api/confirmations/deny": {"POST": _ANSWER},
    "/api/confirmations/{confirmation_id}": {"GET": _ANSWER, "POST": _ANSWER},
    "/api/approvals": {"GET": _READ_ALL},
    "/api/approvals/{approval_id}": {"DELETE": _MANAGE_ALL},
    "/api/blocks": {"GET": _READ_ALL},
    "/api/blocks/{user}": {"DELETE": "others.manage"},
    "/api/chat": {"POST": _TALK},
    "/api/chat/{session_id}/results": {"POST": _TALK},
    "/api/conversations": {"GET": _TALK},
    "/api/conversations/{conversation_id}": {"GET": _TALK, "PATCH": _WRITE, "DELETE": _WRITE},
    "/api/conversations/{conversation_id}/branch": {"POST": _TALK},
    "/api/conversations/{conversation_id}/turns/{turn}/feedback": {"PUT": _TALK},
    "/api/conversations/{conversation_id}/share": {"POST": _WRITE, "DELETE": _WRITE},
    "/api/conversations/{conversation_id}/export": {"GET": _TALK},
    "/api/shared/{token}": {"GET": OWN},
    "/api/search": {"GET": _TALK},
    "/api/profiles": {"GET": _TALK},
    "/api/rules": {"GET": _TALK},
    # -- knowledge -------------------------------------------------------------------------------
    "/api/knowledge": {"GET": _KNOW, "POST": _TEACH},
    "/api/knowledge/{database}": {"GET": _KNOW, "DELETE": _TEACH},
    "/api/knowledge/{database}/search": {"GET": _KNOW},
    "/api/knowledge/{database}/records/{record_id}": {
        "GET": _KNOW,
        "PUT": _TEACH,
        "DELETE": _TEACH,
    },
    "/api/knowledge/{database}/analytics": {"GET": _KNOW},
    "/api/knowledge/{database}/ingest": {"POST": _TEACH},
    "/api/knowledge/{database}/files": {"POST": _TEACH},
    "/api/knowledge/{database}/import": {"POST": _TEACH},
    "/api/knowledge/{database}/export": {"GET": _KNOW},
    "/api/knowledge/{database}/neighbourhood/{record_id}": {"GET": _KNOW},
    "/api/knowledge/{database}/graph": {"GET": _KNOW},
    "/api/knowledge/{database}/edges": {"PUT": _TEACH, "DELETE": _TEACH},
    "/api/playbooks": {"GET": _KNOW},
    "/api/playbooks/{id}": {"GET": _KNOW},
    "/api/experts": {"GET": _KNOW},
    "/api/experts/{id}": {"GET": _KNOW},
    # -- workspace -------------------------------------------------------------------------------
    "/api/projects": {"GET": _TALK, "POST": _WRITE},
    "/api/projects/{project_id}": {"GET": _TALK, "PUT": _WRITE, "DELETE": _WRITE},
    "/api/projects/{project_id}/related": {"GET": _TALK},
    "/api/workflows": {"GET": _TALK},
    "/api/workflows/{name}": {"GET": _TALK},
    "/api/agents": {"GET": _TALK},
    "/api/agents/{name}": {"GET": _TALK},
    "/api/automations": {"GET": _TALK},
    "/api/automations/runs": {"GET": _READ_ALL},
    "/api/automations/runs/{id}": {"GET": _READ_ALL},
    "/api/automations/runs/{id}/stop": {"POST": _MANAGE_ALL},
    "/api/automations/runs/{id}/resume": {"POST": _TALK},
    "/api/automations/{kind}/{name}/run": {"POST": _TALK},
    "/api/schedules": {"GET": _TALK, "POST": _WRITE},
    "/api/schedules/preview": {"POST": _TALK},
    "/api/schedules/{id}": {"PUT": _WRITE, "DELETE": _WRITE},
    "/api/schedules/{id}/run": {"POST": _TALK},
    "/api/calendar/events": {"GET": _TALK, "POST": _WRITE},
    "/api/calendar/events/{id}": {"GET": _TALK, "PUT": _WRITE, "DELETE": _WRITE},
    "/api/calendar/import": {"POST": _WRITE},
    "/api/calendar/export": {"GET": _TALK},
    "/api/calendar/availability": {"GET": _TALK},
    "/api/images/{image_id}": {"GET": _TALK},
    "/api/vox/status": {"GET": OWN},
    "/api/vox/voices": {"GET": OWN},
    "/api/vox/functions": {"GET": _TALK},
    "/api/vox/function/{fn_name}": {"POST": _TALK},
    "/api/vox/speech": {"POST": _TALK},
    "/api/vox/awareness": {"GET": _TALK, "POST": _TALK},
    "/api/vox/tours": {"GET": _TALK},
    "/api/vox/tours/{page}": {"GET": _TALK},
    "/api/vox/macros": {"GET": _TALK, "POST": _WRITE},
    "/api/vox/macros/dry-run": {"POST": _TALK},
    "/api/vox/macros/{id}": {"DELETE": _WRITE},
    "/api/vox/macros/{id}/run": {"POST": _TALK},
    "/api/vox/macros/{id}/run/events": {"POST": _TALK},
    "/api/vox/thermal": {"GET": OWN},
    # -- administration ------------------------------------------------------------------------
    "/api/users": {"GET": _USERS, "POST": _USERS},
    "/api/users/{name}": {"GET": _USERS, "PATCH": _USERS, "DELETE": _USERS},
    "/api/users/{name}/link": {"POST": _USERS},
    "/api/invitations": {"GET": _USERS},
    "/api/invitations/{name}": {"DELETE": _USERS},
    "/api/groups": {"GET": _USERS},
    "/api/groups/{name}": {"PUT": _USERS, "DELETE": _USERS},
    "/api/roles": {"GET": (_USERS, _ROLES)},
    "/api/roles/{name}": {"PUT": _ROLES, "DELETE": _ROLES},
    "/api/tokens": {"GET": OWN, "POST": OWN},
    "/api/tokens/{token_id}": {"DELETE": OWN},
    "/api/organisations": {"GET": _ORGANISATIONS, "POST": _ORGANISATIONS},
    "/api/organisations/{organisation_id}": {"PATCH": _ORGANISATIONS, "DELETE": _ORGANISATIONS},
    "/api/limits": {"GET": _LIMITS},
    "/api/limits/me": {"GET": OWN},
    "/api/limits/organisation": {"GET": _LIMITS, "PUT": _LIMITS, "DELETE": _LIMITS},
    "/api/usage": {"GET": OWN},
    "/api/usage.csv": {"GET": OWN},
    "/api/usage/caps": {"GET": _LIMITS},
    "/api/usage/caps/me": {"GET": OWN},
    "/api/usage/caps/organisation": {"PUT": _LIMITS, "DELETE": _LIMITS},
    "/api/usage/caps/{scope}/{subject}": {"PUT": _LIMITS, "DELETE": _LIMITS},
    "/api/limits/{kind}/{name}": {"GET": _LIMITS, "PUT": _LIMITS, "DELETE": _LIMITS},
    "/api/mcp/servers": {"GET": _MCP, "POST": _MCP},
    "/api/mcp/servers/{server}": {"GET": _MCP, "DELETE": _MCP},
    "/api/mcp/servers/{server}/connect": {"POST": _MCP},
    "/api/mcp/servers/{server}/stderr": {"GET": _MCP},
    "/api/mcp/servers/{server}/transcript": {"GET": _MCP},
    "/api/mcp/servers/{server}/accept": {"POST": _MCP},
    "/api/mcp/servers/{server}/reject": {"POST": _MCP},
    "/api/mcp/sign-in": {"GET": _TALK},
    "/api/mcp/sign-in/{server}": {"POST": _TALK, "DELETE": _TALK},
    "/api/mcp/callback": {"GET": OWN},
    "/api/mcp/client.json": {"GET": OPEN},
    # -- the server and its audit ----------------------------------------------------------------
    "/api/config/keys": {"POST": "keys.manage"},
    "/api/audit": {"GET": _AUDIT},
    "/api/audit/replay": {"POST": _AUDIT},
    "/api/audit/verify": {"GET": _AUDIT},
    "/api/audit/{seq}": {"GET": _AUDIT},
    "/metrics": {"GET": _METRICS},
    "/metrics/history": {"GET": _METRICS},
    "/metrics/prometheus": {"GET": _METRICS},
}

PERMISSION_OF: Mapping[tuple[str, str], Need] = {
    (method, path): need for path, methods in _TABLE.items() for method, need in methods.items()
}

_OPEN_PATHS = [
    (method, compile_path(path)[0])
    for (method, path), need in PERMISSION_OF.items()
    if need == OPEN
]

# Addresses of what concerns the whole server, and so belongs to the first organisation.
SERVER_WIDE = frozenset(
    {
        *("/api/config/keys", "/metrics", "/metrics/history", "/metrics/prometheus"),
        "/api/audit/verify",
        *(path for path in _TABLE if path.startswith("/api/mcp/servers")),
    }
)

_OPERATOR = (
    "This is about all users, and for the operator only. Send the admin token as "
    "`Authorization: Bearer …`."
)


def is_open(scope: Scope) -> bool:
    """Whether an address is for everybody, signed in or not."""
    if scope["type"] != "http":
        return False
    path = route_path(scope)
    return any(method == scope["method"] and pattern.match(path) for method, pattern in _OPEN_PATHS)


def refusal(principal: Principal, method: str, path: str) -> str | None:
    """Why a principal may not use the route with this template, in words; None: it may.

    An address that the table does not have is refused: whoever adds one says who may use it.
    """
    need = PERMISSION_OF.get((method, path))
    if need in (OPEN, OWN):
        return None
    wanted = (need,) if isinstance(need, str) else need
    if wanted is None or not any(principal.may(permission) for permission in wanted):
        if wanted is None or principal.rights is None:
            return _OPERATOR
        return f"This needs the permission {_listed(wanted)}. An administrator can give it to you."
    if path in SERVER_WIDE and principal.organisation and not principal.may(_ORGANISATIONS):
        return "This concerns the whole server, and is for people of its first organisation."
    return None


def _listed(permissions: Iterable[str]) -> str:
    return " or ".join(
        f"`{each}` ({PERMISSIONS[each].rstrip('.').lower()})" for each in permissions
    )
