"""Call outcomes: the envelope of a result, its intents applied, its metrics and its audit line."""

from __future__ import annotations

import logging
from typing import Any

import orjson

from antiphon.contracts import (
    Envelope,
    ErrorType,
    ToolResult,
    error_body,
    failure,
    intent_problem,
    make_meta,
    success,
)
from antiphon.orchestrator.audit import CallFacts, error_without_arguments
from antiphon.orchestrator.call_records import canonical_json, in_progress
from antiphon.orchestrator.governed_call import GovernedCall
from antiphon.orchestrator.reading import note_private, note_result

logger = logging.getLogger(__name__)

# The latency budget of a retrieval tool in text, where its own is larger: soft, as every one.
TEXT_RETRIEVAL_MS = 2000.0


def count_start(governed: GovernedCall) -> None:
    """Count a call that starts. In one step with the decision, so that calls at the same time see
    each other."""
    session, case, tool = governed.session, governed.case, governed.tool
    session.calls += 1
    if case.clamped is not None:
        asked, used = case.clamped
        details = {"asked": asked, "used": used}
        session.append_audit("top_k_clamped", tool_id=governed.record.name, details=details)
    if logger.isEnabledFor(logging.DEBUG):
        # Where a value was filled in, never which: arguments do not belong in logs.
        filled = tool.validator.defaulted(governed.call.args, case.args)
        if filled:
            logger.debug("%s: defaults applied for %s", governed.record.name, ", ".join(filled))
    if governed.frame is not None:
        governed.frame.count.made += 1
    if tool.definition.rate_limit is not None:
        session.orchestrator.count_rate(session, tool.definition)


def finish_call(
    governed: GovernedCall, result: ToolResult, event: str | None = "tool_execution"
) -> Envelope:
    """Make the envelope of a result: apply its intents, count its numbers, append its audit line.

    With `event` None the audit line is left to the caller.
    """
    session, tool, record = governed.session, governed.tool, governed.record
    orchestrator = session.orchestrator
    duration = (orchestrator.monotonic() - governed.started) * 1000
    definition = tool.definition
    # Rounded to a microsecond by hand: `round` goes through decimal digits.
    rounded = int(duration * 1000 + 0.5) / 1000
    meta = make_meta(record.name, definition.version, session.snapshot.version, rounded)
    if governed.variant is not None:
        meta["variant"] = governed.variant
    if governed.changes:
        meta["changed"] = dict(governed.changes)
    if record.interrupted:
        meta["interrupted"] = True
    if tool.told or governed.read is not None:
        if not governed.starts_task:  # what is said of a task that begins is the house's own
            note_result(governed, meta)
    elif tool.private and session.view.exposure.marks.sensitivity == "public":
        note_private(session, tool, record.name)
    if tool.output is not None and result.ok and not governed.starts_task:
        result = _check_output(governed, result)
    result, size = _measure(result, record.name)
    turn = governed.turn
    if governed.frame is None:
        turn.tool_ms += duration
    limit = session.view.budget.tool_time_ms
    if governed.case.clamped is not None or (limit is not None and turn.tool_ms > limit):
        meta["budget"] = _budget_notes(governed, limit)
    if result.ok:
        data = result.data if result.data is not None else {}
        intents = result.intents
        if intents:  # the envelope has those that were applied; the others are in the audit
            intents = [i for i in intents if session.state.apply_intent(i, data) is None]
        envelope = success(data, intents, meta)
        if not tool.writes and is_empty(data):
            turn.empty[record.name] = turn.empty.get(record.name, 0) + 1
        outcome = "ok"
    else:
        assert result.error is not None
        error = result.error
        if definition.redact:
            error = error_without_arguments(definition, governed.case.args, error)
        envelope = failure(error, meta)
        outcome = error["type"]
    over = False
    if duration > definition.latency_budget_ms or duration > TEXT_RETRIEVAL_MS:
        over = _note_overrun(governed, duration)
    orchestrator.metrics.record(tool.measured_as, size, duration, outcome, over)
    tool.stats.record(duration, result.ok)
    if event is not None:
        orchestrator.store.append_audit(audit_facts(governed, envelope, event))
    if orchestrator.hooks is not None:
        orchestrator.hooks.call_ended(governed, envelope)
    return envelope


