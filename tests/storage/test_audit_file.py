"""The audit as a file of JSON lines: every line once, in order, whatever happens in between."""

from __future__ import annotations

import asyncio
import os
import stat
from pathlib import Path

import orjson
import pytest

from antiphon.storage import Store, StoreError

pytestmark = pytest.mark.real_time


async def add(store: Store, *names: str) -> None:
    for name in names:
        store.append_audit({"event": name})
    await store.flush()


def exported(path: Path) -> list[str]:
    return [orjson.loads(line)["event"] for line in path.read_bytes().splitlines()]


async def test_the_file_has_every_line_byte_for_byte(store_url: str, tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"

    async with Store.open(store_url, audit_file=path) as store:
        await add(store, "a", "b")
        await add(store, "c")
        stored = [line.line for line in await store.audit_lines()]
        assert path.read_bytes().splitlines() == stored
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


async def test_a_restart_catches_up_without_gap_or_repeat(store_url: str, tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"

    async with Store.open(store_url) as store:
        await add(store, "before there was a file")
    async with Store.open(store_url, audit_file=path) as store:
        await add(store, "a")
    async with Store.open(store_url) as store:
        await add(store, "while the file was off")
    async with Store.open(store_url, audit_file=path):
        expected = ["before there was a file", "a", "while the file was off"]
        assert exported(path) == expected
    # As if the process had died in the middle of writing the last line.
    path.write_bytes(path.read_bytes()[:-20])
    async with Store.open(store_url, audit_file=path) as store:
        assert exported(path) == expected
        await add(store, "b")
        assert exported(path) == [*expected, "b"]


async def test_a_file_that_was_rotated_away_is_followed_by_the_next_lines(
    store_url: str, tmp_path: Path
) -> None:
    path = tmp_path / "audit.jsonl"

    async with Store.open(store_url, audit_file=path) as store:
        await add(store, "a")
        path.rename(tmp_path / "audit.1")
        await add(store, "b")
        assert exported(path) == ["b"]
    path.rename(tmp_path / "audit.2")
    async with Store.open(store_url, audit_file=path) as store:
        await add(store, "c")
        assert exported(path) == ["c"]


async def test_a_file_that_was_cut_while_the_store_is_open_is_mended(
    sqlite_url: str, tmp_path: Path
) -> None:
    path = tmp_path / "audit.jsonl"

    async with Store.open(sqlite_url, audit_file=path) as store:
        await add(store, "a", "b")
        os.truncate(path, path.stat().st_size - 20)
        await add(store, "c")
        assert exported(path) == ["a", "b", "c"]


async def test_two_stores_may_write_one_file(store_url: str, tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"

    async with (
        Store.open(store_url, audit_file=path) as one,
        Store.open(store_url, audit_file=path) as two,
    ):
        await add(one, "a")
        await add(two, "b", "c")
        await asyncio.gather(*(add(store, "x") for store in (one, two) * 5))
        stored = [line.line for line in await one.audit_lines()]
        assert len(stored) == 13
        assert path.read_bytes().splitlines() == stored


async def test_a_file_that_cannot_be_written_falls_behind_and_catches_up(
    sqlite_url: str, tmp_path: Path
) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    path = folder / "audit.jsonl"

    async with Store.open(sqlite_url, audit_file=path) as store:
        await add(store, "a")
        folder.rename(tmp_path / "away")
        await add(store, "b")  # durable all the same
        (tmp_path / "away").rename(folder)
        await add(store, "c")
        assert exported(path) == ["a", "b", "c"]


@pytest.mark.parametrize("content", [b"notes\n", b"notes", b'{"seq":1}\n', b"[1]\n", b'{"x":2}\n'])
def test_a_file_that_is_not_of_this_store_is_left_alone(
    sqlite_url: str, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"notes\.txt does not end with a line of this store"):
        Store.open(sqlite_url, audit_file=path)
    assert path.read_bytes() == content


def test_a_file_in_no_folder_is_an_error_that_says_so(sqlite_url: str, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be written: No such file"):
        Store.open(sqlite_url, audit_file=tmp_path / "nowhere" / "audit.jsonl")
