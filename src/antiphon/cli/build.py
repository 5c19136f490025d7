"""`antiphon build` and `antiphon new-tool`: compile the registry, start a tool."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from antiphon.cli.status import ExitStatus, stop

if TYPE_CHECKING:
    from antiphon.registry.builder import BuildReport
    from antiphon.registry.findings import LintFinding
    from antiphon.registry.functions.source import FunctionSource

# Below this many tools a progress bar would only flicker.
PROGRESS_FROM = 50
ARTIFACT = Path("tool_registry.json")
TOOLS = Path("tools")


def register(app: typer.Typer) -> None:
    app.command("build")(build)
    app.command("new-tool")(new_tool)


def build(
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="DIR|MODULE:NAME",
            help="Folders of tools, and functions: one, a list of them or a Registry by its name, "
            "a whole module as `shop.tools:`. Those in the settings when none is named.",
        ),
    ] = None,
    out: Annotated[Path, typer.Option(help="The artifact to write.")] = ARTIFACT,
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            help="Write nothing; fail when the artifact is stale. "
            "The time and the commit of the build are not compared.",
        ),
    ] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Build again on every change.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Compile every tool, changed or not.")
    ] = False,
) -> None:
    """Compile tool directories and functions into the registry artifact."""
    from antiphon.registry import builder

    if check and watch:
        raise typer.BadParameter("--check and --watch do not go together.")
    chosen, functions = _named(sources) if sources else _configured()
    if watch:
        if functions:
            raise stop("build", "--watch builds folders; functions are imported once.")
        _watch(chosen, out, as_json, use_cache=not no_cache)
        return
    with _Progress(enabled=not as_json) as progress:
        if check:
            report = builder.check(chosen, out, functions=functions, progress=progress)
        else:
            report = builder.build(
                chosen, out, functions=functions, use_cache=not no_cache, progress=progress
            )
    _print_report(report, out, as_json, checked=check)
    raise typer.Exit(ExitStatus.DONE if report.ok else ExitStatus.FOUND_WRONG)


def new_tool(
    name: Annotated[str | None, typer.Argument(help="Such as kb-search.")] = None,
    folder: Annotated[
        Path | None, typer.Option(help="Where to make it; `tools`, or here for a function.")
    ] = None,
    category: Annotated[str, typer.Option(help="retrieval, action or utility.")] = "utility",
    origin: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="MODULE:NAME|DIR",
            help="Write a function as a directory, or a directory as a function.",
        ),
    ] = None,
) -> None:
    """Make a tool directory that builds as it stands."""
    from antiphon.registry.scaffold import ScaffoldError
    from antiphon.registry.scaffold import new_tool as make

    if (name is None) == (origin is None):
        raise typer.BadParameter("Give a NAME, or --from and no name: the tool has one.")
    try:
        if name is None:
            _convert(str(origin), folder)
            return
        directory = make(name, folder or TOOLS, category=category)
    except ScaffoldError as error:
        status = ExitStatus.WRONG_USAGE if error.usage else ExitStatus.FOUND_WRONG
        raise stop("new-tool", str(error), status=status) from None
    typer.echo(f"Made {directory}. Edit it, then run `antiphon build {folder or TOOLS}`.")


def _convert(origin: str, folder: Path | None) -> None:
    from antiphon.registry.conversion import directory_of, package_of

    if _is_reference(origin):
        made, digest = directory_of(origin, folder or TOOLS)
        further = f"run `antiphon build {folder or TOOLS}`"
    else:
        made, digest = package_of(Path(origin), folder or Path())
        further = f"import it as `{made.name}`"
    typer.echo(f"Made {made}, with the contract {digest[:12]} of {origin}; {further}.")


def _named(sources: Sequence[str]) -> tuple[list[Path], list[FunctionSource]]:
    """The folders and functions that a command names."""
    from antiphon.app.tools import ToolBuildError, named_tools

    references = [source for source in sources if _is_reference(source)]
    try:
        found = named_tools(references)
    except ToolBuildError as error:
        raise stop("build", str(error)) from None
    folders = [Path(source) for source in sources if source not in references]
    return _without_repeats([*folders, *found.folders]), found.sources


def _is_reference(source: str) -> bool:
    if ":" not in source or Path(source).is_dir():
        return False
    from antiphon.registry.functions.reference import is_reference

    return is_reference(source)


def _configured() -> tuple[list[Path], list[FunctionSource]]:
    from antiphon.app.tools import ToolBuildError, configured_tools
    from antiphon.config import ConfigError, load_settings

    try:
        loaded = load_settings()
    except ConfigError as error:
        raise stop("build", *error.problems) from None
    loaded.export()  # a handler may want its keys as soon as it is imported
    try:
        found = configured_tools(loaded.settings)
    except ToolBuildError as error:
        raise stop("build", str(error)) from None
    return _without_repeats(found.folders), found.sources


def _without_repeats(folders: Sequence[Path]) -> list[Path]:
    return list(dict.fromkeys(folders))


def _watch(folders: list[Path], out: Path, as_json: bool, *, use_cache: bool) -> None:
    from antiphon.registry import builder

    def show(report: BuildReport) -> None:
        _print_report(report, out, as_json, checked=False)
        sys.stdout.flush()

    try:
        builder.watch(folders, out, show, use_cache=use_cache)
    except FileNotFoundError:
        # The report of the first build has already said which folder is missing.
        raise typer.Exit(ExitStatus.FOUND_WRONG) from None
    except KeyboardInterrupt:
        typer.echo("Stopped.", err=True)


def _print_report(report: BuildReport, out: Path, as_json: bool, *, checked: bool) -> None:
    if as_json:
        import orjson

        typer.echo(orjson.dumps(report.to_dict()).decode())
        return
    if report.findings:
        _print_findings(report.findings)
    counts = f"{_counted(report.errors, 'error')}, {_counted(report.warnings, 'warning')}"
    tools = _counted(report.tools, "tool")
    if not report.ok:
        stays = "" if checked else f"; {out} was left as it was"
        typer.echo(f"Failed: {tools}, {counts}{stays}.")
    elif checked:
        typer.echo(f"{out} is up to date: {tools}, version {report.version}, {counts}.")
    else:
        reused = f" ({report.cached} unchanged)" if report.cached else ""
        typer.echo(f"Built {out}: {tools}{reused}, version {report.version}, {counts}.")


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def _print_findings(findings: Sequence[LintFinding]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from antiphon.registry.findings import finding_line, plain

    console = Console(highlight=False)
    if not console.is_terminal:
        # One line each, for files and pipes: nothing wrapped, nothing cut.
        for finding in findings:
            typer.echo(finding_line(finding))
        return
    table = Table(show_edge=False, pad_edge=False, expand=True)
    table.add_column("")
    table.add_column("where", ratio=3, overflow="fold")
    table.add_column("what is wrong", ratio=4, overflow="fold")
    table.add_column("what to do", ratio=4, overflow="fold")
    for finding in findings:
        style = "red" if finding.severity == "error" else "yellow"
        where = Text(plain(finding.file))
        if finding.pointer:
            where.append("\n" + plain(finding.pointer), style="dim")
        table.add_row(
            Text(finding.severity, style=style),
            where,
            Text(plain(finding.message)),
            Text(plain(finding.fix)),
        )
    console.print(table)


class _Progress:
    """A progress bar on a terminal for large sets; elsewhere nothing at all."""

    def __init__(self, enabled: bool) -> None:
        self._enabled = enabled and sys.stderr.isatty()
        self._advance: Callable[[int, int], None] | None = None
        self._close: Callable[[], None] | None = None

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._close:
            self._close()

    def __call__(self, done: int, total: int) -> None:
        if not self._enabled or total < PROGRESS_FROM:
            return
        if self._advance is None:
            self._open()
        if self._advance:
            self._advance(done, total)

    def _open(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        bar = Progress(
            TextColumn("Building"),
            BarColumn(),
            MofNCompleteColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        task = bar.add_task("build")
        bar.start()
        self._advance = lambda done, total: bar.update(task, completed=done, total=total)
        self._close = bar.stop
