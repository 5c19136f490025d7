"""Samples, rates and voice activity."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.speech.helpers import noise, said, silence, silero, together

from antiphon.speech import SpeechError
from antiphon.speech.audio import from_pcm, master, resample, to_pcm


@given(st.binary(max_size=400))
def test_pcm_is_the_same_there_and_back(pcm: bytes) -> None:
    whole = np.frombuffer(pcm, "<i2", len(pcm) // 2).astype(int)
    back = np.frombuffer(to_pcm(from_pcm(pcm)), "<i2").astype(int)
    assert np.abs(whole - back).max(initial=0) <= 1


@pytest.mark.parametrize(
    ("rate", "wanted"), [(24_000, 16_000), (16_000, 24_000), (22_050, 24_000), (48_000, 16_000)]
)
def test_a_tone_keeps_its_pitch_and_level_at_another_rate(rate: int, wanted: int) -> None:
    tone = (0.5 * np.sin(2 * np.pi * 1_000 * np.arange(rate) / rate)).astype(np.float32)
    made = resample(tone, rate, wanted)
    assert len(made) == wanted
    ideal = 0.5 * np.sin(2 * np.pi * 1_000 * np.arange(wanted) / wanted)
    inner = slice(200, -200)
    assert np.abs(made[inner] - ideal[inner]).max() < 0.005


def test_what_a_lower_rate_cannot_hold_is_left_out() -> None:
    high = np.sin(2 * np.pi * 11_000 * np.arange(24_000) / 24_000).astype(np.float32)
    assert np.abs(resample(high, 24_000, 16_000)[200:-200]).max() < 0.01


def test_a_rate_that_is_none_is_refused() -> None:
    with pytest.raises(SpeechError, match="Hz"):
        resample(np.zeros(10, np.float32), 7, 16_000)
    assert len(resample(np.zeros(0, np.float32), 24_000, 16_000)) == 0


@given(st.lists(st.floats(-50, 50, width=32), max_size=600), st.floats(0.1, 8))
def test_nothing_is_ever_too_loud(samples: list[float], volume: float) -> None:
    sound = from_pcm(master(samples, 24_000, 24_000, volume))
    assert len(sound) == len(samples)
    assert np.abs(sound).max(initial=0) <= 0.98


def test_what_is_not_sound_is_refused() -> None:
    with pytest.raises(SpeechError, match="NaN"):
        master([0.0, float("nan")], 24_000, 24_000)


# -- voice activity


def test_speech_is_told_from_silence_and_noise() -> None:
    def likely(sound: np.ndarray) -> float:
        return float(np.mean(np.array(silero().stream().feed(together(sound))) > 0.5))

    assert likely(said("Search the knowledge base for the analytical engine.")) > 0.5
    assert likely(silence(2.0)) == 0.0
    assert likely(noise(2.0, 0.1)) == 0.0


@settings(max_examples=10)
@given(st.lists(st.integers(1, 4_000), min_size=1, max_size=10))
def test_voice_activity_does_not_depend_on_the_frames(sizes: list[int]) -> None:
    speech = together(said("Yes, please."))
    whole = silero().stream().feed(speech)
    stream = silero().stream()
    found: list[float] = []
    at = turn = 0
    while at < len(speech):
        size = max(sizes[turn % len(sizes)], 99)
        found += stream.feed(speech[at : at + size])
        at += size
        turn += 1
    assert found == whole
    assert len(whole) == len(speech) // 1024


def test_a_stream_that_is_reset_is_as_new() -> None:
    speech = together(said("Yes, please."))[:30_001]
    stream = silero().stream()
    first = stream.feed(speech)
    stream.reset()
    assert stream.feed(speech) == first
