"""Provider events: the typed messages between an agent and a model, in both directions.

Audio is PCM16 mono everywhere: 16 kHz from the person, 24 kHz from the model.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from antiphon.contracts.calls import ToolCall
from antiphon.contracts.envelope import Envelope

INPUT_RATE = 16_000
OUTPUT_RATE = 24_000

FaultKind = Literal[
    "not_configured",  # no key, or nothing chosen; the message names the variable to set
    "missing_sdk",  # the provider's package is not installed
    "auth",  # the key is refused
    "not_found",  # no such model, or a wrong base_url
    "bad_request",  # the provider refuses what it was sent
    "rate_limited",  # too many requests, or no quota left
    "overloaded",  # the provider has trouble of its own
    "unreachable",  # no connection could be made
    "timeout",  # no answer in time
    "closed",  # the connection ended before its time
    "protocol",  # what came back makes no sense
    "truncated",  # an answer that ended in the middle of a tool call
    "refused",  # the model's safety rules stopped the answer
    "spending_cap",  # it would cost money that may not be spent; nothing was sent
]
EndReason = Literal["complete", "interrupted", "max_tokens", "refused", "failed"]


# -- from the model ------------------------------------------------------------------------


@dataclass(slots=True)
class Ready:
    """The model listens. `resumed` says that it knows the conversation up to now by itself."""

    session_id: str | None = None
    resumed: bool = False


@dataclass(slots=True)
class ToolCalls:
    """Calls that the model makes, complete ones only. `args` that are no object are passed on;
    dispatch refuses them."""

    calls: tuple[ToolCall, ...]


@dataclass(slots=True)
class ToolCallsCancelled:
    """Ids of calls that the model no longer waits for; an answer to them must not be sent."""

    ids: tuple[str, ...]


@dataclass(slots=True)
class Audio:
    """A piece of the model's speech. `item` is the provider's name of the utterance, if any."""

    data: bytes = field(repr=False)
    item: str | None = None


@dataclass(slots=True)
class Text:
    """A piece of what the model writes."""

    text: str


@dataclass(slots=True)
class Transcript:
    """A piece of what was said aloud. With `final` the utterance is over; `text` may be empty.

    With `interim` it is no piece but what is understood of the utterance so far; the next such
    event, or the pieces themselves, replace it. With `replaces`, `text` stands in place of those
    words, which came before as pieces, or as the utterance that the person went on with. With
    `tentative` they may yet go on with it: an `Interrupted` that says so follows, or `Settled`.
    """

    role: Literal["user", "model"]
    text: str
    final: bool = False
    item: str | None = None
    interim: bool = False
    replaces: str = ""
    tentative: bool = False


@dataclass(slots=True)
class SpeechStarted:
    """The provider hears the person begin to speak."""

    item: str | None = None


@dataclass(slots=True)
class SpeechStopped:
    """The provider hears the person stop."""

    item: str | None = None


@dataclass(slots=True)
class Interrupted:
    """The person cut in: what was generated but not played is void. With `goes_on` they go on with
    what they said last, and all of the answer to it is void, as if it had never been said."""

    goes_on: bool = False


@dataclass(slots=True)
class Settled:
    """What the person said last is all of it: nothing that they say now belongs to it."""


@dataclass(slots=True)
class Resumption:
    """A handle with which a later connection knows this conversation; None: not possible now."""

    handle: str | None


@dataclass(slots=True)
class GoAway:
    """The provider will end this connection in so many seconds."""

    seconds: float


@dataclass(slots=True)
class Usage:
    """Tokens of one answer, as the provider counts them. Of `input_tokens` the `cached_tokens` were
    read from the provider's cache, `cache_write_tokens` put there, and `audio_input_tokens` heard
    and not from the cache; of `output_tokens` the `audio_output_tokens` were spoken."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    details: dict[str, Any] = field(default_factory=dict)
    cache_write_tokens: int = 0
    audio_input_tokens: int = 0
    audio_output_tokens: int = 0


@dataclass(slots=True)
class Grounded:
    """The answer that is under way is made of text that the provider itself has searched for; no
    call was made for it. `words` name that text for a person."""

    words: str


@dataclass(slots=True)
class TurnEnded:
    """The model is done until the person, or somebody for them, speaks again."""

    reason: EndReason = "complete"


@dataclass(slots=True)
class Fault:
    """Something went wrong: `message` is for the person, `detail` for the log.

    After a fault with `fatal` the connection is over and no event follows. Otherwise it goes on;
    the answer that was under way may be lost, which a TurnEnded then says.
    """

    kind: FaultKind
    message: str
    detail: str = ""
    fatal: bool = True
    retryable: bool = False
    retry_after: float | None = None
    code: int | None = None


