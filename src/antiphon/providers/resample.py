"""Speech at 16 kHz made into speech at 24 kHz, piece by piece and without a seam."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_UP, _DOWN = 3, 2  # 16 kHz * 3 / 2 = 24 kHz
_TAPS = 32  # input samples that each output sample is made of: 2 ms
_CUTOFF = 7_400 / 48_000  # of the rate between the two, 48 kHz
_BETA = 7.0  # of Kaiser's window: what mirrors above 8 kHz is more than 70 dB down
_EXACT = 1 << 15

# A millisecond at a time: one small product of matrices costs least.
_IN, _OUT = 16, 24
_WINDOW = _TAPS - 1 + _IN


def _filter() -> NDArray[np.float64]:
    """A low pass, one column for each output sample of a millisecond.

    The weights are whole numbers over a power of two, so every sum of products is exact in float64
    in whatever order it is taken, and the output does not depend on how the input was cut.
    """
    length = _TAPS * _UP
    at = np.arange(length) - (length - 1) / 2
    weights = np.sinc(2 * _CUTOFF * at) * np.kaiser(length, _BETA)
    columns = np.zeros((_WINDOW, _OUT))
    for output in range(_OUT):
        first, phase = divmod(output * _DOWN, _UP)
        taps = weights[phase::_UP]
        whole = np.rint(taps / taps.sum() * _EXACT)
        whole[_TAPS // 2] += _EXACT - whole.sum()  # a steady level stays what it is
        columns[first : first + _TAPS, output] = whole[::-1] / _EXACT
    return columns


_COLUMNS = _filter()
_LOWEST, _HIGHEST = np.array(-32768.0), np.array(32767.0)


class Resampler:
    """One stream of PCM16 mono. Sixteen samples in are twenty-four out, a millisecond later."""

    __slots__ = ("_half", "_samples")

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Begin another stream: nothing of this one is heard in it."""
        self._half = b""
        self._samples = np.zeros(_TAPS - 1)

    def push(self, data: bytes) -> bytes:
        """What is due now. A sample that is cut in two waits for its other half."""
        if self._half:
            data = self._half + data
        size = len(data) & ~1
        self._half = data[size:]
        fresh = np.frombuffer(data, "<i2", size >> 1)
        samples = np.concatenate((self._samples, fresh))
        blocks = (len(samples) - _TAPS + 1) // _IN
        self._samples = samples[blocks * _IN :]
        if blocks == 0:
            return b""
        step = samples.itemsize
        # Each block with the samples before it, which overlap: a view, not a copy.
        windows = np.ndarray((blocks, _WINDOW), samples.dtype, samples, 0, (_IN * step, step))
        found: NDArray[np.float64] = windows.dot(_COLUMNS)
        np.rint(found, found)
        found.clip(_LOWEST, _HIGHEST, found)  # as arrays: numbers would be made into them each time
        return found.astype("<i2").tobytes()