def answer_in_progress(governed: GovernedCall, event: str, decision: str) -> Envelope:
    """The envelope for a caller who does not wait any longer. The call itself is counted when it
    is done."""
    session, record = governed.session, governed.record
    duration = (session.orchestrator.monotonic() - governed.started) * 1000
    version = governed.tool.definition.version
    meta = make_meta(record.name, version, session.snapshot.version, round(duration, 3))
    if record.interrupted:
        meta["interrupted"] = True
    envelope = failure(in_progress(record.name).error or {}, meta)
    session.orchestrator.store.append_audit(audit_facts(governed, envelope, event, decision))
    return envelope


def audit_facts(
    governed: GovernedCall, envelope: Envelope, event: str, decision: str = "run"
) -> CallFacts:
    """The facts of a call for its audit line."""
    record, definition = governed.record, governed.tool.definition
    audited = governed.session.audited
    intents = envelope["intents"]
    part = audited.part(
        record.name,
        definition,
        event,
        decision,
        governed.rule,
        None if envelope["ok"] else str(envelope["error"]["type"]),
        tuple([str(intent.get("type")) for intent in intents]) if intents else (),
        governed.variant,
        governed.source,
    )
    return CallFacts(
        audited,
        governed.now,
        part,
        governed.turn.number,
        governed.call.id,
        record.key,
        # Of a call that a person changed, what it was run with.
        canonical_json(governed.case.args) if governed.changes else record.canonical,
        definition.redact,
        envelope["meta"]["duration"],
        governed.case.origins,
    )


def is_empty(data: dict[str, Any]) -> bool:
    """Whether a result says that nothing was found: no data, or nothing but empty lists."""
    if not data:
        return True
    found = False
    for value in data.values():
        if type(value) is list:
            if value:
                return False
            found = True
    return found


def _check_output(governed: GovernedCall, result: ToolResult) -> ToolResult:
    output, tool_id = governed.tool.output, governed.record.name
    assert output is not None
    if output.is_valid(result.data):
        return result
    errors = output.errors(result.data)
    places = ", ".join(f"{e.pointer or '/'} {e.message}" for e in errors[:3])
    logger.error("%s returned data that breaks its output schema: %s", tool_id, places)
    body = error_body(
        ErrorType.INTERNAL,
        f"{tool_id} returned a result of the wrong shape.",
        partial_side_effects=governed.tool.writes,
    )
    return ToolResult(False, None, body, [])


def _note_overrun(governed: GovernedCall, duration: float) -> bool:
    """Whether a call took more than its latency budget. That of a task is for its answer, which it
    has had."""
    definition = governed.tool.definition
    budget_ms = definition.latency_budget_ms
    if definition.category == "retrieval" and governed.session.mode == "text":
        budget_ms = min(budget_ms, TEXT_RETRIEVAL_MS)
    if governed.in_task or duration <= budget_ms:
        return False
    logger.warning(
        "%s took %.0f ms of its latency budget of %g ms",
        governed.record.name,
        duration,
        budget_ms,
    )
    return True


def _budget_notes(governed: GovernedCall, limit: float | None) -> dict[str, Any]:
    notes: dict[str, Any] = {}
    clamped, spent = governed.case.clamped, governed.turn.tool_ms
    if clamped is not None:
        notes["clamped"] = {"top_k": {"asked": clamped[0], "used": clamped[1]}}
    if limit is not None and spent > limit:
        notes["toolTimeMs"] = round(spent)
        notes["warning"] = (
            f"Tools have taken {spent:.0f} ms of {limit:g} ms this turn. "
            "Answer now with what you have."
        )
    return notes


def _measure(result: ToolResult, tool_id: str) -> tuple[ToolResult, int]:
    """The result and its size as JSON; a failure where it is none."""
    try:
        if result.intents:
            orjson.dumps([i for i in result.intents if intent_problem(i) is None])
        return result, len(orjson.dumps(result.data if result.ok else result.error))
    except (TypeError, ValueError) as error:
        logger.error("%s returned something that is no JSON: %s", tool_id, error)
        body = error_body(
            ErrorType.INTERNAL, f"{tool_id} gave no proper result.", partial_side_effects=True
        )
        return ToolResult(False, None, body, []), 0
