"""What must be true after any number of kills, and what was not."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

import orjson
from tests.chaos.world import TOOLS, Envelope, Past, Send, World, outcome

from antiphon.storage import LedgerRow, Store

# The errors that a call of a tool may end with; success always may.
ERRORS = {
    "append_once": {"OUTCOME_UNKNOWN"},
    "put_value": set(),  # idempotent: it is run again
    "book_seat": {"PERMANENT"},  # it can be asked what became of a call
    "raise_at_times": {"OUTCOME_UNKNOWN", "TRANSIENT", "INTERNAL"},
    "write_slowly": {"OUTCOME_UNKNOWN"},
}
RAN = ("tool_execution", "tool_reconciled")


@dataclass
class Findings:
    """What was counted, and every broken promise in a sentence."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def bad(self, promise: str, words: str) -> None:
        self.wrong[promise].append(words)


PROMISES = (
    "duplicated effects",
    "answered, then lost",
    "unanswered calls",
    "wrong outcomes",
    "wrong rows",
    "missing audit lines",
    "broken audit chain",
)


async def examine(world: World, past: Past) -> Findings:
    """Compare the journal, the effects, the ledger and the audit with one another."""
    findings = Findings()
    effects: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for life, _, n, key in world.read_effects():
        effects[n].append((life, key))
    asked: dict[str, list[Send]] = defaultdict(list)
    for send in past.sends.values():
        asked[send["n"]].append(send)
    for n in effects.keys() - asked.keys():
        findings.bad("duplicated effects", f"{n} happened and nobody asked for it")
    for n, sends in asked.items():
        _check_call(findings, n, sends, past, effects[n])
    store = Store.open(world.store)
    try:
        rows = [row for session in past.conversations for row in await store.ledger(session)]
        _check_rows(findings, rows, past, effects)
        await _check_audit(findings, store, rows)
    finally:
        await store.close()
    findings.counts["calls"] = len(asked)
    findings.counts["sent"] = len(past.sends)
    findings.counts["asked again"] = sum("again" in send for send in past.sends.values())
    findings.counts["sent again after a crash"] = past.resent
    findings.counts["sessions"] = len(past.conversations)
    findings.counts["effects"] = sum(map(len, effects.values()))
    return findings


def _check_call(
    findings: Findings, n: str, sends: list[Send], past: Past, happened: list[tuple[int, str]]
) -> None:
    """One call, however often it was sent: one effect, one outcome."""
    tool, kind = sends[0]["tool"], sends[0]["kind"]
    idempotent = TOOLS[tool][1]
    lives = [life for life, _ in happened]
    if len(happened) > 1 and not idempotent:
        findings.bad("duplicated effects", f"{tool} {n} ({kind}) happened in lives {lives}")
    if len(set(happened)) < len(happened):
        findings.bad("duplicated effects", f"{tool} {n} ({kind}) twice in one life: {lives}")
    if len({key for _, key in happened}) > 1:
        findings.bad("duplicated effects", f"{tool} {n} ({kind}) under several keys: {happened}")
    if idempotent and len(happened) > 1:
        findings.counts["run again with the same key"] += 1
    for send in sends:
        if send["send"] not in past.answers:
            findings.bad("unanswered calls", f"{tool} {n} ({kind}), sent as {send['send']}")
    answers = [past.answers[send["send"]] for send in sends if send["send"] in past.answers]
    ends = {outcome(answer) for answer in answers}
    if n.endswith("x"):  # another call under a key that was taken
        if ends != {"CONFLICT"} or happened:
            findings.bad("wrong outcomes", f"{tool} {n} took a taken key: {ends}, {happened}")
        return
    findings.counts.update(f"ended {end}" for end in ends)
    for end in ends - ERRORS[tool] - {"ok"}:
        findings.bad("wrong outcomes", f"{tool} {n} ({kind}) ended with {end}")
    if len(ends) > 1 and ends != {"TRANSIENT", "OUTCOME_UNKNOWN"}:
        promise = "answered, then lost" if "ok" in ends else "wrong outcomes"
        findings.bad(promise, f"{tool} {n} ({kind}) was answered {sorted(ends)}")
    told = [answer["data"] for answer in answers if answer["ok"]]
    if any(data != told[0] for data in told):
        findings.bad("answered, then lost", f"{tool} {n} ({kind}) was answered {told}")
    if told and (told[0]["n"] != n or told[0]["life"] not in lives):
        findings.bad("answered, then lost", f"{tool} {n} says {told[0]}; it happened {happened}")
    if happened and ends & {"PERMANENT", "TRANSIENT"}:
        findings.bad("wrong outcomes", f"{tool} {n} ({kind}) happened and was answered {ends}")
    if "INTERNAL" in ends and len(happened) != 1:
        findings.bad("wrong outcomes", f"{tool} {n} raised after its effect: {happened}")
    if "OUTCOME_UNKNOWN" in ends:
        findings.counts["unknown, had happened" if happened else "unknown, had not"] += 1


def _check_rows(
    findings: Findings,
    rows: list[LedgerRow],
    past: Past,
    effects: dict[str, list[tuple[int, str]]],
) -> None:
    """Nothing is left running, and what was answered stands in the ledger."""
    done: dict[tuple[str, str], Envelope] = {}
    for row in rows:
        findings.counts[f"rows {row.state}"] += 1
        if row.state == "running":
            findings.bad("wrong rows", f"{row.tool_id} {row.key} of {row.session_id} still runs")
        n = orjson.loads(row.args)["n"]
        if row.envelope is not None:
            done[row.session_id, n] = orjson.loads(row.envelope)
        elif row.state == "done":
            findings.bad("wrong rows", f"{row.tool_id} {row.key} is done without an answer")
    known = {orjson.loads(row.args)["n"] for row in rows}
    for n in effects.keys() - known:
        if effects[n]:
            findings.bad("wrong rows", f"{n} happened and the ledger does not know it")
    for send, answer in past.answers.items():
        if answer["ok"]:
            call = past.sends[send]
            kept = done.get((call["session"], call["n"]))
            if kept is None or kept["data"] != answer["data"]:
                findings.bad("answered, then lost", f"{call['tool']} {call['n']}: kept {kept}")


async def _check_audit(findings: Findings, store: Store, rows: list[LedgerRow]) -> None:
    """The chain is whole; what is done was noted once, what became unknown was noted too."""
    report = await store.verify_audit()
    findings.counts["audit lines"] = report.count
    if not report.ok:
        findings.bad("broken audit chain", f"line {report.first_bad_seq}: {report.problem}")
    ran: Counter[tuple[Any, Any]] = Counter()
    unknown: set[tuple[Any, Any]] = set()
    last = 0
    while page := await store.audit_lines(after_seq=last, limit=5000):
        last = page[-1].seq
        for line in page:
            data = line.data
            call = data.get("sessionId"), data.get("idempotencyKey")
            findings.counts["reconciled"] += data["event"] == "tool_reconciled"
            if data["event"] == "tool_unknown":
                unknown.add(call)
            elif data["event"] in RAN and data.get("errorType") != "CONFLICT":
                ran[call] += 1
    findings.counts["found cut short"] = len(unknown)
    for row in rows:
        call = row.session_id, row.key
        if row.state == "done" and ran[call] != 1:
            findings.bad("missing audit lines", f"{row.tool_id} {row.key} ran, noted {ran[call]}x")
        if row.state == "unknown" and call not in unknown:
            findings.bad("missing audit lines", f"{row.tool_id} {row.key} unknown, not noted")
