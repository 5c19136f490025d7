"""The assembly of an application: the parts that the settings ask for, opened and closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from antiphon._lazy import lazy

if TYPE_CHECKING:
    from antiphon.app.application import Application
    from antiphon.app.knowledge import KnowledgeOptions
    from antiphon.app.tools import ToolBuildError, load_tools

_HOMES = {
    "Application": "antiphon.app.application",
    "KnowledgeOptions": "antiphon.app.knowledge",
    "ToolBuildError": "antiphon.app.tools",
    "load_tools": "antiphon.app.tools",
}
__all__ = ["Application", "KnowledgeOptions", "ToolBuildError", "load_tools"]
__getattr__ = lazy(__name__, _HOMES, globals())
