"""Experts over HTTP: listed, and read with what each remembers of the conversation."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter
from fastapi import Path as InPath
from pydantic import BaseModel, Field

from antiphon.server.bodies import StrictRoute
from antiphon.server.dependencies import ApplicationDep, HttpSessionsDep, WorkspaceDep
from antiphon.server.problems import documented
from antiphon.server.user_folders import LeftOut, own_folder, shown
from antiphon.server.workspace_errors import answered
from antiphon.workspace.experts import OWN

router = APIRouter(prefix="/api", tags=["reading"], route_class=StrictRoute)


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


@router.get("/experts", summary="List the experts")
async def list_experts(application: ApplicationDep, workspace: WorkspaceDep) -> ExpertList:
    experts = workspace.experts
    found = [_expert(each) for each in await answered(experts.all())]
    return ExpertList(
        experts=[ExpertSummary.model_validate(each) for each in found],
        count=len(found),
        folder=str(own_folder(application, OWN)),
        left_out=shown(await answered(experts.left_out())),
    )


@router.get(
    "/experts/{id}",
    summary="One expert, with what it remembers of the conversation",
    description="`chat_with_expert` asks it something, and `start over` makes it forget.",
    responses=documented(404, 422, 503),
)
async def get_expert(
    http_sessions: HttpSessionsDep,
    workspace: WorkspaceDep,
    id: Annotated[str, InPath(max_length=100, examples=["project-advisor"])],
) -> ExpertDocument:
    experts = workspace.experts
    expert = await answered(experts.find(id))
    turns = await answered(experts.history(http_sessions.user, expert.id))
    said = [{"at": turn["at"], "message": turn["message"], **turn["answer"]} for turn in turns]
    return ExpertDocument.model_validate(
        {**_expert(expert), "persona": expert.persona, "turns": said}
    )


def _expert(expert: Any) -> dict[str, Any]:
    return {**expert.to_dict(), "types": list(expert.types)}
