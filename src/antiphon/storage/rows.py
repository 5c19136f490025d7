"""The rows that the store keeps, as plain data. Times are seconds since the epoch."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Protocol, cast

import orjson

LEDGER_STATES = ("running", "done", "unknown")
FILTER_LENGTH = 200  # an index takes no long text; the line itself has it whole
CONFIRMATION_STATUSES = ("pending", "approved", "denied", "expired", "void")


@dataclass(slots=True)
class LedgerRow:
    """One writing call. `begin` fills in state, owner and times that were left at zero."""

    session_id: str
    key: str
    call_hash: str
    tool_id: str
    args_digest: str
    args: bytes  # canonical JSON
    turn: int
    state: str = "running"  # one of LEDGER_STATES
    envelope: bytes | None = None
    owner: str = ""  # the node that runs the call
    created_at: float = 0.0
    updated_at: float = 0.0
    expires_at: float = 0.0


@dataclass(slots=True)
class ConfirmationRow:
    """A call that waits for, or got, a person's answer, with its frozen arguments."""

    id: str
    session_id: str
    user: str
    tool_id: str
    args: bytes  # canonical JSON
    args_digest: str
    registry_version: str
    nonce: str
    key: str
    turn: int
    risk: str
    preview: str
    created_at: float
    expires_at: float
    call_hash: str = ""  # with `call_args`, what the call was before it was validated
    call_args: bytes = b"{}"
    status: str = "pending"  # one of CONFIRMATION_STATUSES
    resolved_at: float | None = None
    title: str = ""  # the question as one sentence, without what is redacted
    rule: str = ""  # that wants a person asked
    approvers: str = "[]"  # JSON: who said yes so far
    changes: str = "{}"  # JSON: values that a person changed, without what is redacted
    answered_by: str | None = None
    via: str | None = None  # how it was settled: channel, voice, inbox, clock, restart, or why


@dataclass(slots=True)
class GrantRow:
    """A tool that a person has approved beforehand, as it was then."""

    id: str
    user: str
    tool_id: str
    tool_digest: str
    session_id: str | None  # None: in every session of this user
    created_at: float


@dataclass(slots=True)
class SessionRow:
    """A session as it was last saved."""

    id: str
    user: str
    mode: str
    provider: str = ""
    profile: str = ""
    registry_version: str = ""
    state: dict[str, Any] = field(default_factory=dict)
    created_at: float = 0.0
    updated_at: float = 0.0
    ended_at: float | None = None
    conversation_id: str = ""  # the first session of its conversation; empty: it is that itself


@dataclass(slots=True)
class TurnRow:
    """One turn of a conversation: what a person said, what the model did, what tools answered."""

    session_id: str  # the conversation's, whichever of its sessions it was said in
    at: float  # when it began, which need not be the order in which turns come to be known
    channel: str
    turn: str  # JSON


@dataclass(slots=True)
class ConversationRow:
    """A conversation as lists show it. `version` counts what its owner changed of it."""

    id: str
    user: str
    title: str
    folder: str
    preview: str
    messages: int
    spoken: bool
    share_token: str | None
    version: int
    created_at: float
    updated_at: float  # when something was said last


@dataclass(slots=True)
class MessageRow:
    """A turn with its number and what the person thought of it, `up`, `down` or nothing."""

    id: int
    turn: TurnRow
    feedback: str | None = None
    comment: str = ""


@dataclass(slots=True)
class Block:
    """A user who is refused until a time."""

    user: str
    until: float
    reason: str = ""
    created_at: float = 0.0


@dataclass(slots=True)
class AuditLine:
    """One line of the audit chain: `line` is its canonical JSON, byte for byte as hashed."""

    seq: int
    at: float
    line: bytes

    @property
    def data(self) -> dict[str, Any]:
        return cast(dict[str, Any], orjson.loads(self.line))


# The time of an audit line; its session id as `filter_text` has it; its JSON without the closing
# brace.
RenderedEntry = tuple[float, str | None, str]


class AuditEntry(Protocol):
    """An audit payload that renders itself, on the thread of the store's writer."""

    def render(self) -> RenderedEntry:
        """Render the line. Its time and session id are those of its JSON members."""


@dataclass(slots=True)
class AuditReport:
    """The result of verifying the whole audit chain."""

    ok: bool
    count: int  # lines that are in order, from the first one on
    first_bad_seq: int | None = None
    problem: str | None = None
    pruned: int = 0  # lines before them that were deleted on purpose, and on record


def values(row: Any) -> dict[str, Any]:
    """The fields of a row by name, not copied."""
    return {each.name: getattr(row, each.name) for each in fields(row)}


def filter_text(value: Any) -> str | None:
    """A value as a filter column stores it: text cut to FILTER_LENGTH, without NUL; None for
    others."""
    if not isinstance(value, str):
        return None
    return value[:FILTER_LENGTH].replace("\x00", "\ufffd")  # PostgreSQL's text has no NUL
