"""`antiphon tools …`: look into a registry, and use its projections and checks in pipelines."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from antiphon.cli.build import ARTIFACT
from antiphon.cli.completion import tool_ids
from antiphon.cli.options import JsonOption
from antiphon.cli.status import ExitStatus
from antiphon.cli.tool_call import call
from antiphon.cli.tool_types import types

if TYPE_CHECKING:
    from antiphon.registry.diff import ArtifactDiff

Registry = Annotated[Path, typer.Option("--registry", help="The artifact to look into.")]

MAX_SCHEMA_FILE = 16 * 1024 * 1024
# Far from where the parser's stack ends, and deeper than any honest document.
MAX_LINE_DEPTH = 500


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        help="Look into the registry, call a tool; project schemas and validate in pipelines.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    group.command("list")(list_tools)
    group.command("show")(show)
    group.command("diff")(diff)
    group.command("project")(project)
    group.command("validate")(validate)
    group.command("call")(call)
    group.command("types")(types)
    app.add_typer(group, name="tools")


def list_tools(registry: Registry = ARTIFACT, as_json: JsonOption = False) -> None:
    """List the tools of a registry."""
    artifact = _artifact(registry)
    if as_json:
        names = ("toolId", "version", "category", "sideEffects", "allowedModes", "summary")
        tools = [
            {**{name: tool[name] for name in names}, **({"staged": True} if _staged(tool) else {})}
            for tool in artifact["tools"]
        ]
        _print_json({"version": artifact["version"], "tools": tools})
        return
    width = max((len(tool["toolId"]) for tool in artifact["tools"]), default=0)
    for tool in artifact["tools"]:
        modes = ",".join(tool["allowedModes"])
        place = f"{tool['category']:<9}  {modes:<10}"
        summary = f"(staged) {tool['summary']}" if _staged(tool) else tool["summary"]
        typer.echo(f"{tool['toolId']:<{width}}  {tool['version']:<8} {place}  {summary}")
    count = len({tool["toolId"] for tool in artifact["tools"]})
    typer.echo(f"{count} tool{'' if count == 1 else 's'}, registry {artifact['version']}")


def show(
    tool_id: Annotated[
        str,
        typer.Argument(
            metavar="ID",
            help="The tool, such as kb_search, or one of its versions, such as kb_search@2.0.0.",
            autocompletion=tool_ids,
        ),
    ],
    registry: Registry = ARTIFACT,
    as_json: JsonOption = False,
) -> None:
    """Show one tool: what it declares, and its guide."""
    from antiphon.registry.versions import by_tool, default_of, directory_parts, version_name

    artifact = _artifact(registry)
    tools: dict[str, Any] = {}
    for name, versions in by_tool(artifact["tools"]).items():
        tools[name] = default_of(versions)
        tools |= {version_name(name, tool["version"]): tool for tool in versions}
    given, version = directory_parts(tool_id)
    wanted = given.replace("-", "_")
    if version is not None:
        wanted = version_name(wanted, version)
    if wanted not in tools:
        from antiphon.registry.findings import nearest, plain

        close = nearest(wanted, tools)
        hint = f" Did you mean `{close}`?" if close else " `antiphon tools list` names them all."
        _complain("show", f"there is no tool `{plain(tool_id[:80])}` in {registry}.{hint}")
        raise typer.Exit(ExitStatus.FOUND_WRONG)
    tool = tools[wanted]
    if as_json:
        _print_json(tool)
        return
    apart = ("documentation", "jsonSchema", "losses", "output", "providerSchemas", "toolId")
    typer.echo(tool["toolId"])
    for name, value in tool.items():
        if name not in apart:
            typer.echo(f"  {name}: {_inline(value)}")
    for provider, losses in sorted(tool["losses"].items()):
        for loss in losses:
            typer.echo(f"  loss ({provider}): {_inline(loss)}")
    typer.echo("  parameters: " + _json(tool["jsonSchema"], pretty=True).replace("\n", "\n  "))
    typer.echo("\n" + tool["documentation"].rstrip())


def _staged(tool: dict[str, Any]) -> bool:
    return bool(tool.get("staged"))


def diff(
    old: Annotated[Path, typer.Argument(help="The artifact before.")],
    new: Annotated[Path, typer.Argument(help="The artifact after.")],
    as_json: JsonOption = False,
) -> None:
    """Say which tools changed between two artifacts; status 1 when that breaks callers."""
    from antiphon.registry.diff import diff_artifacts

    try:
        difference = diff_artifacts(_artifact(old), _artifact(new))
    except ValueError as error:
        _complain("diff", str(error))
        raise typer.Exit(ExitStatus.FOUND_WRONG) from None
    if as_json:
        _print_json(difference.to_dict())
    else:
        _print_difference(difference)
    raise typer.Exit(ExitStatus.FOUND_WRONG if difference.breaking else ExitStatus.DONE)


def project(
    provider: Annotated[
        str,
        typer.Option(help="openai, openaiStrict, geminiNative, geminiJson, anthropic or mcp."),
    ],
) -> None:
    """Read one JSON Schema a line, write one {"schema", "losses"} a line.

    A line that cannot be used gives {"error": ...}, and it goes on; the status is then 1. Blank
    lines are skipped.
    """
    from antiphon.registry.projections import PROVIDERS, UnusableSchema
    from antiphon.registry.projections import project as projected

    if provider not in PROVIDERS:
        words = f"there is no provider `{provider}`; use one of {', '.join(PROVIDERS)}"
        raise typer.BadParameter(words, param_hint="--provider")

    def answer(line: bytes) -> tuple[bytes, bool]:
        schema, problem = _parsed(line)
        if problem:
            return _line({"error": problem}), False
        try:
            made = projected(provider, schema)
        except UnusableSchema as error:
            return _line({"error": str(error)}), False
        except Exception as error:  # noqa: BLE001 - whatever one schema does, the next is read
            name = type(error).__name__
            _complain("project", f"a defect in the projection, please report it: {name}: {error}")
            return _line({"error": f"cannot be projected: {name}: {error}"}), False
        return _line({"schema": made.schema, "losses": made.losses}), True

    _answer_lines(answer)


def validate(
    schema: Annotated[Path, typer.Option(help="The JSON Schema (2020-12) to validate against.")],
) -> None:
    """Read one instance a line, write one {"valid", "errors"} a line; formats are asserted.

    The status is 1 when an instance is not valid. Blank lines are skipped.
    """
    from antiphon.registry.validation import UnusableSchema, Validator

    try:
        validator = Validator(_schema_file(schema))
    except UnusableSchema as error:
        _complain("validate", f"{schema} cannot be used: {error}")
        raise typer.Exit(ExitStatus.FOUND_WRONG) from None

    def answer(line: bytes) -> tuple[bytes, bool]:
        instance, problem = _parsed(line)
        if problem:
            errors = [{"pointer": "", "message": problem}]
        else:
            errors = [error.to_dict() for error in validator.errors(instance)]
        return _line({"valid": not errors, "errors": errors}), not errors

    _answer_lines(answer)


def _schema_file(path: Path) -> Any:
    from antiphon.registry import strict_json
    from antiphon.registry.sources import UnreadableFile, read_regular

    try:
        schema, problems = strict_json.parse(read_regular(path, MAX_SCHEMA_FILE))
    except UnreadableFile as error:
        _complain("validate", f"{path} {error}.")
        raise typer.Exit(ExitStatus.FOUND_WRONG) from None
    if problems:
        first = problems[0]
        where = f" at {first.pointer}" if first.pointer else ""
        _complain("validate", f"{path}{where}: {first.message}. {first.fix}")
        raise typer.Exit(ExitStatus.FOUND_WRONG)
    return schema


def _parsed(line: bytes) -> tuple[Any, str | None]:
    """The JSON value of a line, or what is wrong with the line."""
    import json

    from antiphon.registry.strict_json import nesting

    depth = nesting(line)
    if depth > MAX_LINE_DEPTH:
        return None, f"the line is nested {depth} levels deep; {MAX_LINE_DEPTH} is the limit"
    try:
        return json.loads(line.decode("utf-8"), parse_constant=_refuse_constant), None
    except UnicodeDecodeError as error:
        return None, f"the line is not UTF-8 (byte {error.start + 1})"
    except json.JSONDecodeError as error:
        said = error.msg[:1].lower() + error.msg[1:]
        return None, f"the line is no JSON: {said} (column {error.colno})"
    except ValueError as error:
        # Constants that JSON does not have, and integers of thousands of digits.
        return None, f"the line is no JSON: {str(error)[:200]}"


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


def _answer_lines(answer: Callable[[bytes], tuple[bytes, bool]]) -> None:
    """Print an answer for each line of standard input at once; exit with 1 when one is bad."""
    out = sys.stdout.buffer
    all_good = True
    try:
        for line in _lines():
            text, good = answer(line)
            all_good = all_good and good
            out.write(text)
            out.flush()
    except BrokenPipeError:
        # The reader has had enough. Python would complain once more when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if not all_good:
        raise typer.Exit(ExitStatus.FOUND_WRONG)


def _lines() -> Iterator[bytes]:
    for line in sys.stdin.buffer:
        text = line.removesuffix(b"\n").removesuffix(b"\r")
        if text.strip():
            yield text


def _line(body: dict[str, Any]) -> bytes:
    return _json(body).encode("utf-8", "backslashreplace") + b"\n"


def _json(value: Any, *, pretty: bool = False) -> str:
    import json

    import orjson

    try:
        return orjson.dumps(value, option=orjson.OPT_INDENT_2 if pretty else None).decode()
    except TypeError:
        # Integers beyond 64 bits and half surrogates are JSON too, only not for the fast codec.
        return json.dumps(value, ensure_ascii=True, indent=2 if pretty else None)


def _print_json(value: Any) -> None:
    typer.echo(_json(value))


def _inline(value: Any) -> str:
    return value if isinstance(value, str) else _json(value)


def _artifact(path: Path) -> dict[str, Any]:
    from antiphon.registry.artifact import ArtifactError, read_artifact

    try:
        return read_artifact(path)
    except ArtifactError as error:
        typer.echo(f"antiphon tools: {error}", err=True)
        raise typer.Exit(ExitStatus.FOUND_WRONG) from None


def _complain(command: str, message: str) -> None:
    typer.echo(f"antiphon tools {command}: {message}", err=True)


def _print_difference(difference: ArtifactDiff) -> None:
    for tool_id in difference.removed:
        typer.echo(f"- {tool_id} (breaking)")
    for tool_id in difference.added:
        typer.echo(f"+ {tool_id}")
    for tool in difference.changed:
        breaking = " (breaking)" if tool.breaking else ""
        version = tool.old_version
        if tool.new_version != version:
            version += f" to {tool.new_version}"
        typer.echo(f"~ {tool.tool_id} {version}{breaking}")
        for change in tool.changes:
            mark = "!" if change.breaking else " "
            at = f"{change.pointer}: " if change.pointer else ""
            typer.echo(f"  {mark} {at}{change.message}")
    if not (difference.removed or difference.added or difference.changed):
        typer.echo("No tool differs.")
    elif difference.breaking:
        typer.echo("This breaks callers.")
    else:
        typer.echo("This breaks no caller.")
