"""Gemini Live connection: messages of one session as events, and events as messages."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

import orjson

from antiphon.contracts import ToolCall
from antiphon.contracts.events import (
    Activity,
    Audio,
    AudioEnded,
    CallAnswer,
    EndReason,
    Event,
    Fault,
    GoAway,
    Grounded,
    Input,
    Interrupt,
    Interrupted,
    Prompt,
    Ready,
    Resumption,
    SendAudio,
    SpeechStarted,
    SpeechStopped,
    Text,
    ToolCalls,
    ToolCallsCancelled,
    Transcript,
    TurnEnded,
    Usage,
)
from antiphon.providers.faults import fault
from antiphon.providers.gemini import faults
from antiphon.providers.gemini.config import SEARCHED
from antiphon.providers.live import LiveConnection
from antiphon.providers.port import Access, Capabilities, ProviderFault, Setup

if TYPE_CHECKING:
    from antiphon.providers.gemini.transport import GeminiTransport

# Begins the ids of calls that came without one. With `temp` in it nobody takes them for stable.
_NO_ID = "temp_gemini_"
_REFUSED = (
    "RESPONSE_REJECTED",
    "BLOCKLIST",
    "PROHIBITED",
    "SAFETY",
    "INPUT_",
    "GENERATED_",
    "_IP_",
)


class GeminiLiveConnection(LiveConnection):
    """One Live session.

    The API has no message that stops the model. On Interrupt, a setup with `manual_activity` says
    that the person begins to speak, which stops it; otherwise nothing is sent: the model stops by
    itself when it hears the person, and until then events go on to bring audio of that turn,
    which is for the reader to drop.

    A Prompt without `answer` is content of a turn that is not complete. Models that take text
    only as realtime input answer every text at once; for them it is kept until it can go with
    something that is answered anyway: the next Prompt, or the next time the person presses the
    button. While they only speak, with automatic detection, such a model does not learn of it.
    """

    def __init__(
        self,
        access: Access,
        setup: Setup,
        capabilities: Capabilities,
        ready: Ready,
        session: Any,
        transport: GeminiTransport,
    ) -> None:
        super().__init__("gemini", setup, capabilities, ready)
        from google.genai import types

        from antiphon.providers.gemini.transport import decode_audio

        facts = access.catalogue.facts("gemini", setup.model)
        self._access = access
        self._session = session
        self._transport = transport
        self._decode_audio = decode_audio
        transport.on_message = self._on_message
        self._form = facts.tool_form
        self._realtime_text = facts.text_input == "realtime"
        self._answer = types.FunctionResponse
        self._idle = types.InteractionStatus.IDLE
        self._unknown_status = types.InteractionStatus.INTERACTION_STATUS_UNSPECIFIED
        self._seen: set[str] = set()  # ids of this turn's calls: one that is repeated is not new
        self._nameless = 0  # calls that came without an id
        self._notes: list[str] = []
        self._active = False
        self._spoke = False  # since the button was pressed
        self._interrupted = False
        self._open_transcripts: set[str] = set()

    # -- from the model

    async def _messages(self) -> AsyncIterator[Any]:
        while True:
            samples = await self._transport.receive_audio()
            if samples is not None:
                yield Audio(samples)
                continue
            try:
                # A reader for each message: the SDK's ends with the turn, and handles and go-aways
                # come after it.
                async with aclosing(self._session.receive()) as messages:
                    message = await anext(messages)
            except Exception:
                raw = self._transport.message
                if raw is None:
                    raise  # the line has ended
                owed = self._watchdog is not None
                yield raw  # what the SDK could not make sense of
                if owed:
                    self._restart_watchdog()
            else:
                yield message

    def _on_message(self, data: bytes, text: bool) -> bool:
        """Hand speech to the audio sink; return False for any other message, or if the sink is not
        writable, so that it is queued for the reader."""
        del text
        sink = self.audio_sink
        if sink is None or not sink.writable:
            return False
        samples = self._decode_audio(data)
        if samples is None:
            return False
        self._cancel_watchdog()
        sink.on_audio(Audio(samples))
        return True

    def _translate(self, message: Any) -> Iterable[Event]:
        return (message,) if type(message) is Audio else self._events(message)

    def _events(self, message: Any) -> Iterable[Event]:
        if isinstance(message, bytes | str):
            yield from self._garbled(message)
            return
        content = message.server_content
        if content is not None and content.grounding_metadata is not None:
            yield Grounded(SEARCHED)  # before the calls that may come of it
        if message.tool_call is not None:
            yield from self._called(self.receive_tool_calls(message))
        if message.tool_call_cancellation is not None:
            yield from self._taken_back(message.tool_call_cancellation.ids)
        if message.voice_activity is not None:
            yield from _activity(message.voice_activity.voice_activity_type)
        if content is not None:
            if content.interrupted:
                self._interrupted = True
                yield Interrupted()
            turn = content.model_turn
            if turn is not None and turn.parts:
                for part in turn.parts:
                    if part.inline_data is not None and part.inline_data.data:
                        yield Audio(part.inline_data.data)
                for part in turn.parts:
                    if part.text and not part.thought:
                        yield Text(part.text)
            # What is heard in the interim comes again, in its final form.
            if content.input_transcription is not None:
                yield from self._transcribed("user", content.input_transcription)
            if content.output_transcription is not None:
                yield from self._transcribed("model", content.output_transcription)
        if message.usage_metadata is not None:
            yield _usage(message.usage_metadata)
        if message.session_resumption_update is not None:
            yield from _resumption(message.session_resumption_update)
        if message.go_away is not None:
            yield GoAway(_seconds(message.go_away.time_left))
        if content is not None and self._is_over(content):
            yield from self._turn_over(content.turn_complete_reason)

    def receive_tool_calls(self, message: Any) -> list[ToolCall]:
        if message.tool_call is None:
            return []
        arguments = self.setup.tools.arguments
        return [
            ToolCall(call.id, call.name or "", arguments(self._form, call.name or "", call.args))
            for call in message.tool_call.function_calls or ()
        ]

    def _called(self, calls: list[ToolCall]) -> Iterable[Event]:
        fresh = []
        for call in calls:
            if not call.id:
                self._nameless += 1
                call = ToolCall(f"{_NO_ID}{self._nameless}", call.name, call.args)
            assert call.id is not None
            if call.id not in self._seen and call.id not in self._asked:
                self._seen.add(call.id)
                self._asked[call.id] = call.name
                fresh.append(call)
        if fresh:
            yield ToolCalls(tuple(fresh))

    def _taken_back(self, ids: list[str] | None) -> Iterable[Event]:
        for id_ in ids or ():
            self._asked.pop(id_, None)
        if ids:
            yield ToolCallsCancelled(tuple(ids))

    def _transcribed(self, role: Any, piece: Any) -> Iterable[Event]:
        final = bool(piece.finished)
        if final:
            self._open_transcripts.discard(role)
        else:
            self._open_transcripts.add(role)
        if piece.text or final:
            yield Transcript(role, piece.text or "", final=final)

    def _is_over(self, content: Any) -> bool:
        status = content.interaction_status
        if status is None or status is self._unknown_status:
            return bool(content.turn_complete)
        return bool(status is self._idle)

    def _turn_over(self, why: Any) -> Iterable[Event]:
        for role in sorted(self._open_transcripts):
            yield Transcript(role, "", final=True)  # type: ignore[arg-type]
        self._open_transcripts.clear()
        self._seen.clear()  # an id that comes again in the next turn is another call's
        reason: EndReason = "interrupted" if self._interrupted else _reason(why)
        self._interrupted = False
        if reason == "refused":
            yield fault("gemini", "refused", why.value, fatal=False)
        yield TurnEnded(reason)

    def _garbled(self, raw: bytes | str) -> Iterable[Event]:
        try:
            body = json.loads(raw)
        except ValueError:
            body = None
        if isinstance(body, dict) and isinstance(body.get("toolCall"), dict):
            # Arguments that are no object, most likely: the call is whole all the same.
            calls = body["toolCall"].get("functionCalls")
            found = [c for c in calls or () if isinstance(c, dict) and c.get("name")]
            if found:
                named = [(c.get("id"), str(c["name"]), c.get("args")) for c in found]
                yield from self._called([ToolCall(*call) for call in named])
                return
        yield faults.of_message(raw, fatal=False)
        if isinstance(body, dict) and "error" in body:
            yield TurnEnded("failed")

    # -- to the model

    async def _transmit(self, event: Input) -> None:
        session = self._session
        match event:
            case SendAudio(data):
                self._spoke = True
                await self._transport.send_audio(data)
            case CallAnswer(id_, name, envelope):
                assert id_ is not None, "LiveConnection checks it"
                del self._asked[id_]
                if id_.startswith(_NO_ID):
                    # The service finds the call by its name; the SDK would not send it like this.
                    body = {"functionResponses": [{"name": name, "response": envelope}]}
                    await self._transport.send_text(orjson.dumps({"tool_response": body}))
                else:
                    answer = self._answer(id=id_, name=name, response=envelope)
                    await session.send_tool_response(function_responses=answer)
            case Prompt(text, answer):
                await self._prompt(text, answer=answer)
            case AudioEnded():
                if not self.setup.manual_activity:
                    await session.send_realtime_input(audio_stream_end=True)
                else:
                    await self._set_active(False)
            case Activity(active):
                if not self.setup.manual_activity:
                    detail = "Activity is for setups with manual_activity"
                    raise ProviderFault(fault("gemini", "bad_request", detail, fatal=False))
                await self._set_active(active)
            case Interrupt():
                if self.setup.manual_activity:
                    await self._set_active(True)

    def _try_transmit_audio(self, pcm: bytes) -> bool:
        sent = self._transport.try_send_audio(pcm)
        self._spoke = self._spoke or sent
        return sent

    async def _prompt(self, text: str, *, answer: bool) -> None:
        if not self._realtime_text:
            turn = {"role": "user", "parts": [{"text": text}]}
            await self._session.send_client_content(turns=turn, turn_complete=answer)
            return
        self._notes.append(text)
        if answer or self._active:
            await self._send_notes()

    async def _send_notes(self) -> None:
        text = "\n\n".join(self._notes)
        self._notes.clear()
        await self._session.send_realtime_input(text=text)

    async def _set_active(self, active: bool) -> None:
        """Send a change of activity once: the service ends a session that says it twice."""
        if active == self._active:
            self._spoke = False
            return
        self._active = active
        if not active:
            await self._session.send_realtime_input(activity_end={})
            return
        self._spoke = False
        await self._session.send_realtime_input(activity_start={})
        if self._notes:
            await self._send_notes()

    def _owes_answer(self, event: Input) -> bool:
        if isinstance(event, AudioEnded) and not self.setup.manual_activity:
            return False  # who knows whether anything was said
        return super()._owes_answer(event) and (
            self._spoke or not isinstance(event, AudioEnded | Activity)
        )

    # -- the line

    def _fault(self, error: Exception) -> Fault:
        return faults.of_error(error, self._access, self.setup.model)

    def _abort(self) -> None:
        self._transport.abort()

    async def _close_transport(self) -> None:
        await self._transport.hang_up()

    def _restart_watchdog(self) -> None:
        """Wait anew for the answer that the model still owes: what came was none."""
        wait = self.setup.deadlines.answer
        self._cancel_watchdog()
        self._watchdog = self._loop.call_later(wait, self._time_out, f"said nothing for {wait:g} s")


def _activity(kind: Any) -> Iterable[Event]:
    name = getattr(kind, "value", kind)
    if name == "ACTIVITY_START":
        yield SpeechStarted()
    elif name == "ACTIVITY_END":
        yield SpeechStopped()


def _usage(counts: Any) -> Usage:
    return Usage(
        input_tokens=counts.prompt_token_count or 0,
        output_tokens=(counts.response_token_count or 0) + (counts.thoughts_token_count or 0),
        cached_tokens=counts.cached_content_token_count or 0,
        details=counts.model_dump(mode="json", exclude_none=True),
        audio_input_tokens=max(
            0,
            _audio_tokens(counts.prompt_tokens_details)
            - _audio_tokens(counts.cache_tokens_details),
        ),
        audio_output_tokens=_audio_tokens(counts.response_tokens_details),
    )


def _audio_tokens(details: Any) -> int:
    """Return the tokens of speech among those of each modality."""
    return sum(
        each.token_count or 0
        for each in details or ()
        if str(getattr(each.modality, "value", each.modality)) == "AUDIO"
    )


def _resumption(update: Any) -> Iterable[Event]:
    if update.resumable and update.new_handle:
        yield Resumption(update.new_handle)
    elif update.resumable is False or update.new_handle is not None:
        yield Resumption(None)


def _seconds(duration: str | None) -> float:
    """Parse a Duration such as "9.5s". One that cannot be read means: soon."""
    try:
        return max(0.0, float((duration or "0s").removesuffix("s")))
    except ValueError:
        return 0.0


def _reason(why: Any) -> EndReason:
    name = str(getattr(why, "value", why) or "")
    if name == "MALFORMED_FUNCTION_CALL":
        return "failed"
    return "refused" if any(word in name for word in _REFUSED) else "complete"
