"""A folder of databases: making, finding, closing and deleting them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.knowledge.helpers import STUDIO, HashedWords, record

from antiphon.contracts import ErrorType
from antiphon.knowledge import Filters, KnowledgeBase, KnowledgeError


@pytest.fixture
def base(tmp_path: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(tmp_path / "kb") as base:
        yield base


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = (
        "import sys, antiphon.knowledge as k; k.KnowledgeBase, k.Database, k.Record\n"
        "print([m for m in ('numpy', 'tantivy', 'onnxruntime', 'networkx') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_databases_are_listed_with_what_is_in_them(base: KnowledgeBase) -> None:
    base.create("studio", "Studio", "What we know").upsert(STUDIO)
    base.create("personal")
    infos = base.databases()
    assert [(one.id, one.title, one.records) for one in infos] == [
        ("personal", "", 0),
        ("studio", "Studio", 5),
    ]
    base.database("studio").describe(title="The studio")
    assert base.databases()[1].title == "The studio"
    assert base.databases()[1].description == "What we know"


def test_databases_are_there_after_opening_the_folder_again(tmp_path: Path) -> None:
    with KnowledgeBase.open(tmp_path / "kb") as base:
        base.create("studio", "Studio").upsert(STUDIO)
    with KnowledgeBase.open(tmp_path / "kb") as base:
        assert [one.records for one in base.databases()] == [5]
        assert [one.records for one in base.databases()] == [5]
        assert base.database("studio").search("compiler")[0].id == "person:grace_hopper"


def test_an_unknown_database_is_answered_with_the_nearest(base: KnowledgeBase) -> None:
    base.create("studio")
    base.create("public")
    with pytest.raises(KnowledgeError) as caught:
        base.database("studios")
    assert caught.value.type is ErrorType.NOT_FOUND
    assert caught.value.nearest == ("studio",)
    assert "Did you mean studio?" in str(caught.value)


@pytest.mark.parametrize("name", ["", "..", "a/b", "Ä", "UPPER", "a" * 65, ".hidden", "a\n", None])
def test_a_name_that_could_be_a_path_is_refused(base: KnowledgeBase, name: str) -> None:
    for call in (base.create, base.database, base.delete):
        with pytest.raises(KnowledgeError, match="id of a database"):
            call(name)


def test_a_name_is_given_once(base: KnowledgeBase) -> None:
    base.create("studio").upsert(STUDIO)
    with pytest.raises(KnowledgeError) as caught:
        base.create("studio")
    assert caught.value.type is ErrorType.CONFLICT
    assert base.database("studio").counts()["records"] == 5
    assert sorted(os.listdir(base.folder)) == ["studio"]


def test_a_deleted_database_is_gone_and_may_be_made_again(base: KnowledgeBase) -> None:
    old = base.create("studio")
    old.upsert(STUDIO)
    base.delete("studio")
    assert base.databases() == []
    assert os.listdir(base.folder) == []
    with pytest.raises(KnowledgeError, match="closed or deleted"):
        old.search("ada")
    with pytest.raises(KnowledgeError, match="no database"):
        base.delete("studio")
    assert base.create("studio").counts()["records"] == 0


def test_few_are_open_at_a_time_and_all_can_be_used(tmp_path: Path) -> None:
    with KnowledgeBase.open(tmp_path / "kb", max_open=3) as base:
        handles = [base.create(f"db{number}") for number in range(12)]
        for number, handle in enumerate(handles):
            handle.upsert([record("doc:one", f"about subject{number}")])
        for _ in range(2):
            for number, handle in enumerate(handles):
                assert handle.search(f"subject{number}")[0].id == "doc:one"
                assert sum(one.is_open() for one in handles) <= 3
        assert len(base.databases()) == 12
        assert sum(one.is_open() for one in handles) <= 3


def test_several_databases_are_searched_as_one(base: KnowledgeBase) -> None:
    base.create("studio").upsert(STUDIO)
    base.create("public").upsert([record("doc:ferry", "Ferries sail at nine.")])
    base.create("empty")
    found = base.search_all("ferries", k=3)
    assert {(name, one.id) for name, one in found} == {
        ("studio", "project:harbor"),
        ("public", "doc:ferry"),
    }
    assert [one.score for _, one in found] == sorted((one.score for _, one in found), reverse=True)
    assert {name for name, _ in base.search_all("ferries", ["public"])} == {"public"}
    assert base.search_all("ferries", filters=Filters(types=("person",))) == []
    with pytest.raises(KnowledgeError, match="no database 'other'"):
        base.search_all("ferries", ["public", "other"])


def test_records_are_embedded_in_the_background_and_closing_stops_it(tmp_path: Path) -> None:
    embedder = HashedWords()
    base = KnowledgeBase.open(tmp_path / "kb", embedder=embedder)
    database = base.create("studio")
    database.upsert(STUDIO)
    assert embedder.called.wait(30)
    while database.embed_pending():  # waits for the batch that is under way
        pass
    assert database.pending() == 0
    base.close()
    base.close()
    with pytest.raises(KnowledgeError, match="has been closed"):
        base.database("studio")


def test_what_was_left_pending_is_embedded_after_the_next_opening(tmp_path: Path) -> None:
    with KnowledgeBase.open(tmp_path / "kb") as base:
        base.create("studio").upsert(STUDIO)
    embedder = HashedWords()
    with KnowledgeBase.open(tmp_path / "kb", embedder=embedder) as base:
        base.database("studio").counts()
        assert embedder.called.wait(30)


def test_a_folder_that_cannot_be_made_is_said_plainly(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(KnowledgeError, match="cannot be used"):
        KnowledgeBase.open(tmp_path / "file" / "kb")


def test_what_is_no_database_is_left_alone_or_refused(tmp_path: Path) -> None:
    with KnowledgeBase.open(tmp_path) as base:
        (tmp_path / "notes").mkdir()
        (tmp_path / "broken").mkdir()
        (tmp_path / "broken" / "knowledge.db").write_bytes(b"this is not SQLite at all" * 100)
        assert base.ids() == ["broken"]
        with pytest.raises(KnowledgeError, match="not an SQLite database"):
            base.database("broken").search("x")
