"""Embedder factory: the built-in model, or one by name and options, with a cache if wanted."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from antiphon.contracts import ErrorType
from antiphon.knowledge.embedding.port import Embedder, EmbeddingError
from antiphon.plugins import PluginError, Plugins, UnknownPlugin

DEFAULT = "minilm"

_guard = threading.Lock()
_shared: list[Embedder] = []


def default_embedder(options: Mapping[str, Any] | None = None) -> Embedder:
    """The built-in model. Without options it is one for the whole process, as it is large."""
    if options:
        return embedder_for(DEFAULT, options)
    with _guard:
        if not _shared:
            from antiphon.knowledge.embedding.shipped import PrecomputedEmbedder

            _shared.append(PrecomputedEmbedder(embedder_for(DEFAULT)))
        return _shared[0]


def embedder_for(
    name: str, options: Mapping[str, Any] | None = None, plugins: Plugins | None = None
) -> Embedder:
    """An embedder by its name among the plug-ins. Nothing is loaded or asked before its first text.

    The options are the parameters of its class. Besides, `cache` names a file to keep vectors in,
    and `cache_bytes` how large it may grow. Raises EmbeddingError for unknown names and options.
    """
    try:
        embedder_class = (plugins or Plugins()).find("embedders", str(name)).load()
    except UnknownPlugin as error:
        raise EmbeddingError(
            f"There is no embedder {name!r}; choose one of {', '.join(error.known)}.",
            ErrorType.NOT_FOUND,
            nearest=error.nearest,
        ) from None
    except PluginError as error:
        raise EmbeddingError(str(error), ErrorType.PERMANENT) from error
    given = dict(options or {})
    cache, cache_bytes = given.pop("cache", None), given.pop("cache_bytes", None)
    for key in ("ca_file", "model_file"):
        if given.get(key) is not None:
            given[key] = Path(given[key])
    known = list(inspect.signature(embedder_class).parameters)
    unknown = [key for key in given if key not in known]
    if unknown:
        raise EmbeddingError(
            f"The embedder {name} has no option {', '.join(unknown)}; it has "
            f"{', '.join([*known, 'cache', 'cache_bytes'])}.",
            ErrorType.VALIDATION,
        )
    if name == "openai-compatible" and not given.get("base_url"):
        raise EmbeddingError(
            "The embedder openai-compatible needs base_url, such as http://localhost:11434/v1.",
            ErrorType.VALIDATION,
        )
    embedder: Embedder = embedder_class(**given)
    if cache is None:
        return embedder
    from antiphon.knowledge.embedding.cache import MAX_BYTES, CachedEmbedder

    return CachedEmbedder(
        embedder, Path(cache), max_bytes=MAX_BYTES if cache_bytes is None else cache_bytes
    )
