"""The nearest vectors are found, among those that may be, however many there are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.knowledge.helpers import STUDIO, HashedWords

from antiphon.knowledge import KnowledgeBase, KnowledgeError, snapshot
from antiphon.knowledge.vectors import BLOCK, Quantized, VectorIndex

DIMS = 96


def clustered(count: int, dims: int = DIMS, seed: int = 1) -> NDArray[np.float32]:
    chance = np.random.default_rng(seed)
    centres = chance.standard_normal((max(4, count // 50), dims))
    vectors = centres[chance.integers(0, len(centres), count)]
    vectors = vectors + 0.7 * chance.standard_normal((count, dims))
    unit: NDArray[np.float32] = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(
        np.float32
    )
    return unit


def filled(vectors: NDArray[np.float32], rows: NDArray[np.int64] | None = None) -> VectorIndex:
    dims = vectors.shape[1]
    index = VectorIndex(dims)
    packed = Quantized.unpack(Quantized.pack(vectors), dims)
    index.put(np.arange(len(vectors)) if rows is None else rows, *packed)
    return index


def nearest(vectors: NDArray[np.float32], query: NDArray[np.float32], k: int) -> list[int]:
    found: list[int] = np.argsort(-(vectors @ query), kind="stable")[:k].tolist()
    return found


@pytest.mark.parametrize("dims", [24, 64, 100, 384])
def test_vectors_of_any_size_are_found(dims: int) -> None:
    vectors = clustered(300, dims)
    index = filled(vectors)
    for at in range(0, 300, 37):
        rows, cosines = index.search(vectors[at], 5)
        assert rows[0] == at
        assert cosines[0] == pytest.approx(1.0, abs=0.02)


def recall(index: VectorIndex, vectors: NDArray[np.float32], rows: NDArray[np.int64]) -> float:
    """The part of the true ten nearest that is found, over some of the vectors as queries."""
    found = total = 0
    for at in range(0, len(vectors), len(vectors) // 25):
        near, _ = index.search(vectors[at], 10)
        found += len(set(near.tolist()) & set(rows[nearest(vectors, vectors[at], 10)].tolist()))
        total += 10
    return found / total


def test_nearly_all_of_the_nearest_are_found_in_several_blocks() -> None:
    vectors = clustered(6_000)
    rows = np.random.default_rng(2).permutation(6_000) * 50
    assert rows.max() > 2 * BLOCK
    assert recall(filled(vectors, rows), vectors, rows) >= 0.95


@pytest.mark.parametrize("dims", [24, 64, 100, 105, 384, 1_000])
def test_nearly_all_of_the_nearest_are_found_whatever_the_dimensions(dims: int) -> None:
    vectors = clustered(3_000, dims)
    assert recall(filled(vectors), vectors, np.arange(3_000)) >= 0.9


def test_vectors_whose_signs_are_all_alike_are_found() -> None:
    vectors = clustered(3_000, 200)
    vectors[::100] = np.abs(vectors[::100])
    vectors[50::100] = -np.abs(vectors[50::100])
    index = filled(vectors)
    for at in range(0, 3_000, 50):
        assert index.search(vectors[at], 1)[0].tolist() == [at]


def test_rows_that_are_all_alike_are_found_as_many_as_are_wanted() -> None:
    index = filled(np.repeat(clustered(1), 4_000, axis=0))
    rows, cosines = index.search(clustered(1)[0], 10)
    assert len(set(rows.tolist())) == 10
    assert cosines == pytest.approx(1.0, abs=0.02)
    assert len(index.search(np.zeros(DIMS, np.float32), 10)[0]) == 10


def test_what_was_saved_finds_the_same_and_takes_more() -> None:
    vectors = clustered(3_000)
    index = filled(vectors[:2_500])
    index.drop(11)
    again = VectorIndex.load(DIMS, {name: part.copy() for name, part in index.dump().items()})
    for at in range(0, 2_500, 311):
        (rows, cosines), (others, same) = (one.search(vectors[at], 10) for one in (index, again))
        assert rows.tolist() == others.tolist()
        assert cosines.tolist() == same.tolist()
    again.put(np.arange(2_500, 3_000), *Quantized.unpack(Quantized.pack(vectors[2_500:]), DIMS))
    assert again.count == 2_999
    assert again.search(vectors[2_700], 1)[0].tolist() == [2_700]
    assert again.search(vectors[7], 1)[0].tolist() == [7]


def test_what_was_saved_with_other_dimensions_is_refused() -> None:
    with pytest.raises(ValueError, match="another shape"):
        VectorIndex.load(DIMS + 1, filled(clustered(10)).dump())


@pytest.mark.parametrize("share", [0.001, 0.1, 0.3, 0.6])
def test_only_rows_that_are_allowed_are_found_and_the_best_of_them(share: float) -> None:
    count = 12_000
    vectors = clustered(count)
    index = filled(vectors)
    allowed = np.random.default_rng(3).random(count) < share
    some = np.flatnonzero(allowed)
    hits = total = 0
    for at in range(0, count, 1_000):
        rows, cosines = index.search(vectors[at], 5, allowed)
        assert allowed[rows].all()
        assert list(cosines) == sorted(cosines, reverse=True)
        best = {int(some[number]) for number in nearest(vectors[some], vectors[at], 5)}
        hits += len(best & set(rows.tolist()))
        total += min(5, len(some))
    assert hits / total >= 0.95


def test_dropped_and_replaced_rows_are_no_longer_what_they_were() -> None:
    vectors = clustered(3_000)
    index = filled(vectors)
    index.drop(7)
    assert 7 not in index.search(vectors[7], 10)[0]
    index.put(np.array([8]), *Quantized.unpack(Quantized.pack(vectors[7:8]), DIMS))
    assert index.search(vectors[7], 1)[0].tolist() == [8]
    assert index.count == 2_999


def test_rows_without_a_vector_are_told_apart() -> None:
    vectors = clustered(3)
    index = filled(vectors, np.array([2, 40_000, 5]))
    assert index.search(vectors[1], 1)[0].tolist() == [40_000]
    cosines = index.cosines(np.array([2, 3, 90_000]), vectors[0])
    assert cosines[0] == pytest.approx(1.0, abs=0.02)
    assert np.isnan(cosines[1:]).all()
    alive = np.zeros(50_000, np.bool_)
    alive[[2, 4, 45_000]] = True
    assert index.missing(alive).tolist() == [4, 45_000]


def test_an_empty_index_finds_nothing() -> None:
    index = VectorIndex(DIMS)
    rows, cosines = index.search(clustered(1)[0], 5)
    assert len(rows) == len(cosines) == 0


def test_numbers_that_are_not_finite_are_refused() -> None:
    vectors = clustered(2)
    vectors[1, 3] = np.nan
    with pytest.raises(KnowledgeError, match="not finite"):
        Quantized.pack(vectors)


def test_a_vector_loses_little_when_it_is_kept() -> None:
    vectors = clustered(50)
    scales, steps = Quantized.unpack(Quantized.pack(vectors), DIMS)
    again = steps.astype(np.float32) * scales[:, None]
    assert np.abs(again - vectors).max() < 0.005


def test_a_snapshot_of_an_earlier_format_is_made_again_from_the_records(tmp_path: Path) -> None:
    embedder = HashedWords()
    with KnowledgeBase.open(tmp_path, embedder=embedder) as base:
        database = base.create("studio")
        database.upsert(STUDIO)
        database.flush()
        before = [(one.id, one.score) for one in database.search("program for an engine")]
    path = tmp_path / "studio" / "rows.bin"
    saved = snapshot.load(path)
    assert saved is not None
    meta, arrays = saved
    snapshot.save(path, {**meta, "format": 1}, {"codes0": arrays["present"]})
    embedder.embedded.clear()
    with KnowledgeBase.open(tmp_path, embedder=embedder) as base:
        again = base.database("studio").search("program for an engine")
        assert [(one.id, one.score) for one in again] == before
    assert embedder.embedded == ["program for an engine"]  # nothing was embedded again
