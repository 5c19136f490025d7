"""The ledger of writing calls: who began what, and how it ended."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields

from sqlalchemy import (
    Connection,
    bindparam,
    delete,
    or_,
    select,
    update,
)

from antiphon.storage.errors import StoreError
from antiphon.storage.nodes import Nodes
from antiphon.storage.rows import LedgerRow
from antiphon.storage.tables import inserting, ledger

_NAMES = tuple(field.name for field in fields(LedgerRow))
_COLUMNS = tuple(ledger.c[name] for name in _NAMES)
_this = (ledger.c.session_id == bindparam("s")) & (ledger.c.key == bindparam("k"))

_find = select(*_COLUMNS).where(_this, ledger.c.expires_at > bindparam("now"))
_list = (
    select(*_COLUMNS)
    .where(ledger.c.session_id == bindparam("s"), ledger.c.expires_at > bindparam("now"))
    .order_by(ledger.c.id)
)
_same = select(*_COLUMNS).where(
    ledger.c.session_id == bindparam("s"),
    or_(ledger.c.key == bindparam("k"), ledger.c.call_hash == bindparam("h")),
)
_drop_expired_same = delete(ledger).where(
    ledger.c.session_id == bindparam("s"),
    or_(ledger.c.key == bindparam("k"), ledger.c.call_hash == bindparam("h")),
    ledger.c.expires_at <= bindparam("now"),
)
_drop_expired = delete(ledger).where(ledger.c.expires_at <= bindparam("now"))
_retake = (
    update(ledger)
    .where(_this, ledger.c.state == "unknown", ledger.c.expires_at > bindparam("now"))
    .values(state="running", owner=bindparam("node"), updated_at=bindparam("now"))
)
# The first outcome stays: a replay must answer what was answered before.
_finish = (
    update(ledger)
    .where(_this, ledger.c.state != "done")
    .values(state="done", envelope=bindparam("answer"), updated_at=bindparam("now"))
)
_exists = select(ledger.c.id).where(_this)
_forget = delete(ledger).where(
    _this, ledger.c.state == "running", ledger.c.owner == bindparam("node")
)
_lose = (
    update(ledger)
    .where(_this, ledger.c.state == "running", ledger.c.owner == bindparam("node"))
    .values(state="unknown", updated_at=bindparam("now"))
)
_owners = select(ledger.c.owner).where(ledger.c.state == "running").distinct()


class Ledger:
    """The statements of one store on the ledger. Each method runs in an open transaction."""

    def __init__(self, dialect: str, node: str, nodes: Nodes) -> None:
        self._insert = inserting(dialect, ledger).on_conflict_do_nothing().returning(ledger.c.id)
        self._node = node
        self._nodes = nodes

    def begin(self, connection: Connection, row: LedgerRow, now: float) -> LedgerRow | None:
        values = {name: getattr(row, name) for name in _NAMES}
        same = {"s": row.session_id, "k": row.key, "h": row.call_hash}
        while connection.execute(self._insert, values).first() is None:
            found = [LedgerRow(*each) for each in connection.execute(_same, same)]
            living = [each for each in found if each.expires_at > now]
            if living:
                return next((each for each in living if each.key == row.key), living[0])
            # Expired, or gone between the two statements: then the place is free now.
            connection.execute(_drop_expired_same, {**same, "now": now})
        return None

    def reclaim(self, connection: Connection, session_id: str, key: str, now: float) -> bool:
        values = {"s": session_id, "k": key, "node": self._node, "now": now}
        return connection.execute(_retake, values).rowcount == 1

    def finish(
        self, connection: Connection, session_id: str, key: str, envelope: bytes, now: float
    ) -> None:
        this = {"s": session_id, "k": key}
        values = {**this, "answer": envelope, "now": now}
        if connection.execute(_finish, values).rowcount == 1:
            return
        if connection.execute(_exists, this).first() is None:
            raise StoreError(
                f"The ledger has no call {key!r} of session {session_id!r} to finish; begin it "
                "first."
            )

    def forget(self, connection: Connection, session_id: str, key: str) -> None:
        connection.execute(_forget, {"s": session_id, "k": key, "node": self._node})

    def mark_unknown(self, connection: Connection, session_id: str, key: str, now: float) -> None:
        values = {"s": session_id, "k": key, "node": self._node, "now": now}
        connection.execute(_lose, values)

    def of_session(self, connection: Connection, session_id: str, now: float) -> list[LedgerRow]:
        rows = connection.execute(_list, {"s": session_id, "now": now})
        return [LedgerRow(*row) for row in rows]

    def find(
        self, connection: Connection, session_id: str, key: str, now: float
    ) -> LedgerRow | None:
        row = connection.execute(_find, {"s": session_id, "k": key, "now": now}).first()
        return None if row is None else LedgerRow(*row)

    def dead(self, connection: Connection, owners: Iterable[str]) -> list[str]:
        return self._nodes.dead(connection, [owner for owner in owners if owner != self._node])

    def recover(self, connection: Connection, now: float) -> list[LedgerRow]:
        dead = self.dead(connection, [owner for (owner,) in connection.execute(_owners)])
        if not dead:
            return []
        statement = (
            update(ledger)
            .where(ledger.c.state == "running", ledger.c.owner.in_(dead))
            .values(state="unknown", updated_at=now)
            .returning(ledger.c.id, *_COLUMNS)
        )
        rows = sorted(connection.execute(statement).all(), key=lambda row: int(row[0]))
        return [LedgerRow(*row[1:]) for row in rows]

    def purge(self, connection: Connection, now: float) -> None:
        connection.execute(_drop_expired, {"now": now})
