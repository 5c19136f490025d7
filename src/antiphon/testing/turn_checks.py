"""Assertions on one turn of a conversation: what was called, refused, asked and said."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from antiphon.contracts import Envelope
from antiphon.contracts.session_events import (
    CallFinished,
    CallStarted,
    ConversationError,
    LateCallResult,
    ModelText,
    RoundsUsedUp,
    TextEvent,
    TextTurnEnded,
)

_LONGEST = 300


@dataclass(slots=True)
class CheckedCall:
    """One call of a turn: what the model asked for, what the rules decided (`outcome`, `rule`) and
    what came of it. `late`: the call is of an earlier turn, and its result came in this one."""

    id: str | None
    name: str
    args: Any
    outcome: str
    rule: str
    envelope: Envelope | None = None
    late: bool = False

    @property
    def ran(self) -> bool:
        """Whether the tool ran, or its stored answer was given, and succeeded."""
        return self.outcome not in ("refuse", "confirm") and bool((self.envelope or {}).get("ok"))

    @property
    def error(self) -> str | None:
        """The type of its error; None for a success."""
        error = (self.envelope or {}).get("error")
        return None if error is None else str(error["type"])


@dataclass(slots=True)
class TurnRecord:
    """The events of one turn in order: calls and pieces of text."""

    said: str | None
    entries: list[CheckedCall | str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    finish: str = "failed"

    def add(self, event: TextEvent, earlier: Mapping[str, Any]) -> None:
        """Add an event. `earlier` has the arguments of calls of earlier turns by their id."""
        match event:
            case ModelText(text):
                if self.entries and isinstance(self.entries[-1], str):
                    self.entries[-1] += text
                else:
                    self.entries.append(text)
            case CallStarted(id_, name, args, decision):
                outcome, rule = (
                    ("run", "") if decision is None else (decision.outcome, decision.rule)
                )
                self.entries.append(CheckedCall(id_, name, args, outcome, rule))
            case CallFinished(id_, name, envelope):
                self._finish(id_, name, envelope)
            case LateCallResult(id_, name, envelope):
                args = earlier.get(id_ or "", {})
                self.entries.append(CheckedCall(id_, name, args, "run", "", envelope, late=True))
            case ConversationError():
                self.problems.append(f"{event.kind}: {event.message}")
            case RoundsUsedUp(message):
                self.problems.append(message)
            case TextTurnEnded():
                self.finish = event.finish
            case _:
                pass  # waiting, progress and messages to the person are no part of the checks

    def _finish(self, id: str | None, name: str, envelope: Envelope) -> None:
        for entry in self.entries:
            if not isinstance(entry, CheckedCall) or (entry.id, entry.name) != (id, name):
                continue
            if entry.envelope is None:
                entry.envelope = envelope
                return

    @property
    def calls(self) -> list[CheckedCall]:
        """The calls of the turn, in order."""
        return [entry for entry in self.entries if isinstance(entry, CheckedCall)]

    def describe(self) -> str:
        """Return the whole turn in words, one line for each event."""
        lines = [
            "  (goes on after an answer to a confirmation)"
            if self.said is None
            else f"  person: {self.said}"
        ]
        for entry in self.entries:
            if isinstance(entry, str):
                lines.append(f"  model:  {entry.strip()}")
            else:
                lines.append(f"  call:   {_described_call(entry)}")
        lines += [f"  error:  {problem}" for problem in self.problems]
        return "\n".join(lines)


Answering = Callable[[str, bool], Awaitable["CheckedTurn"]]


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A call that waits for the person's yes or no."""

    preview: str
    _id: str
    _answer: Answering

    async def approve(self) -> CheckedTurn:
        """Approve the call as the person would; return the turn in which the model is told."""
        return await self._answer(self._id, True)

    async def deny(self) -> CheckedTurn:
        """Deny the call as the person would; return the turn in which the model is told."""
        return await self._answer(self._id, False)


