"""One way to talk to every provider: the real SDK over a real socket to its emulator."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from antiphon.contracts import Envelope, ToolCall, make_meta, success
from antiphon.contracts.events import (
    Audio,
    CallAnswer,
    Event,
    Fault,
    Ready,
    Text,
    ToolCalls,
    Transcript,
    TurnEnded,
)
from antiphon.emulators.base import Emulator
from antiphon.emulators.runner import emulate
from antiphon.providers.port import Access, Connection, Deadlines, Provider, Setup

DEADLINES = Deadlines(connect=5.0, send=5.0, answer=5.0, gap=5.0, request=20.0)
SHORT = Deadlines(connect=0.5, send=0.5, answer=0.5, gap=0.5, request=1.5)
BOUND = 60.0


@dataclass(frozen=True)
class Api:
    name: str
    vendor: str  # the emulator
    model: str
    variable: str
    live: bool
    make: Callable[[Access], Provider]

    def __repr__(self) -> str:
        return self.name


def _gemini_live(access: Access) -> Provider:
    from antiphon.providers.gemini.live import GeminiLive

    return GeminiLive(access)


def _gemini(access: Access) -> Provider:
    from antiphon.providers.gemini.text import GeminiText

    return GeminiText(access)


def _realtime(access: Access) -> Provider:
    from antiphon.providers.openai.realtime import OpenAIRealtime

    return OpenAIRealtime(access)


def _chat(access: Access) -> Provider:
    from antiphon.providers.openai.chat import OpenAIChat

    return OpenAIChat(access)


def _claude(access: Access) -> Provider:
    from antiphon.providers.claude import Claude

    return Claude(access)


LIVE_MODEL = "gemini-2.5-flash-native-audio-preview-12-2025"
APIS = [
    Api("gemini-live", "gemini", LIVE_MODEL, "GEMINI_API_KEY", True, _gemini_live),
    Api("gemini", "gemini", "gemini-2.5-flash", "GEMINI_API_KEY", False, _gemini),
    Api("openai-realtime", "openai", "gpt-realtime", "OPENAI_API_KEY", True, _realtime),
    Api("openai-chat", "openai", "gpt-4.1", "OPENAI_API_KEY", False, _chat),
    Api("claude", "anthropic", "claude-sonnet-4-6", "ANTHROPIC_API_KEY", False, _claude),
]


class Weather:
    """Declares one tool in every form, as the registry would."""

    schema: dict[str, Any] = {  # noqa: RUF012
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
    }

    def declared(self, form: str) -> list[dict[str, Any]]:
        name, about = "get_weather", "The weather of a city."
        native = {
            "type": "OBJECT",
            "properties": {"city": {"type": "STRING"}},
            "required": ["city"],
        }
        function = {"name": name, "description": about, "parameters": self.schema}
        return [
            {
                "geminiNative": {"name": name, "description": about, "parameters": native},
                "geminiJson": {
                    "name": name,
                    "description": about,
                    "parametersJsonSchema": self.schema,
                },
                "openai": {"type": "function", "function": function},
                "openaiStrict": {
                    "type": "function",
                    "function": {**function, "strict": True},
                },
                "openaiResponses": {"type": "function", **function},
                "anthropic": {"name": name, "description": about, "input_schema": self.schema},
            }[form]
        ]

    def arguments(self, form: str, name: str, args: Any) -> Any:
        del form, name
        return args

    def written(self, form: str, name: str, args: Any) -> Any:
        del form, name
        return args


class Talk:
    """A connection, and everything that came over it."""

    def __init__(self, connection: Connection, emulator: Emulator) -> None:
        self.connection = connection
        self.emulator = emulator
        self.events: list[Event] = []
        self._stream = connection.events()

    async def next(self, kind: type[Any], seconds: float = BOUND) -> Any:
        """The next event of this kind; those before it are kept. Fails when the events end."""
        async with asyncio.timeout(seconds):
            async for event in self._stream:
                self.events.append(event)
                if isinstance(event, kind):
                    return event
        raise AssertionError(f"no {kind.__name__} came; there were {self.events}")

    async def rest(self, seconds: float = BOUND) -> list[Event]:
        """Everything until the events end."""
        async with asyncio.timeout(seconds):
            async for event in self._stream:
                self.events.append(event)
        return self.events

    async def fault(self, seconds: float = BOUND) -> Fault:
        found: Fault = await self.next(Fault, seconds)
        return found

    async def calls(self) -> tuple[ToolCall, ...]:
        found: ToolCalls = await self.next(ToolCalls)
        return found.calls

    async def answer(self, *calls: ToolCall, **data: Any) -> list[Envelope]:
        """Answer each call with an envelope of its own; those envelopes."""
        given = []
        for number, call in enumerate(calls):
            envelope = success(
                {"number": number, "words": "grün 🌧", **data},
                [],
                make_meta(call.name, "1.0.0", "1.0.0", 1.5),
            )
            await self.connection.send(CallAnswer(call.id, call.name, envelope))
            given.append(envelope)
        return given

    async def ended(self) -> TurnEnded:
        found: TurnEnded = await self.next(TurnEnded)
        return found

    @property
    def words(self) -> str:
        """What the model said or wrote."""
        return "".join(
            e.text
            for e in self.events
            if isinstance(e, Text) or (isinstance(e, Transcript) and e.role == "model")
        )

    @property
    def sound(self) -> bytes:
        return b"".join(e.data for e in self.events if isinstance(e, Audio))

    def of(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    async def close(self) -> None:
        await self._stream.aclose()  # type: ignore[attr-defined]
        await self.connection.close()


@asynccontextmanager
async def talk(
    api: Api,
    script: Any,
    *,
    key: str | None = "test-key",
    deadlines: Deadlines = DEADLINES,
    check: bool = True,
    **fields: Any,
) -> AsyncIterator[Talk]:
    """A conversation that has begun. `fields` are further fields of Setup."""
    with emulate(api.vendor, script, check=check) as emulator:
        provider = api.make(Access(key, emulator.base_url, emulator.ca_file))
        setup = Setup(
            api.model,
            **{"tools": Weather(), "deadlines": deadlines, "retries": 0, **fields},
        )
        try:
            talking = Talk(await provider.connect(setup), emulator)
            try:
                await talking.next(Ready)
                yield talking
            finally:
                await talking.close()
        finally:
            await provider.close()
