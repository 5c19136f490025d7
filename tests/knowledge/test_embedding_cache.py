"""The cache of vectors: what it saves, what it forgets, and what damage does to it."""

from __future__ import annotations

import hashlib
import logging
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy
import pytest

from antiphon.knowledge.embedding import CachedEmbedder, EmbeddingError


class Hashes:
    """Vectors from digests, and a list of the texts that were asked for."""

    dims = 64

    def __init__(self, name: str = "hashes") -> None:
        self.name = name
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> numpy.ndarray:
        self.asked += texts
        rows = [hashlib.sha512(text.encode("utf-8", "replace")).digest() for text in texts]
        vectors = numpy.array([list(row) for row in rows], numpy.float32) - 127.5
        return vectors / numpy.linalg.norm(vectors, axis=1, keepdims=True)


def file_of(folder: Path) -> Path:
    return folder / "vectors.db"


def test_a_text_is_embedded_once_even_across_openings(tmp_path: Path) -> None:
    inner = Hashes()
    with CachedEmbedder(inner, file_of(tmp_path)) as cache:
        first = cache.embed(["a", "b", "a"])
        again = cache.embed(["b", "c"])
        assert cache.stats()[:3] == (1, 3, 3)
    assert inner.asked == ["a", "b", "c"]
    later = Hashes()
    with CachedEmbedder(later, file_of(tmp_path)) as cache:
        kept = cache.embed(["a", "b", "c"])
    assert later.asked == []
    assert (kept == [first[0], first[1], again[1]]).all()
    assert (first[0] == first[2]).all()


def test_a_kept_vector_is_the_one_of_the_embedder_but_for_rounding(tmp_path: Path) -> None:
    texts = ["one", "two", "\ud800", ""]
    with CachedEmbedder(Hashes(), file_of(tmp_path)) as cache:
        for _ in range(2):
            vectors = cache.embed(texts)
            assert vectors.dtype == numpy.float32
            assert vectors == pytest.approx(Hashes().embed(texts), abs=1e-3)
            assert numpy.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)


def test_another_model_does_not_see_the_vectors_of_the_first(tmp_path: Path) -> None:
    with CachedEmbedder(Hashes("one"), file_of(tmp_path)) as cache:
        cache.embed(["a"])
    other = Hashes("two")
    with CachedEmbedder(other, file_of(tmp_path)) as cache:
        cache.embed(["a"])
        assert cache.stats().entries == 2
    assert other.asked == ["a"]


def test_the_vectors_that_were_not_used_for_longest_go_first(tmp_path: Path) -> None:
    inner = Hashes()
    # A row takes 64 numbers of two bytes, four of checksum and 100 of its own: 282 rows fit.
    with CachedEmbedder(inner, file_of(tmp_path), max_bytes=65_536) as cache:
        cache.embed([f"old {n}" for n in range(200)])
        cache.embed([f"old {n}" for n in range(20)])
        cache.embed([f"new {n}" for n in range(150)])
        stats = cache.stats()
        assert stats.bytes <= 65_536
        assert stats.entries == stats.bytes // 232
        inner.asked.clear()
        cache.embed([f"old {n}" for n in range(20)] + [f"new {n}" for n in range(150)])
        assert inner.asked == []
        cache.embed([f"old {n}" for n in range(20, 200)])
        assert len(inner.asked) == 180 - (stats.entries - 170)


def test_more_texts_than_fit_are_all_embedded_and_the_bound_holds(tmp_path: Path) -> None:
    texts = [f"text {n}" for n in range(1000)]
    with CachedEmbedder(Hashes(), file_of(tmp_path), max_bytes=65_536) as cache:
        assert cache.embed(texts) == pytest.approx(Hashes().embed(texts), abs=1e-3)
        assert cache.stats().bytes <= 65_536


