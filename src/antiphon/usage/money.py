"""Amounts of money: whole billionths of a currency unit, never a float."""

from __future__ import annotations

from decimal import Decimal

NANO = 1_000_000_000
# Beyond it a column of the store would overflow long before anybody could pay.
MOST = 1_000_000
_PLACES = Decimal(1).scaleb(-9)


def nano(amount: Decimal) -> int:
    """Return an amount in billionths. Raises ValueError, with what is wrong, for one that is no
    number, negative, too large or finer than a billionth."""
    if not amount.is_finite():
        raise ValueError("must be a finite number")
    if amount < 0:
        raise ValueError("must not be negative")
    if amount > MOST:
        raise ValueError(f"must be at most {MOST:,}")
    if amount != amount.quantize(_PLACES):
        raise ValueError("has more than 9 decimal places")
    return int(amount * NANO)


def decimal(amount: int) -> str:
    """Return billionths as a decimal number with at least two places, exactly."""
    sign, amount = ("-", -amount) if amount < 0 else ("", amount)
    whole, rest = divmod(amount, NANO)
    places = f"{rest:09d}".rstrip("0").ljust(2, "0")
    return f"{sign}{whole}.{places}"


def ceil_div(amount: int, by: int) -> int:
    """Divide, and round up: a fraction of a billionth is charged in full."""
    return -(-amount // by)
