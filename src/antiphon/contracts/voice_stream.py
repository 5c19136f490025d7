"""Voice socket encoding: session events in the form of the messages of `/ws/vox`."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, assert_never, cast

from typing_extensions import TypedDict

from antiphon.contracts.envelope import flat_result
from antiphon.contracts.person_messages import PersonMessageBody, StartTour, TimeoutMessage
from antiphon.contracts.session_events import (
    CallFinished,
    CallStarted,
    ConversationError,
    InterimText,
    MessageRefused,
    ModelText,
    PersonMessage,
    PlaybackStopped,
    Role,
    ServerGoingAway,
    SpokenText,
    UserBlocked,
    VoiceEnded,
    VoiceEvent,
    VoiceProblem,
    VoiceReady,
    VoiceTurnEnded,
    WaitingForModel,
)
from antiphon.contracts.text_stream import DecisionMembers


class _Numbered(TypedDict):
    """`seq` counts the messages of a socket without gaps, and is written as one leaves."""

    seq: NotRequired[int]
    turn_id: NotRequired[int]


class AudioFormat(TypedDict):
    """How audio is framed on this socket, and the rates of its samples."""

    framing: str
    input_rate: int
    output_rate: int


class SetupCompleteMessage(_Numbered):
    """The model listens, and what is in force. `mode` is the backend. `recorded_days`: the sound
    is recorded, and kept for so long."""

    type: Literal["setup_complete"]
    sessionId: str
    mode: str
    resumed: bool
    session_token: str
    model: str
    voice: str
    profile: str
    time_zone: str
    conversation: str
    audio: AudioFormat
    started_at: float
    resume_problem: NotRequired[str]
    ignored: NotRequired[list[str]]
    recorded_days: NotRequired[int]


class AudioMessage(_Numbered):
    """A piece of the model's speech as base64 of PCM16, on a socket without binary frames."""

    type: Literal["audio"]
    data: str


class TextMessage(_Numbered):
    """A piece of what the model writes, or a filler."""

    type: Literal["text"]
    text: str
    filler: NotRequired[bool]


class TranscriptMessage(_Numbered):
    """A piece of what was said aloud; with `replaces` in place of those words."""

    type: Literal["transcript"]
    role: Role
    text: str
    final: bool
    started_at: float | None
    replaces: NotRequired[str]


class PartialTranscriptMessage(_Numbered):
    """What is understood of an utterance so far."""

    type: Literal["partial_transcript"]
    role: Role
    text: str


class InterruptedMessage(_Numbered):
    """Speech of this turn is not to be played any further."""

    type: Literal["interrupted"]
    cut_in: bool


class TurnCompleteMessage(_Numbered):
    """The model's turn is over."""

    type: Literal["turn_complete"]
    turn: int
    reason: str


class FunctionCallMessage(_Numbered):
    """The model calls a tool. Without `server_handled` the client is asked to run it."""

    type: Literal["function_call"]
    name: str
    args: Any
    fn_call_id: str | None
    server_handled: bool
    started_at: float
    decision: DecisionMembers | None


class FunctionResultMessage(_Numbered):
    """The result of a call, flat, with the `meta` of its envelope."""

    type: Literal["function_result"]
    name: str
    fn_call_id: str | None
    result: dict[str, Any]
    meta: dict[str, Any]
    decision: DecisionMembers | None


class WaitingMessage(_Numbered):
    """Somebody has waited that long already."""

    type: Literal["waiting"]
    message: str
    about: Literal["connection", "answer"]
    seconds: float


class ErrorMessage(_Numbered):
    """Something went wrong, or a message was not taken: `about` is then its type."""

    type: Literal["error"]
    message: str
    kind: NotRequired[str]
    about: NotRequired[str | None]
    id: NotRequired[str]
    errors: NotRequired[list[dict[str, Any]]]
    retryable: NotRequired[bool]
    retry_after: NotRequired[float | None]
    fatal: NotRequired[bool]


class VoiceSessionEndMessage(_Numbered):
    """The conversation is over; `textResponse` is what is left to be read."""

    type: Literal["voice_session_end"]
    reason: str
    textResponse: str | None


class GoAwayMessage(_Numbered):
    """The server is about to stop; the token takes the conversation up again."""

    type: Literal["go_away"]
    session_token: str
    message: str


