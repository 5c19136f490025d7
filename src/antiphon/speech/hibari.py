"""Text to speech by Hibari (English, 24 kHz), whose model comes inside a package."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from antiphon.speech.models import ModelPackage, first_line, missing_package, onnxruntime_for
from antiphon.speech.ports import SpeechError, number, whole_number
from antiphon.speech.synthesis import pieces
from antiphon.speech.tts_text import latin

PACKAGE = ModelPackage(
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
        "normalize.json": "d478ff05404bc43ac3e0468e306674e51085f1b1afc94cdef7c7ea4fb0d56bd8",
        "oov.json": "b462e6e5dbdf0e7346c732385d0dd844f612f1770871441c56932bff4ca75d8c",
        "tokenizer_exceptions.json": (
            "ddf3a3da07bdcf5144270ea4530191d8580fb4fd6f5ae93296e87916e795659a"
        ),
        "vocab.json": "70abefbe8a1c8865e43e0a43bbdc25b91a33e4aa053479d443ccf23e20a59e5d",
        "voices.json": "f8b7657ecd0e0e362d3403e99538c0e5bfe20d6a903dfcd04c772b2c73abb204",
        # It is run by the package's own code, which is as young as its models.
        "../__init__.py": "50c896afea40372dd6b44beb2f7640e22a2371261bcf4d9c1e827537ec21f608",
        "../dsp.py": "e530806d9214ba1f1528d28152213057b5d4660ba1c99704f0a15bf5743e2fd2",
        "../tts.py": "1923740904b4e7275fbde6bf30b1c5fc576c6004244e747870b30b3952b27af6",
        "../voices.py": "3f283e86d5d4165ef67870d32d38732e8e8513121a08831bcc5bf41f84dc7c46",
        "../g2p/__init__.py": "f669aa51bd10066de09e2aa1f01f8e26f4515ff8aa474c8892e8ce0092e8ac18",
        "../g2p/lexicon.py": "7108870d373d37366da06b89456613bfe6133cb1d29edf37c682ec809d3dfb31",
        "../g2p/normalize.py": "6d479f80a2dc6360c79d52abcc7ac666644e43f3db0b03e5975e02707d51a06a",
        "../g2p/numbers.py": "ce4dbfcdd83b2e54597b520918289c81aabd6e5af0036c46908ee02a2ebfba05",
        "../g2p/oov.py": "72da9972f5ec6c701519822acb0802f258d60d23fa6e2a54b69580e3437935f0",
        "../g2p/tagger.py": "4039365681ea584a9a52bf80685a42a19d46783fa50251cac9c1b92427c25e31",
        "../g2p/token.py": "2a46404a6a2a1ae6b6fcabd5ceb171de519ba1a5cbc257aa81f1e2d5cc0ee7a5",
        "../g2p/tokenize.py": "256e4b02bbf38612ab38a0818b2950ad6aaa319a86f9e6af1b66be71812ad424",
    },
    elsewhere="It runs wherever numpy and onnxruntime do; where they do not, set the synthesizer "
    "to openai (a server of your choice) or let the browser speak.",
)
VOICE = "heart"  # the one that is inside the package; others would be fetched


class Hibari:
    """Synthesizer that all conversations share; its model is loaded by `warm` or on first use."""

    parallel = 1

    def __init__(self, *, threads: int = 1, speed: float = 1.0, volume: float = 2.2) -> None:
        """`volume` is a factor, as the model speaks quietly; samples are never clipped."""
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
        raise missing_package(
            PACKAGE.what, PACKAGE.requirement, error, PACKAGE.elsewhere
        ) from error
    folder = Path(hibari.__file__).parent / PACKAGE.folder
    try:
        # By its file: a voice by name could be fetched from the network.
        return hibari.Hibari(voice=VOICE, model=str(folder / "hibari.onnx"), threads=threads)
    except Exception as error:  # what onnxruntime raises has no class of its own to name
        raise SpeechError(f"The voice cannot be loaded: {first_line(error)}") from error
