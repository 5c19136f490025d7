"""Tool sources: the registry made of what a program gives as its tools."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from antiphon.registry import Registry

ToolSource = Callable[..., Any] | str | os.PathLike[str]


def registry_of(tools: Registry | Iterable[ToolSource]) -> Registry:
    """Make the registry: `tools` is one, or functions and folders of tools.

    Raises RegistryError with every finding, each with file and line.
    """
    from antiphon.registry import Registry

    if isinstance(tools, Registry):
        return tools
    folders: list[str | os.PathLike[str]] = []
    functions: list[Callable[..., Any]] = []
    for each in [tools] if isinstance(tools, str) else cast("Iterable[ToolSource]", tools):
        if isinstance(each, str | os.PathLike):
            folders.append(each)
        else:
            functions.append(each)
    return Registry.of(*functions, folders=folders)
