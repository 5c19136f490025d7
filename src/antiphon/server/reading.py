"""What people read before they ask: playbooks and experts. Reading is free; asking is a call."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Query, Request
from fastapi import Path as InPath
from pydantic import BaseModel, Field

from antiphon.contracts import ToolError
from antiphon.server.bodies import StrictRoute
from antiphon.server.calls import STATUS
from antiphon.server.own_files import LeftOut, own_folder, shown
from antiphon.server.problems import ProblemError, documented
from antiphon.server.rest import LOCAL_USER
from antiphon.workspace import Workspace
from antiphon.workspace.errors import NotThere
from antiphon.workspace.experts import OWN as EXPERTS
from antiphon.workspace.playbooks import OWN as PLAYBOOKS
from antiphon.workspace.playbooks import Playbook

router = APIRouter(prefix="/api", tags=["reading"], route_class=StrictRoute)

Result = TypeVar("Result")


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


class ExpertSummary(BaseModel):
    id: str = Field(examples=["project-advisor"])
    name: str
    description: str
    database_id: str = Field(description="The knowledge database that it answers from.")
    types: list[str] = Field(description="The kinds of records it looks at first; none: all.")
    examples: list[str] = Field(description="What one may ask it.")


class ExpertList(BaseModel):
    experts: list[ExpertSummary] = Field(description="By id.")
    count: int
    folder: str = Field(description="Where people put experts of their own.")
    left_out: list[LeftOut]


class Citation(BaseModel):
    id: str = Field(examples=["project:atlas"])
    title: str
    snippet: str
    url: str | None


class ExpertTurn(BaseModel):
    at: float = Field(description="Seconds of the epoch.")
    message: str
    answer: str = Field(description="With the ids of records in square brackets.")
    answered: bool = Field(description="False: the records do not say it, and the answer says so.")
    citations: list[Citation]
    by: str = Field(description="Who wrote the answer: `model` or `rules`.")
    note: str | None = Field(default=None, description="Why no model wrote it.")


class ExpertDocument(ExpertSummary):
    persona: str = Field(description="What a model is told that it is.")
    turns: list[ExpertTurn] = Field(description="What it remembers of the conversation.")


# -- playbooks -------------------------------------------------------------------------------------


@router.get(
    "/playbooks",
    summary="List the playbooks, or search them",
    responses=documented(422, 503),
    response_model_exclude_none=True,
)
async def list_playbooks(
    request: Request,
    query: Annotated[
        str, Query(max_length=500, description="The five that fit it best, by words and meaning.")
    ] = "",
) -> PlaybookList:
    playbooks = _workspace(request).playbooks
    folder = own_folder(request, PLAYBOOKS)
    if query.strip():
        found = await _answered(playbooks.search(query))
    else:
        found = [each.to_dict() for each in await _answered(playbooks.all())]
    return PlaybookList(
        playbooks=[PlaybookSummary.model_validate(each) for each in found],
        count=len(found),
        folder=str(folder),
        left_out=shown(await _answered(playbooks.left_out())),
    )


@router.get(
    "/playbooks/{id}",
    summary="One playbook",
    responses=documented(404, 422),
    response_model_exclude_none=True,
)
async def get_playbook(
    request: Request, id: Annotated[str, InPath(max_length=200, examples=["hot-device"])]
) -> PlaybookDocument:
    found: Playbook = await _answered(_workspace(request).playbooks.get(id))
    return PlaybookDocument(**found.to_dict(), outline=found.steps, text=found.text)


# -- experts ---------------------------------------------------------------------------------------


@router.get("/experts", summary="List the experts")
async def list_experts(request: Request) -> ExpertList:
    experts = _workspace(request).experts
    found = [_expert(each) for each in await _answered(experts.all())]
    return ExpertList(
        experts=[ExpertSummary.model_validate(each) for each in found],
        count=len(found),
        folder=str(own_folder(request, EXPERTS)),
        left_out=shown(await _answered(experts.left_out())),
    )


@router.get(
    "/experts/{id}",
    summary="One expert, with what it remembers of the conversation",
    description="`chat_with_expert` asks it something, and `start over` makes it forget.",
    responses=documented(404, 422, 503),
)
async def get_expert(
    request: Request, id: Annotated[str, InPath(max_length=100, examples=["project-advisor"])]
) -> ExpertDocument:
    experts = _workspace(request).experts
    expert = await _answered(experts.find(id))
    turns = await _answered(experts.history(LOCAL_USER, expert.id))
    said = [{"at": turn["at"], "message": turn["message"], **turn["answer"]} for turn in turns]
    return ExpertDocument.model_validate(
        {**_expert(expert), "persona": expert.persona, "turns": said}
    )


# -- inside ----------------------------------------------------------------------------------------


def _workspace(request: Request) -> Workspace:
    found: Workspace = request.app.state.workspace
    return found


def _expert(expert: Any) -> dict[str, Any]:
    return {**expert.to_dict(), "types": list(expert.types)}


async def _answered(work: Awaitable[Result]) -> Result:
    """What a service gives; what it refuses is a problem document."""
    try:
        return await work
    except ToolError as error:
        if isinstance(error, NotThere):
            raise ProblemError(404, error.message, nearest=list(error.nearest)) from None
        raise ProblemError(STATUS[error.type], error.message) from None
