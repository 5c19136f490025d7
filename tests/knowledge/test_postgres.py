"""Knowledge on a PostgreSQL server: opening it, several nodes at once, embeddings, lost lines."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.knowledge.helpers import STUDIO, HashedWords, record
from tests.knowledge.pgvector import Server
from tests.knowledge.test_search import WORDS, many

from antiphon.contracts import ErrorType
from antiphon.knowledge import (
    Database,
    Edge,
    Filters,
    KnowledgeBase,
    KnowledgeError,
    Record,
    open_knowledge,
)
from antiphon.knowledge.exchange import import_file
from antiphon.knowledge.postgres.connections import PostgresConnections
from antiphon.knowledge.postgres.engine import PostgresEngine
from antiphon.knowledge.postgres.schema import prepare
from antiphon.knowledge.postgres.service import PostgresDatabase, PostgresKnowledgeBase

Alone = Callable[[HashedWords], Database]


@pytest.fixture
def base(server_url: str) -> Iterator[KnowledgeBase]:
    with open_knowledge(server_url) as base:
        yield base


@pytest.fixture
def alone(server_url: str, tmp_path: Path) -> Iterator[Alone]:
    """Gives the database `one` as another node has it, without the thread that embeds."""
    with open_knowledge(server_url) as base:
        base.create("one").upsert(STUDIO)
    opened: list[PostgresConnections] = []

    def make(embedder: HashedWords) -> Database:
        connections = PostgresConnections(server_url)
        opened.append(connections)
        engine = PostgresEngine(
            connections, prepare(connections), "one", embedder, index_from=1_000_000
        )
        return PostgresDatabase("one", engine, tmp_path, changed=lambda _: None)

    yield make
    for connections in opened:
        connections.close()


def name_in(url: str) -> str:
    """The server's database that a URL names."""
    return url.partition("@/")[2].partition("?")[0]


# -- opening


def test_the_place_says_which_engine_is_used(server_url: str, tmp_path: Path) -> None:
    with open_knowledge(tmp_path / "kb") as base:
        base.create("studio").upsert(STUDIO)
        assert (tmp_path / "kb" / "studio").is_dir()
    with open_knowledge(server_url.replace("postgresql:", "postgres:")) as base:
        assert base.databases() == []
        base.create("studio").upsert(STUDIO)
    with open_knowledge(server_url) as base:
        assert [(one.id, one.records) for one in base.databases()] == [("studio", 5)]


@pytest.mark.parametrize("place", ["mysql://me:secret@host/db", "postgresql://me:secret@[::1/db"])
def test_what_is_no_place_is_refused_without_its_password(place: str) -> None:
    with pytest.raises(KnowledgeError, match="postgresql://user:password@host/database") as caught:
        open_knowledge(place)
    assert caught.value.type is ErrorType.VALIDATION
    assert "secret" not in str(caught.value)


def test_a_server_that_does_not_answer_is_said_plainly(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match="check that the server runs") as caught:
        open_knowledge(f"postgresql://me:secret@/db?host={tmp_path}")
    assert caught.value.type is ErrorType.TRANSIENT
    assert "secret" not in str(caught.value)


def test_a_database_that_the_server_does_not_have_is_said_plainly(pgvector: Server) -> None:
    with pytest.raises(KnowledgeError, match="create it or correct the URL") as caught:
        open_knowledge(pgvector.url("nowhere"))
    assert caught.value.type is ErrorType.PERMANENT


def test_a_server_without_pgvector_is_answered_with_what_to_install(pgvector: Server) -> None:
    name = pgvector.new_database()
    with pgvector.admin() as admin:  # so that the server does not find its extensions there
        admin.execute(f"ALTER DATABASE {name} SET extension_control_path = '/nowhere'")
    with pytest.raises(KnowledgeError, match="has no pgvector") as caught:
        open_knowledge(pgvector.url(name))
    assert "CREATE EXTENSION vector;" in str(caught.value)
    assert "-pgvector" in str(caught.value)
    assert caught.value.type is ErrorType.PERMANENT


