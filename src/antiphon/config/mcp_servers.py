"""Settings of MCP servers: sections `[mcp_servers.NAME]`, one for each server in use."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    model_validator,
)

from antiphon.config.named_sections import NamedSections

NAME = r"[a-z][a-z0-9]{0,23}(?:_[a-z0-9]{1,23}){0,3}"
_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,200}")


def _written_as_json(value: Any) -> Any:
    """A table or list in an environment variable."""
    if isinstance(value, str):
        try:
            return json.loads(value)
        except ValueError:
            return value  # the message says what is wanted
    return value


def _address(url: str) -> str:
    if not url:
        return url
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("must be an address like https://host/mcp")
    if parts.username or parts.password:
        raise ValueError("must not hold a password; put it into `headers`")
    if any(ch <= " " or ch == "\x7f" for ch in url):
        raise ValueError("holds spaces or control characters")
    return url


def _command(words: list[str]) -> list[str]:
    if words and not words[0].strip():
        raise ValueError("begins with nothing; its first part is the program")
    if any("\0" in word for word in words):
        raise ValueError("holds a null character")
    return words


def _named_like(pattern: re.Pattern[str], what: str) -> Any:
    def check(values: dict[str, SecretStr]) -> dict[str, SecretStr]:
        for name, value in values.items():
            if not pattern.fullmatch(name):
                raise ValueError(f"holds {name!r}, which is no name of {what}")
            if any(ch in value.get_secret_value() for ch in "\r\n\0"):
                raise ValueError(f"has a value for {name!r} of more than one line")
        return values

    return AfterValidator(check)


_Words = Annotated[list[str], BeforeValidator(_written_as_json), Field(max_length=200)]
_Names = Annotated[list[str], Field(max_length=1000, description="a list of names of tools")]
_Secrets = Annotated[dict[str, SecretStr], BeforeValidator(_written_as_json)]


class McpServerSettings(BaseModel):
    """One MCP server, and what it may do."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    command: Annotated[_Words, AfterValidator(_command)] = Field(
        default=[], description="a list of words, the program first"
    )
    url: Annotated[str, AfterValidator(_address)] = Field(
        default="", max_length=2000, description="a URL"
    )
    env: Annotated[_Secrets, _named_like(_VARIABLE, "a variable")] = Field(
        default={}, max_length=100, description="a table of texts"
    )
    headers: Annotated[_Secrets, _named_like(_HEADER, "a header")] = Field(
        default={}, max_length=100, description="a table of texts"
    )
    cwd: str = Field(default="", max_length=1000, description="a folder")
    include: _Names = []
    exclude: _Names = []
    overrides: Annotated[dict[str, dict[str, Any]], BeforeValidator(_written_as_json)] = Field(
        default={}, max_length=1000, description="a table for each tool"
    )
    pin: Literal["ask", "first"] = Field(default="ask", description='"ask" or "first"')
    timeout_seconds: float = Field(
        default=30.0, gt=0, le=3600, description="a number of seconds from above 0 to 3600"
    )
    max_bytes: int = Field(
        default=1_000_000,
        ge=1000,
        le=50_000_000,
        description="a whole number from 1000 to 50000000",
    )
    memory_mb: int = Field(
        default=2048, ge=64, le=1_048_576, description="a whole number from 64 to 1048576"
    )
    files: int = Field(default=512, ge=16, le=65_536, description="a whole number from 16 to 65536")
    cpu_seconds: int = Field(
        default=3600, ge=1, le=31_536_000, description="a whole number of seconds from 1"
    )
    roots: list[str] = Field(default=[], max_length=100, description="a list of folders")
    sign_in: bool = Field(default=False, description="true or false")
    client_id: str = Field(default="", max_length=2000, description="a string")
    client_secret: SecretStr | None = Field(default=None, description="a string")
    scopes: list[str] = Field(default=[], max_length=100, description="a list of scopes")

    @model_validator(mode="after")
    def _one_way(self) -> McpServerSettings:
        if bool(self.command) == bool(self.url):
            raise ValueError("needs either `command` or `url`")
        if self.url and (self.env or self.cwd):
            raise ValueError("has a `url`; `env` and `cwd` are for a command")
        if self.command and (self.headers or self.sign_in):
            raise ValueError("has a `command`; `headers` and `sign_in` are for a `url`")
        return self

    def options(self) -> dict[str, Any]:
        """The options as plain values, secrets included."""
        plain = self.model_dump(exclude={"env", "headers", "client_secret"})
        secret = self.client_secret
        return {
            **plain,
            "env": {name: each.get_secret_value() for name, each in self.env.items()},
            "headers": {name: each.get_secret_value() for name, each in self.headers.items()},
            "client_secret": "" if secret is None else secret.get_secret_value(),
        }


class McpServersSettings(BaseModel):
    """The servers by name."""

    model_config = ConfigDict(extra="allow", frozen=True)
    __pydantic_extra__: dict[str, McpServerSettings] = Field(init=False)

    @property
    def by_name(self) -> Mapping[str, McpServerSettings]:
        return self.__pydantic_extra__ or {}


_SECTIONS = NamedSections("mcp_servers", NAME, McpServerSettings)
mcp_server_leaf = _SECTIONS.leaf
is_mcp_server_section = _SECTIONS.is_section
