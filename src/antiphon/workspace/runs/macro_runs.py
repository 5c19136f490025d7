"""Macro runs: execution step by step, and dry runs."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from antiphon.contracts import Envelope, ErrorType
from antiphon.workspace.runs.macro_steps import (
    RUN_MACRO,
    Find,
    Macro,
    SavedStep,
    Tools,
    argument_problems,
)
from antiphon.workspace.runs.pipes import NothingToPipe, piped, shown

# How often a step is tried in all where the policy is to retry, and the first pause before that.
TRIES = 3
PAUSE_SECONDS = 0.5
# Nobody waits longer than this for a function that says when to come back.
LONGEST_PAUSE = 10.0

# Of one call: `outcome` (run, confirm or refuse), the `rule` that says so, and a `message`.
Verdicts = Callable[[str, dict[str, Any]], dict[str, Any]]


class MacroSession(Protocol):
    @property
    def user(self) -> str: ...

    def may_call(self, tool_id: str, /) -> bool: ...


class MacroCaller(Protocol):
    """Who runs it: the context of a call."""

    @property
    def session(self) -> MacroSession: ...

    async def call_tool(self, tool_id: str, args: dict[str, Any], /) -> Envelope: ...

    def progress(self, message: str, fraction: float | None = None, /, **data: Any) -> None: ...


@dataclass(slots=True)
class _Done:
    """What came of the steps of one macro."""

    results: list[dict[str, Any]] = field(default_factory=list)
    waiting: dict[str, Any] | None = None  # a step that a person has to approve
    stopped: bool = False

    @property
    def failed(self) -> int:
        return sum(not each["success"] for each in self.results)


class MacroRun:
    """One run. `find` gives the macros that steps run, by their id."""

    def __init__(self, caller: MacroCaller, tools: Tools, find: Find) -> None:
        self._caller = caller
        self._tools = tools
        self._find = find

    async def whole(self, macro: Macro) -> dict[str, Any]:
        """`results`, one for each step that was tried, and what became of the macro: a `success`
        where none of them failed or waits."""
        done = await self._steps(macro)
        body: dict[str, Any] = {
            "macro_id": macro.id,
            "name": macro.name,
            "success": not done.failed,
            "results": done.results,
            "completed": len(done.results) - done.failed,
            "failed": done.failed,
            "step_count": len(macro.steps),
            "summary": _summary(macro, done),
        }
        if done.waiting is not None:
            body["waiting"] = done.waiting
        return body

    async def _steps(self, macro: Macro) -> _Done:
        done = _Done()
        given: dict[int, Any] = {}  # what each step that succeeded gave, by its number
        count = len(macro.steps)
        for number, step in enumerate(macro.steps, 1):
            self._caller.progress(
                f"Step {number} of {count}: {step.function}",
                (number - 1) / count,
                macro_id=macro.id,
                step=number,
                function=step.function,
                # Whoever watches sees what came of each step before the next begins.
                last=done.results[-1] if done.results else None,
            )
            result = {"step": number, "function": step.function}
            try:
                args = self._args(step, number, given)
            except NothingToPipe as nothing:
                words = f"Nothing was called: {nothing}."
                failed = {"error": words, "error_type": ErrorType.VALIDATION.value}
                done.results.append({**result, "success": False, **failed})
            else:
                outcome, waiting = await self._try(step, args, macro)
                done.results.append({**result, **outcome})
                if outcome["success"]:
                    given[number] = outcome["result"]
                if waiting is not None:
                    done.waiting = {"step": number, "function": step.function, **waiting}
                    break
            if not done.results[-1]["success"] and macro.error_policy != "skip":
                done.stopped = number < count
                break
        return done

    def _args(self, step: SavedStep, number: int, given: dict[int, Any]) -> dict[str, Any]:
        args = dict(step.args)
        parameters = self._tools.tools[step.function].definition.parameters
        for pipe in step.pipes(number):
            if pipe.step not in given:
                raise NothingToPipe(f"step {pipe.step} did not succeed")
            args = piped(args, pipe, given[pipe.step], parameters)
        return args

    async def _try(
        self, step: SavedStep, args: dict[str, Any], macro: Macro
    ) -> tuple[dict[str, Any], dict[str, Any] | None]:
        """What came of a step, and what is waiting for a person."""
        if step.function == RUN_MACRO:
            return await self._other(args)
        tries = TRIES if macro.error_policy == "retry" else 1
        for attempt in range(1, tries + 1):
            envelope = await self._caller.call_tool(step.function, args)
            if envelope["ok"]:
                return {"success": True, "result": envelope["data"]}, None
            error = envelope["error"]
            pause = _pause(error, attempt) if attempt < tries else None
            if pause is None:
                break
            await asyncio.sleep(pause)
        failed = {"success": False, "error": error["message"], "error_type": str(error["type"])}
        if error.get("errors"):
            failed["errors"] = error["errors"]
        if attempt > 1:
            failed["tries"] = attempt
        if error["type"] != ErrorType.CONFIRMATION_REQUIRED:
            return failed, None
        return failed, {"confirmation_request": error["confirmation_request"]}

    async def _other(self, args: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any] | None]:
        """The steps of another macro in the place of this one: each passes the gates by itself."""
        other = self._find(args["macro_id"])
        assert other is not None  # checked before the run
        done = await self._steps(other)
        result = {"macro_id": other.id, "name": other.name, "results": done.results}
        waiting = None if done.waiting is None else {"inside": done.waiting}
        if not done.failed:
            return {"success": True, "result": result}, None
        first = next(each for each in done.results if not each["success"])
        failed = {
            "success": False,
            "error": f"{other.name}, step {first['step']} ({first['function']}): {first['error']}",
            "error_type": first["error_type"],
            "result": result,
        }
        return failed, waiting


def _pause(error: dict[str, Any], attempt: int) -> float | None:
    """How long to wait before another try; None where another try is of no use, or could do a
    thing twice."""
    if error["partialSideEffects"]:
        return None
    after = error.get("retryAfter")
    if isinstance(after, int | float):
        return float(after) if after <= LONGEST_PAUSE else None
    if not error["retryable"]:
        return None
    return PAUSE_SECONDS * 2.0 ** (attempt - 1) * random.uniform(0.8, 1.2)  # noqa: S311 - jitter


def _summary(macro: Macro, done: _Done) -> str:
    """In words that can be spoken."""
    count = len(macro.steps)
    if done.waiting is not None:
        return (
            f"{macro.name} waits at step {done.waiting['step']} of {count}: "
            f"{done.waiting['function']} needs the user's approval. Later steps were not run."
        )
    if not done.failed:
        return f"{macro.name} is done: {count} step{'' if count == 1 else 's'}."
    first = next(each for each in done.results if not each["success"])
    where = f"step {first['step']} of {count} ({first['function']})"
    if done.stopped:
        return f"{macro.name} stopped at {where}: {first['error']}"
    if done.failed == 1:
        return f"{macro.name} is through, but {where} failed: {first['error']}"
    several = f"{done.failed} steps failed, the first at {where}: {first['error']}"
    return f"{macro.name} is through, but {several}"


def plan(macro: Macro, tools: Tools, find: Find, verdicts: Verdicts) -> list[dict[str, Any]]:
    """What each step would do. Values that are piped in are named, not known."""
    planned = []
    for number, step in enumerate(macro.steps, 1):
        tool = tools.tools[step.function]
        body: dict[str, Any] = {"step": number, "function": step.function}
        if step.function == RUN_MACRO:
            other = find(step.args["macro_id"])
            assert other is not None  # checked before
            inner = plan(other, tools, find, verdicts)
            stops = next((each for each in inner if each["outcome"] != "run"), None)
            body |= {"args": step.args, "steps": inner, "outcome": "run", "rule": "run"}
            if stops is not None:
                body |= {key: stops[key] for key in ("outcome", "rule", "message")}
            planned.append(body)
            continue
        args = step.args
        pipes = step.pipes(number)
        for pipe in pipes:
            args = shown(args, pipe, tool.definition.parameters)
        said = verdicts(step.function, step.args)
        unknown = pipes and said["rule"] == "arguments"
        if unknown and not argument_problems(tool, step.args, pipes, ""):
            # What is missing comes from an earlier step; what comes after that gate still holds.
            asks = tool.definition.requires_confirmation
            said = {"outcome": "confirm", "rule": "confirmation"} if asks else {"outcome": "run"}
        planned.append({**body, "args": args, "rule": "run", "message": None, **said})
    return planned
