"""Pipes: results of earlier steps that become arguments of a later one.

`pipe_from` of a step is one of

- a number: the result of that step, from 1, put where it usually belongs: the first of its
  `databases` into `database_id`, the first of its `tools` into `tool_id`, else its `result` into
  `_piped_input`; only where the function has such a parameter and the step does not give it;
- `{"step": 1, "path": "results/0/id", "to": "database_id"}`: what is at that path of the result,
  put at `to`, which may lead into an object (`params/code`). Without `path` it is all of it;
- a list of those.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from antiphon.workspace.errors import field_error

MAX_PIPES = 10
MAX_PATH = 200
# What a step's result may be called, and the parameter that takes the first of it.
USUAL = (("databases", "database_id"), ("tools", "tool_id"))
REST = ("result", "_piped_input")


class NothingToPipe(Exception):
    """The words say what the earlier step lacks."""


@dataclass(frozen=True, slots=True)
class Pipe:
    """`to` is None where the parameter is found by what the result has."""

    step: int
    path: str = ""
    to: str | None = None

    @property
    def shown(self) -> str:
        """What a dry run shows in place of the value."""
        return f"<step {self.step}: {self.path or 'result'}>"


def read_pipes(given: Any, number: int, at: str) -> tuple[list[Pipe], list[dict[str, str]]]:
    """The pipes of step `number` and what is wrong with them; `at` is the pointer of `given`."""
    if given is None:
        return [], []
    many = type(given) is list
    pipes: list[Pipe] = []
    errors: list[dict[str, str]] = []
    if many and len(given) > MAX_PIPES:
        return [], [field_error(at, f"has {len(given)} pipes", f"at most {MAX_PIPES}")]
    for index, each in enumerate(given if many else [given]):
        pointer = f"{at}/{index}" if many else at
        body = {"step": each} if type(each) is int else each
        if type(body) is not dict:
            expected = 'a number, {"step", "path", "to"} or a list of those'
            errors.append(field_error(pointer, "is no pipe", expected))
            continue
        found = list(_problems(body, number, pointer))
        errors += found
        if not found:
            pipes.append(Pipe(body["step"], body.get("path") or "", body.get("to")))
    return pipes, errors


def _problems(body: dict[str, Any], number: int, at: str) -> Iterator[dict[str, str]]:
    for name in body.keys() - {"step", "path", "to"}:
        yield field_error(f"{at}/{name}", "is not known", "one of step, path, to")
    step = body.get("step")
    if type(step) is not int or not 1 <= step < number:
        expected = f"a step from 1 to {number - 1}" if number > 1 else "no pipe in the first step"
        yield field_error(f"{at}/step" if len(body) > 1 else at, "is no earlier step", expected)
    for name in ("path", "to"):
        value = body.get(name)
        if value is not None and (type(value) is not str or len(value) > MAX_PATH):
            yield field_error(f"{at}/{name}", "is no path", "names with / between them")
    if body.get("path") and not body.get("to"):
        yield field_error(f"{at}/to", "is missing", "the parameter that gets the value")


def parts(path: str) -> list[str]:
    """The names in a path. As in a JSON pointer, `~1` is a slash and `~0` a tilde."""
    return [
        name.replace("~1", "/").replace("~0", "~") for name in path.strip("/").split("/") if name
    ]


def usual_targets(args: Mapping[str, Any], parameters: Mapping[str, Any]) -> list[str]:
    """The parameters that a pipe without `to` may fill."""
    known = parameters.get("properties", {})
    names = (*(name for _, name in USUAL), REST[1])
    return [name for name in names if name in known and name not in args]


def piped(
    args: Mapping[str, Any], pipe: Pipe, result: Any, parameters: Mapping[str, Any]
) -> dict[str, Any]:
    """The arguments with what the pipe brings. Raises NothingToPipe."""
    if pipe.to is not None:
        return _put(dict(args), parts(pipe.to), look_up(result, pipe.path, pipe.step))
    targets = usual_targets(args, parameters)
    for source, target in USUAL:
        if target in targets and isinstance(result, dict) and source in result:
            first = look_up(result, f"{source}/0", pipe.step)
            value = first.get("id") if isinstance(first, dict) else first
            return {**args, target: value}
    if REST[1] in targets:
        value = result.get(REST[0], result) if isinstance(result, dict) else result
        return {**args, REST[1]: value}
    named = " or ".join(f"`{source}`" for source, target in USUAL if target in targets)
    raise NothingToPipe(f"step {pipe.step} gave no {named or 'value that belongs here'}")


def shown(args: Mapping[str, Any], pipe: Pipe, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments with a word about the value where the pipe will put it."""
    if pipe.to is not None:
        return _put(dict(args), parts(pipe.to), pipe.shown)
    return {**args, **dict.fromkeys(usual_targets(args, parameters)[:1], pipe.shown)}


def look_up(value: Any, path: str, step: int) -> Any:
    """What is at a path. Raises NothingToPipe, and says how far the path leads."""
    gone: list[str] = []
    for name in parts(path):
        where = f"`{'/'.join(gone)}`" if gone else "its result"
        if isinstance(value, dict):
            if name not in value:
                has = ", ".join(map(str, list(value)[:10])) or "nothing"
                raise NothingToPipe(f"step {step} gave no `{path}`: {where} has {has}")
            value = value[name]
        elif isinstance(value, list):
            if not name.isdecimal() or int(name) >= len(value):
                count = f"{len(value)} item{'' if len(value) == 1 else 's'}"
                raise NothingToPipe(f"step {step} gave no `{path}`: {where} has {count}")
            value = value[int(name)]
        else:
            raise NothingToPipe(f"step {step} gave no `{path}`: {where} has nothing inside")
        gone.append(name)
    return value


def _put(args: dict[str, Any], names: list[str], value: Any) -> dict[str, Any]:
    """With a value at a path, in new objects where there are none. Raises NothingToPipe where
    something else is in the way."""
    name, *rest = names
    if not rest:
        return {**args, name: value}
    inside = args.get(name, {})
    if not isinstance(inside, dict):
        raise NothingToPipe(f"`{name}` is no object that a value could be put into")
    return {**args, name: _put(dict(inside), rest, value)}
