"""Metrics over HTTP: JSON document and Prometheus exposition."""

from __future__ import annotations

from typing import Any

import orjson
from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict
from starlette.responses import Response

from antiphon.app import Application
from antiphon.orchestrator.prometheus import OPENMETRICS, PROMETHEUS, render_metrics
from antiphon.server.bodies import preferred
from antiphon.server.dependencies import ApplicationDep, HttpSessionsDep
from antiphon.server.schemas.metrics import Percentiles
from antiphon.server.scope import Scope

router = APIRouter(tags=["metrics"])

# JSON unless a text form is asked for by name.
_FORMS = ("application/json", "text/plain", "application/openmetrics-text")


class Tokens(BaseModel):
    avg: float
    p95: float


class Latency(Percentiles):
    overBudget: int = Field(description="Calls that took longer than their tool's budget.")


class ModelTokens(BaseModel):
    input: int
    output: int
    cached: int = Field(description="Of those that were read, as far as the provider says so.")


class SessionContextFigures(BaseModel):
    """Tokens as the provider counts them; before its first answer, the estimate."""

    sessionId: str
    model: str
    window: int | None = Field(description="What the model takes; null where that is not known.")
    initTokens: int = Field(description="Estimated: system prompt and declarations.")
    currentTokens: int = Field(description="What the last answer took: all it read, and itself.")
    peakTokens: int
    alert: bool = Field(description="About to take more than 90 percent of the window.")


class ContextAlert(BaseModel):
    sessionId: str
    rule: str = Field(examples=["context_window"])
    value: float
    limit: float


class ContextFigures(BaseModel):
    sessionInitTokens: int = Field(description="The two below together.")
    systemPromptTokens: int
    toolDeclTokens: int = Field(
        description="Declarations of all tools in Gemini's form: a quarter of their characters."
    )
    currentTokens: int = Field(description="The most that an open session takes right now.")
    peakTokens: int = Field(description="The most that any session took since the start.")
    sessions: list[SessionContextFigures] = Field(description="The 20 open ones that took most.")
    alerts: list[ContextAlert] = Field(description="Sessions that near their model's window.")


class LoopDetection(BaseModel):
    activeSessions: int
    totalTurnsTracked: int
    detected: int = Field(description="Calls refused because the model repeated itself.")


class SessionFigures(BaseModel):
    """Distributions are over the last 1000 sessions that ended; null before the first."""

    active: int
    started: int
    turns: int
    durationMs: Percentiles | None
    toolCalls: Percentiles | None
    turnsPerSession: Percentiles | None


class Alert(BaseModel):
    toolId: str
    rule: str = Field(examples=["response_size_p95"])
    value: float
    limit: float


class RegistryFigures(BaseModel):
    version: str
    tools: int


_EXAMPLE: JsonDict = {
    "responseSizes": {"kb_search": {"p50": 320, "p95": 890, "p99": 1450}},
    "responseTokens": {"kb_search": {"avg": 80, "p95": 223}},
    "latency": {"kb_search": {"p50": 12.1, "p95": 40.0, "p99": 55.2, "overBudget": 0}},
    "calls": {"kb_search": {"VALIDATION": 1, "ok": 41}},
    "refusals": {"BUDGET_EXCEEDED": 2},
    "refusalRules": {"budget.calls": 2},
    "loopHeld": {},
    "modelTokens": {"gemini": {"input": 5120, "output": 840, "cached": 0}},
    "budgetRefusals": 2,
    "context": {
        "sessionInitTokens": 12500,
        "systemPromptTokens": 3200,
        "toolDeclTokens": 9300,
        "currentTokens": 18200,
        "peakTokens": 21400,
        "sessions": [],
        "alerts": [],
    },
    "loopDetection": {"activeSessions": 3, "totalTurnsTracked": 47, "detected": 0},
    "sessions": {
        "active": 3,
        "started": 12,
        "turns": 47,
        "durationMs": {"p50": 61000, "p95": 240000, "p99": 240000},
        "toolCalls": {"p50": 4, "p95": 11, "p99": 11},
        "turnsPerSession": {"p50": 5, "p95": 12, "p99": 12},
    },
    "voice": {
        "time_to_first_audio": {"p50": 412.0, "p95": 690.0, "p99": 810.0},
        "turn_gap": None,
        "barge_in_stop": {"p50": 0.1, "p95": 0.2, "p99": 0.4},
    },
    "alerts": [],
    "registry": {"version": "1.0.5f0c2a9e", "tools": 3},
}


