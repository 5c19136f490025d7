"""Audit replay: recorded calls decided again by today's tools and policy, and the differences.

Sessions, turns, budgets, loops and rate windows are rebuilt from the log, call by call, and every
call is put to `policy.decide` again. The state follows today's decisions: where a budget has grown,
the calls that now run use it up.

The log does not tell everything. What it leaves out is taken as unchanged and counted under
`assumed`, by the rule it concerns: who was blocked (`blocked`), which sessions were over (`active`)
or had outlived their tools (`registry.version`), what a session could see (`availability`), how
often the model was asked in a turn (`budget.rounds`), which results were empty (`loop.empty`),
arguments that were redacted (`arguments`), the rights of whoever made a call (`rights`), and what a
turn was held to (`plan`). Where the values of a call came from is in its line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, cast

import orjson

from antiphon.contracts import ErrorType, ToolCall, ToolDefinition
from antiphon.contracts.availability import Availability
from antiphon.contracts.definition import FurtherModes
from antiphon.contracts.limits import LimitReached
from antiphon.contracts.provenance import Marks
from antiphon.orchestrator.audit import HIDDEN, HIDDEN_TOOL
from antiphon.orchestrator.call_frame import parent_key
from antiphon.orchestrator.replay_report import DecisionDifference, ReplayedDecision, ReplayReport
from antiphon.orchestrator.turn_counting import count_call
from antiphon.policy import (
    BUILT_IN,
    CallOrigins,
    Case,
    EarlierCall,
    Nesting,
    Policy,
    PolicyView,
    TurnCounters,
    Verdict,
    decide,
    refuse,
)
from antiphon.policy.provenance_rules import ONE_CALL_RULES
from antiphon.policy.rules import MAX_NAME
from antiphon.policy.view import Checker, FieldErrorLike, FoundBy, RecordState
from antiphon.registry.registry import Snapshot, Tool
from antiphon.secrecy.personal_data import KINDS

DECISION = "tool_decision"
EXECUTION = "tool_execution"
REPLAYED = "tool_replayed"
DETACHED = "tool_detached"
# From here on the process that made the calls was a new one, and its turn began with nothing.
RESUMED = frozenset({"session_resumed", "tool_unknown"})
STARTED = "session_started"

_NEEDED: dict[str, type | tuple[type, ...]] = {
    "at": (int, float),
    "sessionId": str,
    "mode": str,
    "turnId": int,
    "toolId": str,
    "idempotencyKey": str,
    "decision": str,
    "rule": str,
}
# Refuses every session that no fields are known of.
_NEVER = Availability({"requiresAuth": True})


class ReplayError(ValueError):
    """The log cannot be replayed; the message names the line."""


def replay(
    lines: Iterable[Mapping[str, Any]],
    tools: Snapshot,
    policy: Policy | None = None,
    *,
    from_seq: int = 0,
) -> ReplayReport:
    """Put every recorded call to today's tools and policy.

    `lines` are those of the audit, in their order. Calls before the line `from_seq` only set the
    scene: turns and rate windows are as they were, and the report is about the rest. Raises
    ReplayError for a line that says too little to be replayed.
    """
    report = ReplayReport()
    calls: list[Mapping[str, Any]] = []
    family = _Family()
    finished: set[tuple[Any, Any, Any]] = set()
    hidden: set[tuple[Any, Any, Any]] = set()
    modes: dict[str, FurtherModes] = {}  # of sessions whose profile widened those of its tools
    for number, line in enumerate(lines, 1):
        report.lines = number
        event = line.get("event")
        if event == STARTED:
            modes.update(_further_modes(line))
        elif event == HIDDEN_TOOL:
            details = line.get("details") or {}
            hidden.add((details.get("session"), details.get("key"), line.get("at")))
        elif event in RESUMED and isinstance(line.get("sessionId"), str):
            calls.append({"at": 0.0, "seq": number, **line})
        elif event in (DECISION, EXECUTION, REPLAYED, DETACHED):
            calls.append(_checked({"seq": number, **line}, number))
            family.add(line)
            if event == EXECUTION:
                finished.add(_once(line))
    # A line is written when a call is over; it was decided on at the time that it names.
    calls.sort(key=lambda line: (line["at"], line["seq"]))
    sessions: dict[str, _Session] = {}
    compared: set[str] = set()
    for line in calls:
        # A call that was answered before it was done has a line for either; one of them counts.
        if line["event"] == DETACHED and _once(line) in finished:
            continue
        session = sessions.get(line["sessionId"])
        if line["event"] in RESUMED:
            if session is not None:
                session.begin_turn(session.view.turn.number)
            continue
        if session is None:
            session = sessions[line["sessionId"]] = _Session(line, tools, policy or Policy())
            session.view.modes = modes.get(line["sessionId"], {})
        tool = None if _once(line) in hidden else _tool_of(line, tools)
        case = _Line(line, tool, family.ancestors(line))
        if _once(line) in hidden:
            case.assumed.append("rights")
        verdict = session.decide(case)
        if case.seq < from_seq:
            continue
        report.compared += 1
        compared.add(case.session_id)
        report.assumed.update(case.assumed)
        if not case.is_decided_as(verdict):
            report.differences.append(case.difference(verdict))
    report.sessions = len(compared)
    return report


def _further_modes(line: Mapping[str, Any]) -> dict[str, FurtherModes]:
    """The modes beyond their own in which a session's profile let tools be called."""
    details = line.get("details")
    modes = details.get("modes") if isinstance(details, dict) else None
    if not isinstance(modes, dict) or not isinstance(line.get("sessionId"), str):
        return {}
    return {line["sessionId"]: {k: v for k, v in modes.items() if isinstance(v, list)}}