def test_a_file_that_is_no_database_is_put_aside(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file_of(tmp_path).write_bytes(b"certainly not a database " * 1000)
    with CachedEmbedder(Hashes(), file_of(tmp_path)) as cache:
        cache.embed(["a"])
        assert cache.stats().entries == 1
    assert "was damaged" in caplog.text
    assert (tmp_path / "vectors.db.damaged").read_bytes().startswith(b"certainly")


def test_a_file_that_is_damaged_while_in_use_is_made_anew(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    texts = [f"text {n}" for n in range(400)]
    with CachedEmbedder(Hashes(), file_of(tmp_path)) as cache:
        cache.embed(texts)
    inner = Hashes()
    with CachedEmbedder(inner, file_of(tmp_path)) as cache:
        with file_of(tmp_path).open("r+b") as file:
            size = file.seek(0, 2)
            file.seek(4096)
            file.write(b"\xff" * (size - 4096))
        with caplog.at_level(logging.WARNING):
            assert cache.embed(texts) == pytest.approx(Hashes().embed(texts), abs=1e-3)
        assert inner.asked == texts
        cache.embed(texts)
        assert inner.asked == texts
    assert caplog.text.count("was damaged") == 1


def test_a_vector_whose_bytes_changed_is_embedded_again_and_replaced(tmp_path: Path) -> None:
    with CachedEmbedder(Hashes(), file_of(tmp_path)) as cache:
        cache.embed(["a"])
    connection = sqlite3.connect(file_of(tmp_path))
    connection.execute("UPDATE vectors SET vector = zeroblob(length(vector))")
    connection.commit()
    connection.close()
    inner = Hashes()
    with CachedEmbedder(inner, file_of(tmp_path)) as cache:
        for _ in range(2):
            assert cache.embed(["a"]) == pytest.approx(Hashes().embed(["a"]), abs=1e-3)
    assert inner.asked == ["a"]


def test_a_cache_that_cannot_be_used_costs_time_but_no_answer(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    inner = Hashes()
    with CachedEmbedder(inner, file_of(tmp_path)) as cache:
        connection = sqlite3.connect(file_of(tmp_path))
        connection.execute("DROP TABLE vectors")
        connection.close()
        for _ in range(3):
            assert cache.embed(["a"]) == pytest.approx(Hashes().embed(["a"]), abs=1e-3)
    assert inner.asked == ["a", "a", "a"]
    assert caplog.text.count("no such table") == 1


def test_a_database_of_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    connection = sqlite3.connect(file_of(tmp_path))
    connection.execute("CREATE TABLE precious (thing)")
    connection.close()
    before = file_of(tmp_path).read_bytes()
    with pytest.raises(EmbeddingError, match="name another file"):
        CachedEmbedder(Hashes(), file_of(tmp_path))
    assert file_of(tmp_path).read_bytes() == before


def test_a_folder_in_place_of_the_file_is_refused(tmp_path: Path) -> None:
    file_of(tmp_path).mkdir()
    with pytest.raises(EmbeddingError, match="cannot be used"):
        CachedEmbedder(Hashes(), file_of(tmp_path))


def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    with CachedEmbedder(Hashes(), tmp_path / "deep" / "er" / "vectors.db"):
        mode = (tmp_path / "deep" / "er" / "vectors.db").stat().st_mode
    assert mode & 0o777 == 0o600


def test_a_closed_cache_says_so(tmp_path: Path) -> None:
    cache = CachedEmbedder(Hashes(), file_of(tmp_path))
    cache.close()
    cache.close()
    with pytest.raises(EmbeddingError, match="is closed"):
        cache.embed(["a"])


def test_threads_may_share_it(tmp_path: Path) -> None:
    asked = [[f"text {n % 50}", f"own {n}"] for n in range(100)]
    with CachedEmbedder(Hashes(), file_of(tmp_path)) as cache:
        with ThreadPoolExecutor(4) as pool:
            results = list(pool.map(cache.embed, asked))
        assert cache.stats().entries == 150
    for texts, vectors in zip(asked, results, strict=True):
        assert vectors == pytest.approx(Hashes().embed(texts), abs=1e-3)


WORKER = """
import sys
from pathlib import Path
import numpy
from antiphon.knowledge.embedding import CachedEmbedder

class Ones:
    name, dims = "ones", 8
    def embed(self, texts):
        return numpy.full((len(texts), 8), 8 ** -0.5, numpy.float32)

with CachedEmbedder(Ones(), Path(sys.argv[1])) as cache:
    for n in range(60):
        cache.embed([f"shared {n}", f"{sys.argv[2]} {n}"])
"""


def test_processes_may_share_it_from_its_making_on(tmp_path: Path) -> None:
    file_of(tmp_path).write_bytes(b"damaged, so that one of them makes it anew " * 200)
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, str(file_of(tmp_path)), str(number)],
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(3)
    ]
    said = [worker.communicate(timeout=60)[1] for worker in workers]
    assert [worker.returncode for worker in workers] == [0, 0, 0], said
    assert sum("was damaged" in text for text in said) == 1
    connection = sqlite3.connect(file_of(tmp_path))
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert connection.execute("SELECT count(*) FROM vectors").fetchone() == (60 + 3 * 60,)
    assert connection.execute("SELECT entries FROM totals").fetchone() == (60 + 3 * 60,)
    connection.close()
