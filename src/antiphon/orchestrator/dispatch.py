"""Dispatch: the one path of every tool call, from decision to envelope."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

import orjson

from antiphon.contracts import Envelope, ErrorType, ToolCall, error_body, failure, make_meta
from antiphon.orchestrator.audit import without_unknown
from antiphon.orchestrator.call_records import CallRecord, FrozenCall, digest
from antiphon.orchestrator.context import Context, Frame
from antiphon.orchestrator.execution import Execution
from antiphon.orchestrator.handler_run import failure_result
from antiphon.orchestrator.writes import Write
from antiphon.policy import Case, EarlierCall, Nesting, PolicyView, Verdict, decide
from antiphon.policy.view import FoundBy
from antiphon.registry.registry import Tool
from antiphon.storage import StoreError

if TYPE_CHECKING:
    from antiphon.orchestrator.session import Session

logger = logging.getLogger(__name__)

_NO_PARAMETERS: dict[str, Any] = {"additionalProperties": False}

STABLE_ID_LENGTH = 8


def dispatch(
    session: Session,
    call: ToolCall,
    source: str = "agent",
    *,
    frame: Frame | None = None,
    approved: FrozenCall | None = None,
) -> Coroutine[Any, Any, Envelope]:
    """Answer one call. `frame` is set for calls made by calls, `approved` for a call that a
    person has confirmed."""
    work = _dispatch(session, call, source, frame, approved)
    tracing = session.orchestrator.tracing
    return work if tracing is None else tracing.around(session, call, source, work)


async def _dispatch(
    session: Session, call: ToolCall, source: str, frame: Frame | None, approved: FrozenCall | None
) -> Envelope:
    orchestrator = session.orchestrator
    if orchestrator.closed:
        return _closed(session, call)
    started = orchestrator.monotonic()
    view = session.view
    view.now = orchestrator.now()
    name = call.name
    canonical: bytes | None
    if approved is not None:
        canonical = approved.canonical
    else:
        try:
            canonical = orjson.dumps(call.args, option=orjson.OPT_SORT_KEYS)
        except (TypeError, ValueError):  # something in it is no JSON
            canonical = None
    tool = session.snapshot.tools.get(name) if type(name) is str else None
    # A tool that another one may call has been let through, once a person has approved it.
    own = frame is None and approved is None
    if own and session.toolset is not None and name not in session.toolset:
        tool = None
    key, hashed, found_by = _identity(session, call, canonical, tool, frame, approved)
    record = session.recent.get(key)
    if record is None and hashed and session.by_hash:
        record, found_by = session.by_hash.get(hashed), "hash"
    if record is None and session.undelivered and tool is not None and hashed:
        record, found_by = _undelivered(session, call, canonical, approved), "key"
    earlier = (
        None
        if record is None
        else EarlierCall(record.state, found_by, record.same(name, canonical))
    )
    nested = None if frame is None else Nesting(frame[0], frame[1], frame[2][0])
    case = Case(call, canonical, earlier, nested, approved is not None)
    verdict: Verdict | None = None
    if orchestrator.registry_snapshot() is not session.snapshot:
        verdict = orchestrator.version_mismatch(session)
    if verdict is None:
        verdict = decide(case, tool, view)
    outcome, rule = verdict.outcome, verdict.rule
    if nested is None and approved is None:
        count_call(view, case, tool, verdict, found_by)
    if session.on_decision is not None and nested is None:
        session.on_decision(call, verdict)
    if outcome == "recover":
        # It was let through once, and approved if it had to be; all else is checked again.
        case.earlier, case.approved = None, True
        verdict = decide(case, tool, view)
        outcome = "recover" if verdict.outcome == "run" else verdict.outcome
    try:
        if outcome == "confirm" or verdict.error is not None or tool is None:
            at = (started, view.now, view.turn.number)
            if outcome == "confirm":
                await _ask(session, call, case, tool, verdict, key, hashed, source)
            return _refused(session, call, case, tool, verdict, key, source, at)
        if outcome == "run" or record is None:
            record = CallRecord(call, canonical, key, hashed, view.turn.number, tool)
        kind = Write if tool.writes else Execution
        execution = kind(
            session, call, case, tool, record, source, started, frame, rule, dispatch_nested
        )
        if key != record.key:
            # Found by its hash under a new id: that id is the same call from now on, in any turn.
            session.recent.setdefault(key, record)
        if outcome == "replay":
            return execution.replay()
        if outcome == "wait":
            return await execution.wait()
        if not isinstance(execution, Write):
            return execution.read_at_once() or await execution.read_on()
        return await (execution.recover() if outcome == "recover" else execution.write())
    except StoreError as error:  # the store was closed while the call was under way
        logger.error("the answer to %s was not written down: %s", name, error)
        return _closed(session, call, writes=tool is not None and tool.writes)


def dispatch_nested(
    session: Session, call: ToolCall, frame: Frame
) -> Coroutine[Any, Any, Envelope]:
    """Answer a call that another call makes."""
    return dispatch(session, call, "tool", frame=frame)


def _closed(session: Session, call: ToolCall, *, writes: bool = False) -> Envelope:
    """The server has stopped: there is nowhere left to write down what is decided."""
    kind = ErrorType.OUTCOME_UNKNOWN if writes else ErrorType.UNAVAILABLE
    body = error_body(kind, "The server is stopping.", partial_side_effects=writes)
    name = call.name if type(call.name) is str else ""
    return failure(body, make_meta(name, None, session.snapshot.version, 0))


def _identity(
    session: Session,
    call: ToolCall,
    canonical: bytes | None,
    tool: Tool | None,
    frame: Frame | None,
    approved: FrozenCall | None,
) -> tuple[str, str, FoundBy]:
    """The call's key, the hash that writing tools check as well, and what a find by key means."""
    writes = tool is not None and tool.writes
    if approved is not None:
        return approved.key, approved.hash if writes else "", "key"
    own = call.client_key
    if own is not None:
        # Whoever brings a key says by it what is the same call; the hash follows the key.
        key = own if frame is not None else f"client:{own}"
        return key, digest(key.encode("utf-8", "surrogatepass")) if writes else "", "key"
    given = call.id
    stable = type(given) is str and len(given) > STABLE_ID_LENGTH and "temp" not in given
    if stable and not writes:
        return f"provider:{given}", "", "key"
    hashed = digest(
        b'{"args":%b,"tool":%b,"turn":%d}'
        % (
            canonical or b"null",
            # Whatever the name is: that it is no tool's is for the rules to say.
            orjson.dumps(str(call.name).encode("utf-8", "replace").decode()),
            session.view.turn.number,
        )
    )
    if stable:
        return f"provider:{given}", hashed, "key"
    return f"hash:{hashed}", hashed, "hash"


