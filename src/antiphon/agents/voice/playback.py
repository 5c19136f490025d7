"""Playback of one model turn: the speech sent so far, and how much of it the person has heard."""

from __future__ import annotations

import re
from collections.abc import Callable

from antiphon.contracts.events import OUTPUT_RATE, ModelTurn

BYTES_PER_MS = OUTPUT_RATE * 2 // 1000
REPORT_SECONDS = 1.0  # a player that goes on tells so at least this often


class TurnPlayback:
    """Playback of the model's speech of one turn. Times are those of the clock that it is given."""

    __slots__ = (
        "_before",
        "_clock",
        "_player",
        "_received",
        "_reported",
        "_started",
        "asked_after",
        "calls",
        "ends_at",
        "generating",
        "interrupted",
        "item",
        "muted",
        "said",
        "said_at",
        "silent",
        "spoken",
        "turn",
    )

    def __init__(
        self,
        clock: Callable[[], float],
        turn: int,
        *,
        silent: bool = False,
        after: float = 0.0,
    ) -> None:
        self._clock = clock
        self.turn = turn
        self.silent = silent  # it is read, not spoken
        self.generating = False
        self.interrupted = False  # the person cut in before it was complete
        self.calls = 0  # how often the model has asked for tools
        self.asked_after: tuple[int, int] | None = None  # how much it had said by then
        self.item: str | None = None
        self.muted = False  # it was stopped: what still comes of this turn is not for the person
        self.said: list[str] = []
        self.said_at: float | None = None
        self.spoken = False
        self._before = 0  # bytes of the turn's earlier utterances
        self._received = 0
        self._started: float | None = None
        self._reported: int | None = None
        self._player: tuple[int, float] | None = None  # what it said last of the turn, and when
        self.ends_at = after  # when a player that never stops has played everything

    def add_speech(self, data: bytes, item: str | None) -> None:
        """Count a piece of the model's speech that was sent; `item` is its utterance."""
        if self._started is None:
            self._started = self._clock()
        if item != self.item:
            # Another utterance in the same turn: what was played is counted from its beginning.
            if self.item is not None:
                self._before += self._received
                self._received = 0
                self._started = self._clock()
                self._reported = None
            self.item = item
        self.spoken = True
        self._received += len(data)
        self._queue(data)

    def add_filler(self, data: bytes) -> None:
        """Count speech that is not the model's, between its utterances: it moves the position of
        the person's player alone."""
        waits = self.waits
        self._before += self._received + len(data)
        self._received = 0
        self._started = self._reported = self.item = None
        self._queue(data)
        if waits:
            self.asked_after = self.amount

    def _queue(self, data: bytes) -> None:
        self.ends_at = max(self.ends_at, self._clock()) + len(data) / (BYTES_PER_MS * 1000)

    def note_call(self) -> None:
        """Count a request for tools."""
        self.calls += 1
        self.asked_after = self.amount

    @property
    def waits(self) -> bool:
        """Whether the model has said nothing since it asked for tools."""
        return self.asked_after == self.amount

    @property
    def untouched(self) -> bool:
        """Whether nothing came of this turn yet."""
        return not self.generating and self.amount == (0, 0)

    @property
    def amount(self) -> tuple[int, int]:
        """The bytes and pieces of text of this turn so far."""
        return self._before + self._received, len(self.said)

    @property
    def received_ms(self) -> int:
        """The length of the utterance so far."""
        return self._received // BYTES_PER_MS

    def report_played(self, played_ms: int) -> None:
        """Take the position of the person's player in the whole turn: later than the truth, never
        more than there was."""
        self._player = played_ms, self._clock()
        played_ms -= self._before // BYTES_PER_MS
        self._reported = max(0, min(played_ms, self.received_ms))

    def stop(self) -> None:
        """Stop the playback: the person hears no more of this turn."""
        self._reported = self.played_ms
        self.muted = True

    @property
    def played_out(self) -> bool:
        """Whether the person has heard all of it by now: as their player reported, which may be
        some time ago, else as much as there was time for."""
        if self.muted or not self.spoken:
            return False
        now = self._clock()
        if self._player is None:
            return now >= self.ends_at
        played, at = self._player
        since = min(now - at, REPORT_SECONDS) * 1000
        return played + since >= (self._before + self._received) // BYTES_PER_MS

    @property
    def played_ms(self) -> int:
        """How much was heard: as reported, else as much as there was time for."""
        if self._started is None:
            return 0
        if self._reported is not None:
            return self._reported
        return min(self.received_ms, int((self._clock() - self._started) * 1000))

    @property
    def unplayed_ms(self) -> int:
        """How long the rest takes, if nobody cuts in."""
        if self._started is None:
            return 0
        passed = int((self._clock() - self._started) * 1000)
        played = max(passed, self._reported or 0)
        return max(0, self.received_ms - played)

    def model_turn(self) -> ModelTurn:
        """Return all that was said, with the word after which its speech was stopped."""
        text = "".join(self.said).strip()
        heard: int | None = None
        if self.muted and self.spoken and self.received_ms:
            ends = [word.end() for word in re.finditer(r"\S+", text)]
            count = round(len(ends) * self.played_ms / self.received_ms)
            if count < len(ends):
                heard = ends[count - 1] if count else 0
        return ModelTurn(text, heard=heard, interrupted=self.interrupted, typed=self.silent)
