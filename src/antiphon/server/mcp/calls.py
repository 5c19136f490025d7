"""MCP calls: tools listed and called through the gates, their progress and their idempotency."""

from __future__ import annotations

import asyncio
import math
import re
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from mcp_types import (
    CallToolRequestParams,
    ListToolsResult,
    PaginatedRequestParams,
    ToolAnnotations,
)
from mcp_types import Tool as ListedTool

from antiphon.contracts import Envelope, ToolCall
from antiphon.orchestrator.call_identity import canonical_args
from antiphon.orchestrator.pending_confirmation import denied_envelope
from antiphon.server.http_sessions import MCP, HttpSessions
from antiphon.server.mcp.host import MODE, McpHost, McpRequest, invalid, listed_tools, page_of
from antiphon.server.mcp.log_levels import send_log

if TYPE_CHECKING:
    from antiphon.orchestrator import Session

# In the `_meta` of a call, as the header `Idempotency-Key` of a request.
IDEMPOTENCY_KEY = "antiphon/idempotencyKey"
_KEY = re.compile(r"[\x20-\x7e]{1,200}")
_MAX_ASKED = 1000
_MAX_REPORTS = 1000


@dataclass(frozen=True, slots=True)
class McpCall:
    """A call of a client, under the key that it is known by."""

    session: Session
    sessions: HttpSessions
    name: str
    args: dict[str, Any]
    key: str
    canonical: bytes | None


class McpCalls:
    """Lists tools and dispatches calls of them.

    A call that a person has to approve is remembered for whoever brings no key: the same call
    again is that one, until its outcome was given.
    """

    def __init__(self, host: McpHost) -> None:
        self._host = host
        # Key and confirmation of what was asked about, by session, tool and arguments.
        self._asked: OrderedDict[tuple[str, str, bytes], tuple[str, str]] = OrderedDict()

    async def list_tools(
        self, request: McpRequest, params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        """The tools that the principal of a request may call, in the order of the registry."""
        session = await (await self._host.sessions(request)).shared(MODE, MCP)
        tools = list(listed_tools(session).values())
        page, following = page_of(
            tools, lambda tool: tool.definition.tool_id, params.cursor if params else None
        )
        declared = {each["name"]: each for each in session.declarations().declared("mcp")}
        listed = [_listed(declared[tool.definition.tool_id]) for tool in page]
        return ListToolsResult(tools=listed, next_cursor=following)

    async def begin(self, request: McpRequest, params: CallToolRequestParams) -> McpCall:
        """The call that a request makes. Raises MCPError for a key that is none."""
        sessions = await self._host.sessions(request)
        session = await sessions.shared(MODE, MCP)
        args = params.arguments or {}
        canonical = canonical_args(ToolCall(None, params.name, args))
        given = key_of(request)
        return McpCall(session, sessions, params.name, args, given or uuid4().hex, canonical)

    async def dispatch(self, request: McpRequest, call: McpCall) -> tuple[McpCall, Envelope]:
        """Run a call through every gate, and tell the client of its progress meanwhile. Return it
        under the key that it has: without one of the client's, that of an earlier question."""
        call, denied = await self._asked_before(request, call)
        if denied is not None:
            return call, denied
        async with _progress_told(request, call):
            envelope = await call.sessions.call_shared(MODE, call.name, call.args, call.key, MCP)
        return call, envelope

    def remember(self, call: McpCall, confirmation: str) -> None:
        """Note that a person was asked about a call."""
        if call.canonical is not None:
            self._asked[call.session.id, call.name, call.canonical] = (call.key, confirmation)
            while len(self._asked) > _MAX_ASKED:
                self._asked.popitem(last=False)

    def forget(self, call: McpCall) -> None:
        """Drop that note: the client has the outcome."""
        if call.canonical is not None:
            self._asked.pop((call.session.id, call.name, call.canonical), None)

    async def _asked_before(
        self, request: McpRequest, call: McpCall
    ) -> tuple[McpCall, Envelope | None]:
        if call.canonical is None or key_of(request) is not None:
            return call, None
        known = self._asked.get((call.session.id, call.name, call.canonical))
        if known is None:
            return call, None
        row = await self._host.application.store.confirmation(known[1])
        if row is None or row.status == "void":
            self.forget(call)
            return call, None
        if row.status != "pending":
            self.forget(call)
        tool = call.session.snapshot.tools.get(call.name)
        if row.status in ("denied", "expired") and tool is not None:
            return call, denied_envelope(call.session, tool.definition, row.status)
        same = McpCall(call.session, call.sessions, call.name, call.args, known[0], call.canonical)
        return same, None


def key_of(request: McpRequest) -> str | None:
    """The idempotency key in the `_meta` of a request; None: it has none. Raises MCPError."""
    meta = (request.params or {}).get("_meta")
    given = meta.get(IDEMPOTENCY_KEY) if isinstance(meta, dict) else None
    if given is None:
        return None
    if not isinstance(given, str) or not _KEY.fullmatch(given):
        raise invalid(
            f"`{IDEMPOTENCY_KEY}` in `_meta` must be one line of 1 to 200 printable ASCII "
            "characters."
        )
    return given


def _listed(declared: dict[str, Any]) -> ListedTool:
    output = declared.get("outputSchema")
    hints = declared["annotations"]
    return ListedTool(
        name=declared["name"],
        description=declared["description"],
        input_schema=declared["inputSchema"],
        # Clients take nothing but an object.
        output_schema=output if output and output.get("type") == "object" else None,
        annotations=ToolAnnotations(
            read_only_hint=hints["readOnlyHint"],
            destructive_hint=hints["destructiveHint"],
            idempotent_hint=hints["idempotentHint"],
            open_world_hint=hints["openWorldHint"],
        ),
    )


@asynccontextmanager
async def _progress_told(request: McpRequest, call: McpCall) -> AsyncIterator[None]:
    """Tell the client what the handler reports while the context is entered: as progress where it
    asked for that, and as log entries."""
    listeners = call.session.orchestrator.progress_listeners
    reports: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue(_MAX_REPORTS)
    own = f"client:{call.key}"

    def heard(session: Session, event: dict[str, Any]) -> None:
        if session is call.session and event["key"] == own and not reports.full():
            reports.put_nowait(event)

    telling: asyncio.Task[None] | None = None

    def begun(session: Session, event: dict[str, Any]) -> None:
        nonlocal telling
        heard(session, event)
        if telling is None and not reports.empty():
            telling = asyncio.get_running_loop().create_task(_tell(request, call.name, reports))

    unsubscribe = listeners.subscribe(begun)
    try:
        yield
        unsubscribe()
        if telling is not None:
            await reports.put(None)
            await telling
    finally:
        unsubscribe()
        if telling is not None and not telling.done():
            telling.cancel()


async def _tell(
    request: McpRequest, name: str, reports: asyncio.Queue[dict[str, Any] | None]
) -> None:
    reached = -math.inf
    while (event := await reports.get()) is not None:
        fraction = event["fraction"]
        # Progress never stands still, whatever a handler says.
        step = math.nextafter(reached, math.inf) if reached > -math.inf else 0.0
        reached = max(step, float(fraction)) if fraction is not None else step
        total = None if fraction is None else 1.0
        await request.session.report_progress(reached, total, event["message"])
        await send_log(request, "info", event["message"], logger=name)