class MetricsDocument(BaseModel):
    """Distributions are over the last 1000 answers of each tool; those never run are absent."""

    model_config = ConfigDict(json_schema_extra={"example": _EXAMPLE})

    responseSizes: dict[str, Percentiles] = Field(description="Characters of the answers.")
    responseTokens: dict[str, Tokens] = Field(description="Estimated: a quarter of the characters.")
    latency: dict[str, Latency] = Field(description="Milliseconds.")
    calls: dict[str, dict[str, int]] = Field(description="Calls that ran, by tool and outcome.")
    refusals: dict[str, int] = Field(description="Calls that were answered without running.")
    refusalRules: dict[str, int] = Field(description="The same, by the rule that said so.")
    modelTokens: dict[str, ModelTokens] = Field(
        description="What the models took, by backend, as their providers count."
    )
    loopHeld: dict[str, int] = Field(
        description="How often a handler held the event loop for more than a second, by tool."
    )
    budgetRefusals: int
    context: ContextFigures
    loopDetection: LoopDetection
    sessions: SessionFigures
    voice: dict[str, Percentiles | None] = Field(
        description="Milliseconds that people who talk had to wait, over the last 1000; null "
        "before the first."
    )
    alerts: list[Alert] = Field(description="Tools whose answers have become long.")
    registry: RegistryFigures


_TEXT = {"schema": {"type": "string"}, "example": "antiphon_sessions_active 0\n"}


@router.get(
    "/metrics",
    summary="Metrics, as JSON or by `Accept` as Prometheus text",
    response_model=MetricsDocument,
    responses={
        200: {"content": {"text/plain": _TEXT, "application/openmetrics-text": _TEXT}},
    },
)
async def get_metrics(
    request: Request, application: ApplicationDep, http_sessions: HttpSessionsDep
) -> Response:
    wanted = preferred(request.headers.get("accept", ""), _FORMS)
    if wanted != "application/json":
        return _text(application, openmetrics=wanted == "application/openmetrics-text")
    registry = application.registry
    body = application.metrics.snapshot()
    await _bind_sessions(body["context"], application, http_sessions.scope)
    body["registry"] = {"version": registry.version, "tools": len(registry.tool_ids())}
    # Refusals are counted by error type, which is a kind of text that orjson takes only if asked.
    page = orjson.dumps(body, option=orjson.OPT_NON_STR_KEYS)
    return Response(page, media_type="application/json", headers={"vary": "accept"})


async def _bind_sessions(figures: dict[str, Any], application: Application, scope: Scope) -> None:
    """Leave out the sessions by name that the principal may not see; the sums are of all."""
    if scope.owners("others.read") is None:
        return
    held = application.orchestrator.sessions
    seen = await scope.among({session.user for session in held.values()}, "others.read")
    for part in ("sessions", "alerts"):
        figures[part] = [
            each
            for each in figures[part]
            if (session := held.get(each["sessionId"])) is not None and session.user in seen
        ]


@router.get(
    "/metrics/prometheus",
    summary="Metrics as Prometheus text",
    response_class=PlainTextResponse,
    responses={200: {"content": {"text/plain": _TEXT}}},
)
async def get_prometheus_metrics(application: ApplicationDep) -> Response:
    return _text(application, openmetrics=False)


def _text(application: Application, *, openmetrics: bool) -> Response:
    registry: Any = application.registry
    page = render_metrics(
        application.metrics,
        registry_version=registry.version,
        registry_tools=len(registry.tool_ids()),
        openmetrics=openmetrics,
    )
    media_type = OPENMETRICS if openmetrics else PROMETHEUS
    return Response(page, headers={"content-type": media_type, "vary": "accept"})
