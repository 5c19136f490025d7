"""The builder: directories and functions compiled into the registry artifact, all or nothing."""

from __future__ import annotations

import os
import re
import shlex
import threading
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import Any

import orjson

from antiphon.contracts import ToolDefinition
from antiphon.contracts.definition import HandlerKind
from antiphon.registry import artifact as artifacts
from antiphon.registry.artifact import ArtifactError
from antiphon.registry.cache import CompiledTool, cache_path, load_cache, save_cache
from antiphon.registry.findings import (
    FindingList,
    LintFinding,
    Severity,
    has_errors,
    in_reading_order,
    plain,
)
from antiphon.registry.lint import (
    ClaimedId,
    LintedTool,
    all_staged,
    duplicate_ids,
    lint_aliases,
    lint_tool,
)
from antiphon.registry.lint_fields import lint_isolation
from antiphon.registry.probe import DEADLINE, ProbeError, Prober
from antiphon.registry.projections import declarations
from antiphon.registry.schemas import UnusableSchema, dumps
from antiphon.registry.sources import (
    GUIDE,
    HANDLER,
    SCHEMA,
    ToolSource,
    discover,
    handler_newer_than,
    hash_files,
)
from antiphon.registry.versions import by_tool, precedence, version_name

Progress = Callable[[int, int], None]

# What tells one build from the next without the tools having changed.
# Bytes of one declaration: more than the first is a warning, more than the second an error.
LARGE_DECLARATION = 16_000
MAX_DECLARATION = 64_000
_MOMENTARY = ("buildTimestamp", "gitCommit")


@dataclass(slots=True)
class BuildReport:
    """The outcome of a build. Nothing is written when any finding is an error.

    `parts` joined are the bytes of the artifact.
    """

    findings: list[LintFinding] = field(default_factory=list)
    parts: list[bytes | memoryview] | None = None
    version: str | None = None
    tools: int = 0
    cached: int = 0
    written: bool = False

    @property
    def ok(self) -> bool:
        """Whether no finding is an error."""
        return not has_errors(self.findings)

    @property
    def errors(self) -> int:
        """The number of errors."""
        return sum(finding.severity == "error" for finding in self.findings)

    @property
    def warnings(self) -> int:
        """The number of warnings."""
        return len(self.findings) - self.errors

    @property
    def artifact(self) -> dict[str, Any] | None:
        """The compiled artifact, or None when the build failed."""
        return None if self.parts is None else orjson.loads(b"".join(self.parts))

    def to_dict(self) -> dict[str, Any]:
        return {
            "ok": self.ok,
            "version": self.version,
            "tools": self.tools,
            "cached": self.cached,
            "written": self.written,
            "errors": self.errors,
            "warnings": self.warnings,
            "findings": [finding.to_dict() for finding in self.findings],
        }


def build(
    folders: Sequence[Path],
    out: Path,
    *,
    functions: Sequence[ToolSource] = (),
    use_cache: bool = True,
    progress: Progress | None = None,
    deadline: float = DEADLINE,
) -> BuildReport:
    """Compile `folders` and `functions` and replace `out`, unless a finding is an error.

    `deadline` is the number of seconds that a handler may take to be imported.
    """
    work = _Compilation(folders, functions, out, use_cache=use_cache)
    report = work.run(progress, deadline)
    if report.parts is None:
        return report
    try:
        artifacts.write_atomic(out, report.parts)
        report.written = True
    except ArtifactError as error:
        report.findings.append(_about_artifact("artifact", out, str(error)))
        return report
    if use_cache and work.changed:
        try:
            save_cache(out, work.finished)
        except ArtifactError as error:
            name = cache_path(out).name
            message = str(error).partition(". ")[0]
            fix = f"Remove {name}, or build with --no-cache."
            report.findings.append(LintFinding("warning", "cache", name, "", message, fix))
    return report


def check(
    folders: Sequence[Path],
    out: Path,
    *,
    functions: Sequence[ToolSource] = (),
    progress: Progress | None = None,
    deadline: float = DEADLINE,
) -> BuildReport:
    """Compile from nothing and compare with `out`; writes nothing.

    The commit and the time of the build are not compared.
    """
    report = _Compilation(folders, functions, out, use_cache=False).run(progress, deadline)
    expected = report.artifact
    if expected is None:
        return report
    command = shlex.join(["antiphon", "build", *map(str, folders), "--out", str(out)])
    try:
        existing = artifacts.read_artifact(out)
    except ArtifactError as error:
        message = str(error).removesuffix(" " + artifacts.MEND)
        report.findings.append(_about_artifact("stale", out, message, f"Run `{command}`."))
        return report
    if _lasting(existing) != _lasting(expected):
        message = f"is stale: {_difference(existing, expected)}"
        report.findings.append(_about_artifact("stale", out, message, f"Run `{command}`."))
    return report


