"""QR code of a text or link in SVG."""

from __future__ import annotations

from typing import Any

from antiphon import ErrorType, ToolError, ok

from .codewords import MOST_BYTES, codewords, fitting_version
from .symbol import Symbol


def execute(args: dict[str, Any], context: Any) -> Any:
    raw = args["text"].encode()
    level = args["error_correction"]
    version = fitting_version(len(raw), level)
    if version is None:
        raise ToolError(
            ErrorType.VALIDATION,
            f"/text: it has {len(raw)} bytes; at most {MOST_BYTES[level]} fit with error "
            f"correction {level}. Shorten it, or use L for up to {MOST_BYTES['L']}.",
            pointer="/text",
        )
    symbol = Symbol(version, level, codewords(raw, version, level))
    border, scale = args["border"], args["scale"]
    side = (symbol.size + 2 * border) * scale
    return ok(
        {
            "svg": drawn(symbol, border, side),
            "version": version,
            "modules": symbol.size,
            "error_correction": level,
            "mask": symbol.mask,
            "pixels": side,
        }
    )


def drawn(symbol: Symbol, border: int, side: int) -> str:
    """One path; a run of dark modules in a row is one rectangle of it."""
    runs = []
    for y, row in enumerate(symbol.modules):
        x = 0
        while x < symbol.size:
            end = x
            while end < symbol.size and row[end]:
                end += 1
            if end > x:
                runs.append(f"M{x + border} {y + border}h{end - x}v1h-{end - x}z")
            x = end + 1
    box = symbol.size + 2 * border
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {box} {box}" width="{side}" '
        f'height="{side}" role="img" shape-rendering="crispEdges"><title>QR code</title>'
        f'<rect width="{box}" height="{box}" fill="#ffffff"/>'
        f'<path fill="#000000" d="{"".join(runs)}"/></svg>'
    )
