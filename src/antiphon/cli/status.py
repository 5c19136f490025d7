"""Exit status of every command: one table, used by all of them.

| status | meaning |
|---|---|
| 0 | done |
| 1 | found something wrong: the command was right, and what it looked into or did was not |
| 2 | wrong usage: the command line cannot be understood, or asks for what there is not to ask for |

Ctrl+C ends a command with 130, as shells expect.
"""

from __future__ import annotations

from enum import IntEnum

import typer


class ExitStatus(IntEnum):
    DONE = 0
    FOUND_WRONG = 1
    WRONG_USAGE = 2
    INTERRUPTED = 130


def stop(command: str, *messages: str, status: ExitStatus = ExitStatus.FOUND_WRONG) -> typer.Exit:
    """Say on standard error why a command ends, each message on a line; to be raised.

    `command` is what follows `antiphon`, such as `tools show`; nothing for the program itself.
    """
    from antiphon.registry.findings import plain

    name = f"antiphon {command}".rstrip()
    for message in messages:
        typer.echo(f"{name}: {plain(message)}", err=True)
    return typer.Exit(status)
