"""Log of runs: every run of a macro, workflow or agent, and what happened in each of its steps."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args

import orjson

from antiphon.contracts import ErrorType, ToolError
from antiphon.contracts.owners import Owners
from antiphon.storage import Store
from antiphon.workspace.errors import from_store

if TYPE_CHECKING:
    from sqlalchemy import Connection

logger = logging.getLogger(__name__)

RunKind = Literal["macro", "workflow", "agent"]
RunStatus = Literal["pending", "running", "waiting", "succeeded", "failed", "stopped"]
KINDS: tuple[RunKind, ...] = get_args(RunKind)
UNDER_WAY: tuple[RunStatus, ...] = ("pending", "running")
KEPT_SECONDS = 30 * 24 * 3600.0
# What a run goes on from, or which schedule began it, is said by the key of its call.
RESUME = "resume"
SCHEDULE = "schedule"
_ORIGIN = re.compile(rf"/client:({RESUME}|{SCHEDULE}):([0-9a-f]+)")


@dataclass(frozen=True, slots=True)
class LoggedRun:
    """One run as the log has it. `outcome` is what came of it: `text`, `by`, `evidence`, …"""

    id: str
    key: str
    session_id: str
    user: str
    mode: str
    kind: RunKind
    name: str
    title: str
    input: str
    status: RunStatus
    attempts: int
    stop_requested: bool
    error: str | None
    error_type: str | None
    outcome: dict[str, Any]
    created_at: float
    finished_at: float | None

    @property
    def call_key(self) -> str:
        """The key of its call in the session."""
        return self.key.removeprefix(f"{self.session_id}/")

    @property
    def resumed_from(self) -> str | None:
        return _origin(self.key, RESUME)

    @property
    def schedule_id(self) -> str | None:
        return _origin(self.key, SCHEDULE)


@dataclass(frozen=True, slots=True)
class RunEvent:
    """One thing that happened in a run, at a `step` or to the run as a whole (no step)."""

    at: float
    event: str
    step: str = ""
    details: dict[str, Any] | None = None


class LoggedCaller(Protocol):
    """The context of the call that a run belongs to."""

    @property
    def idempotency_key(self) -> str: ...
    @property
    def session(self) -> Any: ...


def run_id(key: str) -> str:
    """The id of the run that belongs to a call's outside key: that of its task, where it is one."""
    return sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def is_logged(key: str) -> bool:
    """Whether a call has a run of its own; a nested one is a step of another run."""
    return "/nested:" not in key


def _origin(key: str, kind: str) -> str | None:
    found = _ORIGIN.search(key)
    return found[2] if found and found[1] == kind else None


