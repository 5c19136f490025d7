"""Samples: to and from PCM16, from one rate to another, and made pleasant to hear."""

from __future__ import annotations

from functools import lru_cache
from math import gcd
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from antiphon.speech.ports import SpeechError

Samples: TypeAlias = NDArray[np.float32]

FULL = 32768.0
# Of the resampling filter: input samples to each side of an output sample, and Kaiser's window,
# whose sidelobes are more than 70 dB down.
_REACH = 16
_BETA = 7.0

# Above this level the limiter bends the signal, so that it never reaches the end of the scale.
_KNEE = 0.7
_CEILING = 0.97
_FADE_MS = 5


def from_pcm(pcm: bytes) -> Samples:
    """PCM16 as numbers from -1 to 1. Half a sample at the end is left out."""
    return np.frombuffer(pcm, "<i2", len(pcm) >> 1).astype(np.float32) / np.float32(FULL)


def to_pcm(samples: Samples) -> bytes:
    scaled = np.rint(np.clip(samples, -1.0, 1.0) * (FULL - 1))
    pcm: bytes = scaled.astype("<i2").tobytes()
    return pcm


def resample(samples: Samples, rate: int, wanted: int) -> Samples:
    """The same sound at another rate. For whole recordings: it remembers nothing."""
    if rate == wanted or not len(samples):
        return samples.astype(np.float32)
    if not (4_000 <= rate <= 192_000 and 4_000 <= wanted <= 192_000):
        raise SpeechError(f"Audio of {rate} Hz cannot be made {wanted} Hz.")
    shared = gcd(rate, wanted)
    up, down = wanted // shared, rate // shared
    weights, reach = _filter(up, down)
    count = -(-len(samples) * up // down)
    padded = np.concatenate((np.zeros(reach, np.float32), samples, np.zeros(reach + 1, np.float32)))
    out = np.empty(count, np.float32)
    # Outputs that are `up` apart use the same weights on inputs that are `down` apart.
    for phase in range(min(up, count)):
        first = phase * down // up
        total = len(range(phase, count, up))
        step = padded.itemsize
        windows: NDArray[np.float32] = np.ndarray(
            (total, 2 * reach), padded.dtype, padded, (first + 1) * step, (down * step, step)
        )
        out[phase::up] = windows @ weights[phase]
    return out


@lru_cache(maxsize=8)
def _filter(up: int, down: int) -> tuple[NDArray[np.float32], int]:
    """A low pass, one row of weights for each place that an output sample has between inputs."""
    cutoff = min(1.0, up / down)
    reach = round(_REACH / cutoff)
    rows = np.empty((up, 2 * reach), np.float32)
    for phase in range(up):
        fraction = (phase * down % up) / up
        at = np.arange(1 - reach, reach + 1) - fraction
        window = np.i0(_BETA * np.sqrt(np.maximum(0.0, 1 - (at / reach) ** 2)))
        row = np.sinc(0.94 * cutoff * at) * window
        rows[phase] = row / row.sum()
    return rows, reach


def pleasant(
    samples: Any, rate: int, wanted: int, volume: float = 1.0, *, fade: bool = True
) -> bytes:
    """Speech of any engine as PCM16: at the wanted rate, never clipped, with soft ends.

    Raises SpeechError when it is not sound.
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
