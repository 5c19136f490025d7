"""Speaker: streamed text in, audio sentence by sentence out, cancelled at once on request."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Generator, Iterator
from dataclasses import dataclass, field

from antiphon.speech.ports import OUTPUT_RATE, CannotSpeakError, Synthesizer
from antiphon.speech.workers import Lane
from antiphon.text.sentences import SentenceStream

# Audio travels in pieces of this length, so that a stop need not wait for a long one to be sent.
PIECE_MS = 200
_PIECE = 2 * OUTPUT_RATE * PIECE_MS // 1000

# Said, once in an answer, in place of what the voice has no sounds for.
CANNOT_SAY = "I cannot say this part aloud; please read it."


@dataclass(frozen=True, slots=True)
class SpokenPiece:
    """Piece of speech. `text` is the sentence that begins with it, as written; else empty."""

    audio: bytes = field(repr=False)
    text: str = ""

    @property
    def duration_ms(self) -> float:
        return len(self.audio) / (2 * OUTPUT_RATE) * 1000


class Speaker:
    """Synthesis of one answer: `say` and `finish` by its writer, `pieces` by its player.

    One piece is made ahead while another is played, no more: a stop wastes little.
    """

    def __init__(self, synthesizer: Synthesizer, lane: Lane) -> None:
        self._synthesizer = synthesizer
        self._lane = lane
        self._splitter = SentenceStream()
        self._waiting: deque[str] = deque()
        self._news: asyncio.Future[None] | None = None
        self._finished = False
        self._stopped = False
        self._apologised = False
        self._source: Iterator[bytes] | None = None

    # -- what others call

    def say(self, text: str) -> None:
        """Append text to the answer; ignored after `finish` or `stop`."""
        if not (self._finished or self._stopped):
            self._waiting.extend(self._splitter.push(text))
            self._wake()

    def finish(self) -> None:
        """Mark the answer as complete."""
        if not (self._finished or self._stopped):
            self._waiting.extend(self._splitter.flush())
            self._finished = True
            self._wake()

    def stop(self) -> None:
        """Cancel at once: no piece follows, not even one that is being made."""
        self._stopped = True
        self._waiting.clear()
        self._wake()

    async def pieces(self) -> AsyncIterator[SpokenPiece]:
        """Pieces of speech until the answer is over or stopped. One reader. Raises SpeechError."""
        making: asyncio.Future[SpokenPiece | None] | None = None
        try:
            while not self._silenced():
                if making is None:
                    if self._source is None and not self._waiting:
                        if self._finished:
                            return
                        await self._wait()
                        continue
                    making = self._lane.start(self._make)
                made = await self._unless_stopped(making)
                if self._silenced():
                    return
                making = None
                if made is None:
                    continue
                if self._source is not None or self._waiting:
                    making = self._lane.start(self._make)
                for piece in _cut(made):
                    if self._silenced():
                        return
                    yield piece
        finally:
            self._stopped = True
            if making is None:
                self._close()
            else:
                # The worker may be at it; it sees that nobody wants it any more.
                making.add_done_callback(_dismissed)

    def _silenced(self) -> bool:
        return self._stopped

    # -- waiting

    def _wake(self) -> None:
        if self._news is not None and not self._news.done():
            self._news.set_result(None)

    async def _wait(self, other: asyncio.Future[SpokenPiece | None] | None = None) -> None:
        """Wait for more text, an end, a stop, or `other`."""
        news = self._news = asyncio.get_running_loop().create_future()
        waiting: list[asyncio.Future[None] | asyncio.Future[SpokenPiece | None]] = [news]
        if other is not None:
            waiting.append(other)
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._news = None
            news.cancel()

    async def _unless_stopped(
        self, making: asyncio.Future[SpokenPiece | None]
    ) -> SpokenPiece | None:
        while not (making.done() or self._stopped):
            await self._wait(making)
        return None if self._stopped else making.result()

    # -- in the worker

    def _make(self) -> SpokenPiece | None:
        """Make the next piece of the sentence under way or of the next one; None at the end."""
        try:
            made = self._next()
        except BaseException:
            self._close()
            raise
        if made is None or self._stopped:
            self._close()
        return made

    def _next(self) -> SpokenPiece | None:
        text = ""
        if self._source is None:
            try:
                text = self._waiting.popleft()
            except IndexError:  # stopped meanwhile
                return None
            self._source = self._synthesizer.speak(text)
        try:
            audio = next(self._source, None)
        except CannotSpeakError:
            if self._apologised:
                return None
            self._apologised = True
            self._source = self._synthesizer.speak(CANNOT_SAY)
            audio = next(self._source, None)
        return None if audio is None else SpokenPiece(audio, text)

    def _close(self) -> None:
        source, self._source = self._source, None
        if isinstance(source, Generator):
            source.close()


def _cut(piece: SpokenPiece) -> Iterator[SpokenPiece]:
    for at in range(0, len(piece.audio), _PIECE):
        yield SpokenPiece(piece.audio[at : at + _PIECE], piece.text if at == 0 else "")


def _dismissed(making: asyncio.Future[SpokenPiece | None]) -> None:
    """Retrieve the error of a piece that nobody waits for any more."""
    if not making.cancelled():
        making.exception()
