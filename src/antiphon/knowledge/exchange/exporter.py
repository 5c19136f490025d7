"""Writing a database to a file or folder: whole or not at all, always in the same order."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from antiphon.contracts import ErrorType
from antiphon.knowledge.errors import KnowledgeError, explained
from antiphon.knowledge.exchange.formats import format_of
from antiphon.knowledge.exchange.graphml import write_graphml
from antiphon.knowledge.exchange.importer import Progress
from antiphon.knowledge.exchange.jsonl import write_json_lines
from antiphon.knowledge.exchange.markdown import file_name, markdown_of
from antiphon.knowledge.exchange.tables import (
    EDGES_FILE,
    RECORDS_FILE,
    write_edges_table,
    write_records_table,
)
from antiphon.knowledge.records import Edge, Record

if TYPE_CHECKING:
    from antiphon.knowledge.database import Database

PAGE = 1_000


@dataclass(slots=True)
class ExportReport:
    """Result of an export. `consistent` is False when the database was written meanwhile."""

    path: str
    format: str
    records: int = 0
    edges: int = 0
    consistent: bool = True

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def export_file(
    database: Database,
    path: Path | str,
    *,
    format: str | None = None,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> ExportReport:
    """Export records by id, and edges by source, target and relation.

    A file that is there is replaced once the new one is complete; CSV and Markdown go into a
    folder, which must be new or empty. `progress` is called with the records and edges done and in
    all. Raises KnowledgeError when it cannot be written or was cancelled; nothing is left behind.
    """
    path = Path(path)
    if format is None and not path.suffix:
        raise KnowledgeError(f"Say which format {path.name} is to be in.")
    found = format_of(path, format)
    report = ExportReport(str(path), found)
    export = _Export(database, report, progress, cancelled)
    with explained(path):
        if found in ("csv", "markdown"):
            with _new_folder(path) as folder:
                export.to_folder(folder)
        else:
            with _new_file(path) as stream:
                export.to_file(stream)
    return report


class _Export:
    """One export under way."""

    def __init__(
        self,
        database: Database,
        report: ExportReport,
        progress: Progress | None,
        cancelled: Callable[[], bool] | None,
    ) -> None:
        self._database = database
        self._report = report
        self._progress = progress
        self._cancelled = cancelled
        counts = database.counts()
        self._total = counts["records"] + counts["edges"]
        self._revision = database.revision

    def to_file(self, stream: BinaryIO) -> None:
        write = write_graphml if self._report.format == "graphml" else write_json_lines
        write(stream, self._items())
        self._finish()

    def to_folder(self, folder: Path) -> None:
        if self._report.format == "csv":
            with (folder / RECORDS_FILE).open("wb") as stream:
                write_records_table(stream, self._records())
            with (folder / EDGES_FILE).open("wb") as stream:
                write_edges_table(stream, self._edges())
        else:
            for page in self._pages():
                edges = self._edges_from(page)
                for record in page:
                    target = folder / file_name(record)
                    target.parent.mkdir(exist_ok=True)
                    target.write_bytes(markdown_of(record, edges.get(record.id, ())))
                self._report.records += len(page)
                self._report.edges += sum(map(len, edges.values()))
                self._tell()
        self._finish()

    def _items(self) -> Iterator[Record | Edge]:
        yield from self._records()
        yield from self._edges()

    def _pages(self) -> Iterator[list[Record]]:
        after = None
        while page := self._database.records(after, PAGE):
            yield page
            after = page[-1].id

    def _records(self) -> Iterator[Record]:
        for page in self._pages():
            yield from page
            self._report.records += len(page)
            self._tell()

    def _edges(self) -> Iterator[Edge]:
        for page in self._pages():
            for edges in self._edges_from(page).values():
                yield from edges
                self._report.edges += len(edges)
            self._tell()

    def _edges_from(self, page: list[Record]) -> dict[str, list[Edge]]:
        """The edges that begin at each record of a page, in order."""
        found: dict[str, list[Edge]] = {record.id: [] for record in page}
        for edge in self._database.edges_of(list(found)):
            if edge.source in found:
                found[edge.source].append(edge)
        for edges in found.values():
            edges.sort(key=lambda edge: (edge.target, edge.relation))
        return found

    def _tell(self) -> None:
        if self._cancelled is not None and self._cancelled():
            raise KnowledgeError("The export was cancelled.", ErrorType.TRANSIENT)
        if self._progress is not None:
            done = self._report.records + self._report.edges
            self._progress(min(done, self._total), self._total)

    def _finish(self) -> None:
        self._report.consistent = self._database.revision == self._revision
        if self._progress is not None:
            self._progress(self._total, self._total)


@contextmanager
def _new_file(path: Path) -> Iterator[BinaryIO]:
    if path.is_dir():
        raise KnowledgeError(f"{path} is a folder; name a file to write to.")
    descriptor, aside = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(aside, 0o644)
        os.replace(aside, path)
    except BaseException:
        Path(aside).unlink(missing_ok=True)
        raise


@contextmanager
def _new_folder(path: Path) -> Iterator[Path]:
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise KnowledgeError(
            f"{path} is there already and not an empty folder; choose a new name.",
            ErrorType.CONFLICT,
        )
    aside = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.absolute().parent))
    try:
        aside.chmod(0o755)
        yield aside
        os.replace(aside, path)  # an empty folder gives way
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise
