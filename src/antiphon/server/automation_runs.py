"""Automation runs: started, stopped and resumed as calls, and how they stand."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

import orjson

from antiphon.contracts import Envelope, ErrorType
from antiphon.contracts.definition import Mode
from antiphon.contracts.limits import subject_of
from antiphon.orchestrator import Orchestrator
from antiphon.orchestrator.call_frame import nested_key, outside_key
from antiphon.server.http_sessions import HttpSessions
from antiphon.server.problems import STATUS, ProblemError
from antiphon.storage import StoreError
from antiphon.workspace import Workspace
from antiphon.workspace.runs.journal import RunJournal
from antiphon.workspace.runs.log import (
    RESUME,
    UNDER_WAY,
    LoggedRun,
    RunEvent,
    RunKind,
    RunStatus,
    run_id,
)

logger = logging.getLogger(__name__)

# The tool that runs each kind, and its parameter that names what to run.
TOOLS: dict[RunKind, tuple[str, str]] = {
    "macro": ("run_macro", "macro_id"),
    "workflow": ("run_workflow", "workflow_name"),
    "agent": ("run_agent", "agent_name"),
}
_OVER: dict[str, RunStatus] = {
    "succeeded": "succeeded",
    "failed": "failed",
    "cancelled": "stopped",
    "unknown": "failed",
}
CUT_SHORT = "It was cut short when the server stopped."


class AutomationRuns:
    """Starts and stops runs of macros, workflows and agents, and goes on with them; each as a call
    of its tool, through all gates, in the shared session of whoever asks."""

    def __init__(self, orchestrator: Orchestrator, workspaces: Callable[[str], Workspace]) -> None:
        """`workspaces` gives the workspace of an organisation."""
        self._orchestrator = orchestrator
        self._workspaces = workspaces
        self._running: set[asyncio.Task[None]] = set()

    @property
    def journal(self) -> RunJournal:
        found: RunJournal = self._workspaces("").workflows.journal
        return found

    async def close(self) -> None:
        """Cancel the waiting for runs under way; the calls themselves end with the orchestrator."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    # -- starting ------------------------------------------------------------------------------

    async def title_of(self, sessions: HttpSessions, kind: RunKind, name: str) -> tuple[str, str]:
        """Return the name and the title of what is to be run. Raises NotThere."""
        workspace = self._workspaces(sessions.scope.organisation)
        if kind == "macro":
            macro = await workspace.macros.find(sessions.user, name, exact=True)
            return macro.id, macro.name
        service = workspace.workflows if kind == "workflow" else workspace.agents
        found = await service.find(name)
        return found.name, found.title

    async def start(
        self,
        sessions: HttpSessions,
        kind: RunKind,
        name: str,
        text: str,
        key: str,
        mode: Mode = "text",
    ) -> str:
        """Start a run and return its id; the same key again gives the same run. Raises ToolError
        for what is not there, and a problem where the gates refuse it."""
        name, title = await self.title_of(sessions, kind, name)
        session_id = sessions.shared_id(mode)
        outside = outside_key(session_id, f"client:{key}")
        tool, parameter = TOOLS[kind]
        args = {parameter: name} if kind == "macro" else {parameter: name, "input": text}
        slot = self._slot(sessions) if kind == "macro" else ExitStack()
        entered = self.journal.log.begin(
            *(outside, session_id, sessions.user, mode),
            kind=kind,
            name=name,
            title=title,
            input=text,
            status="pending",
        )
        if kind == "macro":
            with slot:
                await entered
                work = self._see_through(sessions, mode, tool, args, key, run_id(outside))
                task = asyncio.create_task(work, name="run of a macro")
                self._running.add(task)
                task.add_done_callback(partial(self._over, slot.pop_all()))
            return run_id(outside)
        envelope = await sessions.call_shared(mode, tool, args, key)
        if not envelope["ok"]:
            entered.close()
            raise refused(envelope)
        await entered
        return run_id(outside)

    def _slot(self, sessions: HttpSessions) -> ExitStack:
        """The place of a macro among the runs that its user may have at once. Raises
        LimitRefused."""
        limits, slot = self._orchestrator.limits, ExitStack()
        if limits is not None:
            slot.enter_context(limits.held(subject_of(sessions.scope.principal), "tasks"))
        return slot

    def _over(self, slot: ExitStack, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        slot.close()

    async def _see_through(
        self,
        sessions: HttpSessions,
        mode: Mode,
        tool: str,
        args: dict[str, Any],
        key: str,
        id: str,
    ) -> None:
        try:
            envelope = await sessions.call_shared(mode, tool, args, key)
            # One that takes long goes on; what the gates refused has not begun.
            if not envelope["ok"] and envelope["error"]["type"] != ErrorType.IN_PROGRESS:
                error = envelope["error"]
                await self.journal.log.end(id, "failed", error["message"], str(error["type"]))
        except StoreError as error:
            logger.error("a run of a macro did not come to its end: %s", error)

    # -- as they stand -------------------------------------------------------------------------

    async def settled(self, run: LoggedRun) -> LoggedRun:
        """Return a run as it stands; one that the process took with it when it died is over."""
        if run.status not in UNDER_WAY:
            return run
        ended = await self._ended(run)
        if ended is None:
            return run
        await self.journal.log.end(run.id, *ended)
        return await self.journal.log.get(run.id) or run

    async def _ended(self, run: LoggedRun) -> tuple[RunStatus, str | None, str | None] | None:
        background = self._orchestrator.background
        task = None if background is None else await background.backend.get(run.id)
        if task is not None:
            if not task.finished:
                return None
            return (_OVER[task.status], *_error(task.envelope))
        row = await self._orchestrator.store.find(run.session_id, run.call_key)
        if row is None or row.state == "running":
            return None
        envelope = orjson.loads(row.envelope) if row.envelope else None
        if envelope is not None and envelope["ok"]:
            return None  # the log is about to have it
        return ("failed", *_error(envelope))

    async def stop(self, run: LoggedRun) -> None:
        """Ask a run to stop: a workflow or an agent at once, a macro before its next step. One that
        waits for an approval does not wait any more."""
        if run.status == "waiting":
            await self.journal.log.end(run.id, "stopped")
            return
        await self.journal.log.ask_to_stop(run.id)
        background = self._orchestrator.background
        if background is not None and await background.backend.get(run.id) is not None:
            await background.backend.cancel(run.id)

    # -- going on ------------------------------------------------------------------------------

    async def resume(
        self, sessions: HttpSessions, run: LoggedRun, step: str | None, key: str | None
    ) -> tuple[str, list[str], list[str]]:
        """Go on with a run as a new one, after its finished steps or from `step` on. Return the id
        of the new run, the steps that it takes over, and warnings."""
        events = await self.journal.log.events(run.id)
        planned = [each["step"] for each in planned_steps(events)]
        finished = await self.journal.load(run.key)
        warnings: list[str] = []
        if step is not None:
            if step not in planned:
                known = ", ".join(planned)
                raise ProblemError(422, f"The run has no step `{step}`. Its steps are: {known}.")
            kept = planned[: planned.index(step)]
            missing = [each for each in kept if each not in finished]
            if missing:
                raise ProblemError(
                    409,
                    f"The step `{missing[0]}` has no result, so nothing after it can be the first. "
                    "Resume there, or earlier. Results are kept for a week.",
                )
            finished = {
                name: outcome
                for name, outcome in finished.items()
                if name.partition("/")[0] in kept
            }
        else:
            warnings = await self._settle(run, events, finished)
        mode: Mode = "voice" if run.mode == "voice" else "text"
        part = ":".join(each for each in (RESUME, run.id, step, key) if each)
        new = outside_key(sessions.shared_id(mode), f"client:{part}")
        for name, outcome in finished.items():
            await self.journal.save(new, name, {**outcome, "from": run.id})
        made = await self.start(sessions, run.kind, run.name, run.input, part, mode)
        if run.status == "waiting":
            await self.journal.log.end(run.id, "stopped")
        return made, [each for each in planned if each in finished], warnings

    async def _settle(
        self, run: LoggedRun, events: Sequence[RunEvent], finished: dict[str, dict[str, Any]]
    ) -> list[str]:
        """Find out what became of the step at which the run ended: a write that was approved or
        done since is not repeated. Adds it to `finished`."""
        last = next((each for each in reversed(events) if each.event == "step_started"), None)
        if last is None or last.step in finished:
            return []
        number = (last.details or {}).get("number") or 0
        row = await self._orchestrator.store.find(run.session_id, nested_key(run.call_key, number))
        envelope = orjson.loads(row.envelope) if row is not None and row.envelope else None
        if envelope is None:
            return []
        if envelope["ok"]:
            finished[last.step] = {"status": "done", "result": envelope["data"]}
        elif envelope["error"].get("partialSideEffects"):
            return [
                f"The step {title_of_step(events, last.step)!r} had begun when the run ended, and "
                "may have happened in part. It is run again."
            ]
        return []


def planned_steps(events: Sequence[RunEvent]) -> list[dict[str, str]]:
    """Return the steps that a run has: `step`, `title` and `tool` of each."""
    begun = [each for each in events if each.event == "run_started"]
    return list((begun[-1].details or {})["steps"]) if begun else []


def title_of_step(events: Sequence[RunEvent], step: str) -> str:
    known = {each["step"]: each["title"] for each in planned_steps(events)}
    return known.get(step.partition("/")[0], step)


def refused(envelope: Envelope) -> ProblemError:
    """The problem of a call that was not taken."""
    error = envelope["error"]
    members = {name: error[name] for name in ("errors", "nearest") if name in error}
    return ProblemError(
        STATUS[ErrorType(error["type"])], error["message"], error_type=error["type"], **members
    )


def _error(envelope: Envelope | None) -> tuple[str | None, str | None]:
    if envelope is None:
        return CUT_SHORT, ErrorType.OUTCOME_UNKNOWN.value
    if envelope["ok"]:
        return None, None
    return envelope["error"]["message"], str(envelope["error"]["type"])
