"""Name matching: a thing by the name that people say, else the nearest names on offer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from antiphon.workspace.errors import NotThere, field_error

LONGEST_SHOWN = 60
# So much alike, of 100, are a name and the same name with a slip in it.
ALIKE = 88
AHEAD = 5
# What is named where nothing fits.
NEAR = 45
MOST_LISTED = 12


def normalize_name(name: str) -> str:
    """Return a name as it is compared: lower case, single spaces, without punctuation."""
    kept = "".join(each if each.isalnum() else " " for each in name.casefold())
    return " ".join(kept.split())


def match_name(
    wanted: str, known: Mapping[str, Sequence[str]], what: str, pointer: str, filler: Sequence[str]
) -> str:
    """Return the id of the thing that is meant.

    `known` has the names of each thing by its id, `what` is the word for one of them, and `filler`
    are words that people put beside the name. Raises NotThere with the nearest ids.
    """
    from rapidfuzz import fuzz

    names = {
        thing: {_core(name, filler) for name in (thing, *names)} for thing, names in known.items()
    }
    said = _core(wanted[:200], filler)
    for thing, own in names.items():
        if said and said in own:
            return thing
    scores = {
        thing: max(fuzz.WRatio(said, name) if said else 0.0 for name in own)
        for thing, own in names.items()
    }
    slips = {
        thing: max(fuzz.ratio(said, name) for name in own) for thing, own in names.items() if said
    }
    ranked = sorted(slips, key=lambda thing: -slips[thing])
    if ranked and slips[ranked[0]] >= ALIKE:
        second = slips[ranked[1]] if len(ranked) > 1 else 0.0
        if slips[ranked[0]] - second >= AHEAD:
            return ranked[0]
    near = [
        thing
        for thing in sorted(scores, key=lambda thing: (-slips.get(thing, 0.0), -scores[thing]))
        if max(scores[thing] - 20, slips.get(thing, 0.0)) >= NEAR
    ][:3]
    shown = wanted.strip()[:LONGEST_SHOWN]
    if near:
        hint = f"Did you mean {' or '.join(near)}?"
    elif known:
        hint = f"There are {', '.join(list(known)[:MOST_LISTED])}."
    else:
        hint = "There is none."
    raise NotThere(
        f"There is no {what} {shown!r}. {hint}",
        near,
        errors=[field_error(pointer, f"is no {what}", f"one of {', '.join(known)}")],
    )


def _core(name: str, filler: Sequence[str]) -> str:
    words = normalize_name(name).split()
    return " ".join(word for word in words if word not in filler) or " ".join(words)
