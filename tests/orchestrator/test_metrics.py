"""Metrics: what is counted, over how many answers, and how the text form reads."""

from __future__ import annotations

import logging
import re

import pytest

from antiphon.orchestrator import Metrics, estimate_tokens
from antiphon.orchestrator.metrics import MAX_TOOLS, OTHER_TOOLS, RING
from antiphon.orchestrator.prometheus import render_metrics


def text(metrics: Metrics, *, openmetrics: bool = False) -> str:
    return render_metrics(
        metrics, registry_version="1.0.abc", registry_tools=2, openmetrics=openmetrics
    )


@pytest.mark.parametrize(("chars", "tokens"), [(0, 0), (1, 1), (4, 1), (5, 2), (890, 223)])
def test_tokens_are_a_quarter_of_the_characters_rounded_up(chars: int, tokens: int) -> None:
    assert estimate_tokens(chars) == tokens


def test_percentiles_are_values_that_occurred_by_nearest_rank() -> None:
    metrics = Metrics()
    for chars in range(100, 0, -1):
        metrics.record("kb_search", chars, chars / 2)
    shot = metrics.snapshot()
    assert shot["responseSizes"] == {"kb_search": {"p50": 50, "p95": 95, "p99": 99}}
    assert shot["responseTokens"]["kb_search"] == {"avg": 13, "p95": 24}
    assert shot["latency"]["kb_search"] == {"p50": 25, "p95": 47.5, "p99": 49.5, "overBudget": 0}


def test_one_answer_is_every_percentile() -> None:
    metrics = Metrics()
    metrics.record("a", 7, 1.5)
    assert metrics.snapshot()["responseSizes"]["a"] == {"p50": 7, "p95": 7, "p99": 7}


def test_only_the_last_thousand_answers_count_but_totals_count_all() -> None:
    metrics = Metrics()
    for _ in range(50):
        metrics.record("a", 9999, 9999)
    for _ in range(RING):
        metrics.record("a", 10, 1)
    shot = metrics.snapshot()
    assert shot["responseSizes"]["a"]["p99"] == 10
    assert shot["calls"]["a"] == {"ok": 1050}
    assert len(metrics.tools["a"].chars) == len(metrics.tools["a"].durations) == RING


def test_names_beyond_the_limit_are_counted_together() -> None:
    metrics = Metrics()
    for number in range(MAX_TOOLS + 5):
        metrics.record(f"tool_{number}", 1, 1)
    assert len(metrics.tools) == MAX_TOOLS + 1
    assert metrics.snapshot()["calls"][OTHER_TOOLS] == {"ok": 5}


def test_outcomes_refusals_and_budgets_are_counted_by_type() -> None:
    metrics = Metrics()
    metrics.record("a", 1, 1)
    metrics.record("a", 1, 1, "TRANSIENT", over_budget=True)
    metrics.record_refusal("BUDGET_EXCEEDED", "budget.calls")
    metrics.record_refusal("BUDGET_EXCEEDED", "budget.rounds")
    metrics.record_refusal("LOOP_DETECTED", "loop.empty")
    metrics.record_tokens("gemini", 100, 20, 5)
    metrics.record_tokens("gemini", 1, 1, 0)
    shot = metrics.snapshot()
    assert shot["refusalRules"] == {"budget.calls": 1, "budget.rounds": 1, "loop.empty": 1}
    assert shot["modelTokens"] == {"gemini": {"input": 101, "output": 21, "cached": 5}}
    assert shot["calls"] == {"a": {"TRANSIENT": 1, "ok": 1}}
    assert shot["latency"]["a"]["overBudget"] == 1
    assert shot["refusals"] == {"BUDGET_EXCEEDED": 2, "LOOP_DETECTED": 1}
    assert shot["budgetRefusals"] == 2
    assert shot["loopDetection"]["detected"] == 1


def test_sessions_are_counted_while_open_and_measured_when_they_end() -> None:
    metrics = Metrics()
    metrics.session_started()
    metrics.session_started()
    metrics.turn_started()
    metrics.session_ended(60_000, tool_calls=4, turns=1)
    shot = metrics.snapshot()
    assert shot["loopDetection"] == {"activeSessions": 1, "totalTurnsTracked": 1, "detected": 0}
    assert shot["sessions"] == {
        "active": 1,
        "started": 2,
        "turns": 1,
        "durationMs": {"p50": 60_000, "p95": 60_000, "p99": 60_000},
        "toolCalls": {"p50": 4, "p95": 4, "p99": 4},
        "turnsPerSession": {"p50": 1, "p95": 1, "p99": 1},
    }


def test_the_start_of_a_session_costs_its_prompt_and_its_declarations() -> None:
    metrics = Metrics()
    metrics.set_context(system_prompt_tokens=3200)
    metrics.set_context(tool_decl_tokens=9300)
    assert metrics.snapshot()["context"] == {
        "sessionInitTokens": 12500,
        "systemPromptTokens": 3200,
        "toolDeclTokens": 9300,
        "currentTokens": 0,
        "peakTokens": 0,
        "sessions": [],
        "alerts": [],
    }


