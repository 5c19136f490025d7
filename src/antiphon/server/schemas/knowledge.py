"""Request and response bodies of the knowledge base routes."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from antiphon.server.bodies import Body


class DatabaseSummary(BaseModel):
    id: str = Field(examples=["studio"])
    title: str
    description: str
    records: int
    edges: int
    updated: str = Field(description="When something in it last changed, ISO 8601.")


class DatabaseList(BaseModel):
    count: int
    databases: list[DatabaseSummary]


class DatabaseDetail(DatabaseSummary):
    pending: int = Field(description="Records without an embedding yet; words find them already.")
    revision: int = Field(description="Goes up with every write.")


class NewDatabase(Body):
    id: str = Field(
        min_length=1,
        max_length=64,
        pattern="^[a-z0-9][a-z0-9_-]*$",
        description="Lower-case letters, digits, - and _.",
        examples=["studio"],
    )
    title: str = Field(default="", max_length=1000)
    description: str = Field(default="", max_length=10_000)


class RecordBody(Body):
    type: str = Field(min_length=1, max_length=100, examples=["person"])
    title: str = Field(default="", max_length=1000)
    text: str = ""
    tags: list[str] = Field(default_factory=list, max_length=200)
    url: str = Field(default="", max_length=4096)
    source_type: str = Field(default="", max_length=100)
    last_updated: str = Field(default="", description="ISO 8601.", max_length=64)
    metadata: dict[str, Any] = Field(default_factory=dict)


class RecordDocument(BaseModel):
    id: str = Field(examples=["person:ada_lovelace"])
    type: str
    title: str
    text: str
    tags: list[str]
    url: str
    source_type: str
    last_updated: str
    metadata: dict[str, Any]


class EvidenceDocument(BaseModel):
    id: str
    type: str
    title: str
    snippet: str
    score: float = Field(ge=0, le=1)
    source_type: str
    last_updated: str
    url: str
    metadata: dict[str, Any]
    text: str | None = None
    explain: dict[str, Any] | None = Field(default=None, description="What made the score.")


class SearchResults(BaseModel):
    count: int
    query_time_ms: float
    results: list[EvidenceDocument]


class GraphNode(BaseModel):
    id: str
    type: str
    title: str
    tags: list[str]
    url: str
    last_updated: str
    degree: int = Field(description="How many edges it has in the whole database.")


class EdgeDocument(BaseModel):
    source: str
    target: str
    relation: str
    weight: float
    provenance: dict[str, Any]


class Neighbourhood(BaseModel):
    nodes: list[GraphNode] = Field(description="The record itself first.")
    edges: list[EdgeDocument]


class Overview(Neighbourhood):
    nodes: list[GraphNode] = Field(description="All of them, or those around the most central one.")
    complete: bool = Field(description="Whether these are all records that there are.")


class EdgeBody(Body):
    source: str = Field(max_length=200, examples=["person:ada_lovelace"])
    target: str = Field(max_length=200, examples=["project:atlas"])
    relation: str = Field(min_length=1, max_length=100, examples=["works_on"])
    weight: float = Field(default=1.0, ge=0, allow_inf_nan=False)
    provenance: dict[str, Any] = Field(
        default_factory=dict, description="Where it was learned, for those who read it later."
    )


class IngestBody(Body):
    text: str = Field(min_length=1, examples=["Ada Lovelace works for Analytical Engines."])
    kind: Literal["text", "markdown", "html"] = Field(
        default="text", description="Files, PDF and Word too, go to `files`."
    )
    source: str = Field(
        default="console",
        min_length=1,
        max_length=500,
        description="Where the text comes from; kept with everything that is learned from it.",
    )


class ByRules(BaseModel):
    first: int = Field(description="The number of a piece of the text, from 1.")
    last: int
    reason: str = Field(description="Why no model read them.")


class IngestResult(BaseModel):
    document: str = Field(description="The id of the record that holds the text.")
    source: str
    kind: str
    title: str
    characters: int
    extractor: str = Field(
        description="`rules`, or the model that read it beside them.",
        examples=["claude/claude-sonnet-4-6"],
    )
    pieces: int = Field(description="In so many pieces the text was read.")
    pieces_by_rules: int = Field(description="How many of them the rules alone read.")
    by_rules: list[ByRules] = Field(description="Which of them a model should have read.")
    sentences: int
    mentions: int
    entities: dict[str, int] = Field(description="How many, by type.")
    entities_doubtful: int = Field(description="Of which it is less sure than 0.6.")
    entities_new: int
    entities_merged: int
    relations: dict[str, int] = Field(description="How many, by relation.")
    relations_doubtful: int = Field(description="Of which it is less sure than 0.6.")
    relations_new: int
    relations_merged: int
    skipped: dict[str, int] = Field(description="What was left out, by reason.")
    notes: list[str]
    unchanged: bool = Field(description="This text had been ingested before.")
    complete: bool


class BadRow(BaseModel):
    line: int
    reason: str
    file: str


class ImportResult(BaseModel):
    format: str
    records_added: int
    records_changed: int
    records_unchanged: int
    edges_added: int
    edges_changed: int
    edges_unchanged: int
    bad: int = Field(description="Rows that were left out.")
    problems: list[BadRow] = Field(description="The first 1,000 of them.")
