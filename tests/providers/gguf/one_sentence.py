"""Ears that hear one sentence and a mouth that makes silence of every text: the port of speech."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

from antiphon.contracts.events import SpeechStarted, SpeechStopped, Transcript
from antiphon.providers.local.speech_port import Heard, Mouth


class OneSentence:
    """The engines and, as one conversation is held, its ears."""

    def __init__(self, sentence: str) -> None:
        self._sentence = sentence
        self._over = asyncio.Event()
        self.hints: Sequence[str] = ()
        self.close = self._over.set

    async def warm(self) -> None:
        return

    def ears(self, hints: Sequence[str], *, echo_cancelled: bool) -> OneSentence:
        del echo_cancelled
        self.hints = hints
        return self

    def mouth(self) -> Mouth:
        return Silence()

    async def feed(self, pcm: bytes) -> None:
        raise AssertionError(f"nobody speaks: {len(pcm)} bytes")

    def speaking(self, text: str) -> None:
        del text

    def finish_utterance(self) -> None:
        return

    async def events(self) -> AsyncIterator[Heard]:
        yield SpeechStarted()
        yield SpeechStopped()
        yield Transcript("user", self._sentence, final=True)
        await self._over.wait()


class Silence:
    def __init__(self) -> None:
        self._texts: asyncio.Queue[str | None] = asyncio.Queue()
        self.say = self._texts.put_nowait

    def finish(self) -> None:
        self._texts.put_nowait(None)

    stop = finish

    async def pieces(self) -> AsyncIterator[tuple[bytes, str]]:
        while text := await self._texts.get():
            yield bytes(480), text
