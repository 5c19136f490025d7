"""Model catalogue: what is known of models and voices by name, from models.toml files."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import cache
from math import inf
from pathlib import Path
from typing import Any, Literal, TypeVar

FILE = "models.toml"

Mode = Literal["text", "voice"]

_FORMS = (
    "geminiNative",
    "geminiJson",
    "openai",
    "openaiStrict",
    "openaiResponses",
    "anthropic",
)


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts about one model: how it wants to be spoken to. models.toml says what each of them
    means."""

    tool_form: str
    blocking_calls: str | None = None
    text_input: Literal["client_content", "realtime"] = "realtime"
    max_session: float | None = None
    parallel_tool_calls: bool = False
    reasoning: bool = False
    context_window: int | None = None


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model that people may choose."""

    id: str
    label: str
    modes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        return {"id": self.id, "label": self.label, "modes": list(self.modes)}


@dataclass(frozen=True, slots=True)
class VoiceInfo:
    """A voice that people may choose."""

    id: str
    name: str
    gender: str
    style: str

    def to_dict(self) -> dict[str, str]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class _Vendor:
    default: Facts
    patterns: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    models: tuple[ModelInfo, ...] = ()
    voices: tuple[VoiceInfo, ...] = ()


class ModelsError(ValueError):
    """A models.toml that cannot be used; the message has the file, the line and what is wrong."""


class ModelCatalogue:
    """Models, voices and facts of every vendor. Immutable."""

    def __init__(self, vendors: Mapping[str, _Vendor]) -> None:
        self._vendors = dict(vendors)

    def facts(self, vendor: str, model: str) -> Facts:
        """Return the facts of a model; an unknown name has the vendor's default facts. Raises
        KeyError for an unknown vendor."""
        known = self._vendors[vendor]
        name = model.strip().lower().removeprefix("models/")
        for pattern, different in known.patterns:
            if fnmatchcase(name, pattern.lower()):
                return replace(known.default, **different)
        return known.default

    def models(self, vendor: str, mode: Mode | None = None) -> tuple[ModelInfo, ...]:
        """Return the models that people may choose, for one mode or any."""
        known = self._vendors.get(vendor)
        return tuple(
            m
            for m in (known.models if known is not None else ())
            if (mode in m.modes if mode is not None else m.modes)
        )

    def voices(self, vendor: str) -> tuple[VoiceInfo, ...]:
        """Return a vendor's voices, the default first; none of a vendor that is not known here."""
        known = self._vendors.get(vendor)
        return known.voices if known is not None else ()

    def with_file(self, path: Path) -> ModelCatalogue:
        """Return this catalogue with what a file adds to it. Raises ModelsError."""
        read = _File(path)
        vendors = dict(self._vendors)
        for name, table in read.vendors():
            old = vendors.get(name)
            if old is None:
                raise read.wrong((name,), f"`{name}` is no vendor", name, list(vendors))
            vendors[name] = read.vendor(name, table, old)
        return ModelCatalogue(vendors)


@cache
def shipped() -> ModelCatalogue:
    """The data that ship."""
    read = _File(Path(__file__).with_name(FILE))
    blank = _Vendor(Facts(""))
    return ModelCatalogue({name: read.vendor(name, table, blank) for name, table in read.vendors()})


def load_catalogue(folder: Path | None) -> tuple[ModelCatalogue, str | None]:
    """The shipped data with those of `models.toml` in this folder, when it is there.

    The second is what is wrong with that file; then the catalogue is the shipped one alone.
    """
    path = folder / FILE if folder is not None else None
    if path is None or not path.exists():
        return shipped(), None
    try:
        return shipped().with_file(path), None
    except ModelsError as error:
        return shipped(), str(error)


# -- reading a file ------------------------------------------------------------------------

_Where = tuple[str | int, ...]  # the way to an entry: vendor, list, number, key

_SECTIONS: dict[str, type] = {"default": dict, "facts": list, "models": list, "voices": list}
_Named = TypeVar("_Named", ModelInfo, VoiceInfo)
_FACTS = tuple(f.name for f in fields(Facts))


