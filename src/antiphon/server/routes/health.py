"""Liveness and readiness probes."""

from __future__ import annotations

import asyncio
import shutil
from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field

from antiphon import __version__
from antiphon.server.dependencies import ServicesDep
from antiphon.server.problems import ProblemError, documented
from antiphon.storage import StoreError

# With less room on the disk the next write may be the one that does not fit.
LEAST_FREE_BYTES = 1024 * 1024

router = APIRouter(tags=["health"])


class Health(BaseModel):
    status: Literal["ok"] = "ok"
    version: str = Field(description="Version of Antiphon.", examples=["0.1.0"])


class RegistryInForce(BaseModel):
    version: str = Field(description="Version of the tool registry.", examples=["1.0.5f0c2a9e"])
    tools: int = Field(description="How many tools it holds.", examples=[3])


class Readiness(BaseModel):
    status: Literal["ready"] = "ready"
    registry: RegistryInForce


@router.get("/healthz", summary="The process is alive")
async def healthz() -> Health:
    return Health(version=__version__)


@router.get("/readyz", summary="The server takes requests", responses=documented(503))
async def readyz(services: ServicesDep) -> Readiness:
    if not services.ready:
        raise ProblemError(503, "The server is starting or stopping.")
    application = services.application
    folder = application.settings.data
    free = (await asyncio.to_thread(shutil.disk_usage, folder)).free
    if free < LEAST_FREE_BYTES:
        raise ProblemError(
            503, f"The disk of the data folder has {free} bytes left. Free some space."
        )
    try:
        await application.store.check_writable()
    except StoreError as error:
        raise ProblemError(503, f"The store cannot be written. {error}") from None
    registry = application.registry
    in_force = RegistryInForce(version=registry.version, tools=len(registry.tool_ids()))
    return Readiness(registry=in_force)
