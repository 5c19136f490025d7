"""Crash recovery: calls of resumable tools that a crash cut short go on as background tasks.

A resumable tool is idempotent and keeps a journal of its own under the key of the call, so that a
second run goes on where the first was cut short. Such a call needs nobody to make it again: it
becomes a task in the next life of the server, and its outcome is delivered as that of a task.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING

import orjson

from antiphon.contracts.tasks import Task, TooManyTasks
from antiphon.orchestrator.call_frame import parent_key
from antiphon.orchestrator.strategies.background import task_id
from antiphon.storage import LedgerRow, StoreError

if TYPE_CHECKING:
    from antiphon.orchestrator.orchestrator import Orchestrator

logger = logging.getLogger(__name__)

SOURCE = "recovery"


class CrashRecovery:
    """Makes tasks of the calls that a crash cut short; `tool_ids` are the resumable tools."""

    def __init__(self, orchestrator: Orchestrator, tool_ids: Iterable[str]) -> None:
        self._orchestrator = orchestrator
        self._tool_ids = frozenset(tool_ids)

    async def resume(self, rows: Iterable[LedgerRow]) -> None:
        """Resume those of the calls that can be. The others stay unknown: the ledger answers when
        the same call comes again. Nested calls are for the call that made them."""
        for row in rows:
            if row.tool_id in self._tool_ids and parent_key(row.key) is None:
                try:
                    await self._resume(row)
                except StoreError as error:
                    logger.error("%s was cut short and not resumed: %s", row.tool_id, error)

    async def _resume(self, row: LedgerRow) -> None:
        store = self._orchestrator.store
        background = self._orchestrator.background
        task = await self._make_task(row)
        if background is None or task is None or not await store.reclaim(row.session_id, row.key):
            return
        try:
            known, _ = await background.backend.start(task)
        except (StoreError, TooManyTasks) as error:
            logger.error("%s was cut short and not resumed: %s", row.tool_id, error)
            await store.mark_unknown(row.session_id, row.key)
            return
        if known.finished:
            await self.enter_outcome(known)

    async def _make_task(self, row: LedgerRow) -> Task | None:
        session = await self._orchestrator.store.session(row.session_id)
        origin = {} if session is None else session.state.get("origin", {})
        snapshot = self._orchestrator.registry_snapshot().chosen(origin.get("versions") or {})
        tool = snapshot.tools.get(row.tool_id)
        # Arguments that were not written down in full cannot be had again.
        if tool is None or session is None or tool.definition.redact:
            return None
        if not tool.definition.idempotent:
            return None
        own = {"provider": session.provider or None, "profile": session.profile or None}
        return Task(
            id=task_id(row.session_id, row.key),
            session_id=row.session_id,
            user=session.user,
            mode=session.mode,
            tool_id=row.tool_id,
            tool_version=tool.definition.version,
            registry_version=snapshot.version,
            key=row.key,
            call_id=row.key.removeprefix("provider:") if row.key.startswith("provider:") else None,
            args=orjson.loads(row.args),
            args_digest=row.args_digest,
            turn=row.turn,
            source=SOURCE,
            origin={**own, **session.state.get("origin", {})},
        )

    async def enter_outcome(self, task: Task) -> None:
        """Enter the outcome of a resumed call in the ledger and in its session, for whoever makes
        the same call again. Tasks that are no resumed calls are left alone."""
        if task.source != SOURCE or task.envelope is None:
            return
        try:
            await self._orchestrator.store.finish(
                task.session_id, task.key, orjson.dumps(task.envelope)
            )
        except StoreError as error:
            logger.error("the ledger did not take a resumed %s: %s", task.tool_id, error)
        session = self._orchestrator.sessions.get(task.session_id)
        record = None if session is None else session.recent.get(task.key)
        if record is not None:
            record.state, record.envelope = "done", task.envelope
            if record.answer is not None and not record.answer.done():
                record.answer.set_result(task.envelope)
