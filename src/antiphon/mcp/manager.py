"""MCP manager: all MCP servers in use, and their accepted tools among those of the registry."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from antiphon.access.errors import AccessError
from antiphon.access.names import shown
from antiphon.extras import missing_extra
from antiphon.mcp.listed_tool import ListedTool, skeleton, tool_id, visible
from antiphon.mcp.server_book import McpServerBook, PinStatus, ToolPin
from antiphon.mcp.server_options import ServerOptions
from antiphon.mcp.user_sign_in import UserSignIn
from antiphon.storage import StoreError

if TYPE_CHECKING:
    from antiphon.mcp.managed_server import ManagedServer
    from antiphon.registry import Registry

logger = logging.getLogger(__name__)

POLL_SECONDS = 5.0


class McpManager:
    """The MCP servers of the settings and those that were added. `load` reads them and joins the
    accepted tools to the registry; `keep` connects and stays connected.

    Without a registry, servers can be added and looked at, and nothing is joined.
    """

    def __init__(
        self,
        book: McpServerBook,
        configured: Sequence[ServerOptions],
        *,
        registry: Registry | None,
        sign_in: UserSignIn,
        allowed: Collection[str] = (),
        record: Callable[[Any], None],
    ) -> None:
        self.book = book
        self.sign_in = sign_in
        self.servers: dict[str, ManagedServer] = {}
        self._configured = {options.name: options for options in configured}
        self._registry = registry
        self._allowed = allowed
        self._record = record
        self._stamp: tuple[Any, ...] | None = None
        self._joined: dict[str, dict[str, str]] = {}  # digests by tool, by server
        self._changing = asyncio.Lock()
        self._loading: asyncio.Task[None] | None = None
        self._keeping: dict[str, asyncio.Task[None]] = {}
        self._keeps = False

    # -- lifetime

    def start(self) -> None:
        """Load in the background."""
        self._loading = asyncio.create_task(self._load_logged(), name="MCP servers")

    async def loaded(self) -> None:
        """Wait until the servers are known and their accepted tools are in the registry."""
        if self._loading is not None:
            await asyncio.shield(self._loading)

    async def _load_logged(self) -> None:
        try:
            await self.load()
        except StoreError as error:
            logger.error("MCP servers could not be looked for and will be again: %s", error)
        except ImportError as error:
            logger.error("MCP servers cannot be used: %s", missing_extra(error) or error)

    async def load(self) -> None:
        """Put in force what the settings and the store have now. Raises StoreError."""
        async with self._changing:
            stamp = await self.book.stamp()
            if stamp == self._stamp or not (self._configured or stamp[0] or self.servers):
                return
            added = {each.options.name: each.options for each in await self.book.servers()}
            wanted = {**added, **self._configured}
            for name in list(self.servers):
                if wanted.get(name) != self.servers[name].options:
                    await self._drop(name)
            pins: dict[str, list[ToolPin]] = {}
            for pin in await self.book.pins():
                pins.setdefault(pin.server, []).append(pin)
            for name, options in wanted.items():
                if name not in self.servers:
                    self.servers[name] = self._made(options)
                    self._keep(self.servers[name])
                await self.servers[name].take_pins(pins.get(name, []))
            self._stamp = stamp

    async def keep(self) -> None:
        """Connect to all servers and stay connected; follow what others change in the store."""
        self._keeps = True
        try:
            for server in self.servers.values():
                self._keep(server)
            while True:
                await asyncio.sleep(POLL_SECONDS)
                await self._load_logged()
        finally:
            self._keeps = False
            for name in list(self._keeping):
                await self._stop_keeping(name)

    async def close(self) -> None:
        """Close all connections."""
        if self._loading is not None:
            self._loading.cancel()
            await asyncio.wait([self._loading])
        await self.sign_in.close()
        for name in list(self.servers):
            await self._drop(name)

    def _keep(self, server: ManagedServer) -> None:
        if self._keeps and server.name not in self._keeping:
            task = asyncio.create_task(server.keep(), name=f"MCP server {server.name}")
            self._keeping[server.name] = task

    async def _stop_keeping(self, name: str) -> None:
        if (task := self._keeping.pop(name, None)) is not None:
            task.cancel()
            await asyncio.wait([task])

    async def _drop(self, name: str) -> None:
        await self._stop_keeping(name)
        server = self.servers.pop(name)
        await server.close()
        self._joined.pop(name, None)
        if self._registry is not None:
            self._registry.join(_group(name), [])

    def _made(self, options: ServerOptions) -> ManagedServer:
        from antiphon.mcp.managed_server import ManagedServer

        return ManagedServer(
            options,
            "settings" if options.name in self._configured else "store",
            self.book,
            allowed=self._allowed,
            sign_in=self.sign_in,
            odd=self.odd,
            joined=self._join,
            record=self._record,
        )

    # -- what administrators do

    def server(self, name: str) -> ManagedServer:
        """A server by name. Raises AccessError."""
        found = self.servers.get(name)
        if found is None:
            raise AccessError(f"There is no MCP server {shown(name)}.", "missing")
        return found

    async def add(self, options: ServerOptions, by: str) -> ManagedServer:
        """Add a server: connect to it, and accept the tools that it lists now but for those with
        something odd. One that people sign in to is added without a look. Raises AccessError,
        McpError where it cannot be used, MissingExtra."""
        if options.name in self.servers:
            raise AccessError(f"There is an MCP server {shown(options.name)} already.", "conflict")
        tools: list[tuple[ListedTool, str]] = []
        if not options.sign_in:
            tools = await self.look(options)
        await self.book.add(options, by)
        await self.book.see(options.name, tools, accepts_first=True, by=by)
        await self.load()
        return self.server(options.name)

    async def look(self, options: ServerOptions) -> list[tuple[ListedTool, str]]:
        """The tools that a server lists, each with what is odd about it; nothing is kept. Raises
        McpError, MissingExtra."""
        from antiphon.mcp.managed_server import ManagedServer

        found: list[tuple[ListedTool, str]] = []

        async def nothing(_: ManagedServer) -> None:
            pass

        def odd(options: ServerOptions, tools: list[ListedTool]) -> list[tuple[ListedTool, str]]:
            found.extend(self.odd(options, tools))
            return []

        server = ManagedServer(
            options,
            "store",
            self.book,
            allowed=self._allowed,
            sign_in=self.sign_in,
            odd=odd,
            joined=nothing,
            record=self._record,
        )
        try:
            await server.connect()
        finally:
            await server.close()
        return found

    async def remove(self, name: str, by: str) -> None:
        """Remove a server that was added. Raises AccessError."""
        if name in self._configured:
            raise AccessError(
                f"The MCP server {shown(name)} is of the settings; remove it there.", "conflict"
            )
        await self.book.remove(name, by)
        await self.load()

    async def decide(
        self, name: str, digests: Mapping[str, str], status: PinStatus, by: str
    ) -> list[ToolPin]:
        """Accept or reject tools, each by the digest that was shown. Raises AccessError."""
        self.server(name)
        decided = await self.book.decide(name, digests, status, by)
        await self.load()
        return decided

    async def reconnect(self, name: str, user: str) -> ManagedServer:
        """Close the connection of a server (of its user, where users sign in), and open one. Raises
        AccessError, McpError, ToolError AUTH."""
        server = self.server(name)
        await server.disconnect(user if server.options.sign_in else "")
        await server.connect(user)
        return server

    async def sign_out(self, name: str, user: str) -> bool:
        """Forget the tokens of a user for a server; False where there were none. Raises
        AccessError."""
        server = self.server(name)
        if server.options.sign_in:
            await server.disconnect(user)
        return await self.book.forget_credential(name, "tokens", user, by=user)

    # -- tools

    def odd(
        self, options: ServerOptions, tools: Iterable[ListedTool]
    ) -> list[tuple[ListedTool, str]]:
        """What an operator has to look at in each tool before it is accepted, '' for nothing: that
        it cannot be used, is easily taken for another, or says odd things."""
        names = self._names_of_others(options.name)
        found = []
        for tool in tools:
            full = tool_id(options.name, tool.name)
            marks = (skeleton(full), skeleton(tool.name))
            taken = next((names[mark] for mark in marks if mark in names), None)
            words = [tool.unusable() or ""]
            if taken is not None:
                words.append(f"its name is that of {taken}, or easily taken for it")
            found.append((tool, "; ".join(each for each in (*words, *tool.warnings()) if each)))
            own = f"{visible(tool.name[:100])} of the same server"
            names |= {skeleton(full): own, skeleton(tool.name): own}
        return found

    def _names_of_others(self, server: str) -> dict[str, str]:
        """Tools by what a person takes for their names: those of this house, and of other
        servers."""
        names: dict[str, str] = {}
        if self._registry is not None:
            for there in self._registry.tools:
                if there.partition("__")[0] not in self.servers:
                    names[skeleton(there)] = f"the tool {there}"
        for other in self.servers.values():
            if other.name != server:
                for pin in other.pins.values():
                    if pin.accepted is not None:
                        words = f"{visible(pin.tool[:100])} of the MCP server {other.name}"
                        names[skeleton(pin.tool)] = words
                        names[skeleton(tool_id(other.name, pin.tool))] = words
        return names

    async def _join(self, server: ManagedServer) -> None:
        """Join the tools of a server that may be called to the registry."""
        if self._registry is None:
            return
        from antiphon.mcp.managed_server import PinnedTool
        from antiphon.mcp.mcp_tool import McpTool, tool_options
        from antiphon.registry.loading import compile_each

        accepted = server.accepted()
        digests = {pin.tool: pin.digest for pin in accepted}
        if self._joined.get(server.name, {}) == digests:
            return
        tools, problems = [], {}
        for pin in accepted:
            overrides = server.options.overrides.get(pin.tool, {})
            try:
                made = tool_options(server.name, pin.seen, overrides)
            except TypeError as error:
                problems[pin.tool] = f"its overrides cannot be used: {error}"
                continue
            tools.append(McpTool(PinnedTool(server, pin), pin.seen, made))
        stats = {name: tool.stats for name, tool in self._registry.tools.items()}
        compiled, wrong = await asyncio.to_thread(compile_each, tools, stats)
        by_id = {tool_id(server.name, pin.tool): pin.tool for pin in accepted}
        server.problems = {
            **problems,
            **{by_id.get(name, name): said for name, said in wrong.items()},
        }
        for tool, said in server.problems.items():
            logger.warning("the tool %s of the MCP server %s: %s", tool, server.name, said)
        if self.servers.get(server.name, server) is server:
            self._registry.join(_group(server.name), compiled)
            self._joined[server.name] = digests


def _group(name: str) -> str:
    return f"mcp:{name}"
