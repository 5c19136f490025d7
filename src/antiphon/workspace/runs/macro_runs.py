"""Macro runs: the result that comes of a macro's steps, and dry runs that say what one would do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from antiphon.workspace.runs.engine import Outcome, RunCaller, RunEngine, RunRecord
from antiphon.workspace.runs.journal import RunJournal
from antiphon.workspace.runs.macro_checks import argument_problems
from antiphon.workspace.runs.macro_steps import FindMacro, Macro, compile_steps
from antiphon.workspace.runs.pipes import NothingToPipeError, with_placeholders
from antiphon.workspace.runs.steps import Step, Tools

# Of one call: `outcome` (run, confirm or refuse), the `rule` that says so, and a `message`.
Verdicts = Callable[[str, dict[str, Any]], dict[str, Any]]


class MacroRun:
    """One run of a macro. `find` gives the macros that steps run, by their id."""

    def __init__(
        self, caller: RunCaller, journal: RunJournal, tools: Tools, find: FindMacro
    ) -> None:
        self._caller = caller
        self._journal = journal
        self._tools = tools
        self._find = find

    async def execute(self, macro: Macro) -> dict[str, Any]:
        """Run it and return `results`, one for each step that was tried, and what became of the
        macro: a `success` where none of them failed or waits."""
        tools = self._tools.tools
        engine = RunEngine(
            self._caller,
            self._journal,
            self,
            parameters=lambda name: tools[name].definition.parameters,
            combine=self._combine,
        )
        record = await engine.run(compile_steps(macro, self._find))
        results = _results(record)
        failed = sum(not each["success"] for each in results)
        body: dict[str, Any] = {
            "macro_id": macro.id,
            "name": macro.name,
            "success": not failed,
            "results": results,
            "completed": len(results) - failed,
            "failed": failed,
            "step_count": len(macro.steps),
            "summary": _summary(macro, record, results),
        }
        waiting = _waiting(record)
        return body if waiting is None else {**body, "waiting": waiting}

    # -- words of the engine -------------------------------------------------------------------

    def step_begins(self, step: Step, place: int, record: RunRecord) -> None:
        results = _results(record)
        self._caller.progress(
            f"Step {place} of {len(record.steps)}: {step.tool}",
            (place - 1) / len(record.steps),
            macro_id=step.owner,
            step=place,
            function=step.tool,
            # Whoever watches sees what came of each step before the next begins.
            last=results[-1] if results else None,
        )

    def nothing_to_pipe(self, error: NothingToPipeError) -> str:
        return f"Nothing was called: {error}."

    def _combine(self, step: Step, inner: RunRecord) -> Outcome:
        """Return the outcome of another macro in the place of a step."""
        other = self._find(step.inner[0].owner)
        assert other is not None  # checked before the run
        results = _results(inner)
        result = {"macro_id": other.id, "name": other.name, "results": results}
        first = next((each for each in results if not each["success"]), None)
        if first is None:
            return {"status": "done", "result": result}
        outcome = {
            "status": "failed",
            "error": f"{other.name}, step {first['step']} ({first['function']}): {first['error']}",
            "type": first["error_type"],
            "result": result,
        }
        waiting = _waiting(inner)
        return outcome if waiting is None else {**outcome, "status": "waiting", "inside": waiting}


def _results(record: RunRecord) -> list[dict[str, Any]]:
    """Return what came of each step that was tried, as results tell it."""
    results = []
    for place, step in enumerate(record.steps, 1):
        outcome = record.outcomes.get(step.id)
        if outcome is None:
            break
        result = {"step": place, "function": step.tool, "success": outcome["status"] == "done"}
        if not result["success"]:
            result |= {"error": outcome["error"], "error_type": outcome["type"]}
        kept = ("result", "errors", "tries")
        results.append({**result, **{name: outcome[name] for name in kept if name in outcome}})
    return results


def _waiting(record: RunRecord) -> dict[str, Any] | None:
    """Return the step that a person has to approve, in this macro or inside of one that it runs."""
    step = record.ended_at
    outcome = {} if step is None else record.outcomes[step.id]
    if step is None or outcome["status"] != "waiting":
        return None
    waiting = {"step": int(step.id), "function": step.tool}
    for name in ("confirmation_request", "inside"):
        if name in outcome:
            waiting[name] = outcome[name]
    return waiting


def _summary(macro: Macro, record: RunRecord, results: list[dict[str, Any]]) -> str:
    """Return what became of a macro in words that can be spoken."""
    count = len(macro.steps)
    waiting = _waiting(record)
    if waiting is not None:
        return (
            f"{macro.name} waits at step {waiting['step']} of {count}: "
            f"{waiting['function']} needs the user's approval. Later steps were not run."
        )
    failed = [each for each in results if not each["success"]]
    if not failed:
        return f"{macro.name} is done: {count} step{'' if count == 1 else 's'}."
    first = failed[0]
    where = f"step {first['step']} of {count} ({first['function']})"
    if len(results) < count:
        return f"{macro.name} stopped at {where}: {first['error']}"
    if len(failed) == 1:
        return f"{macro.name} is through, but {where} failed: {first['error']}"
    several = f"{len(failed)} steps failed, the first at {where}: {first['error']}"
    return f"{macro.name} is through, but {several}"


def dry_run(steps: Sequence[Step], tools: Tools, verdicts: Verdicts) -> list[dict[str, Any]]:
    """Return what each step would do. Values that are piped in are named, not known."""
    planned = []
    for place, step in enumerate(steps, 1):
        body: dict[str, Any] = {"step": place, "function": step.tool}
        if step.inner:
            inner = dry_run(step.inner, tools, verdicts)
            stops = next((each for each in inner if each["outcome"] != "run"), None)
            body |= {"args": step.args, "steps": inner, "outcome": "run", "rule": "run"}
            if stops is not None:
                body |= {key: stops[key] for key in ("outcome", "rule", "message")}
            planned.append(body)
            continue
        tool = tools.tools[step.tool]
        args = with_placeholders(step.args, step.pipes, tool.definition.parameters)
        said = verdicts(step.tool, step.args)
        unknown = step.pipes and said["rule"] == "arguments"
        if unknown and not argument_problems(tool, step.args, step.pipes, ""):
            # What is missing comes from an earlier step; what comes after that gate still holds.
            asks = tool.definition.requires_confirmation
            said = {"outcome": "confirm", "rule": "confirmation"} if asks else {"outcome": "run"}
        planned.append({**body, "args": args, "rule": "run", "message": None, **said})
    return planned
