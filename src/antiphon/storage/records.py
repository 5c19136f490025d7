"""Sessions, turns, blocks, rate windows, confirmations, secrets: one row at a time."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import fields
from typing import Any

import orjson
from sqlalchemy import (
    Connection,
    Select,
    Table,
    Update,
    delete,
    func,
    insert,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from antiphon.contracts.owners import Owners
from antiphon.storage.errors import StoreError
from antiphon.storage.messages import StoredMessages
from antiphon.storage.owners import owned_by
from antiphon.storage.rows import Block, ConfirmationRow, GrantRow, SessionRow, TurnRow, values
from antiphon.storage.sealed_rows import context_of, sealed_rows, secret_context
from antiphon.storage.tables import (
    approvals,
    blocks,
    confirmations,
    destinations,
    inserting,
    rate_windows,
    secrets,
    sessions,
    turns,
)

MAX_DESTINATIONS = 1000  # of one user; those used longest ago are forgotten
RATE_WINDOW_KEPT = 24 * 3600.0  # no window is longer


def _columns(table: Table, row: type[Any]) -> list[Any]:
    return [table.c[field.name] for field in fields(row)]


def _replacing(
    dialect: str, table: Table, *, kept: frozenset[str] = frozenset()
) -> postgresql.Insert | sqlite.Insert:
    """An INSERT that replaces the row with the same primary key, but for the columns kept."""
    keys = [column.name for column in table.primary_key]
    statement = inserting(dialect, table)
    changed = {
        column.name: statement.excluded[column.name]
        for column in table.c
        if column.name not in keys and column.name not in kept
    }
    return statement.on_conflict_do_update(index_elements=keys, set_=changed)


_SESSION = _columns(sessions, SessionRow)
_CONFIRMATION = _columns(confirmations, ConfirmationRow)
# What a person may change of a pending confirmation.
_CHANGEABLE = ("args", "args_digest", "preview", "title", "approvers", "changes")
_SEALED = ("args", "call_args")
_BLOCK = _columns(blocks, Block)
_APPROVAL = _columns(approvals, GrantRow)
_TURN = _columns(turns, TurnRow)


class StoreRecords:
    """The statements of one store on these tables. Each method runs in an open transaction."""

    def __init__(self, dialect: str) -> None:
        self._save_session = _replacing(dialect, sessions, kept=frozenset({"created_at"}))
        self._save_block = _replacing(dialect, blocks)
        self._save_rate = _replacing(dialect, rate_windows)
        self._save_destination = _replacing(dialect, destinations)
        self._messages = StoredMessages(dialect)
        self._new_secret = inserting(dialect, secrets).on_conflict_do_nothing()

    # -- sessions

    def save_session(self, connection: Connection, row: SessionRow, state: str) -> None:
        connection.execute(self._save_session, {**values(row), "state": state})

    def session(self, connection: Connection, id: str) -> SessionRow | None:
        row = connection.execute(select(*_SESSION).where(sessions.c.id == id)).first()
        return None if row is None else _session(row)

    def sessions(
        self,
        connection: Connection,
        *,
        owners: Owners | None,
        mode: str | None,
        active: bool | None,
        limit: int,
        before: str | None,
    ) -> list[SessionRow]:
        statement: Select[Any] = select(*_SESSION).where(*owned_by(sessions.c.user, owners))
        if mode is not None:
            statement = statement.where(sessions.c.mode == mode)
        if active is not None:
            ended = sessions.c.ended_at
            statement = statement.where(ended.is_(None) if active else ended.is_not(None))
        if before is not None:
            mark = connection.execute(
                select(sessions.c.created_at).where(sessions.c.id == before)
            ).scalar()
            if mark is None:
                raise StoreError(f"There is no session {before!r} to list the ones before.")
            place = tuple_(sessions.c.created_at, sessions.c.id)
            statement = statement.where(place < (mark, before))
        statement = statement.order_by(sessions.c.created_at.desc(), sessions.c.id.desc())
        return [_session(row) for row in connection.execute(statement.limit(max(0, limit)))]

    def sessions_of(self, connection: Connection, conversation_id: str) -> list[SessionRow]:
        kept = sessions.c
        wanted = or_(kept.id == conversation_id, kept.conversation_id == conversation_id)
        newest = select(*_SESSION).where(wanted).order_by(kept.created_at.desc(), kept.id.desc())
        return [_session(row) for row in connection.execute(newest)]

    # -- turns of conversations

    def add_turn(self, connection: Connection, row: TurnRow, role: str, text: str) -> None:
        added = connection.execute(insert(turns), values(row)).inserted_primary_key
        if text and added is not None:
            self._messages.add(connection, added[0], row, role, text)

    def amend_turn(self, connection: Connection, row: TurnRow, before: str) -> None:
        same = (turns.c.session_id == row.session_id, turns.c.at == row.at, turns.c.turn == before)
        connection.execute(update(turns).where(*same).values(turn=row.turn))

    def remove_turn(self, connection: Connection, row: TurnRow, role: str, text: str) -> None:
        same = (
            turns.c.session_id == row.session_id,
            turns.c.at == row.at,
            turns.c.turn == row.turn,
        )
        newest = select(turns.c.id).where(*same).order_by(turns.c.id.desc()).limit(1)
        found = connection.execute(newest).scalar()
        if found is not None:
            connection.execute(delete(turns).where(turns.c.id == found))
            self._messages.remove(connection, found, row, role, text)

    def turns(self, connection: Connection, session_id: str, limit: int) -> list[TurnRow]:
        newest = (
            select(*_TURN)
            .where(turns.c.session_id == session_id)
            .order_by(turns.c.at.desc(), turns.c.id.desc())
            .limit(max(0, limit))
        )
        return [TurnRow(*row) for row in reversed(connection.execute(newest).all())]

    def first_turns(self, connection: Connection, ids: list[str], each: int) -> list[TurnRow]:
        place = func.row_number().over(
            partition_by=turns.c.session_id, order_by=(turns.c.at, turns.c.id)
        )
        numbered = (
            select(turns.c.id, place.label("place")).where(turns.c.session_id.in_(ids)).subquery()
        )
        statement = (
            select(*_TURN)
            .join(numbered, turns.c.id == numbered.c.id)
            .where(numbered.c.place <= each)
            .order_by(turns.c.session_id, numbered.c.place)
        )
        return [TurnRow(*row) for row in connection.execute(statement)]

    # -- blocks and rate windows

    def block(self, connection: Connection, block: Block) -> None:
        connection.execute(self._save_block, values(block))

    def blocks(self, connection: Connection, now: float) -> list[Block]:
        statement = select(*_BLOCK).where(blocks.c.until > now).order_by(blocks.c.user)
        return [Block(*row) for row in connection.execute(statement)]

    def unblock(self, connection: Connection, user: str, now: float) -> Block | None:
        statement = select(*_BLOCK).where(blocks.c.user == user, blocks.c.until > now)
        row = connection.execute(statement).one_or_none()
        connection.execute(delete(blocks).where(blocks.c.user == user))
        return None if row is None else Block(*row)

    def save_rate(
        self, connection: Connection, session_id: str, tool_id: str, stamps: str, now: float
    ) -> None:
        connection.execute(
            self._save_rate,
            {"session_id": session_id, "tool_id": tool_id, "stamps": stamps, "updated_at": now},
        )

    def rates(self, connection: Connection, session_id: str) -> dict[str, list[float]]:
        statement = select(rate_windows.c.tool_id, rate_windows.c.stamps).where(
            rate_windows.c.session_id == session_id
        )
        return {tool: orjson.loads(stamps) for tool, stamps in connection.execute(statement)}

    def purge(self, connection: Connection, now: float) -> None:
        connection.execute(delete(blocks).where(blocks.c.until <= now))
        old = rate_windows.c.updated_at <= now - RATE_WINDOW_KEPT
        connection.execute(delete(rate_windows).where(old))

    # -- approvals

    def add_grant(self, connection: Connection, row: GrantRow) -> None:
        connection.execute(insert(approvals), values(row))

    def grants(self, connection: Connection) -> list[GrantRow]:
        statement = select(*_APPROVAL).order_by(approvals.c.created_at, approvals.c.id)
        return [GrantRow(*row) for row in connection.execute(statement)]

    def drop_grants(self, connection: Connection, ids: list[str]) -> None:
        connection.execute(delete(approvals).where(approvals.c.id.in_(ids)))

    # -- destinations

    def add_destinations(
        self, connection: Connection, user: str, digests: Collection[str], at: float
    ) -> None:
        if digests:
            rows = [{"user": user, "digest": each, "used_at": at} for each in digests]
            connection.execute(self._save_destination, rows)
        own = destinations.c.user == user
        newest = select(destinations.c.used_at).where(own).order_by(destinations.c.used_at.desc())
        oldest = connection.execute(newest.offset(MAX_DESTINATIONS).limit(1)).scalar()
        if oldest is not None:
            connection.execute(delete(destinations).where(own, destinations.c.used_at <= oldest))

    def known_destinations(
        self, connection: Connection, user: str, digests: Collection[str]
    ) -> frozenset[str]:
        found = select(destinations.c.digest).where(
            destinations.c.user == user, destinations.c.digest.in_(digests)
        )
        return frozenset(connection.execute(found).scalars())

    # -- confirmations

    def add_confirmation(self, connection: Connection, row: ConfirmationRow) -> None:
        connection.execute(insert(confirmations), _sealed(connection, row.id, values(row)))

    def resolve_confirmation(
        self,
        connection: Connection,
        id: str,
        status: str,
        now: float,
        by: str | None,
        via: str | None,
    ) -> bool:
        # The frozen arguments have served; they may hold what is written down nowhere else.
        gone = {"args": b"{}", "call_args": b""}
        values = {"status": status, "resolved_at": now, "answered_by": by, "via": via, **gone}
        return connection.execute(_of_pending(id).values(values)).rowcount == 1

    def change_confirmation(self, connection: Connection, row: ConfirmationRow) -> bool:
        changed = {name: getattr(row, name) for name in _CHANGEABLE}
        changed = _sealed(connection, row.id, changed)
        return connection.execute(_of_pending(row.id).values(changed)).rowcount == 1

    def confirmation(self, connection: Connection, id: str) -> ConfirmationRow | None:
        statement = select(*_CONFIRMATION).where(confirmations.c.id == id)
        row = connection.execute(statement).first()
        return None if row is None else _opened(connection, ConfirmationRow(*row))

    def confirmations(
        self,
        connection: Connection,
        *,
        owners: Owners | None,
        wanted: Mapping[str, str | None],
        before: tuple[float, str] | None,
        limit: int,
    ) -> list[ConfirmationRow]:
        table = confirmations.c
        statement: Select[Any] = select(*_CONFIRMATION).where(*owned_by(table.user, owners))
        for name, value in wanted.items():
            if value is not None:
                statement = statement.where(table[name] == value)
        if before is not None:
            at, last = before
            same = (table.created_at == at) & (table.id < last)
            statement = statement.where((table.created_at < at) | same)
        statement = statement.order_by(table.created_at.desc(), table.id.desc())
        rows = connection.execute(statement.limit(max(0, limit)))
        return [_opened(connection, ConfirmationRow(*row)) for row in rows]

    # -- secrets

    def secret(self, connection: Connection, name: str, size: int) -> bytes:
        stored = select(secrets.c.value).where(secrets.c.name == name)
        rows, context = sealed_rows(connection), secret_context(name)
        value = connection.execute(stored).scalar()
        if value is None:
            made = rows.seal(connection, os.urandom(size), context)
            connection.execute(self._new_secret, {"name": name, "value": made})
            value = connection.execute(stored).scalar_one()
        return rows.open(connection, bytes(value), context)


def _of_pending(id: str) -> Update:
    table = confirmations.c
    return update(confirmations).where(table.id == id, table.status == "pending")


def _sealed(connection: Connection, id: str, values: dict[str, Any]) -> dict[str, Any]:
    """The columns of a confirmation as they are kept."""
    rows = sealed_rows(connection)
    sealed = {
        name: rows.seal(connection, values[name], context_of("confirmations", id, name))
        for name in _SEALED
        if name in values
    }
    return {**values, **sealed}


def _opened(connection: Connection, row: ConfirmationRow) -> ConfirmationRow:
    rows = sealed_rows(connection)
    for name in _SEALED:
        context = context_of("confirmations", row.id, name)
        setattr(row, name, rows.open(connection, bytes(getattr(row, name)), context))
    return row


def _session(row: Any) -> SessionRow:
    session = SessionRow(*row)
    session.state = orjson.loads(row.state)
    return session