def _tool_of(line: Mapping[str, Any], tools: Snapshot) -> Tool | None:
    """The tool of a recorded call, in the version that it had where that is still there."""
    recorded = tools.versions.get(line["toolId"], {}).get(line.get("toolVersion") or "")
    return recorded or tools.tools.get(line["toolId"])


def _once(line: Mapping[str, Any]) -> tuple[Any, Any, Any]:
    return line["sessionId"], line["idempotencyKey"], line["at"]


def _checked(line: dict[str, Any], number: int) -> dict[str, Any]:
    for name, kind in _NEEDED.items():
        if not isinstance(line.get(name), kind):
            raise ReplayError(f"line {number} is no line of this audit: its {name!r} is missing")
    if line["mode"] not in ("text", "voice"):
        raise ReplayError(f"line {number} is of an unknown mode: {line['mode']!r}")
    return line


class _Family:
    """The nesting of recorded calls. A nested call's key is its parent's and a number."""

    def __init__(self) -> None:
        # A key may be used again when it is forgotten, so with it goes when the call began.
        self._ran: dict[tuple[str, str], list[tuple[float, str]]] = {}

    def add(self, line: Mapping[str, Any]) -> None:
        key = (line["sessionId"], line["idempotencyKey"])
        if line["event"] in (EXECUTION, DETACHED):
            self._ran.setdefault(key, []).append((line["at"], line["toolId"]))

    def ancestors(self, line: Mapping[str, Any]) -> list[tuple[str, str]] | None:
        """Key and tool of the calls that led to this one, the outermost first; None if it was
        not made by another."""
        if line.get("source") != "tool":
            return None
        session_id: str = line["sessionId"]
        found: list[tuple[str, str]] = []
        key = parent_key(line["idempotencyKey"])
        while key is not None:
            found.insert(0, (key, self._tool((session_id, key), line["at"])))
            key = parent_key(key)
        return found

    def _tool(self, key: tuple[str, str], at: float) -> str:
        """The tool that ran under a key at a time; no tool's name when the log has none."""
        begun = [call for call in self._ran.get(key, ()) if call[0] <= at]
        return max(begun)[1] if begun else ""


