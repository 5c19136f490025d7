"""One reply of an emulated Realtime session: the beats of a script as the service's events."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import orjson

from antiphon.emulators.base import speech
from antiphon.emulators.openai.realtime.response import EmulatedResponse
from antiphon.emulators.script import Beat, ScriptError
from antiphon.emulators.wire import SocketGone

if TYPE_CHECKING:
    from antiphon.emulators.openai.realtime.connection import EmulatedRealtimeConnection

_CONTENT = ("say", "text", "audio", "thinking", "calls")
# With one of these still to come, a response with calls in it is not over yet.
_GOES_ON = (*_CONTENT, "cancel", "complete", "interrupted", "speech", "usage")
# Status and reason of response.done for what a script says after `complete`.
_ENDS = {
    "true": ("completed", None),
    "completed": ("completed", None),
    "max_tokens": ("incomplete", "max_output_tokens"),
    "max_output_tokens": ("incomplete", "max_output_tokens"),
    "refused": ("incomplete", "content_filter"),
    "content_filter": ("incomplete", "content_filter"),
    "cancelled": ("cancelled", "client_cancelled"),
    "client_cancelled": ("cancelled", "client_cancelled"),
    "turn_detected": ("cancelled", "turn_detected"),
    "failed": ("failed", None),
}


async def play(
    connection: EmulatedRealtimeConnection, kind: str, beats: Sequence[Beat], event_id: str | None
) -> None:
    """Play the script's reply to an event; `event_id` is the id of the client's event."""
    try:
        await _Reply(connection, kind, beats, event_id).run()
    except SocketGone:
        pass  # the client may leave when it likes
    except ScriptError as error:
        connection.report_problem(str(error))


class _Reply:
    def __init__(
        self,
        connection: EmulatedRealtimeConnection,
        kind: str,
        beats: Sequence[Beat],
        event_id: str | None,
    ) -> None:
        self._connection = connection
        self._kind = kind
        self._beats = beats
        self._event_id = event_id
        self._mine: EmulatedResponse | None = None
        self._told = next((b.value for b in reversed(beats) if b.kind == "usage"), None)
        self._failure: dict[str, Any] | None = None

    async def run(self) -> None:
        kinds = [beat.kind for beat in self._beats]
        fits = {"hear", "complete", *_CONTENT}.intersection(kinds)
        if self._kind in ("audio", "audio_end") and "speech" not in kinds and fits:
            await self._connection.detect_speech()
        for n, beat in enumerate(self._beats):
            await getattr(self, f"_{beat.kind}")(beat)
            over = not any(later in _GOES_ON for later in kinds[n + 1 :])
            if beat.kind == "calls" and over and beat.options.get("done", True):
                await self._end()
        if self._failure is not None and self._going():
            await self._end("failed", error=self._failure)
        elif not set(kinds) & {"calls", "complete", "silent", "drop", "close", "error", "status"}:
            asked = "hear" in kinds or self._connection.asked is asyncio.current_task()
            if self._going() or (asked and self._mine is None):
                await self._response()
                await self._end()
        elif "calls" in kinds and all(b.options.get("done", True) for b in self._beats):
            await self._end()

    # -- beats: what is said

    async def _say(self, beat: Beat) -> None:
        whole = beat.options.get("whole")
        await (await self._response()).say(beat.value, speech(beat), whole)

    _text = _say  # a session that speaks says it aloud

    async def _audio(self, beat: Beat) -> None:
        await (await self._response()).say("", speech(beat))

    async def _thinking(self, beat: Beat) -> None:
        del beat  # the service does not show it
        await self._response()

    async def _calls(self, beat: Beat) -> None:
        response = await self._response()
        for call in beat.value:
            await response.call(call)

    async def _cancel(self, beat: Beat) -> None:
        """Cancel the response before its calls are complete: the service takes back no call."""
        del beat
        await self._end("cancelled", "turn_detected")

    async def _complete(self, beat: Beat) -> None:
        await self._response()
        end = _ENDS.get(str(beat.value).lower())
        if end is None:
            self._connection.report_problem(
                f"complete: {beat.value!r} is no way to end; there are {', '.join(_ENDS)}"
            )
            end = ("completed", None)
        await self._end(*end)

    async def _usage(self, beat: Beat) -> None:
        pass  # it is told with the end of the response

    # -- beats: what is heard

    async def _hear(self, beat: Beat) -> None:
        await self._connection.transcribe(beat.value, beat.options.get("pieces"))

    async def _speech(self, beat: Beat) -> None:
        if self._connection.session.listens is None:
            self._connection.report_problem(
                "the script has `speech`, but the client turned turn_detection off"
            )
        elif beat.value == "started":
            await self._connection.speech_started()
        else:
            await self._connection.speech_stopped()

    async def _interrupted(self, beat: Beat) -> None:
        del beat
        if self._connection.session.listens is None:
            await self._connection.stop("turn_detected")
        else:
            await self._connection.speech_started()

    # -- beats: what the service does not have

    async def _resumption(self, beat: Beat) -> None:
        del beat
        self._connection.report_problem("OpenAI Realtime has no resumption")

    async def _go_away(self, beat: Beat) -> None:
        del beat
        self._connection.report_problem(
            "OpenAI Realtime has no go_away; options.expires_in ends a session"
        )

    async def _status(self, beat: Beat) -> None:
        self._connection.report_problem(
            f"status: {beat.value} cannot be sent on an open WebSocket; use it on: connect"
        )

    # -- beats: faults

    async def _error(self, beat: Beat) -> None:
        body = {
            "type": "invalid_request_error",
            "code": None,
            "message": "The server had an error while processing your request.",
            "param": None,
            "event_id": None if self._going() else self._event_id,
            **beat.value,
        }
        if self._going():
            self._failure = {key: body[key] for key in ("type", "code", "message")}
        await self._connection.event("error", error=body)

    async def _raw(self, beat: Beat) -> None:
        body = beat.value
        await self._connection.send(body if isinstance(body, str) else orjson.dumps(body).decode())

    async def _wait(self, beat: Beat) -> None:
        await asyncio.sleep(beat.value)

    async def _duplicate(self, beat: Beat) -> None:
        for _ in range(int(beat.value)):
            await self._connection.send(self._connection.last)

    async def _oversized(self, beat: Beat) -> None:
        await self._connection.event(
            "rate_limits.updated", rate_limits=[], padding="x" * beat.value
        )

    async def _close(self, beat: Beat) -> None:
        await self._connection.socket.close(beat.value, beat.options.get("reason", ""))

    async def _drop(self, beat: Beat) -> None:
        del beat
        self._connection.socket.abort()

    async def _silent(self, beat: Beat) -> None:
        del beat
        self._connection.silent = True
        await self._connection.socket.wait_closed()

    # -- the response

    def _going(self) -> bool:
        return self._mine is not None and self._connection.active is self._mine

    async def _response(self) -> EmulatedResponse:
        if not self._going():
            self._mine = await self._connection.respond()
        assert self._mine is not None
        return self._mine

    async def _end(
        self, status: str = "completed", reason: str | None = None, error: Any = None
    ) -> None:
        if self._mine is not None:
            await self._mine.finish(status, reason, self._told, error)
