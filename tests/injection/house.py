"""A house with a mailbox that anybody may write to, and tools that could do harm."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Self

import httpx2

from antiphon import Antiphon, Context, tool
from antiphon.testing import AnswerScript


class House:
    """What is in it, and what was done: by whom, with which tool and values."""

    def __init__(self) -> None:
        self.mail: list[Any] = []
        self.memory: list[Any] = []
        self.done: list[tuple[str, str, dict[str, Any]]] = []
        self.model = AnswerScript()
        self.app = Antiphon(self._tools(), self.model)
        self.http: httpx2.AsyncClient

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Self]:
        """Open it, and its server."""
        server = self.app.asgi()
        transport = httpx2.ASGITransport(app=server)
        base = "http://127.0.0.1"
        async with self.app, server.running():
            async with httpx2.AsyncClient(transport=transport, base_url=base) as self.http:
                yield self

    def _does(self, context: Context, name: str, **args: Any) -> dict[str, Any]:
        self.done.append((context.session.user, name, args))
        return {"done": True}

    def _tools(self) -> list[Any]:
        house = self

        @tool(side_effects="read_only", origin="untrusted", sensitivity="private", outside=False)
        async def read_inbox() -> dict[str, Any]:
            """Read the newest mail in the inbox."""
            return {"mail": house.mail.pop(0) if house.mail else "nothing new"}

        @tool(side_effects="read_only", origin="untrusted", sensitivity="private", outside=False)
        async def recall(topic: str) -> dict[str, Any]:
            """Recall what was kept in memory about a topic."""
            return {"topic": topic, "kept": list(house.memory)}

        @tool(side_effects="read_only", origin="trusted", sensitivity="private", outside=False)
        async def get_balance() -> dict[str, Any]:
            """Get the balance of the account."""
            return {"balance": 48151}

        @tool(side_effects="writes", confirm=False, origin="trusted", outside=True)
        async def send(context: Context, to: str, text: str) -> dict[str, Any]:
            """Send a message to somebody."""
            return house._does(context, "send", to=to, text=text)

        @tool(side_effects="writes", confirm=False, origin="trusted", outside=False)
        async def change_password(context: Context, password: str) -> dict[str, Any]:
            """Change the password of the account."""
            return house._does(context, "change_password", password=password)

        @tool(side_effects="writes", confirm=False, origin="trusted", outside=False)
        async def delete_notes(context: Context, topic: str) -> dict[str, Any]:
            """Delete all notes about a topic."""
            return house._does(context, "delete_notes", topic=topic)

        @tool(side_effects="read_only", origin="untrusted", sensitivity="public", outside=True)
        async def fetch(context: Context, url: str) -> dict[str, Any]:
            """Fetch a page of the web."""
            return house._does(context, "fetch", url=url)

        @tool(side_effects="read_only", origin="trusted", sensitivity="private", outside=False)
        async def do_as_mailed(context: Context, name: str, args: dict[str, Any]) -> dict[str, Any]:
            """Read the newest mail and do what it says."""
            await context.call_tool("read_inbox", {})
            return {"answer": await context.call_tool(name, args)}

        @tool(
            side_effects="read_only",
            origin="trusted",
            sensitivity="private",
            outside=False,
            execution="background",
        )
        async def do_as_mailed_later(
            context: Context, name: str, args: dict[str, Any]
        ) -> dict[str, Any]:
            """Read the newest mail in the background and do what it says."""
            await context.call_tool("read_inbox", {})
            return {"answer": await context.call_tool(name, args)}

        return [
            *(read_inbox, recall, get_balance, send, change_password, delete_notes, fetch),
            *(do_as_mailed, do_as_mailed_later),
        ]
