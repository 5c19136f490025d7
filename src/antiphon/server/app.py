"""Puts the application together from its route groups, its guard and its error documents."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp

from antiphon import __version__
from antiphon.config import Settings
from antiphon.orchestrator import Metrics
from antiphon.registry import Registry
from antiphon.server import health, metrics, pages, tools
from antiphon.server.problems import install_problem_handlers
from antiphon.server.security import Guard


class _GuardedApp(FastAPI):
    """FastAPI with the guard around all of it, the answer to an unexpected error included."""

    guard: Settings

    def build_middleware_stack(self) -> ASGIApp:
        server = self.guard.server
        return Guard(super().build_middleware_stack(), host=server.host, origins=server.origins)


def create_app(registry: Registry, settings: Settings) -> FastAPI:
    """The application that serves `registry`. Its state holds `registry`, `settings`, `metrics`."""
    app = _GuardedApp(
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
    app.guard = settings
    app.state.settings = settings
    app.state.registry = registry
    app.state.metrics = Metrics()
    app.state.ready = False
    metrics.measure_declarations(app.state.metrics, registry)
    install_problem_handlers(app)
    if settings.server.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.server.origins,
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["content-type", "idempotency-key"],
        )
    for group in (pages, health, tools, metrics):
        app.include_router(group.router)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    app.state.ready = True
    yield
    app.state.ready = False


def _operation_id(route: APIRoute) -> str:
    return route.name
