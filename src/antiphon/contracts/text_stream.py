"""Text stream encoding: session events in the form of `POST /api/chat` (SSE) and `chat --json`."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, assert_never, cast

from typing_extensions import TypedDict

from antiphon.contracts.person_messages import PersonMessageBody, TimeoutMembers
from antiphon.contracts.session_events import (
    CallFinished,
    CallStarted,
    ConversationError,
    LateCallResult,
    ModelText,
    PersonMessage,
    RoundsUsedUp,
    TextEvent,
    TextTurnEnded,
    TextTurnOpened,
    ToolProgress,
    WaitingForModel,
)

# Messages of tools and confirmations that clients know by their type; others come as `message`.
KNOWN_MESSAGES = frozenset(
    {
        *("confirmation_required", "confirmation_resolved", "timeout", "voice_session_start"),
        "image",
        *("async_task_started", "async_task_progress", "async_task_complete"),
    }
)


class DecisionMembers(TypedDict):
    """The outcome of the policy, and the rule that decided."""

    outcome: str
    rule: str


class UsageMembers(TypedDict):
    """Tokens of all the model's answers in a turn, as the provider counts them."""

    input_tokens: int
    output_tokens: int
    cached_tokens: int


class OpenedEvent(TypedDict):
    """The first event of a turn."""

    type: Literal["session"]
    session_id: str
    turn: int
    backend: str
    model: str
    profile: str
    time_zone: str
    conversation: str
    continued_from: NotRequired[str]


class DeltaEvent(TypedDict):
    """The next piece of the answer."""

    type: Literal["text"]
    delta: str


class ToolCallEvent(TypedDict):
    """The model calls a tool, and what was decided about it."""

    type: Literal["tool_call"]
    id: str | None
    name: str
    args: Any
    decision: DecisionMembers
    started_at: float


class ClientCallEvent(TypedDict):
    """The client is asked to run a function itself, and to answer with what came of it."""

    type: Literal["client_call"]
    id: str
    name: str
    args: Any


class ToolResultEvent(TypedDict):
    """The envelope of a call, and the milliseconds that it took."""

    type: Literal["tool_result"]
    id: str | None
    name: str
    envelope: dict[str, Any]
    duration: float


class LateResultEvent(TypedDict):
    """The envelope of an earlier call."""

    type: Literal["late_result"]
    id: str | None
    name: str
    envelope: dict[str, Any]


class ProgressEvent(TypedDict):
    """How far a tool is; it may add fields of its own."""

    type: Literal["progress"]
    name: str
    message: NotRequired[str]
    fraction: NotRequired[float | None]


class OtherMessageEvent(TypedDict):
    """Anything else that a tool sends to the person."""

    type: Literal["message"]
    message: dict[str, Any]


class NoticeEvent(TypedDict):
    """Something about the turn itself."""

    type: Literal["notice"]
    kind: str
    message: str
    seconds: NotRequired[float]


class ErrorEvent(TypedDict):
    """Something went wrong."""

    type: Literal["error"]
    kind: str
    message: str
    retryable: bool
    retry_after: float | None


class DoneEvent(TypedDict):
    """The last event of a turn: all that was said, and why it ended."""

    type: Literal["done"]
    message: str
    session_id: str
    turn: int
    finish: str
    usage: UsageMembers
    startVoiceSession: NotRequired[bool]
    pendingRequest: NotRequired[str | None]
    timeout: NotRequired[TimeoutMembers]


TextStreamEvent = (
    OpenedEvent
    | DeltaEvent
    | ToolCallEvent
    | ClientCallEvent
    | ToolResultEvent
    | LateResultEvent
    | ProgressEvent
    | PersonMessageBody
    | OtherMessageEvent
    | NoticeEvent
    | ErrorEvent
    | DoneEvent
)


def encode(event: TextEvent) -> TextStreamEvent:
    """Return the event as it is written to the stream, one JSON object."""
    match event:
        case ModelText(text):
            return {"type": "text", "delta": text}
        case CallStarted(server_handled=False):
            assert event.id is not None, "the client answers by the id"
            return {
                "type": "client_call",
                "id": event.id,
                "name": event.name,
                "args": event.args,
            }
        case CallStarted():
            assert event.decision is not None, "calls of a text turn are decided on"
            return {
                "type": "tool_call",
                "id": event.id,
                "name": event.name,
                "args": event.args,
                "decision": {"outcome": event.decision.outcome, "rule": event.decision.rule},
                "started_at": event.started_at,
            }
        case CallFinished(id_, name, envelope):
            return {
                "type": "tool_result",
                "id": id_,
                "name": name,
                "envelope": envelope,
                "duration": envelope["meta"]["duration"],
            }
        case LateCallResult(id_, name, envelope):
            return {"type": "late_result", "id": id_, "name": name, "envelope": envelope}
        case ToolProgress(name, fields):
            return cast(ProgressEvent, {"type": "progress", "name": name, **fields})
        case PersonMessage(body):
            if body.get("type") in KNOWN_MESSAGES:
                return cast(PersonMessageBody, body)
            return {"type": "message", "message": body}
        case WaitingForModel(_, message, seconds):
            return {"type": "notice", "kind": "waiting", "message": message, "seconds": seconds}
        case RoundsUsedUp(message):
            return {"type": "notice", "kind": "rounds_used_up", "message": message}
        case ConversationError():
            return {
                "type": "error",
                "kind": event.kind,
                "message": event.message,
                "retryable": event.retryable,
                "retry_after": event.retry_after,
            }
        case TextTurnOpened():
            opened: OpenedEvent = {
                "type": "session",
                "backend": event.backend,
                "model": event.model,
                "profile": event.profile,
                "time_zone": event.time_zone,
                "session_id": event.session_id,
                "turn": event.turn,
                "conversation": event.conversation or event.session_id,
            }
            if event.continued_from is not None:
                opened["continued_from"] = event.continued_from
            return opened
        case TextTurnEnded():
            return _done(event)
        case _:
            assert_never(event)


def _done(event: TextTurnEnded) -> DoneEvent:
    usage = event.usage
    done: DoneEvent = {
        "type": "done",
        "message": event.message,
        "session_id": event.session_id,
        "turn": event.turn,
        "finish": event.finish,
        "usage": {
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "cached_tokens": usage.cached_tokens,
        },
    }
    if event.voice:
        done["startVoiceSession"] = True
        done["pendingRequest"] = event.voice["pendingRequest"]
    if event.timeout is not None:
        members = {name: value for name, value in event.timeout.items() if name != "type"}
        done["timeout"] = cast(TimeoutMembers, members)
    return done
