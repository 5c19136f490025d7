"""SVG chart (bar, line or pie) without scripts or styles."""

from __future__ import annotations

from typing import Any

from antiphon import ok
from antiphon.toolkit import invalid

from .axes import SvgSheet, bars, lines
from .pie import pie


def execute(args: dict[str, Any], context: Any) -> Any:
    labels, series, kind = args["labels"], args["series"], args["kind"]
    for at, one in enumerate(series):
        if len(one["values"]) != len(labels):
            raise invalid(
                f"/series/{at}/values",
                f"there are {len(one['values'])} values for {len(labels)} labels.",
            )
    if kind == "pie":
        check_pie(series)
    sheet = SvgSheet(args["width"], args["height"], args["title"], kind, clean(labels, series))
    draw = {"bar": bars, "line": lines, "pie": pie}[kind]
    draw(sheet)
    return ok({"svg": sheet.svg(), "width": sheet.width, "height": sheet.height, "kind": kind})


def check_pie(series: list[dict[str, Any]]) -> None:
    if len(series) > 1:
        raise invalid("/series", "a pie shows one series; draw bars for more.")
    for at, value in enumerate(series[0]["values"]):
        if value < 0:
            raise invalid(f"/series/0/values/{at}", "a slice of a pie cannot be below 0.")
    if not sum(series[0]["values"]):
        raise invalid("/series/0/values", "all values are 0: there is nothing to share.")


def clean(labels: list[str], series: list[dict[str, Any]]) -> dict[str, Any]:
    """Remove control characters, which XML does not allow."""
    return {
        "labels": [printable(label) for label in labels],
        "series": [
            {"name": printable(one.get("name", "")), "values": one["values"]} for one in series
        ],
    }


def printable(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text)
