"""`antiphon audit …`: read the audit, check its chain, take it elsewhere, replay it.

All but `prune` only reads, and all may be used while a server runs on the same store.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from antiphon.cli import replay
from antiphon.cli.audit_filters import AfterSeq, SessionId, ToolId, filtered, seconds_of
from antiphon.cli.audit_options import (
    PAGE,
    StoreUrl,
    clock,
    counted,
    pages,
    with_store,
)
from antiphon.cli.options import ConfigOption, DataOption, JsonOption
from antiphon.cli.status import ExitStatus, stop
from antiphon.cli.terminal import print_json

if TYPE_CHECKING:
    from antiphon.storage import AuditLine, AuditReport, Store

FOLLOW_SECONDS = 0.25


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        help="Read the audit, check its chain, export it, replay it against today's tools.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    for command in (tail, query, verify, export, prune):
        group.command(command.__name__)(command)
    replay.register(group)
    app.add_typer(group, name="audit")


# -- commands -------------------------------------------------------------------------------------


def tail(
    lines: Annotated[int, typer.Option("-n", "--lines", min=0, help="How many.")] = 20,
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Go on with new lines until Ctrl-C.")
    ] = False,
    session: SessionId = None,
    tool: ToolId = None,
    data: DataOption = None,
    config: ConfigOption = None,
    store: StoreUrl = None,
    as_json: JsonOption = False,
) -> None:
    """Print the last lines, oldest first. With --json each as one line of JSON."""
    filters: dict[str, Any] = {"session_id": session, "tool_id": tool}

    async def work(opened: Store) -> None:
        import asyncio

        newest = await opened.audit_lines(limit=1, newest_first=True)
        last = newest[0].seq if newest else 0
        page = await opened.audit_lines(
            before_seq=last + 1, limit=lines, newest_first=True, **filters
        )
        _print_lines(reversed(page), as_json)
        while follow:
            page = await opened.audit_lines(after_seq=last, limit=PAGE, **filters)
            _print_lines(page, as_json)
            last = page[-1].seq if page else last
            if len(page) < PAGE:
                await asyncio.sleep(FOLLOW_SECONDS)

    try:
        with _for_readers_that_leave():
            with_store("audit tail", data, config, store, work)
    except KeyboardInterrupt:
        raise typer.Exit from None


@filtered
def query(
    filters: dict[str, Any],
    after_seq: AfterSeq = 0,
    limit: Annotated[int, typer.Option(min=1, help="At most so many lines.")] = 1000,
    newest_first: Annotated[bool, typer.Option("--newest-first", help="From the end.")] = False,
    data: DataOption = None,
    config: ConfigOption = None,
    store: StoreUrl = None,
    as_json: JsonOption = False,
) -> None:
    """Print the lines that fit every filter. With --json each as one line of JSON."""

    async def work(opened: Store) -> None:
        left, after, before = limit, after_seq, None
        while left > 0:
            size = min(PAGE, left)
            page = await opened.audit_lines(
                after_seq=after,
                before_seq=before,
                limit=size,
                newest_first=newest_first,
                **filters,
            )
            _print_lines(page, as_json)
            if len(page) < size:
                return
            left -= len(page)
            if newest_first:
                before = page[-1].seq
            else:
                after = page[-1].seq

    with _for_readers_that_leave():
        with_store("audit query", data, config, store, work)


def verify(
    data: DataOption = None,
    config: ConfigOption = None,
    store: StoreUrl = None,
    as_json: JsonOption = False,
) -> None:
    """Check the whole chain; status 1 when a line was changed, moved, added or removed."""

    async def work(opened: Store) -> AuditReport:
        return await opened.verify_audit()

    report = with_store("audit verify", data, config, store, work)
    if as_json:
        print_json({field.name: getattr(report, field.name) for field in fields(report)})
    elif report.ok:
        before = f" {counted(report.pruned, 'line')} before them pruned." if report.pruned else ""
        typer.echo(f"{counted(report.count, 'line')}, every one in its place.{before}")
    else:
        typer.echo(
            f"The chain is broken at line {report.first_bad_seq}: {report.problem}. "
            f"{counted(report.count, 'line')} before it {'is' if report.count == 1 else 'are'} "
            "in order."
        )
    raise typer.Exit(ExitStatus.DONE if report.ok else ExitStatus.FOUND_WRONG)


@filtered
def export(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Where to; - is standard output.")],
    filters: dict[str, Any],
    after_seq: AfterSeq = 0,
    data: DataOption = None,
    config: ConfigOption = None,
    store: StoreUrl = None,
    as_json: JsonOption = False,
) -> None:
    """Write lines as JSON lines. A file is there whole or not at all; an older one is replaced."""

    async def work(opened: Store) -> int:
        count = 0
        with _for_readers_that_leave(), _written("audit export", file) as write:
            async for page in pages(opened, after_seq, filters):
                write(b"".join(line.line + b"\n" for line in page))
                count += len(page)
        return count

    count = with_store("audit export", data, config, store, work)
    if as_json and file != "-":
        print_json({"file": file, "lines": count})
    else:
        typer.echo(f"{counted(count, 'line')} exported.", err=True)


def prune(
    before: Annotated[
        str,
        typer.Option(metavar="TIME", help="Lines from before this: ISO 8601, or epoch seconds."),
    ],
    data: DataOption = None,
    config: ConfigOption = None,
    store: StoreUrl = None,
    as_json: JsonOption = False,
) -> None:
    """Delete old lines. The chain can still be verified, and a line says what was deleted."""
    moment = seconds_of("--before", before)
    assert moment is not None

    async def work(opened: Store) -> int:
        return await opened.prune_audit(moment)

    count = with_store("audit prune", data, config, store, work, audit_file=True)
    if as_json:
        print_json({"pruned": count})
    else:
        typer.echo(f"{counted(count, 'line')} pruned.")


# -- what was asked for ---------------------------------------------------------------------------


# -- what is printed ------------------------------------------------------------------------------


def _print_lines(lines: Iterable[AuditLine], as_json: bool) -> None:
    out = sys.stdout
    for line in lines:
        out.write((line.line.decode() if as_json else _in_words(line)) + "\n")
    out.flush()


def _in_words(line: AuditLine) -> str:
    from antiphon.registry.findings import plain

    data = line.data
    parts = [f"{line.seq:>6}", clock(line.at), f"{data.get('event', ''):<16}"]
    if data.get("toolId"):
        parts.append(str(data["toolId"]))
    if data.get("decision"):
        rule = data.get("rule")
        parts.append(f"{data['decision']}" + (f" ({rule})" if rule != data["decision"] else ""))
    if data.get("errorType"):
        parts.append(str(data["errorType"]))
    elif data.get("ok") is True:
        parts.append("ok")
    if isinstance(data.get("duration"), int | float):
        parts.append(f"{data['duration']:.1f} ms")
    if data.get("sessionId"):
        parts.append(f"session {data['sessionId']} turn {data.get('turnId')}")
    if data.get("details"):
        import orjson

        parts.append(orjson.dumps(data["details"]).decode())
    return plain("  ".join(parts))


@contextmanager
def _for_readers_that_leave() -> Iterator[None]:
    """`… | head` is no error."""
    try:
        yield
    except BrokenPipeError:
        # Python would complain once more when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def _written(command: str, file: str) -> Iterator[Callable[[bytes], object]]:
    """Standard output, or a new file that takes the place of an older one when it is whole."""
    if file == "-":
        yield sys.stdout.buffer.write
        sys.stdout.buffer.flush()
        return
    target = Path(file)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        # The audit says who did what: not for everybody's eyes.
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as out:
            yield out.write
            out.flush()
            os.fsync(out.fileno())
        os.replace(temporary, target)
    except OSError as error:
        raise stop(command, f"{file} cannot be written: {error.strerror or error}.") from None
    finally:
        temporary.unlink(missing_ok=True)