def compile_in_memory(
    folders: Sequence[Path], functions: Sequence[ToolSource], out: Path
) -> BuildReport:
    """Compile `folders` and `functions` for use in this process; nothing is read from `out` or
    written there, and there may be no tools at all."""
    work = _Compilation(folders, functions, out, use_cache=False)
    work.may_be_empty = True
    return work.run(None, DEADLINE)


def watch(
    folders: Sequence[Path],
    out: Path,
    on_build: Callable[[BuildReport], None],
    *,
    use_cache: bool = True,
    stop: threading.Event | None = None,
) -> None:
    """Build now and after every change until `stop` is set or Ctrl-C; `on_build` sees each report.

    Raises FileNotFoundError when there is nothing to watch.
    """
    import watchfiles

    def matters(_: watchfiles.Change, path: str) -> bool:
        return _is_source(Path(path), folders)

    report = build(folders, out, use_cache=use_cache)
    on_build(report)
    started = False
    for changes in watchfiles.watch(
        *folders,
        watch_filter=matters,
        stop_event=stop,
        debounce=200,
        rust_timeout=500,
        yield_on_timeout=True,
    ):
        if changes or not started:
            again = build(folders, out, use_cache=use_cache)
            # The first look catches what changed between the first build and the watch.
            if changes or again.to_dict() | {"cached": 0} != report.to_dict() | {"cached": 0}:
                on_build(again)
            report, started = again, True


def _is_source(path: Path, folders: Sequence[Path]) -> bool:
    """Whether a changed path can matter to a build: a tool directory or one of its files."""
    for folder in folders:
        try:
            inner = path.relative_to(os.path.realpath(folder))
        except ValueError:
            continue
        parts = inner.parts
        # Files directly in the folder are not tools; the artifact itself may well be there.
        if len(parts) > 1 or (parts and not path.is_file()):
            return not any(part.startswith((".", "_")) and part != "__init__.py" for part in parts)
    return False


