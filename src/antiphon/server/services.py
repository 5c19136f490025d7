"""Server services: what the routes and sockets of one server share beside the application."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Self, TypeAlias

from antiphon.app import Application
from antiphon.app.key_files import admin_token
from antiphon.app.maintenance import running_beside
from antiphon.server.automation_runs import AutomationRuns
from antiphon.server.credential_watch import CredentialWatch
from antiphon.server.http_sessions import HttpSessions
from antiphon.server.idle_sessions import IdleSessions
from antiphon.server.macro_runs import MacroRuns
from antiphon.server.mcp.endpoint import McpEndpoint
from antiphon.server.metrics_recorder import MetricsRecorder, measure_declarations
from antiphon.server.schedule_runner import ScheduleRunner
from antiphon.server.sign_in_throttle import SignInThrottle
from antiphon.server.ws.client_calls import ClientCalls
from antiphon.server.ws.sessions import VoiceLimits, VoiceSessions
from antiphon.storage import StoreError

logger = logging.getLogger(__name__)

# Gives the application that a server works for, open while the context lasts.
Opening: TypeAlias = Callable[[], AbstractAsyncContextManager[Application]]


@dataclass(frozen=True, slots=True)
class StreamTimeouts:
    """Seconds of a streamed answer: of silence until a comment is sent, and for a client to take
    what is sent. One that takes nothing for longer has gone, or might as well have."""

    silence: float = 15.0
    sending: float = 5.0


class ServerServices:
    """Sessions, runs, limits and readiness of a server, around one application.

    `http_sessions`, `automation_runs`, `macro_runs`, `schedule_runner`, `mcp`, `voice`,
    `sign_in_throttle`, `credential_watch` and `admin_token` are there while it runs. `warm_after`
    are the seconds from the start until models are loaded; None is the usual delay. `application`
    is opened and closed with it, or `opening` gives another one, which is somebody else's.
    """

    http_sessions: HttpSessions
    automation_runs: AutomationRuns
    macro_runs: MacroRuns
    schedule_runner: ScheduleRunner
    mcp: McpEndpoint
    voice: VoiceSessions
    sign_in_throttle: SignInThrottle
    credential_watch: CredentialWatch
    admin_token: str

    def __init__(self, application: Application, opening: Opening | None = None) -> None:
        self.application = application
        self._opening = opening
        self.ready = False
        self.voice_limits = VoiceLimits(start_seconds=application.settings.limits.start_seconds)
        self.stream_timeouts = StreamTimeouts()
        self.warm_after: float | None = None
        self.metrics_recorder = MetricsRecorder(application.metrics)
        self.replaying = asyncio.Lock()
        self.client_calls: dict[
            str, ClientCalls
        ] = {}  # by session of `/api/chat`, while it answers

    def renewed(self, application: Application) -> Self:
        """The services of another application, with the same limits."""
        fresh = type(self)(application, self._opening)
        fresh.voice_limits, fresh.stream_timeouts = self.voice_limits, self.stream_timeouts
        fresh.warm_after = self.warm_after
        return fresh

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Open the application and serve until the context is left; then save every session.

        Raises what entering the application does. A store that is lost meanwhile is logged.
        """
        began = False
        opening = self._opening() if self._opening is not None else self.application
        try:
            async with opening as application:
                self._serve(application)
                orchestrator = application.orchestrator
                recording = running_beside({"metrics": self.metrics_recorder.keep()})
                async with application.maintained(self.warm_after), recording:
                    self.http_sessions = HttpSessions(orchestrator)
                    self.automation_runs = AutomationRuns(
                        orchestrator, application.workspaces.chosen
                    )
                    self.macro_runs = MacroRuns(orchestrator)
                    self.schedule_runner = ScheduleRunner(
                        orchestrator,
                        application.workspace.schedules,
                        self.automation_runs,
                        self.http_sessions,
                        application.calendars.chosen,
                    )
                    self.mcp = McpEndpoint(application, lambda: self.http_sessions)
                    self.voice = VoiceSessions(orchestrator, self.voice_limits)
                    secret = await asyncio.to_thread(application.store.secret, "sign-in marks")
                    self.sign_in_throttle = SignInThrottle(secret)
                    self.admin_token, _ = await asyncio.to_thread(admin_token, application.settings)
                    self.credential_watch = CredentialWatch(application.access, orchestrator)
                    beside = {
                        "schedules": self.schedule_runner.keep(),
                        "credentials": self.credential_watch.keep(),
                        "idle sessions": IdleSessions(
                            orchestrator, lambda: application.text_agent
                        ).keep(),
                    }
                    async with running_beside(beside):
                        self.ready = began = True
                        yield
                        self.ready = False
                    self.voice.close()
                    await self.mcp.close()
                    await self.macro_runs.close()
                    await self.automation_runs.close()
                await self.http_sessions.save_all()
        except StoreError as error:
            if not began:
                raise
            # It cannot be mended any more. What was answered is durable already.
            logger.error("the store was not there at the end: %s", error)
        finally:
            self.ready = False

    def _serve(self, application: Application) -> None:
        if application is not self.application:
            self.application = application
            self.metrics_recorder = MetricsRecorder(application.metrics)
        measure_declarations(application.metrics, application.registry)
