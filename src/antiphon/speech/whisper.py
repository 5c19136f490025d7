"""Speech to text by faster-whisper, for other languages, other machines and larger models."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from antiphon.speech.audio import from_pcm
from antiphon.speech.models import first_line, missing_package
from antiphon.speech.ports import INPUT_RATE, SpeechError, whole_number
from antiphon.speech.recognition import SegmentedRecognition

REQUIREMENT = "faster-whisper"
# Names that are told to the model itself; it takes few.
_MOST_NAMES = 40


class FasterWhisper:
    """Recognizer by faster-whisper, which fetches a model by name; a folder is used as it is."""

    parallel = 1

    def __init__(
        self,
        *,
        model: str = "base.en",
        language: str | None = "en",
        device: str = "cpu",
        compute_type: str = "int8",
        threads: int = 1,
        local_files_only: bool = False,
        partials: bool = False,
    ) -> None:
        """With `language` None it is detected by utterance; `partials` want a fast machine."""
        self.partials = partials
        self._model_name = model
        self._language = language
        self._device = device
        self._compute_type = compute_type
        self._threads = whole_number("threads", threads, 1, 64)
        self._local = local_files_only
        self._loading = threading.Lock()
        self._model: Any = None

    def warm(self) -> None:
        self._words(bytes(2 * INPUT_RATE), "")

    def recognition(self, hints: Sequence[str] = ()) -> SegmentedRecognition:
        names = ", ".join(list(hints)[:_MOST_NAMES])
        return SegmentedRecognition(lambda pcm: self._words(pcm, names), hints)

    def _words(self, pcm: bytes, names: str) -> str:
        model = self._load()
        try:
            segments, _ = model.transcribe(
                from_pcm(pcm),
                language=self._language,
                beam_size=1,
                condition_on_previous_text=False,
                hotwords=names or None,
            )
            return " ".join(segment.text.strip() for segment in segments).strip()
        except Exception as error:  # the package names none that it raises
            raise SpeechError(f"faster-whisper failed to run: {first_line(error)}") from error

    def _load(self) -> Any:
        if self._model is None:
            with self._loading:
                if self._model is None:
                    self._model = self._loaded()
        return self._model

    def _loaded(self) -> Any:
        try:
            engine = import_module("faster_whisper")
        except ImportError as error:
            raise missing_package("The recognizer faster-whisper", REQUIREMENT, error) from error
        try:
            return engine.WhisperModel(
                self._model_name,
                device=self._device,
                compute_type=self._compute_type,
                cpu_threads=self._threads,
                local_files_only=self._local,
            )
        except Exception as error:  # a wrong name, no network, no such device
            raise SpeechError(
                f"faster-whisper cannot load the model {self._model_name!r}: {first_line(error)}"
            ) from error
