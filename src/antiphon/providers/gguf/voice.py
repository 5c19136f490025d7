"""GGUF model by voice: heard and spoken for by the engines of the built-in model."""

from __future__ import annotations

import asyncio

from antiphon.providers.faults import fault
from antiphon.providers.local.voiced_model import Voiced
from antiphon.providers.port import Api, ProviderFault


class GgufVoice(Voiced):
    """Conversations by voice with a model that conversations in text use as well: it stays open."""

    api: Api = "local-voice"

    async def probe(self, seconds: float) -> None:
        """Load what hears, speaks and thinks. Raises ProviderFault when it cannot be."""
        try:
            async with asyncio.timeout(seconds):
                await self._sound.warm()
                await super().probe(seconds)
        except TimeoutError:
            raise ProviderFault(fault("local", "timeout", "loading the speech engines")) from None

    async def close(self) -> None:
        return
