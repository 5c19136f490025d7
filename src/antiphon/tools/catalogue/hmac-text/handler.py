"""HMAC of a text, computed or verified in constant time."""

from __future__ import annotations

import base64
import binascii
import hmac
from typing import Any

from antiphon import ErrorType, ToolError, ok


def execute(args: dict[str, Any], context: Any) -> Any:
    message = args["text"].encode("utf-8", "surrogatepass")
    digest = hmac.digest(key_of(args["key"], args["key_format"]), message, args["algorithm"])
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


def key_of(text: str, kind: str) -> bytes:
    try:
        if kind == "hex":
            return bytes.fromhex(text)
        if kind == "base64":
            return base64.b64decode("".join(text.split()), validate=True)
    except (ValueError, binascii.Error):
        message = f"/key: is not {kind}; correct it, or set `key_format` to utf-8."
        raise ToolError(ErrorType.VALIDATION, message, pointer="/key") from None
    return text.encode("utf-8", "surrogatepass")
