"""Subjects of nature: plants, land, and what is in the sky. Each has its own colour by default."""

from __future__ import annotations

from math import cos, pi, sin

from antiphon.workspace.pictures.canvas import Canvas


def tree(draw: Canvas, colour: str = "#3f7d3a") -> None:
    draw.rect(-6, -45, 12, 45, "#6b4a2f")
    draw.circle(0, -68, 30, colour)
    draw.circle(-22, -52, 22, colour)
    draw.circle(22, -52, 22, colour)
    draw.circle(-8, -76, 12, "#ffffff22")


def pine(draw: Canvas, colour: str = "#2f5d46") -> None:
    draw.rect(-5, -18, 10, 18, "#5b3f2a")
    for foot, half in ((-14, 34), (-38, 27), (-62, 19)):
        draw.polygon([(-half, foot), (half, foot), (0, foot - 38)], colour)


def forest(draw: Canvas, colour: str = "#2f5d46") -> None:
    for place in range(-48, 49, 12):
        x = place + draw.random.uniform(-3, 3)
        foot = draw.random.uniform(-4, 2)
        with draw.at(x, foot, draw.random.uniform(38, 62)):
            pine(draw, colour)


def flower(draw: Canvas, colour: str = "#d8467a") -> None:
    draw.line("M0 0 C4 -20 -4 -40 0 -64", "#3f7d3a", 4)
    draw.path("M0 -20 C18 -34 26 -26 24 -16 C16 -12 8 -14 0 -20", "#4f9148")
    for number in range(6):
        turn = number * pi / 3
        draw.circle(18 * cos(turn), -74 + 18 * sin(turn), 12, colour)
    draw.circle(0, -74, 10, "#f4c542")


def mountain(draw: Canvas, colour: str = "#6f7f94") -> None:
    draw.polygon([(-50, 0), (-6, -100), (50, 0)], colour)
    draw.polygon([(-6, -100), (6, -78), (0, -72), (-6, -78), (-13, -70), (-18, -74)], "#f3f6fa")
    draw.polygon([(-6, -100), (50, 0), (14, 0)], "#00000018")
    draw.polygon([(10, 0), (34, -58), (62, 0)], colour)


def hill(draw: Canvas, colour: str = "#6d9a55") -> None:
    draw.path("M-70 0 C-40 -58 30 -62 70 0 Z", colour)


def cliff(draw: Canvas, colour: str = "#7d705f") -> None:
    draw.polygon([(-50, 0), (-46, -34), (-20, -52), (30, -56), (38, -30), (50, 0)], colour)
    draw.polygon([(-46, -34), (-20, -52), (30, -56), (34, -48), (-18, -44)], "#6d9a55")


def island(draw: Canvas, colour: str = "#e6cf9a") -> None:
    draw.ellipse(0, -4, 50, 14, colour)
    draw.line("M2 -10 C8 -40 0 -60 6 -80", "#8a6240", 6)
    for end in ("-26 -92", "-22 -66", "36 -90", "34 -62", "6 -106"):
        draw.line(f"M6 -80 Q{end} {end}", "#3f8d45", 7)


def sun(draw: Canvas, colour: str = "#f8c63d") -> None:
    for number in range(12):
        turn = number * pi / 6
        inner, outer = (34 * cos(turn), 34 * sin(turn)), (47 * cos(turn), 47 * sin(turn))
        path = f"M{inner[0]:.1f} {inner[1] - 50:.1f} L{outer[0]:.1f} {outer[1] - 50:.1f}"
        draw.line(path, colour, 5)
    draw.circle(0, -50, 28, colour)


def moon(draw: Canvas, colour: str = "#f4efd6") -> None:
    draw.path("M14 -92 A44 44 0 1 0 14 -8 A34 34 0 1 1 14 -92", colour)


def star(draw: Canvas, colour: str = "#fdf3c0") -> None:
    points = []
    for number in range(10):
        radius, turn = (46 if number % 2 == 0 else 19), number * pi / 5 - pi / 2
        points.append((radius * cos(turn), -50 + radius * sin(turn)))
    draw.polygon(points, colour)


def cloud(draw: Canvas, colour: str = "#ffffff") -> None:
    draw.rect(-44, -36, 88, 26, colour, 13)
    draw.circle(-16, -40, 22, colour)
    draw.circle(14, -46, 28, colour)


def rainbow(draw: Canvas, colour: str = "") -> None:
    del colour
    bands = ("#d8463c", "#ee8a3a", "#f4c542", "#4f9d52", "#3a76c4", "#7a4fa8")
    for number, band in enumerate(bands):
        radius = 50 - number * 4
        draw.line(f"M{-radius} 0 A{radius} {radius} 0 0 1 {radius} 0", band, 4)


def planet(draw: Canvas, colour: str = "#d59a5b") -> None:
    draw.circle(0, -50, 32, colour)
    draw.path("M-30 -58 C-10 -50 10 -50 30 -58 L31 -46 C10 -38 -10 -38 -31 -46 Z", "#ffffff33")
    draw.line("M-48 -40 C-20 -22 22 -32 48 -62", "#e9d9b6", 5)


def fire(draw: Canvas, colour: str = "#e8642c") -> None:
    draw.line("M-26 -2 L26 -12 M-26 -12 L26 -2", "#6b4a2f", 8)
    draw.path("M0 -90 C30 -56 34 -30 18 -10 L-18 -10 C-36 -34 -20 -48 0 -90", colour)
    draw.path("M2 -58 C18 -36 16 -22 8 -10 L-8 -10 C-16 -24 -10 -34 2 -58", "#f8c63d")
