"""SQL statements of tasks; each runs in an open transaction of the store."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

import orjson
from sqlalchemy import ColumnElement, Connection, delete, func, or_, select, text, update
from sqlalchemy.engine import Row

from antiphon.contracts.owners import Owners
from antiphon.contracts.tasks import UNFINISHED, OpenTasks, RoomCheck, Task
from antiphon.storage.owners import owned_by
from antiphon.storage.sealed_rows import context_of, sealed_rows
from antiphon.storage.tables import inserting, tasks

_ENTERING = 0x7461736B
_NAMES = tuple(field.name for field in fields(Task))
_COLUMNS = tuple(tasks.c[name] for name in _NAMES)
_JSON = frozenset({"args", "origin", "progress", "envelope"})
_unfinished = tasks.c.status.in_(UNFINISHED)
_undelivered = or_(tasks.c.client_told.is_(False), tasks.c.model_told.is_(False))


def _task(connection: Connection, row: Row[Any]) -> Task:
    values = dict(zip(_NAMES, row, strict=True))
    context = context_of("tasks", values["id"], "args")
    values["args"] = sealed_rows(connection).open(connection, bytes(values["args"]), context)
    for name in _JSON:
        if values[name] is not None:
            values[name] = orjson.loads(values[name])
    return Task(**values)


def json(value: Any) -> bytes | None:
    """A value as stored JSON; what is no JSON in it becomes its text."""
    if value is None:
        return None
    return orjson.dumps(value, default=str, option=orjson.OPT_NON_STR_KEYS)


def insert(
    connection: Connection, task: Task, most: int, check: RoomCheck | None = None
) -> Task | None:
    """Insert a task. Return None when it was inserted, the row that is there already, or the new
    task itself if its session has `most` unfinished ones. Raises what `check` does."""
    found = get(connection, task.id)
    if found is not None:
        return found
    under_way = connection.execute(
        select(func.count()).where(tasks.c.session_id == task.session_id, _unfinished)
    ).scalar_one()
    if under_way >= most:
        return task
    if check is not None:
        if connection.dialect.name == "postgresql":  # so that two nodes do not both find room
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ENTERING})
        check(unfinished(connection))
    values = {
        name: json(getattr(task, name)) if name in _JSON else getattr(task, name) for name in _NAMES
    }
    context = context_of("tasks", task.id, "args")
    values["args"] = sealed_rows(connection).seal(connection, json(task.args) or b"", context)
    statement = inserting(connection.dialect.name, tasks).on_conflict_do_nothing()
    if connection.execute(statement.returning(tasks.c.id), values).first() is None:
        return get(connection, task.id)  # another node was quicker
    return None


def unfinished(connection: Connection) -> OpenTasks:
    """Return the user and organisation of each unfinished task."""
    rows = connection.execute(select(tasks.c.user, tasks.c.origin).where(_unfinished))
    return [(user, _organisation(origin)) for user, origin in rows]


def _organisation(origin: bytes | None) -> str:
    return str((orjson.loads(origin) if origin else {}).get("organisation") or "")


def get(connection: Connection, id: str) -> Task | None:
    row = connection.execute(select(*_COLUMNS).where(tasks.c.id == id)).first()
    return None if row is None else _task(connection, row)


def find(
    connection: Connection,
    limit: int,
    before: str | None,
    owners: Owners | None,
    filters: dict[str, str | None],
) -> list[Task]:
    wanted = owned_by(tasks.c.user, owners)
    wanted += [tasks.c[name] == value for name, value in filters.items() if value is not None]
    if before is not None:
        mark = select(tasks.c.created_at).where(tasks.c.id == before).scalar_subquery()
        wanted.append(
            or_(
                tasks.c.created_at < mark,
                (tasks.c.created_at == mark) & (tasks.c.id < before),
            )
        )
    statement = select(*_COLUMNS).where(*wanted)
    statement = statement.order_by(tasks.c.created_at.desc(), tasks.c.id.desc()).limit(limit)
    return [_task(connection, row) for row in connection.execute(statement)]


def owners(connection: Connection) -> list[str]:
    """Return the nodes that own unfinished tasks."""
    statement = select(tasks.c.owner).where(_unfinished).distinct()
    return list(connection.execute(statement).scalars())


def left_by(connection: Connection, dead: Iterable[str], limit: int) -> list[Task]:
    """Return the unfinished tasks of dead nodes, oldest first."""
    statement = select(*_COLUMNS).where(_unfinished, tasks.c.owner.in_(list(dead)))
    statement = statement.order_by(tasks.c.created_at, tasks.c.id).limit(limit)
    return [_task(connection, row) for row in connection.execute(statement)]


def to_be_stopped(connection: Connection, ids: Iterable[str]) -> list[str]:
    statement = select(tasks.c.id).where(
        tasks.c.id.in_(list(ids)), tasks.c.cancel_requested.is_(True), _unfinished
    )
    return list(connection.execute(statement).scalars())


def claim(connection: Connection, task: Task, owner: str, now: float) -> bool:
    """Take the ownership of a dead node's task; return False if another node was quicker."""
    return _changed(
        connection,
        task.id,
        (tasks.c.owner == task.owner, _unfinished),
        {"owner": owner, "updated_at": now},
    )


