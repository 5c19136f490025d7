"""Stores to test with: SQLite files, and a PostgreSQL server that lives as long as the run."""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from antiphon.storage import Store
from antiphon.storage.migrations import HEAD
from antiphon.storage.tables import metadata

INSTALL = "apt-get install -y postgresql (or run scripts/ensure-postgres.sh)"


class Server:
    """A PostgreSQL server in a temporary folder, reached through a socket there."""

    def __init__(self, programs: Path) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="antiphon-pg-"))
        self._programs = programs
        self._user: list[str] = []
        if os.getuid() == 0:  # the server refuses to run as root
            owner = pwd.getpwnam("postgres")
            os.chown(self._folder, owner.pw_uid, owner.pw_gid)
            self._user = ["runuser", "-u", "postgres", "--"]
        self._folder.chmod(0o755)
        self._data = self._folder / "data"
        self._run("initdb", "-D", self._data, "-U", "postgres", "-A", "trust", "--no-sync",
                  "-E", "UTF8", "--locale=C")  # fmt: skip
        settings = (
            f"-c listen_addresses='' -c unix_socket_directories={self._folder} -c fsync=off "
            "-c full_page_writes=off -c max_connections=50"
        )
        self._run("pg_ctl", "-D", self._data, "-l", self._folder / "log", "-w", "-o", settings,
                  "start")  # fmt: skip

    def _run(self, program: str, *arguments: str | Path) -> None:
        # Into a file, not a pipe: the server inherits it and would hold a pipe open.
        said = self._folder / "output"
        with said.open("ab") as output:
            done = subprocess.run(
                [*self._user, self._programs / program, *arguments],
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        if done.returncode:
            pytest.fail(f"{program} failed:\n{said.read_text()}")

    def admin(self, database: str = "postgres") -> psycopg.Connection:
        return psycopg.connect(
            host=str(self._folder), user="postgres", dbname=database, autocommit=True
        )

    def url(self, database: str) -> str:
        return f"postgresql://postgres@/{database}?host={self._folder}"

    def new_database(self) -> str:
        name = f"test_{uuid4().hex}"
        with self.admin() as admin:
            admin.execute(f"CREATE DATABASE {name}")
        return name

    def reset(self, database: str) -> None:
        """Leaves a store that nothing is in: much quicker than a new database."""
        tables = ", ".join(f'"{name}"' for name in metadata.tables)
        with self.admin(database) as admin:
            admin.execute(f"TRUNCATE {tables} RESTART IDENTITY")
            admin.execute("INSERT INTO audit_head VALUES (1, 0, repeat('0', 64))")
            admin.execute("UPDATE alembic_version SET version_num = %s", [HEAD])

    def stop(self) -> None:
        self._run("pg_ctl", "-D", self._data, "-m", "immediate", "-w", "stop")
        shutil.rmtree(self._folder)


def _programs() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    if found:
        return found[-1].parent
    elsewhere = shutil.which("pg_ctl")
    return Path(elsewhere).parent if elsewhere else None


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    programs = _programs()
    if programs is None:
        message = f"PostgreSQL's server programs are needed: {INSTALL}"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    server = Server(programs)
    yield server
    server.stop()


def _make(url: str) -> None:
    asyncio.run(Store.open(url).close())


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("template") / "store.db"
    _make(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def postgres_database(postgres: Server) -> str:
    name = postgres.new_database()
    _make(postgres.url(name))
    return name


@pytest.fixture
def sqlite_url(tmp_path: Path, sqlite_template: Path) -> str:
    """A store that nothing is in."""
    path = tmp_path / "store.db"
    shutil.copy(sqlite_template, path)
    return f"sqlite:///{path}"


@pytest.fixture
def postgres_url(postgres: Server, postgres_database: str) -> str:
    """The same database for every test, with nothing in it."""
    postgres.reset(postgres_database)
    return postgres.url(postgres_database)


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest) -> str:
    """A store that nothing is in, of each kind."""
    name = "sqlite_url" if request.param == "sqlite" else "postgres_url"
    return str(request.getfixturevalue(name))


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database without tables, of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'empty.db'}"
    server: Server = request.getfixturevalue("postgres")
    return server.url(server.new_database())