class _Compilation:
    """The state of one build: tools read, those that changed compiled, the artifact assembled."""

    def __init__(
        self,
        folders: Sequence[Path],
        functions: Sequence[ToolSource],
        out: Path,
        *,
        use_cache: bool,
    ) -> None:
        self.may_be_empty = False
        self._folders = folders
        self._functions = functions
        self._out = out
        self._use_cache = use_cache
        self._known: dict[str, CompiledTool] = {}
        self._base = os.path.realpath(out.parent)
        self._relative: dict[str, str] = {}
        self._report = BuildReport()
        self._ids: list[ClaimedId] = []
        # By key, in the order of the artifact once `run` has ended.
        self.finished: dict[str, CompiledTool] = {}

    @property
    def changed(self) -> bool:
        """Whether the compiled tools differ from those of the existing artifact."""
        return self._report.cached != len(self._known) or len(self.finished) != len(self._known)

    def run(self, progress: Progress | None, deadline: float) -> BuildReport:
        """Run the build and return its report."""
        # Outside any folder there is nothing to build either.
        with artifacts.GitCommit(self._folders[0] if self._folders else Path()) as commit:
            self._compile_all(progress, deadline)
            report = self._report
            self._complain_about_nothing()
            report.findings.extend(duplicate_ids(self._ids))
            report.findings.extend(all_staged(self._ids))
            if not has_errors(report.findings):
                report.findings.extend(self._lint_aliases())
            report.findings = in_reading_order(report.findings)
            if not has_errors(report.findings):
                self._assemble(commit)
        return report

    def _compile_all(self, progress: Progress | None, deadline: float) -> None:
        report = self._report
        waiting: list[tuple[str, ToolSource, str]] = []
        with Prober(deadline) as prober:
            if self._use_cache:
                if handler_newer_than(self._folders, self._out):
                    prober.prepare()
                self._known = load_cache(self._out)
            for source in chain(discover(self._folders, report.findings), self._functions):
                report.tools += 1
                key = f"{source.label}\0{self._handler_path(source)}"
                raw = source.raw_digest()
                known = self._known.get(key)
                if known and known.raw == raw and not has_errors(source.findings):
                    report.cached += 1
                    self._keep(key, source, known)
                else:
                    waiting.append((key, source, raw))
                    if source.kind is None and (
                        not known or known.code != hash_files(source.python)
                    ):
                        prober.prepare()
            for done, (key, source, raw) in enumerate(waiting, start=report.cached + 1):
                self._compile(key, source, raw, prober)
                if progress:
                    progress(done, report.tools)

    def _lint_aliases(self) -> list[LintFinding]:
        """Findings for tools that run another one, which may have changed without them."""
        made = [(key.partition("\0")[0], tool) for key, tool in self.finished.items()]
        aliases = [pair for pair in made if b'"aliasOf":' in bytes(pair[1].entry)]
        if not aliases:
            return []
        made.sort(key=lambda pair: (not pair[1].staged, precedence(pair[1].version)))
        entries = {tool.tool_id: tool for _, tool in made}
        wanted = {tool.tool_id: label for label, tool in aliases}
        for _, tool in aliases:
            target = orjson.loads(tool.entry).get("aliasOf")
            if target in entries:
                wanted.setdefault(target, "")
        return lint_aliases(
            [(label, orjson.loads(entries[tool_id].entry)) for tool_id, label in wanted.items()]
        )

    def _complain_about_nothing(self) -> None:
        """Report an error when there are no tools: an empty registry must not replace a good
        one."""
        found = self._report.findings
        if self._report.tools or has_errors(found) or self.may_be_empty:
            return
        place = found[0].file if found else ""
        fix = "Name a folder of tools, or make a tool with `antiphon new-tool NAME`."
        found.append(LintFinding("error", "folder", place, "", "there are no tools to build", fix))

    def _assemble(self, commit: artifacts.GitCommit) -> None:
        report = self._report
        try:
            timestamp = artifacts.build_timestamp()
        except ArtifactError as error:
            report.findings.append(_about_artifact("build-time", self._out, str(error)))
            return
        self.finished = dict(
            sorted(
                self.finished.items(),
                key=lambda item: (item[1].tool_id, precedence(item[1].version)),
            )
        )
        tools = self.finished.values()
        counts = Counter(tool.tool_id for tool in tools)
        report.version = artifacts.registry_version(
            {
                tool.tool_id
                if counts[tool.tool_id] == 1
                else version_name(tool.tool_id, tool.version): tool.digest
                for tool in tools
            }
        )
        report.parts = artifacts.artifact_parts(
            [tool.entry for tool in tools],
            version=report.version,
            git_commit=commit.short_hash(),
            build_timestamp=timestamp,
        )

    def _compile(self, key: str, source: ToolSource, raw: str, prober: Prober) -> None:
        tool = lint_tool(source)
        code = hash_files(source.python)
        known = self._known.get(key)
        if source.kind is not None:
            _note_kind(tool, HANDLER, source.kind)
        elif known and known.code == code and tool.definition and not tool.definition.variants:
            tool.findings.extend(f for f in known.findings if f.rule == "handler")
            _note_kind(tool, HANDLER, known.kind)
        else:
            _probe(tool, code, prober)
        made = _entry(tool, self._handler_path(source), raw, code)
        if made is not None:
            self._keep(key, source, made)
            return
        self._report.findings.extend(tool.findings)
        if tool.tool_id is not None:
            version = (tool.schema or {}).get("version")
            self._ids.append(ClaimedId(tool.tool_id, str(version), source))

    def _keep(self, key: str, source: ToolSource, made: CompiledTool) -> None:
        self.finished[key] = made
        self._ids.append(ClaimedId(made.tool_id, made.version, source, made.staged))
        self._report.findings.extend(made.findings)

    def _handler_path(self, source: ToolSource) -> str:
        """Return the handler's path relative to the artifact, so that both can be moved
        together; that of a function is its `module:name`."""
        if source.reference is not None:
            return source.reference
        folder, name = os.path.split(source.path)
        if folder not in self._relative:
            relative = os.path.relpath(os.path.realpath(folder), self._base)
            self._relative[folder] = relative.replace(os.sep, "/")
        path = f"{self._relative[folder]}/{name}/{HANDLER}"
        try:
            path.encode()
        except UnicodeEncodeError:
            message = "the path to the handler is not UTF-8, so the artifact cannot name it"
            source.error("file-name", HANDLER, message, "Rename the folder.")
            return plain(path)
        return path.removeprefix("./")


