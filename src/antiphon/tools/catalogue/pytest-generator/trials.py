"""Trials of the calls: two sandboxed runs, of which only equal outcomes are kept."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from antiphon import ErrorType, ToolError
from antiphon.toolkit import invalid

from .sandbox_run import outcomes
from .targets import CallCase, CallTarget

ALL_SECONDS = 20.0
SILENT_SECONDS = 8.0  # to import large libraries takes its time


def try_out(code: str, targets: list[CallTarget], context: Any) -> None:
    """Fill in the outcomes of all calls, and the reason where there is none."""
    until = time.monotonic() + ALL_SECONDS
    with ThreadPoolExecutor(2) as threads:
        tried = [
            threads.submit(_run_targets, code, targets, context, until, fresh=each)
            for each in (True, False)
        ]
    fresh, going = (each.result() for each in tried)
    for number, target in enumerate(targets):
        if target.reason:
            continue
        _merge_outcomes(target, fresh[number], going[number])


def _run_targets(
    code: str, targets: list[CallTarget], context: Any, until: float, *, fresh: bool
) -> list[dict[str, Any]]:
    """Run the targets in one process after another; each goes on behind the target that its
    predecessor did not survive."""
    found: list[dict[str, Any]] = [{} for _ in targets]
    order = [number for number, target in enumerate(targets) if not target.reason]
    while order:
        left = until - time.monotonic()
        if left <= 0.2:
            for number in order:
                found[number] = {"reason": "there was no time left for it"}
            return found
        plans = [_plan(targets[number]) for number in order]
        at = -1
        try:
            for said in context.confined(
                outcomes, code, plans, fresh, seconds=min(left, SILENT_SECONDS), seed=1 + fresh
            ):
                if "stop" in said:
                    raise invalid("/code", f"{said['stop']}, so no test could import it.")
                at = said.get("begin", at)
                if "target" in said:
                    found[order[said["target"]]] = said
        except ToolError as error:
            if "reason" not in error.body or error.type == ErrorType.UNAVAILABLE:
                raise
            reason = error.body["reason"]
            if at < 0:
                raise invalid("/code", _import_words(reason, error.message)) from None
            found[order[at]] = {"reason": _reason_words(reason)}
        else:
            return found
        order = order[at + 1 :]
    return found


def _plan(target: CallTarget) -> dict[str, Any]:
    return {
        "call": target.call,
        "owner": target.owner,
        "bound": target.bound,
        "is_async": target.is_async,
        "is_property": target.is_property,
        "yields": target.yields,
        "tried": [(case.setup, case.arguments) for case in target.tried],
        "examples": target.examples,
    }


def _reason_words(reason: str) -> str:
    return {
        "timeout": "it does not end",
        "cpu": "it does not end",
        "memory": "it needs too much memory",
    }.get(reason, "it ends the process that runs it")


def _import_words(reason: str, message: str) -> str:
    if reason in ("timeout", "cpu"):
        return "does not end when it is imported, so no test could import it."
    return f"ends the process that imports it ({message.rstrip('.')})."


def _merge_outcomes(target: CallTarget, fresh: dict[str, Any], going: dict[str, Any]) -> None:
    target.files = bool(fresh.get("files") or going.get("files"))
    pairs = zip(target.tried, fresh.get("cases", ()), going.get("cases", ()), strict=False)
    differs = False
    for case, one, other in pairs:
        if one is None or other is None:
            continue
        if one != other and not _same_shape(one, other):
            differs = True
            continue
        _fill(case, one if one == other else {**one, "value": None, "shaped": one["shape"]})
        if one["cut"]:
            target.yields = "first"
    said = fresh.get("examples", ())
    target.examples = [
        example for example, wrong in zip(target.examples, said, strict=False) if not wrong
    ]
    target.reason = fresh.get("reason") or going.get("reason") or ""
    if differs and not target.reason:
        target.reason = "what it does depends on what was done before it"


def _same_shape(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return whether two outcomes that differ share at least a type and a length."""
    plain = not (one["error"] or other["error"] or one["after"] or other["after"])
    return bool(plain and one["shape"] and one["shape"] == other["shape"])


def _fill(case: CallCase, found: dict[str, Any]) -> None:
    case.value, case.error, case.after = found["value"], found["error"], found["after"]
    shape = found.get("shaped")
    case.shape = (str(shape[0]), shape[1]) if shape else None
    case.names, case.modules = set(found["names"]), set(found["modules"])