class RunLog:
    """The log in the store. All methods raise ToolError and nothing else."""

    def __init__(self, store: Store, *, now: Callable[[], float] = time.time) -> None:
        self._store = store
        self.now = now

    # -- writing -------------------------------------------------------------------------------

    async def begin(
        self,
        key: str,
        session_id: str,
        user: str,
        mode: str,
        *,
        kind: RunKind,
        name: str,
        title: str,
        input: str = "",
        status: RunStatus = "running",
    ) -> None:
        """Enter a run that begins, or that goes on after a crash. Runs of a month ago are
        forgotten."""
        now = self.now()
        row = {
            "id": run_id(key),
            "key": key,
            "session_id": session_id,
            "user": user,
            "mode": mode,
            "kind": kind,
            "name": name,
            "title": title,
            "input": _storable(input),
            "status": status,
            "attempts": 0 if status == "pending" else 1,
            "stop_requested": False,
            "created_at": now,
        }

        def work(connection: Connection) -> None:
            from sqlalchemy import delete

            from antiphon.storage.tables import inserting, run_events, runs

            old = now - KEPT_SECONDS
            connection.execute(delete(run_events).where(run_events.c.at < old))
            connection.execute(delete(runs).where(runs.c.created_at < old))
            insert = inserting(connection.dialect.name, runs).values(row)
            again = {"status": status, "attempts": runs.c.attempts + 1, "finished_at": None}
            if status == "pending":
                connection.execute(insert.on_conflict_do_nothing())
            else:
                connection.execute(insert.on_conflict_do_update(index_elements=["id"], set_=again))

        await from_store(self._store.run(work))

    async def add(self, id: str, events: Sequence[RunEvent]) -> bool:
        """Add events to a run; return whether somebody has asked it to stop."""
        rows = [
            {
                "run_id": id,
                "at": each.at,
                "event": each.event,
                "step": each.step,
                "details": orjson.dumps(each.details or {}, default=str).decode(),
            }
            for each in events
        ]

        def work(connection: Connection) -> bool:
            from sqlalchemy import insert, select

            from antiphon.storage.tables import run_events, runs

            if rows:
                connection.execute(insert(run_events), rows)
            asked = select(runs.c.stop_requested).where(runs.c.id == id)
            return bool(connection.execute(asked).scalar())

        return await from_store(self._store.run(work))

    async def end(
        self,
        id: str,
        status: RunStatus,
        error: str | None = None,
        error_type: str | None = None,
        outcome: dict[str, Any] | None = None,
    ) -> None:
        """Enter how a run ended. One that has ended already, but for one that waits, stays as it
        is."""
        now = self.now()
        values = {
            "status": status,
            "error": None if error is None else _storable(error),
            "error_type": error_type,
            "outcome": orjson.dumps(outcome or {}, default=str).decode(),
            "finished_at": now,
        }
        details = {"status": status, **({"error": error} if error else {})}

        def work(connection: Connection) -> None:
            from sqlalchemy import insert, update

            from antiphon.storage.tables import run_events, runs

            open_ = runs.c.status.in_((*UNDER_WAY, "waiting"))
            changed = connection.execute(update(runs).where(runs.c.id == id, open_).values(values))
            if changed.rowcount:
                row = {"run_id": id, "at": now, "event": "run_finished", "step": ""}
                connection.execute(
                    insert(run_events).values(**row, details=orjson.dumps(details).decode())
                )

        await from_store(self._store.run(work))

    async def ask_to_stop(self, id: str) -> None:
        """Ask a run to stop before its next step."""

        def work(connection: Connection) -> None:
            from sqlalchemy import update

            from antiphon.storage.tables import runs

            connection.execute(update(runs).where(runs.c.id == id).values(stop_requested=True))

        await from_store(self._store.run(work))

    # -- reading -------------------------------------------------------------------------------

    async def get(self, id: str) -> LoggedRun | None:
        """Return the run of that id."""

        def work(connection: Connection) -> LoggedRun | None:
            from sqlalchemy import select

            from antiphon.storage.tables import runs

            row = connection.execute(select(runs).where(runs.c.id == id)).first()
            return None if row is None else _run(row)

        return await from_store(self._store.run(work, writes=False))

    async def list(
        self,
        *,
        owners: Owners | None = None,
        kind: RunKind | None = None,
        name: str | None = None,
        status: RunStatus | None = None,
        limit: int = 50,
        before: str | None = None,
    ) -> Sequence[LoggedRun]:
        """Return runs, the newest first, from the one after `before` on. Long inputs are cut."""
        wanted = {"kind": kind, "name": name, "status": status}

        def work(connection: Connection) -> Sequence[LoggedRun]:
            from sqlalchemy import func, or_, select

            from antiphon.storage.owners import owned_by
            from antiphon.storage.tables import runs

            columns = [each for each in runs.c if each.name not in ("input", "outcome")]
            shown = func.substr(runs.c.input, 1, 300).label("input")
            statement = select(*columns, shown).where(*owned_by(runs.c.user, owners))
            for column, value in wanted.items():
                if value is not None:
                    statement = statement.where(runs.c[column] == value)
            if before is not None:
                mark = select(runs.c.created_at).where(runs.c.id == before).scalar_subquery()
                earlier = (runs.c.created_at == mark) & (runs.c.id < before)
                statement = statement.where(or_(runs.c.created_at < mark, earlier))
            statement = statement.order_by(runs.c.created_at.desc(), runs.c.id.desc())
            return [_run(row) for row in connection.execute(statement.limit(limit))]

        return await from_store(self._store.run(work, writes=False))

    async def latest(self, owners: Owners | None) -> dict[tuple[str, str], LoggedRun]:
        """Return the newest run of each macro, workflow and agent, by kind and name."""

        def work(connection: Connection) -> dict[tuple[str, str], LoggedRun]:
            from sqlalchemy import func, select

            from antiphon.storage.owners import owned_by
            from antiphon.storage.tables import runs

            own = owned_by(runs.c.user, owners)
            newest = (
                select(runs.c.kind, runs.c.name, func.max(runs.c.created_at).label("at"))
                .where(*own)
                .group_by(runs.c.kind, runs.c.name)
                .subquery()
            )
            same = (
                (runs.c.kind == newest.c.kind)
                & (runs.c.name == newest.c.name)
                & (runs.c.created_at == newest.c.at)
            )
            rows = connection.execute(select(runs).join(newest, same).where(*own))
            return {(row.kind, row.name): _run(row) for row in rows}

        return await from_store(self._store.run(work, writes=False))

    async def events(self, id: str) -> Sequence[RunEvent]:
        """Return what happened in a run, in its order."""

        def work(connection: Connection) -> Sequence[RunEvent]:
            from sqlalchemy import select

            from antiphon.storage.tables import run_events

            rows = connection.execute(
                select(run_events).where(run_events.c.run_id == id).order_by(run_events.c.id)
            )
            return [
                RunEvent(row.at, row.event, row.step, orjson.loads(row.details)) for row in rows
            ]

        return await from_store(self._store.run(work, writes=False))


