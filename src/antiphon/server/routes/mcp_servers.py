"""MCP servers over HTTP: added, looked at, their tools accepted or rejected."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request
from pydantic import ValidationError

from antiphon.access.administration import OPERATOR
from antiphon.app.mcp_servers import server_options
from antiphon.config.mcp_servers import McpServerSettings
from antiphon.contracts import ToolError
from antiphon.extras import MissingExtra
from antiphon.mcp.errors import McpError
from antiphon.mcp.listed_tool import differences, tool_id, visible
from antiphon.mcp.managed_server import ManagedServer
from antiphon.mcp.manager import McpManager
from antiphon.mcp.server_book import PinStatus, ToolPin
from antiphon.secrecy.redaction import REDACTOR, redact_address
from antiphon.server.authentication import principal_of
from antiphon.server.bodies import StrictRoute
from antiphon.server.dependencies import ApplicationDep
from antiphon.server.operator_token import admin
from antiphon.server.problems import ProblemError, documented
from antiphon.server.schemas.access import Removed
from antiphon.server.schemas.mcp_servers import (
    DifferenceDocument,
    McpServerDetails,
    McpServerDocument,
    McpServerList,
    McpToolDocument,
    MessageDocument,
    NewMcpServer,
    ServerErrors,
    ToolDecisions,
    TranscriptDocument,
)
from antiphon.server.scope import LOCAL_USER

router = APIRouter(prefix="/api/mcp/servers", tags=["mcp"], route_class=StrictRoute)

ServerPath = Annotated[str, Path(min_length=1, max_length=100, examples=["files"])]
_CHANGES = [Depends(admin)]


async def manager(application: ApplicationDep) -> McpManager:
    """The MCP servers, once they are known."""
    await application.mcp.loaded()
    return application.mcp


ManagerDep = Annotated[McpManager, Depends(manager)]


@router.get("", summary="List the MCP servers", responses=documented(403, 503))
async def list_mcp_servers(manager: ManagerDep) -> McpServerList:
    found = [server_document(manager.servers[name]) for name in sorted(manager.servers)]
    return McpServerList(servers=found, count=len(found))


@router.post(
    "",
    summary="Add an MCP server",
    description="It is started or reached, and the tools that it has now are accepted, but for "
    "those with something odd, which wait in quarantine. A command runs on this machine, as the "
    "user of this server.",
    status_code=201,
    responses=documented(401, 403, 409, 422, 502, 503),
    dependencies=_CHANGES,
)
async def add_mcp_server(
    request: Request, manager: ManagerDep, body: NewMcpServer
) -> McpServerDetails:
    try:
        section = McpServerSettings(**body.model_dump(exclude={"name"}))
    except ValidationError as error:
        said = "; ".join(_in_words(each) for each in error.errors(include_url=False))
        raise ProblemError(422, f"The server cannot be added: {said}.") from None
    REDACTOR.hide(*body.env.values(), *body.headers.values(), body.client_secret)
    try:
        server = await manager.add(server_options(body.name, section), _by(request))
    except (McpError, MissingExtra, ToolError) as error:
        raise ProblemError(502, str(error)) from None
    return _details(server)


@router.get(
    "/{server}",
    summary="Show an MCP server with its tools",
    responses=documented(403, 404, 422, 503),
)
async def get_mcp_server(manager: ManagerDep, server: ServerPath) -> McpServerDetails:
    return _details(manager.server(server))


@router.delete(
    "/{server}",
    summary="Remove an MCP server that was added",
    responses=documented(401, 403, 404, 409, 422, 503),
    dependencies=_CHANGES,
)
async def remove_mcp_server(request: Request, manager: ManagerDep, server: ServerPath) -> Removed:
    await manager.remove(server, _by(request))
    return Removed(removed=server)


@router.post(
    "/{server}/connect",
    summary="Connect to an MCP server anew",
    responses=documented(401, 403, 404, 422, 502, 503),
    dependencies=_CHANGES,
)
async def connect_mcp_server(
    request: Request, manager: ManagerDep, server: ServerPath
) -> McpServerDetails:
    principal = principal_of(request.scope)
    try:
        found = await manager.reconnect(server, LOCAL_USER if principal is None else principal.user)
    except (McpError, MissingExtra, ToolError) as error:
        raise ProblemError(502, str(error)) from None
    return _details(found)


@router.get(
    "/{server}/stderr",
    summary="Read what an MCP server has written to its standard error",
    responses=documented(403, 404, 422, 503),
)
async def get_mcp_server_stderr(manager: ManagerDep, server: ServerPath) -> ServerErrors:
    return ServerErrors(text=REDACTOR.clean(manager.server(server).stderr.text))


@router.get(
    "/{server}/transcript",
    summary="Read the last messages between an MCP server and this one",
    responses=documented(403, 404, 422, 503),
)
async def get_mcp_server_transcript(manager: ManagerDep, server: ServerPath) -> TranscriptDocument:
    kept = manager.server(server).transcript
    messages = [
        MessageDocument(
            at=each.at, sender=each.sender, method=each.method, id=each.id, text=each.text
        )
        for each in kept.messages
    ]
    return TranscriptDocument(messages=messages, dropped=kept.dropped)


@router.post(
    "/{server}/accept",
    summary="Accept tools of an MCP server as they are now",
    description="Each by the digest that was shown. New conversations have them.",
    responses=documented(401, 403, 404, 409, 422, 503),
    dependencies=_CHANGES,
)
async def accept_mcp_tools(
    request: Request, manager: ManagerDep, server: ServerPath, body: ToolDecisions
) -> McpServerDetails:
    return await _decided(request, manager, server, body, "accepted")


@router.post(
    "/{server}/reject",
    summary="Reject tools of an MCP server as they are now",
    description="Each by the digest that was shown. They may not be called until they change and "
    "are accepted.",
    responses=documented(401, 403, 404, 409, 422, 503),
    dependencies=_CHANGES,
)
async def reject_mcp_tools(
    request: Request, manager: ManagerDep, server: ServerPath, body: ToolDecisions
) -> McpServerDetails:
    return await _decided(request, manager, server, body, "rejected")


async def _decided(
    request: Request, manager: McpManager, server: str, body: ToolDecisions, status: PinStatus
) -> McpServerDetails:
    await manager.decide(server, body.tools, status, _by(request))
    return _details(manager.server(server))


def _by(request: Request) -> str:
    principal = principal_of(request.scope)
    return OPERATOR if principal is None else principal.user


def _in_words(error: object) -> str:
    assert isinstance(error, dict)
    place = ".".join(map(str, error["loc"]))
    said = str(error["ctx"]["error"] if error["type"] == "value_error" else error["msg"])
    return f"`{place}` {said}" if place else f"it {said}"


def server_document(server: ManagedServer) -> McpServerDocument:
    """A server as it is shown."""
    connection = server.connection
    statuses = [pin.status for pin in server.pins.values()]
    accepted = len(server.accepted())
    return McpServerDocument(
        name=server.name,
        source=server.source,
        kind="command" if server.options.command else "address",
        place=REDACTOR.clean(redact_address(server.options.place)),
        state=server.state,
        words=server.words,
        since=server.since,
        title="" if connection is None else visible(connection.server_title),
        protocol="" if connection is None else connection.protocol,
        accepted=accepted,
        quarantined=statuses.count("quarantined"),
        rejected=statuses.count("rejected"),
        missing=statuses.count("accepted") - accepted,
        sign_in=server.options.sign_in,
        refused_requests=dict(server.refused_requests),
    )


def _details(server: ManagedServer) -> McpServerDetails:
    tools = [_tool(server, server.pins[name]) for name in sorted(server.pins)]
    return McpServerDetails(**server_document(server).model_dump(), tools=tools)


def _tool(server: ManagedServer, pin: ToolPin) -> McpToolDocument:
    found = differences(pin.accepted, pin.seen)
    return McpToolDocument(
        name=visible(pin.tool),
        key=pin.tool,
        tool_id=tool_id(server.name, pin.tool),
        status=pin.status,
        reason=pin.reason,
        problem=server.problems.get(pin.tool, ""),
        there=None if server.listed is None else pin.tool in server.listed,
        digest=pin.digest,
        differences=[
            DifferenceDocument(field=each.field, before=each.before, after=each.after)
            for each in found
        ],
        warnings=pin.seen.warnings(),
        first_seen_at=pin.first_seen_at,
        changed_at=pin.changed_at,
        decided_at=pin.decided_at,
        decided_by=pin.decided_by,
    )
