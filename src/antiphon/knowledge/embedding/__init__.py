"""Texts to vectors: the port, the embedder that is built in, services, and a cache of vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from antiphon._lazy import lazy

if TYPE_CHECKING:
    from antiphon.knowledge.embedding.cache import CachedEmbedder, CacheStats
    from antiphon.knowledge.embedding.factory import (
        DEFAULT,
        default_embedder,
        embedder_for,
    )
    from antiphon.knowledge.embedding.minilm import MiniLM, available_cores
    from antiphon.knowledge.embedding.port import Embedder, EmbeddingError
    from antiphon.knowledge.embedding.remote import GeminiEmbedder, OpenAIEmbedder

_HERE = "antiphon.knowledge.embedding"
_HOMES = {
    "CacheStats": f"{_HERE}.cache",
    "CachedEmbedder": f"{_HERE}.cache",
    "DEFAULT": f"{_HERE}.factory",
    "Embedder": f"{_HERE}.port",
    "EmbeddingError": f"{_HERE}.port",
    "GeminiEmbedder": f"{_HERE}.remote",
    "MiniLM": f"{_HERE}.minilm",
    "OpenAIEmbedder": f"{_HERE}.remote",
    "available_cores": f"{_HERE}.minilm",
    "default_embedder": f"{_HERE}.factory",
    "embedder_for": f"{_HERE}.factory",
}
__all__ = [
    "CacheStats",
    "CachedEmbedder",
    "DEFAULT",
    "Embedder",
    "EmbeddingError",
    "GeminiEmbedder",
    "MiniLM",
    "OpenAIEmbedder",
    "available_cores",
    "default_embedder",
    "embedder_for",
]
__getattr__ = lazy(__name__, _HOMES, globals())
