"""Migrations: the schema revisions of the store, in order."""

from __future__ import annotations

# Oldest first. A database whose revision is not here was made by a newer Antiphon.
REVISIONS = (
    "0001",
    "0002",
    "0003",
    "0004",
    "0005",
    "0006",
    "0007",
    "0008",
    "0009",
    "0010",
    "0011",
    "0012",
    "0016",
    "0014",
    "0013",
    "0017",
    "0019",
    "0018",
)
HEAD = REVISIONS[-1]
