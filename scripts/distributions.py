"""The distributions that requirements bring, read from what is installed here."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]


def project() -> dict[str, Any]:
    """Return the table `project` of pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def declared(*extras: str) -> list[str]:
    """Return what the project itself requires, with these extras and those that they name."""
    table = project()
    lines: list[str] = list(table["dependencies"])
    waiting, seen = list(extras), set[str]()
    while waiting:
        extra = waiting.pop()
        if extra in seen:
            continue
        seen.add(extra)
        for line in table["optional-dependencies"][extra]:
            requirement = Requirement(line)
            if requirement.name == table["name"]:
                waiting += requirement.extras
            else:
                lines.append(line)
    return lines


def needed(lines: Iterable[str]) -> dict[str, set[str]]:
    """Return the distributions that requirements bring on this machine, all the way down, each
    with those that it requires itself. Raises PackageNotFoundError where one is not installed."""
    found: dict[str, set[str]] = {}
    seen: set[tuple[str, frozenset[str]]] = set()
    waiting = _here(map(Requirement, lines), frozenset())
    while waiting:
        name, extras = waiting.pop()
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        brought = _here(map(Requirement, distribution(name).requires or ()), extras)
        found.setdefault(name, set()).update(each for each, _ in brought)
        waiting += brought
    return found


def _here(
    requirements: Iterable[Requirement], extras: frozenset[str]
) -> list[tuple[str, frozenset[str]]]:
    """Return name and extras of the requirements whose markers hold on this machine."""
    return [
        (canonicalize_name(each.name), frozenset(each.extras))
        for each in requirements
        if each.marker is None
        or any(each.marker.evaluate({"extra": extra}) for extra in extras or {""})
    ]
