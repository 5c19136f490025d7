"""Macro steps: their shape in messages and in the store, and their compilation to steps of a run.

`pipe_from` of a step is one of

- a number: the result of that step, from 1, put where it usually belongs: the first of its
  `databases` into `database_id`, the first of its `tools` into `tool_id`, else its `result` into
  `_piped_input`; only where the function has such a parameter and the step does not give it;
- `{"step": 1, "path": "results/0/id", "to": "database_id"}`: what is at that path of the result,
  put at `to`, which may lead into an object (`params/code`). Without `path` it is all of it;
- a list of those.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, get_args

import orjson
from pydantic import ConfigDict, Field, ValidationError, field_validator

from antiphon.workspace.errors import field_error
from antiphon.workspace.runs.steps import Pipe, Step
from antiphon.workspace.validation import FieldProblem, StrictModel, field_errors

ErrorPolicy = Literal["abort", "skip", "retry"]
POLICIES: tuple[ErrorPolicy, ...] = get_args(ErrorPolicy)

MAX_STEPS = 20
MAX_ARGS_BYTES = 32 * 1024
MAX_PIPES = 10
MAX_PATH = 200
# How often a step is tried in all where the policy is to retry.
TRIES = 3
# A step that calls this runs the steps of another macro in its place.
RUN_MACRO = "run_macro"

_NO_PATH: dict[str, Any] = {"wrong": "is no path", "expected": "names with / between them"}


class PipeBody(StrictModel):
    """One pipe as somebody sends it."""

    model_config = ConfigDict(
        json_schema_extra={
            "wrong": "is no pipe",
            "expected": 'a number, {"step", "path", "to"} or a list of those',
        }
    )

    step: int = Field(
        json_schema_extra={"wrong": "is no earlier step", "expected": "the number of a step"}
    )
    path: str | None = Field(default=None, max_length=MAX_PATH, json_schema_extra=_NO_PATH)
    to: str | None = Field(default=None, max_length=MAX_PATH, json_schema_extra=_NO_PATH)


class SavedStep(StrictModel):
    """One step as somebody sends it, and as it is stored."""

    model_config = ConfigDict(
        json_schema_extra={
            "wrong": "is no step",
            "expected": '{"function", "args", "pipe_from"}',
        }
    )

    function: str = Field(
        min_length=1,
        json_schema_extra={"wrong": "is no name of a function", "expected": "text"},
    )
    args: dict[str, Any] = Field(
        default_factory=dict,
        json_schema_extra={"wrong": "is no object", "expected": "an object of arguments"},
    )
    pipe_from: Any = None

    @field_validator("args", mode="before")
    @classmethod
    def _sized(cls, args: Any) -> Any:
        if args is None:
            return {}
        try:
            size = len(orjson.dumps(args))
        except (TypeError, ValueError) as error:  # not from JSON: a Python caller's slip
            raise FieldProblem(f"is no JSON: {error}", "JSON") from None
        if size > MAX_ARGS_BYTES:
            raise FieldProblem(f"has {size} bytes", f"at most {MAX_ARGS_BYTES}")
        return args

    def pipes(self, number: int) -> list[Pipe]:
        return read_pipes(self.pipe_from, number, "")[0]

    def to_dict(self) -> dict[str, Any]:
        return {"function": self.function, "args": self.args, "pipe_from": self.pipe_from}


@dataclass(frozen=True, slots=True)
class Macro:
    """Saved steps with a trigger: a phrase that people say."""

    id: str
    user: str
    name: str
    trigger_phrase: str
    steps: tuple[SavedStep, ...]
    error_policy: ErrorPolicy
    created_at: float
    updated_at: float

    @classmethod
    def from_dict(cls, user: str, body: dict[str, Any]) -> Macro:
        """Return the macro that `to_dict` told of."""
        return cls(
            body["id"],
            user,
            body["name"],
            body["trigger_phrase"],
            tuple(SavedStep.model_construct(**step) for step in body["steps"]),
            body["error_policy"],
            body["created_at"],
            body["updated_at"],
        )

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


# The macro of that id or phrase.
FindMacro = Callable[[str], Macro | None]


def compile_steps(macro: Macro, find: FindMacro) -> tuple[Step, ...]:
    """Return the steps of a macro that has been checked, as the engine runs them; `find` gives the
    macros that it runs."""
    numbers = itertools.count(1)

    def compiled(macro: Macro) -> Iterator[Step]:
        for place, saved in enumerate(macro.steps, 1):
            inner: tuple[Step, ...] = ()
            if saved.function == RUN_MACRO:
                other = find(saved.args["macro_id"])
                assert other is not None  # checked before
                inner = tuple(compiled(other))
            yield Step(
                str(place),
                saved.function,
                0 if inner else next(numbers),
                tool=saved.function,
                args=saved.args,
                pipes=tuple(saved.pipes(place)),
                optional=macro.error_policy == "skip",
                tries=TRIES if macro.error_policy == "retry" else 1,
                inner=inner,
                owner=macro.id,
            )

    return tuple(compiled(macro))


# -- reading ---------------------------------------------------------------------------------------


def read_steps(given: Any) -> tuple[dict[int, SavedStep], list[dict[str, str]]]:
    """Return the steps of what somebody sends, by number from 1, and what is wrong with its shape.
    A step that can be read is there even so: the rest of it may be wrong as well."""
    if type(given) is not list or not given:
        return {}, [field_error("/steps", "has no steps", "a list of 1 to 20 steps")]
    if len(given) > MAX_STEPS:
        return {}, [field_error("/steps", f"has {len(given)} steps", f"at most {MAX_STEPS}")]
    steps: dict[int, SavedStep] = {}
    errors: list[dict[str, str]] = []
    for number, body in enumerate(given, 1):
        at = f"/steps/{number - 1}"
        try:
            steps[number] = SavedStep.model_validate(body)
        except ValidationError as error:
            errors += field_errors(error, SavedStep, at)
            if type(body) is dict and not _unreadable(error):
                own = {name: body[name] for name in SavedStep.model_fields if name in body}
                steps[number] = SavedStep.model_validate(own)
        if type(body) is dict:
            errors += read_pipes(body.get("pipe_from"), number, f"{at}/pipe_from")[1]
    return steps, errors


def _unreadable(error: ValidationError) -> bool:
    return any(each["loc"][0] in SavedStep.model_fields for each in error.errors())


def read_pipes(given: Any, number: int, at: str) -> tuple[list[Pipe], list[dict[str, str]]]:
    """Return the pipes of step `number` and what is wrong with them; `at` is the pointer of
    `given`."""
    if given is None:
        return [], []
    many = type(given) is list
    if many and len(given) > MAX_PIPES:
        return [], [field_error(at, f"has {len(given)} pipes", f"at most {MAX_PIPES}")]
    pipes: list[Pipe] = []
    errors: list[dict[str, str]] = []
    for index, each in enumerate(given if many else [given]):
        pointer = f"{at}/{index}" if many else at
        try:
            body = PipeBody.model_validate({"step": each} if type(each) is int else each)
        except ValidationError as error:
            errors += field_errors(error, PipeBody, pointer)
            continue
        found = list(_pipe_problems(body, number, pointer))
        errors += found
        if not found:
            pipes.append(Pipe(str(body.step), body.path or "", body.to))
    return pipes, errors


def _pipe_problems(body: PipeBody, number: int, at: str) -> Iterator[dict[str, str]]:
    if not 1 <= body.step < number:
        expected = f"a step from 1 to {number - 1}" if number > 1 else "no pipe in the first step"
        alone = body.model_fields_set == {"step"}
        yield field_error(at if alone else f"{at}/step", "is no earlier step", expected)
    if body.path and not body.to:
        yield field_error(f"{at}/to", "is missing", "the parameter that gets the value")
