"""Restoring of a backup into an empty deployment, verified when it is done."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from antiphon.app.backup.archive import ArchiveReader, BackupError, Member, open_archive
from antiphon.app.backup.making import KNOWLEDGE, STORE, plain_url, store_path
from antiphon.app.master_keys import master_key_place
from antiphon.knowledge.errors import KnowledgeError
from antiphon.secrecy.errors import SecrecyError
from antiphon.secrecy.master_key import KEY_FILE
from antiphon.storage import StoreError
from antiphon.storage.database import make_tables, shown_url

if TYPE_CHECKING:
    from antiphon.app.backup.archive import Manifest
    from antiphon.config import Settings
    from antiphon.storage import AuditReport

UNFINISHED = ".restoring"
# What somebody may have put into the folder of a new deployment before anything ran there.
_MAY_BE_THERE = frozenset({KEY_FILE, "antiphon.toml", ".env"})


@dataclass(frozen=True, slots=True)
class Restored:
    """What was restored, and what verifying its audit found."""

    manifest: Manifest
    files: int
    rows: int
    audit: AuditReport


async def restore_backup(settings: Settings, path: Path) -> Restored:
    """Restore an archive into the deployment of the settings, which has to be empty; then open its
    store, which brings older tables up to date, and verify the audit. Raises BackupError."""
    from antiphon.app.store import open_store

    with open_archive(path) as archive:
        manifest = archive.manifest
        _check_kinds(settings, archive)
        _check_empty(settings, archive)
        _check_key(settings, archive)
        archive.check()
        _check_tables(archive, path)
        try:
            files = _write_files(settings, archive)
            rows = _load_tables(settings, archive)
            _move_files(settings, archive)
        except (StoreError, KnowledgeError) as error:
            shutil.rmtree(settings.data / UNFINISHED, ignore_errors=True)
            raise BackupError(
                f"The restoration was not finished. {error} Make the databases empty again before "
                "you try once more."
            ) from None
        except OSError as error:
            shutil.rmtree(settings.data / UNFINISHED, ignore_errors=True)
            raise BackupError(
                f"The restoration was not finished: {settings.data} cannot be written "
                f"({error.strerror or error}). Check its permissions and the room on the disk."
            ) from None
    try:
        async with open_store(settings) as store:
            report = await store.verify_audit()
    except StoreError as error:
        raise BackupError(f"It was restored, but cannot be opened. {error}") from None
    return Restored(manifest, files, rows, report)


# -- whether it may be done ------------------------------------------------------------------------


def _check_kinds(settings: Settings, archive: ArchiveReader) -> None:
    """Raises BackupError where the settings name another kind of store than the backup has."""
    manifest = archive.manifest
    url = settings.store.url or ""
    for name, there, wanted in (
        ("store.url", "sqlite" if store_path(url) else "postgresql", manifest.store),
        (
            "knowledge.url",
            "postgresql" if settings.knowledge.url else "sqlite",
            manifest.knowledge,
        ),
    ):
        if there != wanted:
            raise BackupError(
                f"The backup is of a deployment with {_named(wanted)}; `{name}` of these settings "
                f"names {_named(there)}. Set it to an empty one of the other kind."
            )


def _named(kind: str) -> str:
    return "PostgreSQL" if kind == "postgresql" else "SQLite files"


def _check_empty(settings: Settings, archive: ArchiveReader) -> None:
    """Raises BackupError where something is kept already: nothing is ever restored over it."""
    from antiphon.storage.postgres_dump import connected, current_schema, schemas_like, tables_of
    from antiphon.storage.tables import metadata

    if settings.data.exists():
        if not settings.data.is_dir():
            raise BackupError(f"{settings.data} is no folder.")
        there = sorted({each.name for each in settings.data.iterdir()} - _MAY_BE_THERE)
        if UNFINISHED in there:
            raise BackupError(
                f"A restoration into {settings.data} was cut off. Remove {UNFINISHED} in it, and "
                "the tables of a server that it was to fill, then restore again."
            )
        if there:
            raise BackupError(
                f"{settings.data} is not empty (it has {', '.join(there[:3])}). Stop the server "
                "that uses it, and restore into an empty folder with --data; nothing is "
                "overwritten."
            )
    url = settings.store.url or ""
    path = store_path(url)
    if path is not None:
        if path.exists():
            raise BackupError(f"There is a store at {path} already. Name an empty place.")
    else:
        where = shown_url(url)
        try:
            with connected(plain_url(url), where, snapshot=True) as connection:
                tables = set(tables_of(connection, current_schema(connection)))
        except StoreError as error:
            raise BackupError(str(error)) from None
        if tables & {"alembic_version", *metadata.tables}:
            raise BackupError(
                f"The database {where} has a store already, which may be in use. Make an empty "
                "database and name it as `store.url`; nothing is overwritten."
            )
    if archive.manifest.knowledge == "postgresql":
        from antiphon.knowledge.postgres.connections import SCHEMA

        url = settings.knowledge.url or ""
        try:
            with connected(plain_url(url), shown_url(url), snapshot=True) as connection:
                found = schemas_like(connection, SCHEMA)
        except StoreError as error:
            raise BackupError(str(error)) from None
        if found:
            raise BackupError(
                f"The database {shown_url(url)} has knowledge already ({', '.join(found[:3])}). "
                "Make an empty database and name it as `knowledge.url`."
            )


def _check_key(settings: Settings, archive: ArchiveReader) -> None:
    """Raises BackupError where what is encrypted in the backup could not be read here."""
    wanted = archive.manifest.master_key
    if wanted is None:
        return
    place = master_key_place(settings)
    try:
        found = place.read()
    except SecrecyError as error:
        raise BackupError(str(error)) from None
    if found is None and archive.manifest.with_key and place.file is None and not place.keyring:
        return
    if found is None or found.id != wanted:
        there = "there is none here" if found is None else f"the one here is {found.id}"
        raise BackupError(
            f"Values in the backup are encrypted with the master key {wanted}; {there}. Put that "
            f"key into {place.path}, or name it as `secrets.key_file`, then restore."
        )


def _check_tables(archive: ArchiveReader, path: Path) -> None:
    """Raises BackupError for rows of a table that is none of ours: they would replace others'."""
    from antiphon.storage.tables import metadata

    for member in archive.manifest.members:
        part = member.name.partition("/")[0]
        is_knowledge = member.schema_name.startswith("antiphon_knowledge") and part == KNOWLEDGE
        is_store = part == STORE and member.table in {"alembic_version", *metadata.tables}
        if member.table and not (is_knowledge or is_store):
            raise BackupError(f"The backup {path} is damaged: {member.name} is no table of ours.")


