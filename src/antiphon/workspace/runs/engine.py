"""Engine of runs: steps in their order, each call through the gates, each finished step journalled.

A run belongs to a call and is known by its key. When the same call comes again after a crash, steps
that are in the journal are taken from there; the others are called under the keys that they had, so
that the ledger answers for a write that had happened already.
"""

from __future__ import annotations

import asyncio
import copy
import logging
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from antiphon.contracts import Envelope, ErrorType, ToolError
from antiphon.orchestrator.audit import redacted
from antiphon.workspace.runs.journal import RunJournal
from antiphon.workspace.runs.log import RunEvent, is_logged, run_id
from antiphon.workspace.runs.paths import condition_holds
from antiphon.workspace.runs.pipes import NothingToPipeError, fill
from antiphon.workspace.runs.steps import Step

logger = logging.getLogger(__name__)

# The tool that runs another one: its arguments are those of that tool.
RUN_TOOL = "run_tool"
# Calls of a second and third try have numbers beyond those of all steps.
TRY_OFFSET = 100
PAUSE_SECONDS = 0.5
# Nobody waits longer than this for a function that says when to come back.
LONGEST_PAUSE = 10.0

# What came of a step: `status` (done, failed, waiting or left_out) and what goes with it: `result`;
# or `error`, `type`, `errors` and `tries`; or `confirmation_request`. `idle` marks a failure
# before anything was called.
Outcome = dict[str, Any]


class RunCaller(Protocol):
    """The context of the call that a run belongs to."""

    @property
    def idempotency_key(self) -> str: ...
    @property
    def session(self) -> Any: ...
    @property
    def workspace(self) -> Any: ...

    async def call_tool(
        self, tool_id: str, args: dict[str, Any], /, *, number: int
    ) -> Envelope: ...

    def progress(self, message: str, fraction: float | None = None, /, **data: Any) -> None: ...


@dataclass(slots=True)
class RunRecord:
    """The record of a run: its steps, the outcome of each that was tried, in their order, and the
    values that paths lead into."""

    steps: tuple[Step, ...]
    values: dict[str, Any] = field(default_factory=dict)
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    ended_at: Step | None = None  # a step that failed or waits, and after which nothing ran

    def take(self, step: Step, outcome: Outcome) -> None:
        """Take in the outcome of a step; the result of a step that is done can be piped from
        then on."""
        self.outcomes[step.id] = outcome
        if outcome["status"] == "done":
            self.values[step.id] = outcome["result"]


class RunReporter(Protocol):
    """The words in which macros differ from workflows and agents."""

    def step_begins(self, step: Step, place: int, record: RunRecord) -> None:
        """Tell the progress; `place` counts the steps from 1."""

    def nothing_to_pipe(self, error: NothingToPipeError) -> str:
        """Return the words about a step that was not called because a value is missing."""


