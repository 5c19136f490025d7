"""Store: everything that must outlive the process, behind one asynchronous object."""

from __future__ import annotations

import secrets as random
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import orjson

from antiphon.contracts.owners import Owners
from antiphon.storage.errors import StoreError
from antiphon.storage.rows import (
    CONFIRMATION_STATUSES,
    AuditLine,
    AuditReport,
    Block,
    ConfirmationRow,
    GrantRow,
    LedgerRow,
    SessionRow,
    TurnRow,
)
from antiphon.storage.writer import StoreWriter, Transaction

if TYPE_CHECKING:
    from asyncio import Future
    from types import TracebackType

    from sqlalchemy import Connection

    from antiphon.secrecy.vault import MasterKeys
    from antiphon.storage.ledger import Ledger
    from antiphon.storage.records import StoreRecords

LEDGER_KEPT = 24 * 3600.0

Result = TypeVar("Result")


class Store:
    """The durable store of a server, made by `Store.open`. Every method raises StoreError on
    failure.

    Work is durable when its call returns. A call that is cancelled while it waits is carried out
    all the same.
    """

    node: str  # random name of this process' store, the owner of what it runs

    def __init__(
        self,
        node: str,
        now: Callable[[], float],
        writer: StoreWriter,
        ledger: Ledger,
        records: StoreRecords,
        keys: MasterKeys | None = None,
    ) -> None:
        self.node = node
        self.keys = keys
        self._now = now
        self._writer = writer
        self._ledger = ledger
        self._records = records
        self._secrets: dict[str, bytes] = {}
        # Append an audit payload, a dictionary or an `AuditEntry`, without waiting: it is written
        # soon, in order, and survives a database that is down. On the path of every call.
        self.append_audit: Callable[[Any], None] = writer.append

    @classmethod
    def open(
        cls,
        url: str = "sqlite://",
        *,
        now: Callable[[], float] = time.time,
        audit_file: Path | None = None,
        keys: MasterKeys | None = None,
        seals: bool = True,
    ) -> Store:
        """Open or create a store, migrate its tables and register this node as alive. Blocks.

        `url` is `sqlite:///path`, `sqlite://` (in memory) or
        `postgresql://user:password@host/database`. With `audit_file` the audit is also appended
        there, as JSON lines. `keys` encrypt secrets and the arguments of open confirmations and
        tasks; without them these stay as they are. With `seals` the master key is checked, and what
        was kept as it is gets sealed.
        """
        from antiphon.storage.audit_file import AuditFile
        from antiphon.storage.database import StoreDatabase
        from antiphon.storage.ledger import Ledger
        from antiphon.storage.records import StoreRecords

        node = random.token_hex(8)
        database = StoreDatabase(url, node, keys, seals=seals)
        sink = None
        if audit_file is not None:
            sink = AuditFile(audit_file, database.dialect)
            try:
                sink.export(database.begin(writes=False))
                database.rollback()
            except OSError as error:
                database.close()
                raise StoreError(
                    f"The audit file {audit_file} cannot be written: {error.strerror or error}; "
                    "check its folder and permissions, or name another file."
                ) from error
            except BaseException:
                database.close()
                raise
        ledger = Ledger(database.dialect, node, database.nodes)
        records = StoreRecords(database.dialect)
        return cls(node, now, StoreWriter(database, sink, now), ledger, records, keys)

    async def close(self) -> None:
        """Finish the queued work and close the database. Any later call but this one raises
        StoreError."""
        await self._writer.close()

    async def __aenter__(self) -> Store:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    @property
    def commits(self) -> int:
        """The number of writing transactions committed so far."""
        return self._writer.commits

    async def run(self, work: Callable[[Connection], Result], *, writes: bool = True) -> Result:
        """Run statements of the caller's own in one transaction, all or nothing."""
        return cast(
            Result,
            await self._writer.submit(
                lambda transaction: work(transaction.connection), writes=writes
            ),
        )

    async def transact(self, work: Callable[[Transaction], Result]) -> Result:
        """Run statements that write, as `run` does; the audit payloads that `work` puts into the
        transaction's `lines` are committed with them, or not at all."""
        return await self.queue(work)

    def queue(self, work: Callable[[Transaction], Result]) -> Future[Result]:
        """Queue statements that write, as `transact` runs them, without waiting; the future
        resolves when they are durable."""
        return self._writer.submit(work, writes=True, after_lines=True)

    async def _read(self, work: Callable[[Connection], Result]) -> Result:
        return await self.run(work, writes=False)

    async def dead(self, owners: Iterable[str]) -> list[str]:
        """Return those of the owners (nodes of stores on the same database) whose process is
        gone."""
        asked = list(owners)
        return await self._read(lambda to: self._ledger.dead(to, asked))

    # -- ledger of writing calls; keys are a session's own

    async def begin(self, row: LedgerRow, audit: Sequence[Any] = ()) -> LedgerRow | None:
        """Enter a call in the ledger as running by this node; return None when that was done.

        Otherwise return the row that is in the way: the same key, or the same call hash, in that
        session. The audit payloads are committed with the row, or not at all.
        """
        now = self._now()
        entered = replace(
            row,
            state="running",
            envelope=None,
            owner=self.node,
            created_at=row.created_at or now,
            updated_at=now,
            expires_at=row.expires_at or now + LEDGER_KEPT,
        )

        def work(transaction: Transaction) -> LedgerRow | None:
            found = self._ledger.begin(transaction.connection, entered, now)
            if found is None:
                transaction.lines.extend(audit)
            return found

        return cast(
            LedgerRow | None,
            await self._writer.submit(work, writes=True, after_lines=bool(audit)),
        )

    async def reclaim(self, session_id: str, key: str) -> bool:
        """Set an unknown call to running by this node; return False if it was not unknown."""
        now = self._now()
        return await self.run(lambda to: self._ledger.reclaim(to, session_id, key, now))

    async def finish(
        self, session_id: str, key: str, envelope: bytes, audit: Sequence[Any] = ()
    ) -> None:
        """Store the outcome of a call that was begun. A call that is done already keeps its first
        outcome."""
        now = self._now()

        def work(transaction: Transaction) -> None:
            self._ledger.finish(transaction.connection, session_id, key, envelope, now)
            transaction.lines.extend(audit)

        await self._writer.submit(work, writes=True, after_lines=bool(audit))

    async def forget(self, session_id: str, key: str) -> None:
        """Delete a call that this node began and whose handler never started."""
        await self.run(lambda to: self._ledger.forget(to, session_id, key))

    async def mark_unknown(self, session_id: str, key: str) -> None:
        """Set a call of this node to unknown: it was cut short, and may have happened."""
        now = self._now()
        await self.run(lambda to: self._ledger.mark_unknown(to, session_id, key, now))

    async def ledger(self, session_id: str) -> list[LedgerRow]:
        """Return the calls of a session that are not expired, oldest first."""
        now = self._now()
        return await self._read(lambda to: self._ledger.of_session(to, session_id, now))

    async def find(self, session_id: str, key: str) -> LedgerRow | None:
        now = self._now()
        return await self._read(lambda to: self._ledger.find(to, session_id, key, now))

    async def recover(self, audit: Callable[[LedgerRow], Any] | None = None) -> list[LedgerRow]:
        """Set the running calls of dead nodes to unknown, and return them.

        The payload that `audit` makes of each is committed with it: nobody finds the call a second
        time, so a crash in between would leave it out of the audit for good.
        """
        now = self._now()

        def work(transaction: Transaction) -> list[LedgerRow]:
            found = self._ledger.recover(transaction.connection, now)
            if audit is not None:
                transaction.lines.extend(map(audit, found))
            return found

        return cast(
            list[LedgerRow],
            await self._writer.submit(work, writes=True, after_lines=audit is not None),
        )

    # -- sessions, turns of conversations, blocks, rate windows

    async def save_session(self, row: SessionRow) -> None:
        """Store a session as it is now. The time of its creation stays that of the first save."""
        now = self._now()
        saved = replace(row, created_at=row.created_at or now, updated_at=row.updated_at or now)
        state = _json(row.state, f"The state of session {row.id!r}")
        await self.run(lambda to: self._records.save_session(to, saved, state))

    async def session(self, id: str) -> SessionRow | None:
        return await self._read(lambda to: self._records.session(to, id))

    async def sessions(
        self,
        *,
        owners: Owners | None = None,
        mode: str | None = None,
        active: bool | None = None,
        limit: int = 100,
        before: str | None = None,
    ) -> list[SessionRow]:
        """Return a page of sessions, newest first; `before` is the id of the last session of the
        page before."""
        return await self._read(
            lambda to: self._records.sessions(
                to, owners=owners, mode=mode, active=active, limit=limit, before=before
            )
        )

    async def sessions_of(self, conversation_id: str) -> list[SessionRow]:
        """Return the sessions of the conversation that began with that one, newest first."""
        return await self._read(lambda to: self._records.sessions_of(to, conversation_id))

    def add_turn(self, row: TurnRow, *, role: str = "", text: str = "") -> Future[None]:
        """Queue a turn for writing without waiting; the future resolves when it is durable.

        `text` is what was said in it, and `role` says by whom (`user`, `model`): by them the
        conversation is listed and found.
        """
        return self._writer.submit(
            lambda to: self._records.add_turn(to.connection, row, role, text), writes=True
        )

    def amend_turn(self, row: TurnRow, *, before: str) -> Future[None]:
        """Queue what a turn is now, in place of what it was `before`; the words of it stay the
        same."""
        return self._writer.submit(
            lambda to: self._records.amend_turn(to.connection, row, before), writes=True
        )

    def remove_turn(self, row: TurnRow, *, role: str = "", text: str = "") -> Future[None]:
        """Queue the removal of a turn that `add_turn` was given with the same words."""
        return self._writer.submit(
            lambda to: self._records.remove_turn(to.connection, row, role, text), writes=True
        )

    async def turns(self, session_id: str, *, limit: int = 1000) -> list[TurnRow]:
        """Return the newest turns of a session, ended or not, in the order in which they began.

        Of those that began at the same time, the one that was added first comes first.
        """
        return await self._read(lambda to: self._records.turns(to, session_id, limit))

    async def first_turns(self, session_ids: Sequence[str], *, each: int) -> list[TurnRow]:
        """Return the first turns of each of some sessions, session by session."""
        ids = list(session_ids)
        return await self._read(lambda to: self._records.first_turns(to, ids, each))

    async def block(self, block: Block) -> None:
        """Block a user until a time; replaces an earlier block."""
        saved = replace(block, created_at=block.created_at or self._now())
        await self.run(lambda to: self._records.block(to, saved))

    async def blocks(self) -> list[Block]:
        """Return the blocks that are in force."""
        now = self._now()
        return await self._read(lambda to: self._records.blocks(to, now))

    async def unblock(self, user: str) -> Block | None:
        """Delete a user's block and return it; None if none was in force."""
        now = self._now()
        return await self.run(lambda to: self._records.unblock(to, user, now))

    async def save_rate(self, session_id: str, tool_id: str, stamps: list[float]) -> None:
        """Store the rate window of a tool in a session; replaces what was stored before."""
        now = self._now()
        text = _json(stamps, f"The rate window of {tool_id!r}")
        await self.run(lambda to: self._records.save_rate(to, session_id, tool_id, text, now))

    async def rates(self, session_id: str) -> dict[str, list[float]]:
        return await self._read(lambda to: self._records.rates(to, session_id))

    # -- approvals

    async def add_grant(self, row: GrantRow) -> None:
        saved = replace(row)
        await self.run(lambda to: self._records.add_grant(to, saved))

    async def grants(self) -> list[GrantRow]:
        """Return all standing grants, oldest first."""
        return await self._read(lambda to: self._records.grants(to))

    async def drop_grants(self, ids: list[str]) -> None:
        await self.run(lambda to: self._records.drop_grants(to, ids))

    # -- destinations

    async def add_destinations(self, user: str, digests: Collection[str]) -> None:
        """Note what a user has sent something to; what they used longest ago is forgotten."""
        kept, now = tuple(digests), self._now()
        await self.run(lambda to: self._records.add_destinations(to, user, kept, now))

    async def known_destinations(self, user: str, digests: Collection[str]) -> frozenset[str]:
        """Return those of the digests that the user has sent something to before."""
        asked = tuple(digests)
        if not asked:
            return frozenset()
        return await self._read(lambda to: self._records.known_destinations(to, user, asked))

    # -- confirmations

    async def add_confirmation(self, row: ConfirmationRow) -> None:
        _check_status(row.status)
        saved = replace(row)
        await self.run(lambda to: self._records.add_confirmation(to, saved))

    async def resolve_confirmation(
        self, id: str, status: str, *, by: str | None = None, via: str | None = None
    ) -> bool:
        """Resolve a pending confirmation, once; return False if it was not pending any more."""
        _check_status(status)
        now, change = self._now(), self._records.resolve_confirmation
        return await self.run(lambda to: change(to, id, status, now, by, via))

    async def change_confirmation(self, row: ConfirmationRow) -> bool:
        """Keep the arguments and approvers of a confirmation that still waits; return False if it
        was not pending any more."""
        saved = replace(row)
        return await self.run(lambda to: self._records.change_confirmation(to, saved))

    async def confirmation(self, id: str) -> ConfirmationRow | None:
        return await self._read(lambda to: self._records.confirmation(to, id))

    async def confirmations(
        self,
        *,
        session_id: str | None = None,
        owners: Owners | None = None,
        status: str | None = None,
        tool_id: str | None = None,
        risk: str | None = None,
        before: tuple[float, str] | None = None,
        limit: int = 100,
    ) -> list[ConfirmationRow]:
        """Return the confirmations that fit every filter given, newest first; `before` is the time
        and the id of the last one of the page before."""
        wanted = {
            "session_id": session_id,
            "status": status,
            "tool_id": tool_id,
            "risk": risk,
        }
        return await self._read(
            lambda to: self._records.confirmations(
                to, owners=owners, wanted=wanted, before=before, limit=limit
            )
        )

    # -- audit

    async def flush(self) -> None:
        """Wait until everything appended so far is durable."""
        await self._writer.submit(None, writes=True, after_lines=True)

    async def audit_lines(
        self,
        *,
        owners: Owners | None = None,
        after_seq: int = 0,
        before_seq: int | None = None,
        limit: int = 1000,
        session_id: str | None = None,
        tool_id: str | None = None,
        event: str | None = None,
        decision: str | None = None,
        rule: str | None = None,
        ok: bool | None = None,
        since: float | None = None,
        until: float | None = None,
        newest_first: bool = False,
    ) -> list[AuditLine]:
        """Return the audit lines that fit every filter given; `since` is inclusive, `until` is
        not. With `owners`, only lines that name one of them as their user."""
        from antiphon.storage import audit

        wanted = audit.AuditFilter(
            owners=owners,
            session_id=session_id,
            members={"toolId": tool_id, "event": event, "decision": decision, "rule": rule},
            ok=ok,
            since=since,
            until=until,
        )
        return await self._read(
            lambda to: audit.read(
                to,
                after_seq=after_seq,
                before_seq=before_seq,
                limit=limit,
                newest_first=newest_first,
                wanted=wanted,
            )
        )

    async def verify_audit(self) -> AuditReport:
        """Verify the whole hash chain: report whether a line was changed, moved, added or
        removed."""
        from antiphon.storage import audit

        walk = audit.AuditVerifier()
        while walk.report is None:
            await self._read(walk.page)
        return walk.report

    async def prune_audit(self, before: float) -> int:
        """Delete audit lines from before that time (epoch seconds) and return how many.

        The chain can still be verified: a line of the event `audit_pruned` has the number and the
        hash of the last deleted one. The audit file is shortened likewise.
        """
        from antiphon.storage import audit

        def work(transaction: Transaction) -> tuple[int, int]:
            found = audit.prune(transaction.connection, before)
            if found is None:
                return 0, 0
            through, sealed, count = found
            transaction.lines.append(
                {
                    "event": audit.PRUNED,
                    "through": through,
                    "hashOfLast": sealed,
                    "count": count,
                    "before": before,
                }
            )
            return through, count

        await self.flush()  # lines are added at the end of a transaction
        through, count = await self._writer.submit(work, writes=True)
        sink = self._writer.sink
        if count and sink is not None:
            await self._writer.submit(lambda _: sink.drop(through), writes=False)
        return int(count)

    async def check_writable(self) -> None:
        """Raise StoreError while the store cannot be written: once a write has failed, another must
        succeed."""
        if self._writer.problem is not None:
            await self.save_rate("", "", [])

    # -- small secrets and facts

    def secret(self, name: str, size: int = 32) -> bytes:
        """Return random bytes that are generated once and shared by all nodes. Blocks the first
        time."""
        value = self._secrets.get(name)
        if value is None:
            value = cast(
                bytes,
                self._writer.wait_for(
                    lambda to: self._records.secret(to.connection, name, size), writes=True
                ),
            )
            self._secrets[name] = value
        if len(value) != size:
            raise StoreError(
                f"The secret {name!r} was made with {len(value)} bytes; ask for as many."
            )
        return value

    async def purge(self) -> None:
        """Delete expired ledger rows and blocks, and rate windows older than a day."""
        now = self._now()

        def work(connection: Connection) -> None:
            self._ledger.purge(connection, now)
            self._records.purge(connection, now)

        await self.run(work)


def _json(value: Any, what: str) -> str:
    try:
        return orjson.dumps(value).decode()
    except TypeError as error:
        raise StoreError(f"{what} cannot be kept as JSON: {error}.") from error


def _check_status(status: str) -> None:
    if status not in CONFIRMATION_STATUSES:
        raise StoreError(
            f"A confirmation cannot be {status!r}; it is one of {', '.join(CONFIRMATION_STATUSES)}."
        )
