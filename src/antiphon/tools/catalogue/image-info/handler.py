"""Image metadata: format, size and more from the header of an image."""

from __future__ import annotations

import base64
import binascii
import re
from math import gcd
from typing import Any

from antiphon import ok
from antiphon.toolkit import invalid

from .formats import READERS, BrokenImage

DATA_URL = re.compile(r"data:([\w.+/-]{0,100})(?:;[\w=.-]{1,100}){0,5},")


def execute(args: dict[str, Any], context: Any) -> Any:
    text, notes = args["data"].strip(), []
    declared = ""
    if text.startswith("data:"):
        found = DATA_URL.match(text)
        if not found or not found[0].endswith(";base64,"):
            raise invalid("/data", "a data URL must have ;base64, before the image.")
        declared, text = found[1].lower(), text[found.end() :]
    packed = "".join(text.split()).rstrip("=")
    try:
        raw = base64.b64decode(packed + "=" * (-len(packed) % 4), validate=True)
    except (binascii.Error, ValueError) as error:
        raise invalid("/data", f"this is no base64: {error}.") from None
    fitting = [(name, reader) for name, magic, reader in READERS if raw.startswith(magic)]
    if not fitting:
        raise invalid(
            "/data", f"it starts with {raw[:8].hex() or 'nothing'}: no PNG, JPEG, GIF, WebP or BMP."
        )
    name, reader = fitting[0]
    try:
        image = reader(raw)
    except (BrokenImage, IndexError) as error:
        raise invalid("/data", f"the {name.upper()} is broken or cut off: {error}.") from None
    if not image.width or not image.height:
        raise invalid(
            "/data", f"the {name.upper()} says it is {image.width} by {image.height} pixels."
        )
    media = f"image/{name}"
    if declared and declared != media:
        notes.append(f"The data URL says {declared}, but it is {media}.")
    common = gcd(image.width, image.height)
    return ok(
        {
            "format": name,
            "media_type": media,
            "width": image.width,
            "height": image.height,
            "aspect_ratio": f"{image.width // common}:{image.height // common}",
            "megapixels": round(image.width * image.height / 1e6, 3),
            "bytes": len(raw),
            "bits_per_pixel": image.bits,
            "transparency": image.transparency,
            "animated": image.animated,
            "notes": notes,
        }
    )
