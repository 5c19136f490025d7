"""Snapshots of a registry: tools ready to run, and their declarations for each provider."""

from __future__ import annotations

import copy
import os
from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any

from antiphon.contracts import ToolDefinition
from antiphon.contracts.availability import Availability
from antiphon.contracts.definition import Category, FurtherModes, Mode
from antiphon.contracts.rights import Rights
from antiphon.registry.handlers import Handler
from antiphon.registry.projections import (
    CODECS,
    PROVIDERS,
    ArgumentCodec,
    StrictCodec,
    codec_of,
    responses_form,
)
from antiphon.registry.validation import Validator
from antiphon.registry.versions import by_tool, default_of, version_name

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
        "marks",
        "measured_as",
        "output",
        "own",
        "private",
        "recoverable",
        "source",
        "stats",
        "told",
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
        self.measured_as = definition.tool_id  # in metrics; of a further version `id@version`
        self.own = own  # from a folder of the person who runs this, not one that ships
        self.writes = definition.writes
        # Of what it returns: its marks, whether each result tells them, and what it is in words.
        self.marks = definition.marks
        self.told = self.marks.told
        self.private = definition.sensitivity != "public"
        self.source = _source_words(definition.tool_id, entry)
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


def _source_words(tool_id: str, entry: Mapping[str, Any]) -> str:
    """Name what a tool returns for a person."""
    kind, _, place = str(entry.get("handlerPath", "")).partition(":")
    named = {"mcp": "the MCP server", "openapi": "the service"}.get(kind)
    return f"the result of {tool_id}" if named is None else f"{named} {place.partition('#')[0]}"


class Declarations:
    """The tools of one session, declared in any provider's form. Each form is made once."""

    __slots__ = ("_codecs", "_forms", "_modes", "_tools")

    def __init__(self, tools: Iterable[Tool], modes: FurtherModes | None = None) -> None:
        self._tools = {tool.definition.tool_id: tool for tool in tools}
        self._modes = modes or {}
        self._forms: dict[str, list[dict[str, Any]]] = {}
        self._codecs: dict[tuple[str, str], ArgumentCodec | None] = {}

    def among(self, names: Iterable[str]) -> Declarations:
        """Return those of the tools that are named, in that order."""
        return Declarations((self._tools[n] for n in names if n in self._tools), self._modes)

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
    """The tools of one artifact, for as long as a session needs them. Never changes.

    `versions` has every version of each tool, `tools` the one that is in force: the newest that is
    not staged, or another that was `chosen` for somebody.
    """

    __slots__ = ("base", "build_timestamp", "git_commit", "tools", "version", "versions")

    def __init__(self, artifact: Mapping[str, Any], tools: Iterable[Tool]) -> None:
        self.version: str = artifact["version"]
        self.git_commit: str | None = artifact["gitCommit"]
        self.build_timestamp: str = artifact["buildTimestamp"]
        found: dict[str, dict[str, Tool]] = {}
        for tool in tools:
            definition = tool.definition
            found.setdefault(definition.tool_id, {})[definition.version] = tool
        self.versions: Mapping[str, Mapping[str, Tool]] = MappingProxyType(found)
        in_force: dict[str, Tool] = {}
        for tool_id, versions in found.items():
            listed = by_tool(tool.entry for tool in versions.values())[tool_id]
            default = default_of(listed)["version"]
            in_force[tool_id] = versions[default]
            for version, tool in versions.items():
                if version != default:
                    tool.measured_as = version_name(tool_id, version)
        self.tools: Mapping[str, Tool] = MappingProxyType(in_force)
        self.base: Snapshot = self  # what it was chosen from

    def chosen(self, versions: Mapping[str, str]) -> Snapshot:
        """Return the same tools with some in another version; what there is not is left out."""
        base = self.base
        picked = {
            tool_id: version
            for tool_id, version in versions.items()
            if version in base.versions.get(tool_id, ())
            and base.tools[tool_id].definition.version != version
        }
        if not picked:
            return base
        chosen = copy.copy(base)
        chosen.tools = MappingProxyType(
            {
                tool_id: base.versions[tool_id][picked[tool_id]] if tool_id in picked else tool
                for tool_id, tool in base.tools.items()
            }
        )
        return chosen

    def with_tools(self, tools: Iterable[Tool]) -> Snapshot:
        """Return the same tools, and further ones, under the same version."""
        own = (tool for versions in self.versions.values() for tool in versions.values())
        about = {
            "version": self.version,
            "gitCommit": self.git_commit,
            "buildTimestamp": self.build_timestamp,
        }
        return Snapshot(about, [*own, *tools])

    @property
    def held_versions(self) -> dict[str, str]:
        """Which version is in force of each tool that has several."""
        return {
            tool_id: self.tools[tool_id].definition.version
            for tool_id, versions in self.versions.items()
            if len(versions) > 1
        }

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
        rights: Rights | None = None,
    ) -> list[dict[str, str]]:
        """Return what a prompt says of each tool: id, category and one or two sentences. The
        arguments are those of `declarations`."""
        return [
            {
                "toolId": tool.definition.tool_id,
                "category": tool.definition.category,
                "summary": tool.entry["summary"],
            }
            for tool in self._chosen(mode, session, toolset, modes, rights)
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
        rights: Rights | None = None,
    ) -> Declarations:
        """The tools that `provider_schemas` would declare now, for any provider, and their codecs.

        What a session gives a connection to a model: it stays the same until the session ends.
        `toolset` leaves out every tool that is not in it; `modes` has, by tool, the modes in which
        it may be called beyond those of its own `allowedModes`; `rights` leave out what their
        principal may not use.
        """
        return Declarations(self._chosen(mode, session, toolset, modes, rights), modes)

    def strict_codec(self, tool_id: str) -> StrictCodec:
        """Return the codec of OpenAI's strict form of a tool's arguments."""
        return StrictCodec(self.tools[tool_id].definition.parameters)

    def metrics(self) -> dict[str, dict[str, Any]]:
        """Return calls, errors and average duration of each tool, of further versions as
        `id@version`."""
        tools = (tool for versions in self.versions.values() for tool in versions.values())
        return {tool.measured_as: tool.stats.to_dict() for tool in tools}

    def _chosen(
        self,
        mode: Mode | None,
        session: Mapping[str, Any] | None,
        toolset: Collection[str] | None = None,
        modes: FurtherModes | None = None,
        rights: Rights | None = None,
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
            if rights is not None and not rights.may_see(tool.definition, mode):
                continue
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
