"""The command line, `antiphon …`: one module for each group of commands.

Modules here import heavy things inside their commands, so that `antiphon --help` stays quick.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from antiphon import __version__
from antiphon.cli import (
    audit,
    backup,
    blocks,
    build,
    calendar,
    chat,
    doctor,
    emulate,
    groups,
    init,
    kb,
    mcp,
    organisations,
    prompt,
    roles,
    secrets,
    serve,
    talk,
    tokens,
    tools,
    usage,
    users,
)
from antiphon.cli.status import ExitStatus
from antiphon.extras import missing_extra
from antiphon.secrecy.crash_output import install_redaction
from antiphon.secrecy.redaction import REDACTOR

__all__ = ["main"]

app = typer.Typer(
    name="antiphon",
    help="Call and response for voice and text agents: one governed tool registry.",
    epilog="Exit status: 0 done, 1 found something wrong, 2 wrong usage.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"antiphon {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", is_eager=True, callback=_print_version
        ),
    ] = False,
) -> None:
    pass


for _module in (
    init,
    serve,
    chat,
    talk,
    build,
    tools,
    kb,
    mcp,
    calendar,
    audit,
    blocks,
    users,
    groups,
    roles,
    tokens,
    organisations,
    secrets,
    usage,
    backup,
    prompt,
    emulate,
    doctor,
):
    _module.register(app)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    install_redaction()
    try:
        app(arguments, prog_name="antiphon")
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except KeyboardInterrupt:
        return ExitStatus.INTERRUPTED
    except Exception as error:
        # The last line of defence: people get a sentence, developers ask for the traceback.
        if os.environ.get("ANTIPHON_DEBUG"):
            raise
        if (missing := missing_extra(error)) is not None:
            sys.stderr.write(f"antiphon: {missing}\n")
            return ExitStatus.FOUND_WRONG
        said = REDACTOR.clean(" ".join(str(error).split()))
        sys.stderr.write(
            f"antiphon: {type(error).__name__}{': ' if said else ''}{said} "
            "(ANTIPHON_DEBUG=1 shows where)\n"
        )
        return ExitStatus.FOUND_WRONG
    return ExitStatus.DONE
