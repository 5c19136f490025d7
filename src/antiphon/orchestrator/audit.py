"""What is written down of every decision and execution.

The hot path only gathers a tuple; it becomes a line on the store's writer thread.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import orjson

from antiphon.contracts import ToolDefinition

HIDDEN = "[redacted]"


class CallRecord(NamedTuple):
    """One call, decided and perhaps executed."""

    event: str
    at: float
    session_id: str
    user: str
    mode: str
    turn: int
    tool_id: str
    definition: ToolDefinition | None
    registry_version: str
    call_id: str | None
    key: str
    canonical: bytes | None
    decision: str
    rule: str
    ok: bool
    duration: float
    error_type: str | None
    intents: list[dict[str, Any]]
    variant: str | None
    source: str
    details: dict[str, Any] | None = None


def render(record: Any) -> dict[str, Any]:
    """The line of a record; a plain dictionary is a line already."""
    if isinstance(record, dict):
        return record
    definition = record.definition
    line: dict[str, Any] = {
        "event": record.event,
        "at": record.at,
        "sessionId": record.session_id,
        "user": record.user,
        "mode": record.mode,
        "turnId": record.turn,
        "toolId": record.tool_id,
        "toolVersion": definition.version if definition else None,
        "registryVersion": record.registry_version,
        "category": definition.category if definition else None,
        "callId": record.call_id,
        "idempotencyKey": record.key,
        "args": hide(record.canonical, definition.redact if definition else ()),
        "decision": record.decision,
        "rule": record.rule,
        "ok": record.ok,
        "duration": round(record.duration, 3),
        "errorType": record.error_type,
        "intents": [str(intent.get("type")) for intent in record.intents],
        "variant": record.variant,
        "source": record.source,
    }
    if record.details:
        line["details"] = record.details
    return line


def hide(canonical: bytes | None, pointers: tuple[str, ...]) -> Any:
    """Arguments as JSON, with what must never be written down replaced."""
    if canonical is None:
        return None
    if not pointers:
        return orjson.Fragment(canonical)
    return redacted(orjson.loads(canonical), pointers)


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
