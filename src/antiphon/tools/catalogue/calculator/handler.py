"""Calculator: the value of an arithmetic expression, exact as long as it can be."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from antiphon import ok
from antiphon.toolkit import invalid

from .functions import CONSTANTS, FUNCTIONS, Value
from .parser import NAME, ExpressionParser


def execute(args: dict[str, Any], context: Any) -> Any:
    names: dict[str, Value] = dict(CONSTANTS)
    for name, value in args["variables"].items():
        if not NAME.fullmatch(name) or name.lower() in FUNCTIONS or name.lower() in CONSTANTS:
            raise invalid("/variables", f"{name[:40]!r} cannot be the name of a variable.")
        names[name] = Fraction(str(value))
    value = ExpressionParser(args["expression"], names).result()
    data: dict[str, Any] = {"result": format_value(value), "exact": isinstance(value, Fraction)}
    number = as_number(value)
    if number is not None:
        data["number"] = number
    if isinstance(value, Fraction) and value.denominator != 1 and len(str(value)) <= 200:
        data["fraction"] = str(value)
    return ok(data)


def as_number(value: Value) -> int | float | None:
    """Return the value as a JSON number, with no loss beyond rounding."""
    if isinstance(value, Fraction) and value.denominator == 1:
        return int(value) if abs(value) < 2**53 else None
    try:
        return float(value)
    except OverflowError:
        return None


def format_value(value: Value) -> str:
    if isinstance(value, Fraction) and value.denominator == 1:
        return str(value.numerator)
    if isinstance(value, Fraction):
        return to_decimal(value)
    text = f"{value:.15g}"
    return "0" if text == "-0" else text


def to_decimal(value: Fraction) -> str:
    """Return all digits if they end within thirty, else fifteen significant ones."""
    rest = value.denominator
    twos = fives = 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    places = max(twos, fives)
    if rest == 1 and places <= 30:
        whole = abs(value.numerator) * (10**places // value.denominator)
        digits = str(whole).rjust(places + 1, "0")
        sign = "-" if value < 0 else ""
        return f"{sign}{digits[:-places]}.{digits[-places:]}"
    try:
        return f"{float(value):.15g}"
    except OverflowError:
        return f"{value.numerator // value.denominator}"