class _Line:
    """A recorded call, prepared for another decision."""

    def __init__(
        self,
        line: Mapping[str, Any],
        tool: Tool | None,
        ancestors: list[tuple[str, str]] | None,
    ) -> None:
        self.seq: int = line["seq"]
        self.at = float(line["at"])
        self.event: str = line["event"]
        self.session_id: str = line["sessionId"]
        self.turn: int = line["turnId"]
        self.key: str = line["idempotencyKey"]
        self.rule: str = line["rule"]
        self.decision: str = line["decision"]
        self.error_type: str | None = line.get("errorType")
        self.ok = line.get("ok") is True
        self.until = self.at + float(line.get("duration") or 0) / 1000
        self.call_id: str | None = line.get("callId")
        self.tool_id: str = line["toolId"]
        self.tool = tool
        self.ancestors = ancestors
        self.approved = line.get("source") == "confirmation"
        self.assumed: list[str] = []
        args = line.get("args")
        self.hidden = _hides(args)
        if args is None and self.rule == "duplicate":
            args = {}  # a call of an earlier process: its record had a digest only
        canonical = None if args is None else orjson.dumps(args, option=orjson.OPT_SORT_KEYS)
        name = self.tool_id
        if self.rule == "shape" and len(name) == MAX_NAME:
            name += "…"  # it was longer, and cut off for the log
        if self.hidden:
            self.assumed.append("arguments")
            # Different secrets look alike here. The key tells which calls were the same.
            same = self.key if self.key.startswith("hash:") else str(self.seq)
            canonical = same.encode()
        self.case = Case(ToolCall(self.call_id, name, args), canonical, None, None, self.approved)
        told = line.get("origins")
        self.case.origins = CallOrigins.from_dict(told) if isinstance(told, dict) else None

    @property
    def mark(self) -> tuple[str, bytes]:
        return self.case.name, self.case.canonical or b""

    @property
    def by_hash(self) -> bool:
        """Whether the same call once more in this turn was found by what it says."""
        if self.ancestors is not None or self.approved or self.key.startswith("client:"):
            return False
        writes = self.tool is not None and self.tool.definition.writes
        return writes or self.key.startswith("hash:")

    @property
    def repeated_by(self) -> FoundBy:
        """How the earlier call was found: a line names the earlier one's key."""
        own = f"provider:{self.call_id}"
        if self.key.startswith("hash:") or (self.key.startswith("provider:") and self.key != own):
            return "hash"
        return "key"

    def earlier(self) -> EarlierCall:
        """The call that this one was found to repeat."""
        state: RecordState = "done"
        if self.decision == "refuse":
            if self.error_type == ErrorType.CONFLICT:
                return EarlierCall("done", self.repeated_by, same=False)
            state = "unknown"
        elif self.event == DECISION:
            state = "running"
        elif self.event != REPLAYED:
            state = "unknown"
        return EarlierCall(state, self.repeated_by, same=True)

    def tool_view(self) -> _ToolView | None:
        """The tool of today, except for what the log does not tell."""
        tool = self.tool
        if tool is None:
            return None
        availability = None
        if tool.availability is not None:
            self.assumed.append("availability")
            availability = _NEVER if self.rule == "availability" else None
        checker: Checker = tool.validator
        if self.hidden:
            checker = _AsRecorded(refused=self.rule == "arguments")
        return _ToolView(tool.definition, checker, availability, tool.recoverable)

    def is_decided_as(self, verdict: Verdict) -> bool:
        refused = verdict.outcome == "refuse"
        match self.rule:
            case "run" | "approval":
                return verdict.outcome == "run"
            case "duplicate" if self.decision == "refuse":
                return (
                    refused
                    and verdict.rule == "duplicate"
                    and (verdict.error or {}).get("type") == self.error_type
                )
            case "duplicate":
                return verdict.rule == "duplicate" and not refused
            case "confirmation":
                return verdict.outcome == "confirm"
        expected = "confirm" if self.decision == "confirm" else "refuse"
        return verdict.outcome == expected and verdict.rule == self.rule

    def difference(self, verdict: Verdict) -> DecisionDifference:
        error = verdict.error or {}
        kind = error.get("type")
        return DecisionDifference(
            seq=self.seq,
            at=self.at,
            session_id=self.session_id,
            turn=self.turn,
            tool_id=self.tool_id,
            recorded=ReplayedDecision(self.decision, self.rule, self.error_type),
            now=ReplayedDecision(
                verdict.outcome,
                verdict.rule,
                None if kind is None else str(kind),
                error.get("message"),
            ),
        )


