"""Comparison of properties and items: the members of objects and arrays."""

from __future__ import annotations

from typing import Any

from antiphon.registry.compatibility.comparison import Effect, Pair, Side
from antiphon.registry.compatibility.keywords import COUNTS_PRESENCE
from antiphon.registry.compatibility.schema_facts import (
    defaults_of,
    is_valid,
    lost_and_gained,
    properties_of,
)
from antiphon.registry.schemas import Path, dumps, json_key


def requirements(pair: Pair) -> None:
    """Compare `required`, with the defaults that the run time fills in."""
    before, after = set(pair.old.get("required") or ()), set(pair.new.get("required") or ())
    old_defaults = defaults_of(pair.run.old, pair.old_path, pair.old)
    new_defaults = defaults_of(pair.run.new, pair.new_path, pair.new)
    kept = {
        name
        for name in before & after & old_defaults.keys() & new_defaults.keys()
        if json_key(old_defaults[name]) == json_key(new_defaults[name])
    }
    if pair.filled:
        # Doubt counts against the change: old defaults were of use, new ones must be shown to.
        before -= old_defaults.keys()
        if _usable(pair, new_defaults):
            after -= new_defaults.keys()
    narrower, wider = pair.weigh("narrower", "object"), pair.weigh("wider", "object")
    for name in sorted(after - before - kept):
        had = pair.run.results or name in properties_of(pair.old)
        message = f"`{name}` is now required" if had else f"`{name}` is new and required"
        pair.note("required-added", narrower, message, "required")
    for name in sorted(before - after - kept):
        word = "promised" if pair.run.results else "required"
        pair.note("required-removed", wider, f"`{name}` is no longer {word}", "required")
    _defaults(pair, old_defaults, new_defaults)


def _usable(pair: Pair, defaults: dict[str, Any]) -> bool:
    """Whether filling in can make the object valid: all defaults are taken together or none."""
    return not COUNTS_PRESENCE & pair.new.keys() and all(
        is_valid(pair.run.new, pair.child("new", "properties", name), default)
        for name, default in defaults.items()
    )


def _defaults(pair: Pair, old: dict[str, Any], new: dict[str, Any]) -> None:
    """A default decides what a call means, and with other keywords even whether it is valid."""
    shared = properties_of(pair.old).keys() & properties_of(pair.new).keys()
    for name in sorted((old.keys() | new.keys()) & shared):
        if name in old and name in new and json_key(old[name]) == json_key(new[name]):
            continue
        decides = pair.filled and bool(COUNTS_PRESENCE & pair.names)
        message = f"`{name}` has no default any more"
        if name in new:
            message = f"the default of `{name}` is now {dumps(new[name])}"
        elif not pair.filled and not pair.run.results:
            # Where filling in is not certain, neither is that it was not relied on.
            decides = decides or name in (pair.new.get("required") or ())
        effect: Effect = "unclear" if decides else "same"
        pair.note("default-changed", effect, message, "properties", name, "default")


def dependents(pair: Pair) -> None:
    """Compare `dependentRequired`."""
    if not pair.differs("dependentRequired") or not pair.matters("object"):
        return
    old, new = pair.old.get("dependentRequired") or {}, pair.new.get("dependentRequired") or {}
    effects: set[Effect] = set()
    for name in old.keys() | new.keys():
        lost, gained = lost_and_gained(old.get(name), new.get(name))
        if lost:
            effects.add("wider")
        if gained:
            effects.add("narrower")
    effect: Effect = effects.pop() if len(effects) == 1 else "unclear" if effects else "same"
    message = "which properties need which others changed"
    pair.note("dependency-changed", effect, message, "dependentRequired")


def members(pair: Pair) -> None:
    """Compare the properties of objects."""
    if not pair.matters("object"):
        return
    old, new = properties_of(pair.old), properties_of(pair.new)
    patterned = bool(pair.old.get("patternProperties") or pair.new.get("patternProperties"))
    filled = pair.filled and not COUNTS_PRESENCE & pair.new.keys()
    for name in sorted(old.keys() | new.keys()):
        old_path = _member(pair, "old", name)
        new_path = _member(pair, "new", name)
        if name in old and name in new:
            pair.walk(old_path, new_path, "properties", name, filled=filled)
            continue
        effect = "unclear" if patterned else pair.run.trial(old_path, new_path)
        if name in old:
            message = f"the parameter `{name}` is gone"
            if pair.run.results:
                message = f"the field `{name}` is no longer described"
            pair.note("property-removed", effect, message, "properties", name)
        else:
            message = f"`{name}` is new"
            pair.note("property-added", effect, message, "properties", name)
    _others(pair)
    _patterns(pair)


def _member(pair: Pair, side: Side, name: str) -> Path | None:
    """The schema for a property: its own, else the one for additional properties."""
    schema = pair.schema(side)
    if name in properties_of(schema):
        return pair.child(side, "properties", name)
    if "additionalProperties" in schema:
        return pair.child(side, "additionalProperties")
    return None


def _others(pair: Pair) -> None:
    name = "additionalProperties"
    old, new = pair.old.get(name, True), pair.new.get(name, True)
    if old is not False and new is False:
        pair.note("object-closed", "narrower", "other properties are now refused", name)
    elif old is False and new is not False:
        pair.note("object-opened", "wider", "other properties are now accepted", name)
    elif name in pair.names:
        old_path = pair.child("old", name) if name in pair.old else None
        new_path = pair.child("new", name) if name in pair.new else None
        pair.walk(old_path, new_path, name, filled=False)


def _patterns(pair: Pair) -> None:
    name = "patternProperties"
    old, new = pair.old.get(name) or {}, pair.new.get(name) or {}
    for key in sorted(old.keys() | new.keys()):
        if key in old and key in new:
            old_path, new_path = pair.child("old", name, key), pair.child("new", name, key)
            pair.walk(old_path, new_path, name, key, filled=False)
        else:
            message = f"properties named like {dumps(key)} are treated differently"
            pair.note("patterned-properties-changed", "unclear", message, name, key)


def elements(pair: Pair) -> None:
    """Compare the items of arrays."""
    if not pair.matters("array"):
        return
    old, new = pair.old.get("prefixItems") or [], pair.new.get("prefixItems") or []
    old_rest, new_rest = _rest(pair, "old"), _rest(pair, "new")
    for index in range(max(len(old), len(new))):
        old_path = pair.child("old", "prefixItems", index) if index < len(old) else old_rest
        new_path = pair.child("new", "prefixItems", index) if index < len(new) else new_rest
        pair.walk(old_path, new_path, "prefixItems", index, filled=False)
    if "items" in pair.names:
        filled = pair.filled and not (old or new or COUNTS_PRESENCE & pair.new.keys())
        pair.walk(old_rest, new_rest, "items", filled=filled)


def _rest(pair: Pair, side: Side) -> Path | None:
    return pair.child(side, "items") if "items" in pair.schema(side) else None
