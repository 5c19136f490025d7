"""FastAPI application factory: route groups, guard, error documents and lifespan."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp

from antiphon import __version__
from antiphon.app import Application
from antiphon.config import Settings
from antiphon.knowledge import KnowledgeError
from antiphon.registry import Registry
from antiphon.server.problems import install_problem_handlers
from antiphon.server.routes import (
    audit,
    blocks,
    calendar,
    calls,
    chat,
    confirmations,
    console,
    experts,
    grants,
    health,
    images,
    keys,
    knowledge,
    knowledge_graph,
    macro_runs,
    metrics,
    metrics_history,
    pipelines,
    playbooks,
    profiles,
    projects,
    replay,
    rules,
    sessions,
    speech,
    tasks,
    timeline,
    tools,
    vox,
    vox_status,
    workspace,
)
from antiphon.server.security import Guard
from antiphon.server.services import ServerServices
from antiphon.server.ws.socket_session import VoxEndpoint
from antiphon.storage import Store


class AntiphonServer(FastAPI):
    """FastAPI with the guard around all of it, the answer to an unexpected error included.

    `services` is what its routes and sockets share; `services.application` is open while it runs.
    """

    services: ServerServices

    def build_middleware_stack(self) -> ASGIApp:
        server = self.services.application.settings.server
        inner = VoxEndpoint(super().build_middleware_stack(), self.services)
        return Guard(inner, host=server.host, origins=server.origins)


def create_app(
    registry: Registry, settings: Settings, store: Store | None = None
) -> AntiphonServer:
    """The server of `registry`. It opens the store of its settings unless it is given one, and
    closes it when it stops. It is run once."""
    app = AntiphonServer(
        title="Antiphon",
        summary="One governed tool registry behind any model provider.",
        version=__version__,
        license_info={"name": "MIT", "identifier": "MIT"},
        # The interactive pages load scripts from another host, which the guard's policy forbids.
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan,
        generate_unique_id_function=_operation_id,
    )
    application = Application(settings, registry, store=store, audit_file=True, keys_required=False)
    app.services = ServerServices(application)
    metrics.measure_declarations(application.metrics, registry)
    install_problem_handlers(app)
    app.add_exception_handler(KnowledgeError, knowledge.knowledge_problem)
    if settings.server.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.server.origins,
            allow_methods=["GET", "POST", "PUT", "DELETE"],
            allow_headers=["authorization", "content-type", "idempotency-key"],
        )
    groups = (
        *(
            console,
            health,
            tools,
            calls,
            tasks,
            sessions,
            confirmations,
            grants,
            blocks,
            chat,
            knowledge,
        ),
        *(knowledge_graph, playbooks, experts, profiles),
        *(projects, pipelines, calendar),
        *(timeline, rules, replay, metrics_history),
        *(vox_status, vox, speech, workspace, macro_runs, images, keys, audit, metrics),
    )
    for group in groups:
        app.include_router(group.router)
    return app


@asynccontextmanager
async def _lifespan(app: AntiphonServer) -> AsyncIterator[None]:
    async with app.services.running():
        yield


def _operation_id(route: APIRoute) -> str:
    return route.name
