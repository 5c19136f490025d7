"""Documents of runs: what the log, the journal and the audit have of one, put together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from antiphon.contracts import ErrorType
from antiphon.orchestrator import Orchestrator
from antiphon.orchestrator.call_frame import nested_key
from antiphon.server.automation_runs import planned_steps
from antiphon.server.routes.rules import Passage, passages
from antiphon.server.schemas.runs import (
    AutomationRun,
    AutomationRunDocument,
    RunEventDocument,
    RunStepDocument,
)
from antiphon.workspace.runs.journal import RunJournal
from antiphon.workspace.runs.log import UNDER_WAY, LoggedRun, RunEvent

MOST_LINES = 1000


def run_summary(run: LoggedRun) -> AutomationRun:
    """A run as lists have it."""
    return AutomationRun(
        id=run.id,
        kind=run.kind,
        name=run.name,
        title=run.title,
        input=run.input,
        status=run.status,
        error=run.error,
        created_at=run.created_at,
        finished_at=run.finished_at,
        resumed_from=run.resumed_from,
        schedule_id=run.schedule_id,
    )


def can_resume(run: LoggedRun) -> bool:
    """Whether a run ended before its end. A workflow that was told nothing it can work on would be
    refused again; a macro may have been changed."""
    if run.status not in ("failed", "stopped", "waiting"):
        return False
    return run.kind == "macro" or run.error_type != ErrorType.VALIDATION


async def run_document(
    orchestrator: Orchestrator, journal: RunJournal, run: LoggedRun, *, details: bool
) -> AutomationRunDocument:
    """A run with its steps and events; with `details` also what each step was given, what it gave
    and which gates it passed."""
    events = await journal.log.events(run.id)
    steps = _steps(run, events)
    if details:
        finished = await journal.load(run.key)
        ways = await _gates(orchestrator, run, events)
        for each in steps:
            each.result = finished.get(each.step, {}).get("result")
            each.args = _args(events, each.step)
            each.gates = ways.get(each.step, [])
    outcome = run.outcome
    return AutomationRunDocument(
        **run_summary(run).model_dump(),
        session_id=run.session_id,
        attempts=run.attempts,
        stop_requested=run.stop_requested,
        steps=steps,
        events=[
            RunEventDocument(
                at=each.at, event=each.event, step=each.step, details=each.details or {}
            )
            for each in events
        ],
        text=outcome.get("text"),
        by=outcome.get("by"),
        note=outcome.get("note"),
        evidence=outcome.get("evidence") or [],
        error_type=run.error_type,
        waiting=outcome.get("waiting"),
        can_resume=can_resume(run),
    )


def _steps(run: LoggedRun, events: Sequence[RunEvent]) -> list[RunStepDocument]:
    """The steps in their order, each as the events leave it."""
    steps = {
        each["step"]: RunStepDocument(
            step=each["step"], title=each["title"], tool=each["tool"] or None, status="pending"
        )
        for each in planned_steps(events)
    }
    since: dict[str, float] = {}
    for event in events:
        step, details = steps.get(event.step), event.details or {}
        if step is None:
            continue
        if event.event == "step_started":
            step.status, step.error, since[event.step] = "running", None, event.at
        elif event.event == "step_retried":
            step.tries = details["attempt"] + 1
        elif event.event == "step_finished":
            _finish(step, details)
            if event.step in since:
                step.seconds = max(0.0, round(event.at - since[event.step], 3))
        elif event.event == "step_reused" and step.status in ("pending", "running"):
            _finish(step, details)
            step.reused = True
    if run.status not in UNDER_WAY:
        for step in steps.values():
            if step.status == "running":
                step.status = "stopped"
    return list(steps.values())


def _finish(step: RunStepDocument, details: dict[str, Any]) -> None:
    step.status = details["status"]
    step.error = details.get("error")
    step.tries = details.get("tries", step.tries)


def _args(events: Sequence[RunEvent], step: str) -> dict[str, Any] | None:
    begun = [each for each in events if each.event == "step_started" and each.step == step]
    return (begun[-1].details or {}).get("args") if begun else None


async def _gates(
    orchestrator: Orchestrator, run: LoggedRun, events: Sequence[RunEvent]
) -> dict[str, list[Passage]]:
    """The way of each step's call through the gates, from the audit."""
    keys = {
        nested_key(run.call_key, number): each.step
        for each in events
        if each.event == "step_started" and (number := (each.details or {}).get("number"))
    }
    if not keys:
        return {}
    await orchestrator.store.flush()
    lines = await orchestrator.store.audit_lines(
        session_id=run.session_id,
        since=run.created_at - 1,
        until=None if run.finished_at is None else run.finished_at + 1,
        limit=MOST_LINES,
    )
    tools = orchestrator.registry_snapshot().tools
    found: dict[str, list[Passage]] = {}
    for line in lines:
        step = keys.get(str(line.data.get("idempotencyKey")))
        if step is not None:
            tool = tools.get(line.data.get("toolId") or "")
            way = passages(line.data, tool.definition if tool else None, orchestrator.rules)
            if way:
                found[step] = way
    return found
