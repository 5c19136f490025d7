"""Tool catalogue over HTTP: the callable tools with their contracts."""

from __future__ import annotations

import os
from difflib import get_close_matches
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from antiphon.app import Application
from antiphon.contracts.definition import (
    Category,
    Execution,
    Interruption,
    Isolation,
    Mode,
    Risk,
    SideEffects,
)
from antiphon.contracts.provenance import Sensitivity, ToolOrigin
from antiphon.registry import Snapshot
from antiphon.server.dependencies import ApplicationDep, HttpSessionsDep
from antiphon.server.http_sessions import HttpSessions
from antiphon.server.problems import ProblemError, documented

router = APIRouter(prefix="/api/tools", tags=["tools"])


class _CamelModel(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class ToolSummary(_CamelModel):
    """A tool's metadata, in the words of its `schema.json`, and the first line of its guide."""

    tool_id: str = Field(examples=["format_datetime"])
    version: str = Field(examples=["1.0.0"])
    description: str
    category: Category
    side_effects: SideEffects
    origin: ToolOrigin = Field(description="Whose text it returns: the house's own, or others'.")
    sensitivity: Sensitivity = Field(description="How sensitive what it returns is.")
    outside: bool = Field(description="Whether its calls can reach anybody outside.")
    idempotent: bool
    requires_confirmation: bool
    risk: Risk
    allowed_modes: list[Mode]
    latency_budget_ms: int | float
    execution: Execution
    timeout_ms: int | float
    interruption: Interruption
    isolation: Isolation = Field(description="Where its handler runs.")
    network: bool | None = Field(
        default=None, description="True: its worker process may use the network."
    )
    rate_limit: dict[str, Any] | None = None
    availability: dict[str, Any] | None = None
    output: dict[str, Any] | None = None
    redact: list[str] | None = None
    catalogue: str | None = None
    variants: list[dict[str, Any]] | None = None
    staged: bool | None = Field(
        default=None, description="True: nobody has this version unless it was chosen for them."
    )
    alias_of: str | None = Field(
        default=None, description="The tool that this is another name for."
    )
    summary: str
    available: bool = Field(
        description="Whether its `availability` lets a request without a session call it now."
    )
    unavailable_because: str | None = Field(
        default=None, examples=["it is for admin only"], description="Why not, in words."
    )


class ToolCatalogue(_CamelModel):
    registry_version: str = Field(examples=["1.0.5f0c2a9e"])
    count: int = Field(description="How many tools matched.", examples=[3])
    tools: list[ToolSummary]


class ToolEntry(ToolSummary):
    """A tool as the registry holds it."""

    documentation: str = Field(description="The whole guide, as Markdown.")
    json_schema: dict[str, Any] = Field(
        description="The canonical JSON Schema of the parameters; calls are checked against it."
    )
    provider_schemas: dict[str, Any] = Field(
        description="The declaration of the tool for each provider."
    )
    losses: Any = Field(
        default=None, description="For each provider, what its form of schema could not express."
    )
    digest: str = Field(description="Pins the tool's sources.")
    handler_path: str = Field(description="Where the handler lies, relative to the registry.")


@router.get(
    "", summary="List the tools", responses=documented(422), response_model_exclude_none=True
)
async def list_tools(
    application: ApplicationDep,
    http_sessions: HttpSessionsDep,
    category: Annotated[Category | None, Query(description="Only this category.")] = None,
    mode: Annotated[Mode | None, Query(description="Only tools allowed in this mode.")] = None,
    q: Annotated[
        str | None,
        Query(
            description="Only tools whose id, description or summary contains this.", max_length=200
        ),
    ] = None,
) -> ToolCatalogue:
    registry = _registry(application, http_sessions)
    needle = q.casefold().strip() if q else ""
    found = []
    for tool_id in _usable(registry, http_sessions, mode):
        tool = _summary(registry, http_sessions, tool_id)
        text = f"{tool_id}\n{tool['description']}\n{tool['summary']}".casefold()
        if (
            (category is None or tool["category"] == category)
            and (mode is None or mode in tool["allowedModes"])
            and needle in text
        ):
            found.append(ToolSummary.model_validate(tool))
    return ToolCatalogue(registry_version=registry.version, count=len(found), tools=found)


@router.get(
    "/{tool_id}",
    summary="One tool with its guide, schemas and losses",
    responses=documented(404, 422),
    response_model_exclude_none=True,
)
async def get_tool(
    application: ApplicationDep,
    http_sessions: HttpSessionsDep,
    tool_id: Annotated[str, Path(max_length=200, examples=["format_datetime"])],
) -> ToolEntry:
    registry = _registry(application, http_sessions)
    usable = _usable(registry, http_sessions)
    entry = registry.entry(tool_id) if tool_id in usable else None
    if entry is None:
        nearest = get_close_matches(tool_id, usable, n=3)
        hint = f" The nearest names are: {', '.join(nearest)}." if nearest else ""
        raise ProblemError(404, f"There is no tool `{tool_id}`.{hint}", nearest=nearest)
    return ToolEntry.model_validate({**entry, **_summary(registry, http_sessions, tool_id)})


def _registry(application: Application, sessions: HttpSessions) -> Snapshot:
    """The tools in the versions that the principal has."""
    versions = application.orchestrator.versions
    snapshot = application.registry.snapshot()
    return versions.choose(snapshot, sessions.user, sessions.scope.principal)


def _usable(registry: Snapshot, sessions: HttpSessions, mode: Mode | None = None) -> list[str]:
    """The tools that there are for the principal, in a mode or in any."""
    tools = registry.tools.items()
    return [name for name, tool in tools if sessions.scope.may_use(tool.definition, mode)]


def _summary(registry: Snapshot, sessions: HttpSessions, tool_id: str) -> dict[str, Any]:
    tool = registry.tools[tool_id]
    reason = None
    if tool.availability is not None:
        # What the session has that requests without one share.
        principal = sessions.scope.principal
        fields = {
            "id": sessions.shared_id("text"),
            "user": sessions.user,
            "mode": "text",
            "provider": None,
            "profile": None,
            "roles": () if principal is None else principal.roles,
            "organisation": sessions.scope.organisation,
            "authenticated": principal is not None,
            "data": sessions.data or {},
        }
        reason = tool.availability.refusal(fields, os.environ)
    return {
        **tool.definition.metadata(),
        "summary": tool.entry["summary"],
        "available": reason is None,
        "unavailableBecause": reason,
    }
