"""Metered speech of a socket: what is heard and spoken there, against the day's amounts."""

from __future__ import annotations

from collections.abc import Callable

from antiphon.contracts.events import INPUT_RATE, OUTPUT_RATE
from antiphon.contracts.limits import LimitSubject
from antiphon.limits.limiter import Limiter
from antiphon.server.speech_meter import HEARD, SPOKEN, Spawn, SpeechMeter
from antiphon.server.ws.intake import Intake
from antiphon.server.ws.outlet import SocketOutlet


class MeteredSpeech:
    """The meters of a socket's two directions; none where nothing is limited."""

    def __init__(self, limiter: Limiter, subject: LimitSubject | None, spawn: Spawn) -> None:
        self._limiter = limiter
        self._subject = subject
        self._spawn = spawn
        self._meters: list[SpeechMeter] = []

    async def open(
        self, intake: Intake, outlet: SocketOutlet, used_up: Callable[[str], None]
    ) -> None:
        """Count the first seconds; `used_up` is told when there are no more. Raises LimitRefused
        and LimitsAway."""
        if self._subject is None or self._meters:
            return
        try:
            intake.meter = await self._opened(HEARD, INPUT_RATE, used_up)
            outlet.meter = await self._opened(SPOKEN, OUTPUT_RATE, used_up)
        except BaseException:
            intake.meter = None
            await self.close()
            raise

    async def _opened(
        self, limit: str, rate: int, used_up: Callable[[str], None]
    ) -> SpeechMeter | None:
        subject = self._subject
        if subject is None or not self._limiter.bounds(subject, limit):
            return None
        meter = SpeechMeter(self._limiter, subject, limit, rate, self._spawn, used_up)
        await meter.open()
        self._meters.append(meter)
        return meter

    async def close(self) -> None:
        """Give back what was not used."""
        meters, self._meters = self._meters, []
        for meter in meters:
            await meter.close()
