"""Settings of MCP serving: section `[mcp]`."""

from __future__ import annotations

from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator

_Url = Annotated[str | None, Field(description="a URL")]


class McpServingSettings(BaseModel):
    """How the registry is served to MCP clients."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    resource: _Url = None
    scopes: list[str] = Field(default=[], description="a list of scopes")
    high_risk_approvals: Literal["client", "console"] = Field(
        default="client", description='"client" or "console"'
    )

    @field_validator("resource")
    @classmethod
    def _resource(cls, url: str | None) -> str | None:
        parts = urlsplit(url or "")
        if url is None:
            return None
        if parts.scheme not in ("https", "http") or not parts.hostname or parts.fragment:
            raise ValueError("must be a URL like https://agents.example.org/mcp")
        return url
