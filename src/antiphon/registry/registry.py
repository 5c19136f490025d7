"""The registry at run time: the tools of one artifact, checked, compiled and ready to be called."""

from __future__ import annotations

import logging
import os
import shlex
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import orjson

from antiphon.contracts import ToolDefinition
from antiphon.contracts.availability import Availability
from antiphon.contracts.definition import Category, FurtherModes, Mode
from antiphon.extras import missing_extra
from antiphon.registry.artifact import ArtifactError, read_artifact, tool_digest
from antiphon.registry.findings import finding_line, finding_lines
from antiphon.registry.handlers import Handler, HandlerOrigin, alias_handler, describe, load_module
from antiphon.registry.projections import (
    CODECS,
    PROVIDERS,
    ArgumentCodec,
    StrictCodec,
    codec_of,
    responses_form,
)
from antiphon.registry.sources import (
    GUIDE,
    HANDLER,
    SCHEMA,
    SHIPPED_TOOLS,
    ToolSource,
    read_tool,
)
from antiphon.registry.strict_json import parse
from antiphon.registry.validation import UnusableSchema, Validator

if TYPE_CHECKING:
    from antiphon.registry.functions.source import FunctionSource

logger = logging.getLogger(__name__)

ALIASES = {"gemini": "geminiNative", "claude": "anthropic"}
RESPONSES = "openaiResponses"
# For the model that is built in: all that the artifact says of a tool, its guide included.
LOCAL = "local"


class RegistryError(Exception):
    """The registry cannot do what was asked; the message says why and what mends it."""


class ToolStats:
    """Statistics of one tool since the process started: calls, failures, time."""

    __slots__ = ("calls", "errors", "total_ms")

    def __init__(self) -> None:
        self.calls = 0
        self.errors = 0
        self.total_ms = 0.0

    def record(self, duration_ms: float, ok: bool) -> None:
        """Count one call."""
        self.calls += 1
        self.total_ms += duration_ms
        if not ok:
            self.errors += 1

    def to_dict(self) -> dict[str, Any]:
        average = self.total_ms / self.calls if self.calls else 0.0
        return {"calls": self.calls, "errors": self.errors, "avgDuration": round(average, 3)}


class Tool:
    """One tool, ready to run: its contract, its validators and its handlers by variant name."""

    __slots__ = (
        "availability",
        "definition",
        "entry",
        "handler",
        "output",
        "own",
        "recoverable",
        "stats",
        "validator",
        "variants",
        "writes",
    )

    def __init__(
        self,
        definition: ToolDefinition,
        entry: dict[str, Any],
        handler: Handler,
        variants: dict[str, Handler],
        stats: ToolStats,
        own: bool = True,
    ) -> None:
        self.definition = definition
        self.own = own  # from a folder of the person who runs this, not one that ships
        self.writes = definition.writes
        self.entry = entry
        self.handler = handler
        self.variants = variants
        # After a crash such a tool can be asked what became of a call.
        self.recoverable = handler.reconcile is not None
        self.stats = stats
        self.validator = Validator(definition.parameters)
        self.output = Validator(definition.output) if definition.output is not None else None
        self.availability = (
            Availability(definition.availability) if definition.availability else None
        )

    def available(self, session: Mapping[str, Any] | None) -> bool:
        if self.availability is None:
            return True
        return self.availability.refusal(session or {}, os.environ) is None


class Declarations:
    """The tools of one session, declared in any provider's form. Each form is made once."""

    __slots__ = ("_codecs", "_forms", "_modes", "_tools")

    def __init__(self, tools: Iterable[Tool], modes: FurtherModes | None = None) -> None:
        self._tools = {tool.definition.tool_id: tool for tool in tools}
        self._modes = modes or {}
        self._forms: dict[str, list[dict[str, Any]]] = {}
        self._codecs: dict[tuple[str, str], ArgumentCodec | None] = {}

    def declared(self, form: str) -> list[dict[str, Any]]:
        """Return the declarations, not to be changed. Raises RegistryError for a form that does not
        exist."""
        if form not in self._forms:
            declared = _declared(self._tools.values(), form)
            if form == LOCAL and self._modes:
                declared = [self._widened(body) for body in declared]
            self._forms[form] = declared
        return self._forms[form]

    def _widened(self, entry: dict[str, Any]) -> dict[str, Any]:
        """What the artifact says of a tool, with the modes that it has in this session."""
        further = self._modes.get(entry["toolId"])
        if not further:
            return entry
        allowed: list[str] = entry["allowedModes"]
        return {**entry, "allowedModes": [*allowed, *(m for m in further if m not in allowed)]}

    def arguments(self, form: str, name: str, args: Any) -> Any:
        """Decode arguments that a model wrote in this form into canonical ones.

        What does not fit, and arguments of a tool that was not declared, are left as they are.
        """
        codec = self._codec(form, name)
        return args if codec is None else codec.decode(args)

    def written(self, form: str, name: str, args: Any) -> Any:
        """Encode canonical arguments as a model would have written them in this form."""
        codec = self._codec(form, name)
        return args if codec is None else codec.encode(args)

    def _codec(self, form: str, name: str) -> ArgumentCodec | None:
        form = ALIASES.get(form, form)
        if form not in CODECS or name not in self._tools:
            return None
        if (form, name) not in self._codecs:
            schema = self._tools[name].definition.parameters
            self._codecs[form, name] = codec_of(form, schema)
        return self._codecs[form, name]


