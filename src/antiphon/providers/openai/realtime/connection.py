"""Realtime connection: messages of one OpenAI session as events, and events as messages."""

from __future__ import annotations

from binascii import a2b_base64
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

import orjson
from pybase64 import b64decode, b64encode

from antiphon.contracts import ToolCall
from antiphon.contracts.events import (
    OUTPUT_RATE,
    Activity,
    Audio,
    AudioEnded,
    CallAnswer,
    EndReason,
    Event,
    Fault,
    GoAway,
    Input,
    Interrupt,
    Interrupted,
    Prompt,
    Ready,
    SendAudio,
    SpeechStarted,
    SpeechStopped,
    Text,
    ToolCalls,
    TurnEnded,
    Usage,
)
from antiphon.providers.auth import redact_key
from antiphon.providers.faults import fault
from antiphon.providers.live import LiveConnection
from antiphon.providers.openai.realtime import faults
from antiphon.providers.openai.realtime import setup as setups
from antiphon.providers.openai.realtime.calls import FunctionCalls
from antiphon.providers.openai.realtime.response_state import ResponseState
from antiphon.providers.openai.realtime.transcripts import Transcripts
from antiphon.providers.openai.realtime.transport import RealtimeTransport
from antiphon.providers.port import Access, Capabilities, Setup
from antiphon.resampling import StreamResampler

NOTICE = 60.0  # seconds before the end of a session that it is said: the service gives no warning
_BYTES_PER_MS = 2 * OUTPUT_RATE // 1000
_MIN_COMMIT = 100 * _BYTES_PER_MS  # less than this is refused
_SPEECH = "response.output_audio.delta"
_APPEND = b'{"type":"input_audio_buffer.append","audio":"'
_TRANSCRIPTION = "conversation.item.input_audio_transcription."
_END: dict[str | None, EndReason] = {
    "max_output_tokens": "max_tokens",
    "content_filter": "refused",
}