def test_a_user_without_rights_is_told_which_are_needed(pgvector: Server) -> None:
    name = pgvector.new_database()
    user = f"user_{name}"
    with pgvector.admin(name) as admin:
        admin.execute(f"CREATE ROLE {user} LOGIN")
        with pytest.raises(KnowledgeError, match="superuser") as caught:
            open_knowledge(pgvector.url(name, user))
        assert caught.value.type is ErrorType.AUTH
        assert "CREATE EXTENSION vector;" in str(caught.value)
        admin.execute("CREATE EXTENSION vector")
        with pytest.raises(KnowledgeError, match="GRANT CREATE ON DATABASE") as caught:
            open_knowledge(pgvector.url(name, user))
        assert caught.value.type is ErrorType.AUTH
        admin.execute(f"GRANT CREATE ON DATABASE {name} TO {user}")
        with open_knowledge(pgvector.url(name, user)) as base:
            base.create("studio").upsert(STUDIO)
        other = f"other_{name}"
        admin.execute(f"CREATE ROLE {other} LOGIN")
        with pytest.raises(KnowledgeError, match="permission") as caught:
            open_knowledge(pgvector.url(name, other))
        assert caught.value.type is ErrorType.AUTH


def test_the_extension_may_live_in_a_schema_of_its_own(pgvector: Server) -> None:
    name = pgvector.new_database()
    with pgvector.admin(name) as admin:
        admin.execute('CREATE SCHEMA "Odd name"')
        admin.execute('CREATE EXTENSION vector WITH SCHEMA "Odd name"')
    with open_knowledge(pgvector.url(name), embedder=HashedWords()) as base:
        database = base.create("studio")
        database.upsert(STUDIO)
        database.flush()
        assert database.search("moth")[0].id == "person:grace_hopper"


def test_tables_of_a_newer_version_are_left_alone(pgvector: Server) -> None:
    name = pgvector.new_database()
    open_knowledge(pgvector.url(name)).close()
    with pgvector.admin(name) as admin:
        admin.execute("UPDATE antiphon_knowledge.format SET version = 99")
    with pytest.raises(KnowledgeError, match="format 99"):
        open_knowledge(pgvector.url(name))


def test_many_nodes_may_make_the_tables_at_once(pgvector: Server) -> None:
    url = pgvector.url(pgvector.new_database())
    with ThreadPoolExecutor(4) as pool:
        bases = list(pool.map(open_knowledge, [url] * 4))
    bases[0].create("studio")
    assert [base.ids() for base in bases] == [["studio"]] * 4
    for base in bases:
        base.close()


# -- several nodes


def test_a_name_is_given_once_and_free_after_deleting(base: KnowledgeBase, server_url: str) -> None:
    old = base.create("studio")
    old.upsert(STUDIO)
    with open_knowledge(server_url) as other:
        with pytest.raises(KnowledgeError) as caught:
            other.create("studio")
        assert caught.value.type is ErrorType.CONFLICT
        other.delete("studio")
        with pytest.raises(KnowledgeError, match="closed or deleted") as caught:
            old.search("ada")
        assert caught.value.type is ErrorType.NOT_FOUND
        assert base.databases() == []
        other.create("studio")
        assert old.counts() == {"records": 0, "edges": 0}
        assert old.search("compiler") == []


def test_what_one_node_writes_the_other_finds_at_once(base: KnowledgeBase, server_url: str) -> None:
    here = base.create("studio")
    with open_knowledge(server_url) as other:
        there = other.database("studio")
        revision = there.revision
        here.upsert(STUDIO)
        assert there.revision > revision
        assert there.search("compiler")[0].id == "person:grace_hopper"
        there.upsert([record("person:grace_hopper", "Grace sails.")])
        assert here.search("compiler") == []
        there.upsert_edges([Edge("person:grace_hopper", "project:harbor", "uses")])
        assert here.counts() == {"records": 5, "edges": 1}


