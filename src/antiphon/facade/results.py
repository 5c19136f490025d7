"""Run results: what the model said, the calls that it made, what they cost, what still waits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from antiphon.contracts import Envelope
from antiphon.contracts.events import Usage
from antiphon.contracts.session_events import (
    CallFinished,
    CallStarted,
    ConversationError,
    LateCallResult,
    TextEvent,
    TextTurnEnded,
    TextTurnOpened,
)


@dataclass(frozen=True, slots=True)
class RunCall:
    """One call of a tool. `envelope` is its answer; `args` are without fields that the tool
    redacts. `rule` names the rule that decided, `outcome` what it decided: run, refuse, confirm,
    replay."""

    name: str
    args: Mapping[str, Any]
    envelope: Envelope
    id: str | None = None
    outcome: str = "run"
    rule: str = ""

    @property
    def ok(self) -> bool:
        """Whether the call was run and succeeded."""
        return bool(self.envelope["ok"])

    @property
    def data(self) -> Any:
        """The data that the tool returned; None for a call that failed or was refused."""
        return self.envelope["data"] if self.ok else None

    @property
    def error(self) -> Mapping[str, Any] | None:
        """The error with `type` and `message`; None for a call that succeeded."""
        return None if self.ok else self.envelope["error"]


@dataclass(frozen=True, slots=True)
class ConfirmationQuestion:
    """A call that waits until a person approves it. `preview` says in words what it would do, and
    `fields` has each value with its label."""

    id: str
    tool: str
    title: str
    preview: str
    risk: Literal["low", "high"]
    session_id: str
    expires_at: float
    fields: tuple[Mapping[str, Any], ...] = ()

    @classmethod
    def from_request(cls, request: Mapping[str, Any]) -> ConfirmationQuestion:
        """Make the question of a request, without the token that answers it."""
        return cls(
            request["id"],
            request["tool"],
            request["title"],
            request["preview"],
            request["risk"],
            request["session_id"],
            request["expires_at"],
            tuple(request["fields"]),
        )


@dataclass(frozen=True, slots=True)
class RunResult:
    """The outcome of a run. `confirmations` are the calls that wait for `app.confirm`; `finish` is
    "complete" unless the answer was cut short."""

    text: str
    calls: tuple[RunCall, ...]
    usage: Usage
    session_id: str
    finish: str = "complete"
    confirmations: tuple[ConfirmationQuestion, ...] = ()

    def __str__(self) -> str:
        return self.text


class RunError(Exception):
    """A run that could not begin or had no answer. The message says what is wrong and what to do;
    `kind` is one word for it, and `retryable` says whether to try again later helps."""

    def __init__(
        self,
        kind: str,
        message: str,
        *,
        retryable: bool = False,
        retry_after: float | None = None,
        result: RunResult | None = None,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.retryable = retryable
        self.retry_after = retry_after
        self.result = result


@dataclass(slots=True)
class RunGatherer:
    """The events of a run, gathered into its result."""

    session_id: str = ""
    finish: str = "failed"
    _said: list[str] = field(default_factory=list)
    _calls: list[RunCall] = field(default_factory=list)
    _open: dict[str | None, CallStarted] = field(default_factory=dict)
    _usage: Usage = field(default_factory=Usage)
    _error: ConversationError | None = None

    def add(self, event: TextEvent) -> None:
        """Take one event; those that say nothing about the result are passed over."""
        match event:
            case TextTurnOpened():
                self.session_id = event.session_id
            case CallStarted():
                self._open[event.id] = event
            case CallFinished():
                self._finished(event)
            case LateCallResult():
                self._late(event)
            case ConversationError():
                self._error = event
            case TextTurnEnded():
                self._ended(event)

    def _finished(self, event: CallFinished) -> None:
        started = self._open.pop(event.id, None)
        args = started.args if started is not None and isinstance(started.args, Mapping) else {}
        decision = started.decision if started is not None else None
        outcome, rule = (decision.outcome, decision.rule) if decision is not None else ("run", "")
        self._calls.append(RunCall(event.name, args, event.envelope, event.id, outcome, rule))

    def _late(self, event: LateCallResult) -> None:
        """Put the outcome of a call in the place of its first answer, where that was in this run;
        it may have been in an earlier one."""
        for place, call in enumerate(self._calls):
            if call.name == event.name and call.id == event.id:
                self._calls[place] = replace(call, envelope=event.envelope)
                return
        self._calls.append(RunCall(event.name, {}, event.envelope, event.id))

    def _ended(self, event: TextTurnEnded) -> None:
        self.finish = event.finish
        if event.message:
            self._said.append(event.message)
        usage, more = self._usage, event.usage
        usage.input_tokens += more.input_tokens
        usage.output_tokens += more.output_tokens
        usage.cached_tokens += more.cached_tokens

    def result(self, confirmations: tuple[ConfirmationQuestion, ...] = ()) -> RunResult:
        """Return the result. Raises RunError when the model gave no answer."""
        text = "\n\n".join(self._said)
        made = RunResult(
            text, tuple(self._calls), self._usage, self.session_id, self.finish, confirmations
        )
        if self.finish != "failed":
            return made
        error = self._error or ConversationError("failed", "The model gave no answer.")
        raise RunError(
            error.kind,
            error.message,
            retryable=error.retryable,
            retry_after=error.retry_after,
            result=made,
        )
