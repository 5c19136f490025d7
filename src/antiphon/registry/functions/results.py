"""Results of a function tool: the JSON Schema of `data`, and the conversion of what is returned."""

from __future__ import annotations

import functools
import operator
import types
import typing
from collections import abc
from typing import Any

from pydantic import TypeAdapter
from pydantic_core import to_jsonable_python

from antiphon.contracts import ToolResult, ok
from antiphon.registry.findings import FindingList, shown
from antiphon.registry.functions.arguments import plain_schema, reason_of
from antiphon.registry.functions.signature import EMPTY
from antiphon.registry.functions.typed_dicts import portable

# `data` is an object; any other value is its one member.
RESULT = "result"
_STREAMS = (abc.AsyncIterator, abc.AsyncGenerator, abc.AsyncIterable)


class Results:
    """The results of one function: what is no envelope yet is made one."""

    __slots__ = ("_dump", "_wrapped", "schema")

    def __init__(self, kind: Any) -> None:
        self.schema: dict[str, Any] | None = None
        self._wrapped: bool | None = None
        self._dump = _plain_dump
        if kind is EMPTY or kind is Any or kind is type(None) or kind is None:
            return
        adapter: TypeAdapter[Any] = TypeAdapter(portable(kind))
        schema = plain_schema(adapter, "serialization")
        if not schema:  # a type that says nothing
            return
        self._wrapped = not _is_object(schema, schema)
        self.schema = _wrapped(schema) if self._wrapped else {**schema, "type": "object"}
        self._dump = functools.partial(
            adapter.serializer.to_python, mode="json", by_alias=True, warnings=False
        )

    def answer(self, value: Any) -> ToolResult:
        """Return the envelope of a returned value; one that is an envelope stays as it is."""
        if type(value) is ToolResult:
            return value
        data = self._dump(value)
        if self._wrapped is None:
            if data is None:
                return ok({})
            return ok(data if isinstance(data, dict) else {RESULT: data})
        return ok({RESULT: data} if self._wrapped else data)


def compile_results(returns: Any, *, streams: bool, found: FindingList) -> Results:
    """Return the results of a function by its return type; a type that is no data is a finding."""
    try:
        return Results(_result_type(returns, streams=streams))
    except Exception as error:  # noqa: BLE001 - a type brings code of its own
        kind = getattr(returns, "__name__", None) or str(returns)
        message = f"the type {shown(kind)} of the result has no form in JSON"
        if reason := reason_of(error):
            message += f" ({reason})"
        fix = "Return str, int, list, dict, a dataclass or a Pydantic model, or `ok(...)`."
        found.error("result-type", "/output", message, fix)
        return Results(EMPTY)


def _plain_dump(value: Any) -> Any:
    return to_jsonable_python(value)


def _result_type(returns: Any, *, streams: bool) -> Any:
    """Return the type of the result itself: without envelopes, and without the texts of progress
    that a generator yields before it."""
    if streams and typing.get_origin(returns) in _STREAMS:
        returns = typing.get_args(returns)[0]
        members = _members(returns)
        if len(members) > 1:
            returns = _union([member for member in members if member is not str])
    members = _members(returns)
    if ToolResult in members:
        kept = [member for member in members if member is not ToolResult]
        return _union(kept) if kept else EMPTY
    return returns


def _members(kind: Any) -> tuple[Any, ...]:
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        return typing.get_args(kind)
    return (kind,)


def _union(members: list[Any]) -> Any:
    return functools.reduce(operator.or_, members)


def _is_object(schema: Any, root: dict[str, Any]) -> bool:
    if not isinstance(schema, dict):
        return False
    reference = schema.get("$ref", "")
    if isinstance(reference, str) and reference.startswith("#/$defs/"):
        return _is_object(root["$defs"].get(reference.removeprefix("#/$defs/")), root)
    if schema.get("type") == "object":
        return True
    branches = schema.get("anyOf") or schema.get("oneOf") or []
    return bool(branches) and all(_is_object(branch, root) for branch in branches)


def _wrapped(schema: dict[str, Any]) -> dict[str, Any]:
    inner = {name: value for name, value in schema.items() if name != "$defs"}
    wrapped: dict[str, Any] = {
        "type": "object",
        "properties": {RESULT: inner},
        "required": [RESULT],
    }
    if "$defs" in schema:
        wrapped["$defs"] = schema["$defs"]
    return wrapped
