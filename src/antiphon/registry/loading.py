"""Loading of tools: those of an artifact, verified, and those of functions, compiled in memory."""

from __future__ import annotations

import logging
import os
import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from antiphon.contracts import ToolDefinition
from antiphon.extras import missing_extra
from antiphon.registry.artifact import ArtifactError, read_artifact, tool_digest
from antiphon.registry.findings import finding_line, finding_lines, has_errors
from antiphon.registry.handlers import Handler, HandlerOrigin, alias_handler, describe, load_module
from antiphon.registry.snapshot import RegistryError, Snapshot, Tool, ToolStats
from antiphon.registry.sources import (
    GUIDE,
    HANDLER,
    SCHEMA,
    SHIPPED_TOOLS,
    ToolSource,
    read_tool,
)
from antiphon.registry.strict_json import parse
from antiphon.registry.validation import UnusableSchema
from antiphon.registry.versions import by_tool, version_name

if TYPE_CHECKING:
    from antiphon.registry.functions.source import FunctionSource

logger = logging.getLogger(__name__)


def load_artifact(path: Path, stats: dict[str, ToolStats], isolate: bool) -> Snapshot:
    """Return the tools of an artifact. Raises RegistryError with all that does not fit."""
    try:
        artifact = read_artifact(path)
    except ArtifactError as error:
        raise RegistryError(str(error)) from None
    tools: list[Tool] = []
    problems: list[str] = []
    counted = _Counted(stats, artifact)
    for entry in artifact["tools"]:
        try:
            tools.append(_load_tool(path, entry, counted.of(entry), isolate))
        except RegistryError as error:
            problems.append(f"{entry['toolId']}: {error}")
    if problems:
        command = shlex.join(
            ["antiphon", "build", *_built_of(path, artifact), "--out", _shown(path)]
        )
        listed = "\n".join(f"  {problem}" for problem in problems)
        raise RegistryError(
            f"{path} does not fit the tools on disk:\n{listed}\nRun `{command}` and start again."
        )
    return Snapshot(artifact, tools)


class _Counted:
    """What was counted of tools that were loaded before: of each version of a tool that has
    several; one that is alone goes on with what was counted of the tool."""

    def __init__(self, stats: dict[str, ToolStats], artifact: dict[str, Any]) -> None:
        self._stats = stats
        self._versions = by_tool(artifact["tools"])

    def of(self, entry: dict[str, Any]) -> ToolStats:
        tool_id = entry["toolId"]
        alone = len(self._versions[tool_id]) == 1
        name = tool_id if alone else version_name(tool_id, entry["version"])
        return self._stats.get(name) or ToolStats()


def _built_of(path: Path, artifact: dict[str, Any]) -> list[str]:
    """The folders and functions that an artifact was built of, as `antiphon build` takes them."""
    references = {e["handlerPath"] for e in artifact["tools"] if _is_function(e)}
    handlers = (_handler_path(path, e) for e in artifact["tools"] if not _is_function(e))
    return sorted({_shown(handler.parent.parent) for handler in handlers}) + sorted(references)


def _is_function(entry: dict[str, Any]) -> bool:
    """Whether an entry names a function, `module:name`, and no file of a tool directory."""
    handler: str = entry["handlerPath"]
    return ":" in handler and not handler.endswith((HANDLER, SCHEMA))


def compile_tools(
    path: Path,
    functions: Sequence[Callable[..., Any]],
    folders: Sequence[Path],
    stats: dict[str, ToolStats],
    isolate: bool,
) -> Snapshot:
    """Return the tools of functions and folders, compiled in memory. Raises RegistryError with
    every finding."""
    from antiphon.registry.builder import compile_in_memory
    from antiphon.registry.functions.function_tool import as_tool

    sources = [as_tool(function).source for function in functions]
    report = compile_in_memory(folders, sources, path)
    artifact = report.artifact
    if not report.ok or artifact is None:
        raise RegistryError(f"the tools cannot be used:\n{finding_lines(report.findings)}")
    for finding in report.findings:
        # For whoever asks: a program that starts is no place for advice. `antiphon build` gives it.
        logger.info("%s", finding_line(finding))
    by_id = {source.name: source for source in sources}
    tools: list[Tool] = []
    counted = _Counted(stats, artifact)
    for entry in artifact["tools"]:
        known = counted.of(entry)
        source = by_id.get(entry["toolId"])
        if source is None or ":" not in entry["handlerPath"]:
            tools.append(_load_tool(path, entry, known, isolate))
        else:
            tools.append(_function_tool(source, entry, known, isolate))
    return Snapshot(artifact, tools)


