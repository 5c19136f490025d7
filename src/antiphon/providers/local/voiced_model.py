"""Voiced text models: any text provider with embedded speech recognition and synthesis.

The speech engines are passed in, so that this module depends on none of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from antiphon.contracts.events import Ready
from antiphon.providers.faults import fault
from antiphon.providers.local.provider import LocalConnection, LocalText
from antiphon.providers.local.speech_port import Manner, Sound
from antiphon.providers.local.spoken_connection import SpokenConnection
from antiphon.providers.port import (
    Api,
    Capabilities,
    Connection,
    Provider,
    ProviderFault,
    Setup,
)


def _no_names(organisation: str) -> Sequence[str]:
    del organisation
    return ()


class Voiced(Provider):
    """Conversations by voice with a model that has none: `core`, which is closed with this one.

    `names` are words that may be said and are easily misheard; reading them may block. `manner` is
    asked for each conversation.
    """

    api: Api = "claude-voice"

    def __init__(
        self,
        core: Provider,
        sound: Sound,
        *,
        names: Callable[[str], Sequence[str]] | None = None,
        manner: Callable[[], Manner] = Manner,
    ) -> None:
        super().__init__(core.access)
        self._core = core
        self._sound = sound
        self._names = names or _no_names
        self._manner = manner

    def capabilities(self, model: str) -> Capabilities:
        return replace(
            self._core.capabilities(model),
            audio=True,
            transcripts=True,
            cancellation=True,
            hears_interruption=True,
        )

    async def connect(self, setup: Setup) -> Connection:
        try:
            async with asyncio.timeout(setup.deadlines.connect):
                await self._sound.warm()
                names = await asyncio.to_thread(self._names, setup.organisation)
        except TimeoutError:
            raise ProviderFault(fault("local", "timeout", "loading the speech engines")) from None
        core, manner = await self._think(setup), self._manner()
        return SpokenConnection(
            core,
            self._sound,
            setup,
            self.capabilities(setup.model),
            Ready(resumed=bool(setup.history)),
            hints=names,
            refresh=partial(self._names, setup.organisation),
            echo_cancelled=manner.echo_cancelled,
            lead=manner.lead,
        )

    async def _think(self, setup: Setup) -> Connection:
        return await self._core.connect(setup)

    async def probe(self, seconds: float) -> None:
        await self._core.probe(seconds)

    async def close(self) -> None:
        await self._core.close()


class LocalVoice(Voiced):
    """Conversations by voice with the built-in model, which others use as well: it stays open."""

    api: Api = "local-voice"

    def __init__(
        self,
        core: LocalText,
        sound: Sound,
        *,
        names: Callable[[str], Sequence[str]] | None = None,
        manner: Callable[[], Manner] = Manner,
    ) -> None:
        super().__init__(core, sound, names=names, manner=manner)
        self._text = core

    async def _think(self, setup: Setup) -> Connection:
        return LocalConnection(self._text, setup, spoken=True)

    async def close(self) -> None:
        pass

    async def probe(self, seconds: float) -> None:
        """Loads what hears and speaks. Raises ProviderFault when it cannot be."""
        try:
            async with asyncio.timeout(seconds):
                await self._sound.warm()
        except TimeoutError:
            raise ProviderFault(fault("local", "timeout", "loading the speech engines")) from None
