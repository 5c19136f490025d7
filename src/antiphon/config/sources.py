"""Settings sources, merged in rising priority: TOML file, .env, environment, flags."""

from __future__ import annotations

import difflib
import io
import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

from dotenv import dotenv_values
from dotenv.parser import parse_stream
from pydantic import SecretStr, ValidationError

from antiphon.config.loaded_settings import ConfigError, LoadedSettings, printable
from antiphon.config.settings import (
    BUILT_IN,
    CHOICES,
    LEAVES,
    SECTIONS,
    Settings,
    choices,
    is_section,
    leaf_of,
    one_of,
)
from antiphon.plugins import Plugins

CONFIG_FILE = "antiphon.toml"
ENV_PREFIX = "ANTIPHON_"

USUAL_VARIABLES = {
    "GEMINI_API_KEY": "providers.gemini.api_key",
    "GOOGLE_GEMINI_BASE_URL": "providers.gemini.base_url",
    "OPENAI_API_KEY": "providers.openai.api_key",
    "OPENAI_BASE_URL": "providers.openai.base_url",
    "ANTHROPIC_API_KEY": "providers.claude.api_key",
    "ANTHROPIC_BASE_URL": "providers.claude.base_url",
}

# Variables that carry our prefix without being settings: the switch for tracebacks, and what
# Kubernetes sets in every pod beside a service that is called "antiphon".
_NOT_SETTINGS = re.compile(r"ANTIPHON_(DEBUG|SERVICE_(HOST|PORT\w*)|PORT_\d+_\w+)")


def load_settings(
    config: Path | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, tuple[str, Any]] | None = None,
    plugins: Plugins | None = None,
) -> LoadedSettings:
    """Read every source. Raises `ConfigError` when any of them holds something unusable.

    `config` is used instead of `antiphon.toml` of the working directory and has to exist. `flags`
    maps a setting (`server.port`) to the flag's name and its value; None means "not given".
    Settings may name any of `plugins`; without it, what is built in and what is installed.
    """
    loaded = examine_settings(config, environment=environment, flags=flags, plugins=plugins)
    if loaded.problems:
        raise ConfigError(loaded.problems)
    return loaded


def examine_settings(
    config: Path | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, tuple[str, Any]] | None = None,
    plugins: Plugins | None = None,
) -> LoadedSettings:
    """Like `load_settings`, but unusable values are left out and reported under `problems`."""
    layers = _Layers(plugins or Plugins())
    layers.read_toml(config)
    env = os.environ if environment is None else environment
    dotenv = layers.read_dotenv(Path(".env"))
    layers.take_usual(dotenv, ".env ")
    layers.take_usual(env, "environment ")
    layers.take_prefixed(dotenv, ".env ")
    layers.take_prefixed(env, "environment ")
    for name, (flag, value) in (flags or {}).items():
        if value is not None:
            layers.found[name] = (value, f"flag {flag}")
    loaded = layers.validated()
    loaded.environment = {
        name: text for name, text in dotenv.items() if text and not name.startswith(ENV_PREFIX)
    }
    return loaded


