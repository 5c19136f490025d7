"""Knowledge factory: the knowledge service and embedder that the settings choose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from antiphon.config import Settings
    from antiphon.knowledge.service import KnowledgeService
    from antiphon.plugins import Plugins


@dataclass(frozen=True, slots=True)
class KnowledgeOptions:
    """Options of the knowledge service.

    Without `embeds` search is by words and nothing is embedded. `every_core`: the built-in
    embedder may use all cores, as nobody else is served by this process. `samples`: sample
    databases are imported into a new knowledge base.
    """

    embeds: bool = True
    every_core: bool = False
    samples: bool = True


def knowledge_service(
    settings: Settings, options: KnowledgeOptions, plugins: Plugins, organisation: str = ""
) -> KnowledgeService:
    """Make the knowledge service of an organisation; nothing is opened before its `base` is asked
    for. The sample databases are for the first organisation alone."""
    from antiphon.knowledge.service import KnowledgeService

    embedder = settings.embedder if options.embeds else None
    if embedder is not None and options.every_core:
        from antiphon.knowledge.embedding import DEFAULT, available_cores

        name, given = embedder
        if name == DEFAULT:
            embedder = name, {"cores": available_cores(), **given}
    return KnowledgeService(
        settings.data,
        settings.knowledge.url,
        embedder,
        plugins,
        samples=options.samples and not organisation,
        organisation=organisation,
    )
