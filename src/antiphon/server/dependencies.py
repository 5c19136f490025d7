"""Route dependencies: the application and the server's services, for `Depends`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import Annotated, Any, TypeAlias

from fastapi import Depends, Query, Request
from starlette.requests import HTTPConnection

from antiphon.access.administration import Administration
from antiphon.app import Application
from antiphon.contracts.metering import Payer
from antiphon.orchestrator import Orchestrator
from antiphon.server.authentication import principal_of
from antiphon.server.http_sessions import HttpSessions
from antiphon.server.mcp.protected_resource import PATH, PERMISSION, challenge
from antiphon.server.problems import ProblemError
from antiphon.server.route_permissions import SOCKET, is_open, refusal
from antiphon.server.services import ServerServices
from antiphon.workspace import Workspace
from antiphon.workspace.calendar import Calendar


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


async def http_sessions(request: Request, found: ServicesDep) -> HttpSessions:
    """The sessions behind HTTP requests, as the principal of this one sees them."""
    return found.http_sessions.of(principal_of(request.scope))


HttpSessionsDep = Annotated[HttpSessions, Depends(http_sessions)]
# Lends a knowledge base for as long as it is needed.
KnowledgeLender: TypeAlias = Callable[[], AbstractContextManager[Any]]


async def knowledge(http_sessions: HttpSessionsDep, found: ServicesDep) -> KnowledgeLender:
    """The knowledge base of the organisation in whose name the request is made."""
    return partial(found.application.organisation_knowledge.base, http_sessions.scope.organisation)


async def permitted(connection: HTTPConnection) -> None:
    """Lets a principal through whose permissions the route asks for. Raises a 403 problem, and a
    401 problem where nobody is known."""
    if is_open(connection.scope):
        return
    principal = principal_of(connection.scope)
    if principal is None:
        return
    # A route of Starlette's own, which has no dependencies, does not come here.
    path: str = connection.scope["route"].path_format
    method = connection.scope.get("method", SOCKET)
    words = refusal(principal, method, path)
    if words is not None:
        connection.app.services.application.store.append_audit(
            {
                "event": "permission_refused",
                "by": principal.user,
                "user": principal.user,
                "organisation": principal.organisation,
                "details": {"route": f"{method} {path}", "reason": words},
            }
        )
        refused = ProblemError(403, words)
        if path == PATH:
            said = challenge(connection.scope, error="insufficient_scope", scopes=[PERMISSION])
            refused.headers = {"www-authenticate": said}
        raise refused


async def payer(http_sessions: HttpSessionsDep) -> Payer:
    """On whose account the request is made."""
    return Payer(http_sessions.scope.user, http_sessions.scope.organisation)


async def workspace(http_sessions: HttpSessionsDep, found: ServicesDep) -> Workspace:
    """The services of the workspace, as the organisation of the request has them."""
    return found.application.workspaces.chosen(http_sessions.scope.organisation)


async def calendar(http_sessions: HttpSessionsDep, found: ServicesDep) -> Calendar:
    """The calendar that the organisation of the request has."""
    return found.application.calendars.chosen(http_sessions.scope.organisation)


async def administration(request: Request, found: ServicesDep) -> Administration:
    """The directory, as the principal of the request may manage it."""
    return Administration(found.application.access, principal_of(request.scope))


AdministrationDep = Annotated[Administration, Depends(administration)]
OrganisationQuery = Annotated[
    str | None,
    Query(max_length=100, description="Another than one's own, with `organisations.manage`."),
]
ApplicationDep = Annotated[Application, Depends(application)]
PayerDep = Annotated[Payer, Depends(payer)]
KnowledgeDep = Annotated[KnowledgeLender, Depends(knowledge)]
OrchestratorDep = Annotated[Orchestrator, Depends(orchestrator)]
WorkspaceDep = Annotated[Workspace, Depends(workspace)]
CalendarDep = Annotated[Calendar, Depends(calendar)]
