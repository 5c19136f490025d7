"""`antiphon calendar …`: .ics files into the local calendar and out of it, and what is coming up.

May be used while a server runs on the same data.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from antiphon.cli.options import ConfigOption, DataOption, JsonOption, settings_of
from antiphon.cli.status import stop
from antiphon.cli.terminal import print_json, say

if TYPE_CHECKING:
    from antiphon.app import Application

Result = TypeVar("Result")

Name = Annotated[str, typer.Option("--calendar", help="primary, team or personal.")]
User = Annotated[str, typer.Option(help="Whose calendar; `local` is who uses this machine.")]
_SHOWN_PROBLEMS = 20


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        help="Import and export .ics files, and list what is coming up.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    group.command("import")(import_)
    group.command("export")(export)
    group.command("list")(list_events)
    app.add_typer(group, name="calendar")


def import_(
    file: Annotated[Path, typer.Argument(help="An .ics file; - reads from standard input.")],
    calendar: Name = "primary",
    user: User = "local",
    skip_broken: Annotated[
        bool, typer.Option(help="Leave out events that cannot be followed, and report them.")
    ] = False,
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Add the events of an .ics file. All or nothing; events with a known UID are replaced."""
    from antiphon.workspace.calendar import IcsImportError, IcsImportReport, LocalCalendar

    content = _read("import", file)

    async def work(application: Application) -> IcsImportReport:
        local = LocalCalendar(application.store, application.time_zone)
        try:
            return await local.import_ics(user, content, calendar, skip_broken=skip_broken)
        except IcsImportError as error:
            shown = error.problems[:_SHOWN_PROBLEMS]
            more = len(error.problems) - len(shown)
            raise _stop(
                "import",
                *(f"{file}: {problem}" for problem in shown),
                *([f"and {more} more problems"] if more else []),
                "Nothing was imported. Correct the file, or leave these events out with "
                "--skip-broken.",
            ) from None

    report = _with_store("import", data, config, work, local=True)
    if as_json:
        print_json(report.to_dict())
        return
    say(f"{report.added} added, {report.updated} updated, {report.unchanged} unchanged.")
    from antiphon.registry.findings import plain

    for problem in report.skipped:
        typer.echo(f"skipped: {plain(str(problem))}", err=True)
    for kind, count in report.others.items():
        typer.echo(f"not imported: {count} of {kind}, which are no events", err=True)


def export(
    file: Annotated[Path, typer.Argument(help="Where to write; - is standard output.")],
    calendar: Name = "primary",
    user: User = "local",
    data: DataOption = None,
    config: ConfigOption = None,
) -> None:
    """Write a calendar to an .ics file, every event as it was imported or made."""
    from antiphon.workspace.calendar import LocalCalendar

    async def work(application: Application) -> bytes:
        return await LocalCalendar(application.store, application.time_zone).export_ics(
            user, calendar
        )

    content = _with_store("export", data, config, work, local=True)
    if str(file) == "-":
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    try:
        file.write_bytes(content)
    except OSError as error:
        raise _stop("export", f"{file} cannot be written: {error.strerror or error}") from None
    say(f"{content.count(b'BEGIN:VEVENT')} events written to {file}.")


def list_events(
    since: Annotated[
        str | None, typer.Option("--from", metavar="TIME", help="ISO 8601; today if left out.")
    ] = None,
    days: Annotated[int, typer.Option(min=1, max=366, help="For so many days.")] = 7,
    calendar: Annotated[
        list[str] | None, typer.Option(help="Only this one; may be given several times.")
    ] = None,
    user: User = "local",
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """List events in order, recurring ones at each of their times."""
    from datetime import datetime, time, timedelta

    from antiphon.workspace.calendar import CALENDARS
    from antiphon.workspace.calendar.times import parse_time, zone_named

    async def work(application: Application) -> list[dict[str, Any]]:
        zone = zone_named(application.time_zone)
        start = datetime.combine(datetime.now(zone).date(), time(), zone)
        if since is not None:
            start = parse_time(since, "--from", zone, zone)
        end = start + timedelta(days=days)
        return await application.calendar.events(user, start, end, calendar or CALENDARS)

    found = _with_store("list", data, config, work)
    if as_json:
        print_json({"count": len(found), "events": found})
        return
    for event in found:
        free = "" if event["status"] == "busy" else f" [{event['status']}]"
        say(f"{event['start']}  {event['end']}  {event['calendar']:8}  {event['title']}{free}")
    if not found:
        say("No events.")


# -- shared --------------------------------------------------------------------------------------


def _with_store(
    command: str,
    data: Path | None,
    config: Path | None,
    work: Callable[[Application], Coroutine[Any, Any, Result]],
    *,
    local: bool = False,
) -> Result:
    import asyncio

    from antiphon.app import Application
    from antiphon.contracts import ToolError
    from antiphon.storage import StoreError

    settings = settings_of(f"calendar {command}", data, config)
    if local and settings.calendar.service != "local":
        raise _stop(
            command,
            f"the settings keep the calendar with {settings.calendar.service}; import and export "
            "are for the local one (`calendar.service`).",
        )

    async def opened() -> Result:
        async with Application(settings) as application:
            await application.open_store()
            return await work(application)

    try:
        return asyncio.run(opened())
    except ToolError as error:
        raise _stop(command, error.message) from None
    except (StoreError, OSError) as error:
        raise _stop(command, str(error)) from None


def _read(command: str, file: Path) -> bytes:
    from antiphon.workspace.calendar.ics_text import MAX_BYTES

    try:
        if str(file) == "-":
            return sys.stdin.buffer.read(MAX_BYTES + 1)
        with file.open("rb") as content:
            return content.read(MAX_BYTES + 1)
    except OSError as error:
        raise _stop(command, f"{file} cannot be read: {error.strerror or error}") from None


def _stop(command: str, *messages: str) -> typer.Exit:
    return stop(f"calendar {command}", *messages)
