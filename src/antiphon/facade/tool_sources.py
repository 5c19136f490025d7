"""Tool sources: the registry made of what a program gives as its tools."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from antiphon.registry import Registry


def registry_of(tools: Registry | Iterable[Any]) -> Registry:
    """Make the registry: `tools` is one, or functions and folders of tools.

    Raises RegistryError with every finding, TypeError for what is no tool.
    """
    from antiphon.registry import Registry

    if isinstance(tools, Registry):
        return tools
    tools = list(tools)
    folders = [Path(each) for each in tools if isinstance(each, str | os.PathLike)]
    return _built(folders)


def _built(folders: list[Path]) -> Registry:
    from antiphon.registry import Registry, RegistryError
    from antiphon.registry.builder import build

    with tempfile.TemporaryDirectory(prefix="antiphon-") as scratch:
        artifact = Path(scratch) / "tool_registry.json"
        report = build(folders, artifact)
        if not report.ok:
            found = "\n".join(f"{f.file}: {f.message} {f.fix}" for f in report.findings)
            raise RegistryError(found)
        return Registry.load(artifact)
