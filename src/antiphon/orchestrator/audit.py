"""Audit lines: rendering and redaction of what is recorded of each decision and execution.

The hot path only gathers facts; they are rendered on the thread of the store's writer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import orjson

from antiphon.contracts import ToolDefinition

HIDDEN = "[redacted]"


@dataclass(frozen=True, slots=True)
class AuditedSession:
    """What every audit line says of its session, made once for each session."""

    id: str
    user: str
    mode: str
    registry_version: str


@dataclass(slots=True)
class CallFacts:
    """The facts of one decision or execution, gathered on the hot path and rendered later."""

    event: str
    at: float
    session: AuditedSession
    turn: int
    tool_id: str
    definition: ToolDefinition | None  # None: no such tool
    call_id: str | None
    key: str
    canonical: bytes | None
    decision: str
    rule: str
    ok: bool
    duration: float
    error_type: str | None = None
    intents: tuple[str, ...] = ()
    variant: str | None = None
    source: str = "agent"


# What `Store.append_audit` takes: a line that is a dictionary already, or the facts of a call.
AuditPayload = dict[str, Any] | CallFacts


def render(payload: AuditPayload) -> dict[str, Any]:
    """The audit line of a payload, without what must never be written down. Runs on the thread
    of the store's writer."""
    if not isinstance(payload, CallFacts):
        return dict(payload)
    session, definition = payload.session, payload.definition
    return {
        "event": payload.event,
        "at": payload.at,
        "sessionId": session.id,
        "user": session.user,
        "mode": session.mode,
        "turnId": payload.turn,
        "toolId": payload.tool_id,
        "toolVersion": definition.version if definition else None,
        "registryVersion": session.registry_version,
        "category": definition.category if definition else None,
        "callId": payload.call_id,
        "idempotencyKey": payload.key,
        "args": hide(payload.canonical, definition.redact if definition else ()),
        "decision": payload.decision,
        "rule": payload.rule,
        "ok": payload.ok,
        "duration": payload.duration,
        "errorType": payload.error_type,
        "intents": payload.intents,
        "variant": payload.variant,
        "source": payload.source,
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
