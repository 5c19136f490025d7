"""Marks within a result: those of single records in it and of their fields, told by the house."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from antiphon.contracts.provenance import ORIGINS, SENSITIVITIES, Marks
from antiphon.orchestrator.value_sources import leaves

# What a record says of its marks is none of its text.
_OWN = ("/origin", "/sensitivity", "/marked", "/metadata/marks")


def parts_of(
    data: Any, schema: Mapping[str, Any] | None, whole: Marks, tool: Marks
) -> list[tuple[Marks, list[Any]]]:
    """The values of a result by their marks, the mildest first. `whole` counts for all that is in
    no record with marks, and `tool` for all of it.

    Records are only where the schema of the result says that they have marks: what a record holds
    cannot look like one.
    """
    found: dict[Marks, list[Any]] = {}
    for marks, value in _marked(data, schema, whole, tool):
        found.setdefault(marks, []).append(value)
    return sorted(found.items(), key=lambda part: _strictness(part[0]))


def _marked(node: Any, schema: Any, whole: Marks, tool: Marks) -> Iterator[tuple[Marks, Any]]:
    schema = schema if isinstance(schema, Mapping) else {}
    if isinstance(node, dict):
        known = schema.get("properties") or {}
        own = _own_marks(node) if "origin" in known and "sensitivity" in known else None
        if own is not None:
            yield from _in_record(node, own.join(tool))
            return
        for name, value in node.items():
            yield from _marked(value, known.get(name), whole, tool)
    elif isinstance(node, list):
        for value in node:
            yield from _marked(value, schema.get("items"), whole, tool)
    else:
        yield whole, node


def _in_record(record: Mapping[str, Any], marks: Marks) -> Iterator[tuple[Marks, Any]]:
    said = record.get("marked")
    said = said if isinstance(said, dict) else {}
    for at, value in leaves(record):
        if not _is_below(at, _OWN):
            own = marks
            for pointer, told in said.items():
                if _is_below(at, (pointer,)):
                    own = own.join(_own_marks({**_MILDEST, **told}) or _STRICTEST)
            yield own, value


def _is_below(at: str, pointers: tuple[str, ...]) -> bool:
    return any(at == pointer or at.startswith(f"{pointer}/") for pointer in pointers)


_MILDEST = {"origin": "house", "sensitivity": "private"}
_STRICTEST = Marks("untrusted", "secret")


def _own_marks(node: Mapping[str, Any]) -> Marks | None:
    """The marks that a record says it has."""
    origin, sensitivity = node.get("origin"), node.get("sensitivity")
    if origin not in ("house", "untrusted") or sensitivity not in ("private", "secret"):
        return None
    return Marks(origin, sensitivity)


def _strictness(marks: Marks) -> tuple[int, int]:
    return ORIGINS.index(marks.origin), SENSITIVITIES.index(marks.sensitivity)
