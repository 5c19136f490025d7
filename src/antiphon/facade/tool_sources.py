"""Tool sources: the registry made of what a program gives as its tools."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeAlias, cast

if TYPE_CHECKING:
    from antiphon.registry import Registry

ToolSource: TypeAlias = Callable[..., Any] | str | os.PathLike[str]


def tool_sources(
    tools: Registry | ToolSource | Iterable[ToolSource],
) -> Registry | tuple[ToolSource, ...]:
    """Return the functions and folders that were given, one alone or several; a registry as it
    is. Raises TypeError for anything else."""
    from antiphon.registry import Registry

    if isinstance(tools, Registry):
        return tools
    if isinstance(tools, str | os.PathLike) or callable(tools):
        return (tools,)
    if not isinstance(tools, Iterable):
        raise TypeError(
            f"`tools` are functions, folders or a Registry, not {type(tools).__name__}."
        )
    return tuple(cast("Iterable[ToolSource]", tools))


def registry_of(sources: Registry | tuple[ToolSource, ...]) -> Registry:
    """Make the registry of functions and folders.

    Raises RegistryError with every finding, each with file and line.
    """
    from antiphon.registry import Registry

    if isinstance(sources, Registry):
        return sources
    folders = [each for each in sources if isinstance(each, str | os.PathLike)]
    functions = [each for each in sources if not isinstance(each, str | os.PathLike)]
    return Registry.of(*functions, folders=folders)
