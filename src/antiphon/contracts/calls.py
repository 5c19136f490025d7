"""A request to run a tool, whatever channel it came from."""

from __future__ import annotations

from typing import Any


class ToolCall:
    """One tool call: `id` is the provider's, `client_key` the caller's own; both may be missing."""

    __slots__ = ("args", "client_key", "id", "name")

    def __init__(
        self,
        id: str | None = None,
        name: str = "",
        args: Any = None,
        client_key: str | None = None,
    ) -> None:
        self.id = id
        self.name = name
        self.args = {} if args is None else args
        self.client_key = client_key

    def __repr__(self) -> str:
        # Arguments may hold secrets; they are never part of a log line by accident.
        return f"ToolCall(id={self.id!r}, name={self.name!r})"
