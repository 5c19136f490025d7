"""Databases of records and edges, embedded, searched by words, meaning and neighbourhood."""

from __future__ import annotations

from typing import TYPE_CHECKING

from antiphon._lazy import lazy

if TYPE_CHECKING:
    from antiphon.knowledge.base import DatabaseInfo, KnowledgeBase
    from antiphon.knowledge.database import Database
    from antiphon.knowledge.errors import KnowledgeError
    from antiphon.knowledge.opening import open_knowledge
    from antiphon.knowledge.records import Edge, Evidence, Filters, Record
    from antiphon.knowledge.rows import State, Written

__all__ = [
    "Database",
    "DatabaseInfo",
    "Edge",
    "Evidence",
    "Filters",
    "KnowledgeBase",
    "KnowledgeError",
    "Record",
    "State",
    "Written",
    "open_knowledge",
]

_HOMES = {
    "Database": "antiphon.knowledge.database",
    "DatabaseInfo": "antiphon.knowledge.base",
    "Edge": "antiphon.knowledge.records",
    "Evidence": "antiphon.knowledge.records",
    "Filters": "antiphon.knowledge.records",
    "KnowledgeBase": "antiphon.knowledge.base",
    "KnowledgeError": "antiphon.knowledge.errors",
    "Record": "antiphon.knowledge.records",
    "State": "antiphon.knowledge.rows",
    "Written": "antiphon.knowledge.rows",
    "open_knowledge": "antiphon.knowledge.opening",
}
__getattr__ = lazy(__name__, _HOMES, globals())
