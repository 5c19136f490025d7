"""Dependencies: objects that a program provides for its handlers, opened and closed with it."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Mapping
from contextlib import AsyncExitStack
from typing import Any


class DependencyError(Exception):
    """A dependency could not be opened; the message names it and says why."""


class Dependencies:
    """The factories of `provide`, by the name that handlers find them under.

    A factory takes nothing and returns the object, an awaitable of it, or a context manager that
    gives it. What is not callable is the object itself. Raises ValueError for a name that the
    context has already, TypeError for a generator.
    """

    def __init__(self, provide: Mapping[str, Any]) -> None:
        from antiphon.orchestrator.orchestrator import checked_capabilities

        self._provide = checked_capabilities(provide)
        for name, given in provide.items():
            if inspect.isgeneratorfunction(given) or inspect.isasyncgenfunction(given):
                kind = "async" if inspect.isasyncgenfunction(given) else ""
                raise TypeError(
                    f"provide[{name!r}] is a generator. Decorate it with "
                    f"contextlib.{kind}contextmanager."
                )

    async def open(self, closers: AsyncExitStack) -> dict[str, Any]:
        """Open every dependency in the order given; the stack closes them in reverse. Raises
        DependencyError."""
        opened: dict[str, Any] = {}
        for name, given in self._provide.items():
            try:
                opened[name] = await _open(given, closers)
            except Exception as error:
                words = str(error) or type(error).__name__
                raise DependencyError(f"provide[{name!r}] could not be opened: {words}") from error
        return opened

    def check(self, tools: Iterable[Any], services: Iterable[str]) -> None:
        """Check that what tools expect of their context is provided. Raises ValueError that names
        the first tool whose context would lack something."""
        given = {*self._provide, *services}
        for tool in tools:
            for name in _expected(tool):
                if name not in given:
                    raise ValueError(
                        f"The tool {getattr(tool, 'name', tool)} expects `context.{name}`, which "
                        f"is not provided. Add it: Antiphon(provide={{{name!r}: …}})."
                    )


async def _open(given: Any, closers: AsyncExitStack) -> Any:
    made = given() if callable(given) else given
    if made is given:
        return made
    if inspect.isawaitable(made):
        made = await made
    if hasattr(made, "__aenter__"):
        return await closers.enter_async_context(made)
    if hasattr(made, "__enter__"):
        return closers.enter_context(made)
    return made


def _expected(tool: Any) -> list[str]:
    """The attributes that the annotation of a tool's context declares beyond those of Context."""
    from antiphon.orchestrator.context import Context
    from antiphon.registry.functions.function_tool import FunctionTool
    from antiphon.registry.functions.signature import is_context, resolved_annotations

    if not isinstance(tool, FunctionTool):
        return []
    for kind in resolved_annotations(tool.function).values():
        if is_context(kind) and isinstance(kind, type):
            own = kind.__mro__[: kind.__mro__.index(Context)] if Context in kind.__mro__ else ()
            declared = [name for each in own for name in _annotated(each)]
            return [name for name in declared if not hasattr(Context, name)]
    return []


def _annotated(kind: type) -> Iterable[str]:
    if sys.version_info >= (3, 14):
        import annotationlib

        return annotationlib.get_annotations(kind, format=annotationlib.Format.STRING)
    found: Mapping[str, Any] = vars(kind).get("__annotations__", {})
    return found
