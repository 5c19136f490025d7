"""Opens knowledge wherever it is kept: in a folder, or on a PostgreSQL server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from antiphon.knowledge.base import KnowledgeBase
from antiphon.knowledge.errors import KnowledgeError

if TYPE_CHECKING:
    from antiphon.knowledge.embedding import Embedder

_SERVERS = ("postgresql", "postgres")


def open_knowledge(
    place: str | Path, *, embedder: Embedder | None = None, work: Path | None = None
) -> KnowledgeBase:
    """The knowledge base in a folder, or on the server of a postgresql:// URL.

    `work` is a folder in which a node that uses a server keeps how far its imports have come.
    Raises KnowledgeError when it cannot be opened; the text says why and what to do.
    """
    if isinstance(place, str) and "://" in place:
        scheme = place.partition("://")[0]
        if scheme.partition("+")[0] not in _SERVERS:
            # The rest may hold a password.
            raise KnowledgeError(
                f"Knowledge cannot be kept at {scheme[:40]}://…; name a folder, or write "
                "postgresql://user:password@host/database."
            )
        from antiphon.knowledge.postgres.base import WORK, ServerKnowledgeBase

        return ServerKnowledgeBase.connect(place, embedder=embedder, work=work or WORK)
    if not str(place).strip():
        raise KnowledgeError("Name the folder of the knowledge base, or a postgresql:// URL.")
    return KnowledgeBase.open(Path(place), embedder=embedder)
