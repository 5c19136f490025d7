"""Comparison of scalar keywords: type, listed values, bounds, size, pattern."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from antiphon.registry.compatibility.comparison import Effect, Pair
from antiphon.registry.compatibility.keywords import NUMERIC, SIZES, TEXTS
from antiphon.registry.compatibility.schema_facts import (
    bound,
    declared_types,
    is_number,
    listed_values,
    possible_types,
    without,
)
from antiphon.registry.schemas import dumps


def types(pair: Pair) -> None:
    """Compare `type`."""
    if not pair.differs("type"):
        return
    lost = possible_types(pair.old) - declared_types(pair.new)
    gained = possible_types(pair.new) - declared_types(pair.old)
    if lost:
        message = f"no longer accepts {_listed(lost)}"
        pair.note("type-narrowed", "narrower", message, "type")
    if gained:
        pair.note("type-widened", "wider", f"now also accepts {_listed(gained)}", "type")


def values(pair: Pair) -> None:
    """Compare `enum` and `const`."""
    old, new = listed_values(pair.old), listed_values(pair.new)
    where = "const" if "const" in (pair.new if new is not None else pair.old) else "enum"
    if old is None and new is not None:
        message = f"only these values are accepted now: {_shown(new)}"
        pair.note("values-restricted", "narrower", message, where)
    elif old is not None and new is None:
        message = "no longer limited to certain values"
        pair.note("values-unrestricted", "wider", message, where)
    elif old is not None and new is not None:
        lost, gained = without(old, new), without(new, old)
        if lost:
            message = f"no longer accepts {_shown(lost)}"
            pair.note("values-removed", "narrower", message, where)
        if gained:
            pair.note("values-added", "wider", f"now also accepts {_shown(gained)}", where)


def bounds(pair: Pair) -> None:
    """Compare minimum and maximum."""
    for inclusive, exclusive, sign in (
        ("minimum", "exclusiveMinimum", 1),
        ("maximum", "exclusiveMaximum", -1),
    ):
        if not (pair.differs(inclusive) or pair.differs(exclusive)):
            continue
        where = inclusive if pair.differs(inclusive) else exclusive
        try:
            old = bound(pair.old, inclusive, exclusive, sign)
            new = bound(pair.new, inclusive, exclusive, sign)
        except TypeError:
            pair.note("bound-changed", "unclear", f"`{where}` is not a number", where)
            continue
        _limit(pair, where, old, new, *NUMERIC)


def sizes(pair: Pair) -> None:
    """Compare limits of length and count."""
    for name, kind in SIZES.items():
        if not pair.differs(name):
            continue
        old, new = pair.old.get(name), pair.new.get(name)
        if not all(value is None or is_number(value) for value in (old, new)):
            pair.note("bound-changed", "unclear", f"`{name}` is not a number", name)
        elif name.startswith("min"):
            _limit(pair, name, old or 0, new or 0, kind)
        else:
            _limit(pair, name, _negative(old), _negative(new), kind)


def _limit(pair: Pair, name: str, old: Any, new: Any, *types: str) -> None:
    """Compare two limits, of which the greater is the tighter; None is no limit."""
    if old == new:
        return
    tighter = old is None or (new is not None and new > old)
    was, now = (dumps(side[name]) if name in side else "none" for side in (pair.old, pair.new))
    message = f"`{name}` {'tightened' if tighter else 'loosened'}: {was} became {now}"
    kind = "bound-tightened" if tighter else "bound-loosened"
    effect = pair.weigh("narrower" if tighter else "wider", *types)
    pair.note(kind, effect, message, name)


def multiples(pair: Pair) -> None:
    """Compare `multipleOf`."""
    if not pair.differs("multipleOf"):
        return
    old, new = pair.old.get("multipleOf"), pair.new.get("multipleOf")
    effect: Effect = "unclear"
    if old is None or new is None:
        effect = "narrower" if old is None else "wider"
    elif is_number(old) and is_number(new) and old > 0 and new > 0:
        ratio = Fraction(str(new)) / Fraction(str(old))
        if ratio.denominator == 1:
            effect = "narrower"
        elif ratio.numerator == 1:
            effect = "wider"
    message = f"`multipleOf` {dumps(old)} became {dumps(new)}"
    pair.note("multiple-changed", pair.weigh(effect, *NUMERIC), message, "multipleOf")


def texts(pair: Pair) -> None:
    """Compare `pattern` and `format`."""
    for name in TEXTS:
        if not pair.differs(name):
            continue
        effect: Effect = "unclear"
        message = f"`{name}` {dumps(pair.old.get(name))} became {dumps(pair.new.get(name))}"
        kind = f"{name}-changed"
        if name not in pair.old:
            effect, kind = "narrower", f"{name}-added"
            message = f"must now match the {name} {dumps(pair.new[name])}"
        elif name not in pair.new:
            effect, kind = "wider", f"{name}-removed"
            message = f"need no longer match the {name} {dumps(pair.old[name])}"
        pair.note(kind, pair.weigh(effect, "string"), message, name)


def uniqueness(pair: Pair) -> None:
    """Compare `uniqueItems`."""
    old, new = pair.old.get("uniqueItems", False), pair.new.get("uniqueItems", False)
    if old == new:
        return
    message = "items must now differ" if new else "items may now be equal"
    effect = pair.weigh("narrower" if new else "wider", "array")
    pair.note("uniqueness-changed", effect, message, "uniqueItems")


def _negative(value: Any) -> Any:
    return None if value is None else -value


def _listed(types: set[str]) -> str:
    names = types - {"integer"} if "number" in types else types
    return ", ".join(sorted(names))


def _shown(values: list[Any]) -> str:
    shown = ", ".join(dumps(value) for value in values[:8])
    return shown if len(values) <= 8 else f"{shown} and {len(values) - 8} more"
