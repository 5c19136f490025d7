"""Tool sources: directories found and their files read once, with limits; trouble is a finding."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path

from antiphon.contracts.definition import HandlerKind
from antiphon.registry.findings import FindingList, LintFinding, plain

SHIPPED_TOOLS = Path(__file__).parents[1] / "tools"
CATALOGUE_TOOLS = SHIPPED_TOOLS / "catalogue"

SCHEMA = "schema.json"
GUIDE = "guide.md"
HANDLER = "handler.py"
TOOL_FILES = (SCHEMA, GUIDE, HANDLER)

KIB = 1024
LIMITS = {SCHEMA: 1024 * KIB, GUIDE: 256 * KIB}
PYTHON_LIMIT = 1024 * KIB
# A file that ends within this many bytes, less than any limit, is read by a single call.
_MOST_FILES = 64 * KIB

_PYTHON_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*\.py", re.ASCII)
_NAME_OF = attrgetter("name")
_READ_FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK


class UnreadableFile(OSError):
    """A file that cannot or must not be read; the text is a plain sentence without the path."""


@dataclass(slots=True)
class ToolSource:
    """One tool directory as it was read: these bytes are linted, hashed and imported.

    `present` names what is there, `files` what could be read of it. `reference` and `kind` are
    those of a tool that is a function: its `module:name`, and how it runs.
    """

    path: str
    label: str
    present: set[str] = field(default_factory=set)
    files: dict[str, bytes] = field(default_factory=dict)
    findings: list[LintFinding] = field(default_factory=list)
    kind: HandlerKind | None = None
    reference: str | None = None

    @property
    def directory(self) -> Path:
        return Path(self.path)

    @property
    def name(self) -> str:
        return os.path.basename(self.path)

    @property
    def python(self) -> dict[str, bytes]:
        """Return every Python file of the directory: the handler, its variants and their
        helpers."""
        return {name: data for name, data in self.files.items() if name.endswith(".py")}

    def file_label(self, name: str) -> str:
        return f"{self.label}/{plain(name)}" if name else self.label

    def raw_digest(self) -> str:
        """Return a digest that changes with any byte of any file; cheap, for telling whether
        anything changed."""
        return hash_files(self.files)

    def error(self, rule: str, file: str, message: str, fix: str) -> None:
        self.findings.append(LintFinding("error", rule, self.file_label(file), "", message, fix))


def hash_files(files: dict[str, bytes]) -> str:
    parts: list[bytes] = []
    for name in sorted(files):
        data = files[name]
        # Length-prefixed, so that no two sets of files run together to the same bytes.
        parts += (b"%s\0%d\0" % (name.encode(), len(data)), data)
    return hashlib.sha256(b"".join(parts)).hexdigest()


def read_regular(path: str | Path, limit: int) -> bytes:
    """Read a regular file of at most `limit` bytes; raises `UnreadableFile`.

    Never blocks: what is no regular file is refused before it is opened.
    """
    try:
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode):
            raise UnreadableFile(f"is {_kind(mode)}, not a file")
        descriptor = os.open(path, _READ_FLAGS)
        try:
            return _read_open(descriptor, limit)
        finally:
            os.close(descriptor)
    except UnreadableFile:
        raise
    except OSError as error:
        raise UnreadableFile(f"cannot be read: {_reason(error)}") from error
    except ValueError as error:
        raise UnreadableFile("cannot be read: the path is not a usable name") from error


def _read_open(descriptor: int, limit: int) -> bytes:
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableFile(f"is {_kind(status.st_mode)}, not a file")
    if status.st_size > limit:
        raise UnreadableFile(
            f"is {status.st_size:,} bytes long; {limit:,} is the limit for such a file"
        )
    chunks: list[bytes] = []
    size = 0
    while chunk := os.read(descriptor, status.st_size + 1 - size if size == 0 else 65536):
        chunks.append(chunk)
        size += len(chunk)
        if size > limit:
            raise UnreadableFile(f"grew past the limit of {limit:,} bytes while it was read")
        if size == status.st_size and len(chunks) == 1:
            break
    return b"".join(chunks)


def discover(folders: Sequence[Path], findings: list[LintFinding]) -> Iterator[ToolSource]:
    """Read the tool directories below `folders`, one after the other.

    Whatever is wrong with the folders themselves is added to `findings`.
    """
    seen: set[str] = set()
    labels = _folder_labels(folders)
    for folder, label in zip(folders, labels, strict=True):
        try:
            real = os.path.realpath(folder)
        except ValueError:
            # A null byte in the path: listing the folder will say so.
            real = os.path.abspath(folder)
        if real in seen:
            continue
        seen.add(real)
        yield from _read_folder(folder, FindingList(label, findings))


def handler_newer_than(folders: Sequence[Path], file: Path) -> bool:
    """Whether some tool's handler was written after `file`.

    A quick guess from the clock, for what is worth starting early; only reading the tools tells
    what has changed.
    """
    try:
        moment = os.stat(file).st_mtime_ns
        paths = [f"{folder}/{name}/{HANDLER}" for folder in folders for name in os.listdir(folder)]
    except (OSError, ValueError):
        return False
    for path in paths:
        try:
            if os.stat(path).st_mtime_ns > moment:
                return True
        except OSError:
            continue
    return False


def read_tool(directory: str | Path, label: str | None = None) -> ToolSource:
    """Read one tool directory: `schema.json`, `guide.md` and every `*.py`."""
    path = os.fspath(directory)
    source = ToolSource(path, plain(os.path.basename(path)) if label is None else label)
    try:
        with os.scandir(path) as entries:
            listing = sorted(entries, key=_NAME_OF)
    except OSError as error:
        source.error("unreadable", "", _unlistable(error), "Give the builder read access.")
        return source
    source.present.update(entry.name for entry in listing)
    for entry in listing:
        name = entry.name
        if name in LIMITS:
            _read_into(source, entry, LIMITS[name])
        elif name.endswith(".py") and not name.startswith("."):
            if _PYTHON_NAME.fullmatch(name):
                _read_into(source, entry, PYTHON_LIMIT)
            else:
                source.error(
                    "file-name",
                    name,
                    "is not a usable name for a Python file",
                    "Use letters, digits, `_`, `-` and `.` only.",
                )
        elif not name.startswith((".", "_")) and _holds_python(entry):
            source.findings.append(
                LintFinding(
                    "warning",
                    "python-subfolder",
                    source.file_label(name),
                    "",
                    "holds Python files that are not part of the tool",
                    f"Put them beside {HANDLER}; a tool's code is the files of its own directory.",
                )
            )
    return source


def _folder_labels(folders: Iterable[Path]) -> list[str]:
    names = [plain(os.path.basename(os.path.abspath(folder))) for folder in folders]
    # Two folders of the same name would be indistinguishable in findings.
    return [
        plain(folder.as_posix()) if names.count(name) > 1 else name
        for folder, name in zip(folders, names, strict=True)
    ]


def _read_folder(folder: Path, found: FindingList) -> Iterator[ToolSource]:
    rule = "folder"
    try:
        with os.scandir(folder) as entries:
            listing = sorted(entries, key=_NAME_OF)
    except FileNotFoundError:
        fix = "Check the path, or make the first tool with `antiphon new-tool NAME --folder DIR`."
        found.error(rule, "", "there is no such folder", fix)
        return
    except NotADirectoryError:
        found.error(rule, "", "is not a folder", "Name the folder that holds the tools.")
        return
    except (OSError, ValueError) as problem:
        found.error(rule, "", _unlistable(problem), "Give the builder read access.")
        return
    if SCHEMA in (entry.name for entry in listing):
        message = "is itself a tool directory, not a folder of tools"
        found.error(rule, "", message, "Name the folder above it.")
        return
    empty = True
    for entry in listing:
        name = entry.name
        if not name.startswith((".", "_")) and _is_directory(entry):
            source = read_tool(entry.path, f"{found.file}/{plain(name)}")
            unlistable = not source.present and source.findings
            if unlistable or not source.present.isdisjoint(TOOL_FILES):
                empty = False
                yield source
    if empty:
        fix = "Make one with `antiphon new-tool NAME`, or leave the folder out."
        found.warning(rule, "", "holds no tool directories", fix)


def _is_directory(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        # A symlink loop or a vanished mount: nothing in there can be a tool.
        return False


def _holds_python(entry: os.DirEntry[str]) -> bool:
    if not _is_directory(entry):
        return False
    try:
        return any(name.endswith(".py") for name in os.listdir(entry.path))
    except OSError:
        return False


def _read_into(source: ToolSource, entry: os.DirEntry[str], limit: int) -> None:
    try:
        source.files[entry.name] = _read_entry(entry, limit)
    except UnreadableFile as error:
        fix = "Put a readable file in its place."
        if "limit" in str(error):
            fix = "Make it smaller."
        source.error("unreadable", entry.name, str(error), fix)


def _read_entry(entry: os.DirEntry[str], limit: int) -> bytes:
    # The directory listing already knows a plain file, which saves a stat for each of thousands.
    try:
        plain_file = entry.is_file(follow_symlinks=False)
    except OSError:
        plain_file = False
    if not plain_file:
        return read_regular(entry.path, limit)
    try:
        descriptor = os.open(entry.path, _READ_FLAGS)
    except OSError as error:
        raise UnreadableFile(f"cannot be read: {_reason(error)}") from error
    try:
        data = os.read(descriptor, _MOST_FILES)
        if len(data) < _MOST_FILES:
            return data
        os.lseek(descriptor, 0, os.SEEK_SET)
        return _read_open(descriptor, limit)
    except UnreadableFile:
        raise
    except OSError as error:
        raise UnreadableFile(f"cannot be read: {_reason(error)}") from error
    finally:
        os.close(descriptor)


def _kind(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a folder"
    if stat.S_ISFIFO(mode):
        return "a pipe"
    if stat.S_ISSOCK(mode):
        return "a socket"
    return "a device"


def _reason(error: OSError) -> str:
    if error.errno == errno.ENOENT:
        return "it is a link to nothing, or it has just been removed"
    if error.errno == errno.ELOOP:
        return "its links go round in a circle"
    return (error.strerror or "unknown reason").lower()


def _unlistable(error: OSError | ValueError) -> str:
    reason = _reason(error) if isinstance(error, OSError) else "the path is not a usable name"
    return f"the folder cannot be listed: {reason}"
