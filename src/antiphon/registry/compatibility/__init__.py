"""Schema compatibility: whether one schema accepts every value that another accepts, or why not.

A schema is the conjunction of its keywords, so the two are compared keyword by keyword: if every
keyword of the new one follows from the old ones, everything that was valid still is. What cannot
be shown counts as unclear.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from antiphon.registry.compatibility import composition, members, values
from antiphon.registry.compatibility.comparison import Comparison, Pair, SchemaDifference
from antiphon.registry.compatibility.keywords import (
    ANNOTATIONS,
    OPAQUE_NAMES,
    PLAIN,
    SILENT,
    UNEVALUATED,
)

__all__ = ["SchemaDifference", "differences"]

_KNOWN = PLAIN | ANNOTATIONS | SILENT | OPAQUE_NAMES | set(UNEVALUATED)


def differences(old: Any, new: Any, *, results: bool) -> list[SchemaDifference]:
    """List where two valid schemas differ and what each difference does to the values they accept.

    `results`: the schemas describe what comes back, so it is the new values that must have been
    accepted before.
    """
    return Comparison(old, new, _compare, results=results).run()


def _compare(pair: Pair) -> None:
    _documentation(pair)
    if any(name in pair.names for name in UNEVALUATED):
        if not pair.same(*pair.names - ANNOTATIONS - SILENT):
            pair.note("unevaluated-changed", "unclear", "a schema with `unevaluated…` changed")
        return
    for rule in _RULES:
        rule(pair)


def _documentation(pair: Pair) -> None:
    for name in sorted(pair.names & ANNOTATIONS):
        if pair.differs(name):
            pair.note("documentation-changed", "same", f"`{name}` changed", name)
    for name in sorted(pair.names - _KNOWN):
        if name.startswith("x-"):
            if pair.differs(name):
                pair.note("documentation-changed", "same", f"`{name}` changed", name)
        elif pair.differs(name) or (name == "$dynamicRef" and pair.run.differing_roots()):
            pair.note("unknown-keyword", "unclear", f"`{name}` is not understood here", name)


_RULES: tuple[Callable[[Pair], None], ...] = (
    composition.references,
    values.types,
    values.values,
    values.bounds,
    values.sizes,
    values.multiples,
    values.texts,
    values.uniqueness,
    members.requirements,
    members.dependents,
    members.members,
    members.elements,
    composition.conjunction,
    composition.alternatives,
    composition.opaque,
)
