"""One database: what is written is there, what is deleted is gone, and others may look on."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.knowledge.helpers import STUDIO, HashedWords, record

from antiphon.contracts import ErrorType
from antiphon.knowledge import Database, Edge, KnowledgeBase, KnowledgeError, Record, Written


@pytest.fixture
def base(tmp_path: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(tmp_path / "kb") as base:
        yield base


@pytest.fixture
def studio(base: KnowledgeBase) -> Database:
    database = base.create("studio", "Studio")
    database.upsert(STUDIO)
    return database


# -- records


def test_records_come_back_as_they_were_given_and_in_the_order_asked_for(studio: Database) -> None:
    ids = ["project:orchard", "nobody:there", "person:ada_lovelace"]
    assert studio.get(ids) == [STUDIO[3], STUDIO[0]]
    assert studio.counts() == {"records": 5, "edges": 0}


def test_records_are_found_by_what_is_typed_of_their_titles(studio: Database) -> None:
    odd = Record("doc:odd", "doc", "100%_sure! about \\Ada", "Text.")
    studio.upsert([odd])
    assert [one.id for one in studio.titled(["ada", "lov"])] == ["person:ada_lovelace"]
    assert {one.id for one in studio.titled(["ADA"])} == {"person:ada_lovelace", "doc:odd"}
    assert [one.id for one in studio.titled(["%_sure!", "\\ada"])] == ["doc:odd"]
    assert studio.titled(["lov", "ada"]) == studio.titled(["10%"]) == []
    assert len(studio.titled(["a"], limit=2)) == 2
    assert [one.id for one in studio.search("Lovelace", k=1, meaning=False)] == [
        "person:ada_lovelace"
    ]


def test_an_upsert_says_what_it_did_and_leaves_the_unchanged_alone(studio: Database) -> None:
    before = studio.revision
    assert studio.upsert(STUDIO).unchanged == 5
    assert studio.revision == before
    written = studio.upsert([*STUDIO[:2], record("doc:new"), record("project:harbor", "Other.")])
    assert (written.added, written.changed, written.unchanged) == (1, 1, 2)
    assert studio.revision > before


def test_of_two_records_with_one_id_the_later_counts(studio: Database) -> None:
    studio.upsert([record("doc:a", "first"), record("doc:a", "second")])
    assert studio.get(["doc:a"])[0].text == "second"


def test_one_bad_record_keeps_its_whole_batch_out(studio: Database) -> None:
    with pytest.raises(KnowledgeError, match="type must not be empty"):
        studio.upsert([record("doc:good"), Record("doc:bad", "")])
    assert studio.get(["doc:good"]) == []


def test_pages_go_through_all_records_once(base: KnowledgeBase) -> None:
    database = base.create("pages")
    database.upsert(record(f"doc:{number:04}") for number in range(2_345))
    assert [one.id for one in database.all_records()] == [f"doc:{n:04}" for n in range(2_345)]
    assert [one.id for one in database.records(after="doc:0007", limit=2)] == [
        "doc:0008",
        "doc:0009",
    ]


def test_ids_may_have_slashes_and_quotes_and_any_script(studio: Database) -> None:
    ids = ["doc:a/../b", "doc:'; DROP TABLE records;--", "人:東京", "doc:" + "x" * 196]
    studio.upsert(record(name, "odd") for name in ids)
    assert [one.id for one in studio.get(ids)] == ids
    assert studio.delete(ids) == 4


def test_a_list_is_wanted_where_ids_are(studio: Database) -> None:
    with pytest.raises(KnowledgeError, match="list of ids"):
        studio.get("person:ada_lovelace")


IDS = st.sampled_from([f"doc:{letter}" for letter in "abcdefg"])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("upsert"), st.lists(st.tuples(IDS, st.sampled_from("xyz")), max_size=4)),
        st.tuples(st.just("delete"), st.lists(IDS, max_size=3)),
        st.tuples(st.just("link"), st.lists(st.tuples(IDS, IDS), max_size=3)),
        st.tuples(st.just("reopen"), st.just([])),
    ),
    max_size=12,
)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=STEPS)
def test_it_behaves_like_a_dictionary_with_edges(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, list[tuple[str, str]]]]
) -> None:
    folder = tmp_path_factory.mktemp("model")
    records: dict[str, str] = {}
    edges: set[tuple[str, str]] = set()
    base = KnowledgeBase.open(folder)
    database = base.create("model")
    try:
        for step, values in steps:
            if step == "upsert":
                database.upsert(record(name, f"{text}word here") for name, text in values)
                records.update({name: f"{text}word here" for name, text in values})
            elif step == "delete":
                gone = {str(name) for name in values} & records.keys()
                assert database.delete(values) == len(gone)  # type: ignore[arg-type]
                records = {name: text for name, text in records.items() if name not in gone}
                edges = {pair for pair in edges if not gone & set(pair)}
            elif step == "link":
                pairs = [(a, b) for a, b in values if a != b and {a, b} <= records.keys()]
                database.upsert_edges(Edge(a, b, "to") for a, b in pairs)
                edges |= set(pairs)
            else:
                base.close()
                base = KnowledgeBase.open(folder)
                database = base.database("model")
            assert {one.id: one.text for one in database.all_records()} == records
            assert {(edge.source, edge.target) for edge in database.all_edges()} == edges
            assert database.counts() == {"records": len(records), "edges": len(edges)}
            for letter in "xyz":
                found = {evidence.id for evidence in database.search(f"{letter}word", k=10)}
                same = {name for name, text in records.items() if text.startswith(letter)}
                near = {end for pair in edges if set(pair) & same for end in pair}
                assert same <= found <= same | near
    finally:
        base.close()


# -- edges


def test_edges_join_records_and_keep_where_they_came_from(studio: Database) -> None:
    edge = Edge("person:ada_lovelace", "project:harbor", "leads", 0.8, {"sentence": "Ada leads."})
    assert studio.upsert_edges([edge]).added == 1
    assert studio.upsert_edges([edge]).unchanged == 1
    assert studio.edges_of(["project:harbor"]) == [edge]
    stronger = Edge("person:ada_lovelace", "project:harbor", "leads", 1.0)
    assert studio.upsert_edges([stronger]).changed == 1
    assert studio.delete_edges([("person:ada_lovelace", "project:harbor", "leads")]) == 1
    assert studio.delete_edges([stronger]) == 0
    assert studio.counts()["edges"] == 0


def test_an_edge_to_nowhere_is_refused_with_all_that_is_missing(studio: Database) -> None:
    with pytest.raises(KnowledgeError) as caught:
        studio.upsert_edges(
            [
                Edge("person:ada_lovelace", "project:harbor", "leads"),
                Edge("person:ada_lovelace", "project:nowhere", "leads"),
            ]
        )
    assert "'project:nowhere'" in str(caught.value)
    assert studio.counts()["edges"] == 0


def test_deleting_a_record_takes_its_edges_along(studio: Database) -> None:
    studio.upsert_edges(
        [
            Edge("person:ada_lovelace", "project:harbor", "leads"),
            Edge("project:harbor", "process:leave", "follows"),
            Edge("person:grace_hopper", "project:orchard", "leads"),
        ]
    )
    assert studio.delete(["project:harbor"]) == 1
    assert [edge.target for edge in studio.all_edges()] == ["project:orchard"]
    assert studio.counts() == {"records": 4, "edges": 1}


def test_a_neighbourhood_goes_round_in_circles_no_further_than_asked(base: KnowledgeBase) -> None:
    database = base.create("ring")
    names = [f"doc:{number}" for number in range(10)]
    database.upsert(record(name) for name in names)
    database.upsert_edges(Edge(name, names[(at + 1) % 10], "next") for at, name in enumerate(names))
    records, edges = database.neighbourhood("doc:0", depth=2)
    assert {one.id for one in records} == {"doc:0", "doc:1", "doc:2", "doc:9", "doc:8"}
    assert records[0].id == "doc:0"
    assert len(edges) == 4
    assert len(database.neighbourhood("doc:0", depth=99)[0]) == 10
    assert len(database.neighbourhood("doc:0", depth=99, limit=4)[0]) == 4
    with pytest.raises(KnowledgeError) as caught:
        database.neighbourhood("doc:unknown")
    assert caught.value.type is ErrorType.NOT_FOUND


def test_all_edges_are_read_over_many_pages(base: KnowledgeBase) -> None:
    database = base.create("many")
    database.upsert(record(f"doc:{number}") for number in range(1_502))
    wanted = {("doc:0", f"doc:{number}") for number in range(1, 1_502)}
    database.upsert_edges(Edge(a, b, "to") for a, b in wanted)
    assert {(edge.source, edge.target) for edge in database.all_edges()} == wanted


# -- embeddings


class Faulty(HashedWords):
    """Fails as often as it is told to, and has no vector for one word."""

    def __init__(self, failures: int = 0) -> None:
        super().__init__()
        self.failures = failures

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.failures:
            self.failures -= 1
            raise OSError("the model is not there")
        vectors = super().embed(texts)
        for row, text in enumerate(texts):
            if "unspeakable" in text:
                vectors[row] = np.nan
        return vectors


def alone(tmp_path: Path, embedder: HashedWords | None = None) -> Database:
    """A database without the thread that embeds, so that a test says when."""
    with KnowledgeBase.open(tmp_path) as base:
        if "one" not in base.ids():
            base.create("one").upsert(STUDIO)
    return Database("one", tmp_path / "one", embedder)


def test_records_are_found_by_their_words_until_they_are_embedded(tmp_path: Path) -> None:
    embedder = HashedWords()
    database = alone(tmp_path, embedder)
    assert database.pending() == 5
    assert database.search("compiler")[0].id == "person:grace_hopper"
    assert database.embed_pending(2) == 2
    assert database.pending() == 3
    mixed = database.search("compiler", explain=True)
    assert mixed[0].id == "person:grace_hopper"
    database.flush()
    assert database.pending() == 0
    best = database.search("compiler", explain=True)[0]
    assert best.explain is not None
    assert best.explain["cosine"] is not None
    database.close()


def test_what_was_embedded_once_is_not_embedded_again(tmp_path: Path) -> None:
    embedder = HashedWords()
    database = alone(tmp_path, embedder)
    database.flush()
    embedder.embedded.clear()
    changed = record("project:harbor", "Something else altogether.")
    tagged = Record.from_dict({**STUDIO[0].to_dict(), "tags": ["new"]})
    database.upsert([changed, tagged, record("doc:copy", STUDIO[1].text, title="grace hopper")])
    assert database.pending() == 1
    database.flush()
    assert len(embedder.embedded) == 1
    database.close()
    database = alone(tmp_path, embedder)
    assert database.pending() == 0
    database.close()


def test_another_model_embeds_everything_anew_while_search_goes_on(tmp_path: Path) -> None:
    database = alone(tmp_path, HashedWords())
    database.flush()
    database.close()
    other = HashedWords("another", dims=160)
    database = alone(tmp_path, other)
    assert database.pending() == 5
    assert database.search("analytical engine")[0].id == "person:ada_lovelace"
    database.embed_pending(3)
    assert database.search("analytical engine")[0].id == "person:ada_lovelace"
    database.flush()
    assert database.pending() == 0
    assert database.search("analytical engine")[0].id == "person:ada_lovelace"
    database.close()


def test_an_embedder_that_fails_is_an_error_to_it_and_words_to_a_search(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    embedder = Faulty()
    database = alone(tmp_path, embedder)
    database.flush()
    embedder.failures = 1
    with caplog.at_level(logging.WARNING):
        assert database.search("ferries tickets")[0].id == "project:harbor"
    assert "words alone" in caplog.text
    embedder.failures = 1
    database.upsert([record("doc:late", "Late.")])
    with pytest.raises(KnowledgeError, match="the model is not there"):
        database.embed_pending()
    assert database.embed_pending() == 1
    database.close()


def test_a_text_that_has_no_vector_does_not_hold_up_the_others(tmp_path: Path) -> None:
    database = alone(tmp_path, Faulty())
    database.upsert([record("doc:bad", "An unspeakable word.")])
    database.flush()
    assert database.pending() == 0
    assert database.search("unspeakable")[0].id == "doc:bad"
    assert database.search("compiler")[0].id == "person:grace_hopper"
    database.close()


def test_an_embedder_that_gives_another_shape_is_refused(tmp_path: Path) -> None:
    class Short(HashedWords):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            return super().embed(texts)[:, :10]

    database = alone(tmp_path, Short())
    with pytest.raises(KnowledgeError, match="shape"):
        database.embed_pending()
    database.close()


# -- together


def test_searches_go_on_while_others_write(tmp_path: Path) -> None:
    database = alone(tmp_path, HashedWords())
    database.flush()
    problems: list[Exception] = []
    done = threading.Event()

    def read() -> None:
        try:
            while not done.is_set():
                assert database.search("analytical engine", k=3)[0].id == "person:ada_lovelace"
                assert database.get(["person:grace_hopper"])
        except (AssertionError, KnowledgeError) as error:
            problems.append(error)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    try:
        for turn in range(12):
            database.upsert(
                record(f"doc:{number}", f"turn {turn} about gardens") for number in range(150)
            )
            database.embed_pending(100)
            database.delete(f"doc:{number}" for number in range(0, 150, 3))
    finally:
        done.set()
        for reader in readers:
            reader.join()
    assert not problems
    assert database.counts()["records"] == 5 + 100
    database.close()


def test_a_database_that_was_closed_says_so(tmp_path: Path) -> None:
    database = alone(tmp_path)
    database.close()
    with pytest.raises(KnowledgeError, match="closed or deleted"):
        database.counts()


# -- files of earlier versions


def test_a_file_of_the_first_format_opens_is_searched_and_written(tmp_path: Path) -> None:
    folder = tmp_path / "kb" / "studio"
    folder.mkdir(parents=True)
    dump = Path(__file__).with_name("format_1.sql").read_text("utf-8")
    with closing(sqlite3.connect(folder / "knowledge.db")) as connection:
        connection.executescript(dump)
    with KnowledgeBase.open(tmp_path / "kb", embedder=HashedWords(dims=8)) as base:
        studio = base.database("studio")
        assert studio.state().description == "Made by an earlier version."
        assert studio.pending() == 0
        assert list(studio.all_records()) == sorted(STUDIO[:4], key=lambda one: one.id)
        assert [edge.to_dict() for edge in studio.edges_of(["person:ada_lovelace"])] == [
            Edge(
                "person:ada_lovelace", "project:harbor", "leads", 0.5, {"source": "wiki"}
            ).to_dict()
        ]
        assert studio.search("ferries", k=1)[0].id == "project:harbor"
        # A digest is that of the earlier version, and a freed row is given out again.
        assert studio.upsert(STUDIO) == Written(added=1, unchanged=4)
        assert studio.search("holidays", k=1)[0].id == "process:leave"


def test_a_new_file_has_the_tables_of_its_format(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "old.db")) as old:
        old.executescript(Path(__file__).with_name("format_1.sql").read_text("utf-8"))
        with KnowledgeBase.open(tmp_path / "kb") as base:
            base.create("studio")
        with closing(sqlite3.connect(tmp_path / "kb" / "studio" / "knowledge.db")) as new:
            assert layout(new) == layout(old)


def layout(connection: sqlite3.Connection) -> dict[str, object]:
    """Columns and indexes of every table."""
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    found: dict[str, object] = {}
    for (name,) in tables:
        # Name, type, whether it is a key; NOT NULL goes without saying for a key.
        columns = connection.execute(f"PRAGMA table_info({name})").fetchall()
        indexes = connection.execute(f"PRAGMA index_list({name})").fetchall()
        found[name] = (
            [(column[1], column[2], column[3] or bool(column[5]), column[5]) for column in columns],
            sorted((index[1], index[2]) for index in indexes),
        )
    return found
