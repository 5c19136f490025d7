"""Knowledge base over HTTP: databases, search, records, ingestion, import and export."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import orjson
from fastapi import APIRouter, Header, Query, Request
from fastapi import Path as InPath
from starlette.convertors import PathConvertor, register_url_convertor
from starlette.responses import Response, StreamingResponse

from antiphon.app import Application
from antiphon.contracts import ErrorType
from antiphon.knowledge import Filters, KnowledgeError, Record
from antiphon.knowledge.capability import MODEL_SECONDS
from antiphon.knowledge.marks import replaced
from antiphon.knowledge.media import MEDIA_TYPES
from antiphon.server.bodies import StrictRoute
from antiphon.server.dependencies import (
    ApplicationDep,
    HttpSessionsDep,
    KnowledgeDep,
    KnowledgeLender,
    PayerDep,
)
from antiphon.server.problems import ProblemError, documented, problem
from antiphon.server.schemas.knowledge import (
    DatabaseDetail,
    DatabaseList,
    DatabaseSummary,
    EvidenceDocument,
    ImportResult,
    IngestBody,
    IngestResult,
    NewDatabase,
    RecordBody,
    RecordDocument,
    SearchResults,
)
from antiphon.server.stored_knowledge import UploadGateDep

if TYPE_CHECKING:
    from antiphon.knowledge import Database, KnowledgeBase
    from antiphon.knowledge.ingestion import Extractor
    from antiphon.knowledge.rows import Written

router = APIRouter(prefix="/api/knowledge", tags=["knowledge"], route_class=StrictRoute)

NDJSON = "application/x-ndjson"
CSV = "text/csv"
STATUS = {
    ErrorType.VALIDATION: 422,
    ErrorType.NOT_FOUND: 404,
    ErrorType.CONFLICT: 409,
}
_PAGE = 500

Result = TypeVar("Result")
# The rule is told and not applied here: what is wrong with a name is said in words.
DatabaseId = Annotated[
    str,
    InPath(
        max_length=64,
        examples=["studio"],
        json_schema_extra={"pattern": "^[a-z0-9][a-z0-9_-]{0,63}$"},
    ),
]
_DATE_TIME: dict[str, Any] = {"format": "date-time"}


class _Text(PathConvertor):
    """Whatever is left of the path, line breaks too: what is wrong with an id is said in words."""

    regex = r"[\s\S]*"


register_url_convertor("text", _Text())
RecordId = Annotated[str, InPath(max_length=200, examples=["person:ada_lovelace"])]


# -- databases ------------------------------------------------------------------------------------


@router.get("", summary="List the databases", responses=documented(503))
async def list_databases(knowledge: KnowledgeDep) -> DatabaseList:
    found = await do(knowledge, lambda base: base.databases())
    listed = [DatabaseSummary(**asdict(info)) for info in found]
    return DatabaseList(count=len(listed), databases=listed)


@router.post("", summary="Make a database", status_code=201, responses=documented(409, 422, 503))
async def create_database(knowledge: KnowledgeDep, body: NewDatabase) -> DatabaseDetail:
    def work(base: KnowledgeBase) -> DatabaseDetail:
        return _detail(base.create(body.id, body.title, body.description))

    return await do(knowledge, work)


@router.get("/{database}", summary="One database", responses=documented(404, 422, 503))
async def get_database(knowledge: KnowledgeDep, database: DatabaseId) -> DatabaseDetail:
    return await do(knowledge, lambda base: _detail(base.database(database)))


@router.delete(
    "/{database}",
    summary="Delete a database with everything in it",
    status_code=204,
    response_class=Response,
    responses=documented(404, 422, 503),
)
async def delete_database(knowledge: KnowledgeDep, database: DatabaseId) -> Response:
    await do(knowledge, lambda base: base.delete(database))
    return Response(status_code=204)


# -- search ---------------------------------------------------------------------------------------


@router.get(
    "/{database}/search",
    summary="Search a database by words, meaning and neighbourhood",
    responses=documented(404, 422, 503),
    response_model_exclude_none=True,
)
async def search_database(
    knowledge: KnowledgeDep,
    database: DatabaseId,
    q: Annotated[
        str, Query(max_length=1000, description="Without one, what was changed last.")
    ] = "",
    type: Annotated[
        list[str] | None, Query(max_length=20, description="Only records of these types.")
    ] = None,
    tags: Annotated[
        list[str] | None,
        Query(max_length=20, description="Only records with all of these, also as `a,b`."),
    ] = None,
    since: Annotated[
        str | None,
        Query(max_length=64, description="Updated then or later.", json_schema_extra=_DATE_TIME),
    ] = None,
    until: Annotated[
        str | None,
        Query(
            max_length=64,
            description="Updated then or before; a date is all of it.",
            json_schema_extra=_DATE_TIME,
        ),
    ] = None,
    k: Annotated[int, Query(ge=1, le=100, description="At most so many results.")] = 10,
    explain: Annotated[bool, Query(description="Say what made each score.")] = False,
    full_text: Annotated[bool, Query(description="With the whole text of each.")] = False,
) -> SearchResults:
    wanted = [tag.strip() for given in tags or () for tag in given.split(",") if tag.strip()]
    filters = Filters(tuple(type or ()), tuple(wanted), since or None, until or None)
    started = time.perf_counter()

    def work(base: KnowledgeBase) -> list[dict[str, Any]]:
        found = base.database(database).search(
            q, filters=filters, k=k, explain=explain, full_text=full_text
        )
        return [one.to_dict() for one in found]

    results = await do(knowledge, work)
    return SearchResults(
        count=len(results),
        query_time_ms=round((time.perf_counter() - started) * 1000, 3),
        results=[EvidenceDocument(**one) for one in results],
    )


# -- records and the graph ------------------------------------------------------------------------


@router.get(
    "/{database}/records/{record_id:text}",
    summary="One record",
    responses=documented(404, 422, 503),
)
async def get_record(
    knowledge: KnowledgeDep, database: DatabaseId, record_id: RecordId
) -> RecordDocument:
    found = await do(knowledge, lambda base: base.database(database).get([record_id]))
    if not found:
        raise _no_record(database, record_id)
    return RecordDocument(**found[0].to_dict())


@router.put(
    "/{database}/records/{record_id:text}",
    summary="Add a record, or replace the one with this id",
    description="Whose text a record is, and how sensitive it is, stands in `metadata.marks`. What "
    "a record has of that stays; only who has the permission `others.manage` may lift it.",
    responses={
        201: {"model": RecordDocument, "description": "It was added."},
        **documented(404, 412, 422, 429, 503),
    },
)
async def put_record(
    knowledge: KnowledgeDep,
    http_sessions: HttpSessionsDep,
    uploads: UploadGateDep,
    response: Response,
    database: DatabaseId,
    record_id: RecordId,
    body: RecordBody,
    if_none_match: Annotated[
        Literal["*"] | None, Header(description="Only add: one that is there is left alone.")
    ] = None,
) -> RecordDocument:
    record = Record.from_dict({"id": record_id, **body.model_dump()})
    await uploads.check_knowledge(len(body.text))
    lifts = http_sessions.scope.may("others.manage")  # operators answer for what they edit

    def work(base: KnowledgeBase) -> tuple[Written, Record]:
        opened = base.database(database)
        old = opened.get([record_id])
        if if_none_match and old:
            raise ProblemError(
                412, f"There is a record {record_id!r} in the database {database!r} already."
            )
        kept = replaced(old[0], record) if old and not lifts else record
        return opened.upsert([kept]), kept

    written, kept = await do(knowledge, work)
    response.status_code = 201 if written.added else 200
    return RecordDocument(**kept.to_dict())


@router.delete(
    "/{database}/records/{record_id:text}",
    summary="Delete a record and the edges at it",
    status_code=204,
    response_class=Response,
    responses=documented(404, 422, 503),
)
async def delete_record(
    knowledge: KnowledgeDep, database: DatabaseId, record_id: RecordId
) -> Response:
    if not await do(knowledge, lambda base: base.database(database).delete([record_id])):
        raise _no_record(database, record_id)
    return Response(status_code=204)


@router.get(
    "/{database}/analytics",
    summary="Counts, ranks, communities and components of a database",
    responses=documented(404, 422, 503),
)
async def get_analytics(knowledge: KnowledgeDep, database: DatabaseId) -> dict[str, Any]:
    def work(base: KnowledgeBase) -> dict[str, Any]:
        from antiphon.knowledge.analytics import analytics

        return analytics(base.database(database))

    return await do(knowledge, work)


# -- ingestion and exchange -----------------------------------------------------------------------


@router.post(
    "/{database}/ingest",
    summary="Add the entities and relations of a text",
    responses=documented(404, 413, 422, 429, 503),
)
async def ingest_text(
    application: ApplicationDep,
    knowledge: KnowledgeDep,
    uploads: UploadGateDep,
    payer: PayerDep,
    database: DatabaseId,
    body: IngestBody,
) -> IngestResult:
    await uploads.check_knowledge(len(body.text))
    extractor = application.extraction.extractor(payer)
    return await _ingest(
        application, knowledge, extractor, database, body.text, body.source, lambda: body.kind
    )


@router.post(
    "/{database}/files",
    summary="Add the entities and relations of a file",
    description="The body is the file itself: text, Markdown, HTML, PDF or Word (.docx), up to "
    "20 MiB. What kind it is shows in its content, then in its name, then in `Content-Type`.",
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                media: {"schema": {"type": "string", "format": "binary"}}
                for media in (*MEDIA_TYPES, "application/octet-stream")
            },
        }
    },
    responses=documented(404, 413, 422, 429, 503),
)
async def ingest_file(
    request: Request,
    application: ApplicationDep,
    knowledge: KnowledgeDep,
    uploads: UploadGateDep,
    payer: PayerDep,
    database: DatabaseId,
    name: Annotated[
        str, Query(min_length=1, max_length=300, description="Its name, such as `report.pdf`.")
    ],
    source: Annotated[
        str | None,
        Query(min_length=1, max_length=500, description="Where it is from, if not its name."),
    ] = None,
) -> IngestResult:
    content = await request.body()
    await uploads.take_file(len(content))
    await uploads.check_knowledge(len(content))
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()

    def kind() -> str:
        from antiphon.knowledge.ingestion import kind_of

        return kind_of(name, content, media_type)

    extractor = application.extraction.extractor(payer)
    return await _ingest(application, knowledge, extractor, database, content, source or name, kind)


async def _ingest(
    application: Application,
    knowledge: KnowledgeLender,
    extractor: Extractor | None,
    database: str,
    content: str | bytes,
    source: str,
    kind: Callable[[], Any],
) -> IngestResult:
    """Add a text or file to a database, off the event loop; `kind` says there what it is."""
    workers = application.workers.attach()

    def work(base: KnowledgeBase) -> dict[str, Any]:
        from antiphon.knowledge.ingestion import ingest

        report = ingest(
            base.database(database),
            content,
            source=source,
            kind=kind(),
            extractor=extractor,
            model_seconds=MODEL_SECONDS,
            run=workers.run_from_thread,
        )
        return report.to_dict()

    return IngestResult(**await do(knowledge, work))


@router.post(
    "/{database}/import",
    summary="Import records and edges from JSON lines or CSV",
    description="For small files, as a request body may have at most 256 KiB. Larger ones, "
    "Markdown folders and GraphML are imported with `antiphon kb import` on the command line, "
    "also while the server runs.",
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                NDJSON: {
                    "schema": {"type": "string"},
                    "example": '{"kind": "record", "id": "person:ada", "type": "person"}\n',
                },
                CSV: {"schema": {"type": "string"}, "example": "id,type\nperson:ada,person\n"},
            },
        }
    },
    responses=documented(404, 413, 415, 422, 429, 503),
)
async def import_rows(
    request: Request,
    knowledge: KnowledgeDep,
    uploads: UploadGateDep,
    database: DatabaseId,
    on_error: Annotated[
        Literal["stop", "skip"],
        Query(description="When rows do not fit: import nothing, or leave them out."),
    ] = "stop",
) -> ImportResult:
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    form = {NDJSON: "jsonl", "application/jsonl": "jsonl", CSV: "csv"}.get(media_type)
    if form is None:
        raise ProblemError(
            415, f"Send JSON lines (`Content-Type: {NDJSON}`) or CSV (`Content-Type: {CSV}`)."
        )
    content = await request.body()
    await uploads.take_file(len(content))
    await uploads.check_knowledge(len(content))

    def work(base: KnowledgeBase) -> dict[str, Any]:
        from antiphon.knowledge.exchange import import_file

        opened = base.database(database)
        with tempfile.TemporaryDirectory(prefix="antiphon-import-") as folder:
            file = Path(folder) / f"body.{form}"
            file.write_bytes(content)
            report = import_file(
                opened, file, format=form, on_error=on_error, resume=False, untrusted=True
            )
            return report.to_dict()

    report = await do(knowledge, work)
    return ImportResult(**{name: report[name] for name in ImportResult.model_fields})


@router.get(
    "/{database}/export",
    summary="Everything in a database as JSON lines",
    response_class=Response,
    responses={
        200: {
            "description": "Records, then edges, one on each line.",
            "content": {NDJSON: {"schema": {"type": "string"}}},
        },
        **documented(404, 422, 503),
    },
)
async def export_database(
    knowledge: KnowledgeDep,
    database: DatabaseId,
    format: Annotated[Literal["jsonl"], Query()] = "jsonl",
) -> Response:
    await do(knowledge, lambda base: base.database(database))
    return StreamingResponse(
        _lines(knowledge, database),
        headers={
            "content-type": NDJSON,
            "content-disposition": f'attachment; filename="{database}.{format}"',
        },
    )


# -- inside ---------------------------------------------------------------------------------------


async def knowledge_problem(_request: Request, error: Exception) -> Response:
    """Exception handler: an error of the knowledge engine as a problem document."""
    assert isinstance(error, KnowledgeError)
    members: dict[str, Any] = {"nearest": list(error.nearest)} if error.nearest else {}
    report = getattr(error, "report", None)
    if report is not None:
        members["problems"] = [asdict(row) for row in report.problems]
    return problem(STATUS.get(error.type, 503), error.message, **members)


async def do(knowledge: KnowledgeLender, work: Callable[[KnowledgeBase], Result]) -> Result:
    """Run `work` on the knowledge base in a worker thread and return its result."""

    def run() -> Result:
        with knowledge() as base:
            return work(base)

    return await asyncio.to_thread(run)


def _detail(database: Database) -> DatabaseDetail:
    state = database.state()
    return DatabaseDetail(
        id=database.id,
        title=state.title,
        description=state.description,
        records=state.records,
        edges=state.edges,
        updated=state.updated,
        pending=database.pending(),
        revision=state.revision,
    )


def _no_record(database: str, record_id: str) -> ProblemError:
    return ProblemError(404, f"There is no record {record_id!r} in the database {database!r}.")


async def _lines(knowledge: KnowledgeLender, name: str) -> AsyncIterator[bytes]:
    """Page by page, in the order of ids, as the command line exports it."""

    def page_of(base: KnowledgeBase, after: str | None, edges: bool) -> tuple[str | None, bytes]:
        database = base.database(name)
        page = database.records(after, _PAGE)
        items: list[dict[str, Any]]
        if edges:
            own = {record.id for record in page}
            found = [edge for edge in database.edges_of(own) if edge.source in own]
            found.sort(key=lambda edge: (edge.source, edge.target, edge.relation))
            items = [{"kind": "edge"} | edge.to_dict() for edge in found]
        else:
            items = [{"kind": "record"} | record.to_dict() for record in page]
        lines = b"".join(orjson.dumps(item) + b"\n" for item in items)
        return page[-1].id if page else None, lines

    for edges in (False, True):
        after = None
        while True:
            after, lines = await do(knowledge, partial(page_of, after=after, edges=edges))
            if after is None:
                break
            yield lines
