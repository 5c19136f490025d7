"""Backup and restoring: all that a deployment keeps goes into one file and comes back verified."""

from __future__ import annotations

import asyncio
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest
from tests.knowledge.helpers import record
from tests.knowledge.pgvector import Server

from antiphon import Registry, ToolCall, tool
from antiphon.app import Application
from antiphon.app.backup import BackupError, make_backup, restore_backup
from antiphon.cli import main
from antiphon.config import Settings
from antiphon.knowledge import open_knowledge
from antiphon.storage import Store
from antiphon.storage.database import make_tables
from antiphon.storage.migrations import HEAD, REVISIONS

pytestmark = pytest.mark.real_time

CALLS = 5


@tool(side_effects="writes", confirm=False, origin="trusted", outside=False)
async def note(text: str) -> dict[str, Any]:
    """Write a note down."""
    return {"noted": text}


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


class Deployments:
    """Makes settings of deployments that nothing is in, each with databases of its own."""

    def __init__(self, folder: Path, server: Server | None) -> None:
        self._folder = folder
        self._server = server
        self._count = 0

    def new(self) -> Settings:
        self._count += 1
        body: dict[str, Any] = {"data": self._folder / f"data{self._count}"}
        if self._server is not None:
            url = self._server.url(self._server.new_database())
            body |= {"store": {"url": url}, "knowledge": {"url": url}}
        else:
            body["store"] = {"url": f"sqlite:///{body['data'] / 'antiphon.db'}"}
        return Settings.model_validate(body)


