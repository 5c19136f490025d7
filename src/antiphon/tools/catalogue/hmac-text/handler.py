"""HMAC of a text, computed or verified in constant time."""

from __future__ import annotations

import base64
import hmac
from typing import Any

from antiphon import ok
from antiphon.toolkit.encoded_bytes import decode_bytes


def execute(args: dict[str, Any], context: Any) -> Any:
    message = args["text"].encode("utf-8", "surrogatepass")
    key = decode_bytes(args["key"], args["key_format"], "/key", "key_format")
    digest = hmac.digest(key, message, args["algorithm"])
    body: dict[str, Any] = {
        "algorithm": args["algorithm"],
        "hex": digest.hex(),
        "base64": base64.b64encode(digest).decode(),
    }
    if "expected" in args:
        given = args["expected"].strip().removeprefix(f"{args['algorithm']}=")
        same = hmac.compare_digest(given.lower().encode(), body["hex"].encode())
        body["valid"] = same or hmac.compare_digest(given.encode(), body["base64"].encode())
    return ok(body)
