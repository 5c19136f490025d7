"""Nothing is lost to a kill, a damaged index, a full disk or a second process."""

from __future__ import annotations

import logging
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import tantivy
from tests.knowledge.helpers import STUDIO, HashedWords, record

from antiphon.knowledge import Database, KnowledgeBase, KnowledgeError
from antiphon.knowledge.sqlite.connections import SqliteConnections

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def process(*arguments: object) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "tests.knowledge.writer", *map(str, arguments)]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True
    ) as running:
        try:
            yield running
        finally:
            running.kill()


def lines(running: subprocess.Popen[str], count: int) -> None:
    assert running.stdout is not None
    for _ in range(count):
        assert running.stdout.readline()


@pytest.mark.parametrize("after", [1, 3])
def test_a_kill_in_the_middle_of_writing_loses_nothing_that_was_done(
    tmp_path: Path, after: int
) -> None:
    with KnowledgeBase.open(tmp_path) as base:
        base.create("killed")
    with process(tmp_path, "killed", "write", 500) as running:
        lines(running, after)
        running.send_signal(signal.SIGKILL)
        running.wait()
    with KnowledgeBase.open(tmp_path) as base:
        database = base.database("killed")
        counts = database.counts()["records"]
        assert counts >= 600 * after
        assert counts % 600 == 0  # a batch is there as a whole or not at all
        assert sum(1 for _ in database.all_records()) == counts
        last = counts // 600 - 1
        for turn in range(after):
            assert database.search(f"batch{turn} word599")[0].id == f"doc:{turn}-599"
        assert database.search(f"batch{last} word7")[0].id == f"doc:{last}-7"
        # It can be written as before.
        database.upsert([record("doc:after", "phoenix")])
        assert database.search("phoenix")[0].id == "doc:after"


def filled(folder: Path, embedder: HashedWords) -> Database:
    with KnowledgeBase.open(folder) as base:
        database = base.create("one")
        database.upsert(STUDIO)
        database.upsert(record(f"doc:{number}", f"number{number}") for number in range(2_100))
    database = Database("one", folder / "one", embedder)
    while database.embed_pending(500):
        pass
    database.flush()
    return database


def whole(database: Database) -> None:
    assert database.search("compiler moth relay")[0].id == "person:grace_hopper"
    assert database.search("number2099")[0].id == "doc:2099"
    assert database.counts()["records"] == 2_105
    assert database.pending() == 0


