"""`antiphon doctor`: the settings in force, the backends there are, and what is wrong."""

from __future__ import annotations

import os
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from antiphon.cli.options import ConfigOption, DataOption, JsonOption, prices_trouble
from antiphon.cli.status import ExitStatus

PROBE_SECONDS = 8.0

if TYPE_CHECKING:
    from antiphon.config import LoadedSettings


def register(app: typer.Typer) -> None:
    app.command("doctor")(doctor)


def doctor(
    config: ConfigOption = None,
    data: DataOption = None,
    probe: Annotated[
        bool, typer.Option("--probe", help="Ask every configured provider over the network.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Print the settings in force, where they come from, and the backends that there are.

    Exit status 1 if something is wrong.
    """
    import asyncio

    from antiphon.app.key_files import take_keys
    from antiphon.app.workers import worker_facts
    from antiphon.cli import doctor_plugins
    from antiphon.config import examine_settings
    from antiphon.plugins import Plugins

    plugins = Plugins()
    loaded = examine_settings(config, flags={"data": ("--data", data)}, plugins=plugins)
    take_keys(loaded)
    backends, trouble = asyncio.run(_backends(loaded, probe))
    workers = worker_facts(loaded.settings)
    problems = [*loaded.problems, *_found_wrong(loaded), *trouble]
    problems += doctor_plugins.problems(plugins)
    found = doctor_plugins.listed(plugins)
    if "problem" in workers:
        problems.append(workers["problem"])
    if as_json:
        _print_json(loaded, backends, workers, found, problems)
    else:
        _print_text(loaded, backends, workers, found, problems)
    raise typer.Exit(ExitStatus.FOUND_WRONG if problems else ExitStatus.DONE)


async def _backends(loaded: LoadedSettings, probe: bool) -> tuple[list[dict[str, Any]], list[str]]:
    """The status of every backend, and the problems of those that are configured."""
    from antiphon.app import Application

    chosen = loaded.settings.agent.backend
    # Without tools: the built-in model is asked for nothing but whether it is there. A file of
    # keys that cannot be read is among the problems already.
    async with Application(loaded.settings, keys_required=False) as application:
        found = await application.backends.status(probe, PROBE_SECONDS)
        problem = application.backends.problem
    problems = [problem] if problem else []
    for backend in found:
        name = backend["name"]
        if backend["configured"]:
            if backend["reachable"] is False:
                said = ("api_key", "base_url", "ca_file", "model", "voice_model")
                origin = next(
                    (o for key in said if (o := loaded.origins.get(f"providers.{name}.{key}"))),
                    "default",
                )
                problems.append(f"{origin}: `providers.{name}`: {backend['why']}")
        elif name == chosen and "agent.backend" in loaded.origins:
            origin = loaded.origins["agent.backend"]
            problems.append(f"{origin}: `agent.backend` is {name}: {backend['why']}")
    return found, problems


def _found_wrong(loaded: LoadedSettings) -> Iterator[str]:
    from antiphon.app.calendars import meeting_trouble
    from antiphon.app.gguf_model import examine_local_model
    from antiphon.config.binding import binding_trouble

    settings = loaded.settings

    def origin(name: str) -> str:
        return loaded.origins.get(name, "default")

    if trouble := binding_trouble(settings):
        yield f"{origin('server.host')}: {trouble}"
    for provider, section in settings.providers:
        name = f"providers.{provider}.ca_file"
        ca_file = section.ca_file
        if ca_file is not None and (trouble := _ca_trouble(ca_file)):
            yield f"{origin(name)}: `{name}` {ca_file} {trouble}"
    if trouble := meeting_trouble(settings):
        kind = "calendar.meeting.kind"
        yield f"{origin(kind)}: `{kind}` is {settings.calendar.meeting.kind}: {trouble}."
    for folder in settings.tools.folders:
        if not folder.is_dir():
            yield f"{origin('tools.folders')}: `tools.folders` names {folder}, which is no folder."
    if settings.tools.functions:
        from antiphon.app.tools import ToolBuildError, named_tools

        try:
            named_tools(settings.tools.functions)
        except ToolBuildError as error:
            yield f"{origin('tools.functions')}: `tools.functions` names {error}"
    if "profiles.folder" in loaded.origins and not settings.profiles.folder.is_dir():
        yield (
            f"{origin('profiles.folder')}: `profiles.folder` names {settings.profiles.folder}, "
            "which is no folder."
        )
    if settings.local.model is not None and (trouble := examine_local_model(settings.local)[1]):
        yield f"{origin('local.model')}: `local.model`: {trouble}"
    if trouble := prices_trouble(settings):
        yield f"{origin('usage.prices')}: `usage.prices`: {trouble}"
    if trouble := _data_trouble(settings.data):
        yield f"{origin('data')}: `data` {settings.data} {trouble}"


def _ca_trouble(path: Path) -> str | None:
    try:
        ssl.create_default_context(cafile=str(path))
    except ssl.SSLError:
        return "holds no certificate in PEM form."
    except OSError as error:
        return f"cannot be read: {error.strerror or error}."
    return None


def _data_trouble(folder: Path) -> str | None:
    """Looks only: a command that reads must not create the folder."""
    existing = folder
    while not existing.exists() and existing != existing.parent:
        existing = existing.parent
    if not existing.is_dir():
        return f"cannot be made: {existing} is a file. Choose another folder with --data."
    if not os.access(existing, os.W_OK | os.X_OK):
        return f"cannot be written to: no permission for {existing}."
    return None


def _print_json(
    loaded: LoadedSettings,
    backends: list[dict[str, Any]],
    workers: dict[str, Any],
    plugins: list[dict[str, str]],
    problems: list[str],
) -> None:
    import json

    body = {
        "ok": not problems,
        "problems": problems,
        "backend": loaded.settings.agent.backend,
        "backends": backends,
        "workers": workers,
        "plugins": plugins,
        "settings": {v.name: {"value": v.shown, "origin": v.origin} for v in loaded.values()},
    }
    typer.echo(json.dumps(body, indent=2))


def _print_text(
    loaded: LoadedSettings,
    backends: list[dict[str, Any]],
    workers: dict[str, Any],
    plugins: list[dict[str, str]],
    problems: list[str],
) -> None:
    rows = []
    for value in loaded.values():
        shown = value.shown
        if isinstance(shown, list):
            shown = ", ".join(map(str, shown)) or "none"
        elif isinstance(shown, dict):
            shown = ", ".join(f"{key} = {each}" for key, each in shown.items()) or "none"
        rows.append((value.name, "not set" if shown is None else str(shown), value.origin))
    names = max(len(row[0]) for row in rows)
    values = min(60, max(len(row[1]) for row in rows))
    for name, shown, origin in rows:
        typer.echo(f"{name:<{names}}  {shown:<{values}}  {origin}")
    typer.echo("\nBackends")
    for backend in backends:
        name = backend["name"]
        if name == loaded.settings.agent.backend:
            name = f"{name} (chosen)"
        typer.echo(f"{name:<{names}}  {_in_words(backend, loaded)}")
    from antiphon.cli import doctor_plugins

    typer.echo("\nPlug-ins")
    for line in doctor_plugins.lines(plugins, names):
        typer.echo(line)
    if "problem" not in workers:
        typer.echo(f"\nWorker processes of tools\n{_limits(workers)}")
    typer.echo()
    if not problems:
        typer.echo("Nothing wrong found.")
    for problem in problems:
        typer.echo(f"wrong: {problem}")


def _limits(workers: dict[str, Any]) -> str:
    memory = workers["memory_mb"]
    lines = [
        f"at most {workers['most']}, each with {workers['open_files']} open files and, for a call, "
        "the CPU time of its timeout" * workers["cpu_time"],
        f"memory: {memory} MB" if memory else "memory: not limited (only Linux can)",
        "network: none, unless a tool asks for it"
        if not workers["network"]
        else "network: not closed (only Linux can, on x86-64 and ARM)",
        "code that is not trusted: confined to a folder"
        if workers["confines"]
        else "code that is not trusted: not run, as this system cannot confine it (Linux 5.13 can)",
    ]
    return "\n".join(lines)


def _in_words(backend: dict[str, Any], loaded: LoadedSettings) -> str:
    if not backend["configured"]:
        return f"not configured. {backend['why']}"
    if backend["name"] == "local":
        from antiphon.app.gguf_model import examine_local_model

        return examine_local_model(loaded.settings.local)[0]
    if backend["reachable"] is None:
        return "configured; not asked (--probe asks)"
    return "configured, reachable" if backend["reachable"] else f"out of reach. {backend['why']}"
