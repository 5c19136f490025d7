"""The shipped networks: two int8 encoders over one table of words, and their heads."""

from __future__ import annotations

import hashlib
import threading
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

from antiphon.understanding.sequences import TokenSequence

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Floats = NDArray[numpy.float32]

WEIGHTS = Path(__file__).with_name("weights")
FILES = ("router.onnx", "reader.onnx", "words.npz", "heads.npz")


class WeightsError(RuntimeError):
    """The weights are missing, damaged, or cannot be run here."""


class Network:
    """Loads on first use, in about a third of a second; one instance serves all threads."""

    def __init__(self, folder: Path = WEIGHTS) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._sessions: dict[str, Any] = {}
        self._heads: dict[str, Floats] = {}
        self._table: Any = None
        self._scales: Any = None

    def head(self, name: str) -> Floats:
        """The array of a head, such as `router.act.weight`."""
        self.load()
        return self._heads[name]

    def hidden(self, which: str, found: Sequence[TokenSequence]) -> list[Floats]:
        """A vector for each token of each sequence, by the `router` or the `reader`."""
        import numpy

        self.load()
        width = max(len(one.ids) for one in found)
        ids = numpy.zeros((len(found), width), numpy.int64)
        segments = numpy.zeros_like(ids)
        mask = numpy.zeros((len(found), width), numpy.float32)
        for row, one in enumerate(found):
            ids[row, : len(one.ids)] = one.ids
            segments[row, : len(one.ids)] = one.segments
            mask[row, : len(one.ids)] = 1
        embedded = self._table[ids].astype(numpy.float32) * self._scales[ids]
        embedded += self._heads[f"{which}.places.weight"][:width]
        embedded += self._heads[f"{which}.segments.weight"][segments]
        try:
            (hidden,) = self._sessions[which].run(None, {"embedded": embedded, "mask": mask})
        except Exception as error:  # what onnxruntime raises has no class of its own to name
            raise WeightsError(f"The built-in model failed to run: {_first(error)}") from error
        return [hidden[row, : len(one.ids)] for row, one in enumerate(found)]

    def digest(self) -> str:
        """What tells these weights from others: of the router's file, which makes the vectors."""
        try:
            with (self._folder / FILES[0]).open("rb") as content:
                return hashlib.file_digest(content, "sha256").hexdigest()
        except OSError as error:
            raise WeightsError(f"The weights cannot be read: {error}") from error

    def load(self) -> None:
        """Raises WeightsError when a file is missing or cannot be read."""
        if self._sessions:
            return
        with self._lock:
            if not self._sessions:
                self._read()

    def _read(self) -> None:
        import numpy

        for name in FILES:
            if not (self._folder / name).is_file():
                raise WeightsError(
                    f"The weights {self._folder / name} are missing; install antiphon again."
                )
        heads = _arrays(self._folder / "heads.npz")
        self._heads = {name: array.astype(numpy.float32) for name, array in heads.items()}
        words = _arrays(self._folder / "words.npz")
        self._table, self._scales = words["table"], words["scales"].astype(numpy.float32)
        self._sessions = {
            which: _session(self._folder / f"{which}.onnx") for which in ("router", "reader")
        }


def _arrays(file: Path) -> dict[str, Any]:
    import numpy

    try:
        with file.open("rb") as content, numpy.load(content) as stored:
            return {name: stored[name] for name in stored.files}
    except (OSError, ValueError, EOFError, BadZipFile, zlib.error) as error:
        raise WeightsError(
            f"The weights {file} cannot be read ({_first(error)}); install antiphon again."
        ) from error


def _session(file: Path) -> Any:
    try:
        import onnxruntime  # type: ignore[import-untyped]
    except ImportError as error:
        raise WeightsError(
            f"The built-in model needs onnxruntime, which cannot be imported ({error}); install it "
            "with: pip install 'antiphon[knowledge]'"
        ) from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    # Its own store of memory would keep what the longest texts ever took.
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # what onnxruntime raises has no class of its own to name
        raise WeightsError(f"onnxruntime cannot load {file.name}: {_first(error)}") from error


def _first(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300]
