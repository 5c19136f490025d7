"""Access commands: the directory that they open, their shared options, passwords and times."""

from __future__ import annotations

import sys
from collections.abc import Callable, Coroutine
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from antiphon.cli.audit_options import check_store_exists
from antiphon.cli.options import settings_of
from antiphon.cli.status import stop

if TYPE_CHECKING:
    from collections.abc import Iterator

    from antiphon.access.administration import Administration
    from antiphon.access.directory import AccessDirectory
    from antiphon.config import Settings

BY = "(command line)"  # in the audit; no user can have this name
_MAX_LINE = 2 * 1024 * 1024

Result = TypeVar("Result")

OrganisationOption = Annotated[
    str, typer.Option("--organisation", metavar="ID", help="Of this organisation, not the first.")
]


@dataclass(frozen=True)
class AccessCommand:
    """What a command works on: the directory, and its administration by the operator."""

    directory: AccessDirectory
    administration: Administration
    settings: Settings


def with_access(
    command: str,
    data: Path | None,
    config: Path | None,
    work: Callable[[AccessCommand], Coroutine[Any, Any, Result]],
    *,
    make: bool = False,
) -> Result:
    """Do something with the directory of the settings' store; with `make` it is made when it is
    not there. What the directory refuses ends the command, in words."""
    import asyncio

    from antiphon.access.administration import Administration
    from antiphon.app import Application

    settings = settings_of(command, data, config)
    assert settings.store.url is not None
    if not make:
        check_store_exists(command, settings.store.url)

    async def opened() -> Result:
        async with Application(settings) as application:
            store = await application.open_store(make=make)
            administration = Administration(application.access, None, by=BY)
            done = await work(AccessCommand(application.access, administration, settings))
            await store.flush()
            return done

    with refusals(command):
        return asyncio.run(opened())


@contextmanager
def refusals(command: str) -> Iterator[None]:
    """End the command in words for what the directory or its store refuses."""
    from antiphon.access.errors import AccessError, AccessRefused
    from antiphon.contracts.rights import RightsError
    from antiphon.storage import StoreError

    try:
        yield
    except (AccessError, AccessRefused, RightsError, StoreError, OSError) as error:
        raise stop(command, str(error)) from None


def link_url(settings: Settings, secret: str) -> str:
    """The address of a link, under the one by which people reach the server."""
    from antiphon.access.single_use import link_address

    server = settings.server
    host = f"[{server.host}]" if ":" in server.host else server.host
    return link_address(settings.access.public_url or f"http://{host}:{server.port}", secret)


def show_once(secret: str, words: str) -> None:
    """Print a secret, alone on standard output so that it can be piped; `words` go beside it."""
    from antiphon.cli.terminal import echo

    typer.echo(words, err=True)
    echo(secret)


def asked_password() -> str:
    """A password, typed twice without echo; where nobody is there to ask, the first line of
    standard input."""
    if sys.stdin.isatty():
        given: str = typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
        return given
    line = sys.stdin.buffer.readline(_MAX_LINE)
    return line.decode("utf-8", "surrogateescape").rstrip("\r\n")


def moment(text: str, option: str) -> float:
    """Seconds of the epoch for `90d`, or for a date or time (ISO 8601; UTC unless it has a zone).
    Raises BadParameter."""
    days = text[:-1]
    try:
        if text.endswith("d") and days.isascii() and days.isdigit():
            return (datetime.now(UTC) + timedelta(days=int(days))).timestamp()
        at = datetime.fromisoformat(text)
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        raise typer.BadParameter(
            "write a number of days, like 90d, or a date or time, like 2027-01-31 or "
            "2027-01-31T18:00:00Z",
            param_hint=option,
        ) from None
