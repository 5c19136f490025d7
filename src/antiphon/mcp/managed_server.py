"""Managed servers: an MCP server with its state, its pins and its connections."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal

from antiphon.contracts import ErrorType, ToolError
from antiphon.extras import MissingExtra
from antiphon.mcp.errors import McpError
from antiphon.mcp.listed_tool import ListedTool
from antiphon.mcp.managed_connection import ManagedConnection
from antiphon.mcp.server_book import McpServerBook, ToolPin
from antiphon.mcp.server_options import ServerOptions
from antiphon.storage import StoreError

if TYPE_CHECKING:
    from antiphon.mcp.user_sign_in import UserSignIn

logger = logging.getLogger(__name__)

ServerState = Literal["idle", "connecting", "ready", "failed", "sign_in"]
# A listing older than this is made anew before a tool is called.
RECHECK_SECONDS = 60.0
_LONGEST_WAIT = 60.0
# A connection that lasts so long is no failure when it ends.
_LASTED = 30.0
# So long may a call wait for the next attempt to connect.
_PATIENCE = 2.0
_MOST_CONNECTIONS = 100
_REFUSED = ("sampling/createMessage", "elicitation/create", "roots/list")


class ManagedServer:
    """One MCP server of the settings or of the store."""

    def __init__(
        self,
        options: ServerOptions,
        source: Literal["settings", "store"],
        book: McpServerBook,
        *,
        allowed: Collection[str],
        sign_in: UserSignIn,
        odd: Callable[[ServerOptions, list[ListedTool]], list[tuple[ListedTool, str]]],
        joined: Callable[[ManagedServer], Awaitable[None]],
        record: Callable[[Any], None],
    ) -> None:
        """`odd` says what an operator has to look at in tools that are listed; `joined` is called
        when other tools than before may be called; `record` adds an audit line."""
        from antiphon.mcp.child_process import StderrTail
        from antiphon.mcp.transcript import ProtocolTranscript

        self.options = options
        self.source = source
        self.state: ServerState = "sign_in" if options.sign_in else "idle"
        self.words = ""
        self.since = time.time()
        self.pins: dict[str, ToolPin] = {}
        self.problems: dict[str, str] = {}  # of accepted tools that cannot be used here
        self.listed: Mapping[str, str] | None = None
        self.transcript = ProtocolTranscript()
        self.stderr = StderrTail()
        self._book = book
        self._allowed = allowed
        self._sign_in = sign_in
        self._odd = odd
        self._joined = joined
        self._record = record
        self._connections: dict[str, ManagedConnection] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._failures = 0
        self._retry_at = 0.0
        self.refused_requests: dict[str, int] = {}  # by method
        self._wake = asyncio.Event()

    @property
    def name(self) -> str:
        return self.options.name

    @property
    def connection(self) -> ManagedConnection | None:
        """One of its open connections."""
        return next((each for each in self._connections.values() if not each.ended), None)

    def accepted(self) -> list[ToolPin]:
        """The pins whose tools may be called, as far as the server has them."""
        return [
            pin
            for pin in self.pins.values()
            if pin.status == "accepted"
            and self.options.takes(pin.tool)
            and (self.listed is None or self.listed.get(pin.tool) == pin.digest)
        ]

    # -- connecting

    async def keep(self) -> None:
        """Stay connected: connect, list the tools again when they change, connect again."""
        if self.options.sign_in:
            return
        while True:
            try:
                await self._pause()
                connection = await self._connected("")
            except (ToolError, McpError, MissingExtra):
                continue
            except StoreError as error:
                self._failed(f"The tools of the MCP server {self.name} cannot be pinned: {error}")
                continue
            self._wake.clear()
            closed = asyncio.create_task(connection.closed.wait())
            woken = asyncio.create_task(self._wake.wait())
            try:
                await asyncio.wait({closed, woken}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                closed.cancel()
                woken.cancel()
                await asyncio.wait({closed, woken})
            if not connection.closed.is_set():
                with suppress(McpError, StoreError):
                    await self.list_tools(connection)
                await asyncio.sleep(1.0)  # however often it says that they have changed

    async def _pause(self) -> None:
        await asyncio.sleep(max(0.0, self._retry_at - time.monotonic()))

    async def connect(self, user: str = "") -> ManagedConnection:
        """An open connection, made now whatever happened before. Raises McpError, ToolError AUTH,
        MissingExtra."""
        self._retry_at = 0.0
        return await self._connected(user)

    async def _connected(self, user: str) -> ManagedConnection:
        key = user if self.options.sign_in else ""
        async with self._locks.setdefault(key, asyncio.Lock()):
            held = self._connections.get(key)
            if held is not None and not held.ended:
                return held
            if held is not None:
                await held.close()
            if (left := self._retry_at - time.monotonic()) > _PATIENCE:
                raise ToolError(
                    ErrorType.TRANSIENT,
                    f"{self.words or f'{self.name} cannot be reached.'} It is tried again in "
                    f"{left:.0f} seconds.",
                )
            await self._pause()
            return await self._open(key)

    async def _open(self, user: str) -> ManagedConnection:
        auth = await self._sign_in.auth_of(self.options, user) if self.options.sign_in else None
        while len(self._connections) >= _MOST_CONNECTIONS:
            await self._connections.pop(next(iter(self._connections))).close()
        self._set("connecting", "")
        connection = ManagedConnection(
            self.options,
            self.transcript,
            self.stderr,
            auth=auth,
            allowed=self._allowed,
            asked=self._was_asked,
            changed=self._wake.set,
            over=self._note_end,
        )
        try:
            await connection.open()
            await self.list_tools(connection)
        except (McpError, MissingExtra) as error:
            await connection.close()
            if connection.needs_sign_in:
                raise await self._refused(connection, user) from error
            self._failed(str(error))
            raise
        except BaseException:
            await connection.close()
            raise
        self._connections[user] = connection
        self._set("ready", "")
        return connection

    async def list_tools(self, connection: ManagedConnection) -> None:
        """List the tools anew and hold them against the pins. Raises McpError."""
        found = await connection.tools()
        wanted = [tool for tool in found if self.options.takes(tool.name)]
        self.listed = connection.listed
        first = self.options.pin == "first"
        pins = await self._book.see(
            self.name, self._odd(self.options, wanted), accepts_first=first, by="(settings)"
        )
        await self.take_pins(pins)

    async def take_pins(self, pins: Collection[ToolPin]) -> None:
        """Put pins in force."""
        self.pins = {pin.tool: pin for pin in pins}
        await self._joined(self)

    def _note_end(self, connection: ManagedConnection) -> None:
        """Take note of a connection that is over, once."""
        for user, held in list(self._connections.items()):
            if held is connection:
                del self._connections[user]
                if time.monotonic() - connection.opened_at > _LASTED:
                    self._failures = 0
                self._failed(f"The MCP server {self.name} is gone: {connection.ended}.")

    async def _refused(self, connection: ManagedConnection, user: str) -> ToolError:
        """The error for a user whose token was not taken: it is renewed once, then forgotten."""
        self._connections.pop(user, None)
        await connection.close()
        if await self._sign_in.expire(self.name, user, connection.wanted_scope):
            return ToolError(ErrorType.TRANSIENT, f"{self.name} did not take the token of {user}.")
        await self._book.forget_credential(self.name, "tokens", user, by="")
        self._set("sign_in", "")
        return self._sign_in.needed(self.name)

    def _failed(self, words: str) -> None:
        self._failures += 1
        wait = min(_LONGEST_WAIT, 0.25 * 2 ** min(self._failures, 10))
        self._retry_at = time.monotonic() + wait
        if self.state != "failed" or self.words != words:
            self._set("failed", words)
            logger.warning("%s", words)
            self._record(
                {
                    "event": "mcp_server_failed",
                    "by": "",
                    "details": {"server": self.name, "reason": words[:500]},
                }
            )

    def _set(self, state: ServerState, words: str) -> None:
        self.state, self.words, self.since = state, words, time.time()

    def _was_asked(self, method: str) -> None:
        """Take note of what the server asks of us: the first time of each kind, in the audit."""
        if method in _REFUSED and not (method == "roots/list" and self.options.roots):
            if method not in self.refused_requests:
                details = {"server": self.name, "method": method}
                self._record({"event": "mcp_request_refused", "by": "", "details": details})
            self.refused_requests[method] = self.refused_requests.get(method, 0) + 1

    async def disconnect(self, user: str) -> None:
        """Close the connection of a user."""
        if (held := self._connections.pop(user, None)) is not None:
            await held.close()

    async def close(self) -> None:
        """Close all connections."""
        held = list(self._connections.values())
        self._connections.clear()
        await asyncio.gather(*(each.close() for each in held))

    # -- calls

    async def call(
        self, pin: ToolPin, args: Mapping[str, Any], *, writes: bool, context: Any = None
    ) -> dict[str, Any]:
        """Call a tool as it was accepted. Raises ToolError; UNAVAILABLE for one that is not as it
        was, AUTH where its user has to sign in there first."""
        user = "" if context is None else context.session.user
        self._check(pin, None)
        try:
            connection = await self._connected(user)
            if time.monotonic() - connection.listed_at > RECHECK_SECONDS:
                await self.list_tools(connection)
        except (McpError, MissingExtra) as error:
            raise ToolError(ErrorType.TRANSIENT, str(error)) from error
        self._check(pin, connection.listed)
        try:
            return await connection.call(pin.tool, args, writes=writes, context=context)
        except ToolError as error:
            if connection.needs_sign_in:
                raise await self._refused(connection, user) from error
            raise

    def _check(self, pin: ToolPin, listed: Mapping[str, str] | None) -> None:
        today = self.pins.get(pin.tool)
        if today is None or (listed is not None and pin.tool not in listed):
            words = "is not there any more"
        elif today.digest != pin.digest or (listed is not None and listed[pin.tool] != pin.digest):
            words = "has changed since an operator accepted it"
        elif today.status != "accepted":
            words = f"may not be called: {today.reason}"
        else:
            return
        raise ToolError(
            ErrorType.UNAVAILABLE,
            f"The tool {pin.tool} of the MCP server {self.name} {words}. An operator can look at "
            f"it with `antiphon mcp diff {self.name}`.",
        )


class PinnedTool:
    """The way from a tool of the registry to its server."""

    def __init__(self, server: ManagedServer, pin: ToolPin) -> None:
        self.name = server.name
        self._server = server
        self._pin = pin

    async def call(
        self, tool: str, args: Mapping[str, Any], *, writes: bool, context: Any = None
    ) -> dict[str, Any]:
        """Call it as it was accepted. Raises ToolError."""
        del tool
        return await self._server.call(self._pin, args, writes=writes, context=context)
