"""Metrics recorder: a time series of what happened in each few seconds of the last hour."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable
from typing import Any

import orjson

from antiphon.orchestrator import estimate_tokens
from antiphon.orchestrator.metrics import OK, VOICE_MARKS, Metrics, percentiles
from antiphon.registry import Registry
from antiphon.server.schemas.metrics import Percentiles, Sample, TokenCount

SECONDS = 5.0
KEPT = 720  # an hour
# The declarations that are measured: the form that the voice backend sends when a session starts.
_MEASURED_PROVIDER = "geminiNative"


class _Totals:
    """Everything that only grows, at one moment."""

    def __init__(self, metrics: Metrics) -> None:
        outcomes: Counter[str] = Counter()
        for tool in metrics.tools.values():
            outcomes.update(tool.outcomes)
        self.ok = outcomes[OK]
        self.failed = outcomes.total() - self.ok
        self.calls = metrics.calls
        self.rules = Counter(metrics.refusal_rules)
        tokens: Counter[str] = Counter()
        for counts in metrics.model_tokens.values():
            tokens.update(counts)
        self.tokens = tokens
        self.voice = Counter(metrics.voice_counts)


class MetricsRecorder:
    """Belongs to the event loop that the metrics belong to."""

    def __init__(self, metrics: Metrics, now: Callable[[], float] = time.time) -> None:
        self.seconds = SECONDS
        self.started_at = now()
        self._metrics = metrics
        self._now = now
        self._samples: deque[Sample] = deque(maxlen=KEPT)
        self._before = _Totals(metrics)
        self._at = self.started_at

    async def keep(self) -> None:
        """Take a sample every `seconds` until cancelled."""
        while True:
            await asyncio.sleep(self.seconds)
            self.sample()

    def sample(self) -> None:
        self._samples.append(self.open())
        self._before, self._at = _Totals(self._metrics), self._samples[-1].at

    def since(self, at: float) -> list[Sample]:
        return [sample for sample in self._samples if sample.at > at]

    def open(self) -> Sample:
        """The sample under way: counts and percentiles since the last one."""
        metrics, before, now = self._metrics, self._before, self._now()
        totals = _Totals(metrics)
        refusals = totals.rules - before.rules
        tokens = totals.tokens - before.tokens
        return Sample(
            at=now,
            seconds=round(max(0.0, now - self._at), 3),
            ok=totals.ok - before.ok,
            failed=totals.failed - before.failed,
            refused=refusals.total(),
            refusals=dict(sorted(refusals.items())),
            latency=_newest(metrics.durations, totals.calls - before.calls),
            tokens=TokenCount(input=tokens["input"], output=tokens["output"]),
            voice={
                mark: _newest(metrics.voice[mark], totals.voice[mark] - before.voice[mark])
                for mark in VOICE_MARKS
            },
            sessions=metrics.sessions_active,
        )


def _newest(ring: deque[float], count: int) -> Any:
    """Percentiles of the last `count` of a ring, or of all when it has fewer."""
    size = len(ring)
    newest = [ring[index] for index in range(max(0, size - count), size)] if count else []
    found = {name: round(ms, 3) for name, ms in percentiles(newest).items()}
    return Percentiles(**found) if found else None


def measure_declarations(metrics: Metrics, registry: Registry) -> None:
    """Estimate what declaring every tool costs a session."""
    entries = (registry.entry(tool_id) for tool_id in registry.tool_ids())
    declared = [entry["providerSchemas"][_MEASURED_PROVIDER] for entry in entries if entry]
    chars = len(orjson.dumps(declared).decode()) if declared else 0
    metrics.set_context(tool_decl_tokens=estimate_tokens(chars))
