"""Versions of one tool: their order, their directories, and the one that is in force by default."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

# A directory `kb-search@2.0.0` holds this version of `kb_search`, beside others of it.
MARK = "@"


def directory_parts(directory: str) -> tuple[str, str | None]:
    """The name of a tool's directory without the version, and the version that it names."""
    name, mark, version = directory.partition(MARK)
    return name, version if mark else None


def version_name(tool_id: str, version: str) -> str:
    """How a version of a tool is named where there are several."""
    return f"{tool_id}{MARK}{version}"


def precedence(version: str) -> tuple[Any, ...]:
    """What semantic versions are sorted by, the newest last; equal but for build metadata: by
    text."""
    plain, _, _ = version.partition("+")
    core, dash, prerelease = plain.partition("-")
    numbers = tuple(int(part) for part in core.split("."))
    marks = tuple(
        (0, int(part), "") if part.isdecimal() else (1, 0, part) for part in prerelease.split(".")
    )
    # A pre-release comes before its release.
    return numbers, not dash, marks, version


def by_tool(entries: Iterable[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    """The entries of an artifact by tool, the versions of each from the oldest to the newest."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for entry in entries:
        found.setdefault(entry["toolId"], []).append(entry)
    for versions in found.values():
        if len(versions) > 1:
            versions.sort(key=lambda entry: precedence(entry["version"]))
    return found


def default_of(versions: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Of the versions of a tool, from the oldest to the newest, the one for whom nothing else was
    chosen: the newest that is not staged."""
    listed = list(versions)
    return next((entry for entry in reversed(listed) if not entry.get("staged")), listed[-1])
