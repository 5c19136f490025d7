"""Hash of a text, and a comparison of hashes in constant time."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import zlib
from typing import Any

from antiphon import ErrorType, ToolError, ok

WEAK = {"md5", "sha1", "crc32", "adler32"}


def execute(args: dict[str, Any], context: Any) -> Any:
    data = decoded(args["text"], args["input"])
    name: str = args["algorithm"]
    digest = hashed(name, data)
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


def hashed(name: str, data: bytes) -> bytes:
    if name == "crc32":
        return zlib.crc32(data).to_bytes(4, "big")
    if name == "adler32":
        return zlib.adler32(data).to_bytes(4, "big")
    return hashlib.new(name, data, usedforsecurity=False).digest()


def decoded(text: str, kind: str) -> bytes:
    try:
        if kind == "hex":
            return bytes.fromhex(text)
        if kind == "base64":
            return base64.b64decode("".join(text.split()), validate=True)
    except (ValueError, binascii.Error):
        message = f"/text: is not {kind}; correct it, or set `input` to utf-8."
        raise ToolError(ErrorType.VALIDATION, message, pointer="/text") from None
    return text.encode("utf-8", "surrogatepass")
