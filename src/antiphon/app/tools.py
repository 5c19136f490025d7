"""Tool registry factory: the tool folders of the settings, built and loaded."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from antiphon.plugins import Plugin, Plugins, folder_of

if TYPE_CHECKING:
    from antiphon.config import Settings
    from antiphon.registry import Registry
    from antiphon.registry.findings import LintFinding


logger = logging.getLogger(__name__)


class ToolBuildError(Exception):
    """The tools cannot be used. `findings` has one entry for each defect that the build found."""

    def __init__(self, message: str, findings: list[LintFinding]) -> None:
        super().__init__(message)
        self.findings = findings


def tool_folders(settings: Settings, plugins: Plugins | None = None) -> list[Path]:
    """The folders of the settings, then those of plug-ins. One that is no folder is named in the
    log and left out."""
    return [*settings.tools.folders, *_plugin_folders(settings, plugins or Plugins())]


def _plugin_folders(settings: Settings, plugins: Plugins) -> dict[Path, Plugin]:
    found, problems = examine_tools(plugins)
    for problem in problems:
        logger.warning("%s", problem)
    return {folder: each for folder, each in found.items() if folder not in settings.tools.folders}


def examine_tools(plugins: Plugins) -> tuple[dict[Path, Plugin], list[str]]:
    """Return the tool folders of plug-ins, and what is wrong with those that are none."""
    found: dict[Path, Plugin] = {}
    problems: list[str] = []
    for plugin, named in plugins.usable("tools"):
        try:
            folder = folder_of(named)
            if not folder.is_dir():
                raise TypeError(f"{folder} is no folder")
        except TypeError as error:
            problems.append(_left_out(plugin, str(error)))
        else:
            found[folder] = plugin
    return found, problems


def _left_out(plugin: Plugin, why: str) -> str:
    whose = f"{plugin.origin} {plugin.version}".strip()
    return f"The tools of the plug-in {plugin.name} ({whose}) are left out: {why}."


def load_tools(settings: Settings, plugins: Plugins | None = None) -> Registry:
    """Build today's tools and load them; in production the registry is locked. A plug-in whose
    tools have errors is named in the log and left out.

    Raises ToolBuildError, also for a data folder that cannot be written.
    """
    from antiphon.registry import Registry, RegistryError
    from antiphon.registry.builder import build

    folders = settings.tools.folders
    further = _plugin_folders(settings, plugins or Plugins())
    try:
        settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        report = build([*folders, *further], settings.registry_file)
        while not report.ok and (spoiled := _spoiled(further, report.findings)):
            for folder, why in spoiled.items():
                logger.warning("%s", _left_out(further.pop(folder), why))
            report = build([*folders, *further], settings.registry_file)
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
    except RegistryError as error:
        raise ToolBuildError(str(error), []) from None
    return registry.lock() if settings.mode == "production" else registry


def _spoiled(further: Iterable[Path], findings: Iterable[LintFinding]) -> dict[Path, str]:
    """The folders of plug-ins that have errors, each with its first."""
    found: dict[Path, str] = {}
    for finding in findings:
        for folder in further:
            place = folder.parent / finding.file  # findings name files from there
            if finding.severity == "error" and folder in place.parents and place.exists():
                found.setdefault(folder, f"{finding.file} {finding.message}")
    return found
