"""Shared options of the commands, and the settings that they lead to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from antiphon.cli.completion import profile_names
from antiphon.cli.status import stop
from antiphon.plugins import TABLE

if TYPE_CHECKING:
    from antiphon.config import Settings


def _known_backend(name: str | None) -> str | None:
    """Raises BadParameter for a provider that is neither built in nor installed."""
    if name is None or name in TABLE["providers"]:
        return name
    from antiphon.plugins import Plugins

    known = Plugins().names("providers")
    if name not in known:
        raise typer.BadParameter(f"must be one of {', '.join(known)}", param_hint="--backend")
    return name


DataOption = Annotated[
    Path | None, typer.Option("--data", file_okay=False, help="Folder in which data lives.")
]
ConfigOption = Annotated[
    Path | None, typer.Option("--config", help="Settings file instead of ./antiphon.toml.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
BackendOption = Annotated[
    str | None,
    typer.Option("--backend", help=f"{', '.join(TABLE['providers'])}.", callback=_known_backend),
]
ProfileOption = Annotated[
    str | None,
    typer.Option("--profile", help="Who answers, such as assistant.", autocompletion=profile_names),
]


def settings_of(
    command: str,
    data: Path | None,
    config: Path | None,
    *,
    export: bool = False,
    **flags: tuple[str, Any],
) -> Settings:
    """The settings in force; what is wrong with them ends the command, in words.

    With `export` tools get the variables of `.env` that are no settings. `flags` are further ones,
    by setting with `__` for the dot: the flag's name and its value.
    """
    from antiphon.config import ConfigError, load_settings

    given = {name.replace("__", "."): flag for name, flag in flags.items()}
    try:
        loaded = load_settings(config, flags={"data": ("--data", data), **given})
    except ConfigError as error:
        raise stop(command, *error.problems) from None
    if (trouble := prices_trouble(loaded.settings)) is not None:
        raise stop(command, f"{loaded.origins['usage.prices']}: `usage.prices`: {trouble}")
    if export:
        loaded.export()
    return loaded.settings


def prices_trouble(settings: Settings) -> str | None:
    """What is wrong with the file of prices, in words; None: nothing."""
    if settings.usage.prices is None:
        return None
    from antiphon.usage.prices import PricesError, load_prices

    try:
        load_prices(settings.usage.prices)
    except PricesError as error:
        return str(error)
    return None


def check_mode(name: str) -> None:
    """Raises BadParameter for a mode that is neither text nor voice."""
    if name not in ("text", "voice"):
        raise typer.BadParameter("must be text or voice", param_hint="--mode")
