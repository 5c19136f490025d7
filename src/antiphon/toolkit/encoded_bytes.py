"""Bytes that come as text: UTF-8, hex or base64."""

from __future__ import annotations

import base64
import binascii

from .errors import invalid


def decode_bytes(text: str, encoding: str, pointer: str, option: str) -> bytes:
    """Decode text as "hex" or "base64"; any other encoding is UTF-8.

    Raises the VALIDATION error of `pointer`, which names the parameter `option` that chooses the
    encoding.
    """
    try:
        if encoding == "hex":
            return bytes.fromhex(text)
        if encoding == "base64":
            return base64.b64decode("".join(text.split()), validate=True)
    except (ValueError, binascii.Error):
        message = f"is not {encoding}; correct it, or set `{option}` to utf-8."
        raise invalid(pointer, message) from None
    return text.encode("utf-8", "surrogatepass")
