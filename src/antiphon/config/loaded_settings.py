"""Loaded settings: each value with its origin, in a form that is safe to print."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from antiphon.config.settings import LEAVES, Settings
from antiphon.secrecy.redaction import MASK, redact_address

# Options whose value nobody should see.
_SECRET_NAME = re.compile(r"password|secret|token|key", re.IGNORECASE)


class ConfigError(Exception):
    """The configuration cannot be used; `problems` has one plain message for each thing wrong."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class SettingValue:
    """One setting in force. `shown` is safe to print: secrets and passwords are masked."""

    name: str
    shown: Any
    origin: str


@dataclass(slots=True)
class LoadedSettings:
    settings: Settings
    origins: dict[str, str]
    problems: list[str] = field(default_factory=list)
    # Variables of `.env` that are no settings of ours: keys of tools and the like.
    environment: dict[str, str] = field(default_factory=dict, repr=False)

    def export(self) -> None:
        """Give tools what `.env` has for them; what the environment has already stays."""
        for name, value in self.environment.items():
            if not os.environ.get(name):
                os.environ[name] = value

    def values(self) -> Iterator[SettingValue]:
        further = [
            f"providers.{provider}.{field}"
            for provider, section in (self.settings.providers.__pydantic_extra__ or {}).items()
            for field in section.model_fields_set
        ]
        further += [
            f"access.oidc.{provider}.{field}"
            for provider, found in self.settings.access.oidc.by_name.items()
            for field in found.model_fields_set
        ]
        further += [
            f"mcp_servers.{server}.{field}"
            for server, given in self.settings.mcp_servers.by_name.items()
            for field in given.model_fields_set
        ]
        for name in (*LEAVES, *further):
            raw: Any = self.settings
            for part in name.split("."):
                raw = getattr(raw, part)
            yield SettingValue(name, printable(raw), self.origins.get(name, "default"))


def is_secret_name(name: str) -> bool:
    """Whether nobody should see the value of an option of that name."""
    return _SECRET_NAME.search(name) is not None


def printable(value: Any) -> Any:
    if isinstance(value, SecretStr):
        return MASK
    if isinstance(value, list):
        return [printable(item) for item in value]
    if isinstance(value, dict):
        return {
            key: MASK if is_secret_name(str(key)) else printable(item)
            for key, item in value.items()
        }
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, str):
        return redact_address(value)
    return value
