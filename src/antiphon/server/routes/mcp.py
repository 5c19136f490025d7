"""The Model Context Protocol over HTTP, and the metadata of the protected resource that it is."""

from __future__ import annotations

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from antiphon.server.dependencies import ApplicationDep, ServicesDep
from antiphon.server.mcp.endpoint import McpEndpoint
from antiphon.server.mcp.protected_resource import METADATA, PATH, metadata_of
from antiphon.server.problems import documented

router = APIRouter(tags=["mcp"])

_MESSAGE = {
    "type": "object",
    "description": "One JSON-RPC 2.0 request, notification or response.",
    "required": ["jsonrpc"],
    "properties": {"jsonrpc": {"const": "2.0"}, "method": {"type": "string"}},
    "example": {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}},
}
_STREAM = {"text/event-stream": {"schema": {"type": "string"}}}
_OBJECT = {"application/json": {"schema": {"type": "object"}}}
_REFUSED = documented(401, 403, 413, 421, 429, 501, 503) | {
    # What the protocol's own server refuses is an error of JSON-RPC.
    status: {**answer, "content": {**answer["content"], **_OBJECT}}
    for status, answer in documented(400, 404, 405, 406, 409, 415).items()
}
_ERRORS = "What is wrong with a message is told as an error of JSON-RPC."


class McpExchange(Response):
    """The answer that the protocol's own server gives."""

    def __init__(self, endpoint: McpEndpoint) -> None:
        super().__init__()
        self._endpoint = endpoint

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._endpoint.handle(scope, receive, send)


class ProtectedResource(BaseModel):
    """RFC 9728 metadata."""

    resource: str = Field(examples=["https://agents.example.org/mcp"])
    resource_name: str
    bearer_methods_supported: list[str]
    authorization_servers: list[str] | None = Field(
        default=None, description="The identity providers of `access.oidc`."
    )
    scopes_supported: list[str] | None = None


@router.post(
    PATH,
    summary="Send a message of the Model Context Protocol",
    description="Streamable HTTP: revision 2026-07-28 and, after `initialize`, those before it. "
    f"The answer is JSON or an event stream; a notification gets a 202. {_ERRORS}",
    response_class=Response,
    responses={
        200: {
            "description": "The answer.",
            "content": {**_OBJECT, **_STREAM},
        },
        202: {"description": "A notification or response was taken."},
        **_REFUSED,
    },
    openapi_extra={
        "requestBody": {"required": True, "content": {"application/json": {"schema": _MESSAGE}}}
    },
)
async def post_mcp(found: ServicesDep) -> Response:
    return McpExchange(found.mcp)


@router.get(
    PATH,
    summary="Listen to a session of the Model Context Protocol",
    description=f"For clients of revisions before 2026-07-28, with `Mcp-Session-Id`. {_ERRORS}",
    response_class=Response,
    responses={
        200: {"description": "What the server has to say.", "content": _STREAM},
        **_REFUSED,
    },
)
async def get_mcp(found: ServicesDep) -> Response:
    return McpExchange(found.mcp)


@router.delete(
    PATH,
    summary="End a session of the Model Context Protocol",
    description=f"Of a client of revisions before 2026-07-28. {_ERRORS}",
    response_class=Response,
    responses={
        200: {"description": "It has ended.", "content": _OBJECT},
        **_REFUSED,
    },
)
async def delete_mcp(found: ServicesDep) -> Response:
    return McpExchange(found.mcp)


@router.get(
    METADATA + PATH,
    summary="Where an MCP client gets a token",
    response_model_exclude_none=True,
)
async def get_mcp_metadata(request: Request, application: ApplicationDep) -> ProtectedResource:
    settings = application.settings
    issuers = [each.issuer for each in settings.access.oidc.by_name.values()]
    found = metadata_of(request.scope, settings.mcp.resource, issuers, settings.mcp.scopes)
    return ProtectedResource(**found)


@router.get(
    METADATA,
    summary="The same, for clients that ask for the whole server",
    response_model_exclude_none=True,
)
async def get_server_metadata(request: Request, application: ApplicationDep) -> ProtectedResource:
    return await get_mcp_metadata(request, application)
