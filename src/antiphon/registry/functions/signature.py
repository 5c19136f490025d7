"""The signature of a function tool: its parameters, its context, its result, and what is wrong."""

from __future__ import annotations

import builtins
import functools
import inspect
import linecache
import os
import re
import sys
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace, UnionType
from typing import Any

from antiphon.contracts.capabilities import HandlerContext
from antiphon.contracts.definition import HandlerKind
from antiphon.registry.findings import FindingList, pointer_to, shown

EMPTY = inspect.Parameter.empty
_DEFINITION = re.compile(r"\s*(?:async\s+)?def\b")
# A name that is imported for type checkers alone is not there when the program runs.
_CONTEXT_NAMES = frozenset({"Context", "antiphon.Context"})


@dataclass(frozen=True, slots=True)
class FunctionParameter:
    """One parameter that a caller gives; `default` is EMPTY where it has none."""

    name: str
    annotation: Any
    default: Any


@dataclass(frozen=True, slots=True)
class FunctionSignature:
    """What a function takes and returns. `context` names the parameter that gets the context."""

    parameters: tuple[FunctionParameter, ...]
    context: str | None
    returns: Any


def unwrapped(function: Any) -> Any:
    """Return the function inside decorators, partial objects and bound methods."""
    while True:
        if isinstance(function, staticmethod | classmethod):
            function = function.__func__
        elif isinstance(function, functools.partial):
            function = function.func
        elif inspect.ismethod(function):
            function = function.__func__
        elif hasattr(function, "__wrapped__"):
            function = function.__wrapped__
        else:
            return function


def place_of(function: Any) -> str:
    """Return the file and the line of a function's `def`, as findings name them."""
    code = getattr(unwrapped(function), "__code__", None)
    if code is None:
        module = getattr(function, "__module__", None) or builtins.__name__
        return f"{module}.{getattr(function, '__qualname__', type(function).__qualname__)}"
    line: int = code.co_firstlineno
    lines = linecache.getlines(code.co_filename)[line - 1 : line + 199]
    if lines and lines[0].lstrip().startswith("@"):
        below = (number for number, text in enumerate(lines) if _DEFINITION.match(text))
        line += next(below, 0)
    return f"{_shown_path(code.co_filename)}:{line}"


def _shown_path(file: str) -> str:
    try:
        relative = os.path.relpath(file)
    except ValueError:
        return file
    return file if relative.startswith("..") or file.startswith("<") else relative


def kind_of(function: Any) -> HandlerKind:
    """Return how a function runs: as a coroutine, as a plain call or as an async generator."""
    called = function.func if isinstance(function, functools.partial) else function
    if inspect.isasyncgenfunction(called):
        return "generator"
    return "async" if inspect.iscoroutinefunction(called) else "sync"


def is_nested(function: Any) -> bool:
    """Whether a function cannot be imported because it was made inside another one, or is bound
    to an object."""
    inner = unwrapped(function)
    return inspect.ismethod(function) or "<locals>" in getattr(inner, "__qualname__", "")


def shape_problem(function: Any) -> tuple[str, str] | None:
    """Return why something can be no tool whatever its parameters are, and what to do; or None."""
    inner = unwrapped(function)
    if not inspect.isfunction(inner) or isinstance(function, functools.partial):
        kind = type(function).__name__
        return f"{shown(function)} is {kind}, not a function", "Wrap it in a function with `def`."
    if inner.__name__ == "<lambda>":
        return "a lambda has neither a name nor types", "Write it as a function with `def`."
    owner = inner.__qualname__.rpartition(".")[0]
    if not inspect.ismethod(function) and owner and not owner.endswith("<locals>"):
        fix = "Move it out of the class, or make a tool of the bound method: `tool(thing.method)`."
        return f"{inner.__qualname__} is a method; nobody would give it its `self`", fix
    if inspect.isgeneratorfunction(function):
        return "it is a plain generator", "Make it `async def` to yield progress."
    return None


