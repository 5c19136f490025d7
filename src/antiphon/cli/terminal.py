"""Terminal output: sanitized text, JSON lines, and pipes whose reader has gone away."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer

MAX_SHOWN = 200  # characters of a call's arguments


def say(text: str = "") -> None:
    """Print a line without anything in it that a terminal would obey: data are others' words."""
    from antiphon.registry.findings import plain

    echo(plain(text))


def print_json(value: Any) -> None:
    """Print a value as one line of JSON."""
    import orjson

    echo(orjson.dumps(value).decode())


def echo(text: str) -> None:
    """Print a line; see `until_reader_leaves`."""
    with until_reader_leaves():
        typer.echo(text)


def write(text: str) -> None:
    """Write text as it is and flush it; see `until_reader_leaves`."""
    with until_reader_leaves():
        sys.stdout.write(text.encode("utf-8", "replace").decode())
        sys.stdout.flush()


@contextmanager
def until_reader_leaves() -> Iterator[None]:
    """End the command quietly when whoever reads its output has gone, as in `… | head`."""
    try:
        yield
    except BrokenPipeError:
        # Python would complain once more when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit from None


def sanitize(text: str) -> str:
    """Escape everything that a terminal would obey: models and tools write others' words."""
    return "".join(
        char if char.isprintable() or char in "\n\t" else char.encode("unicode_escape").decode()
        for char in text
    )


def abbreviate(value: Any) -> str:
    """A value as JSON, cut after MAX_SHOWN characters."""
    import orjson

    text = orjson.dumps(value, default=str).decode()
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"


def counted(count: int, noun: str) -> str:
    """`1 record`, `2,000 records`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
