"""Canvas: shapes of one SVG document, without scripts, styles, links or texts from outside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Literal
from xml.sax.saxutils import escape

Shape = Literal["square", "landscape", "portrait"]
SIZES: dict[Shape, tuple[int, int]] = {
    "square": (1024, 1024),
    "landscape": (1536, 1024),
    "portrait": (1024, 1536),
}
Point = tuple[float, float]


class Canvas:
    """An SVG canvas that draws in the order of the calls. Within `at`, a subject has a box of
    its own: x from -50 to 50, and y from 0 at its foot down to -100 at its top."""

    def __init__(self, shape: Shape, random: Random) -> None:
        self.width, self.height = SIZES[shape]
        self.random = random
        self._parts: list[str] = []

    def rect(
        self, x: float, y: float, width: float, height: float, fill: str, round: float = 0
    ) -> None:
        rx = f' rx="{round:g}"' if round else ""
        self._add(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{rx}', fill)

    def circle(self, x: float, y: float, radius: float, fill: str) -> None:
        self._add(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}"', fill)

    def ellipse(self, x: float, y: float, across: float, down: float, fill: str) -> None:
        self._add(f'<ellipse cx="{x:g}" cy="{y:g}" rx="{across:g}" ry="{down:g}"', fill)

    def polygon(self, points: Sequence[Point], fill: str) -> None:
        written = " ".join(f"{x:g},{y:g}" for x, y in points)
        self._add(f'<polygon points="{written}"', fill)

    def path(self, path: str, fill: str) -> None:
        self._add(f'<path d="{path}"', fill)

    def line(self, path: str, stroke: str, width: float) -> None:
        self._parts.append(
            f'<path d="{path}" fill="none" stroke="{stroke}" stroke-width="{width:g}" '
            'stroke-linecap="round" stroke-linejoin="round"/>'
        )

    def ring(self, x: float, y: float, radius: float, stroke: str, width: float) -> None:
        self._parts.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="none" stroke="{stroke}" '
            f'stroke-width="{width:g}"/>'
        )

    def sky(self, top: str, bottom: str) -> None:
        """Draw a gradient over the whole picture."""
        self._parts.append(
            '<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">'
            f'<stop offset="0" stop-color="{top}"/><stop offset="1" stop-color="{bottom}"/>'
            "</linearGradient></defs>"
        )
        self.rect(0, 0, self.width, self.height, "url(#sky)")

    @contextmanager
    def at(self, x: float, y: float, size: float, *, faint: float = 1) -> Iterator[None]:
        """Draw what comes inside with its foot at that place, `size` high."""
        scale = size / 100
        faded = f' opacity="{faint:g}"' if faint < 1 else ""
        self._parts.append(f'<g transform="translate({x:g} {y:g}) scale({scale:.4g})"{faded}>')
        yield
        self._parts.append("</g>")

    def document(self, title: str) -> str:
        printable = "".join(c if c.isprintable() else " " for c in title)
        said = escape(" ".join(printable.split())[:300])
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" '
            f'height="{self.height}" viewBox="0 0 {self.width} {self.height}" role="img">'
            f"<title>{said}</title>{''.join(self._parts)}</svg>"
        )

    def _add(self, shape: str, fill: str) -> None:
        self._parts.append(f'{shape} fill="{fill}"/>')
