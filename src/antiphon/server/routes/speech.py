"""Speech synthesis over HTTP: a text in, a WAV stream out."""

from __future__ import annotations

import struct
from collections.abc import AsyncGenerator, AsyncIterator
from typing import cast

from fastapi import APIRouter, Request
from pydantic import ConfigDict, Field
from starlette.background import BackgroundTask
from starlette.responses import StreamingResponse

from antiphon.app import Application
from antiphon.app.speech import SpeechService
from antiphon.contracts.events import OUTPUT_RATE
from antiphon.contracts.limits import subject_of
from antiphon.providers.port import ProviderFault
from antiphon.server.authentication import principal_of
from antiphon.server.bodies import Body, StrictRoute
from antiphon.server.dependencies import ApplicationDep
from antiphon.server.problems import ProblemError, documented
from antiphon.server.speech_meter import SPOKEN, SpeechMeter

router = APIRouter(prefix="/api/vox", tags=["vox"], route_class=StrictRoute)

MEDIA_TYPE = "audio/wav"
# About a minute and a half. What is longer comes in several requests.
MAX_TEXT = 1000
# The length of a file whose length nobody knows yet; players read until it ends.
_OPEN_END = 0xFFFFFFFF
_HEAD = struct.pack(
    "<4sI4s4sIHHIIHH4sI",
    *(b"RIFF", _OPEN_END, b"WAVE"),
    *(b"fmt ", 16, 1, 1, OUTPUT_RATE, 2 * OUTPUT_RATE, 2, 16),
    *(b"data", _OPEN_END),
)


class SpeechBody(Body):
    model_config = ConfigDict(json_schema_extra={"example": {"text": "This is the talk button."}})

    text: str = Field(
        min_length=1,
        max_length=MAX_TEXT,
        description="What nobody says aloud, such as marks of Markdown, is left out.",
    )


@router.post(
    "/speech",
    summary="Say a text with the server's own voice",
    description="WAV, 24 kHz mono, sentence by sentence as it is made: playing can begin before it "
    "is complete, and its header tells no length. To close the connection stops the work.",
    response_class=StreamingResponse,
    responses={
        200: {"content": {MEDIA_TYPE: {"schema": {"type": "string", "format": "binary"}}}},
        **documented(422, 429, 503),
    },
)
async def say_aloud(
    request: Request, application: ApplicationDep, body: SpeechBody
) -> StreamingResponse:
    engines: SpeechService = application.speech
    meter = await _spoken_seconds(application, request)
    try:
        await engines.warm()
        mouth = engines.mouth()
        mouth.say(body.text)
        mouth.finish()
        pieces = cast(AsyncGenerator[tuple[bytes, str], None], mouth.pieces())
        # Waited for here: what cannot be said at all is told in words, not by a file that ends.
        first, _ = await anext(pieces, (b"", ""))
    except BaseException as failed:
        if meter is not None:
            await meter.close()
        if isinstance(failed, ProviderFault):
            raise ProblemError(503, failed.fault.message) from None
        raise

    async def sound() -> AsyncIterator[bytes]:
        yield _HEAD + first
        async for audio, _ in pieces:
            if meter is not None:
                meter.add(len(audio))
                if meter.used_up:
                    return
            yield audio

    async def over() -> None:
        # Whoever has gone away wants no more of it made.
        await pieces.aclose()
        if meter is not None:
            await meter.close()

    return StreamingResponse(
        sound(),
        media_type=MEDIA_TYPE,
        headers={"cache-control": "no-store"},
        background=BackgroundTask(over),
    )


async def _spoken_seconds(application: Application, request: Request) -> SpeechMeter | None:
    """The meter of an answer, where what is spoken is limited. Raises LimitRefused and
    LimitsAway."""
    subject = subject_of(principal_of(request.scope))
    if subject is None or not application.limiter.bounds(subject, SPOKEN):
        return None
    spawn = application.orchestrator.spawn
    meter = SpeechMeter(
        application.limiter, subject, SPOKEN, OUTPUT_RATE, spawn, lambda _words: None
    )
    await meter.open()
    return meter
