"""Pie slices and their legend."""

from __future__ import annotations

from math import cos, pi, sin

from .axes import INK, PALETTE, SvgSheet, format_number, tooltip, truncate


def pie(sheet: SvgSheet) -> None:
    values = [float(value) for value in sheet.series[0]["values"]]
    total = sum(values)
    radius = min(sheet.height - sheet.top - 16, sheet.width * 0.55) / 2
    x, y = 16 + radius, sheet.top + radius
    angle = -pi / 2
    for at, value in enumerate(values):
        colour = PALETTE[at % len(PALETTE)]
        hint = tooltip(sheet.labels[at], "", value)
        part = value / total
        if part > 0.9999:
            sheet.add("circle", hint=hint, cx=x, cy=y, r=radius, fill=colour)
        elif part:
            end = angle + 2 * pi * part
            path = slice_path(x, y, radius, angle, end)
            sheet.add("path", hint=hint, d=path, fill=colour, stroke="#ffffff")
            angle = end
    draw_legend(sheet, values, total, 2 * x)


def slice_path(x: float, y: float, radius: float, start: float, end: float) -> str:
    first = f"{format_number(x + radius * cos(start))} {format_number(y + radius * sin(start))}"
    last = f"{format_number(x + radius * cos(end))} {format_number(y + radius * sin(end))}"
    large = int(end - start > pi)
    size = format_number(radius)
    return f"M {format_number(x)} {format_number(y)} L {first} A {size} {size} 0 {large} 1 {last} Z"


def draw_legend(sheet: SvgSheet, values: list[float], total: float, left: float) -> None:
    room = int((sheet.height - sheet.top - 8) / 18)
    most = len(values) if len(values) <= room else room - 1
    for at, value in enumerate(values[:most]):
        y = sheet.top + 18.0 * at
        sheet.add("rect", x=left, y=y, width=10, height=10, fill=PALETTE[at % len(PALETTE)])
        share = f" ({100 * value / total:.1f}%)"
        text = truncate(sheet.labels[at], max(int((sheet.width - left - 24) / 7) - len(share), 1))
        sheet.add("text", text + share, x=left + 14, y=y + 9, fill=INK)
    if most < len(values):
        text = f"and {len(values) - most} more"
        sheet.add("text", text, x=left + 14, y=sheet.top + 18.0 * most + 9, fill=INK)
