"""The connection to an MCP server: its start, its list of tools, and calls of them."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from antiphon.contracts import ErrorType, ToolError
from antiphon.extras import naming_extras
from antiphon.mcp.errors import McpError, reason_of
from antiphon.mcp.mcp_tool import McpTool, tool_options
from antiphon.mcp.tool_requests import request_tool
from antiphon.registry.functions.function_tool import FunctionTool

if TYPE_CHECKING:
    from mcp import Client

TIMEOUT = 30.0
MAX_BYTES = 1_000_000
MAX_TOOLS = 1000


class McpServer:
    """One MCP server, whose tools are governed tools under the names `<name>__<tool>`.

    `server` is the command that starts it (`["npx", "-y", "some-server"]`, spoken to over its
    standard input and output) or its address (`https://…/mcp`). Entering it starts or reaches the
    server and reads its tools once: `Registry.of(mcp=[server])` takes them. It must stay open as
    long as they are called, and be left by the task that entered it.

    What a server says of its own tools is not trusted: each counts as one that writes, and a
    person is asked before every call. `overrides` says otherwise, by the server's own name of the
    tool, in the words of `@tool(…)`: `{"search": {"side_effects": "read_only"}}`. `include` and
    `exclude` are names as well; without `include` all tools are taken.

    Entering raises McpError, RegistryError with what is wrong with the tools, and MissingExtra.
    """

    def __init__(
        self,
        name: str,
        server: str | Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | os.PathLike[str] | None = None,
        headers: Mapping[str, str] | None = None,
        include: Sequence[str] | None = None,
        exclude: Sequence[str] = (),
        overrides: Mapping[str, Mapping[str, Any]] | None = None,
        timeout: float = TIMEOUT,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        """`env` is added to the environment of a command, `headers` go with every request to an
        address. `timeout` is in seconds, for the start and for each call; `max_bytes` is the most
        that a call may bring."""
        self.name = name
        self.timeout = timeout
        self.max_bytes = max_bytes
        self._server = server
        self._env = dict(env or {})
        self._cwd = cwd
        self._headers = dict(headers or {})
        self._include = include
        self._exclude = exclude
        self._overrides = overrides or {}
        self._tools: list[McpTool] | None = None
        self._client: Client | None = None
        self._closers = AsyncExitStack()

    @property
    def tools(self) -> Sequence[FunctionTool[..., Any]]:
        """The tools as they were listed when the server was entered. Raises McpError before."""
        if self._tools is None:
            raise McpError(
                f"The MCP server {self.name} has not been entered yet. Write "
                f"`async with McpServer({self.name!r}, …) as server:` around what uses its tools."
            )
        return self._tools

    async def __aenter__(self) -> Self:
        if self._client is not None or self._tools is not None:
            raise McpError(f"The MCP server {self.name} was entered already. Make another one.")
        try:
            with naming_extras():
                client = await self._connected()
            async with asyncio.timeout(self.timeout):
                listed = await list_tools(client)
        except TimeoutError:
            await self._give_up()
            raise McpError(
                f"The MCP server {self.name} did not answer within {self.timeout:g} seconds."
            ) from None
        except (ImportError, McpError):
            await self._give_up()
            raise
        except Exception as error:  # SDK, transport and server fail in ways of their own
            await self._give_up()
            reason = reason_of(error)
            raise McpError(f"The MCP server {self.name} cannot be used: {reason}") from error
        self._client = client
        try:
            self._tools = self._chosen(listed)
        except BaseException:
            await self._give_up()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._client = None
        await self._closers.__aexit__(kind, error, traceback)

    async def call(
        self, tool: str, args: Mapping[str, Any], *, writes: bool, context: Any = None
    ) -> dict[str, Any]:
        """Call a tool by the server's own name for it; return its result as an object.

        Raises ToolError: OUTCOME_UNKNOWN where the connection was lost during a call that writes.
        """
        client = self._client
        if client is None:
            raise ToolError(
                ErrorType.UNAVAILABLE, f"The MCP server {self.name} is not connected any more."
            )
        return await request_tool(
            client,
            self.name,
            tool,
            args,
            writes=writes,
            seconds=self.timeout,
            max_bytes=self.max_bytes,
            context=context,
        )

    async def _connected(self) -> Client:
        from mcp import Client, StdioServerParameters
        from mcp.client.stdio import stdio_client

        server = self._server
        target: Any
        if isinstance(server, str):
            if not server.startswith(("http://", "https://")):
                raise McpError(
                    f"The MCP server {self.name} is {server!r}, which is no address. Give a "
                    f"command as a list: [{server!r}]."
                )
            target = await self._address(server)
        elif not server:
            raise McpError(f"The MCP server {self.name} has an empty command.")
        else:
            parameters = StdioServerParameters(
                command=server[0],
                args=list(server[1:]),
                env=self._env,
                cwd=None if self._cwd is None else Path(self._cwd),
            )
            # Its own messages go where ours go; a test's or a notebook's replacement has no file.
            target = stdio_client(parameters, errlog=sys.__stderr__ or sys.stderr)
        client = Client(target, read_timeout_seconds=self.timeout)
        async with asyncio.timeout(self.timeout):
            return await self._closers.enter_async_context(client)

    async def _address(self, url: str) -> Any:
        import httpx2
        from mcp.client.streamable_http import streamable_http_client

        http = httpx2.AsyncClient(headers=self._headers, timeout=self.timeout)
        await self._closers.enter_async_context(http)
        return streamable_http_client(url, http_client=http)

    async def _give_up(self) -> None:
        self._client = None
        with suppress(Exception):  # why it failed is told already
            await self._closers.aclose()

    def _chosen(self, listed: Sequence[Any]) -> list[McpTool]:
        names = [tool.name for tool in listed]
        for word, given in (
            ("include", self._include or ()),
            ("exclude", self._exclude),
            ("overrides", self._overrides),
        ):
            for name in given:
                if name not in names:
                    raise McpError(
                        f"The MCP server {self.name} has no tool {name!r}, which `{word}` names. "
                        f"It has {', '.join(sorted(names)) or 'none'}."
                    )
        chosen = [
            tool
            for tool in listed
            if (self._include is None or tool.name in self._include)
            and tool.name not in self._exclude
        ]
        return [
            McpTool(self, tool, tool_options(self.name, tool, self._overrides.get(tool.name, {})))
            for tool in chosen
        ]


async def list_tools(client: Client) -> list[Any]:
    """Return all tools that a server lists. Raises McpError for a list without an end."""
    found: list[Any] = []
    cursor: str | None = None
    while True:
        page = await client.list_tools(cursor=cursor)
        found += page.tools
        cursor = page.next_cursor
        if not cursor:
            return found
        if len(found) > MAX_TOOLS or not page.tools:
            raise McpError(f"its list of tools has no end: {len(found)} so far")
