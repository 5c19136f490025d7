"""The audit chain: numbered lines, each sealed with a hash over itself and the one before."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from typing import Any

import orjson
from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Text,
    bindparam,
    cast,
    delete,
    desc,
    func,
    select,
    true,
    update,
)
from sqlalchemy.dialects import postgresql

from antiphon.contracts.owners import Owners
from antiphon.storage.errors import StoreError
from antiphon.storage.owners import owned_by
from antiphon.storage.rows import AuditLine, AuditReport, RenderedEntry, filter_text
from antiphon.storage.tables import audit, audit_head

GENESIS = "0" * 64
PRUNED = "audit_pruned"
_PAGE = 500

log = logging.getLogger("antiphon.storage")

# Texts that JSON has but one way to write.
_PLAIN = re.compile(r"[ !#-\[\]-~]*")

_read_head = (
    select(audit_head.c.seq, audit_head.c.hash).where(audit_head.c.id == 1).with_for_update()
)
_write_head = (
    update(audit_head)
    .where(audit_head.c.id == 1)
    .values(seq=bindparam("new_seq"), hash=bindparam("new_hash"))
)
# Rows go in many at a time by one statement: the driver lets go of the interpreter once a
# statement, and each time it may have to wait for its turn while calls are being answered.
_ROWS_A_STATEMENT = 512
_COLUMNS = ("seq", "at", "session_id", "line")
_LINE = _COLUMNS.index("line")


def _insert_rows(connection: Connection, values: list[Any]) -> None:
    """Insert rows whose values stand one row after the other in the order of _COLUMNS."""
    mark = "?" if connection.dialect.paramstyle == "qmark" else "%s"
    names = ", ".join(f'"{name}"' for name in _COLUMNS)
    one = "(" + ", ".join([mark] * len(_COLUMNS)) + ")"
    rows = ", ".join([one] * (len(values) // len(_COLUMNS)))
    connection.exec_driver_sql(
        f"INSERT INTO audit ({names}) VALUES {rows}",  # noqa: S608 - names of our own
        tuple(values),
    )


def _unseal(line: bytes) -> tuple[bytes, str]:
    """Split a stored line into its sealed bytes and the hash on it; both empty if there is no
    hash."""
    body, found, seal = line.rpartition(b',"hash":"')
    if not found or len(seal) != 66 or not seal.endswith(b'"}'):
        return b"", ""
    return body + b"}", seal[:-2].decode("ascii", "replace")


_CHAIN_KEYS = frozenset({"seq", "prev", "hash"})  # given by the chain alone


def _time(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def append(
    connection: Connection, payloads: Iterable[Any], now: Callable[[], float]
) -> tuple[int, list[str]]:
    """Add lines in the open transaction; return the number of the first and all of them.

    A payload is a dictionary or an `AuditEntry`. On PostgreSQL this locks the head until the
    transaction ends, so it comes last in one.
    """
    head = connection.execute(_read_head).one_or_none()
    if head is None:
        raise StoreError(
            "The audit chain has lost its head (table audit_head is empty): somebody changed the "
            "store. Restore it from a backup."
        )
    waiting = list(payloads)
    seq, prev = head.seq, head.hash
    lines: list[str] = []
    for start in range(0, len(waiting), _ROWS_A_STATEMENT):
        part = waiting[start : start + _ROWS_A_STATEMENT]
        values = _seal(part, seq + 1, prev, now)
        _insert_rows(connection, values)
        lines += values[_LINE :: len(_COLUMNS)]
        seq, prev = seq + len(part), _unseal(lines[-1].encode())[1]
    if lines:
        connection.execute(_write_head, {"new_seq": seq, "new_hash": prev})
    return head.seq + 1, lines


def _seal(payloads: Iterable[Any], first: int, prev: str, now: Callable[[], float]) -> list[Any]:
    """Number and seal lines that follow the one with the hash `prev`; return their rows, one value
    after the other."""
    values: list[Any] = []
    for seq, payload in enumerate(payloads, first):
        try:
            at, session_id, members = (
                _render(payload, now) if isinstance(payload, dict) else payload.render()
            )
            body = f'{members},"seq":{seq},"prev":"{prev}"'
            prev = sha256(f"{prev}{body}}}".encode()).hexdigest()
        except Exception as error:  # noqa: BLE001 - one bad payload must not hold up the chain
            # Its content is not shown: what keeps secrets out of the audit is what just failed.
            log.error("An audit line could not be rendered: %s", type(error).__name__)
            replaced = {"event": "audit_unrenderable", "error": type(error).__name__}
            at, session_id, members = _render(replaced, now)
            body = f'{members},"seq":{seq},"prev":"{prev}"'
            prev = sha256(f"{prev}{body}}}".encode()).hexdigest()
        # The hash stands last, so that the line is the sealed text with the seal put on.
        values += (seq, at, session_id, f'{body},"hash":"{prev}"}}')
    return values


def _render(payload: dict[str, Any], now: Callable[[], float]) -> RenderedEntry:
    """Render a dictionary as an `AuditEntry` renders itself."""
    record = {name: each for name, each in payload.items() if name not in _CHAIN_KEYS}
    if record.get("at") is None:
        record["at"] = now()
    at = _time(record["at"])
    members = orjson.dumps(record)[:-1].decode()
    return now() if at is None else at, filter_text(record.get("sessionId")), members


class AuditFilter:
    """The filter of a search for audit lines: what the database can tell by its columns, and what
    only the line itself has. `since` is inclusive, `until` is not."""

    def __init__(
        self,
        *,
        owners: Owners | None = None,
        session_id: str | None = None,
        members: Mapping[str, str | None] | None = None,
        ok: bool | None = None,
        since: float | None = None,
        until: float | None = None,
    ) -> None:
        self._columns: list[ColumnElement[bool]] = []
        if session_id is not None:
            self._columns.append(audit.c.session_id == filter_text(session_id))
        if since is not None:
            self._columns.append(audit.c.at >= since)
        if until is not None:
            self._columns.append(audit.c.at < until)
        self._owners = owners
        self._wanted: dict[str, Any] = {
            name: value for name, value in (members or {}).items() if value is not None
        }
        if ok is not None:
            self._wanted["ok"] = ok

    def conditions(self, dialect: str) -> list[ColumnElement[bool]]:
        """Return conditions that every line which fits meets; others may meet them, too."""
        found = func.instr if dialect == "sqlite" else func.strpos
        texts = [
            found(audit.c.line, f'"{name}":{orjson.dumps(value).decode()}') > 0
            for name, value in self._wanted.items()
            if value in (True, False) or _PLAIN.fullmatch(value)
        ]
        return [*self._columns, *owned_by(_user(dialect), self._owners), *texts]

    @property
    def exact(self) -> bool:
        """Whether the conditions alone decide."""
        return not self._wanted

    def fits(self, line: str) -> bool:
        """Tell whether a line that meets the conditions is one that is searched for."""
        if not self._wanted:
            return True
        record = orjson.loads(line)
        return all(
            record.get(name) is value if name == "ok" else record.get(name) == value
            for name, value in self._wanted.items()
        )


def _user(dialect: str) -> ColumnElement[Any]:
    """The user whom a line names."""
    if dialect == "sqlite":
        return func.json_extract(audit.c.line, "$.user", type_=Text)
    found: ColumnElement[Any] = cast(audit.c.line, postgresql.JSON)["user"].astext
    return found


def read(
    connection: Connection,
    *,
    after_seq: int,
    before_seq: int | None,
    limit: int,
    newest_first: bool,
    wanted: AuditFilter | None = None,
) -> list[AuditLine]:
    wanted = wanted or AuditFilter()
    statement = select(audit.c.seq, audit.c.at, audit.c.line)
    statement = statement.where(*wanted.conditions(connection.dialect.name))
    statement = statement.order_by(desc(audit.c.seq) if newest_first else audit.c.seq)
    found: list[AuditLine] = []
    while len(found) < limit:
        left = limit - len(found)
        size = left if wanted.exact else max(left, _PAGE)
        part = statement.where(audit.c.seq > after_seq)
        if before_seq is not None:
            part = part.where(audit.c.seq < before_seq)
        page = connection.execute(part.limit(size)).all()
        fitting = [AuditLine(seq, at, line.encode()) for seq, at, line in page if wanted.fits(line)]
        found += fitting[:left]
        if len(page) < size:
            break
        if newest_first:
            before_seq = page[-1].seq
        else:
            after_seq = page[-1].seq
    return found


def prune(connection: Connection, before: float) -> tuple[int, str, int] | None:
    """Delete the leading lines that are older than `before`, in the open transaction.

    Return the number and hash of the last deleted line and the count of deleted lines; None if
    nothing was deleted. The newest line always stays. The caller appends a line of the event
    PRUNED: without it the chain would count as truncated at its beginning.
    """
    kept = select(audit.c.seq).where(audit.c.at >= before).order_by(audit.c.seq).limit(1)
    newest = connection.execute(select(func.max(audit.c.seq))).scalar()
    first_kept = connection.execute(kept).scalar()
    last = min(newest or 0, first_kept or newest or 0) - 1
    line = find_line(connection, last)
    if line is None:
        return None
    count = connection.execute(delete(audit).where(audit.c.seq <= last)).rowcount
    return last, _unseal(line)[1], count


class AuditVerifier:
    """Verification of the hash chain page by page, from the first line to the head.

    A pruned chain begins later; one of its lines says where, with the hash of the last deleted
    line.
    """

    def __init__(self) -> None:
        self._seq = 0
        self._hash = GENESIS
        self._begin = (0, GENESIS)
        self._pruned: set[tuple[Any, Any]] = {(0, GENESIS)}
        self.report: AuditReport | None = None  # set when the walk is over

    def page(self, connection: Connection, size: int = 500) -> None:
        # One statement, so that lines and head are of one moment while others go on writing.
        head = audit_head.c
        lines = select(audit).order_by(audit.c.seq).limit(size)
        if self._seq:  # the first page has no lower bound: nothing may come before line 1
            lines = lines.where(audit.c.seq > self._seq)
        page = lines.subquery()
        statement = (
            select(head.seq.label("head_seq"), head.hash.label("head_hash"), page)
            .select_from(audit_head.outerjoin(page, true()))
            .where(head.id == 1)
            .order_by(page.c.seq)
        )
        rows = connection.execute(statement).all()
        if not rows:
            return self._stop(self._seq + 1, "the head of the chain is missing")
        for row in rows:
            if row.seq is not None and (problem := self._problem(row)):
                return self._stop(*problem)
        if len(rows) < size:
            self._compare(rows[-1].head_seq, rows[-1].head_hash)
        return None

    def _problem(self, row: Row[Any]) -> tuple[int, str] | None:
        expected = self._seq + 1
        if row.seq < expected:
            return row.seq, f"line {row.seq} does not belong in the chain"
        if row.seq != expected and self._seq:
            last = row.seq - 1
            missing = (
                f"line {expected} is" if last == expected else f"lines {expected} to {last} are"
            )
            return expected, f"{missing} missing"
        try:
            record = orjson.loads(row.line)
        except orjson.JSONDecodeError:
            return row.seq, f"line {row.seq} was changed: it is not JSON any more"
        if not isinstance(record, dict):
            return row.seq, f"line {row.seq} was changed: it is not an object any more"
        if record.get("seq") != row.seq:
            return row.seq, f"line {row.seq} was moved: it says it is line {record.get('seq')}"
        body, stated = _unseal(row.line.encode())
        prev = record.get("prev")
        digest = sha256(str(prev).encode() + body).hexdigest()
        if stated != digest:
            return row.seq, f"line {row.seq} was changed: its hash does not fit"
        if not self._seq and row.seq > 1:
            self._begin = row.seq - 1, str(prev)
        elif prev != self._hash:
            return row.seq, f"line {row.seq} does not follow line {row.seq - 1}"
        at = _time(record.get("at"))
        filed = row.session_id == filter_text(record.get("sessionId"))
        if not filed or (at is not None and row.at != at):
            return row.seq, f"line {row.seq} is filed wrongly: its columns do not fit the line"
        if record.get("event") == PRUNED:
            self._pruned.add((record.get("through"), record.get("hashOfLast")))
        self._seq, self._hash = row.seq, digest
        return None

    def _compare(self, head_seq: int, head_hash: str) -> None:
        gone = self._begin[0]
        if self._begin not in self._pruned:
            missing = "line 1 is" if gone == 1 else f"lines 1 to {gone} are"
            self._stop(1, f"{missing} missing", count=0)
        elif self._seq < head_seq:
            self._stop(
                self._seq + 1,
                f"the chain was cut off after line {self._seq}: it had {head_seq} lines",
            )
        elif self._seq > head_seq or self._hash != head_hash:
            self._stop(
                min(self._seq, head_seq + 1),
                f"the head of the chain was changed: it stands at line {head_seq}, "
                f"the lines end at {self._seq}",
            )
        else:
            self.report = AuditReport(ok=True, count=self._seq - gone, pruned=gone)

    def _stop(self, seq: int, problem: str, count: int | None = None) -> None:
        found = max(0, self._seq - self._begin[0]) if count is None else count
        self.report = AuditReport(ok=False, count=found, first_bad_seq=seq, problem=problem)


def lines_after(connection: Connection, seq: int, limit: int) -> list[AuditLine]:
    return read(connection, after_seq=seq, before_seq=None, limit=limit, newest_first=False)


def find_line(connection: Connection, seq: int) -> bytes | None:
    line = connection.execute(select(audit.c.line).where(audit.c.seq == seq)).scalar()
    return None if line is None else str(line).encode()