def compile_each(
    functions: Sequence[Callable[..., Any]], stats: dict[str, ToolStats]
) -> tuple[list[Tool], dict[str, str]]:
    """Return the tools that can be used, and by id what is wrong with the others, in words."""
    path = Path("tool_registry.json").absolute()

    def compiled(chosen: Sequence[Any]) -> list[Tool]:
        return list(compile_tools(path, chosen, (), stats, True).tools.values())

    try:
        return compiled(functions), {}
    except RegistryError:
        pass  # one by one, below
    tools: list[Tool] = []
    problems: dict[str, str] = {}
    for function in functions:
        try:
            tools += compiled([function])
        except RegistryError as error:
            problems[getattr(function, "name", "")] = str(error)
    return tools, problems


def _shown(path: Path) -> str:
    relative = os.path.relpath(path)
    return str(path) if relative.startswith("..") else relative


def _load_tool(path: Path, entry: dict[str, Any], stats: ToolStats, isolate: bool) -> Tool:
    if _is_function(entry):
        return _function_tool(_found_function(entry), entry, stats, isolate)
    source = read_tool(_handler_path(path, entry).parent)
    schema = _verified(source, entry)
    apart = isolate and schema.get("isolation") == "process"
    target = schema.get("aliasOf")
    handler = _handler(source, entry, HANDLER, apart) if target is None else alias_handler(target)
    kind = handler.kind if handler.origin is None else handler.origin.kind
    definition = ToolDefinition.from_schema(schema, kind)  # type: ignore[arg-type]
    variants = {v.name: _handler(source, entry, v.handler, apart) for v in definition.variants}
    try:
        own = not source.directory.is_relative_to(os.path.realpath(SHIPPED_TOOLS))
        return Tool(definition, entry, handler, variants, stats, own)
    except UnusableSchema as error:
        raise RegistryError(f"its schema cannot be compiled: {error}") from None


def _found_function(entry: dict[str, Any]) -> FunctionSource:
    """The function of an entry, imported, with the digest that was built."""
    from antiphon.registry.functions.reference import ReferenceProblem, find_tool

    try:
        source = find_tool(entry["handlerPath"]).source
    except ReferenceProblem as error:
        raise RegistryError(str(error)) from None
    if has_errors(source.findings):
        raise RegistryError(f"its function has errors:\n{finding_lines(source.findings)}")
    schema = orjson.loads(source.files[SCHEMA])
    if tool_digest(schema, source.files[GUIDE], source.python) != entry["digest"]:
        raise RegistryError("its function has changed since the artifact was built")
    return source


def _function_tool(
    source: FunctionSource, entry: dict[str, Any], stats: ToolStats, isolate: bool
) -> Tool:
    """The tool of a function that was compiled or found unchanged."""
    handler = source.handler
    schema = orjson.loads(source.files[SCHEMA])
    if isolate and schema.get("isolation") == "process":
        handler = replace(handler, kind="process", origin=source.isolated(entry["digest"]))
    definition = ToolDefinition.from_schema(schema, source.kind or "async")
    try:
        return Tool(definition, entry, handler, {}, stats)
    except UnusableSchema as error:
        raise RegistryError(f"its schema cannot be compiled: {error}") from None


def _handler_path(path: Path, entry: dict[str, Any]) -> Path:
    # The builder wrote it relative to the real folder of the artifact, not to a link to that.
    return Path(os.path.normpath(os.path.join(os.path.realpath(path.parent), entry["handlerPath"])))


def _verified(source: ToolSource, entry: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a tool whose files have the digest that was built."""
    needed = (SCHEMA, GUIDE) if "aliasOf" in entry else (SCHEMA, GUIDE, HANDLER)
    missing = [name for name in needed if name not in source.files]
    if missing:
        reasons = [f"{f.file} {f.message}" for f in source.findings if f.severity == "error"]
        raise RegistryError("; ".join(reasons) or f"{', '.join(missing)} is missing")
    schema, problems = parse(source.files[SCHEMA])
    if problems or not isinstance(schema, dict):
        raise RegistryError(f"{SCHEMA} is no longer a valid JSON object")
    if tool_digest(schema, source.files[GUIDE], source.python) != entry["digest"]:
        raise RegistryError("its files have changed since the artifact was built")
    return schema


def _handler(source: ToolSource, entry: dict[str, Any], file: str, apart: bool) -> Handler:
    """Return the handler in a file of a tool; `apart`: it is to run in a worker process."""
    try:
        module = load_module(
            entry["toolId"], entry["digest"], source.python, source.directory, file
        )
        return _isolated(describe(module), entry, source, file) if apart else describe(module)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a handler may raise anything
        said = missing_extra(error) or f"{type(error).__name__}: {error}"
        raise RegistryError(f"{file} cannot be imported: {said}") from None


def _isolated(handler: Handler, entry: dict[str, Any], source: ToolSource, file: str) -> Handler:
    """Return the handler as one that runs in a worker process. What else its module offers runs
    here."""
    origin = HandlerOrigin(
        entry["toolId"],
        entry["digest"],
        source.python,
        os.fspath(source.directory),
        file,
        handler.kind,  # type: ignore[arg-type]
    )
    return replace(handler, kind="process", origin=origin)
