"""Making of a backup, also while a server runs: each database out of one moment."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from antiphon import __version__
from antiphon.app.backup.archive import (
    FORMAT,
    ArchiveWriter,
    BackupError,
    Kind,
    Manifest,
    new_archive,
)
from antiphon.app.master_keys import master_key_place
from antiphon.secrecy.errors import SecrecyError
from antiphon.storage import StoreError
from antiphon.storage.database import shown_url, sqlite_path

if TYPE_CHECKING:
    from antiphon.config import Settings

SQLITE = b"SQLite format 3\0"
STORE, KNOWLEDGE, DATA = "store", "knowledge", "data"
AUDIT_FILE = "audit.jsonl"
# Made anew from what is kept: locks of running processes, caches, and indexes of databases.
_LEFT_OUT = (".lock", "-wal", "-shm", "-journal", ".cache", ".partial", ".vectors", ".shorter")
_INDEXES = ("text", "rows.bin")


def make_backup(settings: Settings, path: Path, *, with_key: bool = False) -> Manifest:
    """Write all that this deployment keeps into an archive at `path`. Blocks. Raises BackupError.

    The master key is left out, unless `with_key` and it is a file.
    """
    if path.exists():
        raise BackupError(f"{path} is there already. Name another file, or move it away.")
    if not path.absolute().parent.is_dir():
        raise BackupError(f"The folder {path.absolute().parent} is not there; create it first.")
    url = settings.store.url
    assert url is not None
    place = master_key_place(settings)
    try:
        key = place.read()
    except SecrecyError as error:
        raise BackupError(str(error)) from None
    if with_key and (key is None or key.source != "file"):
        raise BackupError("The master key is not in a file, so it cannot be put into the backup.")
    if settings.tasks.url not in (None, url):
        raise BackupError(
            "`tasks.url` names a store of its own, which a backup cannot include. Leave it out of "
            "the settings, so that tasks are kept with everything else."
        )
    left_out = {path.absolute(), path.absolute().with_name(f"{path.name}.partial")}
    if not with_key:
        left_out.add(place.path.absolute())
    try:
        with new_archive(path) as archive:
            _add_files(archive, settings, left_out)
            if with_key and place.file is not None:
                archive.add_file(f"{DATA}/master-key", place.file)
            store, revision, head = _add_store(archive, url)
            knowledge: Kind = "sqlite"
            if settings.knowledge.url:
                knowledge = "postgresql"
                _add_knowledge(archive, settings.knowledge.url)
            manifest = Manifest(
                format=FORMAT,
                antiphon=__version__,
                made_at=datetime.now(UTC).isoformat(timespec="seconds"),
                store=store,
                revision=revision,
                audit_seq=head[0],
                audit_hash=head[1],
                knowledge=knowledge,
                master_key=None if key is None else key.id,
                with_key=with_key,
                members=tuple(archive.members),
            )
            archive.add_manifest(manifest)
    except StoreError as error:
        raise BackupError(str(error)) from None
    except sqlite3.Error as error:
        raise BackupError(f"A database of {settings.data} cannot be read: {error}.") from None
    return manifest


def store_path(url: str) -> Path | None:
    """The file of an SQLite store; None for a store on a server. Raises BackupError."""
    if url.startswith("sqlite"):
        path = sqlite_path(url)
        if path is None:
            raise BackupError("A store in memory ends with its process; there is nothing to keep.")
        return path
    return None


def is_sqlite(path: Path) -> bool:
    """Tell whether a file is an SQLite database."""
    with path.open("rb") as file:
        return file.read(len(SQLITE)) == SQLITE


# -- files of the data folder ----------------------------------------------------------------------


def _add_files(archive: ArchiveWriter, settings: Settings, left_out: set[Path]) -> None:
    """Add the files of the data folder, and a copy of each SQLite database in it. The audit file
    comes before the store, so that it never has a line that the store does not."""
    url = settings.store.url or ""
    store = store_path(url)
    if store is not None:
        left_out = left_out | {store.absolute()}
    if not settings.data.is_dir():
        raise BackupError(
            f"There is no data folder at {settings.data}. Start the server once, or say where it "
            "is with --data."
        )
    for path in _files(settings.data, left_out):
        name = f"{DATA}/{path.relative_to(settings.data).as_posix()}"
        if path.name == AUDIT_FILE:
            archive.add_file(name, path, _whole_lines(path))
        elif is_sqlite(path):
            with _copied(path, archive.folder) as copy:
                archive.add_file(name, copy)
        else:
            archive.add_file(name, path)


def _files(folder: Path, left_out: set[Path]) -> Iterator[Path]:
    """The files below a folder that are to be kept, in order; links are not followed."""
    for path in sorted(folder.iterdir()):
        if path.is_symlink() or path.name.endswith(_LEFT_OUT) or path.absolute() in left_out:
            continue
        if path.is_dir():
            if path.name.endswith(".nodes"):
                continue
            is_index = path.name in _INDEXES and (folder / "knowledge.db").is_file()
            if not is_index:
                yield from _files(path, left_out)
        elif path.is_file():
            if path.name in _INDEXES and (folder / "knowledge.db").is_file():
                continue
            yield path


def _whole_lines(path: Path) -> int:
    """The bytes of a file up to the end of its last whole line."""
    with path.open("rb") as file:
        end = file.seek(0, os.SEEK_END)
        while end > 0:
            start = max(0, end - (1 << 16))
            file.seek(start)
            newline = file.read(end - start).rfind(b"\n")
            if newline >= 0:
                return start + newline + 1
            end = start
    return 0


@contextmanager
def _copied(path: Path, beside: Path) -> Iterator[Path]:
    """Copy an SQLite database as it is in one moment, whoever writes meanwhile."""
    with tempfile.TemporaryDirectory(prefix=".antiphon-backup-", dir=beside) as folder:
        copy = Path(folder) / "copy.db"
        with (
            closing(sqlite3.connect(path, timeout=30)) as source,
            closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)
            # One file: a log beside the copy would be lost.
            target.execute("PRAGMA journal_mode = DELETE")
        yield copy


# -- the store and knowledge on a server -----------------------------------------------------------


def _add_store(archive: ArchiveWriter, url: str) -> tuple[Kind, str, tuple[int, str]]:
    """Add the store; return its kind, the revision of its tables and the last line of its audit."""
    from antiphon.storage.migrations import HEAD
    from antiphon.storage.postgres_dump import connected, current_schema
    from antiphon.storage.tables import metadata

    path = store_path(url)
    if path is None:
        where = shown_url(url)
        with connected(plain_url(url), where, snapshot=True) as connection:
            schema = current_schema(connection)
            query = "SELECT version_num FROM alembic_version"
            row = connection.execute(query).fetchone()
            revision = _at_head(None if row is None else row[0], HEAD, where)
            tables = ["alembic_version", *(table.name for table in metadata.sorted_tables)]
            _add_tables(archive, connection, STORE, schema, tables)
            row = connection.execute("SELECT seq, hash FROM audit_head").fetchone()
        return "postgresql", revision, (row[0], row[1]) if row else (0, "")
    if not path.is_file():
        raise BackupError(
            f"There is no store at {path}. Start the server once, or say where it is with --data."
        )
    with _copied(path, archive.folder) as copy:
        archive.add_file(f"{STORE}/antiphon.db", copy)
        with closing(sqlite3.connect(copy)) as connection:
            found = connection.execute("SELECT version_num FROM alembic_version").fetchone()
            revision = _at_head(None if found is None else found[0], HEAD, str(path))
            head = connection.execute("SELECT seq, hash FROM audit_head").fetchone()
    return "sqlite", revision, (head[0], head[1]) if head else (0, "")


def _at_head(revision: str | None, head: str, where: str) -> str:
    if revision != head:
        raise BackupError(
            f"The store at {where} has tables of version {revision or 'none'}, this Antiphon has "
            f"{head}. Start the server once, which updates them, or use the version that made them."
        )
    return head


def _add_knowledge(archive: ArchiveWriter, url: str) -> None:
    from antiphon.knowledge.postgres.connections import SCHEMA
    from antiphon.storage.postgres_dump import connected, schemas_like, tables_of

    with connected(plain_url(url), shown_url(url), snapshot=True) as connection:
        for schema in schemas_like(connection, SCHEMA):
            # Its one row says how the server keeps vectors, which the next one may do otherwise.
            tables = [name for name in tables_of(connection, schema) if name != "format"]
            _add_tables(archive, connection, KNOWLEDGE, schema, tables)


def _add_tables(
    archive: ArchiveWriter, connection: object, part: str, schema: str, tables: list[str]
) -> None:
    from antiphon.storage.postgres_dump import TableDump, dump_table

    for table in tables:
        dumped: list[TableDump] = []

        def facts(dumped: list[TableDump] = dumped) -> dict[str, object]:
            found = dumped[0]
            return {
                "schema_name": found.schema if part == KNOWLEDGE else "",
                "table": found.table,
                "columns": found.columns,
                "rows": found.rows,
            }

        folder = f"{part}/{schema}" if part == KNOWLEDGE else part
        with archive.member(f"{folder}/{table}.copy", facts) as write:
            dumped.append(dump_table(connection, schema, table, write))  # type: ignore[arg-type]


def plain_url(url: str) -> str:
    """The URL as the driver itself takes it, without SQLAlchemy's name of a driver."""
    scheme, separator, rest = url.partition("://")
    return f"{scheme.partition('+')[0]}{separator}{rest}"
