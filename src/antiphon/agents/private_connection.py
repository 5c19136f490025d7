"""Private connection: a model that is given placeholders for what is personal."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from antiphon.agents.masked_turns import masked_history
from antiphon.contracts import ToolCall
from antiphon.contracts.events import (
    CallAnswer,
    Event,
    Input,
    Prompt,
    Text,
    ToolCalls,
    Transcript,
)
from antiphon.orchestrator import Session
from antiphon.providers.port import Capabilities, Connection, Provider, Setup
from antiphon.secrecy.privacy import ConversationPrivacy


def private_provider(provider: Provider, session: Session) -> Provider:
    """The provider as a session's profile wants it asked. The built-in model and those of files run
    in this process: nothing is kept from them."""
    privacy = session.privacy
    if privacy is None or not privacy.hides_from_model or session.provider == "local":
        return provider
    return PrivateProvider(provider, privacy)


class PrivateProvider(Provider):
    """A provider whose connections mask what goes to the model and put back what comes from it."""

    def __init__(self, provider: Provider, privacy: ConversationPrivacy) -> None:
        super().__init__(provider.access)
        self.api = provider.api
        self._provider = provider
        self._privacy = privacy

    def capabilities(self, model: str) -> Capabilities:
        return self._provider.capabilities(model)

    async def connect(self, setup: Setup) -> Connection:
        privacy = self._privacy
        masked = replace(
            setup,
            instructions=privacy.for_model(setup.instructions),
            history=masked_history(setup.history, privacy),
        )
        return PrivateConnection(await self._provider.connect(masked), privacy)

    async def probe(self, seconds: float) -> None:
        await self._provider.probe(seconds)


class PrivateConnection(Connection):
    """A connection that masks texts and results, and puts back arguments, texts and transcripts.
    Speech passes as it is: there is nothing in it to find."""

    def __init__(self, connection: Connection, privacy: ConversationPrivacy) -> None:
        self._connection = connection
        self._privacy = privacy
        self.capabilities = connection.capabilities

    async def events(self) -> AsyncIterator[Event]:
        self._connection.audio_sink = self.audio_sink
        written, spoken = self._privacy.stream(), self._privacy.stream()
        async with aclosing(self._connection.events()) as events:  # type: ignore[type-var]
            async for event in events:
                match event:
                    case Text(text):
                        if shown := written.feed(text):
                            yield Text(shown)
                        continue
                    case Transcript(role="model", interim=False):
                        shown = spoken.feed(event.text) + (spoken.finish() if event.final else "")
                        replaces = self._privacy.text_from_model(event.replaces)
                        yield replace(event, text=shown, replaces=replaces)
                        continue
                if held := written.finish():
                    yield Text(held)
                match event:
                    case ToolCalls(calls):
                        yield ToolCalls(tuple(map(self._meant, calls)))
                    case Transcript(role="model"):
                        yield replace(event, text=self._privacy.text_from_model(event.text))
                    case _:
                        yield event

    async def send(self, event: Input) -> None:
        match event:
            case Prompt(text):
                event = replace(event, text=self._privacy.for_model(text))
            case CallAnswer(envelope=envelope):
                event = replace(event, envelope=self._privacy.for_model(envelope))
        await self._connection.send(event)

    def try_send_audio(self, pcm: bytes) -> bool:
        return self._connection.try_send_audio(pcm)

    async def close(self) -> None:
        await self._connection.close()

    def receive_tool_calls(self, message: Any) -> list[ToolCall]:
        return list(map(self._meant, self._connection.receive_tool_calls(message)))

    @property
    def pending(self) -> frozenset[str]:
        return self._connection.pending

    def _meant(self, call: ToolCall) -> ToolCall:
        args = self._privacy.from_model(call.args)
        return ToolCall(call.id, call.name, args, call.client_key)
