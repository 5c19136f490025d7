"""`antiphon init`: start a project with a tool, its tests, a container and a CI job."""

from __future__ import annotations

import keyword
import os
import re
import secrets
import shutil
from pathlib import Path
from typing import Annotated

import typer

from antiphon.cli.status import ExitStatus, stop

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")


def register(app: typer.Typer) -> None:
    app.command("init")(init)


def init(
    name: Annotated[str, typer.Argument(help="The project, such as opening-hours.")],
    folder: Annotated[Path, typer.Option(help="Where to make it.")] = Path(),
) -> None:
    """Start a project: a tool, tests, settings, a Dockerfile and a CI file."""
    package = name.lower().replace("-", "_")
    if not _NAME.fullmatch(name) or name.endswith(("-", "_")):
        raise _refused(
            f"`{name[:80]}` is no name for a project. Start with a letter, then use at most 63 "
            "letters, digits, `-` and `_`, a letter or digit last.",
            usage=True,
        )
    if keyword.iskeyword(package) or _is_importable(package) or package == "tests":
        raise _refused(
            f"`{name}` would be the package `{package}`, and that name is taken: by Python, or by "
            f"a package that is installed. Choose another, such as `{name}-agent`.",
            usage=True,
        )
    directory = folder / name
    if os.path.lexists(directory):
        raise _refused(f"{directory} is already there. Choose another name, or remove it.")
    try:
        _write(directory, name, package)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise _refused(
            f"{directory} cannot be made: {reason}. Choose a folder that may be written to."
        ) from None
    typer.echo(
        f"Made {directory}. Next:\n"
        f"  cd {directory}\n"
        "  pip install -e '.[dev]'   # in a virtual environment\n"
        "  pytest\n"
        "  antiphon chat"
    )


def _is_importable(package: str) -> bool:
    """Whether Python finds a module of that name; a mere folder is none."""
    from importlib.util import find_spec

    spec = find_spec(package)
    return spec is not None and spec.origin is not None


def _write(directory: Path, name: str, package: str) -> None:
    """Write all files of the project, or none."""
    from antiphon.cli.project_files import project_files

    temporary = directory.parent / f".{name}.{secrets.token_hex(6)}.tmp"
    temporary.mkdir(parents=True)
    try:
        for path, text in project_files(name, package).items():
            file = temporary / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
        os.rename(temporary, directory)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def _refused(words: str, *, usage: bool = False) -> typer.Exit:
    return stop("init", words, status=ExitStatus.WRONG_USAGE if usage else ExitStatus.FOUND_WRONG)