def _probe(tool: LintedTool, code: str, prober: Prober) -> None:
    source = tool.source
    variants = tool.definition.variants if tool.definition else ()
    names = [HANDLER, *(v.handler for v in variants if v.handler != HANDLER)]
    package = re.sub(r"\W", "_", tool.tool_id or source.name, flags=re.ASCII)
    python = source.python
    directory = Path(os.path.abspath(source.path))
    for name in dict.fromkeys(names):
        if not python.get(name, b"").strip():
            continue
        try:
            result = prober.probe(package, code, python, directory, name)
        except ProbeError as error:
            fix = "Check the Python installation, then build again."
            tool.findings.append(_about(source, name, "error", str(error), fix))
            continue
        if result.problem:
            fix = "Make the file importable, with `async def execute(args, context)`."
            tool.findings.append(_about(source, name, "error", result.problem, fix))
        if result.kind is not None:
            _note_kind(tool, name, result.kind)
        if result.printed:
            fix = "Print nothing; use context.audit.log or the logging module."
            message = "prints while it is imported"
            tool.findings.append(_about(source, name, "warning", message, fix))


def _note_kind(tool: LintedTool, name: str, kind: HandlerKind) -> None:
    if name == HANDLER:
        tool.kind = kind
    found = FindingList(tool.source.file_label(SCHEMA), tool.findings)
    lint_isolation(found, (tool.schema or {}).get("isolation"), kind, name)


def _judge_sizes(tool: LintedTool, declared: dict[str, dict[str, Any]]) -> None:
    """Warn of large declarations: they are sent with every request of every session with the
    tool."""
    sizes = {provider: len(dumps(body).encode()) for provider, body in declared.items()}
    provider, size = max(sizes.items(), key=itemgetter(1))
    if size <= LARGE_DECLARATION:
        return
    severity: Severity = "error" if size > MAX_DECLARATION else "warning"
    limit = MAX_DECLARATION if severity == "error" else LARGE_DECLARATION
    message = f"its declaration for {provider} has {size:,} bytes; {limit:,} is the limit"
    fix = "Declare fewer or simpler parameters, or split the tool; models read all of it each time."
    file = tool.source.file_label(SCHEMA)
    tool.findings.append(
        LintFinding(severity, "declaration-size", file, "/parameters", message, fix)
    )


def _entry(tool: LintedTool, handler_path: str, raw: str, code: str) -> CompiledTool | None:
    if tool.definition is None or tool.schema is None or has_errors(tool.findings):
        return None
    kind = tool.kind or "async"
    definition = ToolDefinition.from_schema(tool.schema, kind)
    try:
        provider_schemas, losses = declarations(definition)
    except UnusableSchema as error:
        file = tool.source.file_label(SCHEMA)
        fix = "Simplify the schema at that place."
        tool.findings.append(
            LintFinding("error", "projection", file, "/parameters", str(error), fix)
        )
        return None
    _judge_sizes(tool, provider_schemas)
    if has_errors(tool.findings):
        return None
    digest = artifacts.tool_digest(tool.schema, tool.source.files[GUIDE], tool.source.python)
    entry = artifacts.make_entry(
        definition,
        provider_schemas=provider_schemas,
        losses=losses,
        summary=tool.summary,
        documentation=tool.documentation,
        handler_path=handler_path if definition.alias_of is None else _schema_path(handler_path),
        digest=digest,
    )
    data = artifacts.entry_bytes(entry)
    crc = zlib.crc32(data)
    identity = (definition.tool_id, definition.version, definition.staged)
    return CompiledTool(raw, code, *identity, digest, data, crc, kind, tool.findings)


def _schema_path(handler_path: str) -> str:
    """Return what the artifact names for an alias, which has no handler of its own."""
    return handler_path.removesuffix(HANDLER) + SCHEMA


def _about(
    source: ToolSource, name: str, severity: Severity, message: str, fix: str
) -> LintFinding:
    return LintFinding(severity, "handler", source.file_label(name), "", message, fix)


def _about_artifact(rule: str, out: Path, message: str, fix: str = "") -> LintFinding:
    """Return a finding about the artifact; without `fix`, the message's last sentence is the
    fix."""
    message = message.removeprefix(f"{out} ")
    if not fix:
        message, _, fix = message.partition(". ")
    return LintFinding("error", rule, out.as_posix(), "", message.rstrip("."), fix)


def _lasting(artifact: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in artifact.items() if name not in _MOMENTARY}


def _difference(existing: dict[str, Any], expected: dict[str, Any]) -> str:
    old, new = by_tool(existing["tools"]), by_tool(expected["tools"])
    parts = [
        ("added", new.keys() - old.keys()),
        ("removed", old.keys() - new.keys()),
        ("changed", {name for name in old.keys() & new.keys() if old[name] != new[name]}),
    ]
    said = [f"{_some(sorted(names))} {what}" for what, names in parts if names]
    return ", ".join(said) or f"its version is {existing['version']}, not {expected['version']}"


def _some(names: list[str], limit: int = 5) -> str:
    rest = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(names[:limit]) + rest
