"""Random identifiers from the system's source of randomness."""

from __future__ import annotations

import secrets
import uuid
from typing import Any

from antiphon import ok

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
# Without letters and digits that people mistake for one another.
SHORT = "23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"


def execute(args: dict[str, Any], context: Any) -> Any:
    kind, length = args["kind"], args["length"]
    now = int(context.now().timestamp() * 1000)
    makers = {
        "uuid4": lambda: str(uuid.uuid4()),
        "uuid7": lambda: uuid7(now),
        "ulid": lambda: ulid(now),
        "short": lambda: "".join(secrets.choice(SHORT) for _ in range(length)),
        "hex": lambda: secrets.token_hex((length + 1) // 2)[:length],
    }
    bits = {"uuid4": 122, "uuid7": 74, "ulid": 80, "hex": 4 * length}
    ids = [makers[kind]() for _ in range(args["count"])]
    if kind in ("uuid7", "ulid"):
        ids.sort()  # made in the same millisecond; whoever sorts them later finds the same order
    return ok({"kind": kind, "ids": ids, "bits": bits.get(kind, int(5.8 * length))})


def uuid7(milliseconds: int) -> str:
    value = (milliseconds & (2**48 - 1)) << 80 | secrets.randbits(80)
    value = value & ~(0xF << 76) | 7 << 76
    return str(uuid.UUID(int=value & ~(0x3 << 62) | 0x2 << 62))


def ulid(milliseconds: int) -> str:
    value = (milliseconds & (2**48 - 1)) << 80 | secrets.randbits(80)
    return "".join(CROCKFORD[value >> shift & 31] for shift in range(125, -5, -5))
