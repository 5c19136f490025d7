"""Server options: what is known of an MCP server that an operator has named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Literal

# What is encrypted where it is kept.
SECRET_FIELDS = ("env", "headers", "client_secret")


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """An MCP server: the command that starts it, or its address, and what it may do."""

    name: str
    command: tuple[str, ...] = ()
    url: str = ""
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    cwd: str = ""
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    overrides: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    pin: Literal["ask", "first"] = "ask"
    timeout_seconds: float = 30.0
    max_bytes: int = 1_000_000
    memory_mb: int = 2048
    files: int = 512
    cpu_seconds: int = 3600
    roots: tuple[str, ...] = ()
    sign_in: bool = False
    client_id: str = ""
    client_secret: str = field(default="", repr=False)
    scopes: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """Its address, or its command, to be shown."""
        return self.url or " ".join(self.command)

    @property
    def secrets(self) -> dict[str, Any]:
        """The values that nobody is to see."""
        given = asdict(self)
        return {name: given[name] for name in SECRET_FIELDS if given[name]}

    def public(self) -> dict[str, Any]:
        """The options without secret values."""
        given = asdict(self)
        return {name: value for name, value in given.items() if name not in SECRET_FIELDS}

    @classmethod
    def kept(cls, public: Mapping[str, Any], secrets: Mapping[str, Any]) -> ServerOptions:
        """The options that `public` and `secrets` gave; what a later version knows is left out."""
        known = {each.name for each in fields(cls)}
        given = {name: value for name, value in {**public, **secrets}.items() if name in known}
        made = cls(**given)
        lists: dict[str, Any] = {
            name: tuple(getattr(made, name))
            for name in ("command", "include", "exclude", "roots", "scopes")
        }
        return replace(made, **lists)

    def takes(self, tool: str) -> bool:
        """Whether a tool of that name is wanted of it."""
        return (not self.include or tool in self.include) and tool not in self.exclude