def _storable(text: str) -> str:
    """Return a text without what PostgreSQL has no place for."""
    return text.replace("\0", " ")


def _run(row: Any) -> LoggedRun:
    known = row._mapping
    names = LoggedRun.__dataclass_fields__.keys() - {"outcome"}
    outcome = known.get("outcome")
    return LoggedRun(
        **{name: known[name] for name in names},
        outcome=orjson.loads(outcome) if outcome else {},
    )


async def run_logged(
    log: RunLog,
    caller: LoggedCaller,
    work: Coroutine[Any, Any, dict[str, Any]],
    *,
    kind: RunKind,
    name: str,
    title: str,
    input: str = "",
) -> dict[str, Any]:
    """Await the work of a run, and enter in the log that it began and how it ended."""
    key, session = caller.idempotency_key, caller.session
    if not is_logged(key):
        return await work
    entered = run_id(key)
    try:
        await log.begin(
            *(key, session.id, session.user, session.mode),
            kind=kind,
            name=name,
            title=title,
            input=input,
        )
        body = await work
    except asyncio.CancelledError:
        await asyncio.shield(_end(log, entered, "stopped"))
        raise
    except ToolError as error:
        work.close()
        status: RunStatus = "stopped" if error.type is ErrorType.CANCELLED else "failed"
        await _end(log, entered, status, error=error.message, error_type=error.type.value)
        raise
    await _end(log, entered, *_ending(body))
    return body


async def _end(log: RunLog, id: str, status: RunStatus, *more: Any, **details: Any) -> None:
    """Enter how a run ended. Where the store is gone by then, the run's own outcome counts."""
    try:
        await log.end(id, status, *more, **details)
    except ToolError as error:
        logger.error("how a run ended is missing in the log: %s", error.message)


def _ending(body: dict[str, Any]) -> tuple[RunStatus, str | None, str | None, dict[str, Any]]:
    """Return the status of a run that came to an end, its error, and what the log keeps."""
    kept: dict[str, Any] = {
        key: body[key] for key in ("by", "note", "evidence", "waiting") if key in body
    }
    kept["text"] = body.get("text") or body.get("summary", "")
    if "waiting" in body:
        return "waiting", None, None, kept
    if body.get("success") is False:
        failed = next(each for each in body["results"] if not each["success"])
        return "failed", body["summary"], failed["error_type"], kept
    return "succeeded", None, None, kept
