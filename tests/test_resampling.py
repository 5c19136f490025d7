"""Speech from 16 to 24 kHz: however it is cut, the same samples, the same tone, no clicks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from antiphon.resampling import StreamResampler


def tone(hertz: float, seconds: float = 1.0, level: int = 10_000) -> bytes:
    at = np.arange(int(16_000 * seconds)) / 16_000
    return np.rint(level * np.sin(2 * np.pi * hertz * at)).astype("<i2").tobytes()


def samples(data: bytes) -> np.ndarray:
    return np.frombuffer(data, "<i2").astype(float)


@given(st.binary(max_size=4000), st.lists(st.integers(0, 700), max_size=20))
def test_any_cutting_gives_the_very_same_samples(data: bytes, sizes: list[int]) -> None:
    whole = StreamResampler().push(data)
    resampler, found, at = StreamResampler(), b"", 0
    for size in sizes:
        found += resampler.push(data[at : at + size])
        at += size
    assert found + resampler.push(data[at:]) == whole


@given(st.integers(0, 3000))
def test_every_whole_millisecond_in_is_one_out(size: int) -> None:
    assert len(StreamResampler().push(bytes(size))) == size // 32 * 48


@pytest.mark.parametrize("hertz", [100, 440, 1000, 3000, 6000])
def test_a_tone_keeps_its_frequency_and_its_level_and_brings_no_other(hertz: int) -> None:
    found = samples(StreamResampler().push(tone(hertz)))[1200:-1200]
    spectrum = np.abs(np.fft.rfft(found * np.hanning(len(found))))
    frequencies = np.fft.rfftfreq(len(found), 1 / 24_000)
    loudest = spectrum.argmax()
    assert abs(frequencies[loudest] - hertz) < 2
    assert found.std() * 2**0.5 == pytest.approx(10_000, rel=0.01)
    others = spectrum[np.abs(frequencies - hertz) > 60]
    assert others.max() < spectrum[loudest] / 1000


def test_twenty_millisecond_frames_have_no_clicks_between_them() -> None:
    data, resampler = tone(440), StreamResampler()
    found = samples(
        b"".join(resampler.push(data[at : at + 640]) for at in range(0, len(data), 640))
    )[200:]
    steepest = 10_000 * 2 * np.pi * 440 / 24_000
    assert np.abs(np.diff(found)).max() <= steepest * 1.01 + 1


def test_the_loudest_speech_is_clipped_and_never_turns_over() -> None:
    square = np.where(np.arange(1600) // 20 % 2, 32767, -32768).astype("<i2").tobytes()
    found = samples(StreamResampler().push(square))[100:]
    assert (found.max(), found.min()) == (32767, -32768)
    middle = samples(StreamResampler().push(np.full(1600, 32767, "<i2").tobytes()))[100:]
    assert set(middle) == {32767.0}


def test_half_a_sample_waits_for_its_other_half() -> None:
    data = tone(440, 0.1)
    resampler = StreamResampler()
    found = b"".join(resampler.push(data[at : at + 1]) for at in range(len(data)))
    assert found == StreamResampler().push(data)


def test_after_a_reset_nothing_is_left_of_the_stream_before() -> None:
    resampler = StreamResampler()
    resampler.push(tone(440, 0.0213) + b"x")
    resampler.reset()
    assert resampler.push(tone(1000, 0.1)) == StreamResampler().push(tone(1000, 0.1))
