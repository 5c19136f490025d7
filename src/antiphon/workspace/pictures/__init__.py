"""Drawings: simple vector pictures of what a prompt names, out of a fixed vocabulary."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from random import Random

from antiphon.workspace.pictures.canvas import SIZES, Canvas, Shape
from antiphon.workspace.pictures.nature import cloud
from antiphon.workspace.pictures.prompt import NamedSubject, PictureScene, read_prompt
from antiphon.workspace.pictures.vocabulary import SUBJECTS, TIMES

__all__ = ["SIZES", "Drawing", "Shape", "draw_picture", "known_subjects"]

HORIZON = 0.62
_SEA = {"day": "#3f83b5", "dawn": "#6b83ad", "sunset": "#4d4f86", "night": "#16254a"}
_LAND = {"day": "#7fae5d", "dawn": "#8fa56b", "sunset": "#75753f", "night": "#2c4236"}
_STAR = "#f8f4dc"
# What others stand on, and how much of its height is below their feet.
BASES = {"cliff": 0.5, "hill": 0.44, "island": 0.08}
_BASE_SIZE = {"cliff": 0.34, "hill": 0.62, "island": 0.44}


@dataclass(frozen=True, slots=True)
class Drawing:
    """A whole SVG document. `left_out` are words of the prompt that it does not show."""

    svg: str
    left_out: list[str]


def known_subjects() -> list[str]:
    """Return the names of what can be drawn, in order."""
    return sorted([*(subject.name for subject in SUBJECTS), "sea"])


def draw_picture(prompt: str, shape: Shape = "square") -> Drawing | None:
    """Draw the picture of a prompt, the same one for the same prompt; None where its main
    subject is none that can be drawn."""
    scene = read_prompt(prompt)
    if scene.main is None:
        return None
    seed = hashlib.sha256(f"{shape}/{prompt}".encode("utf-8", "surrogatepass")).digest()
    canvas = Canvas(shape, Random(seed))  # noqa: S311 - a picture, no secret
    _Painter(canvas, scene).paint()
    return Drawing(canvas.document(prompt), scene.left_out)


class _Painter:
    """A painter that puts a scene onto a canvas, from back to front."""

    def __init__(self, canvas: Canvas, scene: PictureScene) -> None:
        assert scene.main is not None
        self._draw = canvas
        self._scene = scene
        self._main = scene.main
        self._horizon = canvas.height * HORIZON
        self._all = [scene.main, *scene.others]
        self._water = scene.water or any(each.subject.place == "water" for each in self._all)
        # "A lighthouse on a cliff": what the main subject stands on.
        stands = scene.main.subject.place in ("ground", "near")
        self._base = next((each for each in scene.others if each.subject.name in BASES), None)
        if not stands or scene.main.count > 1:
            self._base = None
        self._places = dict(zip(map(id, self._all), self._spread(), strict=True))

    def paint(self) -> None:
        scene = self._scene
        self._draw.sky(*TIMES[scene.time])
        if scene.time == "night":
            self._stars()
        self._in("sky")
        if not scene.in_space:
            self._in("far")
            self._ground()
        if self._base is not None:
            self._put(self._base)
        for place in ("ground", "water", "near"):
            self._in(place)
        self._weather()

    def _spread(self) -> list[float]:
        """Return where each subject stands, as a share of the width: the main one in the middle,
        the others by turns at its sides, those in the sky by themselves."""
        random = self._draw.random
        sides = iter((0.8, 0.2, 0.64, 0.36, 0.92, 0.08) * 8)
        above = iter((0.74, 0.26, 0.5, 0.88, 0.12) * 10)
        found = []
        for each in self._all:
            if each is self._main or each is self._base:
                found.append(0.5)
            else:
                share = next(above if each.subject.place == "sky" else sides)
                found.append(share + random.uniform(-0.02, 0.02))
        return found

    def _stars(self) -> None:
        draw = self._draw
        deep = draw.height if self._scene.in_space else self._horizon * 0.9
        for _ in range(60):
            x, y = draw.random.uniform(0, draw.width), draw.random.uniform(0, deep)
            draw.circle(x, y, draw.random.uniform(1, 3), _STAR)

    def _ground(self) -> None:
        draw, time = self._draw, self._scene.time
        width, height, horizon = draw.width, draw.height, self._horizon
        land = "#e3ebf2" if self._scene.weather == "snow" else _LAND[time]
        if not self._water:
            draw.path(
                f"M0 {horizon:g} Q{width / 2:g} {horizon - 24:g} {width} {horizon:g} "
                f"L{width} {height} L0 {height} Z",
                land,
            )
            return
        draw.rect(0, horizon, width, height - horizon, _SEA[time])
        for number in range(7):
            y = horizon + 30 + number * (height - horizon) / 8
            start = draw.random.uniform(0, width * 0.3)
            while start < width:
                draw.line(f"M{start:g} {y:g} q20 -10 40 0 q20 10 40 0", "#ffffff40", 3)
                start += draw.random.uniform(150, 320)
        if any(each.subject.place in ("ground", "near") for each in self._all):
            shore = height * 0.8
            draw.path(
                f"M0 {shore:g} Q{width / 2:g} {shore - 60:g} {width} {height * 0.9:g} "
                f"L{width} {height} L0 {height} Z",
                land,
            )

    def _in(self, place: str) -> None:
        """Return the subjects at one place, the main subject before the others."""
        several = [each for each in self._all if each.subject.place == place]
        for named in sorted(several, key=lambda each: each is self._main):
            if named is not self._base and named.subject.height:  # the scene itself has none
                self._put(named)

    def _put(self, named: NamedSubject) -> None:
        draw, subject = self._draw, named.subject
        size = self._size(named)
        for each in range(named.count):
            middle = self._places[id(named)]
            if named.count > 1:
                middle = (each + 0.5) / named.count * 0.86 + 0.07
            y = self._foot(named, size)
            if named.count > 1:
                y += draw.random.uniform(-0.03, 0.03) * draw.height
            with draw.at(middle * draw.width, y, size):
                if named.colour is None:
                    subject.draw(draw)  # type: ignore[call-arg]
                else:
                    subject.draw(draw, named.colour)  # type: ignore[call-arg]

    def _size(self, named: NamedSubject) -> float:
        share = named.subject.height
        if named is self._main:
            share = min(0.62, share * 1.6)
        elif named is self._base:
            share = _BASE_SIZE[named.subject.name]
        size = share * min(self._draw.height, self._draw.width * 1.1)
        return size if named.count == 1 else size * max(0.4, 1 - 0.12 * named.count)

    def _foot(self, named: NamedSubject, size: float) -> float:
        height = self._draw.height
        place = named.subject.place
        if place == "sky":
            middle = height * 0.75 if named is self._main else height * 0.3
            return max(size * 1.08, middle if self._scene.in_space else height * 0.28)
        low = height * (0.92 if self._water else 0.86)
        if named is self._base:
            return low
        if named is self._main and self._base is not None:
            return low - self._size(self._base) * BASES[self._base.subject.name]
        if place == "far":
            return self._horizon + 6
        if place == "water":
            return self._horizon + (height - self._horizon) * 0.45
        return low if place == "near" else low - height * 0.05

    def _weather(self) -> None:
        draw, weather = self._draw, self._scene.weather
        width, height = draw.width, draw.height
        if weather in ("rain", "cloud"):
            for share in (0.18, 0.5, 0.82):
                with draw.at(width * share, height * 0.2, height * 0.22):
                    cloud(draw, "#c3cad3")
        if weather == "rain":
            for _ in range(90):
                x, y = draw.random.uniform(0, width), draw.random.uniform(height * 0.2, height)
                draw.line(f"M{x:g} {y:g} l-8 26", "#dfeaf4", 3)
        elif weather == "snow":
            for _ in range(120):
                x, y = draw.random.uniform(0, width), draw.random.uniform(0, height)
                draw.circle(x, y, draw.random.uniform(3, 7), "#ffffff")
        elif weather == "fog":
            for share in (0.45, 0.58, 0.7):
                draw.rect(0, height * share, width, height * 0.09, "#ffffff55", 40)