VoiceMessage = (
    SetupCompleteMessage
    | AudioMessage
    | TextMessage
    | TranscriptMessage
    | PartialTranscriptMessage
    | InterruptedMessage
    | TurnCompleteMessage
    | FunctionCallMessage
    | FunctionResultMessage
    | WaitingMessage
    | ErrorMessage
    | VoiceSessionEndMessage
    | GoAwayMessage
    | PersonMessageBody
    | StartTour
)


def encode(event: VoiceEvent, turn: int | None = None) -> VoiceMessage:
    """Return the message for an event; `turn` is the model's turn under way, where it is of one."""
    message = _members(event)
    if turn is not None:
        message.setdefault("turn_id", turn)  # type: ignore[typeddict-item]
    return message


def _members(event: VoiceEvent) -> VoiceMessage:
    match event:
        case SpokenText():
            spoken: TranscriptMessage = {
                "type": "transcript",
                "role": event.role,
                "text": event.text,
                "final": event.final,
                "started_at": event.started_at,
            }
            if event.replaces:
                spoken["replaces"] = event.replaces
            return spoken
        case InterimText(role, text):
            return {"type": "partial_transcript", "role": role, "text": text}
        case ModelText(text, filler):
            return (
                {"type": "text", "text": text, "filler": True}
                if filler
                else {"type": "text", "text": text}
            )
        case PlaybackStopped(turn, cut_in):
            return {"type": "interrupted", "turn_id": turn, "cut_in": cut_in}
        case VoiceTurnEnded(turn, reason):
            return {"type": "turn_complete", "turn": turn, "reason": reason}
        case CallStarted():
            return {
                "type": "function_call",
                "name": event.name,
                "args": event.args,
                "fn_call_id": event.id,
                "server_handled": event.server_handled,
                "started_at": event.started_at,
                "decision": _decision(event),
            }
        case CallFinished():
            return {
                "type": "function_result",
                "name": event.name,
                "fn_call_id": event.id,
                "result": flat_result(event.envelope),
                "meta": event.envelope["meta"],
                "decision": _decision(event),
            }
        case PersonMessage(body):
            return cast(PersonMessageBody, body)
        case WaitingForModel(about, words, seconds):
            return {"type": "waiting", "message": words, "about": about, "seconds": seconds}
        case VoiceEnded(reason, text):
            return {"type": "voice_session_end", "reason": reason, "textResponse": text}
        case ServerGoingAway(token, words):
            return {"type": "go_away", "session_token": token, "message": words}
        case UserBlocked():
            return cast(TimeoutMessage, {"type": "timeout", **event.to_dict()})
        case VoiceReady():
            return _setup_complete(event)
        case ConversationError() | VoiceProblem() | MessageRefused():
            return _error(event)
        case _:
            assert_never(event)


def _decision(event: CallStarted | CallFinished) -> DecisionMembers | None:
    found = event.decision
    return None if found is None else {"outcome": found.outcome, "rule": found.rule}


def _error(event: ConversationError | VoiceProblem | MessageRefused) -> ErrorMessage:
    message: ErrorMessage = {"type": "error", "message": event.message}
    if event.kind is not None:
        message["kind"] = event.kind
    match event:
        case ConversationError():
            message["retryable"] = event.retryable
            message["retry_after"] = event.retry_after
            if event.fatal is not None:
                message["fatal"] = event.fatal
        case VoiceProblem():
            message["fatal"] = event.fatal
            if event.about is not None:
                message["about"] = event.about
        case MessageRefused():
            message["about"] = event.about
            if event.id is not None:
                message["id"] = event.id
            if event.errors:
                message["errors"] = event.errors
    return message


def _setup_complete(event: VoiceReady) -> SetupCompleteMessage:
    message: SetupCompleteMessage = {
        "type": "setup_complete",
        "sessionId": event.session_id,
        "mode": event.backend,
        "resumed": event.resumed,
        "session_token": event.session_token,
        "model": event.model,
        "voice": event.voice,
        "profile": event.profile,
        "time_zone": event.time_zone,
        "conversation": event.conversation,
        "audio": {
            "framing": event.framing,
            "input_rate": event.input_rate,
            "output_rate": event.output_rate,
        },
        "started_at": event.started_at,
    }
    if event.resume_problem is not None:
        message["resume_problem"] = event.resume_problem
    if event.ignored:
        message["ignored"] = list(event.ignored)
    if event.recorded_days is not None:
        message["recorded_days"] = event.recorded_days
    return message
