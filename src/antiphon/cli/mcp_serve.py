"""`antiphon mcp serve`: the tools over standard input and output, for a client that starts it."""

from __future__ import annotations

from typing import Annotated

import typer

from antiphon.cli.options import ConfigOption, DataOption, settings_of
from antiphon.cli.status import stop

UserOption = Annotated[
    str | None,
    typer.Option("--user", help="In whose name it is served; needed where people sign in."),
]


def register(group: typer.Typer) -> None:
    group.command("serve")(serve)


def serve(
    user: UserOption = None,
    data: DataOption = None,
    config: ConfigOption = None,
) -> None:
    """Serve the tools over standard input and output."""
    settings_of("mcp serve", data, config, export=True)
    del user
    raise stop("mcp serve", "not there yet.")
