"""Importer of a file or folder into a database: validated, in batches, resumable after a kill."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from antiphon.knowledge.errors import KnowledgeError, explained
from antiphon.knowledge.exchange.checkpoint import Checkpoint, CheckpointFile
from antiphon.knowledge.exchange.formats import open_source
from antiphon.knowledge.exchange.rows import Position, Row, Source
from antiphon.knowledge.marks import imported, replaced
from antiphon.knowledge.records import Edge, Record

if TYPE_CHECKING:
    from antiphon.knowledge.database import Database

# A batch is written in one transaction, at most this many rows and about this much text.
BATCH_ROWS = 2_000
BATCH_TEXT = 8_000_000
MAX_PROBLEMS = 1_000
# How often a check, which writes nothing, says how far it is.
CHECK_ROWS = 2_000

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class RowProblem:
    """Row that was not imported: its place and the reason."""

    line: int
    reason: str
    file: str = ""

    def __str__(self) -> str:
        where = f"{self.file}, line {self.line}" if self.file else f"line {self.line}"
        return f"{where}: {self.reason}"


@dataclass(slots=True)
class KnowledgeImportReport:
    """Result of an import. `problems` has the first 1,000 of the `bad` rows."""

    path: str
    format: str
    records_added: int = 0
    records_changed: int = 0
    records_unchanged: int = 0
    edges_added: int = 0
    edges_changed: int = 0
    edges_unchanged: int = 0
    links_without_target: int = 0
    bad: int = 0
    problems: list[RowProblem] = field(default_factory=list)
    resumed: bool = False
    complete: bool = False

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    def _add_problem(self, row: Row, reason: str) -> None:
        self.bad += 1
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(RowProblem(row.line, reason, row.file))


class ImportRefused(KnowledgeError):
    """Import that was to stop at invalid rows and found some. `report` names them."""

    def __init__(self, message: str, report: KnowledgeImportReport) -> None:
        super().__init__(message)
        self.report = report


def import_file(
    database: Database,
    path: Path | str,
    *,
    format: str | None = None,
    on_error: Literal["stop", "skip"] = "stop",
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
    resume: bool = True,
    untrusted: bool = False,
) -> KnowledgeImportReport:
    """Import a file or folder into the database; same ids and edges are replaced.

    With `on_error="stop"` everything is checked before anything is written, and ImportRefused
    names every invalid row. With "skip" those rows are left out and reported. `progress` is called
    with the bytes done and in all. After a kill, or when `cancelled` returns True, the same call
    resumes where it was (unless `resume` is False). `untrusted` says that others wrote the file;
    what it says of its own origin is not believed.
    """
    if on_error not in ("stop", "skip"):
        raise KnowledgeError(f'on_error is "stop" or "skip", not {on_error!r}.')
    path = Path(path)
    with explained(path):
        source = open_source(path, format)
        doing = _Import(database, path, source, on_error, progress, cancelled, untrusted)
        return doing.run(resume)


class _Cancelled(Exception):
    """The import was cancelled."""


class _Import:
    """One import under way."""

    def __init__(
        self,
        database: Database,
        path: Path,
        source: Source,
        on_error: str,
        progress: Progress | None,
        cancelled: Callable[[], bool] | None,
        untrusted: bool,
    ) -> None:
        self._untrusted = untrusted
        self._database = database
        self._path = path
        self._source = source
        self._on_error = on_error
        self._progress = progress
        self._cancelled = cancelled
        self._file = CheckpointFile(database.folder, path)
        self._report = KnowledgeImportReport(str(path), source.format)
        self._checkpoint = Checkpoint(source.fingerprint(), source.format, on_error)
        self._passes = 3 if on_error == "stop" else 2
        self._pass = 0

    def run(self, resume: bool) -> KnowledgeImportReport:
        kept = None
        if resume:
            mark = self._checkpoint
            kept = self._file.load(mark.fingerprint, mark.format, mark.on_error)
        try:
            if kept is not None:
                self._continue_from(kept)
            elif self._on_error == "stop":
                self._check()
            self._pass = self._passes - 2
            if self._checkpoint.phase == "records":
                self._write_records()
            self._pass = self._passes - 1
            self._write_edges()
        except _Cancelled:
            return self._report
        self._file.remove()
        self._show(self._source.size)
        self._report.complete = True
        return self._report

    def _continue_from(self, kept: Checkpoint) -> None:
        self._checkpoint = kept
        names = {item.name for item in fields(KnowledgeImportReport)}
        body = {name: value for name, value in kept.report.items() if name in names}
        body["problems"] = [RowProblem(**problem) for problem in body.get("problems", [])]
        self._report = KnowledgeImportReport(**body)
        self._report.resumed = True

    # -- checking

    def _check(self) -> None:
        """Read everything without writing; raises ImportRefused when a row is invalid."""
        known = _Ids()
        edges_before_ends = False
        first_edge: Position | None = None
        before: Position | None = None
        for at, row in enumerate(self._source.rows()):
            if at % CHECK_ROWS == 0:
                self._tell(row.done)
            if row.problem:
                self._report._add_problem(row, row.problem)
            elif isinstance(row.item, Record):
                if first := known.add(row):
                    self._report._add_problem(row, _repeated(row.item, first))
            elif isinstance(row.item, Edge) and not row.optional:
                if first_edge is None:
                    first_edge = before or ()
                if not edges_before_ends:
                    edges_before_ends = not (row.item.source in known and row.item.target in known)
            before = row.position
        if edges_before_ends:
            for batch in _edge_batches(self._source.rows(first_edge or None)):
                self._tell(batch[-1].done)
                for row, reason in self._dangling(batch, known):
                    if not row.optional:
                        self._report._add_problem(row, reason)
        if self._report.bad:
            self._report.problems.sort(key=lambda problem: (problem.file, problem.line))
            rows = "1 row does" if self._report.bad == 1 else f"{self._report.bad:,} rows do"
            raise ImportRefused(
                f"{rows} not fit in {self._path.name}, so nothing was imported; the first: "
                f"{self._report.problems[0]}. Correct the file, or have such rows skipped.",
                self._report,
            )

    # -- writing

    def _write_records(self) -> None:
        mark, report = self._checkpoint, self._report
        before = mark.position
        batch: list[Record] = []
        text = 0
        known = self._seen_before(mark.position) if self._on_error == "skip" else None

        def commit() -> None:
            nonlocal batch, text
            if batch:
                written = self._database.upsert(self._as_replacements(batch))
                report.records_added += written.added
                report.records_changed += written.changed
                report.records_unchanged += written.unchanged
            batch, text = [], 0
            mark.position = before
            self._save()

        for number, row in enumerate(self._source.rows(mark.position), 1):
            if row.problem:
                self._refuse_or_note(row, row.problem)
            elif isinstance(row.item, Record):
                if known is not None and (first := known.add(row)):
                    self._refuse_or_note(row, _repeated(row.item, first))
                else:
                    batch.append(imported(row.item, untrusted=self._untrusted))
                    text += len(row.item.text)
            elif mark.first_edge is None:
                mark.first_edge = before or ()
            before = row.position
            if number % BATCH_ROWS == 0 or text >= BATCH_TEXT:
                commit()
                self._tell(row.done)
        mark.phase = "edges"
        before = mark.first_edge
        commit()

    def _as_replacements(self, batch: list[Record]) -> list[Record]:
        """The records as they are kept: a file of others lifts no marks of those that are there."""
        if not self._untrusted:
            return batch
        there = {each.id: each for each in self._database.get([each.id for each in batch])}
        return [replaced(there[each.id], each) if each.id in there else each for each in batch]

    def _seen_before(self, position: Position | None) -> _Ids:
        """Ids up to a position, which a resumed import has to know as well."""
        known = _Ids()
        if position is not None:
            for row in self._source.rows():
                if row.position > position:
                    break
                if isinstance(row.item, Record):
                    known.add(row)
        return known

    def _write_edges(self) -> None:
        mark, report = self._checkpoint, self._report
        if mark.first_edge is None:
            return
        for batch in _edge_batches(self._source.rows(mark.position or None)):
            found = self._dangling(batch)
            dangling = {id(row) for row, _ in found}
            for row, reason in found:
                if row.optional:
                    report.links_without_target += 1
                else:
                    self._refuse_or_note(row, reason)
            written = self._database.upsert_edges(
                row.item for row in batch if isinstance(row.item, Edge) and id(row) not in dangling
            )
            report.edges_added += written.added
            report.edges_changed += written.changed
            report.edges_unchanged += written.unchanged
            mark.position = batch[-1].position
            self._save()
            self._tell(batch[-1].done)

    def _dangling(self, rows: Iterable[Row], known: _Ids | None = None) -> list[tuple[Row, str]]:
        """Edges with an end that is neither in the database nor among the known ids."""
        rows = list(rows)
        ends = {end for row in rows for end in _ends(row)}
        there = {end for end in ends if end in known} if known is not None else set()
        if ends - there:
            there.update(record.id for record in self._database.get(sorted(ends - there)))
        found = []
        for row in rows:
            if missing := sorted(_ends(row) - there):
                found.append((row, f"the edge joins {missing[0]!r}, and there is no such record"))
        return found

    def _refuse_or_note(self, row: Row, reason: str) -> None:
        self._report._add_problem(row, reason)
        if self._on_error == "stop":
            raise ImportRefused(
                f"{self._path.name} changed while it was imported: "
                f"{self._report.problems[-1]}. Import it again.",
                self._report,
            )

    def _save(self) -> None:
        self._checkpoint.report = self._report.to_dict()
        self._file.save(self._checkpoint)

    def _show(self, done: int) -> None:
        if self._progress is not None:
            size = self._source.size
            self._progress(self._pass * size + min(done, size), self._passes * size)

    def _tell(self, done: int) -> None:
        """Report progress, and raise _Cancelled when it was cancelled."""
        self._show(done)
        if self._cancelled is not None and self._cancelled():
            raise _Cancelled


class _Ids:
    """First place of each id of a file. Hashes stand for ids, which may be millions."""

    def __init__(self) -> None:
        self._places: dict[int, int | str] = {}

    def __contains__(self, id: str) -> bool:
        return hash(id) in self._places

    def add(self, row: Row) -> str:
        """Register the id of a record; returns its first place, in words, if it is repeated."""
        assert isinstance(row.item, Record)
        key = hash(row.item.id)
        first = self._places.get(key)
        if first is None:
            self._places[key] = row.file or row.line
            return ""
        return first if isinstance(first, str) else f"line {first}"


def _repeated(record: Record, first: str) -> str:
    return f"the id {record.id!r} is in {first} already; give each record an id of its own"


def _ends(row: Row) -> set[str]:
    return {row.item.source, row.item.target} if isinstance(row.item, Edge) else set()


def _edge_batches(rows: Iterator[Row]) -> Iterator[list[Row]]:
    batch: list[Row] = []
    for row in rows:
        if isinstance(row.item, Edge):
            batch.append(row)
            if len(batch) >= BATCH_ROWS:
                yield batch
                batch = []
    if batch:
        yield batch
