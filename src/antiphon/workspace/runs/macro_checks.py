"""Macro checks: what keeps the steps of a macro from being run, each thing with its pointer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from antiphon.workspace.errors import field_error
from antiphon.workspace.runs.macro_steps import (
    MAX_STEPS,
    RUN_MACRO,
    FindMacro,
    Macro,
    SavedStep,
    read_pipes,
)
from antiphon.workspace.runs.paths import split_path
from antiphon.workspace.runs.pipes import usual_targets
from antiphon.workspace.runs.steps import Pipe, Tools


def macro_problems(
    macro: Macro,
    tools: Tools,
    find: FindMacro,
    may_call: Callable[[str], bool],
    numbers: Sequence[int] = (),
) -> list[dict[str, str]]:
    """Return what keeps a macro from being run, each thing with its pointer.

    `find` gives the other macros that its steps may run, by their id or phrase; `may_call` says
    which functions are allowed; `numbers` are those of its steps where others between them could
    not be read.
    """
    checks = _Checks(tools, find, may_call)
    found = checks.steps(macro, (), numbers)
    count = 0 if found else checks.calls(macro)
    if count > MAX_STEPS:
        words = f"makes {count} calls with those of the macros in it"
        found = [field_error("/steps", words, f"at most {MAX_STEPS}")]
    return found


class _Checks:
    def __init__(self, tools: Tools, find: FindMacro, may_call: Callable[[str], bool]) -> None:
        self._tools = tools
        self._find = find
        self._may_call = may_call

    def steps(
        self, macro: Macro, outside: tuple[Macro, ...], numbers: Sequence[int] = ()
    ) -> list[dict[str, str]]:
        """Return what is wrong with the steps of a macro; `outside` are the macros that run it,
        the outermost first."""
        counted = numbers or range(1, len(macro.steps) + 1)
        return [
            error
            for number, step in zip(counted, macro.steps, strict=True)
            for error in self._step(step, number, (*outside, macro))
        ]

    def _step(
        self, step: SavedStep, number: int, inside: tuple[Macro, ...]
    ) -> list[dict[str, str]]:
        at = f"/steps/{number - 1}"
        name = step.function
        tool = self._tools.tools.get(name)
        if tool is None:
            near = self._tools.nearest(name)
            hint = f"; did you mean {' or '.join(near)}?" if near else ""
            words = f"{name[:60]!r} is no function{hint}"
            return [field_error(f"{at}/function", words, "the name of a function")]
        if not self._may_call(name):
            words = f"{name} may not be called in this conversation"
            return [field_error(f"{at}/function", words, "a function that it may call")]
        pipes, bad = read_pipes(step.pipe_from, number, "")
        errors = argument_problems(tool, step.args, pipes, at, rest_piped=bool(bad))
        if name != RUN_MACRO or errors:
            return errors
        if pipes:
            # Which one it is must be known beforehand, or it could be this one.
            words = "the macro to run cannot be piped in"
            return [field_error(f"{at}/pipe_from", words, "no pipe")]
        return self._other(step.args["macro_id"], inside, f"{at}/args/macro_id")

    def _other(self, wanted: str, inside: tuple[Macro, ...], at: str) -> list[dict[str, str]]:
        """Return what is wrong with the macro that a step runs."""
        other = self._find(wanted)
        if other is None:
            return [field_error(at, f"{wanted[:60]!r} is no macro", "an id or trigger phrase")]
        ids = [macro.id for macro in inside]
        if other.id in ids:
            circle = [macro.name for macro in inside[ids.index(other.id) :]] + [other.name]
            words = f"the macro would run itself: {' → '.join(circle)}"
            return [field_error(at, words, "another macro")]
        found = self.steps(other, inside)
        if not found:
            return []
        words = found[0]["message"]
        if not words.startswith("the macro"):
            words = f"the macro {other.name!r} cannot run: {words}"
        return [field_error(at, words, "one that can")]

    def calls(self, macro: Macro) -> int:
        """Return how many calls a macro makes, with those of the macros in it. They run in no
        circle."""
        count = 0
        for step in macro.steps:
            other = self._find(step.args["macro_id"]) if step.function == RUN_MACRO else None
            count += 1 if other is None else self.calls(other)
        return count


def argument_problems(
    tool: Any,
    args: Mapping[str, Any],
    pipes: Sequence[Pipe],
    at: str,
    *,
    rest_piped: bool = False,
) -> list[dict[str, str]]:
    """Return what the function's schema says against the arguments, but for those that are piped
    in. With `rest_piped` nobody knows yet what else is: then it is only about those that are
    given."""
    parameters = tool.definition.parameters
    known = parameters.get("properties", {})
    errors: list[dict[str, str]] = []
    targets: list[list[str]] = []
    for pipe in pipes:
        if pipe.to is None:
            usual = usual_targets(args, parameters)
            if not usual:
                words = f"{tool.definition.tool_id} has no parameter for it that is not given"
                errors.append(field_error(f"{at}/pipe_from", words, 'a pipe with "path" and "to"'))
            targets += [[name] for name in usual]
            continue
        target = split_path(pipe.to)
        if not target or target[0] not in known:
            words = f"{tool.definition.tool_id} has no parameter {pipe.to[:60]!r}"
            expected = f"one of {', '.join(known)}" if known else "no pipe"
            errors.append(field_error(f"{at}/pipe_from/to", words, expected))
        targets.append(target)
    for error in tool.validator.argument_errors(dict(args)):
        if rest_piped and _at(args, _names(error.pointer)) is None:
            continue
        if not any(_unknown_yet(error.pointer, target, args) for target in targets):
            pointer = f"{at}/args{error.pointer}"
            errors.append(field_error(pointer, error.message, error.expected))
    return errors


def _unknown_yet(pointer: str, target: list[str], args: Mapping[str, Any]) -> bool:
    """Say whether an error may be gone once a value is at `target`: it is about that place,
    about something in it, or about what will come into being around it."""
    names = _names(pointer)
    if names[: len(target)] == target:
        return True
    if names != target[: len(names)]:
        return False
    # An object on the way: it is not there yet, or a rule about the whole of it cannot be judged.
    return names == [] or _at(args, names) is None


def _names(pointer: str) -> list[str]:
    return [name.replace("~1", "/").replace("~0", "~") for name in pointer.split("/")[1:]]


def _at(value: Any, names: list[str]) -> Any:
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value
