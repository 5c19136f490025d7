"""Pipes: values of earlier steps that become arguments of a later one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from antiphon.workspace.runs.paths import PathError, look_up, put_at, split_path
from antiphon.workspace.runs.steps import Pipe

# What a result may be called, and the parameter that takes the first of it.
USUAL = (("databases", "database_id"), ("tools", "tool_id"))
REST = ("result", "_piped_input")


class NothingToPipeError(Exception):
    """A pipe brings nothing. The words say what its source lacks, as macros tell it."""

    def __init__(self, pipe: Pipe, message: str) -> None:
        super().__init__(message)
        self.pipe = pipe


def usual_targets(args: Mapping[str, Any], parameters: Mapping[str, Any]) -> list[str]:
    """Return the parameters that a pipe without `to` may fill."""
    known = parameters.get("properties", {})
    names = (*(name for _, name in USUAL), REST[1])
    return [name for name in names if name in known and name not in args]


def fill(
    args: Mapping[str, Any],
    pipes: Sequence[Pipe],
    values: Mapping[str, Any],
    parameters: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the arguments with what the pipes bring of `values`, which has the results by step.
    `parameters` is the schema of the tool. Raises NothingToPipeError."""
    filled = dict(args)
    for pipe in pipes:
        if pipe.source not in values:
            raise NothingToPipeError(pipe, f"step {pipe.source} did not succeed")
        filled = _piped(filled, pipe, values[pipe.source], parameters)
    return filled


def _piped(
    args: dict[str, Any], pipe: Pipe, result: Any, parameters: Mapping[str, Any]
) -> dict[str, Any]:
    if pipe.to is not None:
        value = _value(pipe, result, pipe.path)
        try:
            return put_at(args, split_path(pipe.to), value)
        except PathError as error:
            raise NothingToPipeError(pipe, str(error)) from None
    targets = usual_targets(args, parameters)
    for name, target in USUAL:
        if target in targets and isinstance(result, dict) and name in result:
            first = _value(pipe, result, f"{name}/0")
            return {**args, target: first.get("id") if isinstance(first, dict) else first}
    if REST[1] in targets:
        value = result.get(REST[0], result) if isinstance(result, dict) else result
        return {**args, REST[1]: value}
    named = " or ".join(f"`{name}`" for name, target in USUAL if target in targets)
    words = f"step {pipe.source} gave no {named or 'value that belongs here'}"
    raise NothingToPipeError(pipe, words)


def _value(pipe: Pipe, result: Any, path: str) -> Any:
    try:
        return look_up(result, path)
    except PathError as error:
        words = f"step {pipe.source} gave no `{path}`: {error}"
        raise NothingToPipeError(pipe, words) from None


def with_placeholders(
    args: Mapping[str, Any], pipes: Sequence[Pipe], parameters: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the arguments with a word about each value where its pipe will put it."""
    shown = dict(args)
    for pipe in pipes:
        if pipe.to is not None:
            shown = put_at(shown, split_path(pipe.to), pipe.placeholder)
        else:
            shown |= dict.fromkeys(usual_targets(shown, parameters)[:1], pipe.placeholder)
    return shown
