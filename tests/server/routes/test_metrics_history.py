"""The figures over time: each sample tells what happened in it, and nothing twice."""

from __future__ import annotations

from typing import Any

from antiphon.orchestrator import Metrics
from antiphon.server.metrics_recorder import KEPT, MetricsRecorder
from antiphon.server.routes.metrics_history import MetricsHistory


def history() -> tuple[Metrics, MetricsRecorder, list[float]]:
    metrics, clock = Metrics(), [1000.0]
    return metrics, MetricsRecorder(metrics, lambda: clock[0]), clock


def test_a_sample_is_about_its_own_stretch_of_time() -> None:
    metrics, kept, clock = history()
    metrics.record("a", 10, 5.0)
    metrics.record("a", 10, 15.0, "TRANSIENT")
    metrics.record_refusal("BUDGET_EXCEEDED", "budget.calls")
    metrics.record_tokens("gemini", 100, 20, 0)
    metrics.record_voice("turn_gap", 80.0)
    clock[0] += 5
    kept.sample()
    metrics.record("b", 10, 7.0)
    clock[0] += 2
    [first], now = kept.since(0), kept.open()
    assert (first.at, first.seconds, first.ok, first.failed, first.refused) == (1005, 5, 1, 1, 1)
    assert first.refusals == {"budget.calls": 1}
    assert first.latency.model_dump() == {"p50": 5.0, "p95": 15.0, "p99": 15.0}
    assert first.tokens.model_dump() == {"input": 100, "output": 20}
    assert first.voice["turn_gap"].p50 == 80.0
    assert first.voice["time_to_first_audio"] is None
    assert (now.seconds, now.ok, now.failed, now.refused) == (2, 1, 0, 0)
    assert now.latency.p95 == 7.0
    assert (now.tokens.input, now.voice["turn_gap"]) == (0, None)
    assert kept.since(first.at) == []


def test_an_hour_is_kept_and_a_busy_stretch_counts_whole() -> None:
    metrics, kept, clock = history()
    for _ in range(KEPT + 3):
        clock[0] += 5
        kept.sample()
    assert len(kept.since(0)) == KEPT
    for number in range(2500):
        metrics.record("a", 1, float(number))
    now = kept.open()
    assert now.ok == 2500
    assert now.latency.p50 == 1999.0  # of the newest thousand


def test_it_is_served_and_grows_by_itself(workshop: Any) -> None:
    app = workshop.app()
    app.services.metrics_recorder.seconds = 0.02
    with workshop.running(app) as shop:
        shop.call("find", {"query": "x"})
        shop.call("find", {"query": 5})
        seen: list[Any] = []
        while sum(sample.ok for sample in seen) < 1:
            since = seen[-1].at if seen else 0
            reply = shop.get(f"/metrics/history?since={since}")
            assert reply.status == 200
            seen += MetricsHistory.model_validate(reply.json).samples
        assert sum(sample.ok for sample in seen) == 1
        whole = MetricsHistory.model_validate(shop.get("/metrics/history").json)
        assert sum(sample.refused for sample in [*whole.samples, whole.open]) == 1
        text = shop.get("/metrics/prometheus").body.decode()
        assert 'antiphon_rule_refusals_total{rule="arguments"} 1' in text
        assert shop.get("/metrics/history?since=-1").status == 422
