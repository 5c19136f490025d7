"""Duplicate calls: answered from the record of the call that they repeat."""

from __future__ import annotations

import asyncio

import orjson

from antiphon.contracts import Envelope
from antiphon.orchestrator.audit import redacted
from antiphon.orchestrator.call_records import CallRecord, canonical_json, outcome_unknown
from antiphon.orchestrator.governed_call import GovernedCall
from antiphon.orchestrator.outcome import answer_in_progress, audit_facts
from antiphon.orchestrator.reading import note_answer
from antiphon.policy import Case, PolicyView, Verdict, decide
from antiphon.registry.registry import Tool


def replay_answer(governed: GovernedCall) -> Envelope:
    """The stored envelope of an earlier call. Its intents were applied then, not again."""
    record = governed.record
    stored = record.envelope
    assert stored is not None
    meta = {**stored["meta"], "replayed": True, "originalTurn": record.turn}
    envelope = {**stored, "meta": meta}
    session = governed.session
    session.orchestrator.store.append_audit(
        audit_facts(governed, envelope, "tool_replayed", "replay")
    )
    session.mark_delivered(record.call)
    note_answer(session, record.name, envelope)
    return envelope


async def await_running(governed: GovernedCall) -> Envelope:
    """The answer of the same call that is still running, within the tool's latency budget; after
    that IN_PROGRESS."""
    record = governed.record
    if record.answer is None:
        record.answer = asyncio.get_running_loop().create_future()
    budget = governed.tool.definition.latency_budget_ms
    done, _ = await asyncio.wait({record.answer}, timeout=budget / 1000)
    if done and record.envelope is not None:
        return replay_answer(governed)
    return answer_in_progress(governed, "tool_decision", "wait")


def decide_recovery(
    case: Case, tool: Tool | None, view: PolicyView, record: CallRecord | None
) -> Verdict:
    """Decide on a call that is run again after a crash: with the arguments that it was begun with,
    which the person who approved it may have changed."""
    if tool is None or record is None:
        return decide(case, tool, view)
    hidden = tool.definition.redact if record.canonical is None else ()
    if not hidden:
        case.args = record.call.args
    verdict = decide(case, tool, view)
    if hidden and verdict.outcome == "run":
        # What the ledger does not have of them comes with the call; the rest has to be the same.
        kept = redacted(orjson.loads(canonical_json(case.args)), hidden)
        if kept != record.call.args:
            return Verdict("refuse", "duplicate", outcome_unknown(record.name).error)
    return verdict
