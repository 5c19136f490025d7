"""Macro steps: their shape and everything that can be wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, cast, get_args

import orjson

from antiphon.workspace.errors import field_error
from antiphon.workspace.runs.pipes import Pipe, parts, read_pipes, usual_targets

ErrorPolicy = Literal["abort", "skip", "retry"]
POLICIES: tuple[ErrorPolicy, ...] = get_args(ErrorPolicy)

MAX_STEPS = 20
MAX_ARGS_BYTES = 32 * 1024
# A step that calls this runs the steps of another macro in its place.
RUN_MACRO = "run_macro"


class Tools(Protocol):
    """The tools that steps may call: a snapshot of the registry."""

    @property
    def tools(self) -> Mapping[str, Any]:
        """By name, each with its `definition` and its `validator`."""

    def nearest(self, tool_id: str, /) -> list[str]:
        """Names that may have been meant."""


@dataclass(frozen=True, slots=True)
class SavedStep:
    function: str
    args: dict[str, Any]
    pipe_from: Any = None

    def pipes(self, number: int) -> list[Pipe]:
        return read_pipes(self.pipe_from, number, "")[0]

    def to_dict(self) -> dict[str, Any]:
        return {"function": self.function, "args": self.args, "pipe_from": self.pipe_from}


@dataclass(frozen=True, slots=True)
class Macro:
    id: str
    user: str
    name: str
    trigger_phrase: str
    steps: tuple[SavedStep, ...]
    error_policy: ErrorPolicy
    created_at: float
    updated_at: float

    def to_dict(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "name": self.name,
            "trigger_phrase": self.trigger_phrase,
            "steps": [step.to_dict() for step in self.steps],
            "error_policy": self.error_policy,
            "created_at": self.created_at,
            "updated_at": self.updated_at,
            "step_count": len(self.steps),
        }


def read_steps(given: Any) -> tuple[dict[int, SavedStep], list[dict[str, str]]]:
    """The steps of what somebody sends, by number from 1, and what is wrong with its shape. A step
    that can be read is there even so: the rest of it may be wrong as well."""
    if type(given) is not list or not given:
        return {}, [field_error("/steps", "has no steps", "a list of 1 to 20 steps")]
    if len(given) > MAX_STEPS:
        return {}, [field_error("/steps", f"has {len(given)} steps", f"at most {MAX_STEPS}")]
    steps: dict[int, SavedStep] = {}
    errors: list[dict[str, str]] = []
    for number, body in enumerate(given, 1):
        at = f"/steps/{number - 1}"
        if type(body) is not dict:
            errors.append(field_error(at, "is no step", '{"function", "args", "pipe_from"}'))
            continue
        unreadable = list(_shape(body, at))
        errors += unreadable
        for name in body.keys() - {"function", "args", "pipe_from"}:
            known = "one of function, args, pipe_from"
            errors.append(field_error(f"{at}/{name}", "is not known", known))
        errors += read_pipes(body.get("pipe_from"), number, f"{at}/pipe_from")[1]
        if not unreadable:
            steps[number] = SavedStep(
                body["function"], body.get("args") or {}, body.get("pipe_from")
            )
    return steps, errors


def _shape(body: dict[str, Any], at: str) -> Iterator[dict[str, str]]:
    function, args = body.get("function"), body.get("args")
    if type(function) is not str or not function:
        yield field_error(f"{at}/function", "is no name of a function", "text")
    if args is not None and type(args) is not dict:
        yield field_error(f"{at}/args", "is no object", "an object of arguments")
    elif args is not None:
        try:
            size = len(orjson.dumps(args))
        except (TypeError, ValueError) as error:  # not from JSON: a Python caller's slip
            yield field_error(f"{at}/args", f"is no JSON: {error}", "JSON")
        else:
            if size > MAX_ARGS_BYTES:
                yield field_error(f"{at}/args", f"has {size} bytes", f"at most {MAX_ARGS_BYTES}")


Find = Callable[[str], Macro | None]


def problems(
    macro: Macro,
    tools: Tools,
    find: Find,
    may_call: Callable[[str], bool],
    numbers: Sequence[int] = (),
) -> list[dict[str, str]]:
    """What keeps a macro from being run, each with its pointer. `find` gives the other macros that
    its steps may run, by their id or phrase; `may_call` says which functions are allowed; `numbers`
    are those of its steps where others between them could not be read."""
    checks = _Checks(tools, find, may_call)
    found = checks.steps(macro, (), numbers)
    count = 0 if found else checks.calls(macro)
    if count > MAX_STEPS:
        words = f"makes {count} calls with those of the macros in it"
        found = [field_error("/steps", words, f"at most {MAX_STEPS}")]
    return found


class _Checks:
    def __init__(self, tools: Tools, find: Find, may_call: Callable[[str], bool]) -> None:
        self._tools = tools
        self._find = find
        self._may_call = may_call

    def steps(
        self, macro: Macro, outside: tuple[Macro, ...], numbers: Sequence[int] = ()
    ) -> list[dict[str, str]]:
        """`outside` are the macros that run this one, the outermost first."""
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
        """What is wrong with the macro that a step runs."""
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
        """How many calls it makes, with those of the macros in it. They run in no circle."""
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
    """What the function's schema says about the arguments, but for those that are piped in. With
    `rest_piped` nobody knows yet what else is: then it is only about those that are given."""
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
        target = parts(pipe.to)
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
    """Whether an error may be gone once a value is at `target`: it is about that place, about
    something in it, or about what will come into being around it."""
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


def read_policy(given: Any) -> tuple[ErrorPolicy, list[dict[str, str]]]:
    if given in POLICIES:
        return cast(ErrorPolicy, given), []
    return "abort", [field_error("/error_policy", "is no policy", f"one of {', '.join(POLICIES)}")]
