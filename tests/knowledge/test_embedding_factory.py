"""Choosing an embedder by name and options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from antiphon.contracts import ErrorType
from antiphon.knowledge.embedding import (
    CachedEmbedder,
    EmbeddingError,
    GeminiEmbedder,
    MiniLM,
    OpenAIEmbedder,
    default_embedder,
    embedder_for,
)


def test_the_default_is_the_built_in_model_shared_by_the_process() -> None:
    assert (default_embedder().name, default_embedder().dims) == (MiniLM().name, 384)
    assert default_embedder() is default_embedder()


def test_the_default_with_options_is_one_of_its_own() -> None:
    assert default_embedder({"max_tokens": 64}).name != default_embedder().name


@pytest.mark.parametrize(
    ("name", "options", "kind", "model", "dims"),
    [
        ("minilm", {}, MiniLM, "all-MiniLM-L6-v2-int8:8199be6f699a", 384),
        ("openai", {"api_key": "k"}, OpenAIEmbedder, "openai:text-embedding-3-small", 1536),
        (
            "openai-compatible",
            {"base_url": "http://localhost:11434", "model": "nomic", "dims": 768},
            OpenAIEmbedder,
            "openai@localhost:11434:nomic:768",
            768,
        ),
        ("gemini", {"api_key": "k"}, GeminiEmbedder, "gemini:gemini-embedding-001:768", 768),
    ],
)
def test_each_name_gives_its_embedder(
    name: str, options: dict[str, Any], kind: type, model: str, dims: int
) -> None:
    embedder = embedder_for(name, options)
    assert isinstance(embedder, kind)
    assert (embedder.name, embedder.dims) == (model, dims)


def test_a_cache_is_put_before_the_embedder_when_a_file_is_named(tmp_path: Path) -> None:
    embedder = embedder_for("minilm", {"cache": str(tmp_path / "cache.db"), "cache_bytes": 100_000})
    assert isinstance(embedder, CachedEmbedder)
    assert embedder.name == default_embedder().name
    embedder.close()


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(EmbeddingError, match="choose one of minilm, openai") as caught:
        embedder_for("mini-lm")
    assert caught.value.type is ErrorType.NOT_FOUND
    assert caught.value.nearest[0] == "minilm"


def test_an_unknown_option_is_answered_with_those_there_are() -> None:
    with pytest.raises(
        EmbeddingError, match="has no option thread; it has threads, cores, max_tokens"
    ):
        embedder_for("minilm", {"thread": 2})


@pytest.mark.parametrize(
    ("name", "variable"), [("openai", "OPENAI_API_KEY"), ("gemini", "GEMINI_API_KEY")]
)
def test_a_missing_key_is_answered_with_the_variable_to_set(name: str, variable: str) -> None:
    with pytest.raises(EmbeddingError, match=f"set {variable}") as caught:
        embedder_for(name)
    assert caught.value.type is ErrorType.AUTH


def test_a_compatible_server_needs_an_address() -> None:
    with pytest.raises(EmbeddingError, match="needs base_url"):
        embedder_for("openai-compatible", {"model": "nomic"})
