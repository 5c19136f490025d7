"""Response bodies of the metrics routes: percentiles and samples."""

from __future__ import annotations

from pydantic import BaseModel, Field


class Percentiles(BaseModel):
    p50: float
    p95: float
    p99: float


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
