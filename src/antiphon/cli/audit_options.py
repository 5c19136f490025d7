"""Shared options of `antiphon audit`: the store it reads, and plain output."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from antiphon.cli.options import settings_of
from antiphon.cli.status import stop

if TYPE_CHECKING:
    from antiphon.storage import AuditLine, Store

PAGE = 1000

Result = TypeVar("Result")

StoreUrl = Annotated[
    str | None,
    typer.Option("--store", metavar="URL", help="The store to read, instead of the settings'."),
]

# -- the store ------------------------------------------------------------------------------------


def with_store(
    command: str,
    data: Path | None,
    config: Path | None,
    url: str | None,
    work: Callable[[Store], Coroutine[Any, Any, Result]],
    *,
    audit_file: bool = False,
) -> Result:
    """Do something with an open store. One that is not there is an error, never made.

    With `audit_file` what is done to the audit is done to the file beside the store as well.
    """
    import asyncio

    from antiphon.app import Application
    from antiphon.config import Settings
    from antiphon.config.settings import StoreSettings
    from antiphon.storage import StoreError

    if url:
        settings = Settings().model_copy(update={"store": StoreSettings.model_construct(url=url)})
    else:
        settings = settings_of(command, data, config)
    assert settings.store.url is not None
    check_store_exists(command, settings.store.url)
    beside = audit_file and not url and settings.audit_file.is_file()

    async def opened() -> Result:
        async with Application(settings, audit_file=beside) as application:
            return await work(await application.open_store(make=False))

    try:
        return asyncio.run(opened())
    except StoreError as error:
        raise stop(command, str(error)) from None


def check_store_exists(command: str, url: str) -> None:
    """Stop where there is no store: whoever mistypes a folder would get an empty one."""
    scheme, _, rest = url.partition(":///")
    if scheme.partition("+")[0] == "sqlite" and rest and not Path(rest).is_file():
        raise stop(
            command,
            f"there is no store at {rest}. Start the server once, or say where it is with --data "
            "or --store.",
        )


async def pages(
    store: Store, after_seq: int, filters: dict[str, Any]
) -> AsyncIterator[list[AuditLine]]:
    """All lines that fit, up to the last one that there was at the start."""
    newest = await store.audit_lines(limit=1, newest_first=True)
    end = newest[0].seq + 1 if newest else 1
    while True:
        page = await store.audit_lines(after_seq=after_seq, before_seq=end, limit=PAGE, **filters)
        if page:
            yield page
            after_seq = page[-1].seq
        if len(page) < PAGE:
            return


async def all_lines(store: Store) -> list[dict[str, Any]]:
    return [line.data async for page in pages(store, 0, {}) for line in page]


def clock(at: float) -> str:
    from datetime import UTC, datetime

    try:
        return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
    except (OverflowError, OSError, ValueError):
        return str(at)


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
