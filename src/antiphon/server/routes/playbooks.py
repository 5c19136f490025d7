"""Playbooks over HTTP: listed, searched and read."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi import Path as InPath
from pydantic import BaseModel, Field

from antiphon.server.bodies import StrictRoute
from antiphon.server.dependencies import ApplicationDep, WorkspaceDep
from antiphon.server.problems import documented
from antiphon.server.user_folders import LeftOut, own_folder, shown
from antiphon.server.workspace_errors import answered
from antiphon.workspace.playbooks import OWN, Playbook

router = APIRouter(prefix="/api", tags=["reading"], route_class=StrictRoute)


class PlaybookSummary(BaseModel):
    id: str = Field(examples=["hot-device"])
    path: str = Field(examples=["playbooks/hot-device.md"])
    title: str
    summary: str
    tags: list[str]
    steps: int = Field(description="How many steps it has.")
    snippet: str | None = Field(default=None, description="What fits the query best.")
    score: float | None = Field(default=None, description="How well it fits, from 0 to 1.")


class PlaybookList(BaseModel):
    playbooks: list[PlaybookSummary] = Field(description="By id; with a query, the best first.")
    count: int
    folder: str = Field(description="Where people put playbooks of their own.")
    left_out: list[LeftOut]


class PlaybookDocument(PlaybookSummary):
    outline: list[str] = Field(description="Its steps.")
    text: str = Field(description="Markdown.")


@router.get(
    "/playbooks",
    summary="List the playbooks, or search them",
    responses=documented(422, 503),
    response_model_exclude_none=True,
)
async def list_playbooks(
    application: ApplicationDep,
    workspace: WorkspaceDep,
    query: Annotated[
        str, Query(max_length=500, description="The five that fit it best, by words and meaning.")
    ] = "",
) -> PlaybookList:
    playbooks = workspace.playbooks
    folder = own_folder(application, OWN)
    if query.strip():
        found = await answered(playbooks.search(query))
    else:
        found = [each.to_dict() for each in await answered(playbooks.all())]
    return PlaybookList(
        playbooks=[PlaybookSummary.model_validate(each) for each in found],
        count=len(found),
        folder=str(folder),
        left_out=shown(await answered(playbooks.left_out())),
    )


@router.get(
    "/playbooks/{id}",
    summary="One playbook",
    responses=documented(404, 422),
    response_model_exclude_none=True,
)
async def get_playbook(
    workspace: WorkspaceDep, id: Annotated[str, InPath(max_length=200, examples=["hot-device"])]
) -> PlaybookDocument:
    found: Playbook = await answered(workspace.playbooks.get(id))
    return PlaybookDocument(**found.to_dict(), outline=found.steps, text=found.text)