@pytest.fixture
def deployments(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Deployments:
    server = request.getfixturevalue("pgvector") if kind == "postgresql" else None
    return Deployments(tmp_path, server)


async def filled(settings: Settings) -> None:
    """Make the deployment what one is after some work."""
    async with Application(settings, Registry.of(note)) as application:
        session = application.orchestrator.session("text", "ada")
        for number in range(CALLS):
            call = ToolCall(None, "note", {"text": f"note {number}"}, f"key-{number}")
            assert (await session.dispatch(call))["ok"]
            session.end_turn()
        await application.store.flush()
    with open_knowledge(settings.knowledge.url or settings.data / "knowledge") as base:
        base.create("birds").upsert([record("bird:stork", title="Stork", text="Nests on roofs.")])
    (settings.data / "images").mkdir()
    (settings.data / "images" / "one.png").write_bytes(b"a picture")


def key_of(settings: Settings, other: Settings) -> None:
    """Give a deployment the master key of another one."""
    other.data.mkdir()
    if (settings.data / "master-key").exists():
        shutil.copy(settings.data / "master-key", other.data / "master-key")


async def test_what_was_kept_is_there_again_and_the_audit_is_whole(
    deployments: Deployments, tmp_path: Path
) -> None:
    here, there = deployments.new(), deployments.new()
    await filled(here)
    made = make_backup(here, tmp_path / "backup.zip")
    key_of(here, there)
    restored = await restore_backup(there, tmp_path / "backup.zip")
    assert restored.audit.ok
    assert restored.audit.count == made.audit_seq >= CALLS
    assert (there.data / "images" / "one.png").read_bytes() == b"a picture"
    with open_knowledge(there.knowledge.url or there.data / "knowledge") as base:
        assert [hit.id for hit in base.database("birds").search("who nests on roofs")] == [
            "bird:stork"
        ]
        base.database("birds").upsert(
            [record("bird:heron", title="Heron", text="Stands in water.")]
        )
    async with Application(there, Registry.of(note)) as application:
        # A repeated call is known; a new one continues the numbers of every table and the chain.
        session = application.orchestrator.session("text", "ada")
        assert (await session.dispatch(ToolCall(None, "note", {"text": "new"}, "new")))["ok"]
        await application.store.flush()
        report = await application.store.verify_audit()
        assert report.ok
        assert report.count > made.audit_seq


async def test_a_store_in_use_is_backed_up_as_it_was_in_one_moment(
    deployments: Deployments, tmp_path: Path
) -> None:
    here, there = deployments.new(), deployments.new()
    await filled(here)
    stop = asyncio.Event()

    async def write() -> int:
        count = 0
        async with Store.open(here.store.url or "") as store:
            while not stop.is_set():
                store.append_audit({"event": "test", "number": count})
                await store.flush()
                count += 1
        return count

    writing = asyncio.create_task(write())
    made = await asyncio.to_thread(make_backup, here, tmp_path / "backup.zip")
    stop.set()
    assert await writing > 0
    key_of(here, there)
    restored = await restore_backup(there, tmp_path / "backup.zip")
    assert restored.audit.ok
    assert restored.audit.count == made.audit_seq


async def test_nothing_is_restored_over_what_is_there(
    deployments: Deployments, tmp_path: Path
) -> None:
    here, there = deployments.new(), deployments.new()
    await filled(here)
    make_backup(here, tmp_path / "backup.zip")
    with pytest.raises(BackupError, match="not empty"):
        await restore_backup(here, tmp_path / "backup.zip")
    key_of(here, there)
    await Store.open(there.store.url or "").close()
    with pytest.raises(BackupError, match=r"not empty|has a store already"):
        await restore_backup(there, tmp_path / "backup.zip")
    with pytest.raises(BackupError, match="there already"):
        make_backup(here, tmp_path / "backup.zip")
    async with Store.open(here.store.url or "") as store:
        assert (await store.verify_audit()).ok


async def test_tables_of_an_earlier_version_are_brought_up_to_date(
    deployments: Deployments, tmp_path: Path, kind: str
) -> None:
    here = deployments.new()
    here.data.mkdir()
    url = here.store.url or ""
    make_tables(url, REVISIONS[-3])
    with pytest.raises(BackupError, match="Start the server once"):
        make_backup(here, tmp_path / "refused.zip")
    assert not (tmp_path / "refused.zip").exists()
    async with Store.open(url) as store:  # what "start the server once" does
        store.append_audit({"event": "test"})
        await store.flush()
    made = make_backup(here, tmp_path / "backup.zip")
    assert made.revision == HEAD
    there = deployments.new()
    key_of(here, there)
    assert (await restore_backup(there, tmp_path / "backup.zip")).audit.ok


@pytest.fixture
def archive(tmp_path: Path) -> tuple[Settings, Path]:
    """A deployment of SQLite files and its backup."""
    here = Deployments(tmp_path, None).new()
    asyncio.run(filled(here))
    path = tmp_path / "backup.zip"
    make_backup(here, path)
    return here, path


def elsewhere(tmp_path: Path, here: Settings) -> Settings:
    there = Settings.model_validate(
        {"data": tmp_path / "there", "store": {"url": f"sqlite:///{tmp_path}/there/antiphon.db"}}
    )
    key_of(here, there)
    return there


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("cut", "no backup of Antiphon"),
        ("flipped", "damaged"),
        ("foreign", "no backup of Antiphon"),
        ("forged", "damaged"),
        ("climbs", "no name of a member"),
        ("newer", "has format 99"),
    ],
)
async def test_a_damaged_archive_is_refused_before_anything_is_written(
    archive: tuple[Settings, Path], tmp_path: Path, damage: str, said: str
) -> None:
    here, path = archive
    content = path.read_bytes()
    there = elsewhere(tmp_path, here)
    if damage == "cut":
        path.write_bytes(content[: len(content) // 2])
    elif damage == "flipped":
        middle = content.index(b"store/antiphon.db") + 4000
        path.write_bytes(content[:middle] + bytes([content[middle] ^ 0x55]) + content[middle + 1 :])
    elif damage == "foreign":
        with zipfile.ZipFile(path, "w") as other:
            other.writestr("hello.txt", "hello")
    else:
        swaps = {
            "forged": (b"a picture", b"b picture"),
            "climbs": (b"data/images/one.png", b"../images/one.png"),
            "newer": (b'"format": 1', b'"format": 99'),
        }
        old, new = swaps[damage]
        with zipfile.ZipFile(path) as source:
            parts = {each: source.read(each) for each in source.namelist()}
        with zipfile.ZipFile(path, "w") as target:
            for name, body in parts.items():
                target.writestr(name, body.replace(old, new))
    with pytest.raises(BackupError, match=said):
        await restore_backup(there, path)
    assert {each.name for each in there.data.iterdir()} <= {"master-key"}


async def test_another_master_key_is_told_before_anything_is_written(
    archive: tuple[Settings, Path], tmp_path: Path
) -> None:
    here, path = archive
    there = Settings.model_validate({"data": tmp_path / "there"})
    with pytest.raises(BackupError, match="there is none here"):
        await restore_backup(there, path)
    assert not there.data.exists()
    with_key = tmp_path / "with-key.zip"
    make_backup(here, with_key, with_key=True)
    settings = Settings.model_validate(
        {"data": tmp_path / "there", "store": {"url": f"sqlite:///{tmp_path}/there/antiphon.db"}}
    )
    assert (await restore_backup(settings, with_key)).audit.ok


async def test_another_kind_of_store_is_refused(
    archive: tuple[Settings, Path], tmp_path: Path
) -> None:
    _, path = archive
    there = Settings.model_validate(
        {"data": tmp_path / "there", "store": {"url": "postgresql://nobody@127.0.0.1:9/none"}}
    )
    with pytest.raises(BackupError, match=r"store\.url"):
        await restore_backup(there, path)


def test_the_commands_say_what_they_did_and_what_is_wrong(
    archive: tuple[Settings, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here, _ = archive
    data = ["--data", str(here.data)]
    assert main(["backup", str(tmp_path / "again.zip"), *data]) == 0
    assert "the audit up to line" in capsys.readouterr().out
    assert main(["backup", str(tmp_path / "again.zip"), *data]) == 1
    assert "there already" in capsys.readouterr().err
    assert main(["backup", str(tmp_path / "none.zip"), "--data", str(tmp_path / "no")]) == 1
    assert "no data folder" in capsys.readouterr().err
    assert main(["restore", str(tmp_path / "missing.zip"), "--data", str(tmp_path / "x")]) == 1
    assert "cannot be read" in capsys.readouterr().err
    there = elsewhere(tmp_path, here)
    assert main(["restore", str(tmp_path / "again.zip"), "--data", str(there.data), "--json"]) == 0
    assert '"ok":true' in capsys.readouterr().out.replace(" ", "")
