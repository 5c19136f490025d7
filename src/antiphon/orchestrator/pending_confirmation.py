"""Pending confirmation: one frozen call that waits for a person, its preview and its outcome."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from antiphon.contracts import (
    Envelope,
    ErrorType,
    ToolDefinition,
    error_body,
    failure,
    make_meta,
)
from antiphon.orchestrator.call_records import FrozenCall
from antiphon.orchestrator.context import Context
from antiphon.orchestrator.preview.render import Preview, render_preview
from antiphon.registry.registry import Tool
from antiphon.storage import ConfirmationRow

if TYPE_CHECKING:
    from antiphon.orchestrator.session import Session

logger = logging.getLogger(__name__)

_REFUSALS = {
    "denied": (ErrorType.CANCELLED, "The user did not approve {tool}. Do not try it again."),
    "expired": (ErrorType.CANCELLED, "The user did not answer in time; {tool} was not run."),
    "void": (
        ErrorType.UNAVAILABLE,
        "{tool} was not run: since the user was asked, the tools have changed or the session has "
        "ended. Ask anew.",
    ),
}


@dataclass(slots=True, eq=False)
class PendingConfirmation:
    """A confirmation that waits for its answer. The arguments are those that were validated."""

    row: ConfirmationRow
    tool: Tool
    args: dict[str, Any]
    call_id: str | None
    frozen: FrozenCall
    question: str | None  # with which it may be asked aloud; None: approved on the screen alone
    rule: str  # that wants the person asked
    prompted: bool = False  # it was asked, and heard to its end, just now
    timer: asyncio.TimerHandle | None = None

    def __post_init__(self) -> None:
        if self.row.risk != "low":
            self.question = None


@dataclass(frozen=True, slots=True)
class AnswerOutcome:
    """What came of a person's answer. `envelope` is the outcome of the call, as the model gets it,
    or the reason why the answer was not accepted."""

    accepted: bool
    envelope: Envelope


def denied_envelope(session: Session, definition: ToolDefinition, status: str) -> Envelope:
    """The outcome of a call that was not approved; `status` is one of denied, expired, void."""
    kind, words = _REFUSALS[status]
    body = error_body(kind, words.format(tool=definition.tool_id), outcome=status)
    meta = make_meta(definition.tool_id, definition.version, session.snapshot.version, 0)
    return failure(body, meta)


def preview_call(
    session: Session, tool: Tool, args: dict[str, Any], *, redact: bool = True
) -> Preview:
    """The preview of a call, with the words of the tool itself where it has some."""
    words: dict[str, str] = {}
    definition = tool.definition
    if tool.handler.preview is not None:
        context = Context(session, definition.tool_id, "", None)
        try:
            words = dict(tool.handler.preview(args, context))
        except Exception as error:
            # The person is shown the arguments as they are; the call itself will have to say.
            logger.error("%s has no words for its preview", definition.tool_id, exc_info=error)
    return render_preview(definition, args, zone=session.zone, words=words, redact=redact)


def asking_rule(session: Session, tool: Tool) -> str:
    """The built-in rule by which calls of a tool are asked about; which one asked before a restart
    is not kept."""
    policy, name = session.view.policy, tool.definition.tool_id
    asked_first = tool.definition.requires_confirmation or name in policy.ask_first
    untrusted = not asked_first and name in policy.ask_after_reading
    return "confirmation.untrusted" if untrusted else "confirmation"
