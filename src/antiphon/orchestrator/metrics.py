"""Metrics: counts and distributions of what tools and sessions do, kept in this process.

Recording is an append to a bounded ring; sorting and adding up happen when somebody asks. All
methods belong on the event loop's thread.
"""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from typing import Any

from antiphon.orchestrator.context_usage import ContextUsage

RING = 1000
MAX_TOOLS = 10_000
OTHER_TOOLS = "_other"
SIZE_ALERT_CHARS = 1500
OK = "ok"
# Milliseconds: from the end of the person's speech to the first sound of the answer; of speech
# still to be played when the model has finished; from cutting in to silence on our side.
VOICE_MARKS = ("time_to_first_audio", "turn_gap", "barge_in_stop")

logger = logging.getLogger(__name__)


def estimate_tokens(chars: int) -> int:
    """A rough count of tokens in a text of that many characters: a quarter, rounded up."""
    return -(-chars // 4)


def nearest_rank(ordered: Sequence[float], percent: int) -> float:
    """The smallest value that at least `percent` of `ordered` (sorted, not empty) do not exceed."""
    # Whole numbers throughout: 0.95 * 20 must not come out as 19.000000001.
    return ordered[max(0, -(-percent * len(ordered) // 100) - 1)]


def percentiles(values: Iterable[float]) -> dict[str, float]:
    ordered = sorted(values)
    if not ordered:
        return {}
    return {name: nearest_rank(ordered, p) for name, p in (("p50", 50), ("p95", 95), ("p99", 99))}


def _plain(counts: Counter[str]) -> dict[str, int]:
    """Counts in order, under plain text: error types are text of a kind that JSON writers
    refuse."""
    return {str(name): count for name, count in sorted(counts.items())}


class ToolMetrics:
    """Metrics of one tool: totals since the start, and its last `RING` answers."""

    __slots__ = ("chars", "chars_total", "duration_total", "durations", "outcomes", "over_budget")

    def __init__(self) -> None:
        self.chars: deque[int] = deque(maxlen=RING)
        self.durations: deque[float] = deque(maxlen=RING)
        self.chars_total = 0
        self.duration_total = 0.0
        self.outcomes: Counter[str] = Counter()
        self.over_budget = 0


class Metrics:
    """Metrics of one process. `record` is on the path of every call and does no more than it
    must."""

    def __init__(self) -> None:
        self.tools: dict[str, ToolMetrics] = {}
        self.refusals: Counter[str] = Counter()
        self.refusal_rules: Counter[str] = Counter()
        # How long the last calls of all tools took, and how many there were since the start.
        self.durations: deque[float] = deque(maxlen=RING)
        self.calls = 0
        # How often the event loop was held up, by the tool whose handler did it.
        self.loop_held: Counter[str] = Counter()
        self.model_tokens: dict[str, Counter[str]] = {}
        # Billionths of a currency, by backend (or `tool`), model or tool, and currency.
        self.costs: Counter[tuple[str, str, str]] = Counter()
        self.cap_warnings: Counter[tuple[str, str]] = Counter()
        self.sessions_active = 0
        self.sessions_started = 0
        self.turns = 0
        self.context = ContextUsage()
        self.system_prompt_tokens = 0
        self.tool_decl_tokens = 0
        self._session_ms: deque[float] = deque(maxlen=RING)
        self._session_calls: deque[int] = deque(maxlen=RING)
        self._session_turns: deque[int] = deque(maxlen=RING)
        self._alerted: set[str] = set()
        self.voice: dict[str, deque[float]] = {name: deque(maxlen=RING) for name in VOICE_MARKS}
        self.voice_counts: Counter[str] = Counter()

    def record(
        self,
        tool_id: str,
        response_chars: int,
        duration_ms: float,
        outcome: str = OK,
        over_budget: bool = False,
    ) -> None:
        """Record a call that ran. `outcome` is "ok" or the error type; `response_chars` the size of
        its result."""
        tool = self.tools.get(tool_id)
        if tool is None:
            tool = self._new_tool(tool_id)
        tool.chars.append(response_chars)
        tool.durations.append(duration_ms)
        tool.chars_total += response_chars
        tool.duration_total += duration_ms
        tool.outcomes[outcome] += 1
        self.durations.append(duration_ms)
        self.calls += 1
        if over_budget:
            tool.over_budget += 1
        if response_chars > SIZE_ALERT_CHARS and tool_id not in self._alerted:
            self._warn_of_size(tool_id, percentiles(tool.chars)["p95"])

    def _new_tool(self, tool_id: str) -> ToolMetrics:
        # Names come from registries that are reloaded; the table must not grow without end.
        if len(self.tools) >= MAX_TOOLS:
            tool_id = OTHER_TOOLS
        return self.tools.setdefault(tool_id, ToolMetrics())

    def record_refusal(self, error_type: str, rule: str | None = None) -> None:
        """Record a call that was answered without running: `BUDGET_EXCEEDED`, `LOOP_DETECTED`, …"""
        self.refusals[error_type] += 1
        if rule is not None:
            self.refusal_rules[rule] += 1

    def record_held(self, tool_id: str) -> None:
        """Record that a handler blocked the event loop for more than a second."""
        self.loop_held[tool_id] += 1

    def record_tokens(self, backend: str | None, read: int, written: int, cached: int) -> None:
        """Record the tokens of one answer as the provider counts them."""
        counts = self.model_tokens.setdefault(backend or "unknown", Counter())
        counts.update(input=read, output=written, cached=cached)

    def record_cost(self, what: str, by: str, currency: str, cost: int) -> None:
        """Record billionths of a currency that were spent on a model of a backend, or on a
        `tool`."""
        key = (by, what, currency)
        if key not in self.costs and len(self.costs) >= MAX_TOOLS:
            key = (by, OTHER_TOOLS, currency)
        self.costs[key] += cost

    def record_cap_warning(self, scope: str, period: str) -> None:
        """Record that a spending cap is nearly used up."""
        self.cap_warnings[scope, period] += 1

    def record_voice(self, mark: str, ms: float) -> None:
        """Record how long a person who talks had to wait; `mark` is one of VOICE_MARKS."""
        self.voice[mark].append(ms)
        self.voice_counts[mark] += 1

    def session_started(self) -> None:
        self.sessions_started += 1
        self.sessions_active += 1

    def turn_started(self) -> None:
        self.turns += 1

    def session_ended(self, duration_ms: float, tool_calls: int, turns: int) -> None:
        self.sessions_active -= 1
        self._session_ms.append(duration_ms)
        self._session_calls.append(tool_calls)
        self._session_turns.append(turns)

    def set_context(
        self, *, system_prompt_tokens: int | None = None, tool_decl_tokens: int | None = None
    ) -> None:
        """Set the tokens that a new session starts with."""
        if system_prompt_tokens is not None:
            self.system_prompt_tokens = system_prompt_tokens
        if tool_decl_tokens is not None:
            self.tool_decl_tokens = tool_decl_tokens

    def snapshot(self) -> dict[str, Any]:
        """Return everything that was measured, as plain data. Tools that have not run are left
        out."""
        tools = sorted(self.tools.items())
        sizes = {tool_id: percentiles(tool.chars) for tool_id, tool in tools}
        return {
            "responseSizes": sizes,
            "responseTokens": {
                tool_id: {
                    "avg": round(sum(map(estimate_tokens, tool.chars)) / len(tool.chars)),
                    "p95": estimate_tokens(int(sizes[tool_id]["p95"])),
                }
                for tool_id, tool in tools
            },
            "latency": {
                tool_id: {
                    **{name: round(ms, 3) for name, ms in percentiles(tool.durations).items()},
                    "overBudget": tool.over_budget,
                }
                for tool_id, tool in tools
            },
            "calls": {tool_id: _plain(tool.outcomes) for tool_id, tool in tools},
            "refusals": _plain(self.refusals),
            "refusalRules": _plain(self.refusal_rules),
            "loopHeld": _plain(self.loop_held),
            "budgetRefusals": self.refusals["BUDGET_EXCEEDED"],
            "modelTokens": {
                backend: {name: counts[name] for name in ("input", "output", "cached")}
                for backend, counts in sorted(self.model_tokens.items())
            },
            "context": {
                "sessionInitTokens": self.system_prompt_tokens + self.tool_decl_tokens,
                "systemPromptTokens": self.system_prompt_tokens,
                "toolDeclTokens": self.tool_decl_tokens,
                **self.context.snapshot(),
            },
            "loopDetection": {
                "activeSessions": self.sessions_active,
                "totalTurnsTracked": self.turns,
                "detected": self.refusals["LOOP_DETECTED"],
            },
            "sessions": {
                "active": self.sessions_active,
                "started": self.sessions_started,
                "turns": self.turns,
                "durationMs": percentiles(self._session_ms) or None,
                "toolCalls": percentiles(self._session_calls) or None,
                "turnsPerSession": percentiles(self._session_turns) or None,
            },
            "voice": {
                mark: {name: round(ms, 3) for name, ms in percentiles(kept).items()} or None
                for mark, kept in self.voice.items()
            },
            "alerts": self._alerts(sizes),
        }

    def _warn_of_size(self, tool_id: str, p95: float) -> None:
        if p95 > SIZE_ALERT_CHARS and tool_id not in self._alerted:
            self._alerted.add(tool_id)
            logger.warning(
                "%s: 95 %% of answers are up to %d characters, more than %d",
                tool_id,
                p95,
                SIZE_ALERT_CHARS,
            )

    def _alerts(self, sizes: dict[str, dict[str, float]]) -> list[dict[str, Any]]:
        """Alerts for tools whose answers have become long; each is logged once until it
        recovers."""
        large = {tool_id: s["p95"] for tool_id, s in sizes.items() if s["p95"] > SIZE_ALERT_CHARS}
        for tool_id, p95 in large.items():
            self._warn_of_size(tool_id, p95)
        self._alerted = set(large)
        return [
            {
                "toolId": tool_id,
                "rule": "response_size_p95",
                "value": p95,
                "limit": SIZE_ALERT_CHARS,
            }
            for tool_id, p95 in sorted(large.items())
        ]