@pytest.mark.parametrize("damage", ["truncate", "garbage", "flip", "remove"])
@pytest.mark.parametrize("part", ["text", "rows.bin"])
def test_a_damaged_index_is_made_again_from_the_records(
    tmp_path: Path, part: str, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    embedder = HashedWords()
    filled(tmp_path, embedder).close()
    embedder.embedded.clear()
    place = tmp_path / "one" / part
    files = [place] if place.is_file() else sorted(place.glob("*.*"))
    assert files
    for file in files:
        if file.name.startswith("."):
            continue
        if damage == "remove":
            file.unlink()
        elif damage == "truncate":
            os.truncate(file, file.stat().st_size // 2)
        elif damage == "garbage":
            file.write_bytes(os.urandom(file.stat().st_size))
        elif file.name == "meta.json" or part == "rows.bin":
            content = bytearray(file.read_bytes())
            content[len(content) // 2] ^= 0xFF
            file.write_bytes(content)
    database = Database("one", tmp_path / "one", embedder)
    with caplog.at_level(logging.WARNING):
        whole(database)
    assert embedder.embedded.count("compiler moth relay") <= 1
    assert not any("number" in text and "\n" in text for text in embedder.embedded)
    if damage != "remove":
        assert "is made again" in caplog.text
    database.close()


def test_an_index_that_is_behind_catches_up(tmp_path: Path) -> None:
    embedder = HashedWords()
    filled(tmp_path, embedder).close()
    folder = tmp_path / "one"
    for part in ("text", "rows.bin"):
        source, copy = folder / part, tmp_path / f"old-{part}"
        (shutil.copytree if source.is_dir() else shutil.copy)(source, copy)
    database = Database("one", folder, embedder)
    database.upsert(record(f"late:{number}", f"late{number}") for number in range(700))
    database.delete(["doc:5", "doc:6"])
    database.upsert([record("doc:7", "changed7")])
    database.flush()
    database.close()
    shutil.rmtree(folder / "text")
    shutil.copytree(tmp_path / "old-text", folder / "text")
    shutil.copy(tmp_path / "old-rows.bin", folder / "rows.bin")
    database = Database("one", folder, embedder)
    assert database.search("late699")[0].id == "late:699"
    assert database.search("changed7")[0].id == "doc:7"
    assert "doc:5" not in {one.id for one in database.search("number5", k=50)}
    assert database.pending() == 0
    database.close()


def test_indexes_that_are_newer_than_the_records_are_made_again(tmp_path: Path) -> None:
    embedder = HashedWords()
    filled(tmp_path, embedder).close()
    folder = tmp_path / "one"
    shutil.copy(folder / "knowledge.db", tmp_path / "backup.db")
    database = Database("one", folder, embedder)
    database.upsert(record(f"late:{number}", f"late{number}") for number in range(2_500))
    database.flush()
    database.close()
    for left in folder.glob("knowledge.db*"):
        left.unlink()
    shutil.copy(tmp_path / "backup.db", folder / "knowledge.db")
    database = Database("one", folder, embedder)
    whole(database)
    assert not any(one.id.startswith("late:") for one in database.search("late7", k=50))
    database.close()


def test_two_processes_see_what_the_other_writes(tmp_path: Path) -> None:
    with KnowledgeBase.open(tmp_path) as base:
        database = base.create("shared")
        database.upsert(record(f"here:{number}", f"local{number}") for number in range(600))
        with process(tmp_path, "shared", "add", 40) as running:
            lines(running, 40)
            assert running.wait() == 0
        assert database.search("afar number39")[0].id == "shared:39"
        assert database.counts()["records"] == 640
        with process(tmp_path, "shared", "write", 3) as running:
            lines(running, 1)
            database.upsert([record("here:late", "written meanwhile")])
            lines(running, 2)
            assert running.wait() == 0
        assert database.search("batch2 word599")[0].id == "doc:2-599"
        assert database.search("written meanwhile")[0].id == "here:late"
        assert database.counts()["records"] == 640 + 1 + 1_800
    with KnowledgeBase.open(tmp_path) as base:
        database = base.database("shared")
        assert database.search("batch2 word599")[0].id == "doc:2-599"
        assert database.search("written meanwhile")[0].id == "here:late"
        assert database.search("afar number39")[0].id == "shared:39"


def test_what_another_process_writes_is_embedded_by_the_one_that_has_it_open(
    tmp_path: Path,
) -> None:
    embedder = HashedWords()
    with KnowledgeBase.open(tmp_path, embedder=embedder, look_seconds=0.05) as base:
        database = base.create("shared")
        database.flush()  # nothing is left to do that the maintenance could be at
        with process(tmp_path, "shared", "add", 3) as running:
            lines(running, 3)
            assert running.wait() == 0
        assert embedder.called.wait(30)  # though nobody has searched or written here


def test_the_one_that_may_not_write_the_index_keeps_its_own_in_memory(tmp_path: Path) -> None:
    with KnowledgeBase.open(tmp_path) as base:
        first = base.create("shared")
        first.upsert(record(f"here:{number}", f"local{number}") for number in range(600))
        second = Database("shared", tmp_path / "shared")  # as another process would
        second.upsert(record(f"there:{number}", f"remote{number}") for number in range(1_500))
        assert second.search("remote1499")[0].id == "there:1499"
        assert first.search("remote1499")[0].id == "there:1499"
        first.upsert([record("here:last", "finally")])
        assert second.search("finally")[0].id == "here:last"
        second.close()


def test_a_writer_that_holds_the_lock_too_long_is_named(tmp_path: Path) -> None:
    with KnowledgeBase.open(tmp_path) as base:
        database = base.create("busy")
        database.upsert(STUDIO)
        file = tmp_path / "busy" / "knowledge.db"
        other = sqlite3.connect(file, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        impatient = SqliteConnections(file, busy_seconds=0.001)
        try:
            with pytest.raises(KnowledgeError, match="locked by another process"):
                impatient.write(lambda session: session)
            assert database.search("compiler")[0].id == "person:grace_hopper"
        finally:
            impatient.close()
            other.close()


def test_a_full_disk_is_said_and_nothing_is_half_written(tmp_path: Path) -> None:
    """The limit on a file's size stands in for the disk, as both refuse the same write."""
    with KnowledgeBase.open(tmp_path) as base:
        database = base.create("full")
        database.upsert(STUDIO)
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, before[1]))
        try:
            with pytest.raises(KnowledgeError, match="store at"):
                database.upsert(
                    record(f"doc:{number}", f"{number} " * 500) for number in range(3_000)
                )
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
            signal.signal(signal.SIGXFSZ, ignored)
        assert database.counts()["records"] == 5
        assert database.search("compiler")[0].id == "person:grace_hopper"
        database.upsert([record("doc:later", "room again")])
        assert database.search("room again")[0].id == "doc:later"


def test_an_index_that_cannot_be_written_leaves_the_search_to_memory(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with KnowledgeBase.open(tmp_path) as base:
        base.create("full").upsert(STUDIO)
    database = Database("full", tmp_path / "full")
    database.search("warm")
    other = tantivy.Index.open(str(tmp_path / "full" / "text"))
    writer = other.writer(15_000_000, 1)  # now nobody else can write it
    with caplog.at_level(logging.WARNING):
        database.upsert(record(f"doc:{number}", f"number{number}") for number in range(900))
    assert "cannot be written" in caplog.text
    assert database.search("number899")[0].id == "doc:899"
    assert database.search("compiler")[0].id == "person:grace_hopper"
    del writer, other
    database.flush()
    database.close()
    database = Database("full", tmp_path / "full")
    assert database.search("number899")[0].id == "doc:899"
    database.close()
