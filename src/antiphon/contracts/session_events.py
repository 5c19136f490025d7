"""Session events: what a text or spoken conversation tells its client, one typed union for both.

Agents build these; `contracts.text_stream` and `contracts.voice_stream` encode them, each in the
form of its wire. The samples of the model's speech are no events: they take the fast path.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from antiphon.contracts.envelope import Envelope
from antiphon.contracts.events import Usage

Role = Literal["user", "assistant"]


@dataclass(slots=True)
class CallDecision:
    """Verdict of the policy on a call: the outcome, and the rule that decided."""

    outcome: str
    rule: str


# -- the conversation ------------------------------------------------------------------------


@dataclass(slots=True)
class TextTurnOpened:
    """A turn in text has begun. `continued_from`: the session that a new one goes on from;
    `conversation`: the first session of the whole conversation."""

    session_id: str
    turn: int
    backend: str
    model: str
    profile: str
    time_zone: str
    continued_from: str | None = None
    conversation: str = ""


@dataclass(slots=True)
class VoiceReady:
    """The model listens. `resume_problem` says why an earlier conversation was not taken up;
    `ignored` are fields of the client's `start` that nobody knows."""

    session_id: str
    backend: str
    resumed: bool
    session_token: str
    model: str
    voice: str
    profile: str
    time_zone: str
    conversation: str
    framing: str
    input_rate: int
    output_rate: int
    started_at: float
    resume_problem: str | None = None
    ignored: tuple[str, ...] = ()
    recorded_days: int | None = None  # the sound is recorded, and kept for so long


@dataclass(slots=True)
class TextTurnEnded:
    """The last event of a turn in text. `voice` has what the client needs to change to voice;
    `timeout` is what a person was told who was blocked in this turn."""

    message: str
    session_id: str
    turn: int
    finish: str
    usage: Usage
    voice: Mapping[str, Any] = field(default_factory=dict)
    timeout: Mapping[str, Any] | None = None


@dataclass(slots=True)
class VoiceTurnEnded:
    """A turn of the model in a spoken conversation is over."""

    turn: int
    reason: str


@dataclass(slots=True)
class VoiceEnded:
    """The spoken conversation is over. `text_response`: what is left to be read."""

    reason: str
    text_response: str | None = None


@dataclass(slots=True)
class ServerGoingAway:
    """The server is about to stop; the token takes the conversation up again."""

    session_token: str
    message: str


# -- words -----------------------------------------------------------------------------------


@dataclass(slots=True)
class ModelText:
    """A piece of what the model writes. `filler`: said meanwhile, and not by the model."""

    text: str
    filler: bool = False


@dataclass(slots=True)
class SpokenText:
    """A piece of a transcript; with `replaces` it stands in place of those words."""

    role: Role
    text: str
    final: bool
    started_at: float | None
    replaces: str = ""


@dataclass(slots=True)
class InterimText:
    """What is understood of an utterance so far; the next such event replaces it."""

    role: Role
    text: str


@dataclass(slots=True)
class PlaybackStopped:
    """Speech of this turn is not to be played any further. `cut_in`: the person interrupted."""

    turn: int
    cut_in: bool


# -- calls -----------------------------------------------------------------------------------


@dataclass(slots=True)
class CallStarted:
    """A call was decided on. Without `server_handled` the client is asked to run it."""

    id: str | None
    name: str
    args: Any
    decision: CallDecision | None
    started_at: float
    server_handled: bool = True


@dataclass(slots=True)
class CallFinished:
    """A call has its result."""

    id: str | None
    name: str
    envelope: Envelope
    decision: CallDecision | None = None


@dataclass(slots=True)
class LateCallResult:
    """An earlier call has its result, which the model now knows of."""

    id: str | None
    name: str
    envelope: Envelope


@dataclass(slots=True)
class ToolProgress:
    """A tool says how far it is; `fields` are its own."""

    name: str
    fields: Mapping[str, Any]


@dataclass(slots=True)
class PersonMessage:
    """A message over the person's own channel, in its wire form: of a confirmation, of a task, or
    whatever a tool sends."""

    body: dict[str, Any]


# -- trouble ---------------------------------------------------------------------------------


@dataclass(slots=True)
class WaitingForModel:
    """Somebody has waited so many seconds for a connection or for an answer."""

    about: Literal["connection", "answer"]
    message: str
    seconds: float


@dataclass(slots=True)
class RoundsUsedUp:
    """The model wanted more rounds of tool use than a turn has."""

    message: str


@dataclass(slots=True)
class ConversationError:
    """Something went wrong with the model or the store. `fatal`: the conversation ends with it;
    None on a wire that says so by its end."""

    kind: str
    message: str
    retryable: bool = False
    retry_after: float | None = None
    fatal: bool | None = None


@dataclass(slots=True)
class VoiceProblem:
    """Something went wrong with the spoken conversation itself, on our side."""

    kind: str
    message: str
    fatal: bool
    about: str | None = None


@dataclass(slots=True)
class MessageRefused:
    """A message of the client was not taken. `about` is its type, `id` the thing it named, `errors`
    the values that are wrong."""

    message: str
    about: str | None
    kind: str | None = None
    id: str | None = None
    errors: list[dict[str, Any]] | None = None


@dataclass(slots=True)
class UserBlocked:
    """The person is kept out until `until_ms`, in milliseconds of the epoch."""

    until_ms: int
    seconds: float
    message: str

    def to_dict(self) -> dict[str, Any]:
        """Return the members of a `timeout`, the same on every wire."""
        return {
            "timeoutUntil": self.until_ms,
            "seconds": self.seconds,
            "durationSeconds": self.seconds,
            "message": self.message,
        }


TextEvent = (
    TextTurnOpened
    | TextTurnEnded
    | ModelText
    | CallStarted
    | CallFinished
    | LateCallResult
    | ToolProgress
    | PersonMessage
    | WaitingForModel
    | RoundsUsedUp
    | ConversationError
)
VoiceEvent = (
    VoiceReady
    | VoiceTurnEnded
    | VoiceEnded
    | ServerGoingAway
    | ModelText
    | SpokenText
    | InterimText
    | PlaybackStopped
    | CallStarted
    | CallFinished
    | PersonMessage
    | WaitingForModel
    | ConversationError
    | VoiceProblem
    | MessageRefused
    | UserBlocked
)
SessionEvent = TextEvent | VoiceEvent