def test_a_session_that_nears_the_window_of_its_model_is_an_alert_logged_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    metrics = Metrics()
    usage = metrics.context
    usage.started("s1", "gemini-2.5-flash", 12_000, 1_000_000)
    usage.started("s2", "llama", 10, None)
    with caplog.at_level(logging.WARNING):
        usage.used("s1", 400_000)
        assert metrics.snapshot()["context"]["alerts"] == []
        usage.used("s1", 700_000)  # and once more as much would be too much
        usage.used("s1", 910_000)
        usage.used("s2", 5_000_000)  # nobody knows what that one takes
        usage.used("nobody", 1)
        assert len(caplog.records) == 1
    shot = metrics.snapshot()
    alert = {"sessionId": "s1", "rule": "context_window", "value": 910_000, "limit": 900_000}
    assert shot["context"]["alerts"] == [alert]
    own = next(each for each in shot["context"]["sessions"] if each["sessionId"] == "s1")
    assert (own["initTokens"], own["peakTokens"], own["alert"]) == (12_000, 910_000, True)
    usage.used("s1", 20_000)  # the conversation was made shorter
    assert metrics.snapshot()["context"]["alerts"] == []
    usage.ended("s1")
    usage.ended("s2")
    context = metrics.snapshot()["context"]
    assert (context["currentTokens"], context["peakTokens"]) == (0, 5_000_000)


def test_nothing_measured_is_a_whole_document_too() -> None:
    shot = Metrics().snapshot()
    assert shot["responseSizes"] == {}
    assert shot["sessions"]["durationMs"] is None
    assert shot["alerts"] == []


def test_long_answers_raise_an_alert_that_is_logged_once_until_it_recovers(
    caplog: pytest.LogCaptureFixture,
) -> None:
    metrics = Metrics()
    with caplog.at_level(logging.WARNING):
        metrics.record("at_limit", 1500, 1)
        metrics.record("kb_get", 1501, 1)
        assert len(caplog.records) == 1  # when it happens, not when somebody looks
        assert [alert["toolId"] for alert in metrics.snapshot()["alerts"]] == ["kb_get"]
        metrics.snapshot()
        assert len(caplog.records) == 1
        for _ in range(RING):
            metrics.record("kb_get", 1, 1)
        assert metrics.snapshot()["alerts"] == []
        for _ in range(RING):
            metrics.record("kb_get", 2000, 1)
        metrics.snapshot()
    assert len(caplog.records) == 2
    assert "kb_get" in caplog.text


SAMPLE = re.compile(
    r'(?P<name>[a-zA-Z_:][\w:]*)(?:\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*",?)*\})? '
    r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"
)


@pytest.mark.parametrize("openmetrics", [False, True])
def test_the_text_form_is_valid_line_by_line(openmetrics: bool) -> None:
    metrics = Metrics()
    metrics.record("a", 1234567, 0.0001)
    metrics.record('odd"\\\n', 5, 12.5, "TRANSIENT")
    metrics.record_refusal("LOOP_DETECTED")
    page = text(metrics, openmetrics=openmetrics)
    assert page.endswith("# EOF\n") == openmetrics
    declared: dict[str, str] = {}
    samples: set[str] = set()
    for line in page.splitlines():
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            assert name not in declared
            declared[name] = kind
        elif not line.startswith("#"):
            match = SAMPLE.fullmatch(line)
            assert match, line
            assert line.rpartition(" ")[0] not in samples
            samples.add(line.rpartition(" ")[0])
            family = list(declared)[-1]
            endings = {"summary": ("", "_sum", "_count"), "gauge": ("",)}
            allowed = endings.get(declared[family], ("_total",) if openmetrics else ("",))
            assert match["name"] in {family + ending for ending in allowed}
    assert declared["antiphon_tool_calls" + ("" if openmetrics else "_total")] == "counter"


def test_the_text_form_carries_the_numbers() -> None:
    metrics = Metrics()
    for ms in (10, 20, 40):
        metrics.record("kb_search", 100, ms)
    metrics.record("kb_search", 200, 30, "TRANSIENT", over_budget=True)
    metrics.set_context(tool_decl_tokens=77)
    lines = text(metrics).splitlines()
    assert 'antiphon_tool_calls_total{tool="kb_search",outcome="ok"} 3' in lines
    assert 'antiphon_tool_calls_total{tool="kb_search",outcome="TRANSIENT"} 1' in lines
    assert 'antiphon_tool_over_budget_total{tool="kb_search"} 1' in lines
    assert 'antiphon_tool_duration_seconds{tool="kb_search",quantile="0.5"} 0.02' in lines
    assert 'antiphon_tool_duration_seconds_sum{tool="kb_search"} 0.1' in lines
    assert 'antiphon_tool_duration_seconds_count{tool="kb_search"} 4' in lines
    assert 'antiphon_tool_response_chars{tool="kb_search",quantile="0.95"} 200' in lines
    assert 'antiphon_context_tokens{part="tool_declarations"} 77' in lines
    assert 'antiphon_registry_version{version="1.0.abc"} 1' in lines
    assert "antiphon_registry_tools 2" in lines