def test_two_nodes_writing_at_once_lose_nothing(server_url: str, pgvector: Server) -> None:
    with open_knowledge(server_url) as first, open_knowledge(server_url) as second:
        first.create("shared").upsert([record("doc:hub", "The hub.")])
        start = threading.Barrier(4)

        def write(at: int) -> None:
            database = (first if at % 2 else second).database("shared")
            start.wait()
            for turn in range(8):
                mine = [record(f"doc:{at}-{n}", f"turn {turn} of all") for n in range(20)]
                database.upsert([*mine, record("doc:common", f"common {at} {turn}")])
                database.upsert_edges(Edge(one.id, "doc:hub", "to") for one in mine)
                database.delete([mine[turn].id])

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(write, range(4)))
        database = first.database("shared")
        there = list(database.all_records())
        assert database.counts() == {
            "records": len(there),
            "edges": len(list(database.all_edges())),
        }
        # Each took eight of its twenty away, and wrote all but the last of them again.
        assert len(there) == 4 * 19 + 2
        turn = next(f for f in [database.search("turn", explain=True, k=1)[0].explain] if f)
        assert turn["covered"] == 1.0
    with pgvector.admin(name_in(server_url)) as admin:
        admin.execute("SET search_path = antiphon_knowledge")
        wrong = admin.execute(
            "SELECT word FROM terms FULL JOIN (SELECT substr(w.lexeme, "
            "length(r.database::text) + 2) AS word, "
            "count(*) FILTER (WHERE 'D' = ANY(w.weights)) AS body "
            "FROM records r, unnest(r.words) w GROUP BY 1) AS counted USING (word) "
            "WHERE terms.body IS DISTINCT FROM counted.body"
        ).fetchall()
    assert wrong == []


def test_scores_are_those_of_the_embedded_engine(server_url: str, tmp_path: Path) -> None:
    records = [*many(150), *STUDIO]
    queries = ["river", "silver paper", "moth in the relay", "person:ada_lovelace", "bread zebra"]
    results = []
    for place in (server_url, tmp_path / "kb"):
        with open_knowledge(place, embedder=HashedWords()) as base:
            database = base.create("studio")
            database.upsert([record("doc:gone", "river river river"), *records[:40]])
            database.upsert(records)
            database.delete(["doc:gone"])
            database.upsert_edges([Edge("person:grace_hopper", "process:leave", "wrote")])
            database.flush()
            results.append([database.search(query, k=5) for query in queries])
    for ours, theirs in zip(*results, strict=True):
        assert [one.score for one in ours] == pytest.approx([one.score for one in theirs], abs=0.02)
        assert ours[0].id == theirs[0].id
        assert ours[0].snippet == theirs[0].snippet


# -- lost lines


def test_a_line_that_was_cut_is_made_again(
    base: KnowledgeBase, server_url: str, pgvector: Server
) -> None:
    database = base.create("studio")
    for call in (
        lambda: database.upsert(STUDIO),
        lambda: database.search("moth"),
        lambda: database.delete(["process:leave"]),
    ):
        assert pgvector.cut(name_in(server_url)) >= 1
        call()
    assert database.counts()["records"] == 4


def test_a_server_that_stays_away_is_an_error_and_no_harm(pgvector: Server) -> None:
    name = pgvector.new_database()
    with open_knowledge(pgvector.url(name)) as base:
        database = base.create("studio")
        database.upsert(STUDIO)
        with pgvector.admin() as admin:
            admin.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
            pgvector.cut(name)
            with pytest.raises(KnowledgeError) as caught:
                database.search("moth")
            assert caught.value.type is ErrorType.TRANSIENT
            admin.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
        assert database.search("moth")[0].id == "person:grace_hopper"


def test_a_closed_base_says_so(server_url: str) -> None:
    base = open_knowledge(server_url)
    database = base.create("studio")
    base.close()
    base.close()
    with pytest.raises(KnowledgeError, match="closed"):
        database.counts()
    with pytest.raises(KnowledgeError, match="has been closed"):
        base.databases()


# -- what is kept