# -- doing it --------------------------------------------------------------------------------------


def _write_files(settings: Settings, archive: ArchiveReader) -> int:
    """Write the files beside their places and return how many there are."""
    settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    unfinished = settings.data / UNFINISHED
    unfinished.mkdir(mode=0o700)
    count = 0
    for member in archive.manifest.members:
        if member.table:
            continue
        target = unfinished / member.name
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            for part in archive.parts(member):
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        count += 1
    return count


def _move_files(settings: Settings, archive: ArchiveReader) -> None:
    """Move the written files to their places."""
    unfinished = settings.data / UNFINISHED
    url = settings.store.url or ""
    store = store_path(url)
    for member in archive.manifest.members:
        if member.table:
            continue
        part, _, rest = member.name.partition("/")
        target = store if part == STORE and store is not None else settings.data / rest
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if target.exists() and PurePosixPath(rest).name == KEY_FILE:
            continue  # the same key, checked before
        (unfinished / member.name).replace(target)
    shutil.rmtree(unfinished, ignore_errors=True)


def _load_tables(settings: Settings, archive: ArchiveReader) -> int:
    """Fill the tables of the servers, all or none of each, and return how many rows there are."""
    members = [member for member in archive.manifest.members if member.table]
    knowledge = [each for each in members if each.name.startswith(f"{KNOWLEDGE}/")]
    store = [each for each in members if each.name.startswith(f"{STORE}/")]
    count = 0
    if knowledge:
        count += _load_knowledge(settings.knowledge.url or "", knowledge, archive)
    if store:
        count += _load_store(settings.store.url or "", store, archive)
    return count


def _load_store(url: str, members: list[Member], archive: ArchiveReader) -> int:
    from antiphon.storage.postgres_dump import connected, current_schema, load_table

    make_tables(url, archive.manifest.revision)
    with connected(plain_url(url), shown_url(url), snapshot=False) as connection:
        schema = current_schema(connection)
        return sum(
            load_table(connection, schema, each.table, each.columns, archive.parts(each))
            for each in members
        )


def _load_knowledge(url: str, members: list[Member], archive: ArchiveReader) -> int:
    from antiphon.knowledge.postgres.connections import PostgresConnections
    from antiphon.knowledge.postgres.schema import prepare
    from antiphon.storage.postgres_dump import connected, load_table

    for schema in sorted({each.schema_name for each in members}):
        connections = PostgresConnections(url)
        connections.schema = schema
        try:
            prepare(connections)
        finally:
            connections.close()
    with connected(plain_url(url), shown_url(url), snapshot=False) as connection:
        return sum(
            load_table(connection, each.schema_name, each.table, each.columns, archive.parts(each))
            for each in members
        )
