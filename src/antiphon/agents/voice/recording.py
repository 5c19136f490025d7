"""Recordings of spoken sessions: the sound of both sides, in one compact file each.

A file is a row of pieces, each with its side, the time of its first sample, its length, and samples
in μ-law: half the size of what was sent. Silence of the person is not kept.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import struct
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from antiphon.contracts.events import INPUT_RATE, OUTPUT_RATE

FOLDER = "recordings"
SUFFIX = ".sound"
PERSON, AGENT, CUT = b"p", b"a", b"c"  # `CUT`: from here on the agent was not heard
RATES = {PERSON: INPUT_RATE, AGENT: OUTPUT_RATE}

_PIECE = struct.Struct("<cdI")
_FLUSH_BYTES = 32_768
_QUIET = 250  # of 32768: nobody hears what stays below
_GAP_SECONDS = 0.5  # pieces that are nearer to each other than this follow each other
_PAUSE_SECONDS = 1.5  # a longer silence is between two utterances
_DAY_SECONDS = 86_400
_BIAS = 0x84
_SESSION = re.compile(r"[\w-]{1,200}")

logger = logging.getLogger(__name__)


class SoundPiece(NamedTuple):
    """A piece of a recording; `at` is the time of its first sample, in seconds of the epoch."""

    side: bytes
    at: float
    samples: bytes


class SessionRecorder:
    """The recording of one session, as it is made. What is heard is kept at once in memory and
    written in a thread; `close` writes the rest."""

    def __init__(self, path: Path, now: Callable[[], float]) -> None:
        self._path = path
        self._now = now
        self._pending = bytearray()
        self._writing: asyncio.Future[None] | None = None
        self._heard_until = 0.0
        self._loud_until = 0.0
        self._spoke_from: float | None = None
        self._said_until = 0.0
        self._failed = False

    def hear(self, pcm: bytes) -> None:
        """Record a piece of the person's speech, which ends now."""
        pcm = _whole_samples(pcm)
        seconds = len(pcm) / 2 / INPUT_RATE
        at = self._now() - seconds
        if abs(at - self._heard_until) < _GAP_SECONDS:
            at = self._heard_until
        self._heard_until = at + seconds
        samples = memoryview(pcm).cast("h")
        if len(samples) and (max(samples) > _QUIET or min(samples) < -_QUIET):
            if self._spoke_from is None or at - self._loud_until > _PAUSE_SECONDS:
                self._spoke_from = at
            self._loud_until = self._heard_until
            self._add(PERSON, at, _encode(pcm))

    def take_speech_start(self) -> float | None:
        """Return when the person began what they said last, once; None if they said nothing."""
        began, self._spoke_from = self._spoke_from, None
        return began

    def say(self, pcm: bytes) -> None:
        """Record a piece of the agent's speech, which is played when what was before it is."""
        pcm = _whole_samples(pcm)
        at = max(self._now(), self._said_until)
        self._said_until = at + len(pcm) / 2 / OUTPUT_RATE
        self._add(AGENT, at, _encode(pcm))

    def cut(self) -> None:
        """Record that the agent falls silent: what was said ahead is not heard."""
        now = self._now()
        if self._said_until > now:
            self._said_until = now
            self._add(CUT, now, b"")

    async def close(self) -> None:
        """Write what is left."""
        if self._writing is not None:
            await self._writing
        if self._pending:
            await asyncio.to_thread(self._write, self._take())

    def _add(self, side: bytes, at: float, samples: bytes) -> None:
        self._pending += _PIECE.pack(side, at, len(samples)) + samples
        waiting = self._writing is not None and not self._writing.done()
        if len(self._pending) >= _FLUSH_BYTES and not waiting:
            loop = asyncio.get_running_loop()
            self._writing = loop.run_in_executor(None, self._write, self._take())

    def _take(self) -> bytes:
        data = bytes(self._pending)
        self._pending.clear()
        return data

    def _write(self, data: bytes) -> None:
        if self._failed:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with os.fdopen(
                os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab"
            ) as file:
                file.write(data)
        except OSError as error:
            self._failed = True
            logger.error("the recording %s cannot be written and ends: %s", self._path, error)


class Recordings:
    """The recordings of a data folder. `on`: sessions are recorded from now on."""

    def __init__(self, folder: Path, *, on: bool, days: int) -> None:
        self._folder = folder
        self.on = on
        self.days = days

    def recorder(self, session_id: str, now: Callable[[], float]) -> SessionRecorder | None:
        """Return the recorder of a session; None if nothing is to be recorded."""
        path = self._path(session_id)
        return SessionRecorder(path, now) if self.on and path is not None else None

    def has(self, session_id: str) -> bool:
        """Tell whether there is a recording of a session."""
        path = self._path(session_id)
        return path is not None and path.is_file()

    def pieces(self, session_id: str) -> Iterator[SoundPiece]:
        """Yield the pieces of a recording in the order in which they were recorded; the last may
        be missing after a crash."""
        path = self._path(session_id)
        if path is None or not path.is_file():
            return
        with path.open("rb") as file:
            while len(head := file.read(_PIECE.size)) == _PIECE.size:
                side, at, length = _PIECE.unpack(head)
                samples = file.read(length)
                if len(samples) == length:
                    yield SoundPiece(side, at, samples)

    def delete(self, session_id: str) -> None:
        """Delete the recording of a session, if there is one."""
        if (path := self._path(session_id)) is not None:
            path.unlink(missing_ok=True)

    def prune(self, now: float) -> int:
        """Delete recordings that are older than they may be; return how many."""
        oldest, count = now - self.days * _DAY_SECONDS, 0
        for path in self._folder.glob(f"*{SUFFIX}"):
            with suppress(FileNotFoundError):
                if path.stat().st_mtime < oldest:
                    path.unlink()
                    count += 1
        return count

    def _path(self, session_id: str) -> Path | None:
        if not _SESSION.fullmatch(session_id):
            return None
        return self._folder / f"{session_id}{SUFFIX}"


def _whole_samples(pcm: bytes) -> bytes:
    """Leave out half a sample at the end: nothing that is sent may end a conversation here."""
    return pcm[:-1] if len(pcm) % 2 else pcm


def _encode(pcm: bytes) -> bytes:
    """Encode 16-bit samples as μ-law (G.711)."""
    table = _table()
    return bytes([table[sample] for sample in memoryview(pcm).cast("H")])


@lru_cache(maxsize=1)
def _table() -> bytes:
    return bytes(_encoded(word - 0x10000 if word & 0x8000 else word) for word in range(0x10000))


def _encoded(sample: int) -> int:
    size = min(abs(sample), 0x7FFF - _BIAS) + _BIAS
    exponent = size.bit_length() - 8
    mantissa = (size >> (exponent + 3)) & 0x0F
    return ~((0x80 if sample < 0 else 0) | exponent << 4 | mantissa) & 0xFF