def test_odd_values_come_back_as_they_were_given(base: KnowledgeBase) -> None:
    odd = Record(
        "人:東京 'quoted' \\ back",
        "doc",
        "It's a \\ title",
        "Tabs\tand\nlines, \\. and \\N and 'quotes' \"too\" 🎉 n'a l'été",
        ("{braces}", 'a "quote"', "comma, tag", "NULL"),
        "https://example.org/?a=1&b=%20",
        "wiki",
        "2026-03-01T09:30:00+02:00",
        {"z": 1, "a": [1.5, None, True, {"deep": "ü"}], "big": 2**63, "": "empty key"},
    )
    database = base.create("odd")
    database.upsert([odd])
    assert database.get([odd.id]) == [odd]
    assert database.upsert(database.get([odd.id])).unchanged == 1
    assert database.search("été")[0].id == odd.id
    assert database.search("🎉")[0].id == odd.id


def test_what_is_no_text_is_refused(base: KnowledgeBase) -> None:
    with pytest.raises(KnowledgeError) as caught:
        base.create("odd", title="nul \x00")
    assert caught.value.type is ErrorType.VALIDATION
    with pytest.raises(KnowledgeError, match="surrogate"):
        base.create("odd", title="half \ud800")
    assert base.databases() == []


def test_a_text_with_more_words_than_a_column_holds_is_kept_and_found(base: KnowledgeBase) -> None:
    database = base.create("large")
    text = "beginning " + " ".join(f"{number:070}" for number in range(13_000))
    database.upsert([record("doc:large", text)])
    assert database.get(["doc:large"])[0].text == text
    assert database.search("beginning")[0].id == "doc:large"


def test_an_import_that_was_stopped_goes_on(server_url: str, tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    lines = [f'{{"kind": "record", "id": "doc:{n}", "type": "doc"}}' for n in range(2_500)]
    path.write_text("\n".join(lines))
    with open_knowledge(server_url, work=tmp_path / "work") as base:
        database = base.create("imported")
        stopped = import_file(database, path, cancelled=lambda: database.counts()["records"] > 0)
        assert not stopped.complete
        assert import_file(database, path).complete
        assert database.counts()["records"] == 2_500


# -- embeddings


class Faulty(HashedWords):
    """Fails as often as it is told to, and has no vector for one word."""

    failures = 0

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.failures:
            self.failures -= 1
            raise OSError("the model is not there")
        vectors = super().embed(texts)
        for row, text in enumerate(texts):
            if "unspeakable" in text:
                vectors[row] = np.nan
        return vectors


def test_records_are_found_by_their_words_until_they_are_embedded(alone: Alone) -> None:
    database = alone(HashedWords())
    assert database.pending() == 5
    assert database.search("compiler")[0].id == "person:grace_hopper"
    assert database.embed_pending(2) == 2
    assert database.pending() == 3
    assert database.search("compiler")[0].id == "person:grace_hopper"
    database.flush()
    best = database.search("compiler", explain=True)[0]
    assert best.explain is not None
    assert best.explain["cosine"] is not None


def test_what_was_embedded_once_is_not_embedded_again(alone: Alone) -> None:
    embedder = HashedWords()
    database = alone(embedder)
    database.flush()
    embedder.embedded.clear()
    tagged = Record.from_dict({**STUDIO[0].to_dict(), "tags": ["new"]})
    copy = record("doc:copy", STUDIO[1].text, title="grace hopper")
    database.upsert([record("project:harbor", "Something else altogether."), tagged, copy])
    assert database.pending() == 1
    database.flush()
    assert len(embedder.embedded) == 1
    assert alone(embedder).pending() == 0


def test_nodes_share_the_work_of_embedding(alone: Alone) -> None:
    embedders = [HashedWords(), HashedWords()]
    nodes = [alone(embedder) for embedder in embedders]
    nodes[0].upsert(record(f"doc:{number}", f"text {number}") for number in range(300))
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda node: node.flush(), nodes))
    assert [node.pending() for node in nodes] == [0, 0]
    texts = [text for embedder in embedders for text in embedder.embedded]
    assert len(texts) == len(set(texts)) == 305