def _undelivered(
    session: Session, call: ToolCall, canonical: bytes | None, approved: FrozenCall | None
) -> CallRecord | None:
    """The same write from an earlier turn, when the model was not told yet what came of it. A
    client's key says by itself what is the same call, and a person may approve one twice."""
    if call.client_key is not None or approved is not None or canonical is None:
        return None
    return session.undelivered.get((call.name, canonical))


def count_call(
    view: PolicyView, case: Case, tool: Tool | None, verdict: Verdict, found_by: FoundBy
) -> None:
    """Count what the rules of later calls go by."""
    turn = view.turn
    if verdict.rule in view.rules.counted or verdict.outcome == "confirm":
        turn.total += 1
        if verdict.outcome == "confirm":
            turn.questions += 1
        if tool is not None:
            definition = tool.definition
            turn.retrieval += definition.category == "retrieval"
            turn.writes += definition.side_effects == "writes"
            reads = definition.side_effects != "none"
            if reads and case.name not in view.policy.ask_after_reading:
                turn.has_read = True
    elif found_by != "hash" or verdict.outcome not in ("replay", "wait"):
        return
    mark = (case.name, case.canonical or b"")
    turn.calls[mark] = turn.calls.get(mark, 0) + 1


async def _ask(
    session: Session,
    call: ToolCall,
    case: Case,
    tool: Tool | None,
    verdict: Verdict,
    key: str,
    hashed: str,
    source: str,
) -> None:
    """Ask the person, and make the verdict say so. What the handler can refuse at once nobody is
    asked about."""
    assert tool is not None
    assert verdict.args is not None
    refused = await _unprepared(session, tool, verdict.args, key)
    if refused is not None:
        verdict.error = refused
        return
    approval = FrozenCall(key, hashed, case.canonical or b"")
    try:
        request = await session.orchestrator.confirmations.open_request(
            session, call, tool, verdict.args, approval, verdict.rule
        )
    except StoreError as error:
        logger.error("the store did not take a confirmation of %s: %s", case.name, error)
        verdict.error = error_body(
            ErrorType.TRANSIENT,
            f"{case.name} needs the user's confirmation, but they could not be asked: the store "
            "cannot be written right now. It was not run. Try again later.",
        )
        return
    verdict.error = error_body(
        ErrorType.CONFIRMATION_REQUIRED,
        _asked_words(session, request, source),
        confirmation_request=request,
    )


def _asked_words(session: Session, request: dict[str, Any], source: str) -> str:
    """Where the person answers, as whoever made the call can use it."""
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


async def _unprepared(
    session: Session, tool: Tool, args: dict[str, Any], key: str
) -> dict[str, Any] | None:
    """Why the handler's `prepare` refuses a call that a person would be asked about."""
    prepare, name = tool.handler.prepare, tool.definition.tool_id
    if prepare is None:
        return None
    seconds = tool.definition.timeout_ms / 1000
    try:
        prepared = prepare(args, Context(session, name, key, None, dispatch_nested))
        if inspect.isawaitable(prepared):
            async with asyncio.timeout(seconds):
                await prepared
    except TimeoutError:
        return None  # the call itself will have to say
    except Exception as error:  # noqa: BLE001 - a handler may raise anything
        body = failure_result(error, name, writes=False).error
        return None if body is None else {**body, "partialSideEffects": False}
    return None


def _refused(
    session: Session,
    call: ToolCall,
    case: Case,
    tool: Tool | None,
    verdict: Verdict,
    key: str,
    source: str,
    at: tuple[float, float, int],
) -> Envelope:
    """The answer to a call that does not run. Never stored: the next one is decided anew."""
    orchestrator = session.orchestrator
    started, now, turn = at  # of the decision: others may have been made since
    duration = round((orchestrator.monotonic() - started) * 1000, 3)
    name = call.name if type(call.name) is str else ""
    definition = tool.definition if tool else None
    error = verdict.error
    assert error is not None
    orchestrator.metrics.record_refusal(error["type"], verdict.rule)
    parameters = definition.parameters if definition else _NO_PARAMETERS
    orchestrator.store.append_audit(
        (
            "tool_decision",
            now,
            session.facts,
            turn,
            tool.facts if tool else (name[:200], None, None, ()),
            call.id,
            key,
            without_unknown(case.canonical, parameters),
            verdict.outcome,
            verdict.rule,
            False,
            duration,
            str(error["type"]),
            (),
            None,
            source,
        )
    )
    version = definition.version if definition else None
    return failure(error, make_meta(name, version, session.snapshot.version, duration))
