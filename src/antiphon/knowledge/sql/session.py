"""SQL sessions and transactions: what the shared stores ask of either engine's connections."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol, TypeVar

from antiphon.knowledge.sql.statements import Statement, Statements

T = TypeVar("T")
S_co = TypeVar("S_co", bound="SqlSession", covariant=True)


class Rows(Protocol):
    """Result of a statement: a cursor of sqlite3 or psycopg, whose rows are tuples."""

    @property
    def rowcount(self) -> int: ...

    def __iter__(self) -> Iterator[Any]: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...


class SqlSession(Protocol):
    """A transaction on one database."""

    def execute(self, statement: Statement, **values: Any) -> Rows:
        """Run a statement with the values of its parameters."""


class Transactions(Protocol[S_co]):
    """Transactions on one database."""

    @property
    def sql(self) -> Statements:
        """The shared statements in the dialect of this database."""

    def read(self, work: Callable[[S_co], T], *, snapshot: bool = True) -> T:
        """Return what `work` returns. With `snapshot` all that it reads is of one moment.

        Raises KnowledgeError when the store cannot be read.
        """

    def write(self, work: Callable[[S_co], T]) -> T:
        """Return what `work` returns once all that it wrote is durable; nothing is if it raises.

        `work` may be called twice, after a connection was lost. Raises KnowledgeError when the
        store cannot be written.
        """
