"""Workflows and agents over HTTP: what there is, with the steps of each."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path

from antiphon.app import Application
from antiphon.registry import Snapshot
from antiphon.server.bodies import StrictRoute
from antiphon.server.dependencies import ApplicationDep, WorkspaceDep
from antiphon.server.problems import documented
from antiphon.server.schemas.runs import AgentList, PipelineDocument, StepDocument, WorkflowList
from antiphon.server.user_folders import own_folder, shown
from antiphon.server.workspace_errors import answered
from antiphon.workspace.agents import OWN as AGENTS
from antiphon.workspace.runs.pipeline_runs import PipelineCatalogue
from antiphon.workspace.runs.pipelines import Pipeline
from antiphon.workspace.workflows import OWN as WORKFLOWS

router = APIRouter(prefix="/api", tags=["workflows and agents"], route_class=StrictRoute)

Name = Annotated[str, Path(max_length=200, examples=["knowledge-synthesis"])]


@router.get("/workflows", summary="The workflow templates with their steps")
async def get_workflows(application: ApplicationDep, workspace: WorkspaceDep) -> WorkflowList:
    service = workspace.workflows
    found = await _documents(application, service)
    own = await _own(application, service, WORKFLOWS)
    return WorkflowList(workflows=found, count=len(found), **own)


@router.get("/workflows/{name}", summary="One workflow", responses=documented(404, 422))
async def get_workflow(
    application: ApplicationDep, workspace: WorkspaceDep, name: Name
) -> PipelineDocument:
    return await _document(application, workspace.workflows, name)


@router.get("/agents", summary="The agents with their steps")
async def get_agents(application: ApplicationDep, workspace: WorkspaceDep) -> AgentList:
    service = workspace.agents
    found = await _documents(application, service)
    own = await _own(application, service, AGENTS)
    return AgentList(agents=found, count=len(found), **own)


@router.get("/agents/{name}", summary="One agent", responses=documented(404, 422))
async def get_agent(
    application: ApplicationDep, workspace: WorkspaceDep, name: Name
) -> PipelineDocument:
    return await _document(application, workspace.agents, name)


async def _documents(
    application: Application, service: PipelineCatalogue
) -> list[PipelineDocument]:
    snapshot = application.orchestrator.registry_snapshot()
    return [_described(each, snapshot) for each in await service.all()]


async def _own(application: Application, service: PipelineCatalogue, folder: str) -> dict[str, Any]:
    """The folder of people's own files, and those in it that cannot be used."""
    left_out = await answered(service.left_out())
    return {"folder": str(own_folder(application, folder)), "left_out": shown(left_out)}


async def _document(
    application: Application, service: PipelineCatalogue, name: str
) -> PipelineDocument:
    found = await answered(service.find(name))
    return _described(found, application.orchestrator.registry_snapshot())


def _described(pipeline: Pipeline, snapshot: Snapshot) -> PipelineDocument:
    known = {
        name: snapshot.tools[name].definition for name in pipeline.tools if name in snapshot.tools
    }
    modes = [
        mode
        for mode in ("text", "voice")
        if all(mode in definition.allowed_modes for definition in known.values())
    ]
    steps = [
        StepDocument(
            id=step.id,
            title=step.title,
            tool=step.tool or None,
            args=step.args,
            sources={pipe.to or "": f"{pipe.source}/{pipe.path}" for pipe in step.pipes},
            optional=step.optional,
            condition=step.when or None,
            asks_model=bool(step.ask),
            asks_first=step.tool in known and known[step.tool].requires_confirmation,
            known=not step.tool or step.tool in known,
        )
        for step in pipeline.steps
    ]
    return PipelineDocument.model_validate({**pipeline.to_dict(), "modes": modes, "steps": steps})
