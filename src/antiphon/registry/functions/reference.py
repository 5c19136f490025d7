"""References to function tools: `module:name`, as an artifact and a command line name them."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any

from antiphon.registry.functions.function_tool import FunctionTool, as_tool
from antiphon.registry.functions.signature import is_nested, unwrapped


class ReferenceProblem(ValueError):
    """A reference leads to nothing that can be used; the text says why and what to do."""


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
    if found is tool or found is tool.function:
        return f"{module}:{name}"
    for other, value in vars(sys.modules.get(module, ModuleType(""))).items():
        if value is tool:  # bound to another name than that of the function
            return f"{module}:{other}"
    return None


def find(reference: str) -> Any:
    """Import what a reference names. Raises ReferenceProblem."""
    module, _, name = reference.partition(":")
    try:
        found: Any = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and (module + ".").startswith(error.name + "."):
            raise ReferenceProblem(
                f"there is no module {module!r} here. Install its package, or start in the folder "
                "that holds it"
            ) from None
        raise ReferenceProblem(f"{module} cannot be imported: {error}") from None
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a module may raise anything
        said = f"{type(error).__name__}: {error}"
        raise ReferenceProblem(f"{module} cannot be imported: {said}") from None
    for part in name.split(".") if name else ():
        try:
            found = getattr(found, part)
        except AttributeError:
            raise ReferenceProblem(f"{module} has no {name!r}") from None
    return found


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