def read_signature(
    function: Callable[..., Any], names: Mapping[str, Any], found: FindingList
) -> FunctionSignature:
    """Read the signature of a function; what is wrong with it is added to `found`.

    `names` are those that its annotations may use besides the names of its module.
    """
    inner = unwrapped(function)
    annotations = _annotations(inner)
    scope = getattr(inner, "__globals__", {})
    parameters: list[FunctionParameter] = []
    context: str | None = None
    untyped: list[str] = []
    for parameter in _signature(function).parameters.values():
        name = parameter.name
        if _takes_anything(parameter, found):
            continue
        if name not in annotations:
            untyped.append(name)
            continue
        try:
            annotation = _resolved(annotations[name], scope, names)
        except Exception as error:  # noqa: BLE001 - an annotation is any expression
            if _text_of(annotations[name]) in _CONTEXT_NAMES:
                context = name
                continue
            _unresolved(found, f"the type of {shown(name)}", annotations[name], error)
            continue
        if is_context(annotation):
            context = name
        else:
            parameters.append(FunctionParameter(name, annotation, parameter.default))
    if untyped:
        listed = ", ".join(f"`{name}`" for name in untyped)
        what = "the parameter" if len(untyped) == 1 else "the parameters"
        verb = "has no type" if len(untyped) == 1 else "have no types"
        fix = f"Annotate them, such as `{untyped[0]}: str`."
        found.error("annotation", "/parameters", f"{what} {listed} {verb}", fix)
    returns: Any = EMPTY
    if "return" in annotations:
        try:
            returns = _resolved(annotations["return"], scope, names)
        except Exception as error:  # noqa: BLE001 - an annotation is any expression
            _unresolved(found, "the type of the result", annotations["return"], error)
    return FunctionSignature(tuple(parameters), context, returns)


def resolved_annotations(function: Any) -> dict[str, Any]:
    """Return the annotations of a function that can be told; those that cannot are left out, but
    for a context that is imported for type checkers alone."""
    inner = unwrapped(function)
    scope = getattr(inner, "__globals__", {})
    found: dict[str, Any] = {}
    for name, annotation in _annotations(inner).items():
        try:
            found[name] = _resolved(annotation, scope, {})
        except Exception:  # noqa: BLE001 - an annotation is any expression
            if _text_of(annotation) in _CONTEXT_NAMES:
                found[name] = HandlerContext
    return found


def is_context(annotation: Any) -> bool:
    """Whether a parameter of this type gets the context; it may also be `Context | None`."""
    while typing.get_origin(annotation) is typing.Annotated:
        annotation = annotation.__origin__
    if typing.get_origin(annotation) in (typing.Union, UnionType):
        return any(is_context(member) for member in typing.get_args(annotation))
    return isinstance(annotation, type) and issubclass(annotation, HandlerContext)


def _signature(function: Callable[..., Any]) -> inspect.Signature:
    if sys.version_info >= (3, 14):
        import annotationlib

        return inspect.signature(function, annotation_format=annotationlib.Format.FORWARDREF)
    return inspect.signature(function)


def _annotations(function: Any) -> dict[str, Any]:
    if sys.version_info >= (3, 14):
        import annotationlib

        return annotationlib.get_annotations(function, format=annotationlib.Format.FORWARDREF)
    return dict(getattr(function, "__annotations__", {}))


def names_in_scope(function: Any, scope: Mapping[str, Any]) -> dict[str, Any]:
    """Return those names of a scope that the annotations of a function are written with."""
    if sys.version_info >= (3, 14):
        return {}  # annotations there find them by themselves
    texts = [each for each in _annotations(unwrapped(function)).values() if isinstance(each, str)]
    used = set(re.findall(r"\w+", " ".join(texts)))
    return {name: value for name, value in scope.items() if name in used}


def _resolved(annotation: Any, scope: dict[str, Any], names: Mapping[str, Any]) -> Any:
    holder = SimpleNamespace(__annotations__={"it": annotation})
    return typing.get_type_hints(holder, scope, dict(names), include_extras=True)["it"]


def _text_of(annotation: Any) -> str:
    return str(getattr(annotation, "__forward_arg__", annotation)).strip("'\"")


def _unresolved(found: FindingList, what: str, annotation: Any, error: Exception) -> None:
    message = f"{what}, {shown(_text_of(annotation))}, cannot be told: {error}"
    fix = "Import the name where the program runs, not for type checkers alone."
    found.error("annotation", "", message, fix)


def _takes_anything(parameter: inspect.Parameter, found: FindingList) -> bool:
    name, kind = parameter.name, parameter.kind
    at = "/parameters" + pointer_to("properties", name)
    fix = "Write each parameter out, by name and type."
    if kind is inspect.Parameter.VAR_POSITIONAL:
        found.error("parameter-kind", at, f"`*{name}` takes values without names", fix)
    elif kind is inspect.Parameter.VAR_KEYWORD:
        found.error("parameter-kind", at, f"`**{name}` takes any parameter there is", fix)
    elif kind is inspect.Parameter.POSITIONAL_ONLY:
        message = f"`{name}` cannot be given by name"
        found.error("parameter-kind", at, message, "Remove the `/` from the signature.")
    else:
        return False
    return True
