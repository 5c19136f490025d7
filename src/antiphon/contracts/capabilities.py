"""Capabilities that a handler finds in its context, as protocols for type checkers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, time
from typing import Any, Protocol


class HandlerContext:
    """Base of the context that a handler gets. A parameter of this type is no argument of a tool:
    it is filled in when the function is called."""

    __slots__ = ()


class PerSession(ABC):
    """A capability that each session has its own of, such as the knowledge of its organisation.
    Handlers find what `of` returns, and no way from there to another session's."""

    @abstractmethod
    def of(self, fields: Mapping[str, Any]) -> Any:
        """Return what the handlers of a session find, by the fields of the session."""


class KnowledgeCapability(Protocol):
    """`context.knowledge`: the databases of records and edges. Raises ToolError."""

    async def databases(self) -> list[dict[str, Any]]:
        """Return every database: id, title, description, records, edges, updated."""

    async def search(
        self,
        database: str,
        query: str,
        *,
        filters: Mapping[str, Any] | None = None,
        k: int = 5,
        full_text: bool = False,
        explain: bool = False,
    ) -> list[dict[str, Any]]:
        """Return the best evidence for a query in one database; `filters` has any of types, tags,
        since, until and source_types."""

    async def search_all(
        self,
        query: str,
        ids: Sequence[str] | None = None,
        *,
        k: int = 5,
        filters: Mapping[str, Any] | None = None,
        full_text: bool = False,
    ) -> list[dict[str, Any]]:
        """Return the best evidence in several databases, or in all."""

    async def get(
        self, ids: Sequence[str], databases: Iterable[str] | None = None
    ) -> list[dict[str, Any]]:
        """Return records by id; ids that no database has are left out."""

    async def neighbourhood(
        self, database: str, id: str, *, depth: int = 1, limit: int = 100
    ) -> dict[str, list[dict[str, Any]]]:
        """Return the records and edges around one record."""

    async def edges(
        self,
        database: str,
        *,
        sources: Sequence[str] | None = None,
        targets: Sequence[str] | None = None,
        relation: str | None = None,
        source_type: str | None = None,
        target_type: str | None = None,
        limit: int = 50,
    ) -> dict[str, Any]:
        """Return edges by their ends, their types and their relation."""

    async def analytics(self, database: str) -> dict[str, Any]:
        """Return PageRank, communities, centrality, components and counts."""

    async def ingest(
        self,
        database: str,
        text: str,
        source: str,
        *,
        kind: str = "text",
        last_updated: str = "",
        progress: Callable[[int, int], None] | None = None,
    ) -> dict[str, Any]:
        """Extract entities and relations from a text into a database."""


class CalendarCapability(Protocol):
    """`context.calendar`: the calendars of a user. Raises ToolError."""

    async def availability(
        self,
        user: str,
        start: str,
        end: str,
        *,
        now: datetime,
        time_zone: str | None = None,
        calendars: Sequence[str] = ("primary",),
        details: bool = False,
        min_minutes: int = 30,
        hours: tuple[time, time] | None = None,
        workdays: bool = False,
    ) -> dict[str, Any]:
        """Return the events and free slots of a range."""

    # What an event may have beside these is the provider's; see docs/calendar.md.
    async def create(
        self, user: str, key: str, *, now: datetime, title: str, start: str, end: str, **event: Any
    ) -> dict[str, Any]:
        """Create an event in a calendar; the same key creates it once."""
