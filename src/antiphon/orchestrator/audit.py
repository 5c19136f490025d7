"""Audit lines: rendering and redaction of what is recorded of each decision and execution.

The hot path only gathers a tuple; it is put into words on the store's writer thread.
"""

from __future__ import annotations

from typing import Any

import orjson

HIDDEN = "[redacted]"


# A line that is a dictionary already, or the facts of a call in the order in which `render` takes
# them apart. The latter as a plain tuple of plain values: the collector of garbage leaves such
# alone, however many wait to be written.
AuditPayload = dict[str, Any] | tuple[Any, ...]


def render(payload: Any) -> dict[str, Any]:
    """The line of a payload."""
    if type(payload) is not tuple:
        return dict(payload)
    (
        event,
        at,
        (session_id, user, mode, registry_version),
        turn,
        (tool_id, tool_version, category, redact),
        call_id,
        key,
        canonical,
        decision,
        rule,
        ok,
        duration,
        error_type,
        intents,
        variant,
        source,
    ) = payload
    return {
        "event": event,
        "at": at,
        "sessionId": session_id,
        "user": user,
        "mode": mode,
        "turnId": turn,
        "toolId": tool_id,
        "toolVersion": tool_version,
        "registryVersion": registry_version,
        "category": category,
        "callId": call_id,
        "idempotencyKey": key,
        "args": hide(canonical, redact),
        "decision": decision,
        "rule": rule,
        "ok": ok,
        "duration": duration,
        "errorType": error_type,
        "intents": intents,
        "variant": variant,
        "source": source,
    }


def hide(canonical: bytes | None, pointers: tuple[str, ...]) -> Any:
    """Arguments as JSON, with what must never be written down replaced."""
    if canonical is None:
        return None
    if not pointers:
        return orjson.Fragment(canonical)
    return redacted(orjson.loads(canonical), pointers)


def without_unknown(canonical: bytes | None, parameters: dict[str, Any]) -> bytes | None:
    """Arguments without the values of names that the schema does not have: what is behind a
    misspelt name may be a secret. The names stay."""
    if canonical is None:
        return None
    args = orjson.loads(canonical)
    if not _hide_unknown(args, parameters):
        return canonical
    return orjson.dumps(args, option=orjson.OPT_SORT_KEYS)


def _hide_unknown(value: Any, schema: Any) -> bool:
    """Whether something was hidden, in place."""
    if not isinstance(schema, dict):
        return False
    found = False
    if isinstance(value, dict):
        known = schema.get("properties", {})
        closed = schema.get("additionalProperties") is False
        for name, each in value.items():
            if name in known:
                found |= _hide_unknown(each, known[name])
            elif closed:
                value[name] = HIDDEN
                found = True
    elif isinstance(value, list):
        for each in value:
            found |= _hide_unknown(each, schema.get("items"))
    return found


def redacted(value: Any, pointers: tuple[str, ...]) -> Any:
    """`value`, changed in place, without what the pointers lead to; `*` stands for any item."""
    for pointer in pointers:
        parts = [p.replace("~1", "/").replace("~0", "~") for p in pointer.split("/")[1:]]
        _hide(value, parts)
    return value


def _hide(node: Any, parts: list[str]) -> None:
    if not parts:
        return
    head, rest = parts[0], parts[1:]
    if isinstance(node, dict):
        names = list(node) if head == "*" else [head] if head in node else []
        for name in names:
            if rest:
                _hide(node[name], rest)
            else:
                node[name] = HIDDEN
    elif isinstance(node, list):
        indexes = range(len(node)) if head == "*" else [int(head)] if head.isdecimal() else []
        for index in indexes:
            if index < len(node):
                if rest:
                    _hide(node[index], rest)
                else:
                    node[index] = HIDDEN
