"""The official client of the Model Context Protocol at a server of ours."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitRequestParams, ElicitResult

# How the official client speaks: the revision 2026-07-28, and the handshake of those before it.
ERAS = ("2026-07-28", "legacy")
KEY = "antiphon/idempotencyKey"
ENVELOPE = "antiphon/envelope"
# Streams that the official client drops before their end, and files of the server in its thread.
CLIENT_LEAKS = ("EventSource.*", "Response.aiter_*", "PoolByteStream.*", "*/knowledge/*")

Ask = Callable[[Any, ElicitRequestParams], Awaitable[ElicitResult]]


@asynccontextmanager
async def mcp_client(
    port: int, era: str = ERAS[0], *, token: str = "", ask: Ask | None = None, **options: Any
) -> AsyncIterator[Client]:
    """`token` is sent as that of a bearer; `ask` answers questions to the person."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    address = f"http://127.0.0.1:{port}/mcp"
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        transport = streamable_http_client(address, http_client=http)
        async with Client(
            transport, mode=era, elicitation_callback=ask, raise_exceptions=True, **options
        ) as client:
            yield client


def answering(asked: list[str], action: str = "accept", **content: Any) -> Ask:
    """Answers every question alike, and notes what it was."""

    async def answer(_: Any, params: ElicitRequestParams) -> ElicitResult:
        asked.append(params.message)
        given: Any = content or ({"approve": True} if action == "accept" else None)
        return ElicitResult(action=action, content=given)  # type: ignore[arg-type]

    return answer


def modern(method: str, id: Any = 1, **params: Any) -> tuple[dict[str, Any], dict[str, str]]:
    """A message of the revision 2026-07-28 as it is sent, and its headers. What the client can do
    is `capabilities`, what else it says about the request `meta`."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": ERAS[0],
        "io.modelcontextprotocol/clientCapabilities": params.pop("capabilities", {}),
        **params.pop("meta", {}),
    }
    headers = {
        "Accept": "application/json, text/event-stream",
        "MCP_Protocol_Version": ERAS[0],
        "Mcp_Method": method,
    }
    named = params.get("name") or params.get("uri") or params.get("taskId")
    if named is not None:
        headers["Mcp_Name"] = named
    body = {"jsonrpc": "2.0", "id": id, "method": method, "params": {**params, "_meta": meta}}
    return body, headers


def calling(client: Any, tool: str, args: dict[str, Any], **more: Any) -> Any:
    """The JSON-RPC answer to a call; `token` is a bearer's."""
    token = more.pop("token", "")
    body, headers = modern("tools/call", name=tool, arguments=args, **more)
    if token:
        headers["Authorization"] = f"Bearer {token}"
    return client.post("/mcp", body, **headers).json