class RealtimeConnection(LiveConnection):
    """One Realtime session: turns, barge-in, transcripts, calls, and audio at 24 kHz."""

    def __init__(
        self,
        transport: RealtimeTransport,
        access: Access,
        setup: Setup,
        capabilities: Capabilities,
        ready: Ready,
        seconds_left: float,
    ) -> None:
        super().__init__("openai", setup, capabilities, ready)
        self._transport = transport
        self._access = access
        self._responses = ResponseState()
        self._resampler = StreamResampler()
        self._unasked = False  # results were given for which no answer was asked
        self._buffered = 0  # bytes of speech that the service has not made an item of
        self._received: dict[str, int] = {}  # bytes of speech of each item of the model
        self._speaking: str | None = None  # the last of them
        self._plays_until = 0.0
        self._function_calls = FunctionCalls()
        self._transcripts = Transcripts()
        self._done: deque[str] = deque(maxlen=32)  # responses that are over
        self._last_message: dict[str, Any] = {}
        self._names_differ = True  # each event has an id of its own; not at every server
        self._quiet_since = self._loop.time()
        self._guard = self._loop.call_later(setup.deadlines.answer, self._look)
        self._ends_at = self._loop.time() + seconds_left
        self._farewell = self._loop.call_later(max(0.0, seconds_left - NOTICE), transport.wake)
        transport.set_on_message(self._on_message)

    # -- reading

    async def _messages(self) -> AsyncIterator[Any]:
        try:
            while True:
                data = await self._transport.receive_or_wake()
                if data is None:
                    yield GoAway(max(0.0, self._ends_at - self._loop.time()))
                    continue
                try:
                    message = orjson.loads(data)
                except orjson.JSONDecodeError:
                    yield data  # which nobody understands, and that is said
                    continue
                if isinstance(message, dict) and self._responses.on_message(message):
                    await self._ask()
                yield message
        finally:
            self._stop_timers()

    def _on_message(self, data: bytes, text: bool) -> bool:
        """Hand speech to the audio sink; return False for any other message, or if the sink is not
        writable, so that it is queued for the reader."""
        del text
        sink = self.audio_sink
        if sink is None or not sink.writable:
            return False
        try:
            message = orjson.loads(data)
            if message["type"] != _SPEECH:
                return False
            events = self._audio_events(message)
        except (AttributeError, KeyError, TypeError, ValueError):
            return False  # whatever it is, it is understood, or not, where it is read
        self._cancel_watchdog()
        for event in events:
            sink.on_audio(event)
        return True

    def _translate(self, message: Any) -> Iterable[Event]:
        if isinstance(message, GoAway):
            return (message,)
        if not isinstance(message, dict):
            raise ValueError("no JSON object")  # noqa: TRY004 - it is about what it says
        kind = message["type"]
        if kind == _SPEECH:
            return self._audio_events(message)
        if self._is_repeated(message):
            return ()
        self._last_message = message
        self._function_calls.on_message(message)
        return self._other(kind, message)

    def _is_repeated(self, message: dict[str, Any]) -> bool:
        """Tell whether a message is a repetition of the last. Some servers give all their events
        one id: that alone says nothing, and where it happens two that are alike are two."""
        last = self._last_message
        if not message.get("event_id") or message["event_id"] != last.get("event_id"):
            return False
        self._names_differ = self._names_differ and message == last
        return self._names_differ

    def _audio_events(self, message: dict[str, Any]) -> tuple[Audio, ...]:
        """Return the speech in a message; if it raises, no state has changed."""
        if self._is_repeated(message) or self._responses.is_void(message):
            return ()
        item, data = message["item_id"], _decoded(message["delta"])
        self._received[item] = self._received.get(item, 0) + len(data)
        self._last_message = message
        self._speaking = item
        now = self._quiet_since
        start = self._plays_until if self._plays_until > now else now
        self._plays_until = start + len(data) / (1000 * _BYTES_PER_MS)
        return (Audio(data, item),)

    def _other(self, kind: str, message: dict[str, Any]) -> Iterator[Event]:
        if kind in ("response.output_audio_transcript.delta", "response.output_text.delta"):
            if not self._responses.is_void(message):
                text, item = message["delta"], message.get("item_id")
                yield Text(text) if "text" in kind else self._transcripts.add_model_text(text, item)
        elif kind == "response.output_audio_transcript.done":
            whole = "" if self._responses.is_void(message) else message.get("transcript")
            yield self._transcripts.finish_model_text(whole or "", message.get("item_id"))
        elif kind == "response.done":
            yield from self._response_done(message["response"])
        elif kind == "input_audio_buffer.committed":
            yield from self._transcripts.close_open_items(message.get("item_id"))
        elif kind == "input_audio_buffer.speech_started":
            yield from self._transcripts.close_open_items(message.get("item_id"))
            yield SpeechStarted(message.get("item_id"))
            if self._responses.void_by_service() or self._loop.time() < self._plays_until:
                self._plays_until = 0.0
                yield Interrupted()
        elif kind == "input_audio_buffer.speech_stopped":
            yield SpeechStopped(message.get("item_id"))
        elif kind.startswith(_TRANSCRIPTION):
            yield from self._transcripts.add_user_transcript(
                kind.removeprefix(_TRANSCRIPTION), message
            )
            if kind.endswith(".failed"):
                what = faults.of_event(message.get("error"))
                what.fatal = False
                yield what
        elif kind == "error":
            yield from self._error(message.get("error"))

    # -- the end of a response

    def _response_done(self, response: dict[str, Any]) -> Iterator[Event]:
        name = response.get("id")
        if name in self._done:
            return
        if name:
            self._done.append(name)
        status = response.get("status") or "completed"
        reason = (response.get("status_details") or {}).get("reason")
        items = self._function_calls.of(response.get("output"))
        self._function_calls.clear()
        calls = tuple(map(self._call, items))
        usage = tuple(_usage(response.get("usage")))
        void = self._responses.ended
        if status == "completed" and calls:
            sound = [c for c in calls if c.id and c.id not in self._asked]
            ids = {c.id: c for c in sound}
            if ids:
                self._asked |= {c.id: c.name for c in ids.values() if c.id}
                yield ToolCalls(tuple(ids.values()))
            yield from usage
            if len(ids) < len(calls):
                yield fault("openai", "protocol", "a call without an id of its own", fatal=False)
                if not ids:
                    yield TurnEnded("failed")
            return
        end: EndReason = "complete"
        said: list[Event] = []
        if void == "by_us" or (status == "cancelled" and void is None):
            self._plays_until = 0.0
            yield Interrupted()
        if status == "cancelled" or void is not None:
            end = "interrupted"
        elif status == "incomplete":
            end = _END.get(reason, "failed")
            if end == "refused":
                said.append(fault("openai", "refused", fatal=False))
            elif items:
                said.append(fault("openai", "truncated", str(reason), fatal=False))
        elif status != "completed":
            end = "failed"
            error = (response.get("status_details") or {}).get("error")
            if status == "failed":
                what = faults.of_event(error or {"type": "server_error"})
            else:
                what = fault("openai", "protocol", f"a response with status {status!r}")
            what.fatal = False
            said.append(self._redacted(what))
        yield from usage
        yield from said
        yield TurnEnded(end)

    def receive_tool_calls(self, message: Any) -> list[ToolCall]:
        if isinstance(message, bytes | str):
            message = orjson.loads(message)
        elif not isinstance(message, dict):
            message = message.to_dict()
        if message.get("type") != "response.done":
            return []
        response = message.get("response") or {}
        if response.get("status") != "completed":
            return []
        return [self._call(item) for item in FunctionCalls().of(response.get("output"))]

    def _call(self, item: dict[str, Any]) -> ToolCall:
        name = item.get("name") or ""
        return ToolCall(item.get("call_id"), name, self._arguments(name, item))

    def _arguments(self, name: str, item: dict[str, Any]) -> Any:
        written = item.get("arguments")
        args = written
        if written is None or (isinstance(written, str) and not written.strip()):
            args = {}  # of a tool without parameters
        elif isinstance(written, str):
            try:
                args = orjson.loads(written)
            except orjson.JSONDecodeError:
                return written  # dispatch refuses what is no object, and says so to the model
        if not isinstance(args, dict):
            return str(written)
        return self.setup.tools.arguments(setups.FORM, name, args)

    # -- errors

    def _error(self, error: Any) -> Iterator[Event]:
        refused = self._responses.refused(error)
        if refused == "harmless":
            return
        what = self._redacted(faults.of_event(error, where=self.setup.model))
        yield what
        if refused == "no_answer" and not what.fatal:
            yield TurnEnded("failed")

    def _fault(self, error: Exception) -> Fault:
        return self._over or self._redacted(faults.of_exception(error))

    def _redacted(self, what: Fault) -> Fault:
        return redact_key(what, self._access)

    # -- writing

    async def _transmit(self, event: Input) -> None:
        match event:
            case SendAudio(data):
                await self._append(self._resampler.push(data))
            case Prompt(text, answer):
                if answer:
                    await self._cancel()  # they wrote something new: what is said now is old
                await self._create(setups.message("user", text))
                if answer:
                    await self._ask()
            case CallAnswer():
                assert event.id is not None
                del self._asked[event.id]
                await self._create(setups.output(event.id, event))
                if self._responses.speaking:
                    self._unasked = True  # who speaks is answered soon, with this in mind
                elif not self._asked:
                    await self._ask()
            case Interrupt(played_ms, item):
                self._plays_until = 0.0
                await self._cancel()
                await self._truncate(item or self._speaking, played_ms)
            case Activity(active):
                await (self._begin_speech() if active else self._hand_in())
            case AudioEnded():
                if self.setup.manual_activity:
                    await self._hand_in()
                else:
                    # The service waits for silence, and now none will come by itself.
                    self._resampler.reset()
                    await self._append(bytes((setups.SILENCE_MS + 300) * _BYTES_PER_MS))

    def _try_transmit_audio(self, pcm: bytes) -> bool:
        if not self._transport.writable:  # asked first: the resampler cannot take samples back
            return False
        data = self._resampler.push(pcm)
        if data:
            self._transport.send_now(self._append_message(data))
        return True

    async def _append(self, data: bytes) -> None:
        if data:
            await self._transport.send(self._append_message(data))

    def _append_message(self, data: bytes) -> bytes:
        self._buffered += len(data)
        return b"".join((_APPEND, b64encode(data), b'"}'))

    async def _begin_speech(self) -> None:
        await self._cancel()
        self._responses.speaking = True
        self._resampler.reset()
        self._buffered = 0
        await self._transport.send_json({"type": "input_audio_buffer.clear"})

    async def _hand_in(self) -> None:
        """Commit the buffered speech and ask for an answer; a tap on the button is too little to be
        anything."""
        size, self._buffered = self._buffered, 0
        unasked, self._unasked = self._unasked, False
        self._responses.speaking = False
        self._resampler.reset()
        if size < _MIN_COMMIT:
            await self._transport.send_json({"type": "input_audio_buffer.clear"})
            if unasked and not self._asked:
                await self._ask()
            return
        await self._transport.send_json({"type": "input_audio_buffer.commit"})
        await self._ask()

    async def _create(self, item: dict[str, Any]) -> None:
        await self._transport.send_json({"type": "conversation.item.create", "item": item})

    async def _ask(self) -> None:
        """Request a response, now or as soon as the one that is under way is over."""
        name = self._responses.ask()
        if name is None:
            return
        self._quiet_since = self._loop.time()
        timer = self._loop.call_later(self.setup.deadlines.send, self._time_out, "is stuck")
        try:
            await self._transport.send_json({"type": "response.create", "event_id": name})
        finally:
            timer.cancel()

    async def _cancel(self) -> None:
        if self._responses.void_by_us():
            await self._transport.send_json({"type": "response.cancel"})

    async def _truncate(self, item: str | None, played_ms: int | None) -> None:
        received = self._received.get(item or "", 0)
        if item is None or played_ms is None or not received:
            return
        ms = max(0, min(played_ms, received // _BYTES_PER_MS))
        self._received[item] = ms * _BYTES_PER_MS
        await self._transport.send_json(
            {
                "type": "conversation.item.truncate",
                "event_id": self._responses.name("cut"),
                "item_id": item,
                "content_index": 0,
                "audio_end_ms": ms,
            }
        )

    # -- watching over it

    def _owes_answer(self, event: Input) -> bool:
        del event
        return False  # it is watched here, also after the first sign of an answer

    def _cancel_watchdog(self) -> None:
        super()._cancel_watchdog()
        self._quiet_since = self._loop.time()

    def _look(self) -> None:
        """Watchdog: time out a model whose turn it is and that has said nothing for long."""
        deadlines = self.setup.deadlines
        wait = deadlines.gap if self._responses.active else deadlines.answer
        quiet = self._loop.time() - self._quiet_since if self._responses.owed else 0.0
        if quiet >= wait:
            self._time_out(f"said nothing for {wait:g} s")
        else:
            self._guard = self._loop.call_later(min(deadlines.answer, wait - quiet), self._look)

    def _stop_timers(self) -> None:
        self._guard.cancel()
        self._farewell.cancel()

    def _abort(self) -> None:
        self._stop_timers()
        self._transport.abort()

    async def _close_transport(self) -> None:
        self._stop_timers()
        await self._transport.close()


def _decoded(delta: str) -> bytes:
    try:
        return b64decode(delta, validate=True)
    except ValueError:
        return a2b_base64(delta)  # slower, and not so strict


def _usage(found: Any) -> Iterator[Usage]:
    if isinstance(found, dict):
        read = found.get("input_token_details") or {}
        written = found.get("output_token_details") or {}
        from_cache = read.get("cached_tokens_details") or {}
        heard = (read.get("audio_tokens") or 0) - (from_cache.get("audio_tokens") or 0)
        yield Usage(
            found.get("input_tokens") or 0,
            found.get("output_tokens") or 0,
            read.get("cached_tokens") or 0,
            found,
            audio_input_tokens=max(0, heard),
            audio_output_tokens=written.get("audio_tokens") or 0,
        )
