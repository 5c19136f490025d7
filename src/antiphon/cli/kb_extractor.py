"""The extractor of `antiphon kb ingest`: rules, or a model that is asked from the command line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from antiphon.cli.kb_options import settings_of, stop

if TYPE_CHECKING:
    from antiphon.knowledge.ingestion import Extractor


@contextmanager
def chosen_extractor(
    command: str, name: str | None, data: Path | None, config: Path | None
) -> Iterator[Extractor | None]:
    """The extractor with this name, or of the settings; None for rules alone.

    A model without a key ends the command: nobody asks for it and wants rules.
    """
    from antiphon.config.settings import BUILT_IN, choices
    from antiphon.plugins import Plugins

    if name is not None and name not in choices("knowledge.extractor", BUILT_IN):
        names = choices("knowledge.extractor", Plugins())
        if name not in names:
            raise typer.BadParameter(f"choose one of {', '.join(names)}.", param_hint="--extractor")
    settings = settings_of(command, data, config)
    chosen = name or settings.knowledge.extractor
    if chosen == "rules":
        yield None
        return
    import asyncio

    from antiphon.app.extraction import ModelExtraction
    from antiphon.app.key_files import KeyFileError, read_keys
    from antiphon.knowledge.service import FOLDER
    from antiphon.providers import Backends, ProviderFault

    with asyncio.Runner() as runner:
        backends = Backends(settings.providers, settings.data)
        extraction = ModelExtraction(chosen, backends, settings.data / FOLDER, runner=runner)
        try:
            for vendor, key in read_keys(settings.data).items():
                if vendor in backends.specs:
                    runner.run(backends.set_key(vendor, key))
            backends.provider((chosen, "text"))
            yield extraction.extractor
        except KeyFileError as error:
            raise stop(command, str(error)) from None
        except ProviderFault as failed:
            raise stop(command, failed.fault.message) from None
        finally:
            runner.run(extraction.close())
            runner.run(backends.close())
