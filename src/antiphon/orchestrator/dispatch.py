"""Dispatch: the one path of every tool call, from its identity to its envelope.

Identity and earlier record (`call_identity`), the policy's verdict (`policy.decide`), what it adds
to the turn (`turn_counting`), then one of: a refusal or the question to a person (`refusals`), the
answer of an earlier call (`duplicates`), or the strategy that carries it out (`strategies`).
"""

from __future__ import annotations

import logging
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from antiphon.contracts import Envelope, ErrorType, Principal, ToolCall
from antiphon.contracts.limits import LimitReached
from antiphon.contracts.provenance import NOTHING_READ
from antiphon.orchestrator.call_charge import CallCharge, reserve_price
from antiphon.orchestrator.call_frame import CallFrame
from antiphon.orchestrator.call_hooks import objection
from antiphon.orchestrator.call_identity import canonical_args, find_undelivered, identify
from antiphon.orchestrator.call_origins import concerns, trace_call
from antiphon.orchestrator.call_records import CallRecord, FrozenCall
from antiphon.orchestrator.duplicates import await_running, decide_recovery, replay_answer
from antiphon.orchestrator.governed_call import GovernedCall
from antiphon.orchestrator.handler_call import begin_handler
from antiphon.orchestrator.refusals import (
    RefusedCall,
    answer_closed,
    note_hidden,
    refuse_call,
    request_confirmation,
)
from antiphon.orchestrator.strategies import strategy_of
from antiphon.orchestrator.turn_counting import count_call
from antiphon.policy import Case, EarlierCall, Nesting, Verdict, decide, refuse
from antiphon.storage import StoreError

if TYPE_CHECKING:
    from antiphon.orchestrator.session import Session

logger = logging.getLogger(__name__)

_RUNS = ("run", "recover")  # outcomes after which a handler runs


def dispatch(
    session: Session,
    call: ToolCall,
    source: str = "agent",
    *,
    frame: CallFrame | None = None,
    frozen: FrozenCall | None = None,
) -> Coroutine[Any, Any, Envelope]:
    """Answer one call. `frame` is set for a call made by another call, `frozen` for a call that a
    person has confirmed."""
    asker = session.principal if frame is None or frame.asker is None else frame.asker
    work = _dispatch(session, call, source, frame, frozen, asker)
    tracing = session.orchestrator.tracing
    return work if tracing is None else tracing.around(session, call, source, work)


