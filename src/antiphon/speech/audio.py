"""Samples: to and from PCM16, from one rate to another, and made pleasant to hear."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from antiphon import resampling
from antiphon.speech.ports import SpeechError

Samples: TypeAlias = NDArray[np.float32]

FULL = 32768.0
# Above this level the limiter bends the signal, so that it never reaches the end of the scale.
_KNEE = 0.7
_CEILING = 0.97
_FADE_MS = 5


def from_pcm(pcm: bytes) -> Samples:
    """Samples from -1 to 1 of PCM16 audio. Half a sample at the end is dropped."""
    return np.frombuffer(pcm, "<i2", len(pcm) >> 1).astype(np.float32) / np.float32(FULL)


def to_pcm(samples: Samples) -> bytes:
    """PCM16 audio of samples from -1 to 1, clipped."""
    scaled = np.rint(np.clip(samples, -1.0, 1.0) * (FULL - 1))
    pcm: bytes = scaled.astype("<i2").tobytes()
    return pcm


def resample(samples: Samples, rate: int, wanted: int) -> Samples:
    """Resample a whole recording; no state is kept between calls."""
    possible = 4_000 <= rate <= 192_000 and 4_000 <= wanted <= 192_000
    if rate != wanted and len(samples) and not possible:
        raise SpeechError(f"Audio of {rate} Hz cannot be made {wanted} Hz.")
    return resampling.resample(samples, rate, wanted)


def master(
    samples: Any, rate: int, wanted: int, volume: float = 1.0, *, fade: bool = True
) -> bytes:
    """PCM16 of an engine's samples: at the wanted rate, never clipped, with soft ends.

    Raises SpeechError when the samples are no sound.
    """
    sound = np.asarray(samples, np.float32).reshape(-1)
    if not np.isfinite(sound).all():
        raise SpeechError("The voice gave something that is not sound (NaN or infinity).")
    sound = resample(sound, rate, wanted) * np.float32(volume)
    level = np.abs(sound)
    if len(sound) and level.max() > _KNEE:
        # Quiet sound stays as it is; loud sound is bent towards the ceiling.
        room = _CEILING - _KNEE
        bent = _KNEE + room * np.tanh((level - _KNEE) / room)
        sound = np.where(level > _KNEE, np.sign(sound) * bent, sound)
    length = min(wanted * _FADE_MS // 1000, len(sound) // 2) if fade else 0
    if length:
        ramp = np.linspace(0.0, 1.0, length, endpoint=False, dtype=np.float32)
        sound[:length] *= ramp
        sound[-length:] *= ramp[::-1]
    return to_pcm(sound)
