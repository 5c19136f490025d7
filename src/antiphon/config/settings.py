"""Settings schema: sections, allowed values and defaults."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    field_validator,
    model_validator,
)

from antiphon.config.identity_providers import (
    IdentityProvidersSettings,
    identity_provider_leaf,
    is_identity_provider_section,
)
from antiphon.config.limits import LimitSettings
from antiphon.config.mcp_servers import (
    McpServersSettings,
    is_mcp_server_section,
    mcp_server_leaf,
)
from antiphon.config.mcp_serving import McpServingSettings
from antiphon.contracts.version_rules import VersionRule
from antiphon.plugins import Plugins

CONSOLE = Path(__file__).parents[1] / "console" / "static"


class _Section(BaseModel):
    # An error that nobody explains must not quote a key.
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


def _url(value: str | None, schemes: tuple[str, ...]) -> str | None:
    scheme = value.partition(":")[0].partition("+")[0] if value else None
    if scheme is not None and (scheme not in schemes or not value or "://" not in value):
        raise ValueError(
            f"must be a URL that starts with {' or '.join(f'{s}://' for s in schemes)}"
        )
    return value


def _web_url(value: str | None) -> str | None:
    if value is not None and not urlsplit(value).hostname:
        raise ValueError("must be a URL like https://host/path")
    return _url(value, ("https", "http"))


# What several settings hold; the description is said when something else is given.
_Text = Annotated[str | None, Field(description="a string")]
_Secret = Annotated[SecretStr | None, Field(description="a string")]
_File = Annotated[Path | None, Field(description="a file")]
_Folder = Annotated[Path, Field(description="a folder")]
_Url = Annotated[str | None, Field(description="a URL")]
_WebUrl = Annotated[_Url, AfterValidator(_web_url)]
_ModelName = Annotated[str | None, Field(description="the name of a model")]
_CalendarName = Annotated[str | None, Field(description="the name of a calendar")]
_Options = Annotated[dict[str, Any], Field(description="a table of options")]
_Seconds = Annotated[float, Field(gt=0, description="a number of seconds above 0")]


# Settings that name a plug-in, with its kind and the sort of a speech engine.
CHOICES: dict[str, tuple[str, str]] = {
    "agent.backend": ("providers", ""),
    "knowledge.embedder": ("embedders", ""),
    "knowledge.extractor": ("providers", ""),
    "calendar.service": ("calendars", ""),
    "images.provider": ("providers", ""),
    "speech.vad": ("speech", "vad"),
    "speech.recognizer": ("speech", "recognizer"),
    "speech.synthesizer": ("speech", "synthesizer"),
}


BUILT_IN = Plugins(installed=False)


def choices(setting: str, plugins: Plugins) -> list[str]:
    """The names that a setting of CHOICES may have."""
    names = plugins.names(*CHOICES[setting])
    if setting == "knowledge.extractor":
        return ["rules", *(name for name in names if name != "local")]
    if setting == "images.provider":
        return ["auto", *(name for name in names if name != "local"), "none"]
    return names


def one_of(names: list[str]) -> str:
    """`"a", "b" or "c"`."""
    quoted = [f'"{name}"' for name in names]
    return " or ".join([*([", ".join(quoted[:-1])] if quoted[1:] else []), quoted[-1]])


def _described(setting: str) -> str:
    """The built-in names as a description; those of plug-ins are read only when asked for."""
    return one_of(choices(setting, BUILT_IN))


class AgentSettings(_Section):
    backend: str = Field(default="local", description=_described("agent.backend"), min_length=1)
    profile: str = Field(default="assistant", description="the name of a profile", min_length=1)


class ServerSettings(_Section):
    host: str = Field(
        default="127.0.0.1", description="a host name or an address", pattern=r"^[\w.:-]+$"
    )
    port: int = Field(default=8080, ge=0, le=65535, description="a whole number from 0 to 65535")
    origins: list[str] = Field(default=[], description="a list of origins")
    hosts: list[str] = Field(default=[], description="a list of host names")
    proxies: list[str] = Field(default=[], description="a list of addresses or networks")
    admin_token: SecretStr | None = Field(
        default=None, description="a text of at least 16 characters", min_length=16
    )
    console: _Folder = CONSOLE
    warm_up: bool = Field(default=True, description="true or false")
    max_connections: int = Field(default=1000, ge=1, description="a whole number from 1")
    head_seconds: _Seconds = 15.0
    idle_seconds: int = Field(default=15, ge=1, description="a whole number of seconds from 1")
    body_seconds: _Seconds = 10.0
    min_body_rate: int = Field(default=500, ge=0, description="a whole number of bytes from 0")

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

    @field_validator("hosts")
    @classmethod
    def _exact_hosts(cls, hosts: list[str]) -> list[str]:
        for host in hosts:
            if not re.fullmatch(r"(?:[\w.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?", host):
                raise ValueError(
                    f"holds {host!r}; write a host name, with a port where it is an unusual one, "
                    "like voice.example.org or localhost:9000"
                )
        return [host.lower() for host in hosts]

    @field_validator("proxies")
    @classmethod
    def _networks(cls, proxies: list[str]) -> list[str]:
        for proxy in proxies:
            try:
                ip_network(proxy, strict=False)
            except ValueError:
                raise ValueError(
                    f"holds {proxy!r}; write an address or a network, like 10.0.0.5 or 10.0.0.0/24"
                ) from None
        return proxies


class AccessSettings(_Section):
    sign_in: Literal["auto", "on", "off"] = Field(
        default="auto", description='"auto", "on" or "off"'
    )
    public_url: _WebUrl = None
    idle_hours: float = Field(default=12.0, gt=0, le=8760, description="a number of hours above 0")
    session_days: float = Field(default=14.0, gt=0, le=365, description="a number of days above 0")
    rotation_minutes: float = Field(
        default=15.0, gt=0, le=1440, description="a number of minutes above 0"
    )
    password_memory: int = Field(
        default=65_536, ge=8, le=4_194_304, description="a whole number of KiB from 8"
    )
    password_passes: int = Field(default=3, ge=1, le=100, description="a whole number from 1")
    oidc: IdentityProvidersSettings = IdentityProvidersSettings()


class SecretsSettings(_Section):
    key: _Secret = None
    key_file: _File = None
    keyring: bool = Field(default=False, description="true or false")

    @model_validator(mode="after")
    def _one_source(self) -> SecretsSettings:
        given = [self.key is not None, self.key_file is not None, self.keyring]
        if sum(given) > 1:
            raise ValueError("there are several; set only one of key, key_file and keyring")
        return self


class StoreSettings(_Section):
    url: _Url = None

    @field_validator("url")
    @classmethod
    def _store_url(cls, url: str | None) -> str | None:
        return _url(url, ("sqlite", "postgresql"))


class AuditSettings(_Section):
    keep_days: int | None = Field(default=None, ge=1, description="a whole number of days from 1")


class TasksSettings(StoreSettings):
    pass


class CacheSettings(_Section):
    url: _Url = None

    @field_validator("url")
    @classmethod
    def _cache_url(cls, url: str | None) -> str | None:
        return _url(url, ("redis", "rediss", "valkey", "valkeys"))


def default_tool_folders() -> list[Path]:
    """The tools that ship, those of the catalogue, and `./tools` when it is there."""
    own = Path("tools")
    shipped: list[Path] = [plugin.load() for plugin in BUILT_IN.all("tools")]
    return [*shipped, own] if own.is_dir() else shipped


class KnowledgeSettings(_Section):
    url: _Url = None
    embedder: str = Field(
        default="minilm", description=_described("knowledge.embedder"), min_length=1
    )
    model: _ModelName = None
    extractor: str = Field(
        default="rules", description=_described("knowledge.extractor"), min_length=1
    )

    @field_validator("url")
    @classmethod
    def _knowledge_url(cls, url: str | None) -> str | None:
        return _url(url, ("postgresql",))


class LocalSettings(_Section):
    model: _File = None
    context: int | None = Field(
        default=None, ge=512, le=1_048_576, description="a whole number from 512 to 1048576"
    )
    threads: int | None = Field(
        default=None, ge=1, le=512, description="a whole number from 1 to 512"
    )


class MeetingSettings(_Section):
    kind: Literal["none", "link", "zoom", "google_meet", "jitsi"] = Field(
        default="none", description='"none", "link", "zoom", "google_meet" or "jitsi"'
    )
    url: _WebUrl = None
    account_id: _Text = None
    client_id: _Text = None
    client_secret: _Secret = None
    ca_file: _File = None


class CalendarSettings(_Section):
    service: str = Field(default="local", description=_described("calendar.service"), min_length=1)
    time_zone: str | None = Field(default=None, description="a time zone, like Europe/Berlin")
    url: _WebUrl = None
    ca_file: _File = None
    token: _Secret = None
    refresh_token: _Secret = None
    client_id: _Text = None
    client_secret: _Secret = None
    username: _Text = None
    password: _Secret = None
    primary: _CalendarName = None
    team: _CalendarName = None
    personal: _CalendarName = None
    meeting: MeetingSettings = MeetingSettings()
    day_start: str = Field(default="08:00", description="a time of day, like 08:00")
    day_end: str = Field(default="20:00", description="a time of day, like 20:00")

    @field_validator("day_start", "day_end")
    @classmethod
    def _clock(cls, text: str) -> str:
        if not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", text):
            raise ValueError("must be a time of day, like 08:00")
        return text

    @model_validator(mode="after")
    def _day(self) -> CalendarSettings:
        if self.day_start >= self.day_end:
            raise ValueError("day_end must be later than day_start")
        return self

    @field_validator("time_zone")
    @classmethod
    def _zone(cls, name: str | None) -> str | None:
        if name is not None:
            try:
                ZoneInfo(name)
            except (KeyError, ValueError, OSError):
                raise ValueError("must be a time zone, like Europe/Berlin or UTC") from None
        return name


class EgressSettings(_Section):
    allowed: list[str] = Field(default=[], description="a list of hosts with ports")

    @field_validator("allowed")
    @classmethod
    def _hosts_with_ports(cls, allowed: list[str]) -> list[str]:
        for host in allowed:
            if not re.fullmatch(r"[^/\s@?#]+:\d{1,5}", host):
                raise ValueError(
                    f"holds {host!r}; write host and port, like pictures.example.org:443"
                )
        return [host.lower() for host in allowed]


class ImagesSettings(_Section):
    provider: str = Field(default="auto", description=_described("images.provider"), min_length=1)
    model: _ModelName = None


class SpeechSettings(_Section):
    vad: str = Field(default="silero", description=_described("speech.vad"), min_length=1)
    recognizer: str = Field(
        default="moonshine", description=_described("speech.recognizer"), min_length=1
    )
    synthesizer: str = Field(
        default="hibari", description=_described("speech.synthesizer"), min_length=1
    )
    vad_options: _Options = {}
    recognizer_options: _Options = {}
    synthesizer_options: _Options = {}
    turn_options: _Options = {}

    @field_validator(
        "vad_options", "recognizer_options", "synthesizer_options", "turn_options", mode="before"
    )
    @classmethod
    def _written_as_json(cls, value: Any) -> Any:
        """Parse a table that is written as JSON, as in an environment variable."""
        if isinstance(value, str):
            try:
                return json.loads(value)
            except ValueError:
                raise ValueError('must be JSON such as {"threads": 2}') from None
        return value


class VoiceSettings(_Section):
    record: bool = Field(default=False, description="true or false")
    record_days: int = Field(default=30, ge=1, description="a whole number of days from 1")


def _version_rules(texts: list[str]) -> list[str]:
    for text in texts:
        VersionRule.parse(text)
    return texts


class ToolsSettings(_Section):
    ask_first: list[str] = Field(default=[], description="a list of names of tools")
    folders: list[Path] = Field(
        default_factory=default_tool_folders, description="a list of folders"
    )
    functions: list[str] = Field(
        default=[], description="a list of functions, such as shop.tools:order_status"
    )
    most_declared: int = Field(
        default=64, ge=8, le=1000, description="a whole number from 8 to 1000"
    )
    threads: int = Field(default=16, ge=1, le=1000, description="a whole number from 1 to 1000")
    versions: Annotated[list[str], AfterValidator(_version_rules)] = Field(
        default=[], description="a list of rules, such as kb_search@2.0.0 role:beta"
    )
    workers: int | None = Field(
        default=None, ge=1, le=256, description="a whole number from 1 to 256"
    )
    worker_memory_mb: int = Field(
        default=512, ge=64, le=65536, description="a whole number from 64 to 65536"
    )
    worker_idle_seconds: float = Field(
        default=60, ge=1, le=86400, description="a number from 1 to 86400"
    )


def _money(value: Decimal | None) -> Decimal | None:
    if value is not None and value != round(value, 9):
        raise ValueError("must be an amount with at most 9 decimal places")
    return value


# A spending cap; without one there is none.
_Cap = Annotated[
    Decimal | None,
    Field(ge=0, le=1_000_000, description="an amount of money from 0"),
    AfterValidator(_money),
]


class CapsSettings(_Section):
    user_day: _Cap = None
    user_month: _Cap = None
    organisation_day: _Cap = None
    organisation_month: _Cap = None
    agent_day: _Cap = None
    agent_month: _Cap = None


class UsageSettings(_Section):
    prices: _File = None
    caps: CapsSettings = CapsSettings()


class ProfilesSettings(_Section):
    folder: _Folder = Path("profiles")


class ProviderSettings(_Section):
    api_key: _Secret = None
    base_url: _Url = None
    ca_file: _File = None
    model: str = Field(default="", description="the name of a model")
    voice_model: _ModelName = None
    first_word_seconds: float = Field(
        default=30.0, gt=0, le=3600, description="a number of seconds from above 0 to 3600"
    )

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
    """Each provider's section; those of plug-ins are further ones, by their names."""

    model_config = ConfigDict(extra="allow", frozen=True)
    __pydantic_extra__: dict[str, ProviderSettings] = Field(init=False)

    gemini: GeminiSettings = GeminiSettings()
    openai: OpenAISettings = OpenAISettings()
    claude: ClaudeSettings = ClaudeSettings()


