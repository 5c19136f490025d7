"""Program lifetime: an application that is opened on first use and closed with the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from antiphon.app import Application


class ProgramLifetime:
    """Holds an application open from its first use until `close`, or until the event loop ends.

    `assemble` opens a new application each time and leaves to the given stack what closes it.
    """

    def __init__(self, assemble: Callable[[AsyncExitStack], Awaitable[Application]]) -> None:
        self._assemble = assemble
        # What ends the conversations that are held; called before anything is closed.
        self.hang_ups: set[Callable[[], Awaitable[None]]] = set()
        self._application: Application | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._opening: asyncio.Lock
        self._keeper: AsyncGenerator[None, None] | None = None
        self._is_held = False

    async def hold(self) -> None:
        """Open it for a block that closes it. Raises RuntimeError when another block has."""
        if self._is_held:
            raise RuntimeError(
                "This Antiphon is open already. Use it inside the block that opened it, or make a "
                "second one."
            )
        self._is_held = True
        try:
            await self.opened()
        except BaseException:
            self._is_held = False
            raise

    async def close(self) -> None:
        """Close it. Does nothing when it is not open."""
        keeper, self._keeper = self._keeper, None
        if keeper is not None:
            await keeper.aclose()

    @property
    def is_open(self) -> bool:
        """Whether the application is open."""
        return self._application is not None

    async def opened(self) -> Application:
        """Return the open application; open it first where that has not been done."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            if self._application is not None and self._loop and not self._loop.is_closed():
                raise RuntimeError(
                    "This Antiphon is open on another event loop. Use it there, or make a second "
                    "one here."
                )
            self._loop, self._opening, self._application = loop, asyncio.Lock(), None
        if self._application is None:
            async with self._opening:
                if self._application is None:
                    keeper = self._kept_open()
                    await anext(keeper)
                    self._keeper = keeper
        assert self._application is not None
        return self._application

    async def _kept_open(self) -> AsyncGenerator[None, None]:
        """Hold it open until the generator is closed, which the end of the event loop does, too."""
        # Not `async with`: the end of a generator is no error that parts should be told of.
        closers = AsyncExitStack()
        try:
            self._application = await self._assemble(closers)
            yield
        finally:
            for hang_up in tuple(self.hang_ups):
                await hang_up()
            self._application, self._is_held = None, False
            await closers.aclose()

    @asynccontextmanager
    async def lent(self) -> AsyncIterator[Application]:
        """Give the open application to a server or a terminal; where it was not open, it is closed
        with them."""
        if self._application is not None:
            yield await self.opened()
            return
        await self.hold()
        try:
            yield await self.opened()
        finally:
            await self.close()
