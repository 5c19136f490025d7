"""Inference engine: llama.cpp in this process, with one model and one request at a time."""

from __future__ import annotations

import gc
import logging
import os
import secrets
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from antiphon.contracts.events import Fault
from antiphon.extras import MissingExtra, naming_extras
from antiphon.providers.gguf.model_file import NO_TEMPLATE, ModelFile, in_bytes
from antiphon.providers.port import ProviderFault

logger = logging.getLogger(__name__)

Chunk = dict[str, Any]

# Tokens of a prompt that are read at once; between two such batches a request can be stopped.
_BATCH = 128
_ERRORS_ONLY = 1


class Engine:
    """A loaded model. `load`, `stream` and `close` are called from one thread."""

    def __init__(self, file: ModelFile, context: int, threads: int | None = None) -> None:
        self.file = file
        self.context = context
        self._threads = threads or default_threads()
        self._server: Any = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def check(self) -> Any:
        """Return the package that runs models. Raises ProviderFault: it is not installed, or the
        memory is not enough. Where memory is promised before it is there, loading too much would
        end the process."""
        package = _import_package()
        needed, there = self.file.memory(self.context), _memory()
        if there is not None and needed > there:
            raise ProviderFault(
                Fault(
                    "overloaded",
                    f"{self.file.path.name} with a context of {self.context} tokens needs about "
                    f"{in_bytes(needed)} of memory, and this machine has {in_bytes(there)}. Choose "
                    "a smaller model, or a smaller `local.context`.",
                )
            )
        return package

    def load(self) -> None:
        """Load the model, if it is not yet. Raises ProviderFault."""
        if self._server is not None:
            return
        package = self.check()
        if not self.file.has_template:
            logger.warning("%s: %s", self.file.path, NO_TEMPLATE)
        self._folder = tempfile.TemporaryDirectory(prefix="antiphon-llm-")
        try:
            self._server = package.Server(self._parameters(package, Path(self._folder.name)))
        except (RuntimeError, MemoryError) as error:
            self._folder.cleanup()
            raise ProviderFault(
                Fault(
                    "not_configured",
                    f"{self.file.path} cannot be loaded: llama.cpp does not know this kind of "
                    f"model ({self.file.architecture}), the file or its chat template is damaged, "
                    f"or about {in_bytes(self.file.memory(self.context))} of memory are not free. "
                    "Its own words stand in the error output.",
                    detail=f"{type(error).__name__}: {error}",
                )
            ) from error

    def stream(self, request: dict[str, Any], on_chunk: Callable[[Chunk], bool]) -> None:
        """Answer a request; `on_chunk` is given each piece, and ends it by returning True."""
        trouble: list[Exception] = []

        def take(chunk: Chunk) -> bool:
            try:
                return on_chunk(chunk)
            except Exception as error:  # noqa: BLE001 - the engine would swallow it
                trouble.append(error)
                return True

        self._server.handle_chat_completions({**request, "stream": True}, take)
        if trouble:
            raise trouble[0]

    def close(self) -> None:
        """Free the model."""
        self._server = None
        gc.collect()
        if self._folder is not None:
            self._folder.cleanup()

    def _parameters(self, package: Any, folder: Path) -> Any:
        parameters = package.CommonParams()
        parameters.model.path = str(self.file.path)
        parameters.load_mode = package.llama_load_mode.LLAMA_LOAD_MODE_MMAP
        parameters.n_ctx = self.context
        parameters.n_batch = parameters.n_ubatch = _BATCH
        parameters.n_parallel = 1
        parameters.cpuparams.n_threads = self._threads
        parameters.cpuparams_batch.n_threads = self._threads
        parameters.cache_ram_mib = 0  # else it keeps up to 8 GiB of earlier prompts
        parameters.warmup = False
        parameters.verbosity = _ERRORS_ONLY
        # It opens a socket whether it is wanted or not. This one is in a folder that is ours alone,
        # and asks for a key that nobody has.
        parameters.hostnames = [str(folder / "unused.sock")]
        parameters.api_keys = [secrets.token_hex(32)]
        parameters.ui = parameters.endpoint_slots = False
        parameters.n_threads_http = 1
        return parameters


def _import_package() -> Any:
    """Import what runs models. Raises ProviderFault with the pip line that installs it."""
    try:
        with naming_extras():
            import xllamacpp
    except MissingExtra as error:
        raise ProviderFault(Fault("missing_sdk", str(error))) from error
    return xllamacpp


def default_threads() -> int:
    """Half of the processors: two of them are often one core, and waiting threads slow each other
    down."""
    there = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, (there or 2) // 2)


def _memory() -> int | None:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None
