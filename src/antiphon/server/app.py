"""FastAPI application factory: route groups, guard, error documents and lifespan."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.datastructures import State
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp

from antiphon import __version__
from antiphon.agents.profiles import load_profile
from antiphon.agents.text import TextAgent
from antiphon.app.calendars import open_calendar
from antiphon.app.completions import Completions
from antiphon.app.extraction import ModelExtraction
from antiphon.app.images import open_images
from antiphon.app.key_files import admin_token
from antiphon.app.local_model import KnownNames, local_model
from antiphon.app.speech import SpeechService, local_voice, voiced
from antiphon.app.workers import worker_pool
from antiphon.config import Settings
from antiphon.knowledge import KnowledgeError
from antiphon.knowledge.capability import Knowledge
from antiphon.knowledge.service import KnowledgeService
from antiphon.net.egress import Egress
from antiphon.orchestrator import Metrics, Orchestrator
from antiphon.orchestrator.loop_watchdog import LoopWatchdog
from antiphon.policy import Policy
from antiphon.providers import Backends, ProviderFault
from antiphon.providers.heap import trim
from antiphon.providers.local.speech_port import Manner
from antiphon.registry import Registry
from antiphon.server.http_sessions import HttpSessions
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
from antiphon.server.ws.sessions import VoiceLimits, VoiceSessions
from antiphon.server.ws.socket_session import VoxEndpoint
from antiphon.storage import Store, StoreError
from antiphon.workspace import open_workspace
from antiphon.workspace.calendar.times import local_zone
from antiphon.workspace.playbooks import FOLDER as PLAYBOOKS
from antiphon.workspace.playbooks import OWN, SHIPPED, Playbooks

logger = logging.getLogger(__name__)

UPKEEP_SECONDS = 30.0
DAY_SECONDS = 86_400.0
# Whoever asks sooner makes the knowledge base ready themselves; the start does not wait for it.
WARM_AFTER_SECONDS = 1.0
WARM_SECONDS = 60.0


class _GuardedApp(FastAPI):
    """FastAPI with the guard around all of it, the answer to an unexpected error included."""

    guard: Settings

    def build_middleware_stack(self) -> ASGIApp:
        server = self.guard.server
        inner = VoxEndpoint(super().build_middleware_stack(), self.state)
        return Guard(inner, host=server.host, origins=server.origins)


def open_store(settings: Settings) -> Store:
    """The store of a server, which writes the audit beside it as JSON lines. Blocks.

    Raises StoreError when the store cannot be used, OSError when the data folder cannot be made.
    """
    settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    assert settings.store.url is not None
    return Store.open(settings.store.url, audit_file=settings.audit_file)


def create_app(registry: Registry, settings: Settings, store: Store | None = None) -> FastAPI:
    """The application that serves `registry`.

    Its state holds `registry`, `settings` and `metrics`; while it runs, `orchestrator`, `rest`,
    `knowledge`, `workspace`, `backends` and `text_agent` too. It opens the store of its settings
    unless it is given one, and closes it when it stops.
    """
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
    app.state.store = store
    app.state.ready = False
    app.state.voice_limits = VoiceLimits()
    app.state.voice_manner = Manner()
    app.state.chat_patience = chat.Patience()
    app.state.warm_after = WARM_AFTER_SECONDS
    app.state.metrics_history = metrics_history.MetricsRecorder(app.state.metrics)
    app.state.replaying = asyncio.Lock()
    metrics.measure_declarations(app.state.metrics, registry)
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
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    state = app.state
    settings: Settings = state.settings
    store, state.store = state.store, None
    if store is None:
        store = await asyncio.to_thread(open_store, settings)
    from antiphon.tasks import TaskRunner  # loads SQLAlchemy, which is here by now

    state.workers = worker_pool(settings)
    state.knowledge = KnowledgeService(settings.data, settings.knowledge.url, settings.embedder)
    state.speech = SpeechService(settings.speech_engines)
    names = KnownNames(state.knowledge.base)
    state.backends = Backends(
        settings.providers,
        settings.data,
        chosen=settings.agent.backend,
        local=local_model(
            settings.data,
            state.knowledge,
            state.registry,
            names,
            zone=settings.calendar.time_zone,
            own_profiles=settings.profiles.folder,
        ),
        local_voice=local_voice(state.speech, names, lambda: state.voice_manner),
        voiced=voiced(state.speech, names, lambda: state.voice_manner),
    )
    state.extraction = ModelExtraction(
        settings.knowledge.extractor, state.backends, state.knowledge.folder
    )
    state.calendar = open_calendar(settings, store)
    state.images = open_images(settings, state.backends)
    state.asking = Completions(state.backends)
    state.playbooks = Playbooks(settings.data / PLAYBOOKS, (SHIPPED, settings.data / OWN))
    state.workspace = open_workspace(
        store,
        state.registry.snapshot,
        ask=state.asking.ask,
        files=settings.data,
        egress=Egress(settings.egress.allowed),
        playbooks=state.playbooks,
        images=state.images,
    )
    if state.backends.problem:
        logger.error("the shipped facts about models stay in force: %s", state.backends.problem)
    try:
        async with Orchestrator(
            state.registry,
            store,
            mode=settings.mode,
            policy=Policy(ask_first=frozenset(settings.tools.ask_first)),
            capabilities={
                "knowledge": Knowledge(state.knowledge.base, state.extraction.extractor),
                "calendar": state.calendar,
                "workspace": state.workspace,
            },
            metrics=state.metrics,
            time_zone=settings.calendar.time_zone or local_zone(),
            tasks=partial(TaskRunner, url=settings.tasks.url),
            workers=state.workers,
            threads=settings.tools.threads,
        ) as orchestrator:
            state.orchestrator = orchestrator
            work = {
                "upkeep": _upkeep(orchestrator, settings.audit.keep_days),
                "tasks": tasks.keep_resuming(orchestrator),
                "warm": _warm(state),
                "metrics": state.metrics_history.keep(),
            }
            async with _beside(work), LoopWatchdog(state.metrics):
                state.rest = HttpSessions(orchestrator)
                profile = partial(load_profile, folder=settings.profiles.folder)
                state.text_agent = TextAgent(
                    orchestrator, state.backends, profile, default=settings.agent.profile
                )
                state.macro_runs = macro_runs.MacroRuns(orchestrator, state.rest)
                state.voice = VoiceSessions(orchestrator, state.voice_limits)
                state.admin_token, _ = await asyncio.to_thread(admin_token, settings)
                state.keys = keys.RuntimeKeys(settings, state.backends, orchestrator)
                await state.keys.restore()
                state.ready = True
                yield
                state.ready = False
                state.voice.close()
                await state.macro_runs.close()
            await state.rest.save_all()
    except StoreError as error:
        if not hasattr(state, "rest"):
            raise
        # It cannot be mended any more. What was answered is durable already.
        logger.error("the store was not there at the end: %s", error)
    finally:
        state.ready = False
        await state.workers.close()
        await state.extraction.close()
        await state.asking.close()
        await asyncio.to_thread(state.playbooks.close)
        await state.calendar.close()
        await state.backends.close()
        await state.speech.close()
        await asyncio.to_thread(state.knowledge.close)
        await store.close()


@asynccontextmanager
async def _beside(work: Mapping[str, Coroutine[Any, Any, None]]) -> AsyncIterator[None]:
    """Work that goes on beside the server and ends with it, however that ends."""
    running = [asyncio.create_task(each, name=name) for name, each in work.items()]
    try:
        yield
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def _upkeep(orchestrator: Orchestrator, audit_days: int | None) -> None:
    """Drop what has expired, and take note of calls that another node left unfinished."""
    while True:
        try:
            await orchestrator.upkeep()
            if audit_days is not None:
                await orchestrator.store.prune_audit(orchestrator.now() - audit_days * DAY_SECONDS)
        except StoreError as error:
            logger.error("upkeep of the store failed and will be tried again: %s", error)
        await asyncio.to_thread(trim)  # what long recordings and texts took
        await asyncio.sleep(UPKEEP_SECONDS)


async def _warm(state: State) -> None:
    home: KnowledgeService = state.knowledge
    backends: Backends = state.backends
    await asyncio.sleep(state.warm_after)
    await asyncio.to_thread(home.warm)
    await asyncio.to_thread(state.playbooks.warm)
    for api, what in (("local", "understand"), ("local-voice", "hear and speak")):
        try:
            await backends.provider(api).probe(WARM_SECONDS)
        except ProviderFault as failed:
            logger.warning("the built-in model cannot %s yet: %s", what, failed.fault.message)
    # Loading a model takes twice what the model is.
    await asyncio.to_thread(trim)


def _operation_id(route: APIRoute) -> str:
    return route.name