class _Layers:
    """Collects values in rising priority, and everything that is wrong with them."""

    def __init__(self, plugins: Plugins) -> None:
        self.plugins = plugins
        self.found: dict[str, tuple[Any, str]] = {}
        self.problems: list[str] = []

    def read_toml(self, config: Path | None) -> None:
        path = config or Path(CONFIG_FILE)
        if config is None and not path.exists():
            return
        text = self._read(path)
        if text is None:
            return
        try:
            table = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            self.problems.append(f"{path}: not valid TOML: {error}.")
            return
        self._take_table(table, "", path, _lines_of_keys(text))

    def _take_table(
        self, table: dict[str, Any], prefix: str, path: Path, lines: dict[str, int]
    ) -> None:
        for key, value in table.items():
            name = f"{prefix}{key}"
            where = f"{path}:{lines[name]}" if name in lines else str(path)
            section = is_section(name, self.plugins)
            if section and isinstance(value, dict):
                self._take_table(value, f"{name}.", path, lines)
            elif section:
                self.problems.append(f"{where}: `{name}` is a section; write [{name}].")
            elif (leaf := leaf_of(name, self.plugins)) is not None:
                self.found[name] = (_beside(path, leaf[0], value), where)
            else:
                hint = _nearest(name, [*LEAVES, *SECTIONS])
                self.problems.append(f"{where}: unknown setting `{name}`.{hint}")

    def read_dotenv(self, path: Path) -> dict[str, str]:
        if not path.exists():
            return {}
        text = self._read(path)
        if text is None:
            return {}
        bad = [b.original.line for b in parse_stream(io.StringIO(text)) if b.error]
        self.problems += [f"{path}:{line}: not of the form NAME=value." for line in bad]
        if bad:
            return {}
        return {k: v for k, v in dotenv_values(stream=io.StringIO(text)).items() if v is not None}

    def _read(self, path: Path) -> str | None:
        try:
            return path.read_text("utf-8")
        except OSError as error:
            self.problems.append(f"{path}: cannot be read: {error.strerror or error}.")
        except UnicodeDecodeError:
            self.problems.append(f"{path}: is not UTF-8 text.")
        return None

    def take_usual(self, variables: Mapping[str, str], origin: str) -> None:
        for variable, name in USUAL_VARIABLES.items():
            if variables.get(variable):
                self.found[name] = (variables[variable], origin + variable)

    def take_prefixed(self, variables: Mapping[str, str], origin: str) -> None:
        for variable, text in variables.items():
            if not variable.startswith(ENV_PREFIX) or _NOT_SETTINGS.fullmatch(variable):
                continue
            if variable == "ANTIPHON_PORT" and "://" in text:  # Kubernetes again
                continue
            name = variable[len(ENV_PREFIX) :].lower().replace("__", ".")
            leaf = leaf_of(name, self.plugins)
            if leaf is None:
                hint = _nearest(variable, map(_variable_for, LEAVES))
                self.problems.append(f"{origin}{variable}: no such setting.{hint}")
            elif text:  # an empty variable counts as one that is not set
                value = _split(text) if _is_list(leaf[0]) else text
                self.found[name] = (value, origin + variable)

    def validated(self) -> LoadedSettings:
        """Validate what was found; what does not pass is reported, left out, and not in force."""
        while True:
            try:
                settings = Settings(**_nested({k: v for k, (v, _) in self.found.items()}))
            except ValidationError as error:
                for name, problem in {p[0]: p[1] for p in self._explain(error)}.items():
                    self.problems.append(problem)
                    del self.found[name]
            else:
                unknown = list(self._unknown_choices())
                for name, problem in unknown:
                    self.problems.append(problem)
                    del self.found[name]
                if not unknown:
                    origins = {name: origin for name, (_, origin) in self.found.items()}
                    return LoadedSettings(settings, origins, self.problems)

    def _unknown_choices(self) -> Iterator[tuple[str, str]]:
        for name in CHOICES:
            value, origin = self.found.get(name, (None, ""))
            if value is None or value in choices(name, BUILT_IN):
                continue  # built in: what is installed need not be looked at
            known = choices(name, self.plugins)
            if value not in known:
                shown = str(printable(value))[:80]
                yield name, f"{origin}: `{name}` must be {one_of(known)}, not {shown!r}."

    def _explain(self, error: ValidationError) -> Iterator[tuple[str, str]]:
        for item in error.errors(include_url=False):
            parts = [str(part) for part in item["loc"]]
            name = next(
                n for i in range(len(parts), 0, -1) if (n := self._given_at(".".join(parts[:i])))
            )
            value, origin = self.found[name]
            if item["type"] == "missing":
                *section, field = parts
                yield name, f"{origin}: [{'.'.join(section)}] needs `{field}`."
                continue
            leaf = leaf_of(name, self.plugins)
            assert leaf is not None
            kind, expected = leaf
            if item["type"] == "value_error":
                said = str(item["ctx"]["error"])
            elif _is(kind, SecretStr):
                said = f"must be {expected}"
            else:
                said = f"must be {expected}, not {str(printable(value))[:80]!r}"
            yield name, f"{origin}: `{name}` {said}."

    def _given_at(self, name: str) -> str | None:
        """The setting of that name, or the first one of the section of that name."""
        below = (each for each in self.found if each.startswith(f"{name}."))
        return name if name in self.found else next(below, None)


def _is_list(kind: Any) -> bool:
    return getattr(kind, "__origin__", None) is list


def _split(text: str) -> list[str]:
    return [part for item in text.split(",") if (part := item.strip())]


def _beside(file: Path, kind: Any, value: Any) -> Any:
    """Paths in a configuration file are meant from that file's folder."""
    if isinstance(value, str) and _is(kind, Path):
        return file.parent / Path(value).expanduser()
    if isinstance(value, list) and _is(kind, Path):
        return [file.parent / Path(v).expanduser() if isinstance(v, str) else v for v in value]
    return value


def _nested(flat: dict[str, Any]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for name, value in flat.items():
        *sections, key = name.split(".")
        node = tree
        for section in sections:
            node = node.setdefault(section, {})
        node[key] = value
    return tree


def _lines_of_keys(text: str) -> dict[str, int]:
    """The line of each plainly written key, which tomllib does not tell; not of quoted keys."""
    lines: dict[str, int] = {}
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[\s*([\w.-]+)\s*\]", line):
            section = header[1] + "."
            lines.setdefault(header[1], number)
        elif key := re.match(r"\s*([\w.-]+)\s*=", line):
            lines.setdefault(section + key[1], number)
    return lines


def _nearest(name: str, candidates: Iterable[str]) -> str:
    """` Did you mean …?` with the closest of `candidates`, or nothing when none is close."""
    close = difflib.get_close_matches(name, list(candidates), n=1, cutoff=0.6)
    return f" Did you mean `{close[0]}`?" if close else ""


def _is(kind: Any, wanted: type) -> bool:
    return kind is wanted or wanted in get_args(kind)


def _variable_for(name: str) -> str:
    return ENV_PREFIX + name.upper().replace(".", "__")
