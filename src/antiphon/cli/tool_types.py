"""`antiphon tools types`: typed stubs for the tools of a registry."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from antiphon.cli.build import ARTIFACT
from antiphon.cli.status import stop

_COMMAND = "tools types"


def types(
    registry: Annotated[
        Path, typer.Option("--registry", help="The artifact to look into.")
    ] = ARTIFACT,
    python: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write Python types to this file; `-` prints them."),
    ] = None,
    typescript: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write TypeScript types to this file; `-` prints them."),
    ] = None,
) -> None:
    """Write typed stubs for the arguments and results of the tools."""
    from antiphon.registry.artifact import ArtifactError, read_artifact
    from antiphon.registry.type_stubs import python_stubs, tool_types, typescript_stubs

    if python is None and typescript is None:
        raise typer.BadParameter("name a file with --python, --typescript, or both.")
    try:
        made = tool_types(read_artifact(registry))
    except ArtifactError as error:
        raise stop(_COMMAND, str(error)) from None
    for file, render in ((python, python_stubs), (typescript, typescript_stubs)):
        if file is not None:
            _write(file, render(made), len(made.tools))


def _write(file: str, text: str, count: int) -> None:
    if file == "-":
        typer.echo(text, nl=False)
        return
    try:
        Path(file).write_text(text, "utf-8")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise stop(_COMMAND, f"{file} cannot be written: {reason}.") from None
    typer.echo(f"Wrote {file}: the types of {count} tool{'' if count == 1 else 's'}.")
