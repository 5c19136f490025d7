"""The vectors that ship are those of the model, for every text of the sample and for no other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from antiphon.knowledge import KnowledgeBase
from antiphon.knowledge.embedding import EmbeddingError, MiniLM
from antiphon.knowledge.embedding.port import Vectors
from antiphon.knowledge.embedding.shipped import PrecomputedEmbedder, sample_texts, write
from antiphon.knowledge.samples import import_samples


class Counting:
    """The built-in model, and what it was asked for."""

    dims = MiniLM.dims

    def __init__(self, name: str = "") -> None:
        self._model = MiniLM()
        self.name = name or self._model.name
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return self._model.embed(texts)


def test_the_vectors_of_the_sample_are_those_that_the_model_makes() -> None:
    texts = list(sample_texts())
    assert len(texts) > 200
    some = texts[::20]
    model = Counting()
    shipped = PrecomputedEmbedder(model).embed(some)
    assert model.asked == []
    assert np.allclose(np.linalg.norm(shipped, axis=1), 1, atol=1e-5)
    assert (np.sum(shipped * MiniLM().embed(some), axis=1) > 0.999).all()


def test_the_sample_is_searched_by_meaning_without_one_text_being_embedded(tmp_path: Path) -> None:
    model = Counting()
    with KnowledgeBase.open(tmp_path, embedder=PrecomputedEmbedder(model)) as base:
        import_samples(base)
        for name in base.ids():
            while base.database(name).embed_pending():
                pass
            assert base.database(name).pending() == 0
    assert model.asked == []


def test_other_texts_are_embedded_in_their_places() -> None:
    known = next(sample_texts())
    model = Counting()
    vectors = PrecomputedEmbedder(model).embed(["something else", known, "and more"])
    assert model.asked == ["something else", "and more"]
    expected = MiniLM().embed(["something else", known, "and more"])
    assert (np.sum(vectors * expected, axis=1) > 0.999).all()
    with pytest.raises(EmbeddingError, match="put it in a list"):
        PrecomputedEmbedder(model).embed("one text")


def test_vectors_of_another_model_are_not_used(tmp_path: Path) -> None:
    known = next(sample_texts())
    model = Counting(name="another model")
    PrecomputedEmbedder(model).embed([known])
    assert model.asked == [known]

    class Few:
        name, dims = "few", 2

        def embed(self, texts: Sequence[str]) -> Vectors:
            return np.array([[0.6, 0.8]] * len(texts), np.float32)

    file = tmp_path / "vectors.bin"
    assert write(Few(), file) == len(set(sample_texts()))
    assert np.allclose(PrecomputedEmbedder(Few(), file).embed([known]), [[0.6, 0.8]], atol=0.01)
