"""Subjects that live, and two that only look like it."""

from __future__ import annotations

from antiphon.workspace.pictures.canvas import Canvas

EYE = "#22262b"


def bird(draw: Canvas, colour: str = "#3d4a5c") -> None:
    draw.line("M-44 -50 Q-22 -84 0 -50 Q22 -84 44 -50", colour, 8)


def cat(draw: Canvas, colour: str = "#6c6f78") -> None:
    draw.line("M26 -12 C52 -12 48 -44 36 -46", colour, 8)
    draw.ellipse(2, -24, 30, 24, colour)
    draw.circle(-18, -58, 22, colour)
    draw.polygon([(-38, -66), (-34, -90), (-20, -76)], colour)
    draw.polygon([(2, -66), (-2, -90), (-16, -76)], colour)
    for x in (-26, -10):
        draw.circle(x, -60, 3.5, "#d9e36a")
        draw.circle(x, -60, 1.6, EYE)
    draw.polygon([(-20, -52), (-16, -52), (-18, -49)], "#d98b95")
    draw.line("M-30 -50 L-44 -52 M-30 -47 L-43 -44 M-6 -50 L8 -52 M-6 -47 L7 -44", EYE, 1)
    for x in (-12, 10):
        draw.ellipse(x, -3, 9, 5, colour)


def dog(draw: Canvas, colour: str = "#b07d4b") -> None:
    draw.line("M34 -40 C48 -48 50 -60 46 -68", colour, 7)
    draw.rect(-26, -46, 62, 28, colour, 14)
    for x in (-22, -8, 18, 28):
        draw.rect(x, -24, 8, 24, colour, 3)
    draw.circle(-30, -62, 18, colour)
    draw.ellipse(-44, -56, 12, 9, colour)
    draw.circle(-55, -58, 4, EYE)
    draw.path("M-24 -78 C-10 -78 -8 -56 -16 -52 C-24 -56 -26 -66 -24 -78", "#8a5d34")
    draw.circle(-36, -66, 2.6, EYE)


def fish(draw: Canvas, colour: str = "#e8894a") -> None:
    draw.path("M-40 -50 C-20 -84 20 -80 34 -50 C20 -20 -20 -16 -40 -50", colour)
    draw.polygon([(26, -50), (50, -72), (50, -28)], colour)
    draw.circle(-22, -56, 5, "#ffffff")
    draw.circle(-23, -56, 2.5, EYE)
    draw.line("M-8 -66 Q2 -50 -8 -34", "#ffffff66", 3)


def butterfly(draw: Canvas, colour: str = "#d9772f") -> None:
    for side in (-1, 1):
        draw.ellipse(side * 22, -64, 21, 24, colour)
        draw.ellipse(side * 17, -34, 15, 17, colour)
        draw.circle(side * 24, -66, 7, "#ffffff66")
    draw.rect(-3, -74, 6, 52, EYE, 3)
    draw.line("M-1 -74 Q-8 -90 -14 -90 M1 -74 Q8 -90 14 -90", EYE, 2)


def horse(draw: Canvas, colour: str = "#8a5a3a") -> None:
    draw.rect(-28, -56, 56, 26, colour, 12)
    for x in (-25, -14, 12, 21):
        draw.rect(x, -36, 7, 36, colour)
    draw.polygon([(-20, -54), (-34, -92), (-20, -92), (-4, -56)], colour)
    draw.polygon([(-34, -92), (-52, -80), (-48, -72), (-26, -78)], colour)
    draw.line("M-22 -92 C-14 -80 -10 -70 -6 -58", "#3f2c20", 6)
    draw.line("M28 -50 C40 -44 40 -28 36 -18", "#3f2c20", 6)
    draw.circle(-36, -84, 2, EYE)


def person(draw: Canvas, colour: str = "#3f6fb0") -> None:
    draw.circle(0, -86, 12, "#e2b48c")
    draw.path("M-12 -88 A12 12 0 0 1 12 -88 L12 -92 A12 10 0 0 0 -12 -92 Z", "#4a3323")
    draw.rect(-14, -74, 28, 40, colour, 8)
    draw.line("M-16 -68 L-26 -42 M16 -68 L26 -42", "#e2b48c", 7)
    draw.rect(-12, -36, 10, 36, "#37404e")
    draw.rect(2, -36, 10, 36, "#37404e")


def snowman(draw: Canvas, colour: str = "#f7fafc") -> None:
    draw.circle(0, -24, 24, colour)
    draw.circle(0, -58, 17, colour)
    draw.circle(0, -82, 12, colour)
    draw.rect(-12, -98, 24, 5, EYE)
    draw.rect(-8, -108, 16, 12, EYE)
    draw.polygon([(0, -84), (0, -79), (16, -80)], "#e8792c")
    for x, y in ((-4, -86), (4, -86), (0, -62), (0, -54)):
        draw.circle(x, y, 1.8, EYE)
    draw.line("M-16 -60 L-36 -72 M16 -60 L36 -72", "#6b4a2f", 3)


def robot(draw: Canvas, colour: str = "#8fa3b5") -> None:
    draw.line("M0 -84 L0 -96", "#5a6876", 3)
    draw.circle(0, -98, 4, "#e2554b")
    draw.rect(-20, -86, 40, 30, colour, 6)
    for x in (-9, 9):
        draw.circle(x, -72, 6, "#eaf7ff")
        draw.circle(x, -72, 2.6, EYE)
    draw.rect(-24, -52, 48, 36, colour, 5)
    draw.rect(-14, -44, 28, 14, "#2d3844", 3)
    draw.line("M-28 -46 L-38 -24 M28 -46 L38 -24", "#5a6876", 7)
    for x in (-16, 5):
        draw.rect(x, -16, 11, 16, "#5a6876", 2)


def heart(draw: Canvas, colour: str = "#d6384a") -> None:
    draw.path("M0 -6 C-70 -52 -46 -100 0 -72 C46 -100 70 -52 0 -6", colour)
