"""Backup archive: a zip file whose manifest names every member with its size and digest."""

from __future__ import annotations

import hashlib
import os
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import IO, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

FORMAT = 1
MANIFEST = "manifest.json"
PART = 1 << 20
_LARGEST_MANIFEST = 64 << 20

Kind = Literal["sqlite", "postgresql"]


class BackupError(Exception):
    """A backup that cannot be made, read or restored. The text says why and what to do."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Member(_Model):
    """One file of the archive. `table` and `columns` are those of a table of PostgreSQL."""

    name: str
    bytes: int
    sha256: str
    schema_name: str = ""
    table: str = ""
    columns: tuple[str, ...] = ()
    rows: int = 0


class Manifest(_Model):
    """What an archive holds. `store` is the kind of its store, `revision` that of its tables,
    `audit_seq` and `audit_hash` the last line of the audit, `master_key` the id of the key with
    which values are encrypted; it is in the archive only where `with_key`."""

    format: int
    antiphon: str
    made_at: str
    store: Kind
    revision: str
    audit_seq: int
    audit_hash: str
    knowledge: Kind
    master_key: str | None
    with_key: bool
    members: tuple[Member, ...]

    @property
    def bytes(self) -> int:
        return sum(member.bytes for member in self.members)


class ArchiveWriter:
    """Writes members one after the other and notes the size and digest of each."""

    def __init__(self, archive: zipfile.ZipFile, folder: Path) -> None:
        self._archive = archive
        self.folder = folder  # that of the archive: there is room for copies, too
        self.members: list[Member] = []

    def add_file(self, name: str, path: Path, limit: int | None = None) -> None:
        """Add a file as it is now, or its first `limit` bytes."""
        with path.open("rb") as source, self.member(name) as write:
            left = limit
            while part := source.read(PART if left is None else min(PART, left)):
                write(part)
                left = None if left is None else left - len(part)

    @contextmanager
    def member(
        self, name: str, facts: Callable[[], dict[str, object]] = dict
    ) -> Iterator[Callable[[bytes], None]]:
        """Begin a member and yield what writes into it; `facts` are asked for when it ends."""
        digest, size = hashlib.sha256(), 0
        with self._archive.open(name, "w", force_zip64=True) as out:

            def write(part: bytes) -> None:
                nonlocal size
                out.write(part)
                digest.update(part)
                size += len(part)

            yield write
        found = {"name": name, "bytes": size, "sha256": digest.hexdigest(), **facts()}
        self.members.append(Member.model_validate(found))

    def add_manifest(self, manifest: Manifest) -> None:
        self._archive.writestr(MANIFEST, manifest.model_dump_json(indent=1))


@contextmanager
def new_archive(path: Path) -> Iterator[ArchiveWriter]:
    """Write an archive that appears under its name only when it is whole."""
    partial = path.with_name(f"{path.name}.partial")
    try:
        handle = os.open(partial, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as file:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as archive:
                yield ArchiveWriter(archive, path.absolute().parent)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        raise BackupError(
            f"The backup {path} cannot be written: {error.strerror or error}. Check the folder, "
            "its permissions and the room on the disk."
        ) from error
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


class ArchiveReader:
    """Reads an archive whose manifest was checked; a member that differs from it is refused."""

    def __init__(self, archive: zipfile.ZipFile, manifest: Manifest, path: Path) -> None:
        self._archive = archive
        self.manifest = manifest
        self._path = path

    def parts(self, member: Member) -> Iterator[bytes]:
        """Yield the bytes of a member. Raises BackupError at the end of one that is not what the
        manifest says."""
        digest, size = hashlib.sha256(), 0
        try:
            with self._archive.open(member.name) as source:
                while size <= member.bytes and (part := source.read(PART)):
                    digest.update(part)
                    size += len(part)
                    yield part
        except (zipfile.BadZipFile, EOFError, OSError, NotImplementedError) as error:
            raise _damaged(self._path, f"{member.name}: {error}") from error
        except Exception as error:
            if type(error).__module__ == "zlib":
                raise _damaged(self._path, f"{member.name}: {error}") from error
            raise
        if size != member.bytes or digest.hexdigest() != member.sha256:
            raise _damaged(self._path, f"{member.name} is not what the manifest says")

    def check(self) -> None:
        """Read everything once. Raises BackupError for the first thing that is wrong."""
        for member in self.manifest.members:
            for _ in self.parts(member):
                pass


@contextmanager
def open_archive(path: Path) -> Iterator[ArchiveReader]:
    """Open an archive and read its manifest. Raises BackupError."""
    try:
        file: IO[bytes] = path.open("rb")
    except OSError as error:
        raise BackupError(f"{path} cannot be read: {error.strerror or error}.") from None
    with file:
        try:
            archive = zipfile.ZipFile(file)
            if archive.getinfo(MANIFEST).file_size > _LARGEST_MANIFEST:
                raise _damaged(path, "its manifest is too large")
            text = archive.read(MANIFEST)
            manifest = Manifest.model_validate_json(text)
        except KeyError:
            raise BackupError(f"{path} is no backup of Antiphon: it has no {MANIFEST}.") from None
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(map(str, first["loc"])) or MANIFEST
            raise _damaged(path, f"{MANIFEST}, {place}: {first['msg']}") from None
        except (zipfile.BadZipFile, EOFError, OSError, NotImplementedError) as error:
            raise BackupError(f"{path} is no backup of Antiphon, or is damaged: {error}.") from None
        if manifest.format != FORMAT:
            raise BackupError(
                f"{path} has format {manifest.format}, this Antiphon reads {FORMAT}. Use the "
                f"version that made it ({manifest.antiphon}) or a newer one."
            )
        for member in manifest.members:
            _check_name(path, member.name)
        with archive:
            yield ArchiveReader(archive, manifest, path)


def _check_name(path: Path, name: str) -> None:
    """Raises BackupError for a member that would be written elsewhere than below the data."""
    parts = PurePosixPath(name).parts
    if not parts or name.startswith("/") or ".." in parts or "\\" in name or "\0" in name:
        raise _damaged(path, f"{name!r} is no name of a member")


def _damaged(path: Path, why: str) -> BackupError:
    return BackupError(f"The backup {path} is damaged ({why}). Nothing was restored; use another.")
