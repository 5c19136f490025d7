"""Text to speech by Hibari (English, 24 kHz), whose model comes inside a package."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from antiphon.speech.models import Package, first_line, missing, onnxruntime_for
from antiphon.speech.ports import SpeechError, number, whole_number
from antiphon.speech.spoken import latin
from antiphon.speech.synthesis import pieces

PACKAGE = Package(
    what="The voice",
    requirement="hibari-tts==0.2.1",
    module="hibari",
    folder="assets",
    files={
        "hibari.onnx": "5f70741d4e900f4e85d0037498736cc1b3e1b9a63a13546a5da1e63abf4fccd8",
        "oov.onnx": "d3cfd8122c5f172a98c8de38268bf1213ee09f2c2ae4df6e055fc6532590fe76",
        "lexicon_us_gold.json.gz": (
            "63ae94f8ef0e906d5b24fe9b59ffcbd1529aca5686a774610e43973cbaa86ad2"
        ),
        "lexicon_us_silver.json.gz": (
            "c4c2546ebf1eb07010331e7ef785a431aa17ba8e7bfb6b4af8d654ee96a71fd3"
        ),
        "tagger.json.gz": "d2da7502284bbbe45d49e0b7ce3ce67bdab82254150f4317f1b8559b4d38d0eb",
    },
    elsewhere="It runs wherever numpy and onnxruntime do; where they do not, set the synthesizer "
    "to openai (a server of your choice) or let the browser speak.",
)
VOICE = "heart"  # the one that is inside the package; others would be fetched


class Hibari:
    """The model is loaded by the first sentence or by `warm`; every conversation shares it."""

    parallel = 1

    def __init__(self, *, threads: int = 1, speed: float = 1.0, volume: float = 2.2) -> None:
        """`volume` is a factor; the model by itself speaks quietly. Nothing ever clips."""
        self._threads = whole_number("threads", threads, 1, 64)
        self._speed = number("speed", speed, 0.5, 2.0)
        self._volume = number("volume", volume, 0.05, 8.0)
        self._loading = threading.Lock()
        # The package's own objects are not made for two threads at once.
        self._speaking = threading.Lock()
        self._voice: Any = None

    def warm(self) -> None:
        # A word that is in no dictionary loads the network that reads such words.
        for _ in self.speak("Warm up, Antiphonix, and say 12 of $3.50."):
            pass

    def speak(self, text: str) -> Iterator[bytes]:
        return pieces(f"hibari ({VOICE})", text, self._make, self._volume)

    def _make(self, sentence: str) -> tuple[Any, int]:
        words = latin(sentence, f"hibari ({VOICE})")
        voice = self._load()
        try:
            with self._speaking:
                # The same noise each time: the same sentence always sounds the same.
                return voice(words, speed=self._speed, seed=0), voice.sample_rate
        except Exception as error:  # whatever the package raises is its failure to speak
            raise SpeechError(f"The voice failed to speak: {first_line(error)}") from error

    def _load(self) -> Any:
        if self._voice is None:
            with self._loading:
                if self._voice is None:
                    PACKAGE.check()
                    self._voice = _voice(self._threads)
        return self._voice


def _voice(threads: int) -> Any:
    onnxruntime_for(PACKAGE.what)
    try:
        import hibari  # type: ignore[import-untyped]
    except ImportError as error:
        raise missing(PACKAGE.what, PACKAGE.requirement, error, PACKAGE.elsewhere) from error
    folder = Path(hibari.__file__).parent / PACKAGE.folder
    try:
        # By its file: a voice by name could be fetched from the network.
        return hibari.Hibari(voice=VOICE, model=str(folder / "hibari.onnx"), threads=threads)
    except Exception as error:  # what onnxruntime raises has no class of its own to name
        raise SpeechError(f"The voice cannot be loaded: {first_line(error)}") from error
