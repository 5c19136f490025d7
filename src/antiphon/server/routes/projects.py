"""Projects over HTTP: what a person works on, and its mentions in the workspace."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict, Field

from antiphon.server.bodies import Body, StrictRoute
from antiphon.server.dependencies import HttpSessionsDep, ServicesDep, WorkspaceDep
from antiphon.server.problems import ProblemError, documented
from antiphon.server.project_mentions import Related, related
from antiphon.server.workspace_errors import answered, note
from antiphon.workspace import Workspace
from antiphon.workspace.awareness import PROJECT
from antiphon.workspace.projects import MAX_DESCRIPTION, MAX_NAME, Project

router = APIRouter(prefix="/api/projects", tags=["projects"], route_class=StrictRoute)

Status = Literal["active", "paused", "done"]
ProjectId = Annotated[
    str, Path(max_length=200, description="The id, or the name.", examples=["5d0c2a9e41f0"])
]


class ProjectDocument(BaseModel):
    """Times are seconds of the epoch."""

    id: str = Field(examples=["5d0c2a9e41f0"])
    name: str = Field(examples=["Aurora"])
    description: str
    status: Status
    created_at: float
    updated_at: float
    current: bool = Field(description="Agents take “my project” for this one.")


class ProjectList(BaseModel):
    projects: list[ProjectDocument] = Field(description="The one that was changed last first.")
    count: int


class NewProject(Body):
    model_config = ConfigDict(
        json_schema_extra={"example": {"name": "Aurora", "description": "The new reading room."}}
    )

    name: str = Field(max_length=10 * MAX_NAME)
    description: str = Field(default="", max_length=10 * MAX_DESCRIPTION)


class ProjectChange(Body):
    """What is left out stays as it is."""

    model_config = ConfigDict(json_schema_extra={"example": {"current": True}})

    name: str | None = Field(default=None, max_length=10 * MAX_NAME)
    description: str | None = Field(default=None, max_length=10 * MAX_DESCRIPTION)
    status: Status | None = None
    current: bool | None = Field(
        default=None,
        description="True: agents are told that this is the project in hand, for a day; it takes "
        "the place of another. False: none is.",
    )


class ProjectDeleted(BaseModel):
    deleted: str = Field(description="The id.")


@router.get("", summary="List the projects", responses=documented(503))
async def get_projects(http_sessions: HttpSessionsDep, workspace: WorkspaceDep) -> ProjectList:
    found = await answered(workspace.projects.all(http_sessions.user))
    current = await _current(workspace, http_sessions.user)
    projects = [_document(project, current) for project in found]
    return ProjectList(projects=projects, count=len(projects))


@router.post("", summary="Make a project", status_code=201, responses=documented(409, 422, 503))
async def make_project(
    http_sessions: HttpSessionsDep, workspace: WorkspaceDep, body: NewProject
) -> ProjectDocument:
    projects = workspace.projects
    project = await answered(projects.create(http_sessions.user, body.name, body.description))
    await note(http_sessions, "project_saved", project=project.id, name=project.name)
    return _document(project, "")


@router.get("/{project_id}", summary="One project", responses=documented(404, 422, 503))
async def get_project(
    http_sessions: HttpSessionsDep, workspace: WorkspaceDep, project_id: ProjectId
) -> ProjectDocument:
    project = await _found(workspace, http_sessions.user, project_id)
    return _document(project, await _current(workspace, http_sessions.user))


@router.put(
    "/{project_id}",
    summary="Change a project, or take it in hand",
    responses=documented(404, 409, 422, 503),
)
async def change_project(
    http_sessions: HttpSessionsDep,
    workspace: WorkspaceDep,
    project_id: ProjectId,
    body: ProjectChange,
) -> ProjectDocument:
    before = await _found(workspace, http_sessions.user, project_id)
    current = await _current(workspace, http_sessions.user)
    project = await answered(
        workspace.projects.update(
            http_sessions.user,
            before.id,
            name=body.name,
            description=body.description,
            status=body.status,
        )
    )
    was = _is(before, current)
    wanted = was if body.current is None else body.current
    if wanted and not (was and project.name == before.name):
        await _take(workspace, http_sessions.user, project.name)
        current = project.name
    elif was and not wanted:
        await _take(workspace, http_sessions.user, "")
        current = ""
    await note(http_sessions, "project_saved", project=project.id, name=project.name)
    return _document(project, current)


@router.delete(
    "/{project_id}", summary="Delete a project", responses=documented(404, 409, 422, 503)
)
async def delete_project(
    http_sessions: HttpSessionsDep, workspace: WorkspaceDep, project_id: ProjectId
) -> ProjectDeleted:
    found = await _found(workspace, http_sessions.user, project_id)
    project = await answered(workspace.projects.delete(http_sessions.user, found.id))
    if _is(project, await _current(workspace, http_sessions.user)):
        await _take(workspace, http_sessions.user, "")
    await note(http_sessions, "project_deleted", project=project.id, name=project.name)
    return ProjectDeleted(deleted=project.id)


@router.get(
    "/{project_id}/related",
    summary="What names a project elsewhere",
    description="Records of knowledge graphs, playbooks, events of the next weeks, and runs of "
    "workflows and agents in whose words the project's name stands.",
    responses=documented(404, 422, 503),
)
async def get_related(
    services: ServicesDep,
    http_sessions: HttpSessionsDep,
    workspace: WorkspaceDep,
    project_id: ProjectId,
) -> Related:
    project = await _found(workspace, http_sessions.user, project_id)
    return await related(services.application, http_sessions.scope, project.name)


async def _found(workspace: Workspace, user: str, project_id: str) -> Project:
    """By id or whole name: what people say is guessed at, what a page names is not."""
    project: Project = await answered(workspace.projects.find(user, project_id))
    if not _is(project, project_id.strip()):
        raise ProblemError(
            404,
            f"There is no project {project_id!r}. Did you mean {project.name}?",
            nearest=[project.name],
        )
    return project


async def _current(workspace: Workspace, user: str) -> str:
    """The project that agents are told about: its name, or an id where a client told one."""
    known = await answered(workspace.awareness.recent_activity(user))
    context = known["context"]
    return next((str(context[key]) for key in PROJECT if key in context), "")


async def _take(workspace: Workspace, user: str, name: str) -> None:
    await answered(workspace.awareness.choose_project(user, name))


def _is(project: Project, current: str) -> bool:
    return current.casefold() in (project.name.casefold(), project.id)


def _document(project: Project, current: str) -> ProjectDocument:
    return ProjectDocument.model_validate({**project.to_dict(), "current": _is(project, current)})
