"""The way between canonical arguments and those of OpenAI's strict mode, and back."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from antiphon.registry.schemas import compile_schema, dumps

EXPLICIT_NULL = {"explicit_null": True}


@dataclass(slots=True)
class JsonText:
    """A value that travels as JSON text."""


@dataclass(slots=True)
class Items:
    """An array, with the codec of its items."""

    item: Codec


@dataclass(slots=True)
class Fields:
    """An object: for each property its codec, whether null means absent, and whether it can be an
    explicit null."""

    fields: dict[str, tuple[Codec, bool, bool]]
    rest: str | None = None


@dataclass(slots=True)
class Reference:
    """A reference to the codec of a definition."""

    name: str


@dataclass(slots=True)
class Union:
    """Alternatives, with a codec each."""

    branches: list[tuple[dict[str, Any], Codec]]


Codec = None | JsonText | Items | Fields | Reference | Union


class Coder:
    """`encode` and `decode` by a codec, for the strict schema that goes with it."""

    def __init__(
        self,
        schema: dict[str, Any],
        codec: Codec,
        defs: dict[str, Codec],
        definitions: dict[str, Any],
    ) -> None:
        self.schema = schema
        self._codec = codec
        self._defs = defs
        self._definitions = definitions  # what the branches of unions refer to
        self._checks: dict[int, Any] = {}

    def encode(self, args: Any) -> Any:
        """Canonical arguments in the strict form."""
        return self._encode(self._codec, args)

    def decode(self, args: Any) -> Any:
        """Arguments in the strict form as canonical ones. Leaves alone what does not fit, so that
        validation can name it."""
        try:
            return self._decode(self._codec, args)
        except RecursionError:
            return args

    def _encode(self, codec: Codec, value: Any) -> Any:
        if isinstance(codec, Reference):
            return self._encode(self._defs[codec.name], value)
        if isinstance(codec, JsonText):
            return dumps(value)
        if isinstance(codec, Items) and isinstance(value, list):
            return [self._encode(codec.item, item) for item in value]
        if isinstance(codec, Fields) and isinstance(value, dict):
            return self._encode_fields(codec, value)
        if isinstance(codec, Union):
            for schema, inner in codec.branches:
                encoded = self._encode(inner, value)
                # A branch may be wider than what it stands for, and mean something else by a null.
                if self._fits(schema, encoded) and self._decode(inner, encoded) == value:
                    return encoded
        return value

    def _encode_fields(self, codec: Fields, value: dict[str, Any]) -> dict[str, Any]:
        encoded: dict[str, Any] = {}
        for name, (inner, optional, explicit) in codec.fields.items():
            if name not in value:
                if optional:
                    encoded[name] = None
            elif value[name] is None and explicit:
                encoded[name] = dict(EXPLICIT_NULL)
            else:
                encoded[name] = self._encode(inner, value[name])
        if codec.rest is not None:
            rest = {k: v for k, v in value.items() if k not in codec.fields}
            encoded[codec.rest] = dumps(rest) if rest else None
        else:
            # Not allowed here; kept, so that it is seen and not silently dropped.
            encoded.update((k, v) for k, v in value.items() if k not in codec.fields)
        return encoded

    def _decode(self, codec: Codec, value: Any) -> Any:
        if isinstance(codec, Reference):
            return self._decode(self._defs[codec.name], value)
        if isinstance(codec, JsonText):
            return parsed(value)
        if isinstance(codec, Items) and isinstance(value, list):
            return [self._decode(codec.item, item) for item in value]
        if isinstance(codec, Fields) and isinstance(value, dict):
            return self._decode_fields(codec, value)
        if isinstance(codec, Union):
            for schema, inner in codec.branches:
                if self._fits(schema, value):
                    return self._decode(inner, value)
        return value

    def _decode_fields(self, codec: Fields, value: dict[str, Any]) -> dict[str, Any]:
        decoded: dict[str, Any] = {}
        for name, item in value.items():
            if name == codec.rest:
                rest = self._decode(JsonText(), item) if item is not None else {}
                if isinstance(rest, dict):
                    decoded.update((k, v) for k, v in rest.items() if k not in codec.fields)
                else:
                    decoded[name] = item
                continue
            inner, optional, explicit = codec.fields.get(name, (None, False, False))
            if item is None and optional:
                continue
            if explicit and item == EXPLICIT_NULL and item["explicit_null"] is True:
                decoded[name] = None
            else:
                decoded[name] = self._decode(inner, item)
        return decoded

    def _fits(self, schema: dict[str, Any], value: Any) -> bool:
        check = self._checks.get(id(schema))
        if check is None:
            check = compile_schema({**schema, "$defs": self._definitions})
            self._checks[id(schema)] = check
        try:
            return bool(check.is_valid(value))
        except ValueError:  # not JSON at all
            return False


def parsed(value: Any) -> Any:
    """Return the value of a JSON text; what is none stays as it is."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return value


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")
