"""Profile files: one agent profile read from TOML, with every mistake in the file named at once."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from antiphon.contracts.definition import FurtherModes, Mode
from antiphon.plugins import TABLE, Plugins
from antiphon.policy import Budget, Policy
from antiphon.secrecy.personal_data import KINDS
from antiphon.secrecy.placeholders import QUOTE
from antiphon.secrecy.privacy import PrivacyRules

if TYPE_CHECKING:
    from antiphon.registry.registry import Snapshot

FIND_TOOLS = "find_tools"
SHIPPED = Path(__file__).parent
_LIMITS = (
    *("retrieval_calls", "total_calls", "rounds", "top_k", "tool_time_ms"),
    *("write_calls", "open_questions"),
)
_MODE_KEYS = ("backend", "model", "voice", "language", "greeting", *_LIMITS)
_KEYS = (
    *("name", "description", "tools", "own_tools", "guides", "prompts", "instructions"),
    *("modes", "text", "voice", "privacy", "only_planned", "pinned", "most_declared"),
)
_STAGES = ("model", "store", "log")


class ProfileError(Exception):
    """A profile that cannot be used; `problems` has one plain message for each thing wrong."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Side:
    """Settings of a profile for one mode. None: as the settings and the policy have it."""

    backend: str | None = None
    model: str | None = None
    voice: str | None = None
    language: str | None = None
    greeting: str | None = None
    limits: Mapping[str, float | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Profile:
    """An agent: its tools, guides, prompts and instructions, and its settings for each mode."""

    name: str
    description: str = ""
    tools: frozenset[str] | None = None  # None: every tool of the registry
    # Whether tools of people's own folders are offered as well. None: unless `tools` names some.
    own_tools: bool | None = None
    # Modes in which a tool may be called beyond its own `allowedModes`.
    modes: FurtherModes = field(default_factory=dict)
    guides: tuple[str, ...] = ()
    prompts: Path | None = None
    instructions: str = ""
    text: Side = Side()
    voice: Side = Side()
    # Which personal data are masked, and before what.
    privacy: PrivacyRules = field(default_factory=PrivacyRules)
    # Whether a turn has only the tools that the person's request needs, and those of `pinned`.
    only_planned: bool = False
    # Declared in every turn, also where not all tools are. Empty: those of `tools` then.
    pinned: frozenset[str] = frozenset()
    # How many tools are declared without a choice among them. None: as the settings have it.
    most_declared: int | None = None

    def toolset(self, snapshot: Snapshot) -> frozenset[str] | None:
        """Return the tools that an agent of this profile may call by itself; None means every
        one."""
        if self.tools is None:
            return None
        own = snapshot.own_tools()
        added = self.own_tools
        if added is None:  # a list that is empty, or names some, says it all
            added = bool(self.tools) and not own & self.tools
        if not added:
            return self.tools
        # With many of them most are found rather than declared.
        return self.tools | own | ({FIND_TOOLS} & snapshot.tools.keys())

    def side(self, mode: Mode) -> Side:
        """Return the settings for one mode."""
        return self.voice if mode == "voice" else self.text

    def policy(self, base: Policy | None = None) -> Policy:
        """Return the policy with the profile's own budgets, and whether it holds turns to their
        plan."""
        base = base or Policy()
        return replace(
            base,
            voice=_budget(base.voice, self.voice),
            text=_budget(base.text, self.text),
            only_planned=base.only_planned or self.only_planned,
            pinned=base.pinned | self.pinned,
        )


def profiles(folder: Path | None = None) -> dict[str, Path]:
    """Return the file of every profile by name: those that ship, and those in `folder`, which
    win."""
    found = {path.stem: path for path in sorted(SHIPPED.glob("*.toml"))}
    if folder is not None and folder.is_dir():
        found |= {path.stem: path for path in sorted(folder.glob("*.toml"))}
    return found


def load_profile(name: str, folder: Path | None = None, plugins: Plugins | None = None) -> Profile:
    """Return the profile of that name, which may name any provider of `plugins`. Raises
    ProfileError when there is none or it is not usable."""
    known = profiles(folder)
    path = known.get(name)
    if path is None:
        there = ", ".join(sorted(known))
        raise ProfileError([f"There is no profile {name!r}; there are {there}{near(name, known)}."])
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ProfileError([f"{path}: cannot be read: {error.strerror or error}."]) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ProfileError([f"{path}: not valid TOML: {error}."]) from None
    return _Reader(path, table, plugins).profile()


def near(word: object, known: Iterable[str]) -> str:
    """Return a hint with the closest known word, or nothing."""
    hits = difflib.get_close_matches(str(word), list(known), n=1)
    return f"; did you mean {hits[0]!r}?" if hits else ""


def _unusable(pattern: str) -> str | None:
    """Why a regular expression cannot be used; None if it can."""
    from antiphon.registry.regexes import unsafe_reason

    try:
        if re.compile(pattern).search(""):
            return "finds something in an empty text"
    except re.error as error:
        return f"is no regular expression: {error}"
    reason = unsafe_reason(pattern)
    return None if reason is None else f"cannot be used: {reason}"


def _budget(base: Budget, side: Side) -> Budget:
    return replace(base, **side.limits)  # type: ignore[arg-type]


class _Reader:
    """Reader of one profile's table that collects everything wrong with it."""

    def __init__(self, path: Path, table: Mapping[str, Any], plugins: Plugins | None) -> None:
        self._plugins = plugins
        self._path = path
        self._table = table
        self._problems: list[str] = []

    def profile(self) -> Profile:
        table = self._table
        self._known(table, _KEYS, "")
        name = self._text(table, "name", "") or self._path.stem
        if not re.fullmatch(r"[a-z][a-z0-9_-]{0,63}", name):
            self._wrong("name", "must be lower-case letters, digits, - and _")
        if name != self._path.stem:
            self._wrong("name", f"is {name!r}, but the file is called {self._path.name}")
        tools = self._names(table, "tools")
        prompts = self._text(table, "prompts", "")
        folder = self._path.parent / prompts if prompts else None
        if folder is not None and not folder.is_dir():
            self._wrong("prompts", f"names {folder}, which is no folder")
        made = Profile(
            name,
            self._text(table, "description", "") or "",
            None if tools is None else frozenset(tools),
            self._flag(table, "own_tools"),
            self._modes(table, tools),
            tuple(self._names(table, "guides") or ()),
            folder,
            self._text(table, "instructions", "") or "",
            self._side("text"),
            self._side("voice"),
            self._privacy(),
            bool(self._flag(table, "only_planned")),
            self._pinned(tools),
            self._most_declared(table),
        )
        if self._problems:
            raise ProfileError(self._problems)
        return made

    def _pinned(self, tools: list[str] | None) -> frozenset[str]:
        pinned = self._names(self._table, "pinned") or []
        for tool_id in pinned:
            if tools is not None and tool_id not in tools:
                self._wrong("pinned", f"has {tool_id!r}, which is not among this profile's `tools`")
        return frozenset(pinned)

    def _modes(self, table: Mapping[str, Any], tools: list[str] | None) -> FurtherModes:
        widened = table.get("modes", {})
        if not isinstance(widened, dict):
            self._wrong("modes", "must be a section: TOOL = a list of modes")
            return {}
        found: dict[str, tuple[Mode, ...]] = {}
        for tool_id, modes in widened.items():
            if not isinstance(modes, list) or not all(mode in ("text", "voice") for mode in modes):
                self._wrong(f"modes.{tool_id}", 'must be a list of "text" and "voice"')
            elif tools is not None and tool_id not in tools:
                hint = near(tool_id, tools)
                self._wrong(f"modes.{tool_id}", f"is not among this profile's `tools`{hint}")
            else:
                found[tool_id] = tuple(modes)
        return found

    def _most_declared(self, table: Mapping[str, Any]) -> int | None:
        most = table.get("most_declared")
        if most is not None and (type(most) is not int or not 8 <= most <= 1000):
            self._wrong("most_declared", "must be a whole number from 8 to 1000")
            return None
        return most

    def _privacy(self) -> PrivacyRules:
        table = self._table.get("privacy", {})
        if not isinstance(table, dict):
            self._wrong("privacy", "must be a section")
            return PrivacyRules()
        self._known(table, (*_STAGES, "patterns"), "privacy.")
        patterns = self._patterns(table.get("patterns", {}))
        known = (*KINDS, *patterns)
        masked: dict[str, frozenset[str]] = {}
        for stage in _STAGES:
            kinds = table.get(stage, [])
            if kinds == "all":
                kinds = known
            if not isinstance(kinds, list | tuple) or not all(isinstance(k, str) for k in kinds):
                self._wrong(f"privacy.{stage}", f'must be a list of {", ".join(known)}, or "all"')
                continue
            for kind in kinds:
                if kind not in known:
                    said = f"has {kind!r}; there are {', '.join(known)}{near(kind, known)}"
                    self._wrong(f"privacy.{stage}", said)
            masked[stage] = frozenset(kinds)
        return PrivacyRules(**masked, patterns=patterns)

    def _patterns(self, table: Any) -> dict[str, str]:
        """Patterns of one's own. None may take long: texts of strangers are searched for them."""
        if not isinstance(table, dict):
            self._wrong("privacy.patterns", "must be a section: NAME = a regular expression")
            return {}
        for name, pattern in table.items():
            where = f"privacy.patterns.{name}"
            if not re.fullmatch(r"[a-z][a-z0-9-]{0,31}", name) or name in (*KINDS, QUOTE):
                self._wrong(where, "needs another name: lower-case letters, digits and -")
            elif not isinstance(pattern, str):
                self._wrong(where, "must be text")
            elif (said := _unusable(pattern)) is not None:
                self._wrong(where, said)
        return {name: each for name, each in table.items() if isinstance(each, str)}

    def _flag(self, table: Mapping[str, Any], key: str) -> bool | None:
        value = table.get(key)
        if value is not None and not isinstance(value, bool):
            self._wrong(key, "must be true or false")
            return None
        return value

    def _side(self, mode: str) -> Side:
        table = self._table.get(mode, {})
        if not isinstance(table, dict):
            self._wrong(mode, "must be a section")
            return Side()
        self._known(table, _MODE_KEYS, f"{mode}.")
        words = {
            key: self._text(table, key, f"{mode}.")
            for key in ("backend", "model", "voice", "language", "greeting")
        }
        backend = words["backend"]
        if backend is not None and backend not in TABLE["providers"]:
            known = (self._plugins or Plugins()).names("providers")
            if backend not in known:
                self._wrong(
                    f"{mode}.backend", f"must be one of {', '.join(known)}{near(backend, known)}"
                )
        limits: dict[str, float | None] = {}
        for key in _LIMITS:
            if key in table:
                value = table[key]
                if value == "none":
                    limits[key] = None
                elif type(value) is int and value >= (1 if key == "top_k" else 0):
                    limits[key] = value
                else:
                    self._wrong(f"{mode}.{key}", 'must be a whole number, or "none" for no limit')
        return Side(**words, limits=limits)

    def _text(self, table: Mapping[str, Any], key: str, prefix: str) -> str | None:
        value = table.get(key)
        if value is not None and not isinstance(value, str):
            self._wrong(f"{prefix}{key}", "must be text")
            return None
        return value

    def _names(self, table: Mapping[str, Any], key: str) -> list[str] | None:
        value = table.get(key)
        if value is None or value == "all":
            return None
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self._wrong(key, 'must be a list of tool ids, or "all"')
            return None
        return value

    def _known(self, table: Mapping[str, Any], keys: Iterable[str], prefix: str) -> None:
        for key in table:
            if key not in keys:
                self._wrong(f"{prefix}{key}", f"is not known here{near(key, keys)}")

    def _wrong(self, where: str, what: str) -> None:
        self._problems.append(f"{self._path}: `{where}` {what}.")