# Rules that go by what the log does not tell; that it was so is taken from the recorded decision.
_ASSUMED = frozenset(
    {
        *("active", "approval", "blocked", "budget.questions", "budget.rounds"),
        *("limit", "loop.empty"),
    }
)


_BUILT_IN_IDS = frozenset(each for rule in BUILT_IN.rules for each in rule.ids)


class _Session:
    """The policy view of a recorded session, rebuilt line by line."""

    def __init__(self, line: Mapping[str, Any], tools: Snapshot, policy: Policy) -> None:
        self.view = PolicyView(line["mode"], policy, {}, {}, tools.nearest, BUILT_IN)
        # Marks of calls that ran in this turn; True for those that ran then as well as now.
        self._ran: dict[tuple[str, bytes], bool] = {}
        self._succeeded: Counter[str] = Counter()
        # When each call of a limited tool began: not before the one, not after the other.
        self._began: dict[str, list[tuple[float, float]]] = {}
        self._no_longer_run: set[str] = set()
        # How many calls each outermost call has made, directly or not.
        self._made: Counter[str] = Counter()
        self.begin_turn(line["turnId"])

    def begin_turn(self, number: int) -> None:
        self.view.turn = TurnCounters(number)
        self._ran.clear()
        self._succeeded.clear()

    def decide(self, line: _Line) -> Verdict:
        if line.turn != self.view.turn.number:
            self.begin_turn(line.turn)
        if line.rule == "registry.version":
            line.assumed.append(line.rule)
            return refuse(line.rule, ErrorType.UNAVAILABLE, "The tools had changed.")
        if line.rule not in _BUILT_IN_IDS:
            # Only the plug-in whose rule it was could say whether it would decide so again.
            line.assumed.append(line.rule)
            if line.decision == "confirm":
                return Verdict("confirm", line.rule)
            return refuse(line.rule, ErrorType(line.error_type or "UNAVAILABLE"), "As it was.")
        if line.rule == "rights":
            line.assumed.append(line.rule)
            if line.decision == "confirm":
                return Verdict("confirm", line.rule)
            return refuse(line.rule, ErrorType.AUTH, "The caller might not make this call.")
        if line.rule == "plan":
            line.assumed.append(line.rule)
            return refuse(line.rule, ErrorType.UNAVAILABLE, "The turn was held to its plan.")
        self._set_scene(line)
        case, tool = line.case, line.tool_view()
        case.earlier = self._earlier(line)
        case.nested = self._nested(line)
        found_by: FoundBy = "key" if case.earlier is None else case.earlier.found_by
        verdict = decide(case, tool, self.view)
        if line.ancestors is None and not line.approved:
            # The one way of counting, which needs nothing of a session but its view.
            count_call(self.view, case, line.tool, verdict, found_by)
        runs = verdict.outcome == "run"
        if verdict.outcome == "recover":
            case.earlier, case.approved = None, True
            again = decide(case, tool, self.view)
            runs = again.outcome == "run"
            verdict = verdict if runs else again
        self._remember(line, runs)
        return verdict

    def _set_scene(self, line: _Line) -> None:
        """Set the view as it was, as far as the log tells or the recorded decision gives away."""
        view, rule = self.view, line.rule
        view.now = line.at
        view.active = rule != "active"
        view.blocked_until = line.at + 1 if rule == "blocked" else 0.0
        view.approved = frozenset({line.tool_id} if rule == "approval" else ())
        view.turn.rounds = cast(int, inf) if rule == "budget.rounds" else 0
        # At most as many results were empty as there were results.
        emptied = rule == "loop.empty"
        view.turn.empty = {line.tool_id: self._succeeded[line.tool_id]} if emptied else {}
        # What a turn is told of earlier calls is in no line; nor is when people answer.
        asked_blindly = rule in ONE_CALL_RULES and line.case.origins is None
        if asked_blindly:
            view.exposure.marks = view.exposure.marks.join(Marks("untrusted"))
            line.assumed.append(rule)
        asked = rule == "budget.questions"
        view.open_questions = view.budget.open_questions or 0 if asked else 0
        view.turn.questions = 0
        # How much was used then is in no line; that there was no room is.
        line.case.limit = (
            LimitReached("calls_per_minute", "user", 0, 0) if rule == "limit" else None
        )
        if rule in _ASSUMED:
            line.assumed.append(rule)
        if line.hidden and rule == "loop.repeat":
            view.turn.calls[line.mark] = view.policy.same_call_limit
        began = self._began.get(line.tool_id)
        if began:
            # The log knows the start of a call within the time that it took.
            late = rule == "rate"
            stamps = (min(until, line.at) if late else at for at, until in began)
            view.rates[line.tool_id] = sorted(stamps)

    def _earlier(self, line: _Line) -> EarlierCall | None:
        if line.rule == "duplicate" and line.key not in self._no_longer_run:
            return line.earlier()
        if not line.by_hash:
            return None
        ran_then = self._ran.get(line.mark)
        if ran_then is None:
            return None
        # One that ran then would have been found then: it was not kept, as it may be retried.
        if ran_then and line.rule != "loop.repeat":
            return None
        return EarlierCall("done", "hash", same=True)

    def _nested(self, line: _Line) -> Nesting | None:
        if line.ancestors is None:
            return None
        path = tuple(tool for _, tool in line.ancestors)
        made = self._made[line.ancestors[0][0]] if line.ancestors else 0
        return Nesting(path, len(path), made)

    def _remember(self, line: _Line, runs: bool) -> None:
        ran = line.rule in ("run", "approval") or line.event == EXECUTION
        if ran and not runs:
            self._no_longer_run.add(line.key)
        if not runs:
            return
        self._no_longer_run.discard(line.key)
        if line.by_hash:
            self._ran[line.mark] = ran
        if line.ancestors and line.event != REPLAYED:
            self._made[line.ancestors[0][0]] += 1
        if line.event == EXECUTION and line.ok:
            self._succeeded[line.tool_id] += 1
        limit = line.tool.definition.rate_limit if line.tool is not None else None
        if limit is not None and line.event != REPLAYED:
            start = line.at - limit.window_ms / 1000
            kept = [span for span in self._began.get(line.tool_id, ()) if span[1] > start]
            self._began[line.tool_id] = [*kept, (line.at, line.until)]


@dataclass(frozen=True, slots=True)
class _ToolView:
    definition: ToolDefinition
    validator: Checker
    availability: Availability | None
    recoverable: bool


# What is personal in arguments stands there as its kind where a profile masks it.
_MASKED = re.compile(rf"\[(?:{'|'.join(KINDS)})\]")


class _AsRecorded:
    """A validator for redacted arguments: it decides as was decided then."""

    def __init__(self, *, refused: bool) -> None:
        self._refused = refused

    @property
    def accept(self) -> Callable[[Any], dict[str, Any] | None]:
        return lambda args: None if self._refused else dict(args)

    def argument_errors(self, args: Any) -> Sequence[FieldErrorLike]:  # noqa: ARG002
        return ()


def _hides(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_hides, value.values()))
    if isinstance(value, list):
        return any(map(_hides, value))
    return isinstance(value, str) and (value == HIDDEN or _MASKED.search(value) is not None)
