"""The registry at run time: the tools of one artifact or of functions, and newer ones."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from antiphon.registry.loading import compile_tools, load_artifact
from antiphon.registry.snapshot import Declarations, RegistryError, Snapshot, Tool, ToolStats
from antiphon.registry.versions import version_name

__all__ = ["Declarations", "Registry", "RegistryError", "Snapshot", "Tool"]

logger = logging.getLogger(__name__)


class ToolGroup(Protocol):
    """Several tools that come together, such as those of an MCP server."""

    @property
    def tools(self) -> Sequence[Callable[..., Any]]: ...


class Registry:
    """Today's snapshot of an artifact on disk, and the way to a newer one.

    Every question a snapshot answers, the registry answers for today's.
    """

    def __init__(self, path: Path, snapshot: Snapshot) -> None:
        self.path = path
        self.locked = False
        self._snapshot = self._base = snapshot
        self._joined: dict[str, list[Tool]] = {}
        # What a registry of functions was made of; None for one that was loaded.
        self.functions: tuple[Callable[..., Any], ...] | None = None
        self.folders: tuple[Path, ...] = ()
        self._make: Callable[[dict[str, ToolStats]], Snapshot] = lambda stats: load_artifact(
            path, stats, True
        )

    @classmethod
    def load(
        cls, path: str | os.PathLike[str] = "tool_registry.json", *, isolate: bool = True
    ) -> Registry:
        """Read an artifact, compile its validators and import its handlers.

        With `isolate` False, tools with `"isolation": "process"` run in this process, where a
        debugger sees them and nothing limits them.

        Raises RegistryError when a file of a tool is not the one that was built, when a handler
        cannot be imported, or when the artifact is no artifact.
        """
        registry = cls(Path(path), load_artifact(Path(path), {}, isolate))
        registry._make = lambda stats: load_artifact(Path(path), stats, isolate)
        return registry

    @classmethod
    def of(
        cls,
        *functions: Callable[..., Any],
        folders: Sequence[str | os.PathLike[str]] = (),
        mcp: Sequence[ToolGroup] = (),
        isolate: bool = True,
    ) -> Registry:
        """Make a registry of functions, with the tools of `folders` and of MCP servers
        (`antiphon.mcp.McpServer`) beside them; no file is written.

        Functions are decorated with `antiphon.tool`, or plain ones, which count as tools that
        write. `isolate` is that of `load`. Raises RegistryError with every finding of every tool,
        each with file and line.
        """
        path = Path("tool_registry.json").absolute()
        chosen = [Path(folder) for folder in folders]
        functions = (*functions, *(tool for group in mcp for tool in group.tools))

        def make(stats: dict[str, ToolStats]) -> Snapshot:
            return compile_tools(path, functions, chosen, stats, isolate)

        registry = cls(path, make({}))
        registry._make = make
        registry.functions, registry.folders = functions, tuple(chosen)
        return registry

    def lock(self) -> Registry:
        """Refuse `reload` from now on."""
        if self.locked:
            logger.warning("the registry is locked already; locking it again changes nothing")
        self.locked = True
        return self

    def snapshot(self) -> Snapshot:
        """Return today's snapshot, which a session pins when it starts."""
        return self._snapshot

    def reload(self) -> Snapshot:
        """Load the tools as they are now, for new sessions. On an error the old ones stay."""
        if self.locked:
            raise RegistryError("the registry is locked; restart the server to take new tools")
        stats = {tool_id: tool.stats for tool_id, tool in self._snapshot.tools.items()}
        for tool_id, versions in self._snapshot.versions.items():
            stats |= {version_name(tool_id, each): tool.stats for each, tool in versions.items()}
        self._base = self._make(stats)
        return self._merge()

    def join(self, group: str, tools: Sequence[Tool]) -> Snapshot:
        """Add tools of others for new sessions, in place of those that the group had; a locked
        registry takes them, too. Its version stays: sessions that are open go on with what they
        have. What has the id of a tool of its own is left out."""
        if tools:
            self._joined[group] = list(tools)
        else:
            self._joined.pop(group, None)
        return self._merge()

    def _merge(self) -> Snapshot:
        there = self._base.versions
        further = {
            tool.definition.tool_id: tool
            for tools in self._joined.values()
            for tool in tools
            if tool.definition.tool_id not in there
        }
        self._snapshot = self._base.with_tools(further.values()) if further else self._base
        return self._snapshot

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._snapshot, name)
