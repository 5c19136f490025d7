"""The nearest vectors are found, among those that may be, however many there are."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from antiphon.knowledge import KnowledgeError
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


def test_nearly_all_of_the_nearest_are_found_in_several_blocks() -> None:
    count = BLOCK + 5_000
    vectors = clustered(count)
    index = filled(vectors)
    found = total = 0
    for at in range(0, count, 1_500):
        rows, _ = index.search(vectors[at], 10)
        found += len(set(rows.tolist()) & set(nearest(vectors, vectors[at], 10)))
        total += 10
    assert found / total >= 0.9


@pytest.mark.parametrize("share", [0.001, 0.1, 0.6])
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
    assert hits / total >= 0.9


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
