"""Import checkpoints beside the database, from which a killed import resumes."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

import orjson


@dataclass(slots=True)
class Checkpoint:
    """State of an import after a batch that is on disk.

    What follows it is imported again, which changes nothing: records and edges replace those with
    the same id.
    """

    fingerprint: str
    format: str
    on_error: str
    phase: str = "records"
    position: tuple[int, ...] | None = None
    first_edge: tuple[int, ...] | None = None
    report: dict[str, Any] = field(default_factory=dict)


class CheckpointFile:
    """The checkpoint of one imported path in one database."""

    def __init__(self, folder: Path, path: Path) -> None:
        name = blake2b(os.fsencode(path.absolute()), digest_size=8).hexdigest()
        self._path = folder / f"import-{name}.json"

    def load(self, fingerprint: str, format: str, on_error: str) -> Checkpoint | None:
        """The checkpoint, if it is of the same import of the same unchanged file; else None."""
        try:
            body = orjson.loads(self._path.read_bytes())
            found = Checkpoint(**body)
        except FileNotFoundError:
            return None
        except (orjson.JSONDecodeError, TypeError):
            return None  # written by another version: begin anew, which is only slower
        if (found.fingerprint, found.format, found.on_error) != (fingerprint, format, on_error):
            return None
        found.position = tuple(found.position) if found.position is not None else None
        found.first_edge = tuple(found.first_edge) if found.first_edge is not None else None
        return found

    def save(self, checkpoint: Checkpoint) -> None:
        aside = self._path.with_suffix(f".{os.getpid()}.tmp")
        aside.write_bytes(orjson.dumps(checkpoint))
        os.replace(aside, self._path)

    def remove(self) -> None:
        self._path.unlink(missing_ok=True)
