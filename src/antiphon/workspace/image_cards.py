"""The card that stands for an image where no provider makes one: plain SVG that says what it is."""

from __future__ import annotations

import hashlib
import textwrap
from typing import Literal
from xml.sax.saxutils import escape

Shape = Literal["square", "landscape", "portrait"]
SIZES: dict[Shape, tuple[int, int]] = {
    "square": (1024, 1024),
    "landscape": (1536, 1024),
    "portrait": (1024, 1536),
}
LABEL = "PLACEHOLDER: no image was generated"
_WHY = "No image provider is configured. This card shows the prompt."
_LINE, _SIZE = 56, 36


def card(prompt: str, shape: Shape = "square") -> str:
    """A whole SVG document without scripts, styles or links. The same prompt, the same card."""
    width, height = SIZES[shape]
    digest = hashlib.sha256(prompt.encode("utf-8", "replace")).digest()
    hue = int.from_bytes(digest[:2]) % 360
    most = (height - 420) // _LINE
    lines = textwrap.wrap(_printable(prompt), (width - 192) // (_SIZE // 2)) or [""]
    if len(lines) > most:
        lines = [*lines[: most - 1], f"{lines[most - 1][:-3]}..."]
    text = "".join(
        f'<text x="96" y="{330 + number * _LINE}" font-size="{_SIZE}">{escape(line)}</text>'
        for number, line in enumerate(lines)
    )
    circles = "".join(
        f'<circle cx="{digest[4 + i] * width // 255}" cy="{digest[9 + i] * height // 255}" '
        f'r="{80 + digest[14 + i]}" fill="hsl({(hue + 40 * i) % 360}, 60%, 82%)"/>'
        for i in range(5)
    )
    title = escape(f"{LABEL}. Prompt: {_printable(prompt)[:300]}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" font-family="sans-serif" fill="#1d1d1f">'
        f"<title>{title}</title>"
        f'<rect width="{width}" height="{height}" fill="hsl({hue}, 45%, 92%)"/>{circles}'
        f'<rect x="48" y="48" width="{width - 96}" height="{height - 96}" rx="24" fill="#ffffff" '
        f'fill-opacity="0.88" stroke="#1d1d1f" stroke-width="4" stroke-dasharray="16 12"/>'
        f'<text x="96" y="150" font-size="44" font-weight="bold">{escape(LABEL)}</text>'
        f'<text x="96" y="210" font-size="28">{escape(_WHY)}</text>{text}</svg>'
    )


def _printable(text: str) -> str:
    """Without what XML does not allow."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