# The provider whose key and address an embedder has.
_EMBEDDER_VENDORS = {"openai": "openai", "openai-compatible": "openai", "gemini": "gemini"}


class Settings(BaseModel):
    """All settings. `Settings()` is the defaults alone; `load_settings` reads every source."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    mode: Literal["development", "production"] = Field(
        default="development", description='"development" or "production"'
    )
    data: _Folder = Path(".antiphon")
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="warning", description='"debug", "info", "warning" or "error"'
    )
    agent: AgentSettings = AgentSettings()
    local: LocalSettings = LocalSettings()
    server: ServerSettings = ServerSettings()
    access: AccessSettings = AccessSettings()
    limits: LimitSettings = LimitSettings()
    secrets: SecretsSettings = SecretsSettings()
    store: StoreSettings = StoreSettings()
    audit: AuditSettings = AuditSettings()
    tasks: TasksSettings = TasksSettings()
    cache: CacheSettings = CacheSettings()
    knowledge: KnowledgeSettings = KnowledgeSettings()
    calendar: CalendarSettings = CalendarSettings()
    egress: EgressSettings = EgressSettings()
    images: ImagesSettings = ImagesSettings()
    speech: SpeechSettings = SpeechSettings()
    voice: VoiceSettings = VoiceSettings()
    tools: ToolsSettings = Field(default_factory=ToolsSettings)
    mcp_servers: McpServersSettings = McpServersSettings()
    usage: UsageSettings = UsageSettings()
    mcp: McpServingSettings = McpServingSettings()
    profiles: ProfilesSettings = ProfilesSettings()
    providers: ProvidersSettings = ProvidersSettings()

    @property
    def audit_file(self) -> Path:
        return self.data / "audit.jsonl"

    @property
    def registry_file(self) -> Path:
        return self.data / "tool_registry.json"

    @property
    def embedder(self) -> tuple[str, dict[str, Any]]:
        """The name of the embedder in force and its options: a provider's key and address."""
        name = self.knowledge.embedder
        options: dict[str, Any] = {"model": self.knowledge.model} if self.knowledge.model else {}
        if name == "minilm":
            return name, {}
        vendor = _EMBEDDER_VENDORS.get(name)
        if vendor is None:  # of a plug-in, which has settings of its own
            return name, options
        provider: ProviderSettings = getattr(self.providers, vendor)
        if provider.api_key is not None:
            options["api_key"] = provider.api_key.get_secret_value()
        if provider.base_url:
            options["base_url"] = provider.base_url
        if provider.ca_file:
            options["ca_file"] = provider.ca_file
        return name, options

    @property
    def speech_engines(self) -> dict[str, Any]:
        """The arguments of `antiphon.speech.speech_for`: engines and their options. OpenAI's
        have the provider's key and address unless they were given their own."""
        chosen = self.speech.model_dump()
        openai = self.providers.openai
        for kind in ("recognizer", "synthesizer"):
            options = chosen[f"{kind}_options"]
            if chosen[kind] != "openai" or "base_url" in options:
                continue
            if openai.api_key is not None:
                options.setdefault("api_key", openai.api_key.get_secret_value())
            for name in ("base_url", "ca_file"):
                if value := getattr(openai, name):
                    options.setdefault(name, str(value))
        return chosen

    @model_validator(mode="before")
    @classmethod
    def _stores_live_in_data(cls, values: Any) -> Any:
        if isinstance(values, dict):
            data = values.get("data", cls.model_fields["data"].default)
            given = values.get("store", {})
            if isinstance(given, dict):
                values = {**values, "store": {"url": f"sqlite:///{data}/antiphon.db", **given}}
        return values


