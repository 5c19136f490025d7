"""GGUF model file: what it says of itself, read without the package that runs it."""

from __future__ import annotations

import mmap
import os
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DEFAULT_CONTEXT = 8192

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_TEXT, _ARRAY = 8, 9
# Types of single values, as `struct` has them; 8 is a text and 9 a list.
_SINGLE = {
    0: "B",
    1: "b",
    2: "H",
    3: "h",
    4: "I",
    5: "i",
    6: "f",
    7: "?",
    10: "Q",
    11: "q",
    12: "d",
}
_GIGABYTE = 1_000_000_000
# More than any model has.
_MOST_DIMENSIONS = 16
_MOST_NESTED = 4


class ModelFileError(Exception):
    """A file that holds no usable model; the message says what is wrong and what to do."""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A model in a file. `trained_context` are the tokens that it was trained for, 0 where it does
    not say; `token_bytes` is what each token of the context takes in memory."""

    path: Path
    size: int
    architecture: str
    parameters: int
    trained_context: int
    token_bytes: int
    has_template: bool

    def context(self, wanted: int | None) -> int:
        """The context window in tokens: as wanted, but no longer than it was trained for."""
        return min(wanted or DEFAULT_CONTEXT, self.trained_context or DEFAULT_CONTEXT)

    def memory(self, context: int) -> int:
        """About how many bytes it takes with such a context: weights and what it remembers."""
        return self.size + context * self.token_bytes

    def describe(self, context: int) -> str:
        """One line for people: name, size and context."""
        line = (
            f"{self.path.name} ({self.architecture}, {_count(self.parameters)} parameters, "
            f"{in_bytes(self.size)}), context {context} of {self.trained_context or '?'} tokens"
        )
        return line if self.has_template else f"{line}; {NO_TEMPLATE}"


NO_TEMPLATE = (
    "the file has no chat template, so this may not be an instruct model: a plain one is used"
)


def read_model_file(path: Path) -> ModelFile:
    """Read the head of a file. Raises ModelFileError."""
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size < 24 or file.read(4) != _MAGIC:
                raise ModelFileError(
                    f"{path} is no GGUF file. Choose a model that ends in .gguf, or convert yours "
                    "with llama.cpp's convert_hf_to_gguf.py."
                )
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                return _read(path, data)
    except FileNotFoundError:
        raise ModelFileError(f"There is no file {path}.") from None
    except IsADirectoryError:
        raise ModelFileError(f"{path} is a folder; name the .gguf file in it.") from None
    except OSError as error:
        raise ModelFileError(f"{path} cannot be read: {error.strerror or error}.") from None
    except (struct.error, UnicodeDecodeError, KeyError, OverflowError, ValueError):
        raise ModelFileError(f"{path} is damaged: its head makes no sense. {_AGAIN}") from None


_AGAIN = "Get the file once more."


def _read(path: Path, data: mmap.mmap) -> ModelFile:
    head = _Head(data)
    version = head.single("I")
    if version not in _VERSIONS:
        raise ModelFileError(
            f"{path} is in version {version} of GGUF; versions 2 and 3 are read. Convert the "
            "model anew."
        )
    tensors, count = head.single("Q"), head.single("Q")
    facts: dict[str, Any] = {}
    for _ in range(count):
        key = head.text()
        facts[key] = head.value(head.single("I"))
    parameters, last = 0, 0
    for _ in range(tensors):
        head.text()
        shape = [head.single("Q") for _ in range(head.dimensions())]
        head.single("I")
        last = max(last, head.single("Q"))
        whole = 1
        for each in shape:
            whole *= each
        parameters += whole
    if head.at + last > len(data):
        raise ModelFileError(
            f"{path} is cut off: it has {in_bytes(len(data))}, and its last part would begin at "
            f"{in_bytes(head.at + last)}. {_AGAIN}"
        )
    architecture = str(facts["general.architecture"])

    def fact(name: str, default: int = 0) -> int:
        found = facts.get(f"{architecture}.{name}", default)
        return int(found) if isinstance(found, int | float) else default

    heads = fact("attention.head_count", 1) or 1
    width = fact("embedding_length") // heads
    widths = [fact(f"attention.{each}_length", width) for each in ("key", "value")]
    kept = fact("attention.head_count_kv", heads) or heads
    return ModelFile(
        path=path,
        size=len(data),
        architecture=architecture,
        parameters=parameters,
        trained_context=fact("context_length"),
        token_bytes=fact("block_count") * kept * sum(widths) * 2,
        has_template=bool(facts.get("tokenizer.chat_template")),
    )


class _Head:
    """A place in the head of the file, moved on by what is read there."""

    def __init__(self, data: mmap.mmap) -> None:
        self._data = data
        self.at = len(_MAGIC)

    def single(self, form: str) -> Any:
        found = struct.unpack_from(f"<{form}", self._data, self.at)[0]
        self.at += struct.calcsize(form)
        return found

    def text(self) -> str:
        return self._take(self.single("Q")).decode()

    def dimensions(self) -> int:
        count: int = self.single("I")
        if count > _MOST_DIMENSIONS:
            raise ValueError("a tensor of many dimensions")
        return count

    def value(self, kind: int, depth: int = 0) -> Any:
        """A value of this type; of a list, which may be the whole vocabulary, only its length."""
        if kind == _TEXT:
            return self.text()
        if kind != _ARRAY:
            return self.single(_SINGLE[kind])
        if depth > _MOST_NESTED:
            raise ValueError("lists in lists")
        kind, count = self.single("I"), self.single("Q")
        if kind in (_TEXT, _ARRAY):
            for _ in range(count):
                if kind == _TEXT:
                    self._take(self.single("Q"))
                else:
                    self.value(kind, depth + 1)
        else:
            self._take(count * struct.calcsize(_SINGLE[kind]))
        return [count]

    def _take(self, size: int) -> bytes:
        begin, self.at = self.at, self.at + size
        if self.at > len(self._data):
            raise ValueError("behind the end")
        return self._data[begin : self.at]


def _count(number: int) -> str:
    if number >= _GIGABYTE:
        return f"{number / _GIGABYTE:.1f} billion"
    return f"{number / 1e6:.0f} million" if number >= 1_000_000 else str(number)


def in_bytes(size: int) -> str:
    """A size as people write it."""
    if size >= _GIGABYTE:
        return f"{size / _GIGABYTE:.1f} GB"
    return f"{size / 1e6:.1f} MB" if size >= 1_000_000 else f"{size} bytes"
