"""`antiphon usage`: what models and tools were used, and what they cost."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from antiphon.cli.audit_options import check_store_exists
from antiphon.cli.options import ConfigOption, DataOption, JsonOption, settings_of
from antiphon.cli.status import stop
from antiphon.cli.terminal import echo

if TYPE_CHECKING:
    from antiphon.usage import report as reports

_DAY = "%Y-%m-%d"


def register(app: typer.Typer) -> None:
    app.command("usage")(usage)


def usage(
    by: Annotated[
        str, typer.Option(help="day, user, organisation, agent, model, tool; several with commas.")
    ] = "day",
    since: Annotated[
        datetime | None,
        typer.Option("--from", formats=[_DAY], help="First day, in UTC; else that of this month."),
    ] = None,
    until: Annotated[
        datetime | None, typer.Option("--to", formats=[_DAY], help="Last day; else today.")
    ] = None,
    user: Annotated[str | None, typer.Option(help="Of this user alone.")] = None,
    organisation: Annotated[str | None, typer.Option(help="Of this organisation alone.")] = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV for a spreadsheet.")] = False,
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Sum up what was used and spent: requests, tokens, seconds of voice and money."""
    import json

    from antiphon.usage import report as reports

    names = tuple(dict.fromkeys(name.strip() for name in by.split(",") if name.strip()))
    wrong = [name for name in names if name not in reports.GROUPINGS]
    if wrong or not names:
        known = ", ".join(reports.GROUPINGS)
        raise typer.BadParameter(f"{(wrong or [by])[0]!r} is none of {known}.", param_hint="--by")
    only = {"user": user, "organisation": organisation}
    query = reports.UsageQuery(
        cast("tuple[reports.Grouping, ...]", names),
        None if since is None else since.date(),
        None if until is None else until.date(),
        only=cast("dict[reports.Grouping, str]", {k: v for k, v in only.items() if v is not None}),
    )
    found = _report(query, data, config)
    if as_csv:
        typer.echo(reports.as_csv(found), nl=False)
    elif as_json:
        body = {
            "from": found.since,
            "to": found.until,
            "by": list(found.by),
            "rows": [row.to_dict() for row in found.rows],
            "totals": [row.to_dict() for row in found.totals],
        }
        typer.echo(json.dumps(body, indent=2, ensure_ascii=False))
    else:
        _print(found)


def _report(
    query: reports.UsageQuery, data: Path | None, config: Path | None
) -> reports.UsageReport:
    import asyncio

    from antiphon.app import Application
    from antiphon.storage import StoreError
    from antiphon.usage.report import ReportTooLong, report_usage

    settings = settings_of("usage", data, config)
    assert settings.store.url is not None
    check_store_exists("usage", settings.store.url)

    async def opened() -> reports.UsageReport:
        async with Application(settings) as application:
            await application.open_store(make=False)
            return await report_usage(application.usage, query)

    try:
        return asyncio.run(opened())
    except (ReportTooLong, StoreError, OSError) as error:
        raise stop("usage", str(error)) from None


def _print(found: reports.UsageReport) -> None:
    if not found.rows:
        typer.echo(f"Nothing was used from {found.since} to {found.until}.")
        return
    for row in [*found.rows, *found.totals]:
        group = "  ".join(row.group[name] or "-" for name in found.by) if row.group else "in all"
        sums = row.sums
        echo(
            f"{group}: {sums['requests']} requests, {sums['input_tokens']} tokens read, "
            f"{sums['output_tokens']} written, {sums['voice_seconds']:g} s of voice, "
            f"{sums['cost']} {row.currency}"
        )
