"""Checked embedder: failures of any kind as KnowledgeError, and vectors of the right shape."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from antiphon.contracts import ErrorType
from antiphon.knowledge.errors import KnowledgeError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from antiphon.knowledge.embedding.port import Embedder

log = logging.getLogger(__name__)


class CheckedEmbedder:
    """Guard around an embedder, which may be a plug-in and raise anything."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.name = embedder.name
        self.dims = embedder.dims

    def embed(self, texts: list[str]) -> NDArray[np.float32]:
        """Embed texts, one row for each, which may hold NaN. Raises KnowledgeError alone."""
        import numpy as np

        try:
            vectors = np.asarray(self._embedder.embed(texts), dtype=np.float32)
        except KnowledgeError:
            raise
        except Exception as error:
            raise KnowledgeError(
                f"The embedder {self.name} failed: {error or type(error).__name__}.",
                ErrorType.TRANSIENT,
            ) from error
        if vectors.shape != (len(texts), self.dims):
            raise KnowledgeError(
                f"The embedder {self.name} gave an array of shape {vectors.shape} for "
                f"{len(texts)} texts; ({len(texts)}, {self.dims}) was expected.",
                ErrorType.PERMANENT,
            )
        return vectors

    def embed_query(self, query: str) -> NDArray[np.float32] | None:
        """Embed a query; None when that fails or gives no direction, and the search is by words."""
        from antiphon.knowledge.analysis import LONGEST_QUERY

        text = query[:LONGEST_QUERY].strip()
        if not text:
            return None
        try:
            vector: NDArray[np.float32] = self.embed([text])[0]
        except KnowledgeError as error:
            log.warning("Searching by words alone: %s", error)
            return None
        return vector if (vector == vector).all() else None  # NaN is no direction
