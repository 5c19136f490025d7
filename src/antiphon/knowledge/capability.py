"""Knowledge capability of tool handlers (`context.knowledge`): plain data, off the event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from antiphon.contracts import ErrorType, ToolError
from antiphon.contracts.capabilities import PerSession
from antiphon.contracts.limits import LimitReached
from antiphon.contracts.metering import Payer, payer_of
from antiphon.knowledge.errors import KnowledgeError
from antiphon.knowledge.marks import NoteRead, note_items
from antiphon.knowledge.records import Edge, Filters, Record

if TYPE_CHECKING:
    from antiphon.knowledge.database import Database
    from antiphon.knowledge.ingestion import Extractor
    from antiphon.knowledge.service import KnowledgeBase

Result = TypeVar("Result")

# So many edges are looked at for a pattern; a larger graph is asked from a record that is known.
MAX_SCANNED = 200_000
_TYPES_PAGE = 500
# Whoever asked waits for the answer: what a model has not read by then is left to the rules.
MODEL_SECONDS = 30.0


class Knowledge:
    """Knowledge base of tool handlers. Every method raises ToolError and nothing else.

    `base` is an open knowledge base, or a function that lends one for as long as it is needed.
    Texts are ingested by rules, and by `extractor` where there is one.
    """

    def __init__(
        self,
        base: KnowledgeBase | Callable[[], AbstractContextManager[KnowledgeBase]],
        extractor: Extractor | None = None,
        most_bytes: float | None = None,
        note: NoteRead | None = None,
    ) -> None:
        """`most_bytes`: what may be kept; nothing is added to what would be more. `note` takes
        what was read of others, and of secrets."""
        self._base = base
        self._extractor = extractor
        self._most_bytes = most_bytes
        self._note = note

    def noting(self, note: NoteRead) -> Knowledge:
        """The same knowledge for one caller, who is told of records of others, and of secrets."""
        return Knowledge(self._base, self._extractor, self._most_bytes, note)

    async def databases(self) -> list[dict[str, Any]]:
        """Every database: id, title, description, records, edges, updated."""

        def work(base: KnowledgeBase) -> list[dict[str, Any]]:
            return [
                {
                    "id": info.id,
                    "title": info.title,
                    "description": info.description,
                    "records": info.records,
                    "edges": info.edges,
                    "updated": info.updated,
                }
                for info in base.databases()
            ]

        return await self._do(work)

    async def check(self, ids: Sequence[str]) -> None:
        """Check that databases exist. Raises ToolError with the nearest ids for a missing one."""

        def work(base: KnowledgeBase) -> None:
            for name in ids:
                base.database(name)

        await self._do(work)

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
        """Search one database; returns relevant evidence as plain data, best first.

        `filters` has any of types, tags, since, until and source_types.
        """
        wanted = _filters(filters)

        def work(base: KnowledgeBase) -> list[dict[str, Any]]:
            found = base.database(database).search(
                query, filters=wanted, k=k, explain=explain, full_text=full_text
            )
            return [one.to_dict() for one in found]

        return self._noted(await self._do(work), database)

    async def search_all(
        self,
        query: str,
        ids: Sequence[str] | None = None,
        *,
        k: int = 5,
        filters: Mapping[str, Any] | None = None,
        full_text: bool = False,
    ) -> list[dict[str, Any]]:
        """Search several databases (all without `ids`); each result has its `database_id`."""
        wanted = _filters(filters)

        def work(base: KnowledgeBase) -> list[dict[str, Any]]:
            found = base.search_all(query, ids, filters=wanted, k=k, full_text=full_text)
            return [{"database_id": name, **one.to_dict()} for name, one in found]

        return self._noted(await self._do(work))

    async def get(
        self, ids: Sequence[str], databases: Iterable[str] | None = None
    ) -> list[dict[str, Any]]:
        """The records with these ids, in their order, each with its `database_id`.

        In several databases a record comes once for each that has it; ids that no database has
        are left out.
        """

        def work(base: KnowledgeBase) -> list[dict[str, Any]]:
            names = base.ids() if databases is None else list(databases)
            found: dict[str, list[dict[str, Any]]] = {}
            for name in names:
                for record in base.database(name).get(ids):
                    whole = {"database_id": name, **record.to_dict()}
                    found.setdefault(record.id, []).append(whole)
            return [one for name in dict.fromkeys(ids) for one in found.get(name, ())]

        return self._noted(await self._do(work))

    async def neighbourhood(
        self, database: str, id: str, *, depth: int = 1, limit: int = 100
    ) -> dict[str, list[dict[str, Any]]]:
        """`records` within `depth` edges of one, itself first, and the `edges` among them."""

        def work(base: KnowledgeBase) -> dict[str, list[dict[str, Any]]]:
            records, edges = base.database(database).neighbourhood(id, depth, limit)
            return {
                "records": [record.to_dict() for record in records],
                "edges": [edge.to_dict() for edge in edges],
            }

        found = await self._do(work)
        self._noted(found["records"], database)
        return found

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
        """Edges that match a pattern: `edges`, the `records` at their ends, and `complete`.

        `sources` and `targets` are ids; a part that is None matches everything. `complete` is False
        when the limit was reached.
        """

        def work(base: KnowledgeBase) -> dict[str, Any]:
            return _match(
                base.database(database),
                None if sources is None else set(sources),
                None if targets is None else set(targets),
                relation,
                source_type,
                target_type,
                limit,
            )

        found = await self._do(work)
        self._noted(found["records"], database)
        return found

    async def analytics(self, database: str) -> dict[str, Any]:
        """Counts, ranks, communities and components of a database."""

        def work(base: KnowledgeBase) -> dict[str, Any]:
            from antiphon.knowledge.analytics import analytics

            return analytics(base.database(database))

        return await self._do(work)

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
        """Extract the entities and relations of a text and add them; repeating it changes nothing.

        `progress` is called in a thread with the work done and the total. A cancelled call stops at
        the next piece; the same call resumes from there.
        """
        stopped = threading.Event()

        def work(base: KnowledgeBase) -> dict[str, Any]:
            from antiphon.knowledge.ingestion import ingest

            self._check_room(base, len(text))
            report = ingest(
                base.database(database),
                text,
                source=source,
                kind=kind,
                last_updated=last_updated,
                extractor=self._extractor,
                model_seconds=MODEL_SECONDS,
                progress=progress,
                cancelled=stopped.is_set,
            )
            return report.to_dict()

        doing = asyncio.ensure_future(self._do(work, writes=True))
        try:
            return await asyncio.shield(doing)
        except asyncio.CancelledError:
            stopped.set()
            await asyncio.gather(doing, return_exceptions=True)
            raise

    def _noted(self, items: list[dict[str, Any]], database: str = "") -> list[dict[str, Any]]:
        note_items(items, database, self._note)
        return items

    def _check_room(self, base: KnowledgeBase, size: int) -> None:
        if self._most_bytes is None:
            return
        stored = base.stored_bytes()
        if stored + size > self._most_bytes:
            reached = LimitReached("knowledge_bytes", "organisation", self._most_bytes, stored)
            raise KnowledgeError(reached.message, ErrorType.RATE_LIMIT)

    async def _do(self, work: Callable[[KnowledgeBase], Result], *, writes: bool = False) -> Result:
        try:
            return await asyncio.to_thread(self._run, work)
        except KnowledgeError as error:
            raise tool_error(error, writes=writes) from error

    def _run(self, work: Callable[[KnowledgeBase], Result]) -> Result:
        lent = self._base() if callable(self._base) else nullcontext(self._base)
        with lent as base:
            return work(base)


class SessionKnowledge(PerSession):
    """Knowledge of tool handlers by session: that of the session's organisation, and no other.

    `base` lends the knowledge base of an organisation, `extractor` gives what asks a model on
    somebody's account, and `most_bytes` how much an organisation may keep.
    """

    def __init__(
        self,
        base: Callable[[str], AbstractContextManager[KnowledgeBase]],
        extractor: Callable[[Payer], Extractor | None] | None = None,
        most_bytes: Callable[[str], float | None] | None = None,
    ) -> None:
        self._base = base
        self._extractor = extractor
        self._most_bytes = most_bytes

    def of(self, fields: Mapping[str, Any]) -> Knowledge:
        organisation = str(fields.get("organisation") or "")
        extractor = None if self._extractor is None else self._extractor(payer_of(fields))
        # Who is not signed in is not counted.
        counted = self._most_bytes if fields.get("authenticated") else None
        most = None if counted is None else counted(organisation)
        return Knowledge(partial(self._base, organisation), extractor, most)


def tool_error(error: KnowledgeError, *, writes: bool = False) -> ToolError:
    """Translate an error of the engine to one of the envelope.

    An unknown name is VALIDATION: in an envelope NOT_FOUND says that there is no such tool.
    """
    kind = ErrorType.VALIDATION if error.type is ErrorType.NOT_FOUND else error.type
    details: dict[str, Any] = {"nearest": list(error.nearest)} if error.nearest else {}
    return ToolError(
        kind,
        error.message,
        partial_side_effects=writes and kind is not ErrorType.VALIDATION,
        **details,
    )


def _filters(given: Mapping[str, Any] | None) -> Filters | None:
    if not given:
        return None
    return Filters(
        tuple(given.get("types") or ()),
        tuple(given.get("tags") or ()),
        given.get("since"),
        given.get("until"),
        tuple(given.get("source_types") or ()),
    )


def _match(
    database: Database,
    sources: set[str] | None,
    targets: set[str] | None,
    relation: str | None,
    source_type: str | None,
    target_type: str | None,
    limit: int,
) -> dict[str, Any]:
    known = sources if sources is not None else targets
    found: list[Edge] = []
    records: dict[str, Record] = {}
    page: list[Edge] = []
    complete = True

    def take() -> None:
        ends = {end for edge in page for end in (edge.source, edge.target)} - records.keys()
        there = {record.id: record for record in database.get(sorted(ends))}
        for edge in page:
            source = records.get(edge.source) or there.get(edge.source)
            target = records.get(edge.target) or there.get(edge.target)
            if source is None or target is None:
                continue  # deleted meanwhile
            if not (_same(source_type, source.type) and _same(target_type, target.type)):
                continue
            if len(found) < limit:
                found.append(edge)
                records[source.id], records[target.id] = source, target

    edges = database.all_edges() if known is None else database.edges_of(sorted(known))
    for scanned, edge in enumerate(edges):
        if len(found) >= limit or scanned >= MAX_SCANNED:
            complete = False
            break
        if (
            _same(relation, edge.relation)
            and (sources is None or edge.source in sources)
            and (targets is None or edge.target in targets)
        ):
            page.append(edge)
            if len(page) >= _TYPES_PAGE:
                take()
                page.clear()
    if page and len(found) < limit:
        take()
    return {
        "edges": [edge.to_dict() for edge in found],
        "records": [record.to_dict() for record in records.values()],
        "complete": complete and len(found) < limit,
    }


def _same(wanted: str | None, name: str) -> bool:
    """Whether two names of types or relations are equal but for case, spaces and hyphens."""
    return wanted is None or _written(wanted) == _written(name)


def _written(name: str) -> str:
    return name.casefold().replace(" ", "_").replace("-", "_")
