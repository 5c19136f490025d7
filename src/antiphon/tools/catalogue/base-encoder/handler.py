"""Text encoding and decoding: base64, base32, hex, percent and HTML entities."""

from __future__ import annotations

import base64
import binascii
import html
import re
from typing import Any
from urllib.parse import quote, unquote_to_bytes

from antiphon import ok
from antiphon.toolkit import invalid

SPACE = re.compile(r"\s+")
BAD_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")


def execute(args: dict[str, Any], context: Any) -> Any:
    encoding, text = args["encoding"], args["text"]
    if args["direction"] == "encode":
        return ok({"text": encode(encoding, text), "is_text": True, "bytes": size(text)})
    if encoding == "html":
        plain = html.unescape(text)
        return ok({"text": plain, "is_text": True, "bytes": size(plain)})
    raw = decode(encoding, text)
    try:
        return ok({"text": raw.decode("utf-8"), "is_text": True, "bytes": len(raw)})
    except UnicodeDecodeError:
        # No text: the bytes themselves are the answer.
        return ok({"text": "", "is_text": False, "bytes": len(raw), "hex": raw[:10_000].hex()})


def size(text: str) -> int:
    return len(text.encode())


def encode(encoding: str, text: str) -> str:
    raw = text.encode()
    match encoding:
        case "base64":
            return base64.b64encode(raw).decode()
        case "base64url":
            return base64.urlsafe_b64encode(raw).decode().rstrip("=")
        case "base32":
            return base64.b32encode(raw).decode()
        case "hex":
            return raw.hex()
        case "url":
            return quote(text, safe="")
    return html.escape(text)


def decode(encoding: str, text: str) -> bytes:
    if encoding == "url":
        if bad := BAD_PERCENT.search(text):
            raise invalid(
                "/text", f"the % at character {bad.start() + 1} is not followed by two hex digits."
            )
        return unquote_to_bytes(text)
    packed = SPACE.sub("", text)
    try:
        match encoding:
            case "hex":
                return bytes.fromhex(packed.removeprefix("0x").replace(":", ""))
            case "base32":
                return base64.b32decode(restore_padding(packed.upper(), 8))
            case "base64url":
                plain = packed.translate(str.maketrans("-_", "+/"))
                return base64.b64decode(restore_padding(plain, 4), validate=True)
        return base64.b64decode(restore_padding(packed, 4), validate=True)
    except (binascii.Error, ValueError) as error:
        raise invalid("/text", f"this is no {encoding}: {error}.") from None


def restore_padding(text: str, group: int) -> str:
    """Restore the `=` padding that people leave out of base64 and base32."""
    text = text.rstrip("=")
    return text + "=" * (-len(text) % group)
