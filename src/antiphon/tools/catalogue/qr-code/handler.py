"""QR code of a text or link in SVG, made by segno."""

from __future__ import annotations

from typing import Any

from antiphon import ok
from antiphon.toolkit import invalid

# Of version 10, the largest that is drawn: phones still read it from a screen.
MOST_BYTES = {"L": 271, "M": 213, "Q": 151, "H": 119}


def execute(args: dict[str, Any], context: Any) -> Any:
    import segno

    raw = args["text"].encode()
    level = args["error_correction"]
    if len(raw) > MOST_BYTES[level]:
        raise invalid(
            "/text",
            f"it has {len(raw)} bytes; at most {MOST_BYTES[level]} fit with error "
            f"correction {level}. Shorten it, or use L for up to {MOST_BYTES['L']}.",
        )
    code = segno.make_qr(raw, error=level, mode="byte", boost_error=False)
    border, scale = args["border"], args["scale"]
    size = len(code.matrix)
    side = (size + 2 * border) * scale
    return ok(
        {
            "svg": draw_svg(code.matrix, border, side),
            "version": code.version,
            "modules": size,
            "error_correction": level,
            "mask": code.mask,
            "pixels": side,
        }
    )


def draw_svg(matrix: Any, border: int, side: int) -> str:
    """Return the SVG: one path, in which a run of dark modules of a row is one rectangle."""
    runs = []
    size = len(matrix)
    for y, row in enumerate(matrix):
        x = 0
        while x < size:
            end = x
            while end < size and row[end]:
                end += 1
            if end > x:
                runs.append(f"M{x + border} {y + border}h{end - x}v1h-{end - x}z")
            x = end + 1
    box = size + 2 * border
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {box} {box}" width="{side}" '
        f'height="{side}" role="img" shape-rendering="crispEdges"><title>QR code</title>'
        f'<rect width="{box}" height="{box}" fill="#ffffff"/>'
        f'<path fill="#000000" d="{"".join(runs)}"/></svg>'
    )
