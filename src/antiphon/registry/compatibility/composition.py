"""Comparison of composed schemas: references, conditions, alternatives."""

from __future__ import annotations

from antiphon.registry.compatibility.comparison import Effect, Pair, Side, kebab
from antiphon.registry.compatibility.keywords import OPAQUE
from antiphon.registry.compatibility.schema_facts import disjoint, identical, target


def references(pair: Pair) -> None:
    """Compare a `$ref` that could not be followed, or that other keywords stand beside."""
    old, new = pair.old.get("$ref"), pair.new.get("$ref")
    if old is None and new is None:
        return
    old_to = target(pair.run.old, pair.old_path, old)
    new_to = target(pair.run.new, pair.new_path, new)
    if old is not None and new is not None:
        if old_to is not None and new_to is not None:
            pair.walk(old_to, new_to, "$ref", filled=False)
        elif old != new or pair.run.differing_roots():
            pair.note("reference-changed", "unclear", "`$ref` leads out of the schema", "$ref")
    elif new is not None:
        pair.note("reference-added", "narrower", f"must now also match `{new}`", "$ref")
    else:
        pair.note("reference-removed", "wider", f"need no longer match `{old}`", "$ref")


def conjunction(pair: Pair) -> None:
    """Compare `allOf`."""
    old, new = _unmatched(pair, "allOf")
    for old_index, new_index in zip(old, new, strict=False):
        old_path = pair.child("old", "allOf", old_index)
        pair.walk(old_path, pair.child("new", "allOf", new_index), filled=False)
    for index in new[len(old) :]:
        message = "a further condition must now hold"
        pair.note("condition-added", "narrower", message, "allOf", index)
    for index in old[len(new) :]:
        pair.note("condition-removed", "wider", "a condition is gone", "allOf", index)


def _unmatched(pair: Pair, keyword: str) -> tuple[list[int], list[int]]:
    """Indexes of the branches on either side that have no equal on the other."""
    old, new = pair.old.get(keyword) or [], pair.new.get(keyword) or []
    left = list(range(len(new)))
    alone = []
    for index in range(len(old)):
        path = pair.child("old", keyword, index)
        for other in left:
            to = pair.child("new", keyword, other)
            if identical(pair.run.old, path, pair.run.new, to):
                left.remove(other)
                break
        else:
            alone.append(index)
    return alone, left


def alternatives(pair: Pair) -> None:
    """Compare `anyOf` and `oneOf`."""
    _alternatives(pair, "anyOf")
    _alternatives(pair, "oneOf")


def _alternatives(pair: Pair, keyword: str) -> None:
    if keyword not in pair.old or keyword not in pair.new:
        if keyword in pair.new:
            message = "one of several alternatives must now match"
            pair.note("alternatives-added", "narrower", message, keyword)
        elif keyword in pair.old:
            message = "none of the alternatives needs to match any more"
            pair.note("alternatives-removed", "wider", message, keyword)
        return
    old, new = _unmatched(pair, keyword)
    if not old and not new:
        return
    if keyword == "oneOf" and not (_exclusive(pair, "old") and _exclusive(pair, "new")):
        message = "the alternatives changed, and more than one may match the same value"
        pair.note("alternatives-changed", "unclear", message, keyword)
        return
    # Every branch may be covered by any branch of the other side, an equal one included.
    sides = range(len(pair.old[keyword])), range(len(pair.new[keyword]))
    effects = {
        (i, j): pair.run.trial(pair.child("old", keyword, i), pair.child("new", keyword, j))
        for i in sides[0]
        for j in sides[1]
        if i in old or j in new
    }
    lost = [i for i in old if not any(effects[i, j] in ("same", "wider") for j in sides[1])]
    gained = [j for j in new if not any(effects[i, j] in ("same", "narrower") for i in sides[0])]
    for i in lost:
        # Where it is plain which branch became which, the difference itself says more.
        became = [j for j in new if effects[i, j] == "narrower"]
        if not became and len(old) == len(new) == 1:
            became, gained = new, []
        if became:
            _walk_branches(pair, keyword, i, became[0])
        else:
            message = f"alternative {i + 1} is gone"
            pair.note("alternative-removed", "narrower", message, keyword)
    for j in gained:
        was = [i for i in old if effects[i, j] == "wider"]
        if was:
            _walk_branches(pair, keyword, was[0], j)
        else:
            message = f"alternative {j + 1} is new"
            pair.note("alternative-added", "wider", message, keyword, j)


def _walk_branches(pair: Pair, keyword: str, i: int, j: int) -> None:
    old_path, new_path = pair.child("old", keyword, i), pair.child("new", keyword, j)
    pair.walk(old_path, new_path, keyword, j, filled=False)


def _exclusive(pair: Pair, side: Side) -> bool:
    """Whether no value can match two branches, so that `oneOf` means the same as `anyOf`."""
    document = pair.run.old if side == "old" else pair.run.new
    paths = [pair.child(side, "oneOf", index) for index in range(len(pair.schema(side)["oneOf"]))]
    return all(
        disjoint(document, one, other, 3)
        for position, one in enumerate(paths)
        for other in paths[position + 1 :]
    )


def opaque(pair: Pair) -> None:
    """Compare keywords that are only checked for being the same."""
    for group in OPAQUE:
        if not pair.names & set(group) or pair.same(*group):
            continue
        name = group[0]
        if name not in pair.old:
            effect: Effect = "narrower" if name in pair.new else "same"
            pair.note(f"{kebab(name)}-added", effect, f"`{name}` now applies", name)
        elif name not in pair.new:
            pair.note(f"{kebab(name)}-removed", "wider", f"`{name}` is gone", name)
        else:
            pair.note(f"{kebab(name)}-changed", "unclear", f"`{name}` changed", name)
