"""A file of arrays that is mapped rather than read: the columns and vectors of a large database."""

from __future__ import annotations

import contextlib
import json
import mmap
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MAGIC = b"antiphon-arrays1"
_ALIGN = 4096


class DamagedSnapshotError(Exception):
    """The snapshot cannot be used; it is made again from SQLite."""


def save(path: Path, meta: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a new file and replace the old one atomically; readers may keep the old one."""
    places: dict[str, Any] = {}
    end = 0
    for name, array in arrays.items():
        start = -(-end // _ALIGN) * _ALIGN
        end = start + array.nbytes
        places[name] = {
            "at": start,
            "type": array.dtype.str,
            "shape": array.shape,
            "sum": _sum(np.ascontiguousarray(array).reshape(-1).view(np.uint8)),
        }
    header = json.dumps({"meta": meta, "arrays": places}).encode()
    begin = -(-(len(_MAGIC) + 24 + len(header)) // _ALIGN) * _ALIGN
    aside = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        with open(aside, "wb") as file:
            os.chmod(aside, 0o600)
            file.write(_MAGIC)
            for number in (len(header), begin, _sum(np.frombuffer(header, np.uint8))):
                file.write(number.to_bytes(8, "little"))
            file.write(header)
            for name, array in arrays.items():
                file.seek(begin + places[name]["at"])
                file.write(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
            file.truncate(max(begin + end, begin))
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            aside.unlink()


def load(path: Path) -> tuple[dict[str, Any], dict[str, NDArray[Any]]] | None:
    """Map a snapshot, or None when there is no file. Raises DamagedSnapshotError.

    The arrays are mapped copy-on-write: changes stay in this process and never reach the file.
    """
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size < len(_MAGIC) + 24:
                raise DamagedSnapshotError("it is too short")
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    except FileNotFoundError:
        return None
    try:
        return _read(mapped, size)
    except (LookupError, TypeError, ValueError, OverflowError) as error:
        raise DamagedSnapshotError(str(error)) from error


def _read(mapped: mmap.mmap, size: int) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    head = len(_MAGIC) + 24
    if mapped[: len(_MAGIC)] != _MAGIC:
        raise DamagedSnapshotError("it does not begin as it should")
    length, begin, check = (
        int.from_bytes(mapped[at : at + 8], "little") for at in range(len(_MAGIC), head, 8)
    )
    if head + length > min(begin, size):
        raise DamagedSnapshotError("it is too short")
    header = mapped[head : head + length]
    if _sum(np.frombuffer(header, np.uint8)) != check:
        raise DamagedSnapshotError("its header has changed")
    described = json.loads(header)
    whole = np.frombuffer(mapped, np.uint8)
    arrays: dict[str, NDArray[Any]] = {}
    for name, place in described["arrays"].items():
        kind, shape = np.dtype(place["type"]), tuple(place["shape"])
        start = begin + place["at"]
        stop = start + kind.itemsize * int(np.prod(shape, dtype=np.int64))
        if stop > size:
            raise DamagedSnapshotError("it is too short")
        part = whole[start:stop]
        if _sum(part) != place["sum"]:
            raise DamagedSnapshotError(f"its part {name} has changed")
        arrays[name] = part.view(kind).reshape(shape)
    return described["meta"], arrays


def _sum(data: NDArray[np.uint8]) -> int:
    """Checksum of all bytes as 64-bit words: finds damage at the speed of memory."""
    words = len(data) // 8 * 8
    total = int(np.add.reduce(data[:words].view(np.uint64), dtype=np.uint64)) if words else 0
    return (total + int.from_bytes(data[words:].tobytes(), "little")) % 2**64
