"""Draft rules: what a subject is, and which styles, lights and views suit it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import Any

# "make me a picture of …" is no part of what the picture shows.
_ASKING = re.compile(
    r"^(?:please\s+)?(?:(?:can|could|would)\s+you\s+)?"
    r"(?:(?:make|draw|paint|create|generate|draft|show|give|design|render)\s+(?:me\s+)?)?"
    r"(?:(?:an?|the|some)\s+)?"
    r"(?:image|picture|photo(?:graph)?|illustration|drawing|painting)s?\s+(?:of|with|showing)\s+"
    r"|^(?:please\s+)?(?:draw|paint|render|illustrate)\s+(?:me\s+)?",
    re.IGNORECASE,
)

STYLES: dict[str, str] = {
    "photo": "a realistic photograph with natural colours and fine detail",
    "illustration": "a clean editorial illustration with flat colours and clear outlines",
    "watercolour": "a loose watercolour on textured paper with soft edges",
    "line art": "black line art on white with even strokes and no shading",
    "3d render": "a 3D render with smooth materials and soft shadows",
    "poster": "a bold poster with a limited palette and strong simple shapes",
    "oil painting": "an oil painting with visible brush strokes and rich colour",
    "pixel art": "pixel art with a small palette and crisp edges",
}
_LIGHTS = {
    "soft morning light": ("morning", "dawn", "sunrise"),
    "warm evening light": ("evening", "sunset", "dusk"),
    "bright midday light": ("midday", "noon", "sunny"),
    "cool light of the night": ("night", "moon", "stars"),
    "even studio light": ("studio", "product", "logo", "portrait"),
    "diffuse light of an overcast sky": ("rain", "fog", "cloud", "mist", "overcast"),
}
# Each view with the shape that suits it.
_VIEWS = {
    "wide view with much space around the subject": ("landscape", ("landscape", "city", "sea")),
    "close-up that fills the frame": ("square", ("face", "detail", "close-up", "macro")),
    "centred subject before a plain background": ("square", ("logo", "icon", "product")),
    "full figure seen from eye level": ("portrait", ("person", "woman", "man", "child", "robot")),
    "view from above": ("square", ("table", "map", "food", "above", "aerial")),
    "low view that makes the subject tall": ("portrait", ("tower", "lighthouse", "tree")),
}
# Line art and pixel art have no light of their own.
_LIGHTLESS = {"line art", "pixel art"}


def subject_of(description: str) -> str:
    """Return what the image shows, without how it was asked for."""
    text = " ".join(description.split()).strip(" .!?;,")
    found = _ASKING.sub("", text, count=1).strip(" .!?;,")
    kept = found or text
    return kept if re.search(r"\w", kept) else ""


def make_drafts(subject: str, style: str | None, count: int) -> list[dict[str, Any]]:
    """Return so many drafts, no two alike, those that suit the subject first."""
    lower = subject.lower()
    said = [name for name in STYLES if name in lower]
    styles = [style] if style else _turned(STYLES, subject, "style", said)
    lights = _turned(
        _LIGHTS, subject, "light", [k for k, words in _LIGHTS.items() if _any(words, lower)]
    )
    views = _turned(
        _VIEWS, subject, "view", [k for k, (_, words) in _VIEWS.items() if _any(words, lower)]
    )
    found = []
    for number in range(count):
        chosen = styles[number % len(styles)]
        light, view = lights[number % len(lights)], views[number % len(views)]
        parts = [_sentence(subject), STYLES[chosen], view]
        if chosen in _LIGHTLESS:
            light = "no light of its own"
        else:
            parts.insert(2, light)
        found.append(
            {
                "number": number + 1,
                "prompt": ", ".join(parts) + ". No text, no watermark.",
                "style": chosen,
                "light": light,
                "composition": view,
                "shape": _VIEWS[view][0],
            }
        )
    return found


def _any(words: Iterable[str], text: str) -> bool:
    return any(re.search(rf"\b{re.escape(word)}", text) for word in words)


def _turned(names: Iterable[str], subject: str, salt: str, first: list[str]) -> list[str]:
    """Return the options that the subject names, then the others in an order it determines."""
    rest = [name for name in names if name not in first]
    if not rest:
        return first
    place = int.from_bytes(hashlib.sha256(f"{salt}:{subject}".encode()).digest()[:4]) % len(rest)
    return [*first, *rest[place:], *rest[:place]]


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]