class Snapshot:
    """The tools of one artifact, for as long as a session needs them. Never changes."""

    __slots__ = ("build_timestamp", "git_commit", "tools", "version")

    def __init__(self, artifact: Mapping[str, Any], tools: dict[str, Tool]) -> None:
        self.version: str = artifact["version"]
        self.git_commit: str | None = artifact["gitCommit"]
        self.build_timestamp: str = artifact["buildTimestamp"]
        self.tools: Mapping[str, Tool] = MappingProxyType(tools)

    def tool_ids(self) -> list[str]:
        return list(self.tools)

    def nearest(self, tool_id: str) -> list[str]:
        """Return names that somebody who wrote `tool_id` may have meant."""
        return get_close_matches(tool_id, self.tools, n=3)

    def entry(self, tool_id: str) -> dict[str, Any] | None:
        """Return all that the artifact says of a tool."""
        tool = self.tools.get(tool_id)
        return tool.entry if tool else None

    def metadata(self, tool_id: str) -> dict[str, Any] | None:
        tool = self.tools.get(tool_id)
        return tool.definition.metadata() if tool else None

    def documentation(self, tool_id: str) -> str | None:
        """Return the whole guide of a tool."""
        tool = self.tools.get(tool_id)
        return tool.entry["documentation"] if tool else None

    def summaries(
        self,
        mode: Mode | None = None,
        session: Mapping[str, Any] | None = None,
        toolset: Collection[str] | None = None,
        modes: FurtherModes | None = None,
    ) -> list[dict[str, str]]:
        """Return what a prompt says of each tool: id, category and one or two sentences."""
        return [
            {
                "toolId": tool.definition.tool_id,
                "category": tool.definition.category,
                "summary": tool.entry["summary"],
            }
            for tool in self._chosen(mode, session, toolset, modes)
        ]

    def own_tools(self) -> frozenset[str]:
        """The tools of folders that do not ship, but for those of the catalogue, which agents find
        by `list_tools`."""
        return frozenset(
            tool_id
            for tool_id, tool in self.tools.items()
            if tool.own and tool.definition.catalogue is None
        )

    def by_category(self, category: Category) -> list[str]:
        return [i for i, tool in self.tools.items() if tool.definition.category == category]

    def provider_schemas(
        self,
        provider: str,
        mode: Mode | None = None,
        session: Mapping[str, Any] | None = None,
    ) -> list[dict[str, Any]]:
        """The declarations for one provider, of the tools that this mode and session may call.

        `provider` is one of the artifact's forms, `openaiResponses` (also for Realtime), or
        `gemini` and `claude` for short. With `session` left out, tools with conditions that only a
        session can meet are not declared.
        """
        return _declared(self._chosen(mode, session), provider)

    def declarations(
        self,
        mode: Mode | None = None,
        session: Mapping[str, Any] | None = None,
        toolset: Collection[str] | None = None,
        modes: FurtherModes | None = None,
    ) -> Declarations:
        """The tools that `provider_schemas` would declare now, for any provider, and their codecs.

        What a session gives a connection to a model: it stays the same until the session ends.
        `toolset` leaves out every tool that is not in it; `modes` has, by tool, the modes in which
        it may be called beyond those of its own `allowedModes`.
        """
        return Declarations(self._chosen(mode, session, toolset, modes), modes)

    def strict_codec(self, tool_id: str) -> StrictCodec:
        """Return the codec of OpenAI's strict form of a tool's arguments."""
        return StrictCodec(self.tools[tool_id].definition.parameters)

    def metrics(self) -> dict[str, dict[str, Any]]:
        """Return calls, errors and average duration of each tool."""
        return {tool_id: tool.stats.to_dict() for tool_id, tool in self.tools.items()}

    def _chosen(
        self,
        mode: Mode | None,
        session: Mapping[str, Any] | None,
        toolset: Collection[str] | None = None,
        modes: FurtherModes | None = None,
    ) -> Iterable[Tool]:
        further = modes or {}
        for tool_id, tool in self.tools.items():
            if toolset is not None and tool_id not in toolset:
                continue
            allowed = (
                mode is None
                or mode in tool.definition.allowed_modes
                or mode in further.get(tool_id, ())
            )
            if allowed and tool.available(session):
                yield tool


