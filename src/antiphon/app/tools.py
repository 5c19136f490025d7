"""Tool registry factory: the tool folders of the settings, built and loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from antiphon.config import Settings
    from antiphon.registry import Registry
    from antiphon.registry.findings import LintFinding


class ToolBuildError(Exception):
    """The tools cannot be used. `findings` has one entry for each defect that the build found."""

    def __init__(self, message: str, findings: list[LintFinding]) -> None:
        super().__init__(message)
        self.findings = findings


def load_tools(settings: Settings) -> Registry:
    """Build today's tools and load them; in production the registry is locked.

    Raises ToolBuildError, also for a data folder that cannot be written.
    """
    from antiphon.registry import Registry, RegistryError
    from antiphon.registry.builder import build

    try:
        settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        report = build(settings.tools.folders, settings.registry_file)
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