class _File:
    """One models.toml: its tables, checked, with the line of whatever is wrong."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            text = path.read_text("utf-8")
        except OSError as error:
            raise ModelsError(f"{path}: cannot be read: {error.strerror or error}.") from None
        except UnicodeDecodeError:
            raise ModelsError(f"{path}: is not UTF-8 text.") from None
        try:
            self.table = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            line = re.search(r"at line (\d+)", str(error))
            at = f"{path}:{line[1]}" if line else str(path)
            raise ModelsError(f"{at}: not valid TOML: {error}.") from None
        self._lines = dict(_lines(text))

    def wrong(
        self, where: _Where, said: str, name: str = "", known: list[str] | None = None
    ) -> ModelsError:
        line = next(
            (self._lines[where[:n]] for n in range(len(where), 0, -1) if where[:n] in self._lines),
            None,
        )
        at = f"{self.path}:{line}" if line else str(self.path)
        hint = ""
        if known:
            close = get_close_matches(name, known, n=1)
            listed = ", ".join(known)
            hint = f" Did you mean `{close[0]}`?" if close else f" There are {listed}."
        return ModelsError(f"{at}: {said}.{hint}")

    def vendors(self) -> Iterator[tuple[str, dict[str, Any]]]:
        for name, table in self.table.items():
            if not isinstance(table, dict):
                raise self.wrong((name,), f"`{name}` must be a table of a vendor: [{name}.default]")
            yield name, table

    def vendor(self, name: str, table: dict[str, Any], old: _Vendor) -> _Vendor:
        """What this file says of a vendor, over what is known of it already."""
        for section, value in table.items():
            kind = _SECTIONS.get(section)
            if kind is None:
                raise self.wrong(
                    (name, section), f"`{name}.{section}` is unknown", section, list(_SECTIONS)
                )
            if not isinstance(value, kind):
                said = "a table" if kind is dict else "a list of tables"
                raise self.wrong((name, section), f"`{name}.{section}` must be {said}")
        default = self._facts((name, "default"), table.get("default", {}))
        patterns = []
        for where, entry in self._entries(name, "facts", table):
            pattern = self._string(where, entry, "pattern")
            patterns.append(
                (pattern, self._facts(where, {k: v for k, v in entry.items() if k != "pattern"}))
            )
        models = [self._model(w, e) for w, e in self._entries(name, "models", table)]
        voices = [self._voice(w, e) for w, e in self._entries(name, "voices", table)]
        return _Vendor(
            replace(old.default, **default),
            (*patterns, *old.patterns),
            _merged(old.models, models),
            _merged(old.voices, voices),
        )

    def _entries(
        self, vendor: str, section: str, table: dict[str, Any]
    ) -> Iterator[tuple[_Where, dict[str, Any]]]:
        for number, entry in enumerate(table.get(section, [])):
            where = (vendor, section, number)
            if not isinstance(entry, dict):
                raise self.wrong(where, f"each of `{vendor}.{section}` must be a table")
            yield where, entry

    def _facts(self, where: _Where, entry: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in entry.items():
            at = (*where, key)
            match key:
                case "tool_form":
                    found[key] = self._choice(at, value, _FORMS)
                case "blocking_calls":
                    chosen = self._choice(at, value, ("explicit", "default"))
                    found[key] = chosen if chosen == "explicit" else None
                case "text_input":
                    found[key] = self._choice(at, value, ("client_content", "realtime"))
                case "max_session":
                    if (
                        isinstance(value, bool)
                        or not isinstance(value, int | float)
                        or not 0 < value < inf
                    ):
                        raise self.wrong(at, f"`{key}` must be a number of seconds, not {value!r}")
                    found[key] = float(value)
                case "context_window":
                    if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
                        raise self.wrong(at, f"`{key}` must be a number of tokens, not {value!r}")
                    found[key] = value
                case "parallel_tool_calls" | "reasoning":
                    if not isinstance(value, bool):
                        raise self.wrong(at, f"`{key}` must be true or false, not {value!r}")
                    found[key] = value
                case _:
                    raise self.wrong(at, f"`{key}` is no fact of a model", key, list(_FACTS))
        return found

    def _model(self, where: _Where, entry: dict[str, Any]) -> ModelInfo:
        self._only(where, entry, ("id", "label", "modes"))
        name = self._string(where, entry, "id")
        label = self._string(where, entry, "label") if "label" in entry else name
        modes = entry.get("modes")
        if not isinstance(modes, list) or any(mode not in ("text", "voice") for mode in modes):
            said = f"`modes` must be a list of text and voice, not {modes!r}"
            raise self.wrong((*where, "modes"), said)
        return ModelInfo(name, label, tuple(modes))

    def _voice(self, where: _Where, entry: dict[str, Any]) -> VoiceInfo:
        self._only(where, entry, ("id", "name", "gender", "style"))
        voice = self._string(where, entry, "id")
        name, gender, style = (
            self._string(where, entry, key) if key in entry else default
            for key, default in (("name", voice), ("gender", "neutral"), ("style", ""))
        )
        return VoiceInfo(voice, name, gender, style)

    def _only(self, where: _Where, entry: dict[str, Any], keys: tuple[str, ...]) -> None:
        for key in entry:
            if key not in keys:
                raise self.wrong((*where, key), f"`{key}` is unknown here", key, list(keys))

    def _string(self, where: _Where, entry: dict[str, Any], key: str) -> str:
        value = entry.get(key)
        if not isinstance(value, str) or not value.strip():
            missing = "is missing" if key not in entry else f"must be a string, not {value!r}"
            raise self.wrong((*where, key), f"`{key}` {missing}")
        return value

    def _choice(self, where: _Where, value: Any, choices: tuple[str, ...]) -> str:
        if value not in choices:
            raise self.wrong(where, f"`{where[-1]}` must be one of {', '.join(choices)}")
        return str(value)


def _merged(old: tuple[_Named, ...], new: list[_Named]) -> tuple[_Named, ...]:
    """Return the entries with those of the same id replaced, and new ones after them."""
    by_id = {entry.id: entry for entry in old} | {entry.id: entry for entry in new}
    return tuple(by_id.values())


def _lines(text: str) -> Iterator[tuple[_Where, int]]:
    """Return where each plainly written table, entry and key stands; tomllib does not say."""
    counts: dict[_Where, int] = {}
    inside: _Where = ()
    array: _Where = ()

    def next_of(path: _Where) -> _Where:
        counts[path] = counts.get(path, -1) + 1
        return (*path, counts[path])

    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[(\[?)\s*([\w.-]+)\s*\]", line):
            path = tuple(header[2].split("."))
            if header[1] and path not in counts:
                yield path, number
            inside = next_of(path) if header[1] else path
            yield inside, number
        elif key := re.match(r"\s*([\w.-]+)\s*=", line):
            array = (*inside, *key[1].split("."))
            yield array, number
        elif re.match(r"\s*\{", line):
            yield next_of(array), number
