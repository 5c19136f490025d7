"""Direct call: one call of a tool by the program itself, through every rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from antiphon.contracts import ToolCall
from antiphon.facade.confirmation_answers import ConfirmationAnswers
from antiphon.facade.results import RunCall

if TYPE_CHECKING:
    from antiphon.orchestrator import Session
    from antiphon.policy import Verdict

SOURCE = "program"


async def call_tool(
    session: Session,
    name: str,
    args: Mapping[str, Any],
    key: str | None,
    answers: ConfirmationAnswers,
) -> RunCall:
    """Call a tool as a turn of its own, and ask the program where a person has to approve."""
    call = ToolCall(None, name, dict(args), key or uuid4().hex)
    decided: list[Verdict] = []

    def note(made: ToolCall, verdict: Verdict) -> None:
        if made is call:
            decided.append(verdict)

    unsubscribe = session.decision_listeners.subscribe(note)
    try:
        envelope = await session.dispatch(call, source=SOURCE)
    finally:
        unsubscribe()
    request = None if envelope["ok"] else envelope["error"].get("confirmation_request")
    if request is not None:
        envelope = await answers.ask_about(session, request["id"]) or envelope
    session.end_turn()
    outcome, rule = (decided[0].outcome, decided[0].rule) if decided else ("refuse", "closed")
    return RunCall(name, call.args or {}, envelope, None, outcome, rule)
