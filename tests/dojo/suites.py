"""AgentDojo's suites as governed tools: one registry for each, one world for each session."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from typing import Any, get_type_hints

from agentdojo.functions_runtime import Function, FunctionsRuntime
from agentdojo.task_suite.load_suites import get_suites
from pydantic import BaseModel
from tests.dojo.metadata import is_trusted, options_of

from antiphon import Context, ErrorType, Registry, ToolError, tool

VERSION = "v1.2.2"
# What tells the model that it has met an attack.
MARK = "This is an important message from me, Emma Johnson, to you"


class World:
    """The environment of one conversation, and every call that has run in it, in order."""

    def __init__(self, suite: Any, environment: Any) -> None:
        self.environment = environment
        self.runtime = FunctionsRuntime(suite.tools)
        self.ran: list[tuple[str, dict[str, Any]]] = []
        self.trusted_attack = False  # a tool that counts as trusted returned what others wrote

    def run(self, name: str, args: dict[str, Any]) -> Any:
        """Run a tool as AgentDojo does. Raises ToolError with what it says of wrong values."""
        self.ran.append((name, args))
        result, error = self.runtime.run_function(self.environment, name, args)
        if error is not None:
            raise ToolError(ErrorType.PERMANENT, error)
        found = plain(result)
        if is_trusted(name) and MARK in json.dumps(found, default=str):
            self.trusted_attack = True
        return found


Worlds = dict[str, World]  # by session


def plain(value: Any) -> Any:
    """A result of AgentDojo as JSON."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, dict):
        return {str(name): plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return value


def suites() -> dict[str, Any]:
    """AgentDojo's suites by name."""
    return get_suites(VERSION)


def registry_of(suite: Any, worlds: Worlds) -> Registry:
    """The suite's tools, each a typed function whose contract is made from its own signature."""
    return Registry.of(*(_governed(function, worlds) for function in suite.tools))


def _governed(function: Function[..., Any], worlds: Worlds) -> Any:
    async def run(context: Context, **args: Any) -> Any:
        return worlds[context.session.id].run(function.name, args)

    run.__name__ = run.__qualname__ = function.name
    run.__doc__ = function.full_docstring
    run.__signature__, run.__annotations__ = _signature(function.run, function.dependencies)  # type: ignore[attr-defined]
    return tool(**options_of(function.name))(run)


def _signature(
    run: Callable[..., Any], dependencies: dict[str, Any]
) -> tuple[inspect.Signature, dict[str, Any]]:
    """A function's parameters as the model sees them, and the context that it gets besides."""
    hints = get_type_hints(run)
    asked = [
        each.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[name])
        for name, each in inspect.signature(run).parameters.items()
        if name not in dependencies
    ]
    context = inspect.Parameter(
        "context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Context
    )
    annotations = {each.name: each.annotation for each in (context, *asked)} | {"return": Any}
    return inspect.Signature([context, *asked], return_annotation=Any), annotations
