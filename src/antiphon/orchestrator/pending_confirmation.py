"""Pending confirmation: one frozen call that waits for a person, its preview and its outcome."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson

from antiphon.contracts import (
    Envelope,
    ErrorType,
    ToolDefinition,
    ToolError,
    error_body,
    failure,
    make_meta,
)
from antiphon.contracts.person_messages import ValueOrigin
from antiphon.orchestrator.call_records import FrozenCall
from antiphon.orchestrator.context import Context
from antiphon.orchestrator.preview.render import Preview, render_preview
from antiphon.orchestrator.value_sources import UNKNOWN, by_argument
from antiphon.policy import CallOrigins
from antiphon.policy.provenance_rules import ONE_CALL_RULES
from antiphon.registry.registry import Tool
from antiphon.storage import ConfirmationRow, StoreError

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
    origins: Mapping[str, ValueOrigin] = field(default_factory=dict)  # of its values, by name
    read: str = ""  # the text of others that was read before, in words
    new: frozenset[str] = frozenset()  # arguments that go to where nothing went before
    prompted: bool = False  # it was asked, and heard to its end, just now
    timer: asyncio.TimerHandle | None = None

    def __post_init__(self) -> None:
        deliberate = self.row.risk != "low" or self.rule in ONE_CALL_RULES
        if deliberate or self.tool.definition.approvals > 1:
            self.question = None

    def take_origins(self, found: CallOrigins) -> None:
        """Take where its values come from, as the rules saw it."""
        self.origins = by_argument(found.values)
        self.read = found.read
        self.new = frozenset(by_argument(dict.fromkeys(found.new, UNKNOWN)))

    @property
    def approvers(self) -> list[str]:
        """Who has said yes so far, where more than one person has to."""
        found: list[str] = orjson.loads(self.row.approvers)
        return found

    def apply(self, row: ConfirmationRow) -> None:
        """Go on with the arguments, approvers and changes of a row that is stored."""
        self.row = row
        self.args = orjson.loads(row.args)
        self.frozen = self.frozen._replace(changes=orjson.loads(row.changes) or None)


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
        except ToolError as error:
            # Arguments that the tool will refuse: the person is shown them as they are.
            logger.info("%s has no words for its preview: %s", definition.tool_id, error)
        except Exception as error:
            # The same; the call itself will have to say.
            logger.error("%s has no words for its preview", definition.tool_id, exc_info=error)
    return render_preview(definition, args, zone=session.zone, words=words, redact=redact)


def awaits_second(session: Session, pending: PendingConfirmation) -> Envelope:
    """What an approval is answered with when another person has to approve the call, too."""
    definition = pending.tool.definition
    said = " and ".join(pending.approvers)
    body = error_body(
        ErrorType.CONFIRMATION_REQUIRED,
        f"{said} approved {definition.tool_id}. A second person has to approve it, too.",
        approved_by=pending.approvers,
        approvals=definition.approvals,
    )
    return failure(
        body, make_meta(definition.tool_id, definition.version, session.snapshot.version, 0)
    )


def answered_already(session: Session) -> AnswerOutcome:
    """The refusal of an answer that comes too late."""
    words = "This request has been answered or changed already."
    return not_accepted(session, ErrorType.CONFLICT, words)


def not_written(session: Session, error: StoreError) -> AnswerOutcome:
    """The refusal of an answer that the store did not take."""
    logger.error("the answer to a confirmation was not taken by the store: %s", error)
    words = "The answer could not be written down. Try again."
    return not_accepted(session, ErrorType.TRANSIENT, words)


def not_accepted(session: Session, type: ErrorType, message: str) -> AnswerOutcome:
    """The refusal of an answer, in words."""
    return not_accepted_for(session, error_body(type, message))


def not_accepted_for(session: Session, error: dict[str, Any]) -> AnswerOutcome:
    """The refusal of an answer, with the error that says why."""
    meta = make_meta("confirmation", None, session.snapshot.version, 0)
    return AnswerOutcome(False, failure(error, meta))