async def _dispatch(
    session: Session,
    call: ToolCall,
    source: str,
    frame: CallFrame | None,
    frozen: FrozenCall | None,
    asker: Principal | None,
    asked: bool = False,
    words: str | None = None,
    charge: CallCharge | None = None,
) -> Envelope:
    """Answer one call. `asker` is whoever made it. `asked` is set once the program was asked about
    it; `words` refuse it. `charge` is set once its price was set aside, or was not."""
    orchestrator = session.orchestrator
    if orchestrator.closed:
        return answer_closed(session, call)
    started = orchestrator.monotonic()
    reached: LimitReached | None = None
    limits, counted = orchestrator.limits, session.counted
    # What a person approved was counted when it was asked for, and nothing is counted twice.
    new = frozen is None and not asked and charge is None
    if limits is not None and counted is not None and new:
        reached = await limits.take_call(counted)
    view = session.view
    name = call.name
    tool = session.snapshot.tools.get(name) if type(name) is str else None
    origins = None
    read = view.exposure.marks
    # What a person has approved was traced for the question. Requests of programs that do not know
    # of each other are no conversation, which text of others could steer.
    if (
        read is not NOTHING_READ
        and frozen is None
        and tool is not None
        and not (session.shared and source == "rest")
        and concerns(tool, read)
    ):
        origins = await trace_call(session, call, tool, frame)
    # Whoever begins a call may have lost the right to it, or everything, a moment ago.
    barred = None
    if asker is not None and asker.rights is not None:
        barred = await session.renew_principal(asker)
    now = view.now = orchestrator.now()
    turn = view.turn
    # What the call is, and whether it was made before.
    canonical = canonical_args(call) if frozen is None else frozen.canonical
    # A tool that another one may call has been let through, once a person has approved it.
    own = frame is None and frozen is None
    if own and session.toolset is not None and name not in session.toolset:
        tool = None
    key, hashed, found_by = identify(session, call, canonical, tool, frame, frozen)
    record = session.recent.get(key)
    if record is None and hashed and session.by_hash:
        record, found_by = session.by_hash.get(hashed), "hash"
    if record is None and session.undelivered and tool is not None and hashed:
        record, found_by = find_undelivered(session, call, canonical, frozen), "key"
    # The decision.
    earlier = (
        None
        if record is None
        else EarlierCall(record.state, found_by, record.same(name, canonical))
    )
    nesting = None if frame is None else Nesting(frame.path, frame.depth, frame.count.made)
    case = Case(call, canonical, earlier, nesting, frozen is not None)
    case.limit = reached
    case.origins = origins
    verdict: Verdict | None = None
    if orchestrator.registry_snapshot() is not session.snapshot.base:
        verdict = orchestrator.version_mismatch(session)
    if barred is not None:
        verdict, tool = refuse("rights", ErrorType.AUTH, barred), None
    if verdict is None:
        verdict = decide(case, tool, view)
        if case.hidden:
            note_hidden(session, name, key, now)
            tool = None
    hooks = orchestrator.hooks
    if hooks is not None and hooks.before_call is not None and verdict.outcome in _RUNS:
        if not asked:
            # Decided anew afterwards: while the program thinks, the same call may have been made.
            seconds = tool.definition.timeout_ms / 1000 if tool is not None else 0.0
            words = await hooks.object_to(session, call, case.args, seconds)
            return await _dispatch(session, call, source, frame, frozen, asker, True, words)
        if words is not None:
            verdict = objection(words)
    spending = orchestrator.spending
    if spending is not None and verdict.outcome in _RUNS and name in spending.priced_tools:
        if charge is None:
            # The same: while it is set aside, the same call may have been made.
            charge = await reserve_price(session, spending, name, key, tool)
            try:
                return await _dispatch(
                    session, call, source, frame, frozen, asker, asked, words, charge
                )
            finally:
                charge.release()
        if charge.refused is not None:
            verdict = charge.verdict
        else:
            charge.pay()
    outcome, rule = verdict.outcome, verdict.rule
    if own:
        count_call(view, case, tool, verdict, found_by)
    if session.decision_listeners.subscribed and frame is None:
        session.decision_listeners.notify(call, verdict)
    if outcome == "recover":
        # It was let through once, and approved if it had to be; all else is checked again.
        case.earlier, case.approved = None, True
        verdict = decide_recovery(case, tool, view, record)
        outcome = "recover" if verdict.outcome == "run" else verdict.outcome
    # The answer.
    try:
        if outcome == "confirm" or verdict.error is not None or tool is None:
            refused = RefusedCall(
                session, call, case, tool, verdict, key, hashed, source, started, now, turn.number
            )
            if outcome == "confirm":
                return await request_confirmation(refused)
            return refuse_call(refused)
        if outcome == "run" or record is None:
            record = CallRecord(call, canonical, key, hashed, turn.number, tool)
        governed = GovernedCall(
            session,
            call,
            case,
            tool,
            record,
            source,
            started,
            frame,
            rule,
            turn,
            now,
            begin_handler,
            changes=None if frozen is None else frozen.changes,
            asker=asker,
        )
        if key != record.key:
            # Found by its hash under a new id: that id is the same call from now on, in any turn.
            session.recent.setdefault(key, record)
        if outcome == "replay":
            return replay_answer(governed)
        if outcome == "wait":
            return await await_running(governed)
        strategy = strategy_of(governed)
        if outcome == "recover":
            return await strategy.recover(governed)
        return strategy.execute_now(governed) or await strategy.execute(governed)
    except StoreError as error:  # the store was closed while the call was under way
        logger.error("the answer to %s was not written down: %s", name, error)
        return answer_closed(session, call, writes=tool is not None and tool.writes)
