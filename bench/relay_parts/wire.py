"""WebSocket frames by hand: the load and the model of the benchmark must cost next to nothing."""

from __future__ import annotations

import base64
import hashlib
import os
import struct
from collections.abc import Iterator

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


def accept_key(key: bytes) -> bytes:
    return base64.b64encode(hashlib.sha1(key + GUID).digest())


def frame(payload: bytes, opcode: int = 1, *, masked: bool = False) -> bytes:
    head = bytes([0x80 | opcode])
    bit = 0x80 if masked else 0
    size = len(payload)
    if size < 126:
        head += bytes([bit | size])
    elif size < 65_536:
        head += bytes([bit | 126]) + struct.pack("!H", size)
    else:
        head += bytes([bit | 127]) + struct.pack("!Q", size)
    if not masked:
        return head + payload
    mask = os.urandom(4)
    long = (mask * (size // 4 + 1))[:size]
    body = int.from_bytes(payload, "big") ^ int.from_bytes(long, "big")
    return head + mask + body.to_bytes(size, "big")


class Frames:
    """Takes bytes as they come and gives out whole frames: opcode and payload, unmasked lazily."""

    def __init__(self) -> None:
        self._kept = b""

    def feed(self, data: bytes) -> Iterator[tuple[int, bytes, bytes]]:
        """Opcode, mask (empty when there is none) and the payload as it is on the wire."""
        data = self._kept + data if self._kept else data
        at = 0
        while True:
            if len(data) - at < 2:
                break
            opcode, size = data[at] & 15, data[at + 1] & 127
            masked = data[at + 1] & 128
            start = at + 2
            if size == 126:
                if len(data) < start + 2:
                    break
                (size,) = struct.unpack_from("!H", data, start)
                start += 2
            elif size == 127:
                if len(data) < start + 8:
                    break
                (size,) = struct.unpack_from("!Q", data, start)
                start += 8
            mask = b""
            if masked:
                mask = data[start : start + 4]
                start += 4
            if len(data) < start + size:
                break
            yield opcode, mask, data[start : start + size]
            at = start + size
        self._kept = data[at:]


def unmask(mask: bytes, payload: bytes) -> bytes:
    if not mask:
        return payload
    size = len(payload)
    long = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(payload, "big") ^ int.from_bytes(long, "big")).to_bytes(size, "big")
