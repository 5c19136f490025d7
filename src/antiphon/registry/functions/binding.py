"""Handlers of function tools: arguments converted, context given, results put into envelopes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from pydantic_core import to_jsonable_python

from antiphon.contracts import ToolError, ToolResult
from antiphon.contracts.definition import HandlerKind
from antiphon.registry.findings import FindingList, shown
from antiphon.registry.functions.arguments import Arguments
from antiphon.registry.functions.results import Results
from antiphon.registry.functions.signature import (
    FunctionSignature,
    is_context,
    kind_of,
    place_of,
    resolved_annotations,
)
from antiphon.registry.handlers import Handler, named_frame

Execute = Callable[[dict[str, Any], Any], Any]


@dataclass(frozen=True, slots=True)
class FurtherCall:
    """A further function of a tool: which of the tool's parameters it takes, and its context."""

    function: Callable[..., Any]
    parameters: tuple[str, ...]
    context: str | None

    def __call__(self, values: Mapping[str, Any], context: Any, *first: Any) -> Any:
        taken = {name: values[name] for name in self.parameters if name in values}
        if self.context is not None:
            taken[self.context] = context
        return self.function(*first, **taken)


def bind_handler(
    tool_id: str,
    function: Callable[..., Any],
    further: Mapping[str, Callable[..., Any]],
    signature: FunctionSignature,
    arguments: Arguments,
    results: Results,
    found: list[Any],
) -> Handler:
    """Return the handler of a function tool; further functions that do not fit are findings."""
    known = {each.name for each in signature.parameters}
    calls = {
        name: _further_call(name, each, known, FindingList(place_of(each), found))
        for name, each in further.items()
    }
    kind: HandlerKind = kind_of(function)
    binder = _Binder(arguments, signature.context)
    execute = named_frame(_EXECUTE[kind](function, binder, results), tool_id)
    prepare = _prepare(calls["prepare"], binder) if "prepare" in calls else _check_only(binder)
    return Handler(
        # A generator is drained here, so that its last value can be put into an envelope.
        "sync" if kind == "sync" else "async",
        execute,
        _reconcile(calls["reconcile"], binder, results) if "reconcile" in calls else None,
        prepare,
        _preview(calls["preview"], binder) if "preview" in calls else None,
    )


class _Binder:
    """The values that a function is called with."""

    __slots__ = ("_context", "convert")

    def __init__(self, arguments: Arguments, context: str | None) -> None:
        self.convert = arguments.convert
        self._context = context

    def values(self, args: dict[str, Any], context: Any) -> dict[str, Any]:
        values = self.convert(args)
        if self._context is not None:
            values[self._context] = context
        return values


def _execute_async(function: Callable[..., Any], binder: _Binder, results: Results) -> Execute:
    async def execute(args: dict[str, Any], context: Any) -> Any:
        return results.answer(await function(**binder.values(args, context)))

    return execute


def _execute_sync(function: Callable[..., Any], binder: _Binder, results: Results) -> Execute:
    def execute(args: dict[str, Any], context: Any) -> Any:
        return results.answer(function(**binder.values(args, context)))

    return execute


def _execute_generator(function: Callable[..., Any], binder: _Binder, results: Results) -> Execute:
    async def execute(args: dict[str, Any], context: Any) -> Any:
        last: Any = None
        first = True
        async with aclosing(function(**binder.values(args, context))) as steps:
            async for value in steps:
                if not first:
                    _report_progress(context, last)
                last, first = value, False
        return results.answer(last)

    return execute


_EXECUTE: dict[str, Callable[..., Execute]] = {
    "async": _execute_async,
    "sync": _execute_sync,
    "generator": _execute_generator,
}


def _report_progress(context: Any, value: Any) -> None:
    """Report what a generator yields before its last value, as the orchestrator does for a
    directory's."""
    plain = value if isinstance(value, str) else to_jsonable_python(value)
    if isinstance(plain, str):
        plain = {"message": plain}
    data = dict(plain) if isinstance(plain, dict) else {"value": plain}
    message, fraction = str(data.pop("message", "")), data.pop("fraction", None)
    if isinstance(fraction, bool) or not isinstance(fraction, int | float):
        fraction = None
    context.progress(message, fraction, **data)


def _check_only(binder: _Binder) -> Execute:
    """Return a `prepare` that refuses what the function's types refuse, before anybody is asked."""

    def prepare(args: dict[str, Any], context: Any) -> dict[str, Any]:
        del context
        binder.convert(args)
        return args

    return prepare


def _prepare(call: FurtherCall, binder: _Binder) -> Execute:
    def changed(args: dict[str, Any], given: Any) -> dict[str, Any]:
        if isinstance(given, ToolResult):
            given = _granted(given)
        return {**args, **to_jsonable_python(dict(given))} if given else args

    async def awaited(args: dict[str, Any], work: Any) -> dict[str, Any]:
        return changed(args, await work)

    def prepare(args: dict[str, Any], context: Any) -> Any:
        given = call(binder.convert(args), context)
        return awaited(args, given) if inspect.isawaitable(given) else changed(args, given)

    return prepare


def _granted(result: ToolResult) -> dict[str, Any]:
    """Return the data of `ok(…)`. Raises ToolError for `fail(…)`, which refuses the call."""
    if result.ok or result.error is None:
        return result.data or {}
    refused = ToolError(result.error["type"], result.error["message"])
    refused.body = result.error
    raise refused


def _reconcile(call: FurtherCall, binder: _Binder, results: Results) -> Callable[..., Any]:
    def answer(value: Any) -> Any:
        return None if value is None else results.answer(value)

    async def awaited(work: Any) -> Any:
        return answer(await work)

    def reconcile(key: str, args: dict[str, Any], context: Any) -> Any:
        value = call(binder.convert(args), context, key)
        return awaited(value) if inspect.isawaitable(value) else answer(value)

    return reconcile


def _preview(call: FurtherCall, binder: _Binder) -> Execute:
    def preview(args: dict[str, Any], context: Any) -> Any:
        return call(binder.convert(args), context)

    return preview


def _further_call(
    name: str, function: Callable[..., Any], known: set[str], found: FindingList
) -> FurtherCall:
    names = list(inspect.signature(function).parameters)
    if name == "reconcile":
        if not names:
            fix = "Let it take the key of the call first: `(key: str, …)`."
            found.error("handler", "", "`reconcile` takes no key", fix)
        names = names[1:]
    hints = resolved_annotations(function)
    contexts = [each for each in names if is_context(hints.get(each))]
    for each in names:
        if each not in known and each not in contexts:
            listed = ", ".join(sorted(known)) or "none"
            message = f"`{name}` takes {shown(each)}, which is no parameter of the tool"
            found.error("handler", "", message, f"Use its parameters ({listed}) and a Context.")
    if name == "preview" and inspect.iscoroutinefunction(function):
        found.error("handler", "", "`preview` is `async def`", "Make it a plain `def`.")
    taken = tuple(each for each in names if each in known)
    return FurtherCall(function, taken, contexts[0] if contexts else None)
