"""Text to speech by Piper: many languages, from a voice file of yours."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from antiphon.contracts import ErrorType
from antiphon.speech.models import first_line, missing_package
from antiphon.speech.ports import SpeechError, number
from antiphon.speech.synthesis import pieces

REQUIREMENT = "piper-tts"


class Piper:
    """Synthesizer of a voice file (`en_US-lessac-medium.onnx`) with its `.onnx.json` beside it."""

    parallel = 1

    def __init__(self, *, model: str | Path, speed: float = 1.0, volume: float = 1.0) -> None:
        self._file = Path(model)
        self._speed = number("speed", speed, 0.25, 4.0)
        self._volume = number("volume", volume, 0.05, 8.0)
        self._guard = threading.Lock()
        self._voice: Any = None

    def warm(self) -> None:
        for _ in self.speak("Ready."):
            pass

    def speak(self, text: str) -> Iterator[bytes]:
        return pieces(f"piper ({self._file.stem})", text, self._make, self._volume)

    def _make(self, sentence: str) -> tuple[Any, int]:
        with self._guard:
            voice, config = self._load()
            try:
                chunks = list(voice.synthesize(sentence, syn_config=config))
            except Exception as error:  # the package names none that it raises
                raise SpeechError(f"Piper failed to speak: {first_line(error)}") from error
        if not chunks:
            return np.zeros(0, np.float32), 0
        return np.concatenate([c.audio_float_array for c in chunks]), chunks[0].sample_rate

    def _load(self) -> Any:
        if self._voice is None:
            try:
                engine = import_module("piper")
            except ImportError as error:
                raise missing_package("The synthesizer piper", REQUIREMENT, error) from error
            if not self._file.is_file():
                raise SpeechError(
                    f"There is no voice file {self._file}; fetch one with: "
                    "python -m piper.download_voices en_US-lessac-medium",
                    ErrorType.VALIDATION,
                )
            try:
                voice = engine.PiperVoice.load(str(self._file))
            except Exception as error:  # not a voice, or without its description
                raise SpeechError(f"Piper cannot load {self._file}: {first_line(error)}") from error
            self._voice = voice, engine.SynthesisConfig(length_scale=1.0 / self._speed)
        return self._voice
