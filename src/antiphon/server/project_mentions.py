"""Project mentions: macros, events and runs of the workspace that name a project."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from datetime import UTC, datetime, timedelta
from typing import Literal, TypeVar

from pydantic import BaseModel, Field

from antiphon.app import Application
from antiphon.contracts import ToolError
from antiphon.contracts.owners import Owners
from antiphon.contracts.tasks import TaskStatus
from antiphon.knowledge import KnowledgeBase, KnowledgeError
from antiphon.orchestrator import Orchestrator
from antiphon.server.schemas.calendar import CalendarEvent, listed
from antiphon.server.scope import Scope
from antiphon.workspace import Workspace
from antiphon.workspace.calendar import Calendar
from antiphon.workspace.name_matching import normalize_name

MOST = 12
AHEAD = timedelta(days=62)
LOOKED_AT = 200  # runs, the newest

Result = TypeVar("Result")


class RelatedRecord(BaseModel):
    database_id: str = Field(examples=["studio"])
    id: str = Field(examples=["project:atlas"])
    type: str
    title: str
    snippet: str


class RelatedPlaybook(BaseModel):
    id: str
    title: str
    summary: str


class RelatedRun(BaseModel):
    task_id: str
    kind: Literal["workflow", "agent"]
    name: str = Field(examples=["knowledge-synthesis"])
    input: str
    status: TaskStatus
    created_at: float


class Related(BaseModel):
    """At most twelve of each."""

    records: list[RelatedRecord]
    playbooks: list[RelatedPlaybook]
    events: list[CalendarEvent] = Field(description="Of the next 62 days.")
    runs: list[RelatedRun] = Field(description="The newest first.")
    problems: list[str] = Field(description="What could not be looked at, and why.")


async def related(application: Application, scope: Scope, name: str) -> Related:
    """Records, playbooks, events and runs that name a project, as far as the scope reaches. What
    cannot be searched is among the problems."""
    user = scope.user
    workspace = application.workspaces.chosen(scope.organisation)
    calendar = application.calendars.chosen(scope.organisation)
    problems: list[str] = []

    async def part(what: str, work: Awaitable[list[Result]]) -> list[Result]:
        """A part that cannot be looked at does not take the others with it."""
        try:
            return await work
        except (ToolError, KnowledgeError) as error:
            problems.append(f"{what}: {error.message}")
            return []

    return Related(
        records=await part("Knowledge", _records(application, scope, name)),
        playbooks=await part("Playbooks", _playbooks(workspace, name)),
        events=await part("Calendar", _events(calendar, user, name)),
        runs=await part("Runs", _runs(application.orchestrator, user, name)),
        problems=problems,
    )


def _named(name: str, *texts: str) -> bool:
    wanted = f" {normalize_name(name)} "
    return any(wanted in f" {normalize_name(text)} " for text in texts)


async def _records(application: Application, scope: Scope, name: str) -> list[RelatedRecord]:
    if not scope.may("knowledge.read"):
        return []

    def work() -> list[RelatedRecord]:
        with application.organisation_knowledge.base(scope.organisation) as base:
            return _records_in(base, name)

    return await asyncio.to_thread(work)


def _records_in(base: KnowledgeBase, name: str) -> list[RelatedRecord]:
    found = []
    for info in base.databases():
        for one in base.database(info.id).search(name, k=20, full_text=True):
            if _named(name, one.title, one.text or "", one.snippet):
                found.append((one.score, info.id, one))
    found.sort(key=lambda each: -each[0])
    return [
        RelatedRecord(
            database_id=database, id=one.id, type=one.type, title=one.title, snippet=one.snippet
        )
        for _, database, one in found[:MOST]
    ]


async def _playbooks(workspace: Workspace, name: str) -> list[RelatedPlaybook]:
    found = [one for one in await workspace.playbooks.all() if _named(name, one.title, one.text)]
    return [
        RelatedPlaybook(id=one.id, title=one.title, summary=one.summary) for one in found[:MOST]
    ]


async def _events(calendar: Calendar, user: str, name: str) -> list[CalendarEvent]:
    now = datetime.now(UTC)
    found = await calendar.occurrences(user, now, now + AHEAD)
    named = [one for one in found if _named(name, one.title, one.description, one.location)]
    return [listed(one, calendar.zone) for one in named[:MOST]]


async def _runs(orchestrator: Orchestrator, user: str, name: str) -> list[RelatedRun]:
    assert orchestrator.background is not None
    backend = orchestrator.background.backend
    found: list[RelatedRun] = []
    kinds: tuple[tuple[Literal["workflow", "agent"], str], ...] = (
        ("workflow", "run_workflow"),
        ("agent", "run_agent"),
    )
    for kind, tool in kinds:
        for task in await backend.list(owners=Owners(user), tool_id=tool, limit=LOOKED_AT):
            said = str(task.args.get("input", ""))
            if _named(name, said):
                run = str(task.args.get(f"{kind}_name", ""))
                found.append(
                    RelatedRun(
                        task_id=task.id,
                        kind=kind,
                        name=run,
                        input=said[:300],
                        status=task.status,
                        created_at=task.created_at,
                    )
                )
    return sorted(found, key=lambda run: -run.created_at)[:MOST]
