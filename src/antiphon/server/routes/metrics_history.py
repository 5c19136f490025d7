"""Time series of the metrics over the last hour, one sample every few seconds."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field

from antiphon.orchestrator.metrics import OK, VOICE_MARKS, Metrics, percentiles
from antiphon.server.problems import documented
from antiphon.server.routes.metrics import Percentiles

router = APIRouter(prefix="/metrics", tags=["metrics"])

SECONDS = 5.0
KEPT = 720  # an hour


class TokenCount(BaseModel):
    input: int
    output: int


class Sample(BaseModel):
    """What happened in one stretch of time, not since the start."""

    at: float = Field(description="Its end, in seconds of the epoch.")
    seconds: float = Field(description="How long it was.")
    ok: int = Field(description="Calls that ran and succeeded.")
    failed: int = Field(description="Calls that ran and failed.")
    refused: int = Field(description="Calls that a rule answered without running them.")
    refusals: dict[str, int] = Field(description="Those by rule.", examples=[{"budget.calls": 2}])
    latency: Percentiles | None = Field(description="Milliseconds; null when nothing ran.")
    tokens: TokenCount = Field(description="Of the models, as their providers count.")
    voice: dict[str, Percentiles | None] = Field(
        description="Milliseconds that people who talk had to wait."
    )
    sessions: int = Field(description="Open at its end.")


class MetricsHistory(BaseModel):
    started_at: float = Field(description="When the server began to measure.")
    seconds: float = Field(description="How long a sample is.")
    samples: list[Sample] = Field(description="Oldest first.")
    open: Sample = Field(description="What happened since the last of them.")


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
        """Take a sample now and then, for ever."""
        while True:
            await asyncio.sleep(self.seconds)
            self.sample()

    def sample(self) -> None:
        self._samples.append(self.open())
        self._before, self._at = _Totals(self._metrics), self._samples[-1].at

    def since(self, at: float) -> list[Sample]:
        return [sample for sample in self._samples if sample.at > at]

    def open(self) -> Sample:
        """What happened since the last sample."""
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


@router.get("/history", summary="The figures over the last hour", responses=documented(422))
async def get_metrics_history(
    request: Request,
    since: Annotated[
        float, Query(ge=0, description="Only samples after this time, in seconds of the epoch.")
    ] = 0.0,
) -> MetricsHistory:
    history: MetricsRecorder = request.app.state.metrics_history
    return MetricsHistory(
        started_at=history.started_at,
        seconds=history.seconds,
        samples=history.since(since),
        open=history.open(),
    )
