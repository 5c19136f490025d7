"""Messages over a person's own channel: one wire form in text and in voice."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from antiphon.contracts.metering import CapPeriod, CapScope

Scope = Literal["session", "always"]
Outcome = Literal["approved", "denied", "expired", "void"]


class ValueOrigin(TypedDict):
    """Where a value of a call comes from: `text` quotes the person's words, or names the call and
    the thing that had it. `untrusted` is text of others that the model has read."""

    kind: Literal["said", "result", "untrusted", "default", "model"]
    text: str


class PreviewField(TypedDict):
    """One value of a call, in words: `display` is one short line of it, `full` all of it. `empty`
    is one that was left out or says nothing; `new` is somewhere that the person has not named and
    nothing went to before."""

    name: str
    label: str
    value: Any
    display: str
    full: str
    empty: NotRequired[bool]
    origin: NotRequired[ValueOrigin]
    new: NotRequired[bool]


class ConfirmationRequired(TypedDict):
    """The person is asked before something happens; the token answers for them. `args` are the
    arguments for a form in which they may be changed; null where there are too many. Where
    `approvals` is 2, `approved_by` says who has said yes so far. `read_before` names the
    text of others that may have led to the call."""

    type: Literal["confirmation_required"]
    id: str
    tool: str
    title: str
    preview: str
    fields: list[PreviewField]
    complete: bool
    risk: Literal["low", "high"]
    rule: str | None
    remember: list[Scope]
    args: dict[str, Any] | None
    approvals: int
    approved_by: list[str]
    expires_at: float
    token: str
    session_id: str
    read_before: NotRequired[str]


class ConfirmationResolved(TypedDict):
    """A request is settled; `result` is the envelope of the call."""

    type: Literal["confirmation_resolved"]
    id: str
    tool: str
    outcome: Outcome
    result: dict[str, Any]
    answered_by: NotRequired[str]


class TaskMembers(TypedDict):
    """The task that a message is about."""

    task_id: str
    function: str
    fn_call_id: str | None
    turn_id: int


class TaskStarted(TaskMembers):
    """A call goes on as a durable task."""

    type: Literal["async_task_started"]
    started_at: float


class TaskProgress(TaskMembers):
    """How far a task is; a tool may add fields of its own."""

    type: Literal["async_task_progress"]
    message: NotRequired[str]
    fraction: NotRequired[float | None]


class TaskCompleted(TaskMembers):
    """A task is over; `result` is flat, with `success` beside the data."""

    type: Literal["async_task_complete"]
    status: str
    result: dict[str, Any]
    finished_at: float | None


class TimeoutMembers(TypedDict):
    """A block: until when, in milliseconds of the epoch, and how long that is. `durationSeconds`
    and `seconds` are the same. With `farewellMessage` it has just been decided."""

    timeoutUntil: int
    durationSeconds: float
    seconds: float
    message: str
    farewellMessage: NotRequired[str]


class TimeoutMessage(TimeoutMembers):
    """The person is kept out for a while."""

    type: Literal["timeout"]
    turn_id: NotRequired[int]


class VoiceSessionStart(TypedDict):
    """A tool asks the client to change to voice."""

    type: Literal["voice_session_start"]
    sessionId: str
    pendingRequest: str | None


class ImageMessage(TypedDict):
    """A picture to show."""

    type: Literal["image"]
    id: str
    url: str
    caption: str
    imageId: str | None
    mediaType: str | None
    width: int | None
    height: int | None
    alt: str | None


class StartTour(TypedDict):
    """A tool begins a guided tour of a page."""

    type: Literal["start_tour"]
    page: str
    tour: dict[str, Any]


class SpendingWarning(TypedDict):
    """A spending cap is nearly used up; `resets_at` is when it begins anew."""

    type: Literal["spending_warning"]
    scope: CapScope
    period: CapPeriod
    message: str
    resets_at: float


PersonMessageBody = (
    ConfirmationRequired
    | ConfirmationResolved
    | TaskStarted
    | TaskProgress
    | TaskCompleted
    | TimeoutMessage
    | VoiceSessionStart
    | ImageMessage
    | SpendingWarning
)