def _declared(tools: Iterable[Tool], provider: str) -> list[dict[str, Any]]:
    form = ALIASES.get(provider, provider)
    if form == LOCAL:
        return [tool.entry for tool in tools]
    known = form if form != RESPONSES else "openai"
    if known not in PROVIDERS:
        names = ", ".join((*PROVIDERS, RESPONSES))
        raise RegistryError(f"no declarations for provider {provider!r}; there are {names}")
    found = [tool.entry["providerSchemas"][known] for tool in tools]
    return [responses_form(body) for body in found] if form == RESPONSES else found


class Registry:
    """Today's snapshot of an artifact on disk, and the way to a newer one.

    Every question a snapshot answers, the registry answers for today's.
    """

    def __init__(self, path: Path, snapshot: Snapshot) -> None:
        self.path = path
        self.locked = False
        self._snapshot = snapshot
        self._make: Callable[[dict[str, ToolStats]], Snapshot] = lambda stats: _load(
            path, stats, True
        )

    @classmethod
    def load(
        cls, path: str | os.PathLike[str] = "tool_registry.json", *, isolate: bool = True
    ) -> Registry:
        """Read an artifact, compile its validators and import its handlers.

        With `isolate` False, tools with `"isolation": "process"` run in this process, where a
        debugger sees them and nothing limits them.

        Raises RegistryError when a file of a tool is not the one that was built, when a handler
        cannot be imported, or when the artifact is no artifact.
        """
        registry = cls(Path(path), _load(Path(path), {}, isolate))
        registry._make = lambda stats: _load(Path(path), stats, isolate)
        return registry

    @classmethod
    def of(
        cls,
        *functions: Callable[..., Any],
        folders: Sequence[str | os.PathLike[str]] = (),
        isolate: bool = True,
    ) -> Registry:
        """Make a registry of functions, with the tools of `folders` beside them; no file is
        written.

        Functions are decorated with `antiphon.tool`, or plain ones, which count as tools that
        write. `isolate` is that of `load`. Raises RegistryError with every finding of every tool,
        each with file and line.
        """
        path = Path("tool_registry.json").absolute()
        chosen = [Path(folder) for folder in folders]

        def make(stats: dict[str, ToolStats]) -> Snapshot:
            return _compile(path, functions, chosen, stats, isolate)

        registry = cls(path, make({}))
        registry._make = make
        return registry

    def lock(self) -> Registry:
        """Refuse `reload` from now on."""
        if self.locked:
            logger.warning("the registry is locked already; locking it again changes nothing")
        self.locked = True
        return self

    def snapshot(self) -> Snapshot:
        """Return today's snapshot, which a session pins when it starts."""
        return self._snapshot

    def reload(self) -> Snapshot:
        """Load the tools as they are now, for new sessions. On an error the old ones stay."""
        if self.locked:
            raise RegistryError("the registry is locked; restart the server to take new tools")
        stats = {tool_id: tool.stats for tool_id, tool in self._snapshot.tools.items()}
        self._snapshot = self._make(stats)
        return self._snapshot

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._snapshot, name)


def _load(path: Path, stats: dict[str, ToolStats], isolate: bool) -> Snapshot:
    try:
        artifact = read_artifact(path)
    except ArtifactError as error:
        raise RegistryError(str(error)) from None
    tools: dict[str, Tool] = {}
    problems: list[str] = []
    for entry in artifact["tools"]:
        try:
            tool_id = entry["toolId"]
            known = stats.get(tool_id) or ToolStats()
            tools[tool_id] = _load_tool(path, entry, known, isolate)
        except RegistryError as error:
            problems.append(f"{entry['toolId']}: {error}")
    if problems:
        handlers = (_handler_path(path, entry) for entry in artifact["tools"])
        folders = sorted({_shown(handler.parent.parent) for handler in handlers})
        command = shlex.join(["antiphon", "build", *folders, "--out", _shown(path)])
        listed = "\n".join(f"  {problem}" for problem in problems)
        raise RegistryError(
            f"{path} does not fit the tools on disk:\n{listed}\nRun `{command}` and start again."
        )
    return Snapshot(artifact, tools)


def _compile(
    path: Path,
    functions: Sequence[Callable[..., Any]],
    folders: Sequence[Path],
    stats: dict[str, ToolStats],
    isolate: bool,
) -> Snapshot:
    """The tools of functions and folders, compiled in memory."""
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
    by_reference = {source.reference: source for source in sources}
    tools: dict[str, Tool] = {}
    for entry in artifact["tools"]:
        known = stats.get(entry["toolId"]) or ToolStats()
        source = by_reference.get(entry["handlerPath"])
        if source is None:
            tools[entry["toolId"]] = _load_tool(path, entry, known, isolate)
        else:
            tools[entry["toolId"]] = _function_tool(source, entry, known, isolate)
    return Snapshot(artifact, tools)


def _shown(path: Path) -> str:
    relative = os.path.relpath(path)
    return str(path) if relative.startswith("..") else relative


def _load_tool(path: Path, entry: dict[str, Any], stats: ToolStats, isolate: bool) -> Tool:
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
