"""Chart sheet in SVG with axes, bars and lines."""

from __future__ import annotations

import math
from html import escape
from typing import Any

PALETTE = ("#2563eb", "#d97706", "#059669", "#dc2626", "#7c3aed", "#0891b2", "#be185d", "#4d7c0f")
INK, FAINT = "#1f2937", "#d1d5db"


class SvgSheet:
    """SVG elements of a chart; text is escaped here and nowhere else."""

    def __init__(
        self, width: int, height: int, title: str, kind: str, data: dict[str, Any]
    ) -> None:
        self.width, self.height, self.kind = width, height, kind
        self.title = "".join(char if char.isprintable() else " " for char in title)
        self.labels: list[str] = data["labels"]
        self.series: list[dict[str, Any]] = data["series"]
        self.out: list[str] = []
        self.top = 44 if title else 16
        self.legend = len(self.series) > 1 or kind == "pie"

    def add(self, tag: str, text: str | None = None, hint: str = "", **attributes: Any) -> None:
        listed = "".join(
            f' {name.replace("_", "-")}="{escape(format_number(value))}"'
            for name, value in attributes.items()
        )
        if text is None and not hint:
            self.out.append(f"<{tag}{listed}/>")
        else:
            note = f"<title>{escape(hint)}</title>" if hint else ""
            self.out.append(f"<{tag}{listed}>{note}{escape(text or '')}</{tag}>")

    def svg(self) -> str:
        name = self.title or f"{self.kind} chart"
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
            f'width="{self.width}" height="{self.height}" role="img" '
            f'font-family="sans-serif" font-size="12"><title>{escape(name)}</title>'
        )
        ground = f'<rect width="{self.width}" height="{self.height}" fill="#ffffff"/>'
        title = ""
        if self.title:
            shortened = truncate(self.title, self.width // 9)
            title = (
                f'<text x="{self.width // 2}" y="26" text-anchor="middle" font-size="16" '
                f'fill="{INK}">{escape(shortened)}</text>'
            )
        return head + ground + title + "".join(self.out) + "</svg>"


def format_number(value: Any) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def truncate(text: str, most: int) -> str:
    return text if len(text) <= most else text[: max(most - 1, 1)] + "\u2026"


def scale(values: list[float]) -> tuple[float, float, float]:
    """Return lowest and highest grid line and their step: 1, 2 or 5 times a power of ten."""
    low, high = min(0.0, *values), max(0.0, *values)
    if low == high:
        high = 1.0
    rough = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = power * next(one for one in (1, 2, 5, 10, 20) if one * power >= rough * 0.999)
    return math.floor(low / step) * step, math.ceil(high / step) * step, step


def axes(sheet: SvgSheet) -> tuple[float, float, float, float, Any]:
    """Draw the grid; return left, width, top and height of the plot, and the height of a value."""
    values = [float(value) for one in sheet.series for value in one["values"]]
    low, high, step = scale(values)
    count = round((high - low) / step)
    texts = [f"{low + at * step:.10g}" for at in range(count + 1)]
    left = 20.0 + 7 * max(len(text) for text in texts)
    bottom = 30.0 + (24 if sheet.legend else 0)
    width, height = sheet.width - left - 16, sheet.height - sheet.top - bottom

    def place(value: float) -> float:
        return sheet.top + height * (high - value) / (high - low)

    for at, text in enumerate(texts):
        y = place(low + at * step)
        sheet.add("line", x1=left, y1=y, x2=left + width, y2=y, stroke=FAINT)
        sheet.add("text", text, x=left - 6, y=y + 4, text_anchor="end", fill=INK)
    below = sheet.top + height + 16
    room = width / len(sheet.labels)
    every = math.ceil(26 / room) if room < 26 else 1
    for at, label in enumerate(sheet.labels):
        if at % every == 0:
            text = truncate(label, int(room * every / 7))
            x = left + room * (at + 0.5)
            sheet.add("text", text, x=x, y=below, text_anchor="middle", fill=INK)
    if sheet.legend:
        legend(sheet, [one["name"] or f"series {at}" for at, one in enumerate(sheet.series, 1)])
    return left, width, float(sheet.top), height, place


def legend(sheet: SvgSheet, names: list[str]) -> None:
    room = (sheet.width - 32) / len(names)
    for at, name in enumerate(names):
        x, y = 16 + room * at, sheet.height - 20.0
        sheet.add("rect", x=x, y=y, width=10, height=10, fill=PALETTE[at % len(PALETTE)])
        text = truncate(name, int((room - 18) / 7))
        sheet.add("text", text, x=x + 14, y=y + 9, fill=INK)


def bars(sheet: SvgSheet) -> None:
    left, width, _, _, place = axes(sheet)
    room = width / len(sheet.labels)
    each = room * 0.8 / len(sheet.series)
    for index, one in enumerate(sheet.series):
        colour = PALETTE[index % len(PALETTE)]
        for at, value in enumerate(one["values"]):
            x = left + room * (at + 0.1) + each * index
            y, base = place(max(value, 0)), place(min(value, 0))
            hint = tooltip(sheet.labels[at], one["name"], value)
            sheet.add("rect", hint=hint, x=x, y=y, width=each * 0.95, height=base - y, fill=colour)


def lines(sheet: SvgSheet) -> None:
    left, width, _, _, place = axes(sheet)
    room = width / len(sheet.labels)
    for index, one in enumerate(sheet.series):
        colour = PALETTE[index % len(PALETTE)]
        points = [
            (left + room * (at + 0.5), place(value)) for at, value in enumerate(one["values"])
        ]
        path = " ".join(f"{format_number(x)},{format_number(y)}" for x, y in points)
        sheet.add("polyline", points=path, fill="none", stroke=colour, stroke_width=2)
        for at, (x, y) in enumerate(points):
            hint = tooltip(sheet.labels[at], one["name"], one["values"][at])
            sheet.add("circle", hint=hint, cx=x, cy=y, r=3, fill=colour)


def tooltip(label: str, name: str, value: float) -> str:
    return f"{label}{f', {name}' if name else ''}: {value:.10g}"
