"""CSS colours: parsing, hue, lightness and contrast."""

from __future__ import annotations

import colorsys
import re

from .errors import invalid

# Red, green and blue from 0 to 255, and alpha from 0 to 1.
Colour = tuple[int, int, int, float]
_HEX = re.compile(r"#?([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")
_NUMBER = r"([0-9]{1,3}(?:\.[0-9]{1,6})?)"
_ALPHA = r"(?:\s*[,/]\s*([0-9]?(?:\.[0-9]{1,6})?|[0-9]{1,3}%))?"
_GAP = r"(?:\s*,\s*|\s+)"
_RGB = re.compile(rf"rgba?\(\s*{_NUMBER}{_GAP}{_NUMBER}{_GAP}{_NUMBER}{_ALPHA}\s*\)")
_HSL = re.compile(rf"hsla?\(\s*{_NUMBER}(?:deg)?{_GAP}{_NUMBER}%{_GAP}{_NUMBER}%{_ALPHA}\s*\)")
_NAMES = {
    "black": "000000",
    "silver": "c0c0c0",
    "gray": "808080",
    "grey": "808080",
    "white": "ffffff",
    "maroon": "800000",
    "red": "ff0000",
    "purple": "800080",
    "fuchsia": "ff00ff",
    "magenta": "ff00ff",
    "green": "008000",
    "lime": "00ff00",
    "olive": "808000",
    "yellow": "ffff00",
    "navy": "000080",
    "blue": "0000ff",
    "teal": "008080",
    "aqua": "00ffff",
    "cyan": "00ffff",
    "orange": "ffa500",
    "pink": "ffc0cb",
    "brown": "a52a2a",
    "gold": "ffd700",
    "indigo": "4b0082",
    "violet": "ee82ee",
    "coral": "ff7f50",
    "salmon": "fa8072",
    "tomato": "ff6347",
    "crimson": "dc143c",
    "chocolate": "d2691e",
    "khaki": "f0e68c",
    "turquoise": "40e0d0",
    "orchid": "da70d6",
    "plum": "dda0dd",
    "beige": "f5f5dc",
    "ivory": "fffff0",
    "lavender": "e6e6fa",
    "skyblue": "87ceeb",
    "steelblue": "4682b4",
    "royalblue": "4169e1",
    "slategray": "708090",
    "rebeccapurple": "663399",
}


def parse_colour(text: str, pointer: str) -> Colour:
    """Parse a colour in CSS notation; raise the VALIDATION error of `pointer` if it is none."""
    word = text.strip().lower()
    word = _NAMES.get(word.replace(" ", ""), word)
    if found := _HEX.fullmatch(word):
        return _from_hex(found[1])
    if found := _RGB.fullmatch(word):
        parts = [round(float(found[at])) for at in (1, 2, 3)]
        if max(parts) > 255:
            raise invalid(pointer, f"{text.strip()!r}: red, green and blue go from 0 to 255.")
        return parts[0], parts[1], parts[2], _alpha(found[4], pointer)
    if found := _HSL.fullmatch(word):
        hue, saturation, lightness = (float(found[at]) for at in (1, 2, 3))
        if hue > 360 or saturation > 100 or lightness > 100:
            raise invalid(
                pointer, f"{text.strip()!r}: hue goes to 360, saturation and lightness to 100%."
            )
        return from_hsl(hue, saturation, lightness, _alpha(found[4], pointer))
    raise invalid(
        pointer,
        f"{text.strip()[:40]!r} is no colour; write #1a2b3c, rgb(26, 43, 60), hsl(210, 40%, 17%) "
        "or a name such as teal.",
    )


def _from_hex(digits: str) -> Colour:
    if len(digits) <= 4:
        digits = "".join(digit * 2 for digit in digits)
    parts = [int(digits[at : at + 2], 16) for at in range(0, len(digits), 2)]
    alpha = round(parts[3] / 255, 3) if len(parts) == 4 else 1.0
    return parts[0], parts[1], parts[2], alpha


def from_hsl(hue: float, saturation: float, lightness: float, alpha: float = 1.0) -> Colour:
    """Return the colour of a hue in degrees, saturation and lightness in percent."""
    parts = colorsys.hls_to_rgb(hue % 360 / 360, lightness / 100, saturation / 100)
    red, green, blue = (round(part * 255) for part in parts)
    return red, green, blue, alpha


def _alpha(text: str | None, pointer: str) -> float:
    if not text:
        return 1.0
    alpha = float(text[:-1]) / 100 if text.endswith("%") else float(text)
    if alpha > 1:
        raise invalid(pointer, "the alpha goes from 0 to 1.")
    return alpha


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
