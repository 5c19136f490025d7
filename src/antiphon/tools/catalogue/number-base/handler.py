"""Number base conversion of whole numbers, also as bits of a fixed width."""

from __future__ import annotations

from typing import Any

from antiphon import ok
from antiphon.toolkit import invalid

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
PREFIXES = {"0b": 2, "0o": 8, "0x": 16}


def execute(args: dict[str, Any], context: Any) -> Any:
    value, base = parse_number(args["value"], args.get("from_base"))
    width = args.get("bits")
    data: dict[str, Any] = {
        "result": format_number(value, args["to_base"]),
        "from_base": base,
        "to_base": args["to_base"],
        "binary": format_number(value, 2),
        "octal": format_number(value, 8),
        "decimal": str(value),
        "hex": format_number(value, 16),
        "bit_length": value.bit_length(),
    }
    if width is not None:
        if not -(1 << (width - 1)) <= value < 1 << width:
            raise invalid("/bits", f"{value} does not fit into {width} bits.")
        data["twos_complement"] = format_number(value % (1 << width), 2).rjust(width, "0")
    return ok(data)


def parse_number(text: str, base: int | None) -> tuple[int, int]:
    packed = "".join(text.split()).replace("_", "").lower()
    sign = -1 if packed.startswith(("-", "\u2212")) else 1
    digits = packed.lstrip("+-\u2212") if packed[:1] in ("+", "-", "\u2212") else packed
    prefix = PREFIXES.get(digits[:2])
    # In base 16 "0b1" is a number of its own; a prefix counts where it says the base that is meant.
    if prefix and base in (None, prefix):
        digits, base = digits[2:], prefix
    base = base or 10
    allowed = DIGITS[:base]
    if not digits:
        raise invalid("/value", "there are no digits in it.")
    for char in digits:
        if char not in allowed:
            raise invalid("/value", f"{char!r} is no digit of base {base} (0 to {allowed[-1]}).")
    return sign * int(digits, base), base


def format_number(value: int, base: int) -> str:
    if not value:
        return "0"
    left, found = abs(value), []
    while left:
        left, digit = divmod(left, base)
        found.append(DIGITS[digit])
    return ("-" if value < 0 else "") + "".join(reversed(found))
