"""Route dependencies: the application and the server's services, for `Depends`."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from antiphon.app import Application
from antiphon.orchestrator import Orchestrator
from antiphon.server.http_sessions import HttpSessions
from antiphon.server.services import ServerServices
from antiphon.workspace import Workspace


async def services(request: Request) -> ServerServices:
    """The services of the server that handles the request."""
    found: ServerServices = request.app.services
    return found


ServicesDep = Annotated[ServerServices, Depends(services)]


async def application(found: ServicesDep) -> Application:
    """The application behind the server."""
    return found.application


async def orchestrator(found: ServicesDep) -> Orchestrator:
    """The orchestrator that governs every call."""
    return found.application.orchestrator


async def http_sessions(found: ServicesDep) -> HttpSessions:
    """The sessions behind HTTP requests."""
    return found.http_sessions


async def workspace(found: ServicesDep) -> Workspace:
    """The services of the workspace."""
    return found.application.workspace


ApplicationDep = Annotated[Application, Depends(application)]
OrchestratorDep = Annotated[Orchestrator, Depends(orchestrator)]
HttpSessionsDep = Annotated[HttpSessions, Depends(http_sessions)]
WorkspaceDep = Annotated[Workspace, Depends(workspace)]
