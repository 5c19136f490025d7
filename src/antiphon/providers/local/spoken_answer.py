"""The spoken answer: what a text model writes, said sentence by sentence while it goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing

from antiphon.contracts.events import Audio, EndReason, Transcript
from antiphon.providers.local.speech_port import Sound
from antiphon.providers.local.spoken_turn import Outbox, PartPlayback, SpokenPart, TurnEnd
from antiphon.providers.port import ProviderFault


class SpokenAnswer:
    """Says what it is given, `lead` seconds ahead of the person's ear at most, and only while
    `quiet`; `ended` is called when all of a turn was given out. `told` gets each sentence as it
    begins, and nothing when all of it was heard."""

    def __init__(
        self,
        sound: Sound,
        out: Outbox,
        *,
        quiet: asyncio.Event,
        lead: float | None,
        told: Callable[[str], None],
        ended: Callable[[EndReason], None],
    ) -> None:
        self.playing = PartPlayback(told)
        self._sound = sound
        self._out = out
        self._quiet = quiet
        self._lead = lead
        self._ended = ended
        self._writing: SpokenPart | None = None  # the part that is added to
        self._parts: asyncio.Queue[SpokenPart | TurnEnd] = asyncio.Queue()
        self._speaking: asyncio.Task[None] | None = None
        self._began = False  # something was said in this turn

    def write(self, text: str) -> None:
        """Add to what is said."""
        if self._writing is None:
            self._writing = SpokenPart(self._sound.mouth())
            self._parts.put_nowait(self._writing)
        self._writing.text += text
        self._writing.mouth.say(text)

    def complete_part(self) -> None:
        """End what is said in one go."""
        if self._writing is not None:
            self._writing.mouth.finish()
            self._writing = None

    def complete(self, reason: EndReason) -> None:
        """End the turn, once all of it was given out."""
        self.complete_part()
        self._parts.put_nowait(TurnEnd(reason))

    def hush(self) -> None:
        """Silence, at once."""
        while not self._parts.empty():
            part = self._parts.get_nowait()
            if isinstance(part, SpokenPart):
                part.mouth.stop()
        self._writing = None
        self._began = False
        if self._speaking is not None:
            self._speaking.cancel()
        self._out.drop_answer()
        self.playing.over()

    async def run(self, group: asyncio.TaskGroup) -> None:
        """Say what is written, for as long as the conversation lasts."""
        while True:
            part = await self._parts.get()
            if isinstance(part, TurnEnd):
                if self._began:
                    self._out.put(Transcript("model", "", final=True))
                self._began = False
                self._ended(part.reason)
                continue
            self._speaking = group.create_task(self._say(part), name="saying")
            await asyncio.wait([self._speaking])
            self._speaking = None

    async def _say(self, part: SpokenPart) -> None:
        try:
            async with aclosing(part.mouth.pieces()) as pieces:  # type: ignore[type-var]
                async for audio, sentence in pieces:
                    await self._quiet.wait()
                    if self._lead is not None:
                        await asyncio.sleep(max(0.0, self.playing.ahead - self._lead))
                        self.playing.add(audio, sentence)
                    self._out.put(Audio(audio))
                    self._tell(part.upto(sentence))
        except ProviderFault as failed:
            failed.fault.fatal = False
            self._out.put(failed.fault)
        # What nobody says aloud, such as code, can be read.
        self._tell(part.rest())

    def _tell(self, text: str) -> None:
        if text:
            self._began = True
            self._out.put(Transcript("model", text))
