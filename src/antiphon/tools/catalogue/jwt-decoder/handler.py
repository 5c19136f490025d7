"""JSON Web Token decoder that does not verify the signature, and says so."""

from __future__ import annotations

import base64
import binascii
import json
from datetime import UTC, datetime
from typing import Any

from antiphon import ok
from antiphon.toolkit import invalid


def execute(args: dict[str, Any], context: Any) -> Any:
    token = args["token"].strip()
    if token[:7].lower() == "bearer ":
        token = token[7:].strip()
    parts = token.split(".")
    if len(parts) == 5:
        raise invalid("/token", "is encrypted (JWE); only whoever has the key can read its claims.")
    if len(parts) != 3:
        raise invalid("/token", f"has {len(parts)} parts; a signed token has 3, separated by dots.")
    header, claims = decode_part(parts[0], "header"), decode_part(parts[1], "payload")
    times = {name: to_moment(claims[name]) for name in ("iat", "nbf", "exp") if name in claims}
    shown = {name: time.isoformat() for name, time in times.items() if time}
    now = context.now()
    body: dict[str, Any] = {"header": header, "claims": claims, "times": shown, "verified": False}
    if times.get("exp"):
        body["expired"] = times["exp"] <= now
    if times.get("nbf"):
        body["not_yet_valid"] = times["nbf"] > now
    body["warnings"] = warnings(header, claims, parts[2], times)
    return ok(body | {"summary": summary(header, body)})


def decode_part(text: str, name: str) -> dict[str, Any]:
    try:
        raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        found = json.loads(raw)
    except (ValueError, binascii.Error, RecursionError):
        raise invalid("/token", f"has a {name} that is no base64url-encoded JSON.") from None
    if not isinstance(found, dict):
        raise invalid("/token", f"has a {name} that is no JSON object.")
    return found


def to_moment(value: Any) -> datetime | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return datetime.fromtimestamp(value, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def warnings(
    header: dict[str, Any], claims: dict[str, Any], signature: str, times: dict[str, Any]
) -> list[str]:
    found = []
    if str(header.get("alg", "")).lower() == "none" or not signature:
        found.append("The token has no signature: anyone can write such a token.")
    if "exp" not in claims:
        found.append("The token never expires.")
    found += [f"`{name}` is no time." for name, time in times.items() if time is None]
    if "jwk" in header or "jku" in header:
        found.append("The token brings its own key; a verifier must not trust it.")
    return found


def summary(header: dict[str, Any], body: dict[str, Any]) -> str:
    who = body["claims"].get("sub")
    text = f"A token signed with {header.get('alg', 'an unnamed algorithm')}"
    text += f" for {str(who)[:80]}" if who is not None else ""
    if "expired" in body:
        verb = "expired" if body["expired"] else "expires"
        text += f"; it {verb} at {body['times']['exp']}"
    return text + ". The signature was not checked."
