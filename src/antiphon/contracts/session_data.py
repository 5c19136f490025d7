"""Session data: what a program knows of a conversation (tenant, locale), read-only JSON."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any, NoReturn

_MOST_LEVELS = 32


class SessionData(dict[str, Any]):
    """A read-only mapping of JSON values; what is nested in it is read-only, too. It pickles as a
    plain dict."""

    __slots__ = ()

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        del args, kwargs
        raise TypeError("session.data is read-only; the program that opens the session sets it")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type[dict[str, Any]], tuple[dict[str, Any]]]:
        return dict, (dict(self),)


NO_DATA = SessionData()


def session_data(given: Mapping[str, Any] | None) -> SessionData:
    """Return a read-only copy. Raises ValueError that names the value which is no JSON."""
    if not given:
        return NO_DATA
    if not isinstance(given, Mapping):
        raise ValueError(f"session data has to be a mapping, not {type(given).__name__}")  # noqa: TRY004
    return _frozen_mapping(given, "", 0)


def _frozen_mapping(given: Mapping[Any, Any], where: str, level: int) -> SessionData:
    if strange := [key for key in given if not isinstance(key, str)]:
        raise ValueError(f"session data{where} has the key {strange[0]!r}; keys have to be text")
    return SessionData(
        {key: _frozen(value, f"{where}/{key}", level + 1) for key, value in given.items()}
    )


def _frozen(value: Any, where: str, level: int) -> Any:
    if level > _MOST_LEVELS:
        raise ValueError(f"session data is nested more than {_MOST_LEVELS} deep at {where[:80]}")
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float) and isfinite(value):
        return value
    if isinstance(value, Mapping):
        return _frozen_mapping(value, where, level)
    if isinstance(value, list | tuple):
        return tuple(_frozen(each, f"{where}/{n}", level + 1) for n, each in enumerate(value))
    raise ValueError(
        f"session data{where} is a {type(value).__name__}; only text, numbers, true, false, null, "
        "lists and mappings can be kept"
    )
