"""Unit conversion of a value to another unit of the same kind."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from typing import Any

from antiphon import ok
from antiphon.toolkit import invalid

from .units import TEMPERATURES, UNITS


@dataclass(frozen=True)
class Unit:
    symbol: str
    kind: str
    factor: Fraction
    offset: Fraction = Fraction(0)


def index_units() -> tuple[dict[str, Unit], dict[str, Unit]]:
    """Index units by exact name, and by name without case where that is unambiguous."""
    exact: dict[str, Unit] = {}
    units = [
        (Unit(symbol, kind, factor), names)
        for kind, group in UNITS.items()
        for symbol, (factor, names) in group.items()
    ] + [
        (Unit(symbol, "temperature", factor, offset), names)
        for symbol, (factor, offset, names) in TEMPERATURES.items()
    ]
    for unit, names in units:
        for name in (unit.symbol, *names.split()):
            assert name not in exact, name
            exact[name] = unit
    loose: dict[str, Unit | None] = {}
    for name, unit in exact.items():
        low = name.lower()
        loose[low] = unit if loose.get(low, unit) == unit else None
    return exact, {name: unit for name, unit in loose.items() if unit}


EXACT, LOOSE = index_units()


def execute(args: dict[str, Any], context: Any) -> Any:
    source, target = find_unit(args["from"], "/from"), find_unit(args["to"], "/to")
    if source.kind != target.kind:
        raise invalid(
            "/to",
            f"{source.symbol} measures {source.kind}, {target.symbol} measures {target.kind}; "
            "both must measure the same.",
        )
    base = (Fraction(str(args["value"])) + source.offset) * source.factor
    if source.kind == "temperature" and base < 0:
        raise invalid("/value", "that is below absolute zero.")
    exact = base / target.factor - target.offset
    result = round_result(exact, args.get("decimals"))
    given = format_number(args["value"])
    return ok(
        {
            "result": result,
            "from": source.symbol,
            "to": target.symbol,
            "kind": source.kind,
            "summary": f"{given} {source.symbol} = {format_number(result)} {target.symbol}",
        }
    )


def find_unit(name: str, pointer: str) -> Unit:
    text = "_".join(name.split())
    for known, key in ((EXACT, text), (LOOSE, text.lower())):
        if key in known:
            return known[key]
    near = get_close_matches(text.lower(), [one.lower() for one in EXACT], n=3)
    same = [one for one in EXACT if one.lower() == text.lower()]
    hint = " Did you mean " + " or ".join(same or near) + "?" if same or near else ""
    raise invalid(
        pointer,
        f"there is no unit {name[:40]!r}.{hint or ' Write it like km, miles, kg, °C or MiB.'}",
    )


def round_result(value: Fraction, decimals: int | None) -> float:
    if decimals is not None:
        return float(round(value, decimals))
    return float(f"{float(value):.12g}")


def format_number(number: float) -> str:
    return f"{number:.12g}"
