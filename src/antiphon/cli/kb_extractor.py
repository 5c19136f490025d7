"""Extractor of `antiphon kb ingest`: rules, or a model that is asked from the command line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from antiphon.cli.kb_options import knowledge_application, stop
from antiphon.cli.options import settings_of

if TYPE_CHECKING:
    from antiphon.knowledge import KnowledgeBase
    from antiphon.knowledge.ingestion import Extractor


@contextmanager
def opened_with_extractor(
    command: str, name: str | None, data: Path | None, config: Path | None
) -> Iterator[tuple[KnowledgeBase, Extractor | None]]:
    """The knowledge base, and the extractor with this name or of the settings; None for rules.

    A model without a key ends the command: nobody asks for it and wants rules.
    """
    from antiphon.app.key_files import KeyFileError
    from antiphon.app.store import open_store
    from antiphon.config.settings import BUILT_IN, choices
    from antiphon.contracts.metering import Payer
    from antiphon.plugins import Plugins
    from antiphon.providers import ProviderFault
    from antiphon.server.scope import LOCAL_USER
    from antiphon.storage import StoreError

    if name is not None and name not in choices("knowledge.extractor", BUILT_IN):
        names = choices("knowledge.extractor", Plugins())
        if name not in names:
            raise typer.BadParameter(f"choose one of {', '.join(names)}.", param_hint="--extractor")
    settings = settings_of(f"kb {command}", data, config)
    chosen = name or settings.knowledge.extractor
    try:
        # What a model costs is set aside in the store.
        store = None if chosen == "rules" else open_store(settings)
        with knowledge_application(command, settings, extractor=chosen, store=store) as application:
            base = application.knowledge.base()
            if chosen == "rules":
                yield base, None
                return
            application.backends.provider((chosen, "text"))
            # On the account of whoever has this machine: nobody has signed in here.
            yield base, application.extraction.extractor(Payer(LOCAL_USER, agent="ingestion"))
    except KeyFileError as error:
        raise stop(command, str(error)) from None
    except ProviderFault as failed:
        raise stop(command, failed.fault.message) from None
    except StoreError as error:
        raise stop(command, str(error)) from None
