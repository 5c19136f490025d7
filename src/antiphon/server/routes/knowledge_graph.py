"""Knowledge graph over HTTP: neighbourhoods, an overview, and single edges."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response

from antiphon.knowledge import Edge, Record
from antiphon.server.bodies import StrictRoute
from antiphon.server.dependencies import KnowledgeDep
from antiphon.server.problems import ProblemError, documented
from antiphon.server.routes.knowledge import DatabaseId, RecordId, do
from antiphon.server.schemas.knowledge import (
    EdgeBody,
    EdgeDocument,
    GraphNode,
    Neighbourhood,
    Overview,
)

if TYPE_CHECKING:
    from antiphon.knowledge import Database, KnowledgeBase

router = APIRouter(prefix="/api/knowledge", tags=["knowledge"], route_class=StrictRoute)

MOST = 1000
DEEPEST = 6
Limit = Annotated[int, Query(ge=1, le=MOST, description="At most so many records.")]


@router.get(
    "/{database}/neighbourhood/{record_id:text}",
    summary="The records around one, and the edges among them",
    responses=documented(404, 422, 503),
)
async def get_neighbourhood(
    knowledge: KnowledgeDep,
    database: DatabaseId,
    record_id: RecordId,
    depth: Annotated[int, Query(ge=0, le=DEEPEST, description="Edges away from it.")] = 1,
    limit: Limit = 200,
) -> Neighbourhood:
    def work(base: KnowledgeBase) -> dict[str, Any]:
        opened = base.database(database)
        return _drawn(opened, opened.neighbourhood(record_id, depth, limit)[0])

    return Neighbourhood(**await do(knowledge, work))


@router.get(
    "/{database}/graph",
    summary="The graph from above",
    description="Every record where there are no more than `limit`; else the most central one and "
    "what is around it.",
    responses=documented(404, 422, 503),
)
async def get_graph(knowledge: KnowledgeDep, database: DatabaseId, limit: Limit = MOST) -> Overview:
    def work(base: KnowledgeBase) -> dict[str, Any]:
        from antiphon.knowledge.analytics import analytics

        opened = base.database(database)
        records = opened.records(limit=limit + 1)
        complete = len(records) <= limit
        if not complete:
            centre = analytics(opened)["pagerank"][0]["id"]
            records = opened.neighbourhood(centre, DEEPEST, limit)[0]
        return {**_drawn(opened, records), "complete": complete}

    return Overview(**await do(knowledge, work))


@router.put(
    "/{database}/edges",
    summary="Add an edge, or replace the one with the same ends and relation",
    responses={
        201: {"model": EdgeDocument, "description": "It was added."},
        **documented(404, 422, 503),
    },
)
async def put_edge(
    knowledge: KnowledgeDep, response: Response, database: DatabaseId, body: EdgeBody
) -> EdgeDocument:
    edge = Edge.from_dict(body.model_dump())
    written = await do(knowledge, lambda base: base.database(database).upsert_edges([edge]))
    response.status_code = 201 if written.added else 200
    return EdgeDocument(**edge.to_dict())


@router.delete(
    "/{database}/edges",
    summary="Delete an edge",
    status_code=204,
    response_class=Response,
    responses=documented(404, 422, 503),
)
async def delete_edge(
    knowledge: KnowledgeDep,
    database: DatabaseId,
    source: Annotated[str, Query(max_length=200)],
    target: Annotated[str, Query(max_length=200)],
    relation: Annotated[str, Query(max_length=100)],
) -> Response:
    key = (source, target, relation)
    if not await do(knowledge, lambda base: base.database(database).delete_edges([key])):
        raise ProblemError(
            404,
            f"There is no edge {relation!r} from {source!r} to {target!r} in the database "
            f"{database!r}.",
        )
    return Response(status_code=204)


def _drawn(database: Database, records: list[Record]) -> dict[str, Any]:
    """Nodes and the edges among them; how many edges a node has tells whether there is more."""
    own = {record.id for record in records}
    edges = database.edges_of(own)
    degree = Counter(end for edge in edges for end in (edge.source, edge.target))
    return {
        "nodes": [
            GraphNode(
                id=one.id,
                type=one.type,
                title=one.title,
                tags=list(one.tags),
                url=one.url,
                last_updated=one.last_updated,
                degree=degree[one.id],
            )
            for one in records
        ],
        "edges": [
            EdgeDocument(**edge.to_dict())
            for edge in edges
            if edge.source in own and edge.target in own
        ],
    }
