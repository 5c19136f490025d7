"""Tool registry factory: the tools of the settings and of plug-ins, built and loaded."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from antiphon.plugins import Plugin, Plugins, folder_of

if TYPE_CHECKING:
    from antiphon.config import Settings
    from antiphon.registry import Registry
    from antiphon.registry.builder import BuildReport
    from antiphon.registry.findings import LintFinding
    from antiphon.registry.functions.source import FunctionSource


logger = logging.getLogger(__name__)


class ToolBuildError(Exception):
    """The tools cannot be used. `findings` has one entry for each defect that the build found."""

    def __init__(self, message: str, findings: list[LintFinding]) -> None:
        super().__init__(message)
        self.findings = findings


@dataclass(slots=True)
class NamedTools:
    """Tools by what names them: folders of tool directories, and functions."""

    folders: list[Path] = field(default_factory=list)
    sources: list[FunctionSource] = field(default_factory=list)

    def with_others(self, others: Iterable[NamedTools]) -> NamedTools:
        """Return these tools and those; a folder counts once."""
        folders, sources = list(self.folders), list(self.sources)
        for other in others:
            folders += [folder for folder in other.folders if folder not in folders]
            sources += other.sources
        return NamedTools(folders, sources)


def named_tools(references: Iterable[str]) -> NamedTools:
    """The tools that references such as `shop.tools:order_status` name. Raises ToolBuildError."""
    found = NamedTools()
    for reference in references:
        from antiphon.registry.functions.reference import ReferenceProblem, find

        try:
            found = found.with_others([_selected(find(reference), reference)])
        except ReferenceProblem as error:
            raise ToolBuildError(f"{reference}: {error}.", []) from None
    return found


def configured_tools(settings: Settings, plugins: Plugins | None = None) -> NamedTools:
    """The tools of the settings, then those of plug-ins. What names none is said in the log and
    left out. Raises ToolBuildError for a function of the settings that there is not."""
    further = _plugin_tools(plugins or Plugins())
    return _own_tools(settings).with_others(tools for _, tools in further)


def _own_tools(settings: Settings) -> NamedTools:
    functions = named_tools(settings.tools.functions)
    return NamedTools(list(settings.tools.folders)).with_others([functions])


def _plugin_tools(plugins: Plugins) -> list[tuple[Plugin, NamedTools]]:
    found, problems = examine_tools(plugins)
    for problem in problems:
        logger.warning("%s", problem)
    return found


def examine_tools(plugins: Plugins) -> tuple[list[tuple[Plugin, NamedTools]], list[str]]:
    """Return the tools of plug-ins, and what is wrong with those that name none."""
    found: list[tuple[Plugin, NamedTools]] = []
    problems: list[str] = []
    for plugin, named in plugins.usable("tools"):
        try:
            found.append((plugin, _tools_of(named, plugin.name)))
        except (TypeError, ValueError) as error:
            problems.append(_left_out(plugin, str(error)))
    return found, problems


def _tools_of(named: Any, name: str) -> NamedTools:
    """The tools that an entry point names. Raises TypeError, or ValueError for functions."""
    if _has_functions(named):
        return _selected(named, name)
    folder = folder_of(named)
    if not folder.is_dir():
        raise TypeError(f"{folder} is no folder")
    return NamedTools([folder])


def _has_functions(named: Any) -> bool:
    from antiphon.registry.functions import FunctionTool

    values = vars(named).values() if isinstance(named, ModuleType) else named
    if isinstance(values, FunctionTool):
        return True
    if isinstance(values, str | Path) or not isinstance(values, Iterable):
        return False
    return any(isinstance(value, FunctionTool) for value in values)


def _selected(found: Any, name: str) -> NamedTools:
    from antiphon.registry.functions.reference import artifact_sources, select_tools

    selection = select_tools(found, name)
    return NamedTools(selection.folders, artifact_sources(selection.functions))


def _left_out(plugin: Plugin, why: str) -> str:
    whose = f"{plugin.origin} {plugin.version}".strip()
    return f"The tools of the plug-in {plugin.name} ({whose}) are left out: {why}."


def load_tools(settings: Settings, plugins: Plugins | None = None) -> Registry:
    """Build today's tools and load them; in production the registry is locked. A plug-in whose
    tools have errors is named in the log and left out.

    Raises ToolBuildError, also for a data folder that cannot be written.
    """
    from antiphon.contracts.version_rules import VersionRule
    from antiphon.orchestrator.tool_versions import ToolVersions
    from antiphon.registry import Registry, RegistryError
    from antiphon.registry.builder import build

    own = _own_tools(settings)
    further = _plugin_tools(plugins or Plugins())

    def built() -> BuildReport:
        tools = own.with_others(tools for _, tools in further)
        return build(tools.folders, settings.registry_file, functions=tools.sources)

    try:
        settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        report = built()
        while not report.ok and (spoiled := _spoiled(further, report.findings)):
            for plugin, why in spoiled.items():
                logger.warning("%s", _left_out(plugin, why))
            further = [each for each in further if each[0] not in spoiled]
            report = built()
    except OSError as error:
        raise ToolBuildError(
            f"cannot write to the data folder {settings.data}: {error.strerror or error}. "
            "Choose another with --data.",
            [],
        ) from None
    if not report.ok:
        found = list(report.findings)
        raise ToolBuildError("the tools have errors (above); nothing was started.", found)
    try:
        registry = Registry.load(settings.registry_file)
        versions = ToolVersions(map(VersionRule.parse, settings.tools.versions))
        versions.check(registry.snapshot())
    except (RegistryError, ValueError) as error:
        raise ToolBuildError(str(error), []) from None
    return registry.lock() if settings.mode == "production" else registry


def _spoiled(
    further: Iterable[tuple[Plugin, NamedTools]], findings: Iterable[LintFinding]
) -> dict[Plugin, str]:
    """The plug-ins whose tools have errors, each with its first."""
    found: dict[Plugin, str] = {}
    for finding in findings:
        for plugin, tools in further:
            if finding.severity == "error" and _is_about(finding, tools):
                found.setdefault(plugin, f"{finding.file} {finding.message}")
    return found


def _is_about(finding: LintFinding, tools: NamedTools) -> bool:
    if any(finding.file == source.label for source in tools.sources):
        return True
    for folder in tools.folders:
        place = folder.parent / finding.file  # findings name files from there
        if folder in place.parents and place.exists():
            return True
    return False