def test_what_a_dead_node_had_taken_is_taken_over(
    alone: Alone, server_url: str, pgvector: Server
) -> None:
    class Dies(HashedWords):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            raise SystemExit

    dying = alone(Dies())
    with pytest.raises(SystemExit):
        dying.embed_pending()
    living = alone(HashedWords())
    assert living.embed_pending() == 0
    assert living.pending() == 5
    with pgvector.admin(name_in(server_url)) as admin:
        admin.execute(
            "UPDATE antiphon_knowledge.embeddings SET claimed = claimed - interval '1 hour'"
        )
    assert living.embed_pending() == 5


def test_two_models_live_side_by_side(alone: Alone) -> None:
    first, second = HashedWords(), HashedWords("another", dims=160)
    old, new = alone(first), alone(second)
    old.flush()
    assert new.pending() == 5
    assert new.search("analytical engine")[0].id == "person:ada_lovelace"
    new.flush()
    old.upsert([record("doc:new", "A new one.")])
    assert (old.pending(), new.pending()) == (1, 1)
    old.flush()
    assert (old.pending(), new.pending()) == (0, 1)
    for node in (old, new):
        assert node.search("analytical engine")[0].id == "person:ada_lovelace"


def test_an_embedder_that_fails_is_an_error_to_it_and_words_to_a_search(
    alone: Alone, caplog: pytest.LogCaptureFixture
) -> None:
    embedder = Faulty()
    database = alone(embedder)
    database.flush()
    embedder.failures = 1
    assert database.search("ferries tickets")[0].id == "project:harbor"
    assert "words alone" in caplog.text
    embedder.failures = 1
    database.upsert([record("doc:late", "Late.")])
    with pytest.raises(KnowledgeError, match="the model is not there"):
        database.embed_pending()
    assert database.embed_pending() == 1


def test_a_text_that_has_no_vector_does_not_hold_up_the_others(alone: Alone) -> None:
    database = alone(Faulty())
    database.upsert([record("doc:bad", "An unspeakable word.")])
    database.flush()
    assert database.pending() == 0
    assert database.search("unspeakable")[0].id == "doc:bad"
    database.upsert([record("doc:bad", "A good word.")])
    assert database.pending() == 1


def test_an_embedder_that_gives_another_shape_is_refused(alone: Alone) -> None:
    class Short(HashedWords):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            return super().embed(texts)[:, :10]

    with pytest.raises(KnowledgeError, match="shape"):
        alone(Short()).embed_pending()


def test_with_many_vectors_an_index_finds_the_same(pgvector: Server) -> None:
    name = pgvector.new_database()
    records = many(1_200)
    filters = Filters(types=("person",))
    found: list[list[float]] = []
    for index_from in (1_000_000, 300):
        with PostgresKnowledgeBase.connect(
            pgvector.url(name), embedder=HashedWords(), index_from=index_from
        ) as base:
            database = base.database("crowd") if "crowd" in base.ids() else base.create("crowd")
            database.upsert(records)
            database.flush()
            for query in (WORDS[0], "gardening with music"):
                for chosen in (None, filters):
                    hits = database.search(query, k=20, filters=chosen)
                    assert len(hits) == 20
                    found.append([one.score for one in hits])
    half = len(found) // 2
    for exact, indexed in zip(found[:half], found[half:], strict=True):
        assert indexed == pytest.approx(exact, abs=0.02)
    with pgvector.admin(name) as admin:
        used = admin.execute(
            "SELECT s.idx_scan FROM pg_stat_all_indexes s JOIN pg_index i USING (indexrelid) "
            "WHERE s.indexrelname LIKE 'embeddings_nearest_%' AND i.indisvalid"
        ).fetchall()
        assert len(used) == 1
        assert used[0][0] > 0
    with open_knowledge(pgvector.url(name)) as base:
        base.delete("crowd")
    with pgvector.admin(name) as admin:
        left = admin.execute(
            "SELECT (SELECT count(*) FROM antiphon_knowledge.embeddings) "
            "+ (SELECT count(*) FROM antiphon_knowledge.records) "
            "+ (SELECT count(*) FROM antiphon_knowledge.terms) "
            "+ (SELECT count(*) FROM pg_class WHERE relname LIKE 'embeddings_nearest_%')"
        ).fetchone()
    assert left == (0,)
