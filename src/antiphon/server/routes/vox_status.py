"""Backend status over HTTP: which model backends are configured and reachable."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from antiphon.providers import Backends
from antiphon.server.dependencies import ApplicationDep, HttpSessionsDep, ServicesDep
from antiphon.server.problems import documented

router = APIRouter(prefix="/api/vox", tags=["vox"])

PROBE_SECONDS = 4.0


class ModelChoice(BaseModel):
    id: str = Field(description="The provider's name of the model.", examples=["gemini-2.5-flash"])
    label: str = Field(examples=["Gemini 2.5 Flash"])
    modes: list[Literal["text", "voice"]]


class BackendStatus(BaseModel):
    name: str = Field(examples=["gemini"])
    label: str = Field(examples=["Gemini"])
    configured: bool = Field(description="It has a key, or needs none.")
    reachable: bool | None = Field(
        description="Whether it answered and took the key; null as long as it was not asked."
    )
    why: str | None = Field(description="Why it cannot be used, and what to do.")
    model: str | None = Field(description="The model for text.")
    voice_model: str | None = Field(description="The model for voice; null: it has none.")
    models: list[ModelChoice] = Field(description="Models to choose from; others work too.")


class VoxStatus(BaseModel):
    """Available: configured, and not known to be out of reach."""

    gemini_available: bool
    claude_available: bool
    openai_available: bool
    local_available: bool
    active_sessions: int = Field(
        description="Spoken conversations that are held at `/ws/vox` right now: one's own, or all "
        "for whoever may see the metrics of the server."
    )
    recorded_days: int | None = Field(
        description="The sound of spoken conversations is recorded and kept for so many days; "
        "null: it is not recorded."
    )
    backend: str = Field(description="The one that the settings choose.", examples=["local"])
    backends: list[BackendStatus]


@router.get("/status", summary="Which backends can be used", responses=documented(422))
async def vox_status(
    application: ApplicationDep,
    services: ServicesDep,
    http_sessions: HttpSessionsDep,
    probe: Annotated[
        bool,
        Query(
            description="Ask every configured provider now and wait for the answers, a few "
            "seconds at most. Otherwise what is known is told at once, and providers that were "
            "not asked for a minute are asked in the background."
        ),
    ] = False,
) -> VoxStatus:
    backends: Backends = application.backends
    if not probe:
        backends.refresh()
    found = await backends.status(probe, PROBE_SECONDS)
    listed = [BackendStatus.model_validate(body) for body in found]
    recordings = application.recordings
    available = {b.name: b.configured and b.reachable is not False for b in listed}
    return VoxStatus(
        gemini_available=available["gemini"],
        claude_available=available["claude"],
        openai_available=available["openai"],
        local_available=available["local"],
        active_sessions=services.voice.held_by(http_sessions.scope.counted),
        recorded_days=recordings.days if recordings.on else None,
        backend=backends.chosen,
        backends=listed,
    )
