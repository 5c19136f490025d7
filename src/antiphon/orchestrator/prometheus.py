"""Prometheus text: the metrics in exposition format 0.0.4 and OpenMetrics 1.0."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from antiphon.orchestrator.metrics import Metrics, ToolMetrics, nearest_rank

Kind = Literal["counter", "gauge", "summary"]
Labels = dict[str, str]
Sample = tuple[str, Labels, float]  # suffix of the name, labels, value

PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"
OPENMETRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8"

_PERCENTS = (50, 95, 99)


def render_metrics(
    metrics: Metrics, *, registry_version: str, registry_tools: int, openmetrics: bool = False
) -> str:
    """Render the metrics page in Prometheus text, or in OpenMetrics with `openmetrics`."""
    lines: list[str] = []
    for name, kind, about, samples in _families(metrics, registry_version, registry_tools):
        # Counters are declared without their suffix in OpenMetrics and with it in Prometheus.
        family = f"{name}_total" if kind == "counter" and not openmetrics else name
        lines.append(f"# HELP {family} {about}")
        lines.append(f"# TYPE {family} {kind}")
        for suffix, labels, value in samples:
            ending = "_total" if kind == "counter" else suffix
            lines.append(f"{name}{ending}{_labels(labels)} {_number(value)}")
    if openmetrics:
        lines.append("# EOF")
    return "\n".join(lines) + "\n"


def _families(
    metrics: Metrics, registry_version: str, registry_tools: int
) -> Iterator[tuple[str, Kind, str, Iterable[Sample]]]:
    tools = sorted(metrics.tools.items())
    yield (
        "antiphon_tool_calls",
        "counter",
        "Calls that ran, by tool and outcome.",
        [
            ("", {"tool": tool_id, "outcome": outcome}, count)
            for tool_id, tool in tools
            for outcome, count in sorted(tool.outcomes.items())
        ],
    )
    yield (
        "antiphon_tool_over_budget",
        "counter",
        "Calls that took longer than the latency budget of their tool.",
        [("", {"tool": tool_id}, tool.over_budget) for tool_id, tool in tools],
    )
    yield (
        "antiphon_tool_duration_seconds",
        "summary",
        "How long calls took; quantiles over the last 1000.",
        _summaries(tools, "durations", "duration_total", 0.001),
    )
    yield (
        "antiphon_tool_response_chars",
        "summary",
        "Length of answers in characters; quantiles over the last 1000.",
        _summaries(tools, "chars", "chars_total", 1),
    )
    yield (
        "antiphon_refusals",
        "counter",
        "Calls answered without running, by error type.",
        [("", {"type": kind}, count) for kind, count in sorted(metrics.refusals.items())],
    )
    yield (
        "antiphon_rule_refusals",
        "counter",
        "Calls answered without running, by the rule that said so.",
        [("", {"rule": rule}, count) for rule, count in sorted(metrics.refusal_rules.items())],
    )
    yield (
        "antiphon_loop_held",
        "counter",
        "How often a handler held the event loop for more than a second, by tool.",
        [("", {"tool": tool_id}, count) for tool_id, count in sorted(metrics.loop_held.items())],
    )
    yield (
        "antiphon_model_tokens",
        "counter",
        "Tokens of the models' answers as their providers count them.",
        [
            ("", {"backend": backend, "kind": kind}, count)
            for backend, counts in sorted(metrics.model_tokens.items())
            for kind, count in sorted(counts.items())
        ],
    )
    yield (
        "antiphon_cost",
        "counter",
        "Money spent on models and tools since the start of this process.",
        [
            ("", {"by": by, "what": what, "currency": currency}, cost / 1e9)
            for (by, what, currency), cost in sorted(metrics.costs.items())
        ],
    )
    yield (
        "antiphon_cap_warnings",
        "counter",
        "Spending caps that were nearly used up, by whose they are and their period.",
        [
            ("", {"scope": scope, "period": period}, count)
            for (scope, period), count in sorted(metrics.cap_warnings.items())
        ],
    )
    yield (
        "antiphon_context_tokens",
        "gauge",
        "Estimated tokens at the start of a session, by part.",
        [
            ("", {"part": "system_prompt"}, metrics.system_prompt_tokens),
            ("", {"part": "tool_declarations"}, metrics.tool_decl_tokens),
        ],
    )
    usage = metrics.context
    yield (
        "antiphon_context_session_tokens",
        "gauge",
        "Tokens of a session's context: the largest right now, and since the start.",
        [("", {"kind": "current"}, usage.current), ("", {"kind": "peak"}, usage.peak)],
    )
    yield (
        "antiphon_context_sessions_near_limit",
        "gauge",
        "Sessions that are about to take more than 90 percent of their model's window.",
        [("", {}, len(usage.alerted))],
    )
    yield (
        "antiphon_voice_seconds",
        "gauge",
        "What people who talk waited for; quantiles over the last 1000.",
        [
            ("", {"mark": mark, "quantile": str(p / 100)}, nearest_rank(sorted(kept), p) * 0.001)
            for mark, kept in metrics.voice.items()
            if kept
            for p in _PERCENTS
        ],
    )
    yield "antiphon_sessions_active", "gauge", "Open sessions.", [("", {}, metrics.sessions_active)]
    yield "antiphon_sessions", "counter", "Sessions started.", [("", {}, metrics.sessions_started)]
    yield "antiphon_turns", "counter", "Turns started.", [("", {}, metrics.turns)]
    yield "antiphon_registry_tools", "gauge", "Tools in force.", [("", {}, registry_tools)]
    yield (
        "antiphon_registry_version",
        "gauge",
        "Always 1; the label is the version of the registry in force.",
        [("", {"version": registry_version}, 1)],
    )


def _summaries(
    tools: list[tuple[str, ToolMetrics]], ring: str, total: str, scale: float
) -> Iterator[Sample]:
    for tool_id, tool in tools:
        ordered = sorted(getattr(tool, ring))
        for percent in _PERCENTS:
            value = nearest_rank(ordered, percent) * scale
            yield "", {"tool": tool_id, "quantile": str(percent / 100)}, value
        yield "_sum", {"tool": tool_id}, getattr(tool, total) * scale
        yield "_count", {"tool": tool_id}, sum(tool.outcomes.values())


def _labels(labels: Labels) -> str:
    if not labels:
        return ""
    return "{" + ",".join(f'{name}="{_escape(value)}"' for name, value in labels.items()) + "}"


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else repr(float(f"{value:.9g}"))
