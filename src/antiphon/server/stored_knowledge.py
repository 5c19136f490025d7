"""Stored knowledge and uploads: what the files and records that people add are held to."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import Depends, Request

from antiphon.app import Application
from antiphon.contracts.limits import LimitSubject, subject_of
from antiphon.server.authentication import principal_of
from antiphon.server.dependencies import ApplicationDep


async def stored_bytes(application: Application, organisation: str) -> int:
    """The size of an organisation's knowledge."""

    def work() -> int:
        with application.organisation_knowledge.base(organisation) as base:
            return base.stored_bytes()

    return await asyncio.to_thread(work)


class UploadGate:
    """The limits that what a principal uploads is held to; nobody's without one. Both methods raise
    LimitRefused, and LimitsAway while the store cannot be asked."""

    def __init__(self, application: Application, subject: LimitSubject | None) -> None:
        self._application = application
        self._subject = subject

    async def take_file(self, size: int) -> None:
        """Count a file that was uploaded."""
        subject, limiter = self._subject, self._application.limiter
        if subject is None:
            return
        limiter.check_size(subject, "upload_bytes", size)
        await limiter.take_today(subject, {"uploads_per_day": 1, "upload_bytes_per_day": size})

    async def check_knowledge(self, size: int) -> None:
        """Refuse what the knowledge of the organisation has no room for."""
        subject, limiter = self._subject, self._application.limiter
        if subject is None or not limiter.bounds(subject, "knowledge_bytes"):
            return
        stored = await stored_bytes(self._application, subject.organisation)
        limiter.check_size(subject, "knowledge_bytes", stored + size)


async def upload_gate(request: Request, application: ApplicationDep) -> UploadGate:
    """The limits of uploads for the principal of the request."""
    return UploadGate(application, subject_of(principal_of(request.scope)))


UploadGateDep = Annotated[UploadGate, Depends(upload_gate)]
