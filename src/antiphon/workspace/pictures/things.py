"""Subjects that people use: vehicles and objects."""

from __future__ import annotations

from antiphon.workspace.pictures.canvas import Canvas

DARK = "#2b3038"


def boat(draw: Canvas, colour: str = "#8c4f33") -> None:
    draw.path("M-46 -22 L46 -22 L32 0 L-32 0 Z", colour)
    draw.rect(-2, -96, 4, 74, "#5b4331")
    draw.polygon([(4, -94), (4, -30), (40, -30)], "#f7f4ec")
    draw.polygon([(-4, -86), (-4, -30), (-30, -30)], "#e9e2d2")


def car(draw: Canvas, colour: str = "#c4423b") -> None:
    draw.path("M-30 -34 L-18 -56 L20 -56 L34 -34 Z", colour)
    draw.polygon([(-22, -36), (-14, -51), (-1, -51), (-1, -36)], "#cfe6f2")
    draw.polygon([(3, -36), (3, -51), (17, -51), (26, -36)], "#cfe6f2")
    draw.rect(-48, -36, 96, 24, colour, 8)
    for x in (-27, 27):
        draw.circle(x, -11, 11, DARK)
        draw.circle(x, -11, 5, "#aab1ba")
    draw.circle(45, -26, 3, "#ffe98a")


def bus(draw: Canvas, colour: str = "#e0b23a") -> None:
    draw.rect(-48, -62, 96, 52, colour, 7)
    for x in (-42, -22, -2, 18):
        draw.rect(x, -54, 16, 16, "#cfe6f2", 2)
    draw.rect(36, -54, 9, 36, "#cfe6f2", 2)
    for x in (-28, 26):
        draw.circle(x, -10, 10, DARK)
        draw.circle(x, -10, 4, "#aab1ba")


def train(draw: Canvas, colour: str = "#2f7d6b") -> None:
    draw.rect(-48, -58, 60, 46, colour, 4)
    draw.path("M12 -58 L30 -58 Q48 -46 48 -12 L12 -12 Z", colour)
    for x in (-42, -24, -6):
        draw.rect(x, -50, 12, 16, "#cfe6f2", 2)
    draw.polygon([(18, -50), (29, -50), (39, -34), (18, -34)], "#cfe6f2")
    for x in (-36, -14, 12, 34):
        draw.circle(x, -9, 8, DARK)
    draw.rect(-60, -2, 120, 3, "#7b6a5a")


def bicycle(draw: Canvas, colour: str = "#2f6fb3") -> None:
    for x in (-28, 28):
        draw.ring(x, -22, 20, DARK, 3.5)
    draw.line(
        "M-28 -22 L-10 -54 L18 -54 L28 -22 M-10 -54 L2 -22 L18 -54 M-28 -22 L2 -22", colour, 4
    )
    draw.line("M-10 -54 L-13 -62 M-20 -63 L-6 -63", DARK, 4)
    draw.line("M18 -54 L16 -68 L26 -70", DARK, 4)


def airplane(draw: Canvas, colour: str = "#e8ebef") -> None:
    draw.path("M-46 -50 C-20 -62 34 -62 48 -48 C34 -40 -20 -40 -46 -46 Z", colour)
    draw.polygon([(-46, -50), (-56, -72), (-46, -72), (-30, -53)], "#b8443c")
    draw.polygon([(-4, -46), (-26, -22), (-14, -22), (18, -46)], "#c3c9d1")
    for x in range(-26, 30, 9):
        draw.circle(x, -52, 2, "#54708a")


def rocket(draw: Canvas, colour: str = "#e9edf1") -> None:
    draw.path("M-9 -16 L9 -16 L0 6 Z", "#f2a33a")
    draw.polygon([(-14, -40), (-28, -14), (-12, -20)], "#c4423b")
    draw.polygon([(14, -40), (28, -14), (12, -20)], "#c4423b")
    draw.path("M0 -100 C18 -80 18 -40 12 -16 L-12 -16 C-18 -40 -18 -80 0 -100", colour)
    draw.path("M0 -100 C8 -92 12 -84 14 -76 L-14 -76 C-12 -84 -8 -92 0 -100", "#c4423b")
    draw.circle(0, -58, 7, "#7fb4d6")


