"""Audit lines: rendering and redaction of what is recorded of each decision and execution.

The hot path only gathers facts; they are rendered on the thread of the store's writer.
"""

from __future__ import annotations

from collections.abc import Callable
from json.encoder import encode_basestring as quote
from typing import Any

import orjson

from antiphon.contracts import Principal, ToolDefinition
from antiphon.contracts.pointers import values_at
from antiphon.policy import CallOrigins
from antiphon.secrecy.redaction import LOGGED_ARGUMENTS, REDACTOR, Redactor
from antiphon.storage.rows import RenderedEntry, filter_text

HIDDEN = "[redacted]"
HIDDEN_TOOL = "tool_hidden"  # the event of a call of a tool that its caller may not use
# Kinds of calls of one session whose common part is kept.
MAX_PARTS = 256


def known_by(principal: Principal | None) -> dict[str, str]:
    """The members of an audit line that tell the organisation and credential of a principal, where
    it has them."""
    if principal is None:
        return {}
    members = {"organisation": principal.organisation, "credential": principal.credential}
    return {name: value for name, value in members.items() if value}


class AuditedSession:
    """The session's part of every audit line, and the parts that its calls have in common, each
    rendered once."""

    __slots__ = ("_parts", "column", "mask", "members", "registry_version")

    def __init__(
        self,
        id: str,
        user: str,
        mode: str,
        registry_version: str,
        principal: Principal | None = None,
    ) -> None:
        self.registry_version = registry_version
        # Masks what is personal in arguments and details; None: nothing is.
        self.mask: Callable[[Any], Any] | None = None
        self.column = filter_text(id)
        self.members = f'"sessionId":{quote(id)},"user":{quote(user)},"mode":{quote(mode)}'
        for name, value in known_by(principal).items():
            self.members += f',"{name}":{quote(value)}'
        self._parts: dict[tuple[Any, ...], str] = {}

    def part(
        self,
        tool_id: str,
        definition: ToolDefinition | None,
        event: str,
        decision: str,
        rule: str,
        error_type: str | None,
        intents: tuple[str, ...] = (),
        variant: str | None = None,
        source: str = "agent",
    ) -> str:
        """Return the JSON members that a line shares with those of like calls."""
        # Any name without a definition may be the invention of a model.
        known = definition is not None
        like = (tool_id, known, event, decision, rule, error_type, intents, variant, source)
        part = self._parts.get(like)
        if part is None:
            version, category = (
                ("null", "null")
                if definition is None
                else (quote(definition.version), quote(definition.category))
            )
            part = (
                f'{self.members},"toolId":{quote(tool_id)},"toolVersion":{version},'
                f'"registryVersion":{quote(self.registry_version)},"category":{category},'
                f'"event":{quote(event)},"decision":{quote(decision)},'
                f'"rule":{quote(rule)},"ok":{"true" if error_type is None else "false"},'
                f'"errorType":{_json(error_type)},"intents":{_json(intents)},'
                f'"variant":{_json(variant)},"source":{quote(source)}'
            )
            if known and len(self._parts) < MAX_PARTS:
                self._parts[like] = part
        return part


class CallFacts:
    """The facts of one decision or execution: gathered on the hot path, rendered as an
    `AuditEntry` on the thread of the store's writer. `part` is what it has in common with others,
    as `AuditedSession.part` has it."""

    __slots__ = (
        *("_session", "_at", "_call_id", "_canonical", "_duration", "_key", "_origins"),
        *("_part", "_redact", "_turn"),
    )

    def __init__(
        self,
        session: AuditedSession,
        at: float,
        part: str,
        turn: int,
        call_id: str | None,
        key: str,
        canonical: bytes | None,
        redact: tuple[str, ...],
        duration: float,
        origins: CallOrigins | None = None,
    ) -> None:
        self._session = session
        self._at = at
        self._part = part
        self._turn = turn
        self._call_id = call_id
        self._key = key
        self._canonical = canonical
        self._redact = redact
        self._duration = duration
        self._origins = origins  # of its values, where they were traced

    def render(self) -> RenderedEntry:
        """Render the audit line, redacted. Its JSON is formatted by hand: a dictionary of it would
        take as long again."""
        session, canonical, call_id, at = self._session, self._canonical, self._call_id, self._at
        if canonical is None:
            args = "null"
        elif self._redact or session.mask is not None:
            args = self._covered(canonical, session.mask)
        else:
            args = canonical.decode()
        # `repr` of a float takes five times as long.
        members = (
            f'{{"at":{orjson.dumps(at).decode()},{self._part},"turnId":{self._turn},'
            f'"callId":{quote(call_id) if type(call_id) is str else _json(call_id)},'
            f'"idempotencyKey":{quote(self._key)},"args":{args},'
            f'"duration":{orjson.dumps(self._duration).decode()}'
        )
        if self._origins is not None:
            members += f',"origins":{_told(session, self._origins)}'
        return at, session.column, members

    def _covered(self, canonical: bytes, mask: Callable[[Any], Any] | None) -> str:
        args = redacted(orjson.loads(canonical), self._redact)
        if mask is not None:
            args = mask(args)
        return orjson.dumps(args).decode()


# What `Store.append_audit` takes: a line that is a dictionary already, or the facts of a call.
AuditPayload = dict[str, Any] | CallFacts


def _told(session: AuditedSession, origins: CallOrigins) -> str:
    told = origins.to_dict()
    return _json(told if session.mask is None else session.mask(told))


def _json(value: Any) -> str:
    return "null" if value is None else orjson.dumps(value).decode()


def without_unknown(canonical: bytes | None, parameters: dict[str, Any]) -> bytes | None:
    """Redact the values of argument names that the schema does not have: what is behind a misspelt
    name may be a secret. The names stay."""
    if canonical is None:
        return None
    args = orjson.loads(canonical)
    if not _hide_unknown(args, parameters):
        return canonical
    return orjson.dumps(args, option=orjson.OPT_SORT_KEYS)


def _hide_unknown(value: Any, schema: Any) -> bool:
    """Redact such values in place; return whether there were any."""
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
    """Redact `value` in place at the pointers and return it; `*` stands for any item."""
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


def hide_arguments(definition: ToolDefinition, args: Any) -> None:
    """Mask what the contract redacts in logs from now on: a traceback of the call may quote it."""
    LOGGED_ARGUMENTS.hide(*_redacted_texts(definition, args))


def error_without_arguments(
    definition: ToolDefinition, args: Any, error: dict[str, Any]
) -> dict[str, Any]:
    """Return the error of a call without the arguments that its contract redacts."""
    own = Redactor()
    own.hide(*_redacted_texts(definition, args))
    cleaned: dict[str, Any] = orjson.loads(REDACTOR.clean(own.clean(orjson.dumps(error).decode())))
    return cleaned


def _redacted_texts(definition: ToolDefinition, args: Any) -> list[str]:
    found = (each for pointer in definition.redact for each in values_at(args, pointer))
    return [each for each in found if isinstance(each, str)]
