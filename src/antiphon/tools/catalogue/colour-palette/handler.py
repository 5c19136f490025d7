"""Colour palette from one colour: harmonies, tints, shades and a scale."""

from __future__ import annotations

import colorsys
from typing import Any

from antiphon import ok
from antiphon.toolkit.colours import Colour, contrast, from_hsl, parse_colour, to_hex

TURNS = {
    "complementary": (0, 180),
    "analogous": (0, 30, 330),
    "triadic": (0, 120, 240),
    "split_complementary": (0, 150, 210),
    "tetradic": (0, 90, 180, 270),
}
WHITE: Colour = (255, 255, 255, 1.0)
BLACK: Colour = (0, 0, 0, 1.0)


def execute(args: dict[str, Any], context: Any) -> Any:
    base = parse_colour(args["colour"], "/colour")[:3] + (1.0,)
    colours = [describe(colour) for colour in palette(base, args["scheme"], args["count"])]
    css = "\n".join(
        f"  --{args['name']}-{at}: {one['hex']};" for at, one in enumerate(colours, start=1)
    )
    return ok(
        {
            "scheme": args["scheme"],
            "base": to_hex(base),
            "colours": colours,
            "css": f":root {{\n{css}\n}}",
        }
    )


def palette(base: Colour, scheme: str, count: int) -> list[Colour]:
    hue, lightness, saturation = colorsys.rgb_to_hls(*(part / 255 for part in base[:3]))
    if scheme in TURNS:
        turned = [
            from_hsl(hue * 360 + turn, saturation * 100, lightness * 100)
            for turn in TURNS[scheme][1:]
        ]
        return [base, *turned]
    if scheme == "tints":
        return [mix(base, WHITE, at / count) for at in range(count)]
    if scheme == "shades":
        return [mix(base, BLACK, at / count) for at in range(count)]
    # A scale from light to dark with the hue of the base.
    steps = [95 - at * 85 / max(count - 1, 1) for at in range(count)]
    return [from_hsl(hue * 360, saturation * 100, step) for step in steps]


def mix(colour: Colour, other: Colour, part: float) -> Colour:
    red, green, blue = (
        round(one + (two - one) * part) for one, two in zip(colour[:3], other[:3], strict=True)
    )
    return red, green, blue, 1.0


def describe(colour: Colour) -> dict[str, Any]:
    on_white, on_black = contrast(colour, WHITE), contrast(colour, BLACK)
    return {
        "hex": to_hex(colour),
        "contrast_on_white": int(on_white * 100) / 100,
        "contrast_on_black": int(on_black * 100) / 100,
        "text_on_it": "#000000" if on_black > on_white else "#ffffff",
    }