def begin(connection: Connection, task: Task, now: float) -> Task | None:
    """Set a task to running and return it; None if another node owns it by now."""
    values = {
        "status": "running",
        "attempts": tasks.c.attempts + 1,
        "started_at": func.coalesce(tasks.c.started_at, now),
        "updated_at": now,
    }
    if not _changed(connection, task.id, (tasks.c.owner == task.owner, _unfinished), values):
        return None
    return get(connection, task.id)


def finish(connection: Connection, task: Task, now: float) -> bool:
    """Store the outcome of a task; return False if another node has taken it over."""
    values = {
        "status": task.status,
        "envelope": json(task.envelope),
        "args": json(task.args),
        "progress": json(task.progress),
        "updated_at": now,
        "finished_at": now,
    }
    return _changed(connection, task.id, (tasks.c.owner == task.owner, _unfinished), values)


def release(connection: Connection, owner: str) -> None:
    connection.execute(update(tasks).where(_unfinished, tasks.c.owner == owner).values(owner=""))


def ask_to_stop(connection: Connection, id: str, now: float) -> Task | None:
    values = {"cancel_requested": True, "updated_at": now}
    _changed(connection, id, (_unfinished,), values)
    return get(connection, id)


def progress(connection: Connection, id: str, owner: str, value: bytes | None, now: float) -> None:
    values = {"progress": value, "updated_at": now}
    _changed(connection, id, (_unfinished, tasks.c.owner == owner), values)


def undelivered(connection: Connection, session_id: str) -> list[Task]:
    statement = select(*_COLUMNS).where(
        tasks.c.session_id == session_id, ~_unfinished, _undelivered
    )
    rows = connection.execute(statement.order_by(tasks.c.finished_at, tasks.c.id))
    return [_task(connection, row) for row in rows]


def finished_elsewhere(connection: Connection, owner: str, since: float, limit: int) -> list[Task]:
    """Return recent outcomes of other nodes' tasks that nobody was told of, newest first."""
    statement = select(*_COLUMNS).where(
        tasks.c.finished_at > since, tasks.c.owner != owner, ~_unfinished, _undelivered
    )
    rows = connection.execute(statement.order_by(tasks.c.finished_at.desc()).limit(limit))
    return [_task(connection, row) for row in rows]


def mark_delivered(connection: Connection, id: str, *, client: bool, model: bool) -> None:
    values = {name: True for name, done in (("client_told", client), ("model_told", model)) if done}
    if values:
        _changed(connection, id, (), values)


def purge(connection: Connection, before: float) -> None:
    connection.execute(delete(tasks).where(tasks.c.finished_at < before))


def _changed(
    connection: Connection,
    id: str,
    conditions: tuple[ColumnElement[bool], ...],
    values: dict[str, Any],
) -> bool:
    statement = update(tasks).where(tasks.c.id == id, *conditions).values(**values)
    return connection.execute(statement).rowcount == 1
