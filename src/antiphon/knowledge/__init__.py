"""Databases of records and edges, embedded, searched by words, meaning and neighbourhood."""

from __future__ import annotations

from typing import TYPE_CHECKING

from antiphon._lazy import lazy

if TYPE_CHECKING:
    from antiphon.knowledge.database import Database
    from antiphon.knowledge.errors import KnowledgeError
    from antiphon.knowledge.records import Edge, Evidence, Filters, Record
    from antiphon.knowledge.rows import DatabaseState, Written
    from antiphon.knowledge.service import DatabaseInfo, KnowledgeBase, open_knowledge

__all__ = [
    "Database",
    "DatabaseInfo",
    "Edge",
    "Evidence",
    "Filters",
    "KnowledgeBase",
    "KnowledgeError",
    "Record",
    "DatabaseState",
    "Written",
    "open_knowledge",
]

_HOMES = {
    "Database": "antiphon.knowledge.database",
    "DatabaseInfo": "antiphon.knowledge.service",
    "Edge": "antiphon.knowledge.records",
    "Evidence": "antiphon.knowledge.records",
    "Filters": "antiphon.knowledge.records",
    "KnowledgeBase": "antiphon.knowledge.service",
    "KnowledgeError": "antiphon.knowledge.errors",
    "Record": "antiphon.knowledge.records",
    "DatabaseState": "antiphon.knowledge.rows",
    "Written": "antiphon.knowledge.rows",
    "open_knowledge": "antiphon.knowledge.service",
}
__getattr__ = lazy(__name__, _HOMES, globals())
