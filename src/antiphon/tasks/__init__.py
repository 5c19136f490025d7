"""Durable background tasks: what a tool marked `background` does goes on across restarts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from antiphon._lazy import lazy

if TYPE_CHECKING:
    from antiphon.tasks.runner import TaskRunner

__all__ = ["TaskRunner"]

__getattr__ = lazy(__name__, {"TaskRunner": "antiphon.tasks.runner"}, globals())
