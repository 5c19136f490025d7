"""`antiphon audit replay`: what today's tools and policy would decide of a recorded log."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from antiphon.cli.audit_options import (
    StoreUrl,
    all_lines,
    clock,
    counted,
    with_store,
)
from antiphon.cli.options import ConfigOption, DataOption, JsonOption, settings_of
from antiphon.cli.status import ExitStatus, stop
from antiphon.cli.terminal import print_json

if TYPE_CHECKING:
    from antiphon.orchestrator.replay_report import ReplayReport
    from antiphon.policy import Policy

SHOWN_DIFFERENCES = 100


def register(group: typer.Typer) -> None:
    group.command("replay")(replay_log)


def replay_log(
    file: Annotated[
        str | None,
        typer.Argument(metavar="[FILE]", help="JSON lines; - is standard input. Else the store."),
    ] = None,
    registry: Annotated[
        Path | None, typer.Option(help="The tools to replay against, instead of the settings'.")
    ] = None,
    budget: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="Another number of the policy, such as voice.total_calls=5, text.rounds=none or "
            "same_call_limit=4. May be given more than once.",
        ),
    ] = None,
    data: DataOption = None,
    config: ConfigOption = None,
    store: StoreUrl = None,
    as_json: JsonOption = False,
) -> None:
    """Decide every recorded call anew, by today's tools and policy; status 1 if any differs."""
    from antiphon.orchestrator.replay import ReplayError
    from antiphon.orchestrator.replay import replay as replayed
    from antiphon.registry import Registry, RegistryError

    policy = _policy(budget or [])
    artifact = registry or settings_of("audit replay", data, config).registry_file
    try:
        tools = Registry.load(artifact).snapshot()
    except RegistryError as error:
        raise stop("audit replay", str(error)) from None
    if file is None:
        lines: Iterable[dict[str, Any]] = with_store("audit replay", data, config, store, all_lines)
    else:
        lines = _read_lines(file)
    try:
        report = replayed(lines, tools, policy)
    except ReplayError as error:
        raise stop("audit replay", f"{error}.") from None
    if as_json:
        print_json({"registryVersion": tools.version, **report.to_dict()})
    else:
        _print_replay(report, tools.version)
    raise typer.Exit(ExitStatus.FOUND_WRONG if report.differences else ExitStatus.DONE)


def _policy(changes: list[str]) -> Policy:
    """The policy with some of its numbers changed."""
    from antiphon.policy import Budget, Policy

    policy = Policy()
    budgets = ("voice", "text")
    numbers = [
        field.name
        for field in fields(Policy)
        if isinstance(getattr(policy, field.name), int | float)
    ]
    known = [f"{mode}.{field.name}" for mode in budgets for field in fields(Budget)] + numbers
    for change in changes:
        name, _, text = change.partition("=")
        number = _number(text)
        if name not in known or not text or (number is None and text != "none"):
            raise typer.BadParameter(
                f"{change!r} does not set a number of the policy. Write NAME=VALUE with one of "
                f"{', '.join(known)}; the ones with a dot may be none.",
                param_hint="--budget",
            )
        mode, _, key = name.rpartition(".")
        if mode:
            changed: dict[str, Any] = {mode: replace(getattr(policy, mode), **{key: number})}
        elif number is None:
            raise typer.BadParameter(f"{name} needs a number.", param_hint="--budget")
        else:
            changed = {name: number}
        policy = replace(policy, **changed)
    return policy


def _number(text: str) -> float | None:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 <= number < 1e12 else None


def _read_lines(file: str) -> list[dict[str, Any]]:
    import orjson

    try:
        content = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise stop("audit replay", f"{file} cannot be read: {error.strerror or error}.") from None
    lines: list[dict[str, Any]] = []
    for number, text in enumerate(content.splitlines(), 1):
        if not text.strip():
            continue
        try:
            line = orjson.loads(text)
        except orjson.JSONDecodeError as error:
            raise stop("audit replay", f"{file}:{number}: is no JSON: {error.msg}.") from None
        if not isinstance(line, dict):
            raise stop("audit replay", f"{file}:{number}: is no line of an audit.")
        lines.append(line)
    return lines


def _print_replay(report: ReplayReport, version: str) -> None:
    from antiphon.registry.findings import plain

    shown = report.differences[:SHOWN_DIFFERENCES]
    rows = [
        (
            str(d.seq),
            clock(d.at),
            plain(d.tool_id) or "(no name)",
            f"{d.recorded.decision} ({d.recorded.rule})",
            f"{d.now.decision} ({d.now.rule})",
            plain(d.now.message or ""),
        )
        for d in shown
    ]
    if rows:
        heads = ("line", "at", "tool", "then", "now", "why")
        widths = [max(len(row[i]) for row in (heads, *rows)) for i in range(5)]
        for row in (heads, *rows):
            cells = [f"{cell:<{width}}" for cell, width in zip(row[:5], widths, strict=True)]
            typer.echo("  ".join((*cells, row[5])).rstrip())
        if len(report.differences) > len(shown):
            typer.echo(f"… and {len(report.differences) - len(shown)} more; --json has them all.")
        typer.echo()
        for (then, now), count in report.changes.most_common():
            typer.echo(f"{count:>6}  {then} -> {now}")
    if report.assumed:
        kinds = ", ".join(f"{rule} ({count})" for rule, count in sorted(report.assumed.items()))
        typer.echo(f"Not all is in a log; taken as unchanged: {kinds}.")
    different = len(report.differences)
    typer.echo(
        f"{counted(report.compared, 'decision')} of {counted(report.sessions, 'session')} "
        f"replayed against registry {version}: "
        + (f"{different} would be different." if different else "none would be different.")
    )
