"""Path language of runs: names with slashes between them that lead into results and arguments.

As in a JSON pointer `~1` is a slash and `~0` a tilde inside of a name; numbers are places of a
list, from 0: `results/0/id`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class PathError(Exception):
    """Nothing is at a path, or nothing can be put there; the words say how far it leads."""


def split_path(path: str) -> list[str]:
    """Return the names in a path, unescaped."""
    return [
        name.replace("~1", "/").replace("~0", "~") for name in path.strip("/").split("/") if name
    ]


def look_up(value: Any, path: str) -> Any:
    """Return what is at a path of a value. Raises PathError, which says what is there instead."""
    passed: list[str] = []
    for name in split_path(path):
        where = f"`{'/'.join(passed)}`" if passed else "its result"
        if isinstance(value, Mapping):
            if name not in value:
                has = ", ".join(map(str, list(value)[:10])) or "nothing"
                raise PathError(f"{where} has {has}")
            value = value[name]
        elif isinstance(value, list):
            if not name.isdecimal() or int(name) >= len(value):
                raise PathError(f"{where} has {len(value)} item{'' if len(value) == 1 else 's'}")
            value = value[int(name)]
        else:
            raise PathError(f"{where} has nothing inside")
        passed.append(name)
    return value


def put_at(target: Mapping[str, Any], names: list[str], value: Any) -> dict[str, Any]:
    """Return a copy of `target` with the value at a path, in new objects where there are none.
    Raises PathError where something else is in the way."""
    name, *rest = names
    if not rest:
        return {**target, name: value}
    inside = target.get(name, {})
    if not isinstance(inside, Mapping):
        raise PathError(f"`{name}` is no object that a value could be put into")
    return {**target, name: put_at(inside, rest, value)}


def condition_holds(values: Mapping[str, Any], condition: str) -> bool:
    """Say whether a path leads to something that is not empty; for `not <path>` the opposite."""
    wanted = not condition.startswith("not ")
    try:
        value = look_up(values, condition.removeprefix("not "))
    except PathError:
        value = None
    there = value not in (None, False, "", 0) and value != [] and value != {}
    return there is wanted
