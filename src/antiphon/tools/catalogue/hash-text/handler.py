"""Hash of a text, and a comparison of hashes in constant time."""

from __future__ import annotations

import base64
import hashlib
import hmac
import zlib
from typing import Any

from antiphon import ok
from antiphon.toolkit.encoded_bytes import decode_bytes

WEAK = {"md5", "sha1", "crc32", "adler32"}


def execute(args: dict[str, Any], context: Any) -> Any:
    data = decode_bytes(args["text"], args["input"], "/text", "input")
    name: str = args["algorithm"]
    digest = compute_digest(name, data)
    body: dict[str, Any] = {
        "algorithm": name,
        "hex": digest.hex(),
        "base64": base64.b64encode(digest).decode(),
        "bytes": len(data),
    }
    if "expected" in args:
        wanted = args["expected"].strip()
        same = hmac.compare_digest(wanted.lower().encode(), body["hex"].encode())
        body["matches"] = same or hmac.compare_digest(wanted.encode(), body["base64"].encode())
    if name in WEAK:
        body["note"] = f"{name} finds accidental changes only; it can be forged."
    return ok(body)


def compute_digest(name: str, data: bytes) -> bytes:
    if name == "crc32":
        return zlib.crc32(data).to_bytes(4, "big")
    if name == "adler32":
        return zlib.adler32(data).to_bytes(4, "big")
    return hashlib.new(name, data, usedforsecurity=False).digest()
