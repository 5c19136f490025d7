"""Recorded sound of a stretch of time, as one WAV file: the person left, the agent right."""

from __future__ import annotations

import struct
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from antiphon.agents.voice.recording import AGENT, CUT, PERSON, RATES, SoundPiece
from antiphon.resampling import resample

RATE = RATES[PERSON]
MAX_SECONDS = 600

_BYTES = np.arange(256, dtype=np.int32) ^ 0xFF
_SIZES = (((_BYTES & 0x0F) << 3) + 0x84 << (_BYTES >> 4 & 7)) - 0x84
_DECODED: NDArray[np.float32] = np.where(_BYTES & 0x80, -_SIZES, _SIZES).astype(np.float32)


def wav(pieces: Iterable[SoundPiece], since: float, until: float) -> bytes:
    """Return what was heard between two times of the epoch, ten minutes of it at most."""
    until = min(until, since + MAX_SECONDS)
    tracks = {
        side: np.zeros(max(0, round((until - since) * rate)), np.float32)
        for side, rate in RATES.items()
    }
    for side, at, samples in pieces:
        track = tracks[AGENT if side == CUT else side]
        start = round((at - since) * RATES[AGENT if side == CUT else side])
        if side == CUT:
            track[max(0, start) :] = 0
            continue
        sound = _DECODED[np.frombuffer(samples, np.uint8)][max(0, -start) :]
        room = track[max(0, start) : max(0, start) + len(sound)]
        room[:] = sound[: len(room)]
    person = tracks[PERSON]
    agent = resample(tracks[AGENT], RATES[AGENT], RATE)
    count = min(len(person), len(agent))
    both = np.stack((person[:count], agent[:count]), axis=1)
    data = np.clip(both, -32768, 32767).astype("<i2").tobytes()
    return _header(len(data)) + data


def _header(size: int) -> bytes:
    form = struct.pack("<HHIIHH", 1, 2, RATE, RATE * 4, 4, 16)
    return (
        b"RIFF"
        + struct.pack("<I", 36 + size)
        + b"WAVEfmt "
        + struct.pack("<I", 16)
        + form
        + (b"data" + struct.pack("<I", size))
    )
