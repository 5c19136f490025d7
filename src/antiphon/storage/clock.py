"""Store clock: one time for all nodes on the same database."""

from __future__ import annotations

import time

from sqlalchemy import Connection, text


def database_time(connection: Connection) -> float:
    """Return the time of the database server, in epoch seconds; that of this machine where the
    database is a file on it."""
    if connection.dialect.name == "postgresql":
        now = connection.execute(text("SELECT extract(epoch FROM clock_timestamp())")).scalar()
        return float(now or 0.0)
    return time.time()
