"""Subjects that people build: houses, towers, bridges and towns."""

from __future__ import annotations

from antiphon.workspace.pictures.canvas import Canvas

WINDOW = "#f7e3a1"
DARK = "#4a3b33"


def house(draw: Canvas, colour: str = "#d98e5f") -> None:
    draw.rect(16, -86, 12, 26, "#8a5a44")
    draw.rect(-36, -50, 72, 50, colour)
    draw.polygon([(-46, -50), (46, -50), (0, -92)], "#8c3f35")
    draw.rect(-9, -28, 18, 28, DARK)
    for x in (-28, 14):
        draw.rect(x, -40, 14, 14, WINDOW)


def lighthouse(draw: Canvas, colour: str = "#cf3f36") -> None:
    draw.polygon([(-18, 0), (18, 0), (11, -74), (-11, -74)], "#f5f3ee")
    for foot, top in ((-12, -28), (-44, -60)):
        wide, narrow = 18 + foot * 7 / 74, 18 + top * 7 / 74
        draw.polygon([(-wide, foot), (wide, foot), (narrow, top), (-narrow, top)], colour)
    draw.polygon([(9, -82), (60, -96), (60, -68)], "#fff3b066")
    draw.rect(-15, -77, 30, 4, DARK)
    draw.rect(-8, -90, 16, 13, "#ffe98a")
    draw.polygon([(-11, -90), (11, -90), (0, -100)], DARK)
    draw.rect(-5, -14, 10, 14, DARK, 4)


def tower(draw: Canvas, colour: str = "#9a948c") -> None:
    draw.rect(-16, -84, 32, 84, colour)
    draw.rect(-21, -92, 42, 10, colour)
    for x in (-21, -7, 7):
        draw.rect(x, -100, 10, 10, colour)
    draw.rect(-4, -66, 8, 18, DARK, 4)
    draw.rect(-4, -36, 8, 18, DARK, 4)
    draw.rect(-6, -16, 12, 16, DARK, 5)


def castle(draw: Canvas, colour: str = "#a8a29a") -> None:
    draw.rect(-40, -48, 80, 48, colour)
    for x in range(-40, 40, 14):
        draw.rect(x, -56, 8, 9, colour)
    for x in (-48, 30):
        draw.rect(x, -74, 18, 74, colour)
        draw.polygon([(x - 3, -74), (x + 21, -74), (x + 9, -98)], "#8c3f35")
        draw.rect(x + 6, -60, 6, 14, DARK, 3)
    draw.path("M-12 0 L-12 -20 A12 12 0 0 1 12 -20 L12 0 Z", DARK)


def church(draw: Canvas, colour: str = "#e7dfd2") -> None:
    draw.rect(-10, -42, 50, 42, colour)
    draw.polygon([(-14, -42), (44, -42), (15, -62)], "#7d4a3c")
    draw.rect(-34, -66, 26, 66, colour)
    draw.polygon([(-37, -66), (-5, -66), (-21, -92)], "#7d4a3c")
    draw.line("M-21 -100 L-21 -90 M-25 -97 L-17 -97", DARK, 2)
    draw.rect(-25, -20, 9, 20, DARK, 4)
    for x in (2, 20):
        draw.rect(x, -30, 8, 16, WINDOW, 4)


def windmill(draw: Canvas, colour: str = "#e2d7c6") -> None:
    draw.polygon([(-20, 0), (20, 0), (12, -62), (-12, -62)], colour)
    draw.polygon([(-14, -62), (14, -62), (0, -78)], "#7d4a3c")
    for x, y in ((34, -32), (-34, -32), (34, 34), (-34, 34)):
        draw.line(f"M0 -64 l{x} {y}", DARK, 4)
    draw.rect(-5, -18, 10, 18, DARK)


def bridge(draw: Canvas, colour: str = "#8f8a83") -> None:
    draw.path(
        "M-60 -30 L60 -30 L60 0 L50 0 A18 20 0 0 0 14 0 L-14 0 A18 20 0 0 0 -50 0 L-60 0 Z", colour
    )
    draw.rect(-62, -38, 124, 8, colour)
    for x in range(-58, 60, 12):
        draw.rect(x, -46, 3, 9, colour)


def city(draw: Canvas, colour: str = "#5f6b80") -> None:
    x = -60.0
    while x < 58:
        width, height = draw.random.uniform(12, 22), draw.random.uniform(34, 98)
        draw.rect(x, -height, width, height, colour)
        for across in range(int(width // 6)):
            for up in range(int(height // 11)):
                if draw.random.random() < 0.55:
                    draw.rect(x + 2 + 6 * across, -height + 4 + 11 * up, 3, 5, WINDOW)
        x += width + 1.5
