"""Principals of stored sessions and tasks: what is kept of them, and their rights as of today."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from antiphon.contracts import Principal
from antiphon.contracts.rights import Rights

# So long what a principal may do is taken as current; looking it up may be half a second behind.
CURRENT_SECONDS = 0.5
UNKNOWN_RIGHTS = (
    "What may be done in this user's name cannot be looked up here, so the call was not run."
)


def principal_origin(principal: Principal | None) -> dict[str, Any]:
    """What is stored of a principal whose rights are known: enough to look them up again."""
    if principal is None or principal.rights is None:
        return {}
    return {"governed": True, "credential": principal.credential}


def stored_principal(user: str, origin: Mapping[str, Any]) -> Principal | None:
    """The principal of a stored session or task, who may do nothing until their rights of today
    are looked up; None for one that has none that says so."""
    if not origin.get("governed"):
        return None
    return Principal(
        user,
        data=(origin.get("fields") or {}).get("data") or {},
        organisation=origin.get("organisation") or "",
        roles=tuple(origin.get("roles") or ()),
        rights=Rights(),
        credential=origin.get("credential") or "",
    )
