"""The driver of the conformance suites for clients: managed servers do what a scenario asks for."""

from __future__ import annotations

import asyncio
import itertools
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2

from antiphon.contracts import ToolError
from antiphon.mcp.managed_server import ManagedServer
from antiphon.mcp.manager import McpManager
from antiphon.mcp.server_book import McpServerBook
from antiphon.mcp.server_options import ServerOptions
from antiphon.mcp.user_sign_in import UserSignIn
from antiphon.storage import Store

BASE = "http://localhost:8080"
ARGUMENTS: dict[str, dict[str, Any]] = {"add_numbers": {"a": 5, "b": 3}}
# So often does somebody sign in for one call before they give up.
PATIENCE = 3


class Driver:
    """Managed servers over a store in memory; one server for each scenario."""

    def __init__(self, store: Store) -> None:
        book = McpServerBook(store)
        record = store.append_audit
        self._manager = McpManager(
            book,
            [],
            registry=None,
            sign_in=UserSignIn(book, record=record),
            record=record,
        )
        self._numbers = itertools.count()

    async def run(self, url: str, scenario: str, context: dict[str, Any]) -> None:
        name = f"suite_{next(self._numbers)}"
        options = ServerOptions(
            name,
            url=url,
            sign_in=scenario.startswith("auth/"),
            client_id=context.get("client_id", ""),
            client_secret=context.get("client_secret", ""),
            timeout_seconds=10.0,
        )
        server = await self._manager.add(options, "root")
        if options.sign_in:
            await self._sign_in(server)
        await self._patiently(server, lambda: server.connect(name))
        digests = {pin.tool: pin.digest for pin in server.pins.values()}
        if digests:
            await self._manager.decide(name, digests, "accepted", "root")
        rich = server.pins.get("json_schema_2020_12_tool")
        if rich is not None:
            ARGUMENTS["json_schema_echo"] = {"schema": rich.seen.input_schema}
        calls = context.get("toolCalls") or [
            {"name": tool, "arguments": ARGUMENTS.get(tool, {})} for tool in sorted(digests)
        ]
        for each in calls:
            pin = server.pins[each["name"]]
            caller = SimpleNamespace(session=SimpleNamespace(user=name), progress=print)
            await self._patiently(
                server,
                lambda pin=pin, args=each["arguments"], caller=caller: server.call(
                    pin, args, writes=True, context=caller
                ),
            )
        await self._manager.remove(name, "root")

    async def _patiently(self, server: ManagedServer, act: Any) -> None:
        """Do something, and sign in where that is asked for, as a person would."""
        for left in reversed(range(PATIENCE)):
            try:
                await act()
                return
            except ToolError as error:
                if error.type == "TRANSIENT" and left:
                    continue
                if error.type != "AUTH" or not left:
                    raise
            await self._sign_in(server)

    async def _sign_in(self, server: ManagedServer) -> None:
        address = await self._manager.sign_in.begin(server.options, server.name, BASE)
        async with httpx2.AsyncClient() as browser:
            reply = await browser.get(address)
        query = parse_qs(urlsplit(reply.headers["location"]).query)
        answer = {name: values[0] for name, values in query.items()}
        await self._manager.sign_in.finish(answer, server.name)

    async def close(self) -> None:
        await self._manager.close()


async def _serve(path: Path, ready: threading.Event, stop: asyncio.Event) -> None:
    async with Store.open() as store:
        driver = Driver(store)

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            asked = json.loads(await reader.readline())
            try:
                await driver.run(asked["url"], asked["scenario"], asked["context"])
                said = "done"
            except Exception as error:  # noqa: BLE001 - the suite is told of whatever it is
                said = f"{type(error).__name__}: {' '.join(str(error).split())}"
            writer.write(said.encode() + b"\n")
            writer.close()

        server = await asyncio.start_unix_server(answer, path)
        ready.set()
        await stop.wait()
        server.close()
        await driver.close()


@contextmanager
def driver(folder: Path) -> Iterator[Path]:
    """The socket of a driver, which runs in a thread of its own."""
    path, ready, stop = folder / "driver", threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_until_complete, args=[_serve(path, ready, stop)])
    thread.start()
    try:
        assert ready.wait(20)
        yield path
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(20)
        loop.close()
