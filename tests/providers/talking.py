"""Conversations of tests with a request API through the port."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from antiphon.contracts import make_meta, success
from antiphon.contracts.events import Event, Fault, Prompt, Ready, Text, ToolCalls, TurnEnded
from antiphon.emulators.base import KEY, Emulator
from antiphon.emulators.runner import make
from antiphon.providers.port import Access, Connection, Deadlines, Provider, ProviderFault, Setup
from antiphon.testing import run as run_in_virtual_time
from antiphon.testing import run_real

T = TypeVar("T")

OK = success({"found": [1]}, [], make_meta("look", "1.0.0", "r1", 1))
QUICK = Deadlines(connect=2, send=2, answer=0.3, gap=0.3, request=5)


def run(main: Coroutine[Any, Any, T]) -> T:
    """As `run_real`. Sockets may be those of the emulator's thread, which ends a little later."""
    return run_real(main, timeout=60)


def unhurried(
    api: str,
    script: Any,
    main: Callable[[Emulator], Awaitable[T]],
    *,
    check: bool = True,
    **options: Any,
) -> T:
    """What `main` returns, with the emulator on the same loop under virtual time: a deadline passes
    only when nobody has anything to do. On a busy machine even loopback takes some milliseconds."""

    async def whole() -> T:
        async with make(api, script, **options) as emulator:
            found = await main(emulator)
        if check:
            emulator.check()
        return found

    return run_in_virtual_time(whole(), patience=0.2)


class Talk:
    """Asks one provider's emulator through its provider; settings of `Setup` may be given."""

    def __init__(self, provider: type[Provider], **usual: Any) -> None:
        self.provider = provider
        self.usual = {"retries": 0, **usual}

    def setup(self, **more: Any) -> Setup:
        return Setup(**{**self.usual, **more})

    @asynccontextmanager
    async def connected(
        self, emulator: Emulator, access: Access | None = None, **more: Any
    ) -> AsyncIterator[Any]:
        made = self.provider(access or Access(KEY, emulator.base_url, emulator.ca_file))
        try:
            async with await made.connect(self.setup(**more)) as connection:
                yield connection
        finally:
            await made.close()

    def __call__(self, emulator: Emulator, *prompts: str, **more: Any) -> list[Event]:
        """Every event of a conversation with these prompts, one after the other."""

        async def main() -> list[Event]:
            async with self.connected(emulator, **more) as connection:
                return [e for prompt in prompts or ("Hi",) for e in await turn(connection, prompt)]

        return run(main())

    def answered(self, emulator: Emulator, **more: Any) -> list[Event]:
        """Every event of a conversation in which each call is answered with success."""

        async def main() -> list[Event]:
            async with self.connected(emulator, **more) as connection:
                events = await turn(connection, "Look")
                while isinstance(events[-1], ToolCalls):
                    for call in events[-1].calls:
                        await connection.send_tool_result(id=call.id, name=call.name, result=OK)
                    events += await turn(connection)
                return events

        return run(main())

    def fault(self, emulator: Emulator, **more: Any) -> Fault:
        """The one fault of a turn that failed."""
        events = self(emulator, **more)
        assert events[-1] == TurnEnded("failed")
        found: Fault = only(events, Fault)
        assert not found.fatal
        assert KEY not in found.message + found.detail
        assert not any(isinstance(event, ToolCalls) for event in events)
        return found

    def probed(self, access: Access, seconds: float = 2) -> Fault | None:
        async def main() -> Fault | None:
            made = self.provider(access)
            try:
                await made.probe(seconds)
            except ProviderFault as failed:
                return failed.fault
            finally:
                await made.close()
            return None

        return run(main())


async def turn(connection: Connection, *prompts: str) -> list[Event]:
    """What comes until the model waits for the person, or for answers."""
    for prompt in prompts:
        await connection.send(Prompt(prompt))
    found: list[Event] = []
    events = connection.events()
    try:
        async for event in events:
            if not isinstance(event, Ready):
                found.append(event)
            if isinstance(event, TurnEnded | ToolCalls):
                break
    finally:
        await events.aclose()  # type: ignore[attr-defined]
    return found


def only(events: list[Event], kind: type) -> Any:
    (found,) = [event for event in events if isinstance(event, kind)]
    return found


def said(events: list[Event]) -> str:
    return "".join(e.text for e in events if isinstance(e, Text))
