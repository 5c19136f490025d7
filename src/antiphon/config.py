"""One settings object, and for every value in it the place it came from.

Sources, each overriding the ones before it: defaults, `antiphon.toml`, the providers' usual
variables (`GEMINI_API_KEY` …), `ANTIPHON_SECTION__KEY` in `.env`, the same in the environment,
flags. The layers are merged here rather than by pydantic-settings because it forgets which layer
a value came from, and `antiphon doctor` has to say.
"""

from __future__ import annotations

import difflib
import io
import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args
from urllib.parse import urlsplit

from dotenv import dotenv_values
from dotenv.parser import parse_stream
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

CONFIG_FILE = "antiphon.toml"
ENV_PREFIX = "ANTIPHON_"
SHIPPED_TOOLS = Path(__file__).parent / "tools"

USUAL_VARIABLES = {
    "GEMINI_API_KEY": "providers.gemini.api_key",
    "OPENAI_API_KEY": "providers.openai.api_key",
    "OPENAI_BASE_URL": "providers.openai.base_url",
    "ANTHROPIC_API_KEY": "providers.claude.api_key",
    "ANTHROPIC_BASE_URL": "providers.claude.base_url",
}

# Variables that carry our prefix without being settings: the switch for tracebacks, and what
# Kubernetes sets in every pod beside a service that is called "antiphon".
_NOT_SETTINGS = re.compile(r"ANTIPHON_(DEBUG|SERVICE_(HOST|PORT\w*)|PORT_\d+_\w+)")


# A password, or a user name that stands alone and so is a token; secrets in the query.
_SECRET_IN_URL = re.compile(
    r"(://[^/@:\s]*:)[^/\s]*(?=@)|(://)[^/@\s]+(?=@)"
    r"|([?&][^=&]*(?:password|secret|token|key)[^=&]*=)[^&]*",
    re.IGNORECASE,
)


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _url(value: str | None, schemes: tuple[str, ...]) -> str | None:
    scheme = value.partition(":")[0].partition("+")[0] if value else None
    if scheme is not None and (scheme not in schemes or not value or "://" not in value):
        raise ValueError(
            f"must be a URL that starts with {' or '.join(f'{s}://' for s in schemes)}"
        )
    return value


class ServerSettings(_Section):
    host: str = Field(
        default="127.0.0.1", description="a host name or an address", pattern=r"^[\w.:-]+$"
    )
    port: int = Field(default=8080, ge=0, le=65535, description="a whole number from 0 to 65535")
    origins: list[str] = Field(default=[], description="a list of origins")

    @field_validator("origins")
    @classmethod
    def _exact_origins(cls, origins: list[str]) -> list[str]:
        for origin in origins:
            if not re.fullmatch(r"https?://[^/\s*@?#]+", origin):
                raise ValueError(
                    f"holds {origin!r}; an origin is scheme, host and port, "
                    "like https://console.example.org or http://localhost:5173"
                )
        return [origin.lower() for origin in origins]


class StoreSettings(_Section):
    url: str | None = Field(default=None, description="a URL")

    @field_validator("url")
    @classmethod
    def _store_url(cls, url: str | None) -> str | None:
        return _url(url, ("sqlite", "postgresql"))


class TasksSettings(StoreSettings):
    pass


class CacheSettings(_Section):
    url: str | None = Field(default=None, description="a URL")

    @field_validator("url")
    @classmethod
    def _cache_url(cls, url: str | None) -> str | None:
        return _url(url, ("redis", "rediss", "valkey", "valkeys"))


def default_tool_folders() -> list[Path]:
    """The tools that ship, and `./tools` when it is there."""
    own = Path("tools")
    return [SHIPPED_TOOLS, own] if own.is_dir() else [SHIPPED_TOOLS]


class ToolsSettings(_Section):
    folders: list[Path] = Field(
        default_factory=default_tool_folders, description="a list of folders", min_length=1
    )


class ProfilesSettings(_Section):
    folder: Path = Field(default=Path("profiles"), description="a folder")


class ProviderSettings(_Section):
    api_key: SecretStr | None = Field(default=None, description="a string")
    base_url: str | None = Field(default=None, description="a URL")
    ca_file: Path | None = Field(default=None, description="a file")
    model: str = Field(default="", description="the name of a model")
    voice_model: str | None = Field(default=None, description="the name of a model")

    @field_validator("base_url")
    @classmethod
    def _base_url(cls, url: str | None) -> str | None:
        if url is not None and not urlsplit(url).hostname:
            raise ValueError("must be a URL like https://host/v1")
        return _url(url, ("https", "http"))


class GeminiSettings(ProviderSettings):
    model: str = Field(default="gemini-2.5-flash", description="the name of a model", min_length=1)
    voice_model: str | None = Field(
        default="gemini-2.5-flash-native-audio-preview-12-2025", description="the name of a model"
    )


class OpenAISettings(ProviderSettings):
    model: str = Field(default="gpt-4.1", description="the name of a model", min_length=1)
    voice_model: str | None = Field(default="gpt-realtime", description="the name of a model")


class ClaudeSettings(ProviderSettings):
    # No voice model: speech is done by the browser or by the speech ports.
    model: str = Field(default="claude-sonnet-4-6", description="the name of a model", min_length=1)


class ProvidersSettings(_Section):
    gemini: GeminiSettings = GeminiSettings()
    openai: OpenAISettings = OpenAISettings()
    claude: ClaudeSettings = ClaudeSettings()


