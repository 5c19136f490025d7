"""Plug-ins: providers, rules, embedders, speech engines, calendars and tools, by name.

What is built in is a table of names, as are the entry points of installed distributions (the group
`antiphon.<kind>`) and the arguments of a program. Nothing of a plug-in is imported before it is
used, and the entry points are read only when a name is asked for that is not built in, or for the
kinds of which all are used: rules and tools.

Of several with one name, an argument counts before what is built in, and that before an entry
point; of two entry points, the one of the distribution that is first by name. What is passed over
so is named by `antiphon doctor`.
"""

from __future__ import annotations

import difflib
import logging
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from antiphon import __version__

logger = logging.getLogger(__name__)

GROUP = "antiphon."
BUILT_IN = "built-in"
ARGUMENT = "argument"

# What is built in, by kind and name. `speech` has three sorts of engines, told apart by what stands
# before the dot.
TABLE: Mapping[str, Mapping[str, str]] = {
    "providers": {
        "local": "antiphon.providers.vendors:LOCAL",
        "gemini": "antiphon.providers.vendors:GEMINI",
        "openai": "antiphon.providers.vendors:OPENAI",
        "claude": "antiphon.providers.vendors:CLAUDE",
    },
    "rules": {},  # their order counts, so they are a list: antiphon.policy.RULES
    "embedders": {
        "minilm": "antiphon.knowledge.embedding.minilm:MiniLM",
        "openai": "antiphon.knowledge.embedding.remote:OpenAIEmbedder",
        "openai-compatible": "antiphon.knowledge.embedding.remote:OpenAIEmbedder",
        "gemini": "antiphon.knowledge.embedding.remote:GeminiEmbedder",
    },
    "speech": {
        "vad.silero": "antiphon.speech.silero:Silero",
        "recognizer.moonshine": "antiphon.speech.moonshine:Moonshine",
        "recognizer.faster-whisper": "antiphon.speech.whisper:FasterWhisper",
        "recognizer.openai": "antiphon.speech.endpoint:OpenAIRecognizer",
        "synthesizer.hibari": "antiphon.speech.hibari:Hibari",
        "synthesizer.piper": "antiphon.speech.piper:Piper",
        "synthesizer.kokoro": "antiphon.speech.kokoro:Kokoro",
        "synthesizer.openai": "antiphon.speech.endpoint:OpenAISynthesizer",
    },
    "calendars": {
        "local": "antiphon.workspace.calendar.factories:local_calendar",
        "google": "antiphon.workspace.calendar.factories:google_calendar",
        "caldav": "antiphon.workspace.calendar.factories:caldav_calendar",
    },
    "tools": {
        "shipped": "antiphon.registry.sources:SHIPPED_TOOLS",
        "catalogue": "antiphon.registry.sources:CATALOGUE_TOOLS",
    },
}
KINDS = tuple(TABLE)


class PluginError(Exception):
    """A plug-in cannot be used; the message names it, its distribution and what is wrong."""


