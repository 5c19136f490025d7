"""Definition files: things of the workspace that files define, reloaded when a file changes."""

from __future__ import annotations

import asyncio
import logging
import threading
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

import orjson
from pydantic import BaseModel, ValidationError

from antiphon.workspace.name_matching import match_name
from antiphon.workspace.validation import file_problem

logger = logging.getLogger(__name__)

MAX_BYTES = 256 * 1024

Thing = TypeVar("Thing")
Model = TypeVar("Model", bound=BaseModel)


class BadDefinition(Exception):
    """A file defines nothing; the words say what is wrong with it."""


class DefinitionFiles(Generic[Thing]):
    """One thing for each file of that suffix, by the file's name without it.

    Of two files of one name, the one in the later folder counts: people may replace what ships. A
    file that cannot be read is left out, and named in the log and in `left_out`. Safe to use from
    several threads.
    """

    def __init__(
        self, folders: Sequence[Path], suffix: str, read: Callable[[str, str], Thing]
    ) -> None:
        self._folders = tuple(folders)
        self._suffix = suffix
        self._read = read
        self._lock = threading.Lock()
        self._seen: dict[Path, tuple[int, int]] | None = None
        self._things: dict[str, Thing] = {}
        self._left_out: list[tuple[Path, str]] = []
        self._changes = 0

    def load(self) -> dict[str, Thing]:
        """Return the things by name. Blocks."""
        return self.load_with_version()[0]

    def left_out(self) -> list[tuple[Path, str]]:
        """Return the files that define nothing, each with what is wrong with it. Blocks."""
        self.load_with_version()
        return list(self._left_out)

    def load_with_version(self) -> tuple[dict[str, Thing], int]:
        """Return the things by name, and how often they have changed so far. Blocks."""
        with self._lock:
            seen = self._stat()
            if seen != self._seen:
                self._things = self._parse(seen)
                self._seen = seen
                self._changes += 1
            return self._things, self._changes

    def _stat(self) -> dict[Path, tuple[int, int]]:
        found = {}
        for folder in self._folders:
            for file in sorted(folder.glob(f"*{self._suffix}")):
                try:
                    facts = file.stat()
                except OSError:  # gone since it was listed, or not ours to look at
                    continue
                found[file] = (facts.st_mtime_ns, facts.st_size)
        return found

    def _parse(self, files: dict[Path, tuple[int, int]]) -> dict[str, Thing]:
        things: dict[str, Thing] = {}
        left_out = []
        for file, (_, size) in files.items():
            name = file.name.removesuffix(self._suffix)
            try:
                if size > MAX_BYTES:
                    raise BadDefinition(f"it is larger than {MAX_BYTES // 1024} KiB")
                things[name] = self._read(name, file.read_text("utf-8"))
            except (OSError, UnicodeDecodeError, BadDefinition) as error:
                logger.error("%s is left out: %s", file, error)
                left_out.append((file, _reason(error)))
        self._left_out = left_out
        return dict(sorted(things.items()))


class FileCatalogue(Generic[Thing]):
    """The things of one kind that ship and that people add as files, found by name or by title.

    `noun` is the word for one of them, `pointer` the argument that names it, `title` gives the
    title of one, and `filler` are words that people put beside a name. All methods raise ToolError
    and nothing else.
    """

    def __init__(
        self,
        files: DefinitionFiles[Thing],
        *,
        noun: str,
        pointer: str,
        title: Callable[[Thing], str],
        filler: Sequence[str],
    ) -> None:
        self.files = files
        self._noun = noun
        self._pointer = pointer
        self._title = title
        self._filler = filler

    async def all(self) -> list[Thing]:
        """Return all of them, by name."""
        return list((await asyncio.to_thread(self.files.load)).values())

    async def left_out(self) -> list[tuple[Path, str]]:
        """Return the files that define nothing, each with what is wrong with it."""
        return await asyncio.to_thread(self.files.left_out)

    async def find(self, wanted: str) -> Thing:
        """Return the one of that name or title, as people say it. Raises NotThere with the nearest
        names."""
        known = await asyncio.to_thread(self.files.load)
        titles = {name: (self._title(each),) for name, each in known.items()}
        return known[match_name(wanted, titles, self._noun, self._pointer, self._filler)]


def parse_toml(text: str) -> Any:
    """Return the document. Raises BadDefinition."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadDefinition(f"it is no TOML: {error}") from None


def parse_json(text: str) -> Any:
    """Return the document. Raises BadDefinition."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise BadDefinition(f"it is no JSON: {error}") from None


def validated(model: type[Model], body: Any) -> Model:
    """Return a document as its model has it. Raises BadDefinition, which says what is wrong first
    and where."""
    try:
        return model.model_validate(body)
    except ValidationError as error:
        raise BadDefinition(file_problem(error, model)) from None


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"it is no UTF-8 text (at byte {error.start + 1})"
    if isinstance(error, OSError):
        return f"it cannot be read: {error.strerror or error}"
    return str(error)
