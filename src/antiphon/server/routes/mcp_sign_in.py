"""Sign-in of users to MCP servers over HTTP: the way there, and the way back."""

from __future__ import annotations

from contextlib import suppress

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse

from antiphon.access.errors import AccessError, AccessRefused
from antiphon.contracts import ToolError
from antiphon.extras import MissingExtra
from antiphon.mcp.errors import McpError
from antiphon.server.authentication import principal_of
from antiphon.server.bodies import StrictRoute
from antiphon.server.mount_paths import mount_prefix
from antiphon.server.problems import ProblemError, documented
from antiphon.server.routes.mcp_servers import ManagerDep, ServerPath
from antiphon.server.schemas.mcp_servers import (
    ClientDocument,
    SignedOut,
    SignInBegun,
    SignInDocument,
    SignInList,
)
from antiphon.server.scope import LOCAL_USER
from antiphon.server.sign_in import own_address

router = APIRouter(prefix="/api/mcp", tags=["mcp"], route_class=StrictRoute)


@router.get(
    "/sign-in",
    summary="List the MCP servers that users sign in to",
    responses=documented(403, 503),
)
async def list_mcp_sign_ins(request: Request, manager: ManagerDep) -> SignInList:
    there = await manager.book.signed_in(_user(request))
    return SignInList(
        servers=[
            SignInDocument(server=name, place=server.options.url, signed_in=name in there)
            for name, server in sorted(manager.servers.items())
            if server.options.sign_in
        ]
    )


@router.post(
    "/sign-in/{server}",
    summary="Begin to sign in to an MCP server",
    description="The browser goes to the address, and comes back within ten minutes.",
    responses=documented(403, 404, 409, 422, 502, 503),
)
async def begin_mcp_sign_in(
    request: Request, manager: ManagerDep, server: ServerPath
) -> SignInBegun:
    options = manager.server(server).options
    try:
        address = await manager.sign_in.begin(options, _user(request), own_address(request))
    except (McpError, MissingExtra) as error:
        raise ProblemError(502, str(error)) from None
    return SignInBegun(address=address)


@router.delete(
    "/sign-in/{server}",
    summary="Sign out of an MCP server",
    description="The tokens are forgotten here.",
    responses=documented(403, 404, 422, 503),
)
async def sign_out_of_mcp_server(
    request: Request, manager: ManagerDep, server: ServerPath
) -> SignedOut:
    user = _user(request)
    return SignedOut(server=server, was_signed_in=await manager.sign_out(server, user))


@router.get(
    "/callback",
    summary="Come back from the authorization server of an MCP server",
    description="The browser is sent there. It has to be signed in here as whoever began.",
    status_code=303,
    response_class=RedirectResponse,
    responses={
        **documented(401, 403, 503),
        303: {
            "description": "To the console, signed in or with a `problem`.",
            "headers": {"Location": {"schema": {"type": "string"}, "required": True}},
        },
    },
)
async def finish_mcp_sign_in(request: Request, manager: ManagerDep) -> RedirectResponse:
    given, user = request.query_params, _user(request)
    # A parameter that comes twice may mean one thing to the server and another here.
    answer = {name: given[name] for name in given if len(given.getlist(name)) == 1}
    try:
        options = await manager.sign_in.finish(answer, user)
    except AccessRefused as refused:
        to = f"/mcp?problem={refused.code}"
    else:
        to = f"/mcp?signed-in={options.name}"
        with suppress(McpError, MissingExtra, ToolError, AccessError):
            await manager.reconnect(options.name, user)
    return RedirectResponse(f"{mount_prefix(request.scope)}/#{to}", 303)


@router.get(
    "/client.json",
    summary="Describe this server to authorization servers",
    description="Its address is the id of this server as a client, where it is reached by https.",
)
async def describe_mcp_client(request: Request, manager: ManagerDep) -> ClientDocument:
    return ClientDocument(**manager.sign_in.client_document(own_address(request)))


def _user(request: Request) -> str:
    principal = principal_of(request.scope)
    return LOCAL_USER if principal is None else principal.user
