"""Opening a store: new, old, too new, and everything that is not one."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, MetaData, create_engine, inspect, text
from sqlalchemy.pool import NullPool
from tests.storage.helpers import call, child, heard, kill

from antiphon.storage import Store, StoreError
from antiphon.storage.migrations import HEAD, REVISIONS
from antiphon.storage.tables import create_tables, metadata

pytestmark = pytest.mark.real_time


async def test_an_empty_database_gets_the_tables_that_the_code_expects(empty_url: str) -> None:
    async with Store.open(empty_url) as store:

        def differences(connection: Any) -> Any:
            return compare_metadata(MigrationContext.configure(connection), metadata)

        assert await store.run(differences, writes=False) == []


def test_the_migrations_lead_to_the_tables_of_an_empty_database(empty_url: str) -> None:
    driver = "postgresql+psycopg" if empty_url.startswith("postgresql") else "sqlite+pysqlite"
    engine = create_engine(f"{driver}:{empty_url.partition(':')[2]}", poolclass=NullPool)
    with engine.begin() as connection:
        config = Config()
        config.set_main_option("script_location", "antiphon.storage:migrations")
        config.set_main_option("path_separator", "os")
        config.attributes["connection"] = connection
        command.upgrade(config, HEAD)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, metadata) == []
        migrated = described(connection)
        assert connection.execute(text("SELECT * FROM audit_head")).all() == [(1, 0, "0" * 64)]
    with engine.begin() as connection:
        everything = MetaData()
        everything.reflect(connection)
        everything.drop_all(connection)
        create_tables(connection, HEAD)
        assert described(connection) == migrated
        assert connection.execute(text("SELECT * FROM audit_head")).all() == [(1, 0, "0" * 64)]


def described(connection: Connection) -> dict[str, Any]:
    """Every table: its columns, keys, constraints and indexes, as text."""
    found = inspect(connection)

    def ordered(things: Sequence[Any]) -> list[str]:
        return sorted(str(sorted(worded(each).items())) for each in things)

    def worded(thing: Any) -> dict[str, str]:
        more = thing.get("dialect_options", {})  # the condition of an index
        return {name: str(each) for name, each in {**thing, **more}.items() if each is not more}

    return {
        name: (
            ordered(found.get_columns(name)),
            found.get_pk_constraint(name)["constrained_columns"],
            ordered(found.get_unique_constraints(name)),
            ordered(found.get_indexes(name)),
            ordered(found.get_foreign_keys(name)),
        )
        for name in found.get_table_names()
    }


def test_the_known_revisions_are_those_of_the_migrations() -> None:
    config = Config()
    config.set_main_option("script_location", "antiphon.storage:migrations")
    config.set_main_option("path_separator", "os")
    scripts = ScriptDirectory.from_config(config)
    assert scripts.get_current_head() == HEAD
    assert [script.revision for script in scripts.walk_revisions()] == list(reversed(REVISIONS))


async def test_a_store_is_opened_again_as_it_was(empty_url: str) -> None:
    async with Store.open(empty_url) as store:
        await store.begin(call())
    async with Store.open(empty_url) as store:
        assert await store.find("s1", "k1") is not None


@pytest.mark.parametrize("new", [False, True])
def test_opening_a_store_that_is_new_or_up_to_date_does_not_load_alembic(
    sqlite_url: str, *, new: bool
) -> None:
    if new:
        sqlite_url += ".new"
    process = child("Store.open(url); print('alembic' in sys.modules, flush=True)", sqlite_url)
    assert heard(process) == "False"
    kill(process)


def test_importing_the_package_loads_no_database_library() -> None:
    code = (
        "import sys, antiphon.storage; print({'sqlalchemy', 'alembic', 'psycopg'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


async def test_a_store_in_memory_is_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    async with Store.open() as one, Store.open("sqlite:///:memory:") as two:
        await one.begin(call(), [{"event": "begin"}])
        assert await two.find("s1", "k1") is None
        assert await one.recover() == []
        assert (await one.verify_audit()).ok
        row = await one.find("s1", "k1")
        assert row is not None
        assert row.state == "running"
    assert list(tmp_path.iterdir()) == []


def test_a_new_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "store.db"

    def open_to_others() -> list[Path]:
        found = list(tmp_path.rglob("*"))
        assert len(found) > 3  # the database, its companions and the folder of nodes
        return [each for each in found if stat.S_IMODE(each.stat().st_mode) & 0o077]

    old = os.umask(0)
    try:

        async def main() -> None:
            async with Store.open(f"sqlite:///{path}") as store:
                await store.begin(call())
                assert open_to_others() == []

        asyncio.run(main())
    finally:
        os.umask(old)


async def test_sqlite_commits_durably_and_lets_others_read(sqlite_url: str) -> None:
    async with Store.open(sqlite_url) as store:

        def pragma(name: str) -> Any:
            return store.run(lambda to: to.execute(text(f"PRAGMA {name}")).scalar(), writes=False)

        assert await pragma("journal_mode") == "wal"
        assert await pragma("synchronous") == 2  # FULL
        assert await pragma("busy_timeout") == 5000
        assert await pragma("foreign_keys") == 1


async def test_a_store_of_a_newer_antiphon_is_refused(store_url: str) -> None:
    async with Store.open(store_url) as store:
        await store.run(
            lambda to: to.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        )
    with pytest.raises(StoreError, match=r"version 9999.*newer Antiphon.*Update Antiphon"):
        Store.open(store_url)


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "places.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE places (id INTEGER)")
    other.close()
    with pytest.raises(StoreError, match=r"places\.db is an SQLite database of another program"):
        Store.open(f"sqlite:///{path}")
    with sqlite3.connect(path) as other:
        assert other.execute("SELECT count(*) FROM sqlite_master").fetchone() == (1,)
    other.close()


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"just some text\n" * 100, "not an SQLite database"), (None, "damaged")],
)
def test_a_file_that_is_broken_is_refused(
    sqlite_template: Path, tmp_path: Path, content: bytes | None, says: str
) -> None:
    path = tmp_path / "store.db"
    if content is None:
        good = sqlite_template.read_bytes()
        content = good[:100] + b"\xff" * (len(good) - 100)
    path.write_bytes(content)
    with pytest.raises(StoreError, match=rf"The store at .*store\.db is {says}"):
        Store.open(f"sqlite:///{path}")
    assert path.read_bytes() == content


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="nowhere does not exist; create it first"):
        Store.open(f"sqlite:///{tmp_path / 'nowhere' / 'store.db'}")


def test_a_folder_is_not_a_store(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is a folder; name a file in it"):
        Store.open(f"sqlite:///{tmp_path}")


def test_a_place_that_may_not_be_written_is_an_error_that_says_so() -> None:
    with pytest.raises(StoreError, match=r"The store at /proc/store\.db cannot be opened"):
        Store.open("sqlite:////proc/store.db")


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("", "not the URL of a store"),
        ("store.db", "not the URL of a store"),
        ("mysql://root:hunter2@localhost/x", "not the URL of a store .mysql."),
        ("redis://localhost", "not the URL of a store .redis."),
        ("postgresql://user:hunter2@host:port/x", "not the URL of a store"),
        ("sqlite://store.db", "names a host .store.db.*three slashes"),
        ("sqlite:///store.db?mode=ro", "takes no options"),
    ],
)
def test_a_wrong_url_is_explained_without_its_password(url: str, says: str) -> None:
    with pytest.raises(StoreError, match=says) as caught:
        Store.open(url)
    assert "hunter2" not in str(caught.value)


def test_a_server_that_is_not_there_is_named_without_its_password(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be reached; check that the server runs") as caught:
        Store.open(f"postgresql://ada:hunter2@/x?host={tmp_path}&sslpassword=hunter2")
    assert "hunter2" not in str(caught.value)


def test_a_database_that_does_not_exist_on_the_server_is_an_error(postgres: Any) -> None:
    with pytest.raises(StoreError, match="does not exist"):
        Store.open(postgres.url("nowhere"))


async def test_a_failed_opening_leaves_nothing_locked(tmp_path: Path) -> None:
    """A node that never came to life must not be taken for a living one."""
    path = tmp_path / "store.db"
    path.write_bytes(b"not a database, and long enough to be looked at" * 50)
    with pytest.raises(StoreError):
        Store.open(f"sqlite:///{path}")
    path.unlink()

    def living() -> list[str]:
        return [each.name for each in (tmp_path / "store.db.nodes").glob("[!.]*")]

    async with Store.open(f"sqlite:///{path}") as store:
        assert living() == [store.node]
    assert living() == []
