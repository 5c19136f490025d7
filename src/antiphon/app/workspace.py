"""Workspace factory: playbooks and the services behind `context.workspace`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from antiphon.app.completions import Completions
    from antiphon.config import Settings
    from antiphon.registry import Registry
    from antiphon.storage import Store
    from antiphon.workspace import Workspace
    from antiphon.workspace.images import Images
    from antiphon.workspace.playbooks import Playbooks


def open_playbooks(settings: Settings) -> Playbooks:
    """Make the playbooks: those that ship, and people's own in the data folder."""
    from antiphon.workspace.playbooks import FOLDER, OWN, SHIPPED, Playbooks

    return Playbooks(settings.data / FOLDER, (SHIPPED, settings.data / OWN))


def open_shipped_playbooks(settings: Settings) -> Playbooks:
    """Make the playbooks that ship, for organisations beside the first."""
    from antiphon.workspace.playbooks import FOLDER, SHIPPED, Playbooks

    return Playbooks(settings.data / f"shipped-{FOLDER}", (SHIPPED,))


def open_services(
    settings: Settings,
    store: Store,
    registry: Registry,
    *,
    completions: Completions,
    playbooks: Playbooks,
    images: Images,
) -> Workspace:
    """Make the workspace over a store; steps of macros call the tools of the registry."""
    from antiphon.net.egress import Egress
    from antiphon.workspace import open_workspace

    return open_workspace(
        store,
        registry.snapshot,
        ask=completions.ask,
        files=settings.data,
        egress=Egress(settings.egress.allowed),
        playbooks=playbooks,
        images=images,
    )
