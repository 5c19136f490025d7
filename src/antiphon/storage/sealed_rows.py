"""Sealed rows: columns of the store that are encrypted, and the key ring among its rows."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256

from sqlalchemy import Column, ColumnElement, Connection, select, update

from antiphon.contracts.tasks import UNFINISHED
from antiphon.secrecy.errors import SecrecyError
from antiphon.secrecy.key_ring import KeyRing, is_sealed
from antiphon.secrecy.master_key import MasterKey
from antiphon.secrecy.vault import MasterKeys, Vault
from antiphon.storage.errors import StoreError
from antiphon.storage.tables import (
    confirmations,
    conversations,
    inserting,
    mcp_credentials,
    mcp_servers,
    secrets,
    tasks,
)

RING = "key ring"
_INFO = "antiphon sealed rows"
# The columns that are sealed, by table. What a person is asked, and what a task is to do, may hold
# what is written down nowhere else.
# A share's token is behind the hash by which it is found.
SHARE_MARK = ":"
_SHARE = "share_token"
_OPEN = ("pending", *UNFINISHED)
_COLUMNS = ((confirmations, ("args", "call_args")), (tasks, ("args",)))
# Columns that are always sealed, with the one that tells their rows apart.
_SECRETS = (
    (mcp_servers.c.name, mcp_servers.c.secrets),
    (mcp_credentials.c.id, mcp_credentials.c.value),
)


class StoreRing:
    """The key ring of a store, in an open transaction: all nodes on it have the same."""

    where = "of the store"

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def read(self) -> bytes | None:
        kept = select(secrets.c.value).where(secrets.c.name == RING)
        value = self._connection.execute(kept).scalar()
        return None if value is None else bytes(value)

    def add(self, content: bytes) -> bytes:
        statement = inserting(self._connection.dialect.name, secrets).on_conflict_do_nothing()
        self._connection.execute(statement, {"name": RING, "value": content})
        return self.read() or content

    def replace(self, content: bytes) -> None:
        changed = update(secrets).where(secrets.c.name == RING).values(value=content)
        self._connection.execute(changed)


class SealedRows:
    """Seals and opens values of rows. Without keys, as in a store in memory, they stay plain, and
    what is sealed is refused."""

    def __init__(self, keys: MasterKeys | None = None) -> None:
        self._keys = keys
        self._vault = None if keys is None else Vault(keys)

    def attach(self, connection: Connection) -> None:
        """Make them known to whoever runs statements on this connection."""
        connection.info[_INFO] = self

    def seal(self, connection: Connection, value: bytes, context: str) -> bytes:
        """Encrypt the value of a row. Raises StoreError."""
        if self._vault is None or not value:
            return value
        try:
            return self._vault.seal(StoreRing(connection), value, context)
        except SecrecyError as error:
            raise StoreError(str(error)) from error

    def open(self, connection: Connection, value: bytes, context: str) -> bytes:
        """Decrypt the value of a row. Raises StoreError; never returns what is encrypted."""
        if not is_sealed(value):
            return value
        if self._vault is None:
            raise StoreError(
                f"{context} is encrypted, and this store was opened without its master key. Open "
                "it with the settings of the server."
            )
        try:
            return self._vault.open(StoreRing(connection), value, context)
        except SecrecyError as error:
            raise StoreError(str(error)) from error

    def make_ring(self, connection: Connection) -> None:
        """Make the ring if there is none; the transaction is to be committed before anything else
        is sealed. Raises StoreError."""
        if self._vault is not None:
            try:
                self._vault.make_ring(StoreRing(connection))
            except SecrecyError as error:
                raise StoreError(str(error)) from error

    def check(self, connection: Connection) -> KeyRing | None:
        """The ring, once the master key has opened it; None where nothing was sealed yet. Raises
        StoreError."""
        if self._vault is None:
            return None
        try:
            return self._vault.check(StoreRing(connection))
        except SecrecyError as error:
            raise StoreError(str(error)) from error

    def plain_rows(self, connection: Connection) -> int:
        """How many values are kept as they are and would be sealed today."""
        return sum(not is_sealed(value) for _, value, _ in _values(connection))

    def seal_plain_rows(self, connection: Connection) -> int:
        """Seal what an earlier release, or a store without keys, has kept as it was; return how
        many values. Raises StoreError."""
        count = 0
        for store, value, context in list(_values(connection)):
            if not is_sealed(value):
                store(self.seal(connection, value, context))
                count += 1
        return count

    def rotate(self, connection: Connection, now: float) -> int:
        """Give the ring a new data key and seal every value with it; return how many. Raises
        StoreError."""
        ring = self.check(connection)
        if ring is None or self._keys is None:
            self.make_ring(connection)
            return self.seal_plain_rows(connection)
        place = StoreRing(connection)
        opened = [
            (store, self.open(connection, value, context), context)
            for store, value, context in list(_values(connection))
        ]
        master = self._keys.needed(place.where)
        place.replace(ring.without_retired(now).with_new_key(master, now).dumped())
        self.check(connection)
        for store, plain, context in opened:
            store(self.seal(connection, plain, context))
        return len(opened)

    def wrap_anew(self, connection: Connection, new: MasterKey) -> None:
        """Put the data keys under another master key. Raises StoreError."""
        place = StoreRing(connection)
        content = place.read()
        if content is None or self._keys is None:
            return
        try:
            ring = KeyRing.parsed(content, place.where)
            place.replace(ring.wrapped_anew(self._keys.needed(place.where), new).dumped())
        except SecrecyError as error:
            raise StoreError(str(error)) from error


def sealed_rows(connection: Connection) -> SealedRows:
    """What seals and opens the values of rows on this connection."""
    attached = connection.info.get(_INFO)
    return attached if isinstance(attached, SealedRows) else SealedRows()


_Keep = Callable[[bytes], None]


def _values(connection: Connection) -> Iterator[tuple[_Keep, bytes, str]]:
    """Every value that is to be sealed: how it is replaced, what it is now, and its context."""
    named = select(secrets.c.name, secrets.c.value).where(secrets.c.name != RING)
    for name, value in connection.execute(named).all():
        keep = partial(_keep, connection, secrets.c.name == name, secrets.c.value)
        yield keep, bytes(value), secret_context(name)
    for name_column, sealed in _SECRETS:
        for row_id, value in connection.execute(select(name_column, sealed)).all():
            keep = partial(_keep, connection, name_column == row_id, sealed)
            yield keep, bytes(value), context_of(sealed.table.name, row_id, sealed.name)
    for table, columns in _COLUMNS:
        is_open = table.c.status.in_(_OPEN)
        rows = select(table.c.id, *(table.c[name] for name in columns)).where(is_open)
        for row_id, *values in connection.execute(rows).all():
            for column, value in zip(columns, values, strict=True):
                if value:
                    keep = partial(_keep, connection, table.c.id == row_id, table.c[column])
                    yield keep, bytes(value), context_of(table.name, row_id, column)
    shared = select(conversations.c.id, conversations.c.share_token)
    for row_id, kept in connection.execute(shared.where(conversations.c.share_token.is_not(None))):
        head, mark, sealed = kept.partition(SHARE_MARK)
        value = b64decode(sealed) if mark else kept.encode()
        head = head if mark else kept_share(kept).removesuffix(SHARE_MARK)
        keep = partial(_keep_share, connection, row_id, head)
        yield keep, value, context_of(conversations.name, row_id, _SHARE)


def _keep_share(connection: Connection, row_id: str, head: str, value: bytes) -> None:
    kept = f"{head}{SHARE_MARK}{b64encode(value).decode('ascii')}"
    changed = update(conversations).where(conversations.c.id == row_id)
    connection.execute(changed.values(share_token=kept))


def _keep(
    connection: Connection, row: ColumnElement[bool], column: Column[bytes], value: bytes
) -> None:
    connection.execute(update(column.table).where(row).values({column: value}))


def kept_share(token: str) -> str:
    """How the column of a share begins: by a hash, by which it is found."""
    return sha256(token.encode("utf-8", "replace")).hexdigest() + SHARE_MARK


def sealed_share(connection: Connection, id: str, token: str) -> str:
    """The token of a share as it is kept: to be found by who has it, and sealed for its owner."""
    context = context_of(conversations.name, id, _SHARE)
    sealed = sealed_rows(connection).seal(connection, token.encode(), context)
    return kept_share(token) + b64encode(sealed).decode("ascii")


def opened_share(connection: Connection, id: str, kept: str) -> str:
    """The token of a share. Raises StoreError."""
    _, mark, sealed = kept.partition(SHARE_MARK)
    if not mark:
        return kept  # of an earlier release
    context = context_of(conversations.name, id, _SHARE)
    return sealed_rows(connection).open(connection, b64decode(sealed), context).decode()


def secret_context(name: str) -> str:
    return f"secrets/{name}"


def context_of(table: str, id: str, column: str) -> str:
    """What a value is bound to: moved to another row it cannot be opened."""
    return f"{table}/{id}/{column}"