class UnknownPlugin(PluginError):
    """There is no plug-in of that name; `nearest` has similar names."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.known = tuple(known)
        self.nearest = tuple(difflib.get_close_matches(name, self.known))
        super().__init__(f"There is no {name!r} among {kind}: {', '.join(self.known) or 'none'}.")


@dataclass(frozen=True, slots=True)
class Plugin:
    """One plug-in. `origin` is the name of its distribution, "built-in" or "argument"."""

    kind: str
    name: str
    origin: str
    version: str
    _load: Callable[[], Any] = field(repr=False, compare=False)

    def load(self) -> Any:
        """Import it and return its object. Raises PluginError, whatever its code raises."""
        try:
            return self._load()
        except Exception as error:
            if self.origin == BUILT_IN:
                raise  # an extra that is not installed, which is named by whoever asked
            raise PluginError(
                f"The plug-in {self.name} ({self.kind}) of {self.origin} {self.version} cannot be "
                f"loaded: {type(error).__name__}: {error}"
            ) from error

    def to_dict(self) -> dict[str, str]:
        return {
            "kind": self.kind,
            "name": self.name,
            "origin": self.origin,
            "version": self.version,
        }


class Plugins:
    """All plug-ins that a program can use: its arguments, what is built in, and entry points.

    `providers`, `embedders`, `speech` and `calendars` map names to what an entry point would name;
    `rules` are rule objects, `tools` folders and functions. Without `installed` no entry point is
    read.
    """

    def __init__(
        self,
        *,
        providers: Mapping[str, Any] | None = None,
        rules: Iterable[Any] = (),
        embedders: Mapping[str, Any] | None = None,
        speech: Mapping[str, Any] | None = None,
        calendars: Mapping[str, Any] | None = None,
        tools: Iterable[Any] = (),
        installed: bool = True,
    ) -> None:
        self._looks = installed
        self._given: dict[str, dict[str, Any]] = {
            "providers": dict(providers or {}),
            "rules": {str(getattr(rule, "id", rule)): rule for rule in rules},
            "embedders": dict(embedders or {}),
            "speech": dict(speech or {}),
            "calendars": dict(calendars or {}),
            "tools": {str(each): Path(each) if isinstance(each, str) else each for each in tools},
        }

    # -- what there is -----------------------------------------------------------------------

    def find(self, kind: str, name: str) -> Plugin:
        """The plug-in of that name. Raises UnknownPlugin."""
        plugin = self._ready(kind, name) or self._installed[0].get(kind, {}).get(name)
        if plugin is None:
            raise UnknownPlugin(kind, name, self.names(kind))
        return plugin

    def names(self, kind: str, sort: str = "") -> list[str]:
        """Every name of a kind, those built in first. With `sort`, a sort of speech engines such
        as "vad", the names of that sort without it."""
        found = [plugin.name for plugin in self.all(kind)]
        if not sort:
            return found
        return [name[len(sort) + 1 :] for name in found if name.startswith(f"{sort}.")]

    def all(self, kind: str) -> list[Plugin]:
        """Every plug-in of a kind that counts: built in, arguments, entry points."""
        ready = {name: self._ready(kind, name) for name in (*TABLE[kind], *self._given[kind])}
        found = {name: plugin for name, plugin in ready.items() if plugin is not None}
        for name, plugin in self._installed[0].get(kind, {}).items():
            found.setdefault(name, plugin)
        return list(found.values())

    def usable(self, kind: str) -> list[tuple[Plugin, Any]]:
        """Every plug-in of a kind that is not built in, with its object. One that cannot be loaded
        is named in the log and left out."""
        found: list[tuple[Plugin, Any]] = []
        for plugin in self.all(kind):
            if plugin.origin == BUILT_IN:
                continue
            try:
                found.append((plugin, plugin.load()))
            except PluginError as error:
                logger.warning("%s", error)
        return found

    def problems(self) -> list[str]:
        """What is wrong with the entry points: names that are taken, plug-ins that cannot be
        loaded. Loads all of them."""
        found = list(self._installed[1])
        for kind in KINDS:
            for plugin in self.all(kind):
                if plugin.origin == BUILT_IN:
                    continue
                try:
                    plugin.load()
                except PluginError as error:
                    found.append(str(error))
        return found

    # -- inside ------------------------------------------------------------------------------

    def _ready(self, kind: str, name: str) -> Plugin | None:
        """The plug-in of that name that no entry point has to be read for."""
        given = self._given[kind]
        if name in given:
            return Plugin(kind, name, ARGUMENT, "", partial(_identity, given[name]))
        target = TABLE[kind].get(name)
        if target is not None:
            return Plugin(kind, name, BUILT_IN, __version__, partial(_imported, target))
        return None

    @cached_property
    def _installed(self) -> tuple[dict[str, dict[str, Plugin]], list[str]]:
        """The entry points by kind and name, and what was passed over."""
        found: dict[str, dict[str, Plugin]] = {kind: {} for kind in KINDS}
        passed_over: list[str] = []
        if not self._looks or not _installed_with_entry_points():
            return found, passed_over
        from importlib.metadata import entry_points

        there = entry_points()
        points = [
            (
                point.dist.name if point.dist else "?",
                point.dist.version if point.dist else "",
                point,
            )
            for kind in KINDS
            for point in there.select(group=GROUP + kind)
        ]
        for origin, version, point in sorted(points, key=lambda each: each[:2]):
            kind = point.group.removeprefix(GROUP)
            plugin = Plugin(kind, point.name, origin, version, point.load)
            first = self._ready(kind, point.name) or found[kind].get(point.name)
            if first is None:
                found[kind][point.name] = plugin
            elif (first.origin, first.version) != (origin, version):
                passed_over.append(
                    f"The plug-in {point.name} ({kind}) of {origin} {version} is not used: the "
                    f"name is that of one of {first.origin}."
                )
        return found, passed_over


def folder_of(found: object) -> Path:
    """The folder that a plug-in of tools names: a path, or a package beside whose code the tools
    are. Raises TypeError."""
    if isinstance(found, ModuleType) and found.__file__ is not None:
        return Path(found.__file__).parent
    if isinstance(found, str | Path):
        return Path(found)
    raise TypeError(f"a folder or a package is needed, not {type(found).__name__}")


def _identity(value: Any) -> Any:
    return value


def _imported(target: str) -> Any:
    module, _, name = target.partition(":")
    return getattr(import_module(module), name)


def _installed_with_entry_points() -> bool:
    """Whether any distribution on the path has an entry point for us. Reading the few small files
    by hand takes a tenth of the time that importing importlib.metadata alone does."""
    for folder in dict.fromkeys(sys.path):
        try:
            names = os.listdir(folder or ".")
        except OSError:
            if folder.endswith((".zip", ".whl", ".egg")) and os.path.isfile(folder):
                return True
            continue
        for name in names:
            if name.endswith((".dist-info", ".egg-info")):
                try:
                    with open(os.path.join(folder, name, "entry_points.txt"), "rb") as file:
                        if b"[antiphon." in file.read():
                            return True
                except OSError:
                    continue
    return False
