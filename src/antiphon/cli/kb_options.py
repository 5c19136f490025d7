"""Shared options of `antiphon kb`: the knowledge base, progress and plain output."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from antiphon.cli import status
from antiphon.cli.completion import databases
from antiphon.cli.options import settings_of

if TYPE_CHECKING:
    from antiphon.app import Application
    from antiphon.config import Settings
    from antiphon.knowledge import KnowledgeBase

DatabaseId = Annotated[
    str,
    typer.Argument(metavar="DATABASE", help="Its id, such as studio.", autocompletion=databases),
]


@contextmanager
def opened(
    command: str,
    data: Path | None,
    config: Path | None,
    *,
    make: bool = False,
    embeds: bool = False,
) -> Iterator[KnowledgeBase]:
    """The knowledge base of the settings; what it cannot do ends the command with a sentence.

    One that is not there is an error unless `make` says so: whoever mistypes a folder would get
    an empty one. Without `embeds` search is by words and nothing is embedded meanwhile.
    """
    settings = settings_of(f"kb {command}", data, config)
    with knowledge_application(command, settings, make=make, embeds=embeds) as application:
        yield application.knowledge.base()


@contextmanager
def knowledge_application(
    command: str, settings: Settings, *, make: bool = False, embeds: bool = False, **options: Any
) -> Iterator[Application]:
    """An application of which only knowledge is used, see `opened`; `options` are further ones."""
    from antiphon.app import KnowledgeOptions
    from antiphon.cli.sync_application import opened_application
    from antiphon.knowledge import KnowledgeError
    from antiphon.knowledge.service import FOLDER

    folder = settings.data / FOLDER
    if not make and settings.knowledge.url is None and not folder.is_dir():
        raise stop(
            command,
            f"there is no knowledge base at {folder}. Start the server once, make a database with "
            "`antiphon kb create`, or say where it is with --data.",
        )
    used = KnowledgeOptions(embeds=embeds, every_core=True, samples=False)
    try:
        with opened_application(settings, knowledge=used, **options) as application:
            yield application
    except KnowledgeError as error:
        raise stop(command, error.message) from None


def stop(command: str, *messages: str) -> typer.Exit:
    return status.stop(f"kb {command}", *messages)


@contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """Draws a bar on a terminal; elsewhere it does nothing."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn(label), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=max(total, 1))
