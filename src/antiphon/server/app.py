"""FastAPI application factory: route groups, guard, error documents and lifespan."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import cache
from typing import Any

import orjson
from fastapi import APIRouter, Depends, FastAPI, Request, Response
from fastapi.routing import APIRoute
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import BaseRoute
from starlette.types import ASGIApp

from antiphon import __version__
from antiphon.app import Application
from antiphon.config import Settings
from antiphon.config.binding import binding_trouble
from antiphon.knowledge import KnowledgeError
from antiphon.registry import Registry
from antiphon.server.access_problems import install_access_problems
from antiphon.server.authentication import Authentication, HostRequesters, Identify, PrincipalHook
from antiphon.server.credential_watch import WatchedAnswers
from antiphon.server.credentials import SignedInRequesters, SignInRule
from antiphon.server.dependencies import permitted
from antiphon.server.first_link import announce_first_link
from antiphon.server.lifetime import OpenedServer, ServerLifetime
from antiphon.server.limited_requests import LimitedRequests, install_limit_problems
from antiphon.server.openapi_access import install_openapi_access
from antiphon.server.problems import install_problem_handlers
from antiphon.server.routes import (
    account,
    audit,
    automations,
    blocks,
    calendar,
    calls,
    chat,
    confirmations,
    console,
    conversations,
    experts,
    grants,
    groups,
    health,
    images,
    keys,
    knowledge,
    knowledge_graph,
    limits,
    macro_runs,
    mcp,
    mcp_servers,
    mcp_sign_in,
    metrics,
    metrics_history,
    oidc,
    organisations,
    passkeys,
    pipelines,
    playbooks,
    profiles,
    projects,
    replay,
    roles,
    rules,
    schedules,
    search,
    sessions,
    sign_in,
    speech,
    tasks,
    timeline,
    tokens,
    tools,
    traces,
    usage,
    users,
    vox,
    vox_status,
    workspace,
)
from antiphon.server.security import Guard
from antiphon.server.services import Opening, ServerServices
from antiphon.server.ws.socket_session import VoxEndpoint
from antiphon.storage import Store

_MCP_HEADERS = (
    *("if-match", "last-event-id", "mcp-method", "mcp-name", "mcp-protocol-version"),
    "mcp-session-id",
)


class AntiphonServer(FastAPI):
    """FastAPI with the guard around all of it, the answer to an unexpected error included.

    It is served by itself, or mounted under a prefix of another application. `services` is what
    its routes and sockets share; `services.application` is open while it runs. `sign_in_rule` says
    whether people sign in here; None: the host application says who they are.
    """

    services: ServerServices

    def __init__(
        self,
        applications: Callable[[], Application],
        *,
        opening: Opening | None = None,
        principal: PrincipalHook | None = None,
        hosts: Sequence[str] = (),
        cors: bool = True,
        **options: Any,
    ) -> None:
        """`applications` gives an application that was not opened yet, for each time that the
        server runs. The rest is as for `create_app`."""
        self._described: tuple[str, bytes] | None = None
        super().__init__(**options)
        self._applications = applications
        self._hosts = tuple(hosts)
        self._lifetime = ServerLifetime(self._opened)
        self._runs = 0
        self.services = ServerServices(applications(), opening)
        self.sign_in_rule: SignInRule | None = None
        self._identify: Identify
        if principal is not None:
            self._identify = HostRequesters(principal, lambda: self.services.admin_token)
        else:
            self.sign_in_rule = SignInRule(
                self.services.application.settings, lambda: self.services.application.access
            )
            self._identify = SignedInRequesters(self.sign_in_rule, lambda: self.services)
        origins = self.services.application.settings.server.origins
        if cors and origins:
            self.add_middleware(
                CORSMiddleware,
                allow_origins=origins,
                allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
                allow_headers=["authorization", "content-type", "idempotency-key", *_MCP_HEADERS],
                expose_headers=["mcp-session-id", "www-authenticate"],
            )

    def running(self) -> AbstractAsyncContextManager[None]:
        """Open the server, and close it when the context is left: the lifespan of a host
        application that it is mounted in. Without it a mounted server opens with its first
        request, and closes when the event loop ends.

        Raises what opening an Application raises.
        """
        return self._lifetime.running()

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[None]:
        if self._runs:
            self.services = self.services.renewed(self._applications())
        self._runs += 1
        async with self.services.running():
            if self.sign_in_rule is None:
                # Who may do what is for the host application to say, with each request.
                self.services.application.orchestrator.principals = None
            elif await self.sign_in_rule.is_asked():
                await announce_first_link(self.services.application)
            yield

    def setup(self) -> None:
        """Add the route of the description, which is rendered once: it is large, and FastAPI would
        take longer for each request than most others do."""
        url, self.openapi_url = self.openapi_url, None
        super().setup()
        self.openapi_url = url
        if url is not None:
            self.add_route(url, self._describe, include_in_schema=False)

    async def _describe(self, request: Request) -> Response:
        """The description, with the prefix that a mounted server is under."""
        prefix = str(request.scope.get("root_path", "")).rstrip("/")
        if self._described is None or self._described[0] != prefix:
            document = self.openapi()
            if prefix:
                document = {**document, "servers": [{"url": prefix}]}
            self._described = prefix, orjson.dumps(document)
        return Response(self._described[1], media_type="application/json")

    def build_middleware_stack(self) -> ASGIApp:
        server = self.services.application.settings.server
        inner: ASGIApp = VoxEndpoint(super().build_middleware_stack(), lambda: self.services)
        inner = WatchedAnswers(inner, lambda: self.services.credential_watch)
        inner = LimitedRequests(inner, lambda: self.services.application.limiter)
        inner = Authentication(inner, self._identify)
        inner = OpenedServer(inner, self._lifetime)
        return Guard(
            inner,
            host=server.host,
            origins=server.origins,
            hosts=(*self._hosts, *server.hosts),
            proxies=server.proxies,
        )


def create_app(
    registry: Registry,
    settings: Settings,
    store: Store | None = None,
    *,
    opening: Opening | None = None,
    principal: PrincipalHook | None = None,
    hosts: Sequence[str] = (),
    cors: bool = True,
) -> AntiphonServer:
    """The server of `registry`. It opens the store of its settings unless it is given one, and
    closes it when it stops; with a store that it was given it runs once.

    `opening` gives the application of somebody else, open while the server runs, in place of one
    of its own. `principal` says who makes a request (None: nobody, which is refused); without it
    people sign in as `access.sign_in` of the settings says, or are all the user `local`. `hosts`
    are names beside loopback that it answers under; `*` leaves that to the host application.
    `cors=False` leaves the headers for pages of other origins to it, too. Raises ValueError for
    `hosts` without `principal`, and for settings that let others than this machine in without
    sign-in.
    """
    if hosts and principal is None:
        raise ValueError(
            "`hosts` opens the server to others than this machine, so it needs `principal`, which "
            "says who makes a request."
        )
    if principal is None and (trouble := binding_trouble(settings)):
        raise ValueError(trouble)
    stores = None if store is None else [store]

    def application() -> Application:
        if stores is not None and not stores:
            raise RuntimeError(
                "This server ran already, and closed the store that it was given. Make another "
                "one with create_app."
            )
        given = stores.pop() if stores else None
        return Application(settings, registry, store=given, audit_file=True, keys_required=False)

    app = AntiphonServer(
        application,
        opening=opening,
        principal=principal,
        hosts=hosts,
        cors=cors,
        title="Antiphon",
        summary="One governed tool registry behind any model provider.",
        version=__version__,
        license_info={"name": "MIT", "identifier": "MIT"},
        # The interactive pages load scripts from another host, which the guard's policy forbids.
        docs_url=None,
        redoc_url=None,
        dependencies=[Depends(permitted)],
        lifespan=_lifespan,
        generate_unique_id_function=_operation_id,
    )
    install_problem_handlers(app)
    install_access_problems(app)
    install_openapi_access(app)
    install_limit_problems(app)
    app.add_exception_handler(KnowledgeError, knowledge.knowledge_problem)
    app.router.routes += _routes()
    return app


@cache
def _routes() -> tuple[BaseRoute, ...]:
    """The routes of every server of this process. FastAPI makes what it needs to answer at them
    when they are first looked at, which takes longer than all else of a start."""
    router = APIRouter(dependencies=[Depends(permitted)], generate_unique_id_function=_operation_id)
    all_groups = (
        # Looked for in this order: what is called most comes first.
        *(mcp, console, health, tools, calls, tasks, sessions, confirmations, grants, blocks, chat),
        *(knowledge, knowledge_graph, playbooks, experts, profiles),
        *(projects, pipelines, automations, schedules, calendar, timeline, rules, conversations),
        *(search, traces, vox_status, vox, speech, workspace, macro_runs, images, keys),
        *(replay, metrics_history, audit, metrics),
        *(sign_in, oidc, passkeys, account, users, groups, roles, tokens, organisations, limits),
        *(usage, mcp_servers, mcp_sign_in),
    )
    for group in all_groups:
        router.include_router(group.router)
    return tuple(router.routes)


@asynccontextmanager
async def _lifespan(app: AntiphonServer) -> AsyncIterator[None]:
    async with app.running():
        yield


def _operation_id(route: APIRoute) -> str:
    return route.name
