"""References to function tools: `module:name`, as an artifact and a command line name them."""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from antiphon.registry.findings import LintFinding
from antiphon.registry.functions.function_tool import FunctionTool, as_tool
from antiphon.registry.functions.options import ToolOptions
from antiphon.registry.functions.signature import is_nested, unwrapped

if TYPE_CHECKING:
    from antiphon.registry.functions.source import FunctionSource

_REFERENCE = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*:(?:[^\W\d]\w*(?:\.[^\W\d]\w*)*)?")


class ReferenceProblem(ValueError):
    """A reference leads to nothing that can be used; the text says why and what to do."""


@dataclass(slots=True)
class ToolSelection:
    """The tools that a reference names: functions, and folders of tool directories."""

    functions: list[FunctionTool[..., Any]] = field(default_factory=list)
    folders: list[Path] = field(default_factory=list)


def is_reference(text: str) -> bool:
    """Whether a text has the form `module:name`, or `module:` for a whole module."""
    return _REFERENCE.fullmatch(text) is not None


def reference_of(tool: FunctionTool[..., Any]) -> str | None:
    """Return the reference by which another process finds a tool; None where there is none.

    A function inside another one has none, nor one of the program's main file: that file has
    another name there.
    """
    inner = unwrapped(tool.function)
    module, name = getattr(inner, "__module__", None), getattr(inner, "__qualname__", None)
    if module in (None, "__main__") or name is None or is_nested(tool.function):
        return None
    found = _attribute(sys.modules.get(module), name)
    plain = tool.options == ToolOptions() and not tool.further
    if found is tool or (found is tool.function and plain):
        return f"{module}:{name}"
    for other, value in vars(sys.modules.get(module, ModuleType(""))).items():
        if value is tool:  # bound to another name than that of the function
            return f"{module}:{other}"
    return None


def find(reference: str) -> Any:
    """Import what a reference names. Raises ReferenceProblem."""
    module, _, name = reference.partition(":")
    found: Any = _imported(module)
    for part in name.split(".") if name else ():
        try:
            found = getattr(found, part)
        except AttributeError:
            raise ReferenceProblem(f"{module} has no {name!r}. Correct the name") from None
    return found


def select_tools(found: Any, name: str) -> ToolSelection:
    """Return the tools in what a reference named `name` leads to: a function, several of them, a
    module, a registry of functions, or a program with such a registry. Raises ReferenceProblem."""
    from antiphon.registry.registry import Registry

    registry = found if isinstance(found, Registry) else getattr(found, "registry", None)
    if isinstance(registry, Registry):
        if registry.functions is None:
            raise ReferenceProblem(
                f"{name} was loaded from an artifact. Name what that was built of"
            )
        return ToolSelection([as_tool(f) for f in registry.functions], list(registry.folders))
    if isinstance(found, ModuleType):
        made = [value for value in vars(found).values() if isinstance(value, FunctionTool)]
        if not made:
            raise ReferenceProblem(f"{name} has no tools. Decorate its functions with `@tool`")
        return ToolSelection(list(dict.fromkeys(made)))
    if isinstance(found, Iterable) and not isinstance(found, str | bytes):
        several = list(found)
        if several and all(callable(each) for each in several):
            return ToolSelection([as_tool(each) for each in several])
    elif callable(found):
        return ToolSelection([as_tool(found)])
    wanted = "Name a function, a list of functions, a module or a Registry"
    raise ReferenceProblem(f"{name} is {type(found).__name__}. {wanted}")


def artifact_sources(tools: Iterable[FunctionTool[..., Any]]) -> list[FunctionSource]:
    """Return the sources of tools for an artifact. One that nobody else can import is an error."""
    return [_for_artifact(tool.source) for tool in tools]


def _for_artifact(source: FunctionSource) -> FunctionSource:
    if source.importable or any(f.rule == "function" for f in source.findings):
        return source
    message = "an artifact can only name functions that other processes can import"
    fix = "Define it at the top of a module that is not the program's main file."
    problem = LintFinding("error", "closure", source.label, "", message, fix)
    others = [finding for finding in source.findings if finding.rule != "closure"]
    return replace(source, findings=[*others, problem])


def _imported(module: str) -> ModuleType:
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        here = os.getcwd()
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise ReferenceProblem(f"{module} cannot be imported: {error}") from None
        if here in sys.path or "" in sys.path:
            raise ReferenceProblem(
                f"there is no module {module!r} here. Install its package, or start in the folder "
                "that holds it"
            ) from None
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a module may raise anything
        said = f"{type(error).__name__}: {error}"
        raise ReferenceProblem(f"{module} cannot be imported: {said}") from None
    # A command of ours is no module of the working directory's, whose modules `python -m` sees.
    # At the end, so that nothing there takes the place of what is installed.
    sys.path.append(here)
    importlib.invalidate_caches()
    try:
        return _imported(module)
    except ReferenceProblem:
        sys.path.remove(here)
        raise


def find_tool(reference: str) -> FunctionTool[..., Any]:
    """Return the function tool that a reference names. Raises ReferenceProblem."""
    found = find(reference)
    if not callable(found):
        raise ReferenceProblem(f"{reference} is {type(found).__name__}, not a function")
    return as_tool(found)


def _attribute(holder: Any, name: str) -> Any:
    for part in name.split("."):
        holder = getattr(holder, part, None)
    return holder
