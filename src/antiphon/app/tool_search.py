"""Tool search factory: its encoders, and the files in the data folder that keep their vectors."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from antiphon.tool_search import ToolSearch
from antiphon.tool_search.encoders import Embed, ToolEncoder, installed_encoders

if TYPE_CHECKING:
    from antiphon.config import Settings

logger = logging.getLogger(__name__)

MOST_BYTES = 64 * 1024 * 1024  # of each file


def open_tool_search(settings: Settings) -> ToolSearch:
    """Return the search of the settings. Nothing is loaded before a set of tools is searched."""
    files = _VectorFiles(settings.data)

    def encoders() -> Sequence[ToolEncoder]:
        return installed_encoders(files.keep)

    return ToolSearch(encoders, most_declared=settings.tools.most_declared, on_close=files.close)


class _NamedEmbedder:
    """A function that embeds texts, as an embedder."""

    def __init__(self, name: str, dims: int, embed: Embed) -> None:
        self.name = name
        self.dims = dims
        self.embed = embed


class _VectorFiles:
    """Vectors of tools in one file for each encoder, so that a start need not make them again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._closers: list[Callable[[], Any]] = []

    def keep(self, name: str, dims: int, embed: Embed) -> Embed:
        """Return a function that makes only vectors that are not in the file of this encoder."""
        from antiphon.knowledge.embedding.cache import CachedEmbedder
        from antiphon.knowledge.embedding.port import EmbeddingError

        file = self._folder / f"tools-{name.partition(':')[0].lower()}.vectors"
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            kept = CachedEmbedder(_NamedEmbedder(name, dims, embed), file, max_bytes=MOST_BYTES)
        except (EmbeddingError, OSError) as error:
            # It costs a minute for a thousand tools at each start, and nothing else.
            logger.warning("the vectors of tools are not kept: %s", error)
            return embed
        self._closers.append(kept.close)
        return kept.embed

    def close(self) -> None:
        for close in self._closers:
            close()
