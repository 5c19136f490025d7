"""Schemas of MCP servers: their state, their tools with what has changed, sign-in, as JSON."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from antiphon.server.bodies import Body

ServerName = Annotated[
    str, Field(pattern=r"^[a-z][a-z0-9]{0,23}(?:_[a-z0-9]{1,23}){0,3}$", examples=["files"])
]
_Text = Annotated[str, Field(max_length=10_000)]
_Texts = Annotated[list[_Text], Field(max_length=1000)]
_Table = Annotated[dict[str, _Text], Field(max_length=100)]


class NewMcpServer(Body):
    """A server to add: a command that starts it, or its address. What is left out is as for a
    server of the settings."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "name": "files",
                "command": ["npx", "-y", "@modelcontextprotocol/server-filesystem", "/srv/papers"],
            }
        }
    )

    name: ServerName
    command: _Texts = Field(default=[], description="Its program and the arguments of that.")
    url: _Text = ""
    env: _Table = Field(default={}, description="Variables of its process. They are never shown.")
    headers: _Table = Field(default={}, description="Headers for its address. Never shown.")
    cwd: _Text = ""
    include: _Texts = Field(default=[])
    exclude: _Texts = Field(default=[])
    overrides: dict[str, dict[str, Any]] = Field(
        default={},
        max_length=1000,
        description="What is said of its tools, by name, in the words of `@tool(…)`.",
    )
    timeout_seconds: float = Field(default=30.0, gt=0, le=3600)
    max_bytes: int = Field(default=1_000_000, ge=1000, le=50_000_000)
    memory_mb: int = Field(default=2048, ge=64, le=1_048_576)
    files: int = Field(default=512, ge=16, le=65_536)
    cpu_seconds: int = Field(default=3600, ge=1, le=31_536_000)
    roots: _Texts = Field(default=[], description="Folders that it is told of when it asks.")
    sign_in: bool = Field(default=False, description="Whether each user signs in to it.")
    client_id: _Text = ""
    client_secret: _Text | None = None
    scopes: _Texts = Field(default=[])


class McpServerDocument(BaseModel):
    """A server and how it is. Times are seconds of the epoch."""

    name: str = Field(examples=["files"])
    source: Literal["settings", "store"] = Field(description="Those of the settings stay.")
    kind: Literal["command", "address"]
    place: str = Field(description="The command or the address, without secrets.")
    state: Literal["idle", "connecting", "ready", "failed", "sign_in"] = Field(
        description="`sign_in`: each user signs in, and nobody is connected right now."
    )
    words: str = Field(description="Why it failed; empty otherwise.")
    since: float
    title: str = Field(description="What it calls itself, with its version.")
    protocol: str = Field(description="The revision of the protocol that is spoken.")
    accepted: int = Field(description="Tools that may be called.")
    quarantined: int = Field(description="Tools that somebody has to look at.")
    rejected: int
    missing: int = Field(description="Accepted tools that it does not have any more.")
    sign_in: bool = Field(description="Whether each user signs in to it.")
    refused_requests: dict[str, int] = Field(
        description="How often it has asked for what is refused, by method."
    )


class McpServerList(BaseModel):
    servers: list[McpServerDocument] = Field(description="By name.")
    count: int


class DifferenceDocument(BaseModel):
    """One part of a tool that is not as it was accepted. What is not seen stands as ⟨U+202E⟩."""

    field: str = Field(examples=["description"])
    before: str = Field(description="Empty where there was nothing.")
    after: str


class McpToolDocument(BaseModel):
    """A tool of a server: what was accepted, and what is different now."""

    name: str = Field(description="As the server has it; what is not seen stands as ⟨U+202E⟩.")
    key: str = Field(description="The name as it is; for `accept` and `reject`.")
    tool_id: str = Field(description="As it is called here.", examples=["files__read_file"])
    status: Literal["accepted", "quarantined", "rejected"]
    reason: str = Field(description="Why it is not accepted.")
    problem: str = Field(description="Why it cannot be used although it is accepted.")
    there: bool | None = Field(description="Whether the server lists it now; null: not known yet.")
    digest: str = Field(description="Of the tool as it is now.")
    differences: list[DifferenceDocument] = Field(description="From what was accepted.")
    warnings: list[str] = Field(description="What is odd about its words.")
    first_seen_at: float
    changed_at: float
    decided_at: float | None
    decided_by: str | None


class McpServerDetails(McpServerDocument):
    """A server with its tools."""

    tools: list[McpToolDocument] = Field(description="By name.")


class ToolDecisions(Body):
    """Tools to accept or reject, each with the digest that was shown: what has changed since is
    refused."""

    model_config = ConfigDict(
        json_schema_extra={"example": {"tools": {"read_file": "5d41402abc4b2a76b9719d911017c592"}}}
    )

    tools: dict[
        Annotated[str, Field(max_length=200)], Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
    ] = Field(min_length=1, max_length=2000)


class ServerErrors(BaseModel):
    """What a server wrote to its standard error, at most the last 64 KiB."""

    text: str


class MessageDocument(BaseModel):
    """One message of the protocol, redacted and cut."""

    at: float = Field(description="Seconds of the epoch.")
    sender: Literal["here", "server"]
    method: str = Field(description="Empty for an answer.")
    id: str | None = Field(description="A request and its answer have the same.")
    text: str


class TranscriptDocument(BaseModel):
    """The last messages between a server and this one, at most 200, oldest first."""

    messages: list[MessageDocument]
    dropped: int = Field(description="Messages that were too many, or no messages at all.")


class SignInDocument(BaseModel):
    """A server that users sign in to, and whether whoever asks has."""

    server: str
    place: str = Field(description="Its address.")
    signed_in: bool


class SignInList(BaseModel):
    servers: list[SignInDocument] = Field(description="By name.")


class SignInBegun(BaseModel):
    """Where the browser goes to sign in. It comes back to this server."""

    address: str


class SignedOut(BaseModel):
    server: str
    was_signed_in: bool


class ClientDocument(BaseModel):
    """This server as a client of authorization servers."""

    client_id: str
    client_name: str
    client_uri: str
    redirect_uris: list[str]
    grant_types: list[str]
    response_types: list[str]
    token_endpoint_auth_method: str
