"""Colour conversion: every usual notation of a colour and its contrast with another."""

from __future__ import annotations

from typing import Any

from antiphon import ok
from antiphon.toolkit.colours import Colour, contrast, parse_colour, to_hex, to_hsl, to_hsv

BLACK: Colour = (0, 0, 0, 1.0)
WHITE: Colour = (255, 255, 255, 1.0)


def execute(args: dict[str, Any], context: Any) -> Any:
    red, green, blue, alpha = colour = parse_colour(args["colour"], "/colour")
    hue, saturation, lightness = to_hsl(colour)
    high, strength, value = to_hsv(colour)
    see = "" if alpha == 1 else f", {alpha:g}"
    data: dict[str, Any] = {
        "hex": to_hex(colour),
        "rgb": f"rgb({red}, {green}, {blue})" if not see else f"rgba({red}, {green}, {blue}{see})",
        "hsl": f"hsl({hue}, {saturation}%, {lightness}%)"
        if not see
        else f"hsla({hue}, {saturation}%, {lightness}%{see})",
        "hsv": f"hsv({high}, {strength}%, {value}%)",
        "red": red,
        "green": green,
        "blue": blue,
        "alpha": alpha,
        "text_on_it": "#000000" if contrast(BLACK, colour) > contrast(WHITE, colour) else "#ffffff",
    }
    if "background" in args:
        ratio = contrast(colour, parse_colour(args["background"], "/background"))
        data["contrast"] = {
            "ratio": int(ratio * 100) / 100,
            "aa": ratio >= 4.5,
            "aa_large": ratio >= 3,
            "aaa": ratio >= 7,
            "aaa_large": ratio >= 4.5,
        }
    return ok(data)
