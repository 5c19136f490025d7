"""The wire format between a server and its workers: length, then pickle one way and JSON back.

The server pickles what it sends. What a worker sends is JSON and is never unpickled: whatever ran
in the worker may have written it.
"""

from __future__ import annotations

import pickle
import struct
from collections.abc import Callable, Iterator
from datetime import date, datetime
from typing import Any

import orjson

LONGEST = 64 * 1024 * 1024
_TAG = "__antiphon__"
_HEAD = struct.Struct(">I")
_OPTIONS = orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_DATACLASS


class TooLongFrame(ValueError):
    """A frame is longer than any answer may be."""


def framed(body: bytes) -> bytes:
    """Return a frame: the length of the body, then the body."""
    return _HEAD.pack(len(body)) + body


def pickled(message: Any) -> bytes:
    """Return the frame of a message from the server, which a worker may trust."""
    return framed(pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL))


def encode(message: Any, other: Callable[[Any], Any] | None = None) -> bytes:
    """Return a frame of JSON. `other` encodes values that are neither JSON nor known here;
    TypeError where it is missing."""

    def tagged(value: Any) -> Any:
        if isinstance(value, datetime):
            return {_TAG: "datetime", "value": value.isoformat()}
        if isinstance(value, date):
            return {_TAG: "date", "value": value.isoformat()}
        if isinstance(value, bytes | bytearray):
            return {_TAG: "bytes", "value": bytes(value).decode("latin-1")}
        if isinstance(value, set | frozenset):
            return {_TAG: "set", "value": list(value)}
        if other is not None:
            found = other(value)
            if found is not None:
                return {_TAG: "own", "value": found}
        raise TypeError(f"{type(value).__name__} is no JSON")

    body = orjson.dumps(message, default=tagged, option=_OPTIONS)
    if len(body) > LONGEST:
        raise TooLongFrame
    return framed(body)


def decode(body: bytes, own: Callable[[Any], Any] | None = None) -> Any:
    """Return the message of a frame of JSON. Raises ValueError for what is none."""
    message = orjson.loads(body)
    return _untagged(message, own) if _TAG.encode() in body else message


def _untagged(value: Any, own: Callable[[Any], Any] | None) -> Any:
    if isinstance(value, list):
        return [_untagged(item, own) for item in value]
    if not isinstance(value, dict):
        return value
    kind = value.get(_TAG)
    if kind is None or value.keys() != {_TAG, "value"}:
        return {name: _untagged(item, own) for name, item in value.items()}
    plain = value["value"]
    if kind == "own" and own is not None:
        return own(plain)
    if kind == "set" and isinstance(plain, list):
        return set(_untagged(plain, own))
    if not isinstance(plain, str):
        raise ValueError("a tagged value is no text")  # noqa: TRY004 - as any bad message
    if kind == "datetime":
        return datetime.fromisoformat(plain)
    if kind == "date":
        return date.fromisoformat(plain)
    if kind == "bytes":
        return plain.encode("latin-1")
    raise ValueError(f"no such tag: {kind!r}")


class FrameReader:
    """Reassembly of whole frames from received bytes."""

    __slots__ = ("_received",)

    def __init__(self) -> None:
        self._received = bytearray()

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Add received bytes and yield the frames that are complete. Raises TooLongFrame as soon as
        a frame announces more than any may have."""
        received = self._received
        received += data
        while len(received) >= _HEAD.size:
            (size,) = _HEAD.unpack_from(received)
            if size > LONGEST:
                raise TooLongFrame
            end = _HEAD.size + size
            if len(received) < end:
                return
            body = bytes(received[_HEAD.size : end])
            del received[:end]
            yield body