class RunEngine:
    """The engine of one run. `parameters` gives the schema of a tool's arguments, `write` the
    result of a step that writes a text, and `combine` the outcome of one that has run other
    steps in its place."""

    def __init__(
        self,
        caller: RunCaller,
        journal: RunJournal,
        reporter: RunReporter,
        *,
        parameters: Callable[[str], Mapping[str, Any]] = lambda _: {},
        write: Callable[[Step, RunRecord], Awaitable[dict[str, Any]]] | None = None,
        combine: Callable[[Step, RunRecord], Outcome] | None = None,
    ) -> None:
        self._caller = caller
        self._journal = journal
        self._reporter = reporter
        self._parameters = parameters
        self._write = write
        self._combine = combine
        self._untold: list[RunEvent] = []

    async def run(
        self, steps: Sequence[Step], values: Mapping[str, Any] | None = None
    ) -> RunRecord:
        """Run the steps to their end, or to the first that fails or waits; `values` are known
        before the first. Raises ToolError where the journal cannot be read or written."""
        record = RunRecord(tuple(steps), dict(values or {}))
        finished = await self._journal.load(self._caller.idempotency_key)
        planned = [{"step": step.id, "title": step.title, "tool": step.tool} for step in steps]
        self._tell("run_started", "", steps=planned)
        try:
            await self._steps(record, finished, "")
        finally:
            await self._log_told()
        return record

    async def _steps(self, record: RunRecord, finished: dict[str, Outcome], prefix: str) -> None:
        for place, step in enumerate(record.steps, 1):
            self._reporter.step_begins(step, place, record)
            name = prefix + step.id
            outcome = finished.get(name)
            # A definition may have been changed between two attempts at a run.
            if outcome is None or outcome.get("tool", step.tool) != step.tool:
                outcome = await self._outcome(step, record, finished, prefix)
                self._tell("step_finished", name, **_told(outcome))
                failed = outcome["status"] == "failed" and not step.optional
                if failed or outcome["status"] == "waiting":
                    record.take(step, outcome)
                    record.ended_at = step
                    return
                await self._keep(name, {**outcome, "tool": step.tool})
            else:
                self._tell("step_reused", name, **_told(outcome))
            record.take(step, outcome)

    # -- the log -------------------------------------------------------------------------------

    def _tell(self, event: str, step: str, **details: Any) -> None:
        self._untold.append(RunEvent(self._journal.log.now(), event, step, details))

    async def _log_told(self) -> bool:
        """Write down what was told since; return whether the run is to stop. What the log does not
        take is missing there, and the run goes on."""
        told, self._untold = self._untold, []
        key = self._caller.idempotency_key
        if not is_logged(key):
            return False
        try:
            return await self._journal.log.add(run_id(key), told)
        except ToolError as error:
            logger.error("the log of a run has a gap: %s", error.message)
            return False

    async def _begin(self, name: str, step: Step, args: dict[str, Any]) -> None:
        """Tell that a step begins. Raises CANCELLED where somebody has asked the run to stop."""
        shown = self._shown(step.tool, args)
        self._tell("step_started", name, tool=step.tool, number=step.number, args=shown)
        if await self._log_told():
            self._tell("step_finished", name, status="stopped")
            raise ToolError(ErrorType.CANCELLED, f"It was stopped before {step.title!r}.")

    def _shown(self, tool: str, args: dict[str, Any]) -> dict[str, Any]:
        """Return arguments without what is to be kept secret, as the audit has them."""
        session = self._caller.session
        inner = args.get("tool_id") if tool == RUN_TOOL else None
        entry = session.tool(inner if isinstance(inner, str) else tool) or {}
        hidden = tuple(entry.get("redact", ()))
        if isinstance(inner, str):
            hidden = tuple(f"/params{each}" for each in hidden)
        shown: dict[str, Any] = redacted(copy.deepcopy(args), hidden) if hidden else args
        return shown

    # -- one step ------------------------------------------------------------------------------

    async def _keep(self, name: str, outcome: Outcome) -> None:
        try:
            await self._journal.save(self._caller.idempotency_key, name, outcome)
        except ToolError as error:
            # The step has run: whoever tries again must do it under the same key.
            raise ToolError(
                error.type, error.message, partial_side_effects=True, idempotency_required=True
            ) from error

    async def _outcome(
        self, step: Step, record: RunRecord, finished: dict[str, Outcome], prefix: str
    ) -> Outcome:
        if step.when and not condition_holds(record.values, step.when):
            return {"status": "left_out"}
        name = prefix + step.id
        if step.inner:
            await self._begin(name, step, step.args)
            assert self._combine is not None
            inner = RunRecord(step.inner)
            await self._steps(inner, finished, f"{prefix}{step.id}/")
            return self._combine(step, inner)
        if not step.tool:
            assert self._write is not None
            await self._begin(name, step, {})
            return {"status": "done", "result": await self._write(step, record)}
        try:
            args = fill(step.args, step.pipes, record.values, self._parameters(step.tool))
        except NothingToPipeError as error:
            kind = ErrorType.VALIDATION.value
            words = self._reporter.nothing_to_pipe(error)
            return {"status": "failed", "error": words, "type": kind, "idle": True}
        await self._begin(name, step, args)
        return await self._call(name, step, args)

    async def _call(self, name: str, step: Step, args: dict[str, Any]) -> Outcome:
        attempt = 1
        while True:
            number = step.number + TRY_OFFSET * (attempt - 1)
            envelope = await self._caller.call_tool(step.tool, args, number=number)
            if envelope["ok"]:
                return {"status": "done", "result": envelope["data"]}
            error = envelope["error"]
            pause = _pause(error, attempt) if attempt < step.tries else None
            if pause is None:
                break
            self._tell("step_retried", name, error=error["message"], attempt=attempt)
            await asyncio.sleep(pause)
            attempt += 1
        outcome = {"status": "failed", "error": error["message"], "type": str(error["type"])}
        if error.get("errors"):
            outcome["errors"] = error["errors"]
        if attempt > 1:
            outcome["tries"] = attempt
        if error["type"] == ErrorType.CONFIRMATION_REQUIRED:
            outcome["status"] = "waiting"
            outcome["confirmation_request"] = error["confirmation_request"]
        return outcome


def _told(outcome: Outcome) -> dict[str, Any]:
    """Return what the log says of an outcome; results are in the journal."""
    request = outcome.get("confirmation_request")
    more = {"confirmation_id": request["id"]} if request else {}
    kept = ("status", "error", "type", "tries")
    return {**{name: outcome[name] for name in kept if name in outcome}, **more}


def _pause(error: dict[str, Any], attempt: int) -> float | None:
    """Return how long to wait before another try; None where another try is of no use, or could do
    a thing twice."""
    if error["partialSideEffects"]:
        return None
    after = error.get("retryAfter")
    if isinstance(after, int | float):
        return float(after) if after <= LONGEST_PAUSE else None
    if not error["retryable"]:
        return None
    return PAUSE_SECONDS * 2.0 ** (attempt - 1) * random.uniform(0.8, 1.2)  # noqa: S311 - jitter
