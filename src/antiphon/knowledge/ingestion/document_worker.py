"""Documents parsed in a worker process with limits, so that none can take the server with it."""

from __future__ import annotations

from typing import Any, Protocol

from antiphon.contracts import ErrorType
from antiphon.knowledge.errors import KnowledgeError
from antiphon.knowledge.ingestion.documents import SourceDocument, read_document

# Formats that take a parser of their own; plain text and Markdown are read where they are.
PARSED = ("html", "pdf", "docx")
SECONDS = 60.0


class RunsInWorker(Protocol):
    """Runner of `module:function` in a worker: `WorkerPool.run_from_thread` or `run_once`."""

    def __call__(
        self, target: str, *args: Any, timeout: float, raises: tuple[type[Exception], ...] = ()
    ) -> Any: ...


def read_in_worker(
    content: str | bytes, kind: str, run: RunsInWorker | None = None
) -> SourceDocument:
    """Parse a document in a worker process; without `run`, in one started for this document.

    Raises KnowledgeError for what is not a document of this kind, or takes too long to read.
    """
    if kind not in PARSED:
        return read_document(content, kind)
    from antiphon.workers import WorkerError, run_once

    try:
        found = (run or run_once)(
            "antiphon.knowledge.ingestion.documents:parsed",
            content,
            kind,
            timeout=SECONDS,
            raises=(KnowledgeError,),
        )
    except WorkerError as error:
        busy = error.reason == "busy"
        raise KnowledgeError(
            f"The document could not be read: {error.message}",
            ErrorType.TRANSIENT if busy else ErrorType.VALIDATION,
        ) from error
    return SourceDocument(**found)
