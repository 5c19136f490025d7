"""Refusals: answers and audit lines of calls that do not run, or wait for a person."""

from __future__ import annotations

import asyncio
import inspect
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from antiphon.contracts import Envelope, ErrorType, ToolCall, error_body, failure, make_meta
from antiphon.orchestrator.audit import HIDDEN_TOOL, CallFacts, known_by, without_unknown
from antiphon.orchestrator.call_records import FrozenCall
from antiphon.orchestrator.context import Context
from antiphon.orchestrator.handler_run import failure_result
from antiphon.policy import Case, Verdict
from antiphon.registry.registry import Tool
from antiphon.storage import StoreError

if TYPE_CHECKING:
    from antiphon.orchestrator.session import Session

logger = logging.getLogger(__name__)

_NO_PARAMETERS: dict[str, Any] = {"additionalProperties": False}


@dataclass(slots=True)
class RefusedCall:
    """A call that was decided against, or that waits for a person, with the time and turn of the
    decision: others may have been made since."""

    session: Session
    call: ToolCall
    case: Case
    tool: Tool | None
    verdict: Verdict
    key: str
    hash: str
    source: str
    started: float
    now: float
    turn: int


def answer_closed(session: Session, call: ToolCall, *, writes: bool = False) -> Envelope:
    """The answer when the server has stopped: there is nowhere left to record a decision."""
    kind = ErrorType.OUTCOME_UNKNOWN if writes else ErrorType.UNAVAILABLE
    body = error_body(kind, "The server is stopping.", partial_side_effects=writes)
    name = call.name if type(call.name) is str else ""
    return failure(body, make_meta(name, None, session.snapshot.version, 0))


def refuse_call(refused: RefusedCall) -> Envelope:
    """Answer a call that does not run. Never stored: the next one is decided anew."""
    session, call, tool, verdict = refused.session, refused.call, refused.tool, refused.verdict
    orchestrator = session.orchestrator
    duration = round((orchestrator.monotonic() - refused.started) * 1000, 3)
    name = call.name if type(call.name) is str else ""
    definition = tool.definition if tool else None
    error = verdict.error
    assert error is not None
    orchestrator.metrics.record_refusal(error["type"], verdict.rule)
    parameters = definition.parameters if definition else _NO_PARAMETERS
    part = session.audited.part(
        definition.tool_id if definition else name[:200],
        definition,
        "tool_decision",
        verdict.outcome,
        verdict.rule,
        str(error["type"]),
        source=refused.source,
    )
    orchestrator.store.append_audit(
        CallFacts(
            session.audited,
            refused.now,
            part,
            refused.turn,
            call.id,
            refused.key,
            without_unknown(refused.case.canonical, parameters),
            definition.redact if definition else (),
            duration,
            refused.case.origins,
        )
    )
    version = definition.version if definition else None
    return failure(error, make_meta(name, version, session.snapshot.version, duration))


def note_hidden(session: Session, tool_id: str, key: str, now: float) -> None:
    """Write down for the operator that a tool was called which its caller may not use. The line is
    not the session's: there, and in every answer, it is a tool that does not exist."""
    session.orchestrator.store.append_audit(
        {
            "event": HIDDEN_TOOL,
            "at": now,
            "by": session.user,
            **known_by(session.principal),
            "toolId": tool_id,
            "details": {"session": session.id, "key": key},
        }
    )


async def request_confirmation(refused: RefusedCall) -> Envelope:
    """Ask the person, and answer that they were asked. What the handler can refuse at once nobody
    is asked about."""
    session, verdict, tool = refused.session, refused.verdict, refused.tool
    assert tool is not None
    assert verdict.args is not None
    problem = await prepare_refusal(session, tool, verdict.args, refused.key)
    if problem is not None:
        verdict.error = problem
        return refuse_call(refused)
    name = refused.case.name
    frozen = FrozenCall(refused.key, refused.hash, refused.case.canonical or b"")
    try:
        request = await session.orchestrator.confirmations.open_request(
            session,
            refused.call,
            tool,
            verdict.args,
            frozen,
            verdict.rule,
            refused.source,
            refused.case.origins,
        )
    except StoreError as error:
        logger.error("the store did not take a confirmation of %s: %s", name, error)
        verdict.error = error_body(
            ErrorType.TRANSIENT,
            f"{name} needs the user's confirmation, but they could not be asked: the store "
            "cannot be written right now. It was not run. Try again later.",
        )
        return refuse_call(refused)
    verdict.error = error_body(
        ErrorType.CONFIRMATION_REQUIRED,
        _request_words(session, request, refused.source),
        confirmation_request=request,
    )
    return refuse_call(refused)


def _request_words(session: Session, request: dict[str, Any], source: str) -> str:
    """Words for the caller on where the person answers."""
    needed = "This action needs the user's confirmation."
    if source == "rest":
        return (
            f"{needed} GET /api/confirmations?session_id={session.id} has the question with its "
            "token; POST /api/confirmations/{id} takes the answer."
        )
    if "question" in request:
        return (
            f"{needed} They have been asked on their screen. They may also say yes: ask them with "
            "the words of `question`, exactly, and say nothing after it. Their answer will be "
            "given to you."
        )
    return f"{needed} They have been asked; their answer will be given to you."


async def prepare_refusal(
    session: Session, tool: Tool, args: dict[str, Any], key: str
) -> dict[str, Any] | None:
    """The error by which the handler's `prepare` refuses a call, before a person is asked about
    it."""
    prepare, name = tool.handler.prepare, tool.definition.tool_id
    if prepare is None:
        return None
    seconds = tool.definition.timeout_ms / 1000
    try:
        prepared = prepare(args, Context(session, name, key, None))
        if inspect.isawaitable(prepared):
            async with asyncio.timeout(seconds):
                await prepared
    except TimeoutError:
        return None  # the call itself will have to say
    except Exception as error:  # noqa: BLE001 - a handler may raise anything
        body = failure_result(error, name, writes=False).error
        return None if body is None else {**body, "partialSideEffects": False}
    return None
