"""TypedDicts of `typing` in the form that Pydantic reads on Python 3.11."""

from __future__ import annotations

import sys
import typing
from types import UnionType
from typing import Any

import typing_extensions  # Pydantic brings it


def portable(hint: Any) -> Any:
    """Return a type hint in which every `typing.TypedDict` is one of `typing_extensions`.

    Python 3.11 does not keep what Pydantic needs of its own.
    """
    if sys.version_info >= (3, 12):
        return hint
    return _portable(hint, {})


def _portable(hint: Any, made: dict[Any, Any]) -> Any:
    if typing.is_typeddict(hint):
        return _rewritten(hint, made)
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if not args or origin is typing.Literal:
        return hint
    if origin is typing.Annotated:
        inner = _portable(args[0], made)
        return hint if inner is args[0] else typing.Annotated[(inner, *args[1:])]
    inner = tuple(_portable(arg, made) for arg in args)
    if all(new is old for new, old in zip(inner, args, strict=True)):
        return hint
    if origin is UnionType or origin is typing.Union:
        return typing.Union[inner]  # noqa: UP007 - made of a list
    if origin in (typing.Required, typing.NotRequired):
        return origin[inner[0]]
    return origin[inner]


def _rewritten(kind: Any, made: dict[Any, Any]) -> Any:
    if type(kind).__module__ == "typing_extensions":
        return kind
    if kind in made:
        return made[kind]
    made[kind] = kind.__name__  # a forward reference while its own members are read
    members: dict[str, Any] = {}
    for name, hint in typing.get_type_hints(kind, include_extras=True).items():
        if typing.get_origin(hint) in (typing.Required, typing.NotRequired):
            hint = typing.get_args(hint)[0]
        inner = _portable(hint, made)
        needed = name in kind.__required_keys__
        members[name] = inner if needed else typing_extensions.NotRequired[inner]
    rewritten = typing_extensions.TypedDict(kind.__name__, members)  # type: ignore[misc]
    rewritten.__doc__ = kind.__doc__
    rewritten.__module__ = kind.__module__
    made[kind] = rewritten
    return rewritten
