"""Percentages: the everyday questions about percent."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from antiphon import ErrorType, ToolError, ok


def execute(args: dict[str, Any], context: Any) -> Any:
    first, second = Fraction(str(args["a"])), Fraction(str(args["b"]))
    one, two = plain(first), plain(second)
    match args["question"]:
        case "of":
            value = first * second / 100
            said = f"{one}% of {two} is {{}}."
        case "what_percent":
            value = 100 * first / not_zero(second, "/b")
            said = f"{one} is {{}}% of {two}."
        case "change":
            value = 100 * (second - first) / abs(not_zero(first, "/a"))
            said = f"From {one} to {two} is a change of {{}}%."
        case "increase":
            value = first * (1 + second / 100)
            said = f"{one} plus {two}% is {{}}."
        case "decrease":
            value = first * (1 - second / 100)
            said = f"{one} less {two}% is {{}}."
        case "before_increase":
            value = first / not_zero(1 + second / 100, "/b")
            said = f"{one} is {{}} plus {two}%."
        case _:
            value = first / not_zero(1 - second / 100, "/b")
            said = f"{one} is {{}} less {two}%."
    result = round(value, args["decimals"])
    return ok({"result": float(result), "summary": said.format(plain(result))})


def not_zero(value: Fraction, pointer: str) -> Fraction:
    if not value:
        raise ToolError(
            ErrorType.VALIDATION,
            f"{pointer}: with {'0' if pointer == '/a' else 'this number'} there is no answer, "
            "it would divide by zero.",
            pointer=pointer,
        )
    return value


def plain(value: Fraction) -> str:
    return f"{float(value):.12g}"
