"""CSS colours: parsing, hue, lightness and contrast."""

from __future__ import annotations

import colorsys
import re

from .errors import invalid

# Red, green and blue from 0 to 255, and alpha from 0 to 1.
Colour = tuple[int, int, int, float]
_BARE_HEX = re.compile(r"[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8}", re.IGNORECASE)


def parse_colour(text: str, pointer: str) -> Colour:
    """Parse a colour as CSS writes it; raise the VALIDATION error of `pointer` if it is none.

    The `#` may be left out, names may have blanks; what no sRGB screen shows is refused.
    """
    # Imported by the call: its many colour spaces take a while to set up.
    from coloraide import Color

    word = text.strip().lower()
    if _BARE_HEX.fullmatch(word):
        word = f"#{word}"
    elif "(" not in word:
        word = word.replace(" ", "")
    try:
        found = Color(word)
    except ValueError:
        raise invalid(
            pointer,
            f"{text.strip()[:40]!r} is no colour; write #1a2b3c, rgb(26, 43, 60), "
            "hsl(210, 40%, 17%) or a name such as teal.",
        ) from None
    if not found.in_gamut() or not found.in_gamut("srgb"):
        raise invalid(
            pointer,
            f"{text.strip()[:40]!r} cannot be shown: red, green and blue go from 0 to 255, "
            "saturation and lightness to 100%.",
        )
    red, green, blue = (round(part * 255) for part in found.convert("srgb").coords(nans=False))
    return red, green, blue, round(found.alpha(), 3)


def from_hsl(hue: float, saturation: float, lightness: float, alpha: float = 1.0) -> Colour:
    """Return the colour of a hue in degrees, saturation and lightness in percent."""
    parts = colorsys.hls_to_rgb(hue % 360 / 360, lightness / 100, saturation / 100)
    red, green, blue = (round(part * 255) for part in parts)
    return red, green, blue, alpha


def to_hex(colour: Colour) -> str:
    """Return the colour as #rrggbb, or #rrggbbaa if it is translucent."""
    red, green, blue, alpha = colour
    return f"#{red:02x}{green:02x}{blue:02x}" + (f"{round(alpha * 255):02x}" if alpha < 1 else "")


def to_hsl(colour: Colour) -> tuple[int, int, int]:
    """Return hue in degrees, saturation and lightness in percent."""
    hue, lightness, saturation = colorsys.rgb_to_hls(*(part / 255 for part in colour[:3]))
    return round(hue * 360) % 360, round(saturation * 100), round(lightness * 100)


def to_hsv(colour: Colour) -> tuple[int, int, int]:
    """Return hue in degrees, saturation and value in percent."""
    hue, saturation, value = colorsys.rgb_to_hsv(*(part / 255 for part in colour[:3]))
    return round(hue * 360) % 360, round(saturation * 100), round(value * 100)


def _luminance(colour: Colour) -> float:
    """Return the relative luminance as WCAG 2 defines it."""
    parts = [part / 255 for part in colour[:3]]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(colour: Colour, background: Colour) -> float:
    """Return WCAG 2's contrast ratio, 1 to 21, of the colour as it looks on that background."""
    alpha = colour[3]
    red, green, blue = (
        round(top * alpha + under * (1 - alpha))
        for top, under in zip(colour[:3], background[:3], strict=True)
    )
    one, two = _luminance((red, green, blue, 1)), _luminance(background)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