class Settings(BaseSettings):
    """What is in force. `Settings()` is the defaults alone; `load_settings` reads every source."""

    model_config = SettingsConfigDict(extra="forbid", frozen=True)

    mode: Literal["development", "production"] = Field(
        default="development", description='"development" or "production"'
    )
    data: Path = Field(default=Path(".antiphon"), description="a folder")
    server: ServerSettings = ServerSettings()
    store: StoreSettings = StoreSettings()
    tasks: TasksSettings = TasksSettings()
    cache: CacheSettings = CacheSettings()
    tools: ToolsSettings = Field(default_factory=ToolsSettings)
    profiles: ProfilesSettings = ProfilesSettings()
    providers: ProvidersSettings = ProvidersSettings()

    @property
    def registry_file(self) -> Path:
        return self.data / "tool_registry.json"

    @model_validator(mode="before")
    @classmethod
    def _stores_live_in_data(cls, values: Any) -> Any:
        if isinstance(values, dict):
            data = values.get("data", cls.model_fields["data"].default)
            for section, file in (("store", "antiphon.db"), ("tasks", "tasks.db")):
                given = values.get(section, {})
                if isinstance(given, dict):
                    values = {**values, section: {"url": f"sqlite:///{data}/{file}", **given}}
        return values

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        del settings_cls, env_settings, dotenv_settings, file_secret_settings
        return (init_settings,)


class ConfigError(Exception):
    """The configuration cannot be used; `problems` has one plain message for each thing wrong."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Value:
    """One setting in force. `shown` is safe to print: secrets and passwords are masked."""

    name: str
    shown: Any
    origin: str


@dataclass(slots=True)
class LoadedSettings:
    settings: Settings
    origins: dict[str, str]
    problems: list[str] = field(default_factory=list)

    def values(self) -> Iterator[Value]:
        for name in LEAVES:
            raw: Any = self.settings
            for part in name.split("."):
                raw = getattr(raw, part)
            yield Value(name, _printable(raw), self.origins.get(name, "default"))


def load_settings(
    config: Path | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, tuple[str, Any]] | None = None,
) -> LoadedSettings:
    """Read every source. Raises `ConfigError` when any of them holds something unusable.

    `config` is used instead of `antiphon.toml` of the working directory and has to exist. `flags`
    maps a setting (`server.port`) to the flag's name and its value; None means "not given".
    """
    loaded = examine_settings(config, environment=environment, flags=flags)
    if loaded.problems:
        raise ConfigError(loaded.problems)
    return loaded


def examine_settings(
    config: Path | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, tuple[str, Any]] | None = None,
) -> LoadedSettings:
    """Like `load_settings`, but unusable values are left out and reported under `problems`."""
    layers = _Layers()
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
    return layers.validated()


# -- what may be set ------------------------------------------------------------------------------


def _leaves(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, Any, str]]:
    for key, info in model.model_fields.items():
        kind = info.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from _leaves(kind, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", kind, info.description or "another value"


LEAVES = {name: (kind, expected) for name, kind, expected in _leaves(Settings)}
SECTIONS = {name[: m.start()] for name in LEAVES for m in re.finditer(r"\.", name)}


def nearest(name: str, candidates: Iterable[str]) -> str:
    """` Did you mean …?` with the closest of `candidates`, or nothing when none is close."""
    close = difflib.get_close_matches(name, list(candidates), n=1, cutoff=0.6)
    return f" Did you mean `{close[0]}`?" if close else ""


def _is(kind: Any, wanted: type) -> bool:
    return kind is wanted or wanted in get_args(kind)


def _printable(value: Any) -> Any:
    if isinstance(value, SecretStr):
        return "********"
    if isinstance(value, list):
        return [_printable(item) for item in value]
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, str):
        return _SECRET_IN_URL.sub(lambda m: f"{m[1] or m[2] or m[3]}********", value)
    return value


def variable_for(name: str) -> str:
    return ENV_PREFIX + name.upper().replace(".", "__")


# -- the layers -----------------------------------------------------------------------------------


class _Layers:
    """Collects values in rising priority, and everything that is wrong with them."""

    def __init__(self) -> None:
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
            if name in SECTIONS and isinstance(value, dict):
                self._take_table(value, f"{name}.", path, lines)
            elif name in SECTIONS:
                self.problems.append(f"{where}: `{name}` is a section; write [{name}].")
            elif name in LEAVES:
                self.found[name] = (_beside(path, LEAVES[name][0], value), where)
            else:
                hint = nearest(name, [*LEAVES, *SECTIONS])
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
            if name not in LEAVES:
                hint = nearest(variable, map(variable_for, LEAVES))
                self.problems.append(f"{origin}{variable}: no such setting.{hint}")
            elif text:  # an empty variable counts as one that is not set
                value = _split(text) if _is_list(name) else text
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
                origins = {name: origin for name, (_, origin) in self.found.items()}
                return LoadedSettings(settings, origins, self.problems)

    def _explain(self, error: ValidationError) -> Iterator[tuple[str, str]]:
        for item in error.errors(include_url=False):
            parts = [str(part) for part in item["loc"]]
            name = next(
                n for i in range(len(parts), 0, -1) if (n := ".".join(parts[:i])) in self.found
            )
            value, origin = self.found[name]
            kind, expected = LEAVES[name]
            if item["type"] == "value_error":
                said = str(item["ctx"]["error"])
            elif _is(kind, SecretStr):
                said = f"must be {expected}"
            else:
                said = f"must be {expected}, not {str(_printable(value))[:80]!r}"
            yield name, f"{origin}: `{name}` {said}."


def _is_list(name: str) -> bool:
    return getattr(LEAVES[name][0], "__origin__", None) is list


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
    """Where each plainly written key stands; tomllib does not say. Quoted keys are left out."""
    lines: dict[str, int] = {}
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[\s*([\w.-]+)\s*\]", line):
            section = header[1] + "."
            lines.setdefault(header[1], number)
        elif key := re.match(r"\s*([\w.-]+)\s*=", line):
            lines.setdefault(section + key[1], number)
    return lines
