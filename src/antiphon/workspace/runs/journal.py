"""Journal of runs: outcomes of finished steps under the key of their call, for resumption."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import orjson

from antiphon.storage import Store
from antiphon.workspace.errors import from_store
from antiphon.workspace.runs.log import RunLog

if TYPE_CHECKING:
    from sqlalchemy import Connection

# As long as a task is kept that could be run again.
KEPT_SECONDS = 7 * 24 * 3600.0
# The row of a run that has what it was begun with; no step has this name.
_DEFINITION = ""


class RunJournal:
    """The journal in the store; `log` is where people read of runs. All methods raise ToolError
    and nothing else."""

    def __init__(self, store: Store, *, now: Callable[[], float] = time.time) -> None:
        self._store = store
        self._now = now
        self.log = RunLog(store, now=now)

    async def load(self, key: str) -> dict[str, dict[str, Any]]:
        """Return the outcomes of the finished steps of a run, by step."""
        return {step: outcome for step, (_, outcome) in (await self.history(key)).items()}

    async def history(self, key: str) -> dict[str, tuple[float, dict[str, Any]]]:
        """Return when each step of a run was finished, in epoch seconds, and its outcome, by
        step."""

        def work(connection: Connection) -> dict[str, tuple[float, dict[str, Any]]]:
            from sqlalchemy import select

            from antiphon.storage.tables import run_steps

            rows = connection.execute(
                select(run_steps).where(run_steps.c.key == key, run_steps.c.step != _DEFINITION)
            )
            return {row.step: (row.at, orjson.loads(row.outcome)) for row in rows}

        return await from_store(self._store.run(work, writes=False))

    async def definition(self, key: str) -> dict[str, Any] | None:
        """Return what a run was begun with; None where nothing was saved."""

        def work(connection: Connection) -> dict[str, Any] | None:
            from sqlalchemy import select

            from antiphon.storage.tables import run_steps

            found = connection.execute(
                select(run_steps.c.outcome).where(
                    run_steps.c.key == key, run_steps.c.step == _DEFINITION
                )
            ).scalar()
            return None if found is None else orjson.loads(found)

        return await from_store(self._store.run(work, writes=False))

    async def save_definition(self, key: str, definition: dict[str, Any]) -> None:
        """Save what a run is begun with: it goes on with that, whatever is changed meanwhile."""
        await self.save(key, _DEFINITION, definition)

    async def save(self, key: str, step: str, outcome: dict[str, Any]) -> None:
        """Save the outcome of a step; the first one stays. Rows of runs that are over for a week
        are deleted."""
        now = self._now()
        row = {"key": key, "step": step, "at": now, "outcome": orjson.dumps(outcome, default=str)}

        def work(connection: Connection) -> None:
            from sqlalchemy import delete

            from antiphon.storage.tables import inserting, run_steps

            connection.execute(delete(run_steps).where(run_steps.c.at < now - KEPT_SECONDS))
            connection.execute(
                inserting(connection.dialect.name, run_steps).values(row).on_conflict_do_nothing()
            )

        await from_store(self._store.run(work))
