"""Rows that every import format is read as: content and position, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO, Protocol

from antiphon.contracts import ErrorType
from antiphon.knowledge.errors import KnowledgeError
from antiphon.knowledge.records import Edge, Record

# The longest line, CSV row, Markdown file or XML element that is read.
MAX_ROW = 16 * 1024 * 1024
HEAD = 64 * 1024

# Where to go on reading; what the numbers mean is the format's own affair.
Position = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One record or edge of a source, or the reason why there is none at this place."""

    line: int
    position: Position  # behind this row
    done: int  # bytes of the whole that have been read
    item: Record | Edge | None = None
    problem: str = ""
    file: str = ""  # in a folder: which file
    optional: bool = False  # an edge that is left out without complaint if an end is missing


class Source(Protocol):
    """A file or folder in one of the formats."""

    format: str
    size: int

    def fingerprint(self) -> str:
        """Text that changes when the file does."""

    def rows(self, start: Position | None = None) -> Iterator[Row]:
        """Rows from the beginning, or from a position that an earlier row gave."""


def file_fingerprint(path: Path) -> str:
    """Size, time and digest of the beginning: enough to see that a file has changed."""
    found = path.stat()
    with path.open("rb") as stream:
        head = blake2b(stream.read(HEAD), digest_size=16).hexdigest()
    return f"{found.st_size}:{found.st_mtime_ns}:{head}"


def check_text_file(path: Path) -> int:
    """Offset of the text, behind a byte order mark. Raises KnowledgeError for what is no text."""
    with path.open("rb") as stream:
        head = stream.read(HEAD)
    if head.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")):
        raise KnowledgeError(f"{path.name} is in UTF-16 or UTF-32; save it as UTF-8 first.")
    if head.startswith((b"\x1f\x8b", b"PK\x03\x04", b"\x28\xb5\x2f\xfd")):
        raise KnowledgeError(f"{path.name} is compressed; unpack it first.")
    if b"\0" in head:
        raise KnowledgeError(
            f"{path.name} is not text: it has a zero byte at {head.index(0)}. Was it saved as "
            "UTF-16, or is it another kind of file?"
        )
    return 3 if head.startswith(b"\xef\xbb\xbf") else 0


def read_lines(stream: BinaryIO, offset: int, line: int) -> Iterator[tuple[int, bytes | None, int]]:
    """Number, content and end of each line behind `offset`; None for one longer than MAX_ROW.

    Only `\\n` ends a line, so that other line ends inside a value stay what they are.
    """
    stream.seek(offset)
    while raw := stream.readline(MAX_ROW + 1):
        line += 1
        offset += len(raw)
        if len(raw) <= MAX_ROW or raw.endswith(b"\n"):
            yield line, raw, offset
            continue
        del raw
        while rest := stream.readline(HEAD):
            offset += len(rest)
            if rest.endswith(b"\n"):
                break
        yield line, None, offset


def too_long(what: str = "the line") -> str:
    return f"{what} is longer than {MAX_ROW // 2**20} MB; split what it holds into several records"


def not_utf8(error: UnicodeDecodeError) -> str:
    return (
        f"byte 0x{error.object[error.start]:02x} at column {error.start + 1} is not UTF-8; "
        "save the file as UTF-8"
    )


def missing(path: Path) -> KnowledgeError:
    return KnowledgeError(f"There is no file or folder {path}.", ErrorType.NOT_FOUND)