@dataclass(frozen=True)
class CheckedTurn:
    """One turn, to be checked. Each check returns the turn from the place on where it held, so that
    a chain reads in order, and raises AssertionError with the whole turn where it does not hold.

    Arguments need not be complete: `called("weather", city="Oslo")` holds for a call with that city
    and whatever else.
    """

    _record: TurnRecord
    _answer: Answering
    _from: int = 0

    @property
    def text(self) -> str:
        """All that the model said in this turn."""
        return "".join(entry for entry in self._record.entries if isinstance(entry, str))

    @property
    def calls(self) -> list[CheckedCall]:
        """The calls of the turn, in order."""
        return self._record.calls

    def called(self, name: str, /, **args: Any) -> CheckedTurn:
        """Check that the tool was called with these arguments and succeeded."""
        __tracebackhide__ = True
        return self._after(self._find("a successful call", name, args, lambda call: call.ran))

    def failed(self, name: str, /, error: str | None = None, **args: Any) -> CheckedTurn:
        """Check that the tool ran with these arguments and gave an error, of type `error` if that
        is named."""
        __tracebackhide__ = True

        def fits(call: CheckedCall) -> bool:
            ran = call.outcome not in ("refuse", "confirm")
            return ran and call.error is not None and error in (None, call.error)

        return self._after(self._find(f"a failed call ({error or 'any error'})", name, args, fits))

    def refused(self, name: str, /, rule: str | None = None, **args: Any) -> CheckedTurn:
        """Check that a call was refused and did not run, by `rule` if that is named."""
        __tracebackhide__ = True

        def fits(call: CheckedCall) -> bool:
            return call.outcome == "refuse" and rule in (None, call.rule)

        return self._after(self._find(f"a call refused by {rule or 'a rule'}", name, args, fits))

    def asked_to_confirm(self, name: str, /, **args: Any) -> OpenQuestion:
        """Check that the person is asked before the call runs; return the question, to be answered
        with `await ....approve()` or `.deny()`."""
        __tracebackhide__ = True

        def fits(call: CheckedCall) -> bool:
            return call.error == "CONFIRMATION_REQUIRED"

        at = self._find("a call that waits for a confirmation", name, args, fits)
        found = self._record.entries[at]
        assert isinstance(found, CheckedCall)
        assert found.envelope is not None
        request = found.envelope["error"]["confirmation_request"]
        return OpenQuestion(request["preview"], request["id"], self._answer)

    def called_nothing(self) -> CheckedTurn:
        """Check that the model asked for no call."""
        __tracebackhide__ = True
        if any(not call.late for call in self.calls):
            raise self._error("no call")
        return self

    def then_said(self, words: str | re.Pattern[str]) -> CheckedTurn:
        """Check that the model then said these words, in any case, or something that the pattern
        matches."""
        __tracebackhide__ = True
        for at in range(self._from, len(self._record.entries)):
            entry = self._record.entries[at]
            if isinstance(entry, str) and _says(entry, words):
                return self._after(at)
        raise self._error(f"the model to say {getattr(words, 'pattern', words)!r}", self._from > 0)

    def said(self, words: str | re.Pattern[str]) -> CheckedTurn:
        """Check that the model said these words anywhere in the turn."""
        __tracebackhide__ = True
        if not _says(self.text, words):
            raise self._error(f"the model to say {getattr(words, 'pattern', words)!r}")
        return self

    def __str__(self) -> str:
        return self._record.describe()

    # -- inside ----------------------------------------------------------------------------------

    def _find(
        self, kind: str, name: str, args: dict[str, Any], fits: Callable[[CheckedCall], bool]
    ) -> int:
        __tracebackhide__ = True
        for at in range(self._from, len(self._record.entries)):
            entry = self._record.entries[at]
            if (
                isinstance(entry, CheckedCall)
                and entry.name == name
                and _covers(entry.args, args)
                and fits(entry)
            ):
                return at
        raise self._error(f"{kind}: {name}({_listed(args)})", self._from > 0)

    def _after(self, at: int) -> CheckedTurn:
        return replace(self, _from=at + 1)

    def _error(self, expected: str, later: bool = False) -> AssertionError:
        where = ", after what was checked before it" if later else ""
        return AssertionError(f"Expected {expected}{where}. This was the turn:\n{self}")


def _covers(args: Any, wanted: dict[str, Any]) -> bool:
    if not isinstance(args, Mapping):
        return not wanted
    return all(name in args and args[name] == value for name, value in wanted.items())


def _says(text: str, words: str | re.Pattern[str]) -> bool:
    if isinstance(words, str):
        return words.casefold() in text.casefold()
    return words.search(text) is not None


def _listed(args: Any) -> str:
    if not isinstance(args, Mapping):
        return repr(args)
    return ", ".join(f"{name}={value!r}" for name, value in args.items())


def _described_call(call: CheckedCall) -> str:
    head = f"{call.name}({_listed(call.args)})"
    envelope = call.envelope
    if envelope is None:
        return f"{head} -> no answer"
    how = " (of an earlier turn)" if call.late else ""
    if envelope["ok"]:
        return f"{head}{how} -> ok {_cut(repr(envelope['data']))}"
    error = envelope["error"]
    by = f" by the rule {call.rule}" if call.outcome in ("refuse", "confirm") else ""
    return f"{head}{how} -> {error['type']}{by}: {_cut(str(error['message']))}"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
