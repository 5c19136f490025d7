"""The decorator `tool` and what it makes of a function: a tool with contract, guide and handler."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, overload

from antiphon.contracts import ToolDefinition
from antiphon.registry.functions.options import LATENCY_MS, VERSION, ToolOptions

if TYPE_CHECKING:
    from antiphon.contracts.definition import (
        Category,
        Execution,
        Interruption,
        Isolation,
        Mode,
        RateLimit,
        Risk,
        SideEffects,
    )
    from antiphon.contracts.provenance import Sensitivity, ToolOrigin
    from antiphon.registry.functions.source import FunctionSource
    from antiphon.registry.handlers import Handler

P = ParamSpec("P")
R_co = TypeVar("R_co", covariant=True)
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])

# The further handlers of a tool, by the name of their decorator.
FURTHER = ("prepare", "reconcile", "preview")


class FunctionTool(Generic[P, R_co]):
    """A function with the contract of a tool. Called, it is the function itself: no gate is passed.

    Nothing is read from the function before somebody asks; what is wrong with it is a finding when
    the registry is made.
    """

    def __init__(
        self, function: Callable[P, R_co], options: ToolOptions, names: Mapping[str, Any]
    ) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.options = options
        self.further: dict[str, Callable[..., Any]] = {}
        self._names = names

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co:
        return self.function(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<tool {self.name}>"

    @property
    def name(self) -> str:
        """The id of the tool."""
        given = self.options.name
        return given or str(getattr(self.function, "__name__", type(self.function).__name__))

    @functools.cached_property
    def source(self) -> FunctionSource:
        """The tool as the builder takes it, with what is wrong with it."""
        from antiphon.registry.functions.source import read_function

        return read_function(self, self._names)

    @property
    def schema(self) -> dict[str, Any]:
        """The contract, as in `schema.json`. Raises RegistryError with all findings."""
        return self.source.checked_schema()

    @property
    def guide(self) -> str:
        """The text of `guide.md`. Raises RegistryError with all findings."""
        self.source.checked_schema()
        return self.source.files["guide.md"].decode()

    @property
    def definition(self) -> ToolDefinition:
        """The contract with its defaults. Raises RegistryError with all findings."""
        return ToolDefinition.from_schema(self.schema, self.source.kind or "async")

    @property
    def handler(self) -> Handler:
        """The handler that the registry runs. Raises RegistryError with all findings."""
        self.source.checked_schema()
        return self.source.handler

    def prepare(self, function: F) -> F:
        """Decorator of the function that is asked before the call runs, before a person is asked
        and before a task begins. It takes any of the tool's parameters; it may refuse by
        `ToolError`, and return a mapping of arguments to be changed."""
        return self._add("prepare", function)

    def reconcile(self, function: F) -> F:
        """Decorator of the function that is asked after a crash what became of a call. It takes the
        key of the call first, then any of the tool's parameters; it returns the result, or None
        when it cannot tell."""
        return self._add("reconcile", function)

    def preview(self, function: F) -> F:
        """Decorator of the function that puts arguments into words for the person who approves. It
        takes any of the tool's parameters and returns words by parameter; it must not wait."""
        return self._add("preview", function)

    def _add(self, name: str, function: F) -> F:
        self.further[name] = function
        self.__dict__.pop("source", None)
        return function


@overload
def tool(function: Callable[P, R], /) -> FunctionTool[P, R]: ...


@overload
def tool(
    *,
    name: str | None = None,
    description: str | None = None,
    guide: str | Path | None = None,
    side_effects: SideEffects = "writes",
    origin: ToolOrigin | None = None,
    sensitivity: Sensitivity | None = None,
    outside: bool | None = None,
    confirm: bool | None = None,
    idempotent: bool | None = None,
    modes: Sequence[Mode] = ("text", "voice"),
    latency_ms: float = LATENCY_MS,
    timeout_ms: float | None = None,
    category: Category | None = None,
    version: str = VERSION,
    rate: str | RateLimit | None = None,
    interruption: Interruption | None = None,
    risk: Risk | None = None,
    approvals: int | None = None,
    redact: Sequence[str] | None = None,
    isolation: Isolation | None = None,
    execution: Execution | None = None,
    network: bool | None = None,
    availability: Mapping[str, Any] | None = None,
    catalogue: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    output: Mapping[str, Any] | None = None,
) -> Callable[[Callable[P, R]], FunctionTool[P, R]]: ...


def tool(function: Callable[..., Any] | None = None, /, **options: Any) -> Any:
    """Make a tool of a typed function: `@tool`, or `@tool(side_effects="read_only")`.

    Parameters and result come from the annotations, descriptions from the docstring. A tool that
    does not say `side_effects` counts as one that writes, and asks a person before each call; one
    with side effects that does not say `origin` or `outside` counts as one that brings text of
    others and reaches outside.
    `parameters` and `output` are JSON Schemas in place of those that the annotations give.
    """
    chosen = ToolOptions(**options)
    # Annotations of a function inside another one may use names of that one.
    caller = sys._getframe(1)
    scope = {} if caller.f_locals is caller.f_globals else caller.f_locals

    def decorate(function: Callable[..., Any]) -> FunctionTool[..., Any]:
        from antiphon.registry.functions.signature import names_in_scope

        return FunctionTool(function, chosen, names_in_scope(function, scope) if scope else {})

    return decorate if function is None else decorate(function)


def as_tool(function: Any) -> FunctionTool[..., Any]:
    """Return a function as a tool; one that is a tool already as it is."""
    if isinstance(function, FunctionTool):
        return function
    return FunctionTool(function, ToolOptions(), {})
