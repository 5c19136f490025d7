"""Call records: what is remembered of a call, to answer its duplicates without running them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple

import orjson

from antiphon.contracts import Envelope, ErrorType, ToolCall, ToolResult, error_body
from antiphon.orchestrator.handler_run import HandlerRun
from antiphon.policy.view import RecordState
from antiphon.registry.registry import Tool
from antiphon.storage import LedgerRow


class FrozenCall(NamedTuple):
    """The identity of a call that waits for a person's confirmation, as it was when they were
    asked. `changes` are the values that the person changed: the call stays the same one."""

    key: str
    hash: str
    canonical: bytes
    changes: Mapping[str, Any] | None = None


class CallRecord:
    """The record of a call that runs or has run, to answer its duplicates from."""

    __slots__ = (
        "answer",
        "call",
        "canonical",
        "digest",
        "envelope",
        "hash",
        "interrupted",
        "key",
        "name",
        "running",
        "state",
        "tool",
        "turn",
    )

    def __init__(
        self,
        call: ToolCall,
        canonical: bytes | None,
        key: str,
        hash: str,
        turn: int,
        tool: Tool | None,
    ) -> None:
        self.call = call
        self.name = call.name
        self.canonical = canonical
        self.digest = ""
        self.key = key
        self.hash = hash
        self.turn = turn
        self.tool = tool
        self.state: RecordState = "running"
        self.envelope: Envelope | None = None
        self.running: HandlerRun | None = None
        # Set when somebody waits for the answer apart from the task that makes it; resolved with
        # None when they are let go before there is one.
        self.answer: asyncio.Future[Envelope | None] | None = None
        self.interrupted = False

    @classmethod
    def from_row(cls, row: LedgerRow, tool: Tool | None) -> CallRecord:
        """The record of a call from the ledger, made by an earlier process of the session."""
        given = row.key.removeprefix("provider:") if row.key.startswith("provider:") else None
        call = ToolCall(given, row.tool_id, orjson.loads(row.args))
        record = cls(call, None, row.key, row.call_hash, row.turn, tool)
        record.digest = row.args_digest
        record.state = row.state  # type: ignore[assignment]
        record.envelope = orjson.loads(row.envelope) if row.envelope else None
        return record

    def same(self, name: str, canonical: bytes | None) -> bool:
        """Whether a call with this tool and these arguments is the call recorded here."""
        if name != self.name or canonical is None:
            return False
        if self.canonical is None:
            return self.digest == digest(canonical)
        return self.canonical == canonical

    def interrupt(self, reason: str) -> None:
        """Interrupt the call (barge-in, or withdrawn): cancel, finish or detach as the tool
        says."""
        if self.tool is None or self.state != "running":
            return
        self.interrupted = True
        how = self.tool.definition.interruption
        if how == "cancel" and self.running is not None:
            self.running.stop(reason)
        elif how == "detach":
            self.release()

    def release(self) -> None:
        """Release whoever waits without an answer; the result is delivered late."""
        if self.answer is not None and not self.answer.done():
            self.answer.set_result(None)


def canonical_json(args: Any) -> bytes:
    return orjson.dumps(args, option=orjson.OPT_SORT_KEYS)


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()[:16]


def in_progress(tool_id: str) -> ToolResult:
    return _failed(
        ErrorType.IN_PROGRESS,
        f"{tool_id} is still under way. Its result will be given when it is there; "
        "do not call it again for this.",
    )


def outcome_unknown(tool_id: str, *, repeatable: bool = False) -> ToolResult:
    """The result of a call that a crash cut short. `repeatable`: making the same call again does
    not run it twice, and brings the outcome."""
    advice = (
        "To make sure, call it once more with exactly the same arguments: it is not done twice."
        if repeatable
        else "tell the user, do not repeat it."
    )
    body = error_body(
        ErrorType.OUTCOME_UNKNOWN,
        f"{tool_id} was under way when the server stopped. It may have happened: {advice}",
        partial_side_effects=True,
    )
    return ToolResult(False, None, body, [])


def key_conflict() -> ToolResult:
    return _failed(
        ErrorType.CONFLICT,
        "This key was used before with another call. Use a new key for a new call.",
    )


def _failed(type: ErrorType, message: str) -> ToolResult:
    return ToolResult(False, None, error_body(type, message), [])
