"""Managed connections: an open connection to an MCP server, bounded, held by a task of its own."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from antiphon.contracts import ToolError
from antiphon.extras import naming_extras
from antiphon.mcp.connection import MAX_TOOLS
from antiphon.mcp.errors import McpError, reason_of
from antiphon.mcp.listed_tool import ListedTool
from antiphon.mcp.server_options import ServerOptions
from antiphon.mcp.tool_requests import lost_call, request_tool

if TYPE_CHECKING:
    from mcp import Client
    from mcp.client.auth import OAuthClientProvider

    from antiphon.mcp.child_process import StderrTail
    from antiphon.mcp.transcript import ProtocolTranscript

# Messages may be larger than results: a result may be written twice, as text and as values.
_MESSAGE_ROOM = 4_000_000
# The most characters that the tools of one server may have together.
_MOST_LISTED = 8_000_000
# So long may a server take to answer a question after a call that it did not answer.
_ALIVE_SECONDS = 1.0
_TOOLS_CHANGED = "notifications/tools/list_changed"


def _nothing(*_: Any) -> None:
    pass


class SignInNeeded(Exception):
    """The tokens of a user do not work, or not any more."""


class ManagedConnection:
    """One connection to a server. `closed` is set once it is over, and `ended` says why.

    Sampling and elicitation are refused, roots are those of the options. `asked` is told the method
    of each request that the server makes, `changed` is called when it says that its tools have
    changed, `over` at the end. With `signs_in` a person is there to sign in meanwhile.
    """

    def __init__(
        self,
        options: ServerOptions,
        transcript: ProtocolTranscript,
        stderr: StderrTail,
        *,
        auth: OAuthClientProvider | None = None,
        allowed: Collection[str] = (),
        signs_in: bool = False,
        asked: Callable[[str], None] = _nothing,
        changed: Callable[[], None] = _nothing,
        over: Callable[[ManagedConnection], None] = _nothing,
    ) -> None:
        self.options = options
        self.ended = ""
        self.closed = asyncio.Event()
        self.opened_at = self.listed_at = time.monotonic()
        self.listed: Mapping[str, str] = {}  # digests of the tools of the last listing, by name
        self._transcript = transcript
        self._stderr = stderr
        self._auth = auth
        self.needs_sign_in = False
        self.wanted_scope = ""
        if auth is not None and not signs_in:
            auth.context.redirect_handler = self._refuse_sign_in
            auth.context.callback_handler = self._refuse_answer
        self._allowed = allowed
        self._asked = asked
        self._changed = changed
        self._over = over
        self._stop = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._client: Client | None = None

    @property
    def protocol(self) -> str:
        """The revision of the protocol that is spoken."""
        return "" if self._client is None else str(self._client.protocol_version)

    @property
    def server_title(self) -> str:
        """What the server calls itself, with its version."""
        info = None if self._client is None else self._client.server_info
        return "" if info is None else f"{info.name} {info.version or ''}".strip()[:200]

    async def open(self) -> None:
        """Connect. Raises McpError in words; MissingExtra."""
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        ready.add_done_callback(lambda done: done.cancelled() or done.exception())
        name = f"MCP connection {self.options.name}"
        self._task = asyncio.create_task(self._hold(ready), name=name)
        try:
            await asyncio.shield(ready)
        except asyncio.CancelledError:
            await self.close()
            raise

    async def close(self) -> None:
        """End the connection, and the process behind it."""
        self._end("it was closed")
        task = self._task
        if task is not None and not task.done():
            done, _ = await asyncio.wait([task], timeout=10)
            if not done:
                task.cancel()
                await asyncio.wait([task], timeout=5)

    def _end(self, why: str) -> None:
        self.ended = self.ended or why
        self._stop.set()

    async def _hold(self, ready: asyncio.Future[None]) -> None:
        options = self.options
        try:
            async with AsyncExitStack() as stack:
                with naming_extras():
                    client = self._made(await self._transport(stack))
                async with asyncio.timeout(options.timeout_seconds):
                    self._client = await stack.enter_async_context(client)
                ready.set_result(None)
                listening = asyncio.create_task(self._listen(client), name="MCP list changes")
                try:
                    await self._stop.wait()
                finally:
                    listening.cancel()
                    await asyncio.wait([listening])
        except BaseException as error:
            words = self._words(error)
            self._end(words)
            if ready.done():
                if isinstance(error, asyncio.CancelledError):
                    raise
            elif isinstance(error, ImportError):
                ready.set_exception(error)
            else:
                ready.set_exception(McpError(f"The MCP server {options.name} {words}"))
        finally:
            self._client = None
            self._over(self)
            self.closed.set()

    def _words(self, error: BaseException) -> str:
        """Why it cannot be used, after the name of the server."""
        if isinstance(error, TimeoutError):
            return f"did not answer within {self.options.timeout_seconds:g} seconds."
        if self.ended and self.ended != "it closed the connection":
            return f"cannot be used: {self.ended}."
        last = self._stderr.text.strip().rpartition("\n")[2].strip()[:300]
        said = f" The last that it said: {last}" if self.options.command and last else ""
        reason = " ".join(reason_of(error).split())[:500].rstrip(".")
        return f"cannot be used: {reason}.{said}"

    def _made(self, transport: Any) -> Client:
        from mcp import Client
        from mcp.types import Implementation

        from antiphon import __version__
        from antiphon.mcp.transcript import WatchedTransport

        watched = WatchedTransport(
            transport, self._transcript, noticed=self._noticed, ended=self._end
        )
        roots: Any = self._roots if self.options.roots else None
        return Client(
            watched,
            read_timeout_seconds=self.options.timeout_seconds,
            list_roots_callback=roots,
            client_info=Implementation(name="antiphon", version=__version__),
            cache=None,
        )

    async def _roots(self, _context: Any) -> Any:
        from mcp.types import ListRootsResult, Root
        from pydantic import FileUrl

        addresses = map(_address_of_folder, self.options.roots)
        return ListRootsResult(roots=[Root(uri=FileUrl(each)) for each in addresses])

    async def _refuse_sign_in(self, address: str) -> None:
        """Whoever calls a tool is not the one to sign in: it takes a browser."""
        self.needs_sign_in = True
        self.wanted_scope = parse_qs(urlsplit(address).query).get("scope", [""])[0]
        raise SignInNeeded

    async def _refuse_answer(self) -> Any:
        raise SignInNeeded

    def _noticed(self, method: str, is_request: bool) -> None:
        if is_request:
            self._asked(method)
        elif method == _TOOLS_CHANGED:
            self._changed()

    async def _transport(self, stack: AsyncExitStack) -> Any:
        options = self.options
        most = options.max_bytes * 2 + _MESSAGE_ROOM
        if options.command:
            from antiphon.mcp.child_process import ProcessLimits, ServerProcess

            return ServerProcess(
                options.command,
                env=options.env,
                cwd=options.cwd or None,
                limits=ProcessLimits(options.memory_mb, options.files, options.cpu_seconds),
                max_message=most,
                stderr=self._stderr,
                ended=self._end,
            )
        import httpx2
        from mcp.client.streamable_http import streamable_http_client

        from antiphon.mcp.guarded_http import GuardedTransport

        guarded = GuardedTransport(
            options.url, headers=options.headers, allowed=self._allowed, most=most
        )
        http = httpx2.AsyncClient(
            transport=guarded, timeout=options.timeout_seconds, auth=self._auth, trust_env=False
        )
        await stack.enter_async_context(http)
        return streamable_http_client(options.url, http_client=http, max_sse_event_size=most)

    async def _listen(self, client: Client) -> None:
        """Ask to be told when the tools change, where the protocol has it that one asks."""
        from mcp import MCPError
        from mcp.client.subscriptions import ListenNotSupportedError

        with suppress(ListenNotSupportedError, MCPError, RuntimeError, TimeoutError):
            async with client.listen(tools_list_changed=True) as events:
                async for _ in events:
                    self._changed()

    # -- what it is for

    async def tools(self) -> list[ListedTool]:
        """The tools that the server lists now. Raises McpError in words."""
        client, name = self._client, self.options.name
        try:
            if client is None:
                raise McpError(self.ended)
            async with asyncio.timeout(self.options.timeout_seconds):
                found = await self._listing(client)
        except TimeoutError:
            raise McpError(
                f"The MCP server {name} did not list its tools within "
                f"{self.options.timeout_seconds:g} seconds."
            ) from None
        except Exception as error:
            words = " ".join((self._why or reason_of(error)).split())[:500].rstrip(".")
            raise McpError(f"The MCP server {name} cannot list its tools: {words}.") from error
        self.listed_at = time.monotonic()
        self.listed = {tool.name: tool.digest for tool in found}
        return found

    async def _listing(self, client: Client) -> list[ListedTool]:
        """All tools, page by page. Raises McpError for a list that is too large."""
        found: list[ListedTool] = []
        size, cursor = 0, None
        while True:
            page = await client.list_tools(cursor=cursor)
            for each in page.tools:
                found.append(ListedTool.of(each))
                size += len(found[-1].content)
            if len(found) > MAX_TOOLS or size > _MOST_LISTED:
                raise McpError(f"its list of tools has no end: {len(found)} so far")
            cursor = page.next_cursor
            if not cursor:
                return found
            if not page.tools:
                raise McpError("its list of tools has pages without tools")

    async def call(
        self, tool: str, args: Mapping[str, Any], *, writes: bool, context: Any = None
    ) -> dict[str, Any]:
        """Call a tool. Raises ToolError, see `request_tool`."""
        client, name = self._client, self.options.name
        if client is None:
            raise lost_call(name, False, self._why)
        try:
            return await request_tool(
                client,
                name,
                tool,
                args,
                writes=writes,
                seconds=self.options.timeout_seconds,
                max_bytes=self.options.max_bytes,
                context=context,
            )
        except ToolError as error:
            if error.type in ("TRANSIENT", "OUTCOME_UNKNOWN"):
                await self._check_alive(client)
                if self._why:
                    raise lost_call(name, writes, self._why) from error
            raise

    async def _check_alive(self, client: Client) -> None:
        """End a connection over which nothing is answered any more."""
        try:
            async with asyncio.timeout(_ALIVE_SECONDS):
                await client.list_tools()
        except Exception:  # noqa: BLE001 - whatever it is, it is no answer
            self._end("it does not answer any more")

    @property
    def _why(self) -> str:
        """Why it ended, where that is worth telling."""
        return "" if self.ended == "it was closed" else self.ended


def _address_of_folder(folder: str) -> str:
    return Path(os.path.abspath(folder)).as_uri()
