"""The bridge: calls of another framework's agent through the gates of one session."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import orjson

from antiphon.agents.notes import message_note, results_note
from antiphon.contracts import Envelope, ErrorType, ToolCall
from antiphon.orchestrator.call_identity import canonical_args
from antiphon.orchestrator.session import Session
from antiphon.policy import Case, decide

_T = TypeVar("_T")

# Far more than a session may have open; calls that are never answered must not pile up.
MAX_KEPT = 64
_UNDER_WAY = (ErrorType.CONFIRMATION_REQUIRED, ErrorType.IN_PROGRESS)


@dataclass(frozen=True, slots=True)
class BridgedTool:
    """What a framework has to know of a tool: its name, description and JSON schema."""

    name: str
    description: str
    parameters: dict[str, Any]


class SessionBridge:
    """The tools of one open session, for the agent of another framework.

    A framework that pauses for approvals brings the person's answer later: the bridge keeps which
    calls wait, by the framework's ids, and gives the answer to the gate that asked. With
    `pauses=False` the framework knows no such pause: the person answers on the session's own
    channel, and the outcome is a late result.
    """

    def __init__(self, session: Session, *, pauses: bool = True) -> None:
        self.session = session
        self._pauses = pauses
        # The declarations of a session stay the same until it ends.
        self.tools = tuple(
            BridgedTool(each["name"], each["description"], each["inputSchema"])
            for each in session.declarations().declared("mcp")
        )
        self._waiting: dict[str, _WaitingCall] = {}
        # Outcomes that no record of the session has: of calls that did not run after all, and of
        # calls that shared the question of another one.
        self._settled: dict[str, tuple[_WaitingCall, Envelope]] = {}

    # -- calls -----------------------------------------------------------------------------------

    async def call(
        self, name: str, args: Any, call_id: str | None, *, approved: bool = False
    ) -> Envelope:
        """Run one call through every gate. The framework's id makes a repeated call the same call:
        one that ran is replayed, one that was denied stays so.

        With `approved`, the framework says that a person has approved this call: if a gate has
        asked about it before, that is the answer. An approval that nobody was asked for counts
        for nothing.
        """
        waiting = None if call_id is None else self._waiting.get(call_id)
        if approved and waiting is not None and waiting.is_for(name, args):
            return await self.answer(waiting.call_id, approve=True)
        settled = None if call_id is None else self._settled.get(call_id)
        if settled is not None and settled[0].is_for(name, args):
            return settled[1]
        asked_before = {each["id"] for each in self._requests()}
        envelope = await self.session.dispatch(ToolCall(call_id, name, args))
        request = confirmation_of(envelope)
        if request is None or call_id is None or not self._pauses:
            return envelope
        _keep(self._waiting, call_id, _WaitingCall(call_id, name, args, request))
        if approved and request["id"] in asked_before:
            return await self.answer(call_id, approve=True)
        return envelope

    async def needs_person(self, name: str, args: Any, call_id: str) -> bool:
        """Ask the person about a call if a gate wants that; return whether they have been asked.

        Nothing runs and nothing is counted for a call that needs nobody.
        """
        if call_id in self._waiting:
            return True
        session = self.session
        call = ToolCall(call_id, name, args)
        session.view.now = session.orchestrator.now()
        case = Case(call, canonical_args(call), None, None, False)
        tool = session.snapshot.tools.get(name)
        if tool is None or decide(case, tool, session.view).outcome != "confirm":
            return False
        # One that was made before is not asked about: its answer is in the record.
        return confirmation_of(await self.call(name, args, call_id)) is not None

    # -- what waits for a person -------------------------------------------------------------------

    def waiting(self) -> dict[str, str]:
        """The calls that wait for a person: the tool of each, by the framework's id of the call."""
        return {call_id: waiting.name for call_id, waiting in self._waiting.items()}

    def request(self, call_id: str | None) -> dict[str, Any] | None:
        """What the person is asked about a call, for whoever shows it to them: the tool's title,
        the preview and every argument in words. None if the call waits for nobody."""
        waiting = None if call_id is None else self._waiting.get(call_id)
        if waiting is None:
            return None
        found = (each for each in self._requests() if each["id"] == waiting.request["id"])
        shown = next(found, waiting.request)
        return {name: each for name, each in shown.items() if name != "token"}

    async def answer(self, call_id: str, *, approve: bool) -> Envelope:
        """Approve or deny a waiting call with the person's answer, and return its outcome: what
        the framework gives its model, so that it is not told again as a late result."""
        waiting = self._waiting[call_id]
        asked = waiting.request["id"]
        token = next((each["token"] for each in self._requests() if each["id"] == asked), None)
        try:
            if token is not None:
                answered = await self.session.answer_confirmation(asked, token, approve)
                if answered.accepted:
                    self._mark_delivered(lambda _, envelope: envelope is answered.envelope)
                    self._settle(waiting, approve, answered.envelope)
                    return answered.envelope
            if call_id in self._settled:
                return self._settled[call_id][1]
            # Answered on another channel, or expired: the outcome is among the late results,
            # unless the model has it; then the call is a repeated one.
            found = self._mark_delivered(lambda call, _: call.id == call_id)
        finally:
            # Not before: until it is delivered here, the outcome is nobody else's to tell.
            self._waiting.pop(call_id, None)
        if found is not None:
            return found
        return await self.session.dispatch(ToolCall(call_id, waiting.name, waiting.args))

    def _settle(self, answered: _WaitingCall, approve: bool, envelope: Envelope) -> None:
        """Keep an outcome for the calls that waited for the same answer. The record of a call that
        was approved has it for that call itself."""
        for each in self._waiting.values():
            shares = each.request["id"] == answered.request["id"]
            if shares and not (approve and each is answered):
                _keep(self._settled, each.call_id, (each, envelope))

    def release(self, call_id: str) -> None:
        """Leave a waiting call to the session's own channel: its outcome is a late result."""
        self._waiting.pop(call_id, None)

    def _requests(self) -> list[dict[str, Any]]:
        return self.session.orchestrator.confirmations.waiting(self.session)

    def _mark_delivered(self, fits: Callable[[ToolCall, Envelope], bool]) -> Envelope | None:
        for call, envelope, _ in tuple(self.session.late):
            if fits(call, envelope):
                self.session.mark_delivered(call)
                return envelope
        return None

    # -- turns -------------------------------------------------------------------------------------

    def end_turn(self) -> None:
        """End the session's turn: budgets and loops start anew."""
        self.session.end_turn()

    def note(self) -> str:
        """A note to the model with the outcomes of earlier calls that came after their answers,
        and with a message that a tool has left; empty if there is none. Each is told once."""
        session = self.session
        late = [entry for entry in session.late if entry[0].id not in self._waiting]
        for call, _, _ in late:
            session.mark_delivered(call)
        message = session.take_pending_message()
        parts = [results_note((call, envelope) for call, envelope, _ in late)] if late else []
        if message:
            parts.append(message_note(message))
        return "\n\n".join(parts)


@dataclass(frozen=True, slots=True)
class _WaitingCall:
    """A call that waits for a person, and the gate's request about it."""

    call_id: str
    name: str
    args: Any
    request: Mapping[str, Any]

    def is_for(self, name: str, args: Any) -> bool:
        return self.name == name and self.args == args


def _keep(kept: dict[str, _T], call_id: str, value: _T) -> None:
    kept[call_id] = value
    if len(kept) > MAX_KEPT:
        del kept[next(iter(kept))]


def confirmation_of(envelope: Envelope) -> dict[str, Any] | None:
    """The request to a person in the answer to a call that waits for one; None for all others."""
    error = envelope.get("error")
    if error is None or error["type"] != ErrorType.CONFIRMATION_REQUIRED:
        return None
    request: dict[str, Any] = error["confirmation_request"]
    return request


def has_failed(envelope: Envelope) -> bool:
    """Whether a call was refused or failed. One that waits for a person or still runs has not."""
    return not envelope["ok"] and envelope["error"]["type"] not in _UNDER_WAY


def envelope_text(envelope: Envelope) -> str:
    """An envelope as JSON, for models that take text."""
    return orjson.dumps(envelope).decode()