Event = (
    Ready
    | ToolCalls
    | ToolCallsCancelled
    | Audio
    | Text
    | Transcript
    | SpeechStarted
    | SpeechStopped
    | Interrupted
    | Settled
    | Resumption
    | GoAway
    | Usage
    | Grounded
    | TurnEnded
    | Fault
)


# -- to the model --------------------------------------------------------------------------


@dataclass(slots=True)
class SendAudio:
    """A piece of the person's speech."""

    data: bytes = field(repr=False)


@dataclass(slots=True)
class AudioEnded:
    """The microphone is off: what was said so far is all there is."""


@dataclass(slots=True)
class Activity:
    """The person holds (or lets go of) the talk button. For setups with `manual_activity`."""

    active: bool


@dataclass(slots=True)
class Prompt:
    """Text for the model. With `answer` it replies at once, else it only takes note. Without
    `speech` the reply need not be spoken: it is for somebody who reads. With `instead` it stands in
    place of the last text that was to be answered, and all that came of that never was: for
    connections that keep the history themselves."""

    text: str
    answer: bool = True
    speech: bool = True
    instead: bool = False


@dataclass(slots=True)
class CallAnswer:
    """The whole envelope of one call. The model goes on when every call it made is answered."""

    id: str | None
    name: str
    envelope: Envelope


@dataclass(slots=True)
class Interrupt:
    """The person cut in here, on our side; of utterance `item` they have heard `played_ms`."""

    played_ms: int | None = None
    item: str | None = None


Input = SendAudio | AudioEnded | Activity | Prompt | CallAnswer | Interrupt


# -- what was said so far ------------------------------------------------------------------


# The first words of a turn that counts as the person's and is none of theirs.
SYSTEM_NOTE = "(A note from the system, not from the person: "


@dataclass(slots=True)
class UserTurn:
    """A message of the person. `typed`: written into a conversation that is held by voice;
    `relayed`: told by somebody else, such as a model that hands over: the words may be its own."""

    text: str
    typed: bool = False
    relayed: bool = False

    def to_dict(self) -> dict[str, Any]:
        body: dict[str, Any] = {"role": "user", "text": self.text}
        for flag in ("typed", "relayed"):
            if getattr(self, flag):
                body[flag] = True
        return body


@dataclass(slots=True)
class ModelTurn:
    """`native` is the provider's own form, which it wants back unchanged (signatures of thoughts
    and the like); `api` names who can read it.

    `text` is all that the person was shown. `heard` is how many characters of it were heard where
    its speech was stopped, None where nothing was left out; `interrupted` says that the person cut
    in before it was complete. `typed`: in a conversation by voice, it was not spoken.
    """

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    native: Any = None
    api: str | None = None
    heard: int | None = None
    interrupted: bool = False
    typed: bool = False

    @property
    def heard_text(self) -> str:
        """Return the text as far as it was heard: all that a model may take for said."""
        if self.heard is None:
            return self.text
        return f"{self.text[: self.heard].rstrip()} …" if self.heard else ""

    def to_dict(self) -> dict[str, Any]:
        calls = [{"id": c.id, "name": c.name, "args": c.args} for c in self.calls]
        body: dict[str, Any] = {"role": "model", "text": self.text, "calls": calls}
        if self.native is not None:
            body |= {"native": self.native, "api": self.api}
        if self.heard is not None:
            body["heard"] = self.heard
        for flag in ("interrupted", "typed"):
            if getattr(self, flag):
                body[flag] = True
        return body


@dataclass(slots=True)
class AnswersTurn:
    """The answers to every call of the model's turn before it."""

    answers: tuple[CallAnswer, ...]

    def to_dict(self) -> dict[str, Any]:
        answers = [{"id": a.id, "name": a.name, "envelope": a.envelope} for a in self.answers]
        return {"role": "tools", "answers": answers}


HistoryTurn = UserTurn | ModelTurn | AnswersTurn


def turn_from_dict(body: dict[str, Any]) -> HistoryTurn:
    """Return the turn that `to_dict` wrote. Raises ValueError or KeyError for anything else."""
    match body["role"]:
        case "user":
            return UserTurn(body["text"], body.get("typed", False), body.get("relayed", False))
        case "model":
            calls = tuple(ToolCall(c["id"], c["name"], c["args"]) for c in body["calls"])
            return ModelTurn(
                body["text"],
                calls,
                body.get("native"),
                body.get("api"),
                body.get("heard"),
                body.get("interrupted", False),
                body.get("typed", False),
            )
        case "tools":
            answers = (CallAnswer(a["id"], a["name"], a["envelope"]) for a in body["answers"])
            return AnswersTurn(tuple(answers))
    raise ValueError(f"a turn of {body['role']!r} is not known; there are user, model and tools")
