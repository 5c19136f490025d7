"""Text to speech by Kokoro (kokoro-onnx): natural voices in several languages, from its files."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from antiphon.contracts import ErrorType
from antiphon.speech.models import first_line, missing_package
from antiphon.speech.ports import SpeechError, number
from antiphon.speech.synthesis import pieces

REQUIREMENT = "kokoro-onnx"


class Kokoro:
    """Synthesizer of two files: `model` (`kokoro-v1.0.onnx`) and `voices` (`voices-v1.0.bin`)."""

    parallel = 1

    def __init__(
        self,
        *,
        model: str | Path,
        voices: str | Path,
        voice: str = "af_heart",
        language: str = "en-us",
        speed: float = 1.0,
        volume: float = 1.0,
    ) -> None:
        self._files = Path(model), Path(voices)
        self._name = voice
        self._language = language
        self._speed = number("speed", speed, 0.5, 2.0)
        self._volume = number("volume", volume, 0.05, 8.0)
        self._guard = threading.Lock()
        self._kokoro: Any = None

    def warm(self) -> None:
        for _ in self.speak("Ready."):
            pass

    def speak(self, text: str) -> Iterator[bytes]:
        return pieces(f"kokoro ({self._name})", text, self._make, self._volume)

    def _make(self, sentence: str) -> tuple[Any, int]:
        with self._guard:
            kokoro = self._load()
            try:
                samples, rate = kokoro.create(
                    sentence, voice=self._name, speed=self._speed, lang=self._language
                )
            except Exception as error:  # the package names none that it raises
                raise SpeechError(f"Kokoro failed to speak: {first_line(error)}") from error
        return samples, int(rate)

    def _load(self) -> Any:
        if self._kokoro is None:
            try:
                engine = import_module("kokoro_onnx")
            except ImportError as error:
                raise missing_package("The synthesizer kokoro", REQUIREMENT, error) from error
            for file in self._files:
                if not file.is_file():
                    raise SpeechError(
                        f"There is no file {file}; the two files of Kokoro are among the releases "
                        "of kokoro-onnx.",
                        ErrorType.VALIDATION,
                    )
            try:
                self._kokoro = engine.Kokoro(*map(str, self._files))
            except Exception as error:  # not its files
                raise SpeechError(
                    f"Kokoro cannot load {self._files[0]}: {first_line(error)}"
                ) from error
        return self._kokoro