def _leaves(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, Any, str]]:
    for key, info in model.model_fields.items():
        kind = info.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from _leaves(kind, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", kind, info.description or "another value"


LEAVES = {name: (kind, expected) for name, kind, expected in _leaves(Settings)}
_PROVIDER = re.compile(r"providers\.([\w-]+)(?:\.(\w+))?")

SECTIONS = {name[: m.start()] for name in LEAVES for m in re.finditer(r"\.", name)}


def leaf_of(name: str, plugins: Plugins) -> tuple[Any, str] | None:
    """The kind of a setting and what it may hold; None when there is none of that name."""
    if name in LEAVES:
        return LEAVES[name]
    if (leaf := identity_provider_leaf(name) or mcp_server_leaf(name)) is not None:
        return leaf
    found = _PROVIDER.fullmatch(name)
    field = ProviderSettings.model_fields.get(found[2] or "") if found else None
    if found is None or field is None or found[1] not in plugins.names("providers"):
        return None
    return field.annotation, field.description or "another value"


def is_section(name: str, plugins: Plugins) -> bool:
    """Whether settings stand below this name; a provider of a plug-in has a section too."""
    if name in SECTIONS or is_identity_provider_section(name) or is_mcp_server_section(name):
        return True
    found = _PROVIDER.fullmatch(name)
    return found is not None and not found[2] and found[1] in plugins.names("providers")