def balloon(draw: Canvas, colour: str = "#d6483f") -> None:
    draw.ellipse(0, -66, 28, 34, colour)
    draw.ellipse(0, -66, 11, 34, "#ffffff30")
    draw.line("M-16 -38 L-8 -16 M16 -38 L8 -16", DARK, 1.5)
    draw.rect(-9, -17, 18, 14, "#8a6240", 3)


def cup(draw: Canvas, colour: str = "#3f7fb3") -> None:
    draw.ring(30, -34, 14, colour, 6)
    draw.path("M-32 -58 L32 -58 L25 -6 Q24 0 18 0 L-18 0 Q-24 0 -25 -6 Z", colour)
    draw.ellipse(0, -58, 32, 7, "#4b2f1f")
    draw.line("M-10 -70 Q-16 -80 -8 -88 M8 -70 Q2 -82 10 -92", "#cfd4da", 3)


def book(draw: Canvas, colour: str = "#8c2f39") -> None:
    draw.polygon([(-48, -10), (0, 0), (0, -58), (-48, -68)], colour)
    draw.polygon([(48, -10), (0, 0), (0, -58), (48, -68)], colour)
    draw.polygon([(-43, -14), (0, -5), (0, -56), (-43, -64)], "#fbf7ec")
    draw.polygon([(43, -14), (0, -5), (0, -56), (43, -64)], "#f2ecdc")
    for up in range(4):
        y = -52 + 10 * up
        draw.line(f"M-36 {y - 5} L-8 {y + 1} M36 {y - 5} L8 {y + 1}", "#b9b2a2", 1.5)


def clock(draw: Canvas, colour: str = "#f4f1e8") -> None:
    draw.circle(0, -50, 42, DARK)
    draw.circle(0, -50, 37, colour)
    for mark in ("M0 -84 L0 -78", "M0 -22 L0 -16", "M-34 -50 L-28 -50", "M28 -50 L34 -50"):
        draw.line(mark, DARK, 3)
    draw.line("M0 -50 L0 -72 M0 -50 L16 -42", DARK, 4)


def umbrella(draw: Canvas, colour: str = "#b33a6b") -> None:
    draw.line("M0 -82 L0 -10 Q0 0 -10 0 Q-16 0 -16 -7", DARK, 4)
    draw.path(
        "M-48 -48 A48 48 0 0 1 48 -48 Q36 -58 24 -48 Q12 -58 0 -48 Q-12 -58 -24 -48 Q-36 -58 -48 "
        "-48",
        colour,
    )


def apple(draw: Canvas, colour: str = "#c93a36") -> None:
    draw.path("M0 -62 C-46 -84 -52 -8 -16 -2 C-6 0 6 0 16 -2 C52 -8 46 -84 0 -62", colour)
    draw.line("M0 -62 Q0 -78 8 -86", "#6b4a2f", 4)
    draw.path("M6 -72 C18 -86 30 -82 32 -76 C24 -68 14 -68 6 -72", "#4f9148")
    draw.ellipse(-18, -44, 5, 9, "#ffffff55")


def cake(draw: Canvas, colour: str = "#e7a3b4") -> None:
    draw.rect(-38, -36, 76, 36, "#f3e2c4", 5)
    draw.path(
        "M-38 -40 H38 V-26 Q28 -14 19 -26 Q10 -14 0 -26 Q-10 -14 -19 -26 Q-28 -14 -38 -26 Z", colour
    )
    for x in (-20, 0, 20):
        draw.rect(x - 2, -62, 4, 22, "#7fb4d6")
        draw.path(f"M{x} -76 Q{x + 5} -68 {x} -63 Q{x - 5} -68 {x} -76", "#f8a63d")
