"""Time series of the metrics over the last hour, one sample every few seconds."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from antiphon.server.dependencies import ServicesDep
from antiphon.server.problems import documented
from antiphon.server.schemas.metrics import Sample

router = APIRouter(prefix="/metrics", tags=["metrics"])


class MetricsHistory(BaseModel):
    started_at: float = Field(description="When the server began to measure.")
    seconds: float = Field(description="How long a sample is.")
    samples: list[Sample] = Field(description="Oldest first.")
    open: Sample = Field(description="What happened since the last of them.")


@router.get("/history", summary="The figures over the last hour", responses=documented(422))
async def get_metrics_history(
    services: ServicesDep,
    since: Annotated[
        float, Query(ge=0, description="Only samples after this time, in seconds of the epoch.")
    ] = 0.0,
) -> MetricsHistory:
    history = services.metrics_recorder
    return MetricsHistory(
        started_at=history.started_at,
        seconds=history.seconds,
        samples=history.since(since),
        open=history.open(),
    )
