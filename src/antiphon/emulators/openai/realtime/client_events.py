"""Client events of an emulated Realtime session: parsing, refusals and their effects."""

from __future__ import annotations

import asyncio
import base64
import binascii
from typing import Any

import orjson

from antiphon.emulators.base import Emulator
from antiphon.emulators.openai.realtime.connection import EmulatedRealtimeConnection, ms_of
from antiphon.emulators.openai.realtime.items import checked, text_of
from antiphon.emulators.openai.realtime.session import RealtimeRefusal
from antiphon.emulators.requests import parse_result, result_facts
from antiphon.emulators.script import Beat
from antiphon.emulators.wire import ServerWebSocket, SocketGone

_MIN_COMMIT_MS = 100
_MAX_APPEND = 15 * 1024 * 1024
# What each event of a client must have, and what it may have.
_EVENTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "session.update": (("session",), ()),
    "input_audio_buffer.append": (("audio",), ()),
    "input_audio_buffer.commit": ((), ()),
    "input_audio_buffer.clear": ((), ()),
    "conversation.item.create": (("item",), ("previous_item_id",)),
    "conversation.item.retrieve": (("item_id",), ()),
    "conversation.item.truncate": (("item_id", "content_index", "audio_end_ms"), ()),
    "conversation.item.delete": (("item_id",), ()),
    "response.create": ((), ("response",)),
    "response.cancel": ((), ("response_id",)),
}
_RESPONSE = (
    *("audio", "conversation", "input", "instructions", "max_output_tokens", "metadata"),
    *("output_modalities", "parallel_tool_calls", "prompt", "reasoning", "tool_choice", "tools"),
)


class RealtimeEventHandler:
    """Reads the client's events, and answers each as the service does."""

    def __init__(self, emulator: Emulator, socket: ServerWebSocket, model: str) -> None:
        self._emulator = emulator
        self._socket = socket
        self._connection = EmulatedRealtimeConnection(emulator, socket, model)
        self._connected = False
        self._texts: list[str] = []  # of the person, not answered yet
        self._results: list[dict[str, Any]] = []  # outputs of calls, not answered yet
        self._held: tuple[str, tuple[Beat, ...]] | None = None  # until response.create
        self._zeros = 0  # bytes of silence at the end of the buffer
        self._end_told = False

    async def run(self) -> None:
        connection = self._connection
        expiry = asyncio.create_task(self._expire(), name="emulator session expiry")
        try:
            await connection.event("session.created", session=connection.session.body)
            while (message := await self._socket.receive()) is not None:
                await self._take(message)
            connection.next_reply("close", {"code": self._socket.close_code})
        finally:
            expiry.cancel()
            await asyncio.gather(expiry, return_exceptions=True)
            await connection.finish()

    async def _expire(self) -> None:
        await asyncio.sleep(self._connection.lifetime)
        words = "Your session hit the maximum duration of 60 minutes."
        try:
            await self._connection.event("error", error=error_body("session_expired", words))
            await self._socket.close(1001, words)
        except SocketGone:
            return

    async def _take(self, message: str | bytes) -> None:
        try:
            body = orjson.loads(message)
        except orjson.JSONDecodeError:
            body = None
        self._emulator.received.append(message if body is None else body)
        if self._connection.silent:
            return
        event_id = body.get("event_id") if isinstance(body, dict) else None
        try:
            await self._dispatch(body)
        except RealtimeRefusal as refused:
            if refused.mistake:
                self._connection.report_problem(f"refused {str(message)[:200]}: {refused}")
            words = error_body(refused.code, str(refused), refused.param, event_id)
            if refused.code == "conversation_already_has_active_response":
                words["event_id"] = None  # which the service does not say
            await self._connection.event("error", error=words)

    async def _dispatch(self, body: Any) -> None:
        if not isinstance(body, dict):
            raise RealtimeRefusal("invalid_json", "The event is no JSON object.")
        kind = body.get("type")
        if kind not in _EVENTS:
            names = ", ".join(f"'{name}'" for name in _EVENTS)
            raise RealtimeRefusal(
                "invalid_value", f"Invalid value: '{kind}'. Supported values are: {names}.", "type"
            )
        required, optional = _EVENTS[kind]
        for name in body:
            if name not in (*required, *optional, "type", "event_id"):
                raise RealtimeRefusal("unknown_parameter", f"Unknown parameter: '{name}'.", name)
        for name in required:
            if name not in body:
                raise RealtimeRefusal(
                    "missing_required_parameter", f"Missing required parameter: '{name}'.", name
                )
        await getattr(self, f"_{kind.replace('.', '_')}")(body)

    # -- the session

    async def _session_update(self, body: dict[str, Any]) -> None:
        connection = self._connection
        connection.session.update(body["session"])
        facts = {**connection.session.facts, "history": list(connection.texts)}
        kind = "update" if self._connected else "connect"
        self._connected = True
        self._texts.clear()
        beats = connection.next_reply(kind, facts) or ()
        if kind == "connect" and connection.replaces_setup(beats):
            connection.reply(kind, beats, body.get("event_id"))
            return
        await connection.event("session.updated", session=connection.session.body)
        connection.reply(kind, beats, body.get("event_id"))

    # -- the person's voice

    async def _input_audio_buffer_append(self, body: dict[str, Any]) -> None:
        try:
            data = base64.b64decode(body["audio"], validate=True)
        except (binascii.Error, TypeError, ValueError):
            data = b"?"
        if len(data) % 2 or len(data) > _MAX_APPEND:
            raise RealtimeRefusal(
                "invalid_value",
                "Invalid 'audio'. Expected base64-encoded audio bytes (mono PCM16 at 24kHz) but "
                "got an invalid value.",
                "audio",
            )
        connection = self._connection
        connection.take_audio(data)
        listens = connection.session.listens
        if listens is None or not listens["create_response"]:
            return
        if beats := connection.next_reply("audio", {"ms": connection.heard_ms}):
            connection.reply("audio", beats)
        loud = len(data.rstrip(b"\0"))
        self._zeros = len(data) - loud if loud else self._zeros + len(data)
        if ms_of(self._zeros) < listens.get("silence_duration_ms", 500):
            self._end_told = False
        elif not self._end_told:
            self._end_told = True
            if beats := connection.next_reply("audio_end", {}):
                connection.reply("audio_end", beats)

    async def _input_audio_buffer_commit(self, body: dict[str, Any]) -> None:
        del body
        connection = self._connection
        if (ms := ms_of(connection.buffered)) < _MIN_COMMIT_MS:
            raise RealtimeRefusal(
                "input_audio_buffer_commit_empty",
                "Error committing input audio buffer: buffer too small. Expected at least 100ms "
                f"of audio, but buffer only has {ms:.2f}ms of audio.",
            )
        await connection.commit()
        kind, facts = "audio_end", {}
        if connection.session.listens is None:
            kind, facts = "activity", {"active": False}
        beats = connection.next_reply("audio", {"ms": connection.heard_ms})
        if beats is not None:
            kind = "audio"
        else:
            beats = connection.next_reply(kind, facts)
        self._held = (kind, beats) if beats is not None else None

    async def _input_audio_buffer_clear(self, body: dict[str, Any]) -> None:
        connection = self._connection
        connection.buffered = 0
        await connection.event("input_audio_buffer.cleared")
        if connection.session.listens is None:
            connection.reply(
                "activity",
                connection.next_reply("activity", {"active": True}) or (),
                body.get("event_id"),
            )

    # -- items

    async def _conversation_item_create(self, body: dict[str, Any]) -> None:
        connection = self._connection
        item = {**checked(body["item"])}
        item.setdefault("id", connection.name("item"))
        if item["id"] in connection.items:
            raise RealtimeRefusal(
                "item_create_invalid_item_id",
                f"Error adding item: an item with the id '{item['id']}' exists already.",
                "item.id",
            )
        previous = body.get("previous_item_id")
        if previous not in (None, "root") and previous not in connection.items:
            raise RealtimeRefusal(
                "invalid_value",
                f"Previous item with ID '{previous}' not found in conversation.",
                "previous_item_id",
            )
        item |= {"object": "realtime.item", "status": "completed"}
        result = self._check_call(item)
        await connection.add_item(item)
        await connection.event("conversation.item.done", item=item)
        if result is not None:
            self._results.append(result)
        text = text_of(item)
        if not text:
            return
        if self._connected and item["role"] != "assistant":
            note = {"text": text}
            if connection.awaited_event() == "note" and connection.would_match("note", note):
                connection.reply(
                    "note", connection.next_reply("note", note) or (), body.get("event_id")
                )
            elif item["role"] == "user":
                self._texts.append(text)
        connection.texts.append(text)

    def _check_call(self, item: dict[str, Any]) -> dict[str, Any] | None:
        """Note a call of the history, or match an output with its call; return the result."""
        connection = self._connection
        if item["type"] == "function_call":
            item.setdefault("call_id", connection.name("call"))
            connection.calls[item["call_id"]] = item["name"]
            return None
        if item["type"] != "function_call_output":
            return None
        call_id = item["call_id"]
        if call_id not in connection.calls:
            raise RealtimeRefusal(
                "invalid_tool_call_id",
                f"Tool call ID '{call_id}' not found in conversation.",
                "item.call_id",
            )
        if not self._connected:
            return None
        if call_id not in connection.outstanding:
            connection.report_problem(
                f"the client answers call {call_id!r}, which does not wait for an answer"
            )
            return None
        name = connection.outstanding.pop(call_id)
        return {"id": call_id, "name": name, "envelope": parse_result(item["output"])}

    async def _conversation_item_retrieve(self, body: dict[str, Any]) -> None:
        item = self._known(body["item_id"], "retrieve", "retrieving")
        await self._connection.event("conversation.item.retrieved", item=item)

    async def _conversation_item_delete(self, body: dict[str, Any]) -> None:
        item = self._known(body["item_id"], "delete", "deleting")
        del self._connection.items[item["id"]]
        await self._connection.event("conversation.item.deleted", item_id=item["id"])

    async def _conversation_item_truncate(self, body: dict[str, Any]) -> None:
        connection = self._connection
        item = self._known(body["item_id"], "truncate", "truncating")
        content = item.get("content") or [{}]
        if item.get("role") != "assistant" or content[0].get("type") != "output_audio":
            raise RealtimeRefusal(
                "invalid_value", "Only model output audio messages can be truncated.", "item_id"
            )
        ms, index = body["audio_end_ms"], body["content_index"]
        if type(ms) is not int or ms < 0 or index != 0:
            name = "content_index" if index != 0 else "audio_end_ms"
            raise RealtimeRefusal("invalid_value", f"Invalid value for '{name}'.", name)
        length = int(ms_of(connection.audio[item["id"]]))
        if ms > length:
            raise RealtimeRefusal(
                "invalid_value",
                f"Audio content of {length}ms is already shorter than {ms}ms",
                "audio_end_ms",
            )
        connection.audio[item["id"]] = ms * 48
        content[0]["transcript"] = ""
        # Before it is answered: a client that is done may be gone by then.
        beats = connection.next_reply("truncate", {"item": item["id"], "ms": ms})
        await connection.event(
            "conversation.item.truncated", item_id=item["id"], content_index=0, audio_end_ms=ms
        )
        connection.reply("truncate", beats or (), body.get("event_id"))

    def _known(self, item_id: Any, what: str, doing: str) -> dict[str, Any]:
        item = self._connection.items.get(item_id)
        if item is None:
            raise RealtimeRefusal(
                f"item_{what}_invalid_item_id",
                f"Error {doing} item: the item with id '{item_id}' does not exist.",
                "item_id",
            )
        return item

    # -- responses

    async def _response_cancel(self, body: dict[str, Any]) -> None:
        connection = self._connection
        wanted = body.get("response_id")
        known = connection.active.id if connection.active else None
        if not connection.busy or wanted not in (None, known):
            # The SDK's own words: it is safe to cancel when nothing is in progress.
            raise RealtimeRefusal(
                "response_cancel_not_active",
                "Cancellation failed: no active response found",
                mistake=False,
            )
        beats = connection.next_reply("interrupt", {})
        await connection.stop("client_cancelled")
        connection.reply("interrupt", beats or (), body.get("event_id"))

    async def _response_create(self, body: dict[str, Any]) -> None:
        connection = self._connection
        asked = body.get("response") or {}
        for name in asked:
            if name not in _RESPONSE:
                at = f"response.{name}"
                raise RealtimeRefusal("unknown_parameter", f"Unknown parameter: '{at}'.", at)
        if connection.busy:
            name = connection.active.id if connection.active else "a response that begins"
            raise RealtimeRefusal(
                "conversation_already_has_active_response",
                f"Conversation already has an active response in progress: {name}. Wait "
                "until the response is finished before creating a new one.",
            )
        kind, beats = self._answer(asked)
        if beats is None:
            problem = self._emulator.playback.problems[-1]
            words = error_body("emulator", f"emulator: {problem}", None, body.get("event_id"))
            await connection.event("error", error={**words, "type": "server_error"})
            await self._socket.close(
                1011, f"emulator: {problem}".encode()[:120].decode("utf-8", "ignore")
            )
            return
        connection.reply(kind, beats, body.get("event_id"), asked=True)

    def _answer(self, asked: dict[str, Any]) -> tuple[str, tuple[Beat, ...] | None]:
        """The event since the last response, and the script's reply to it."""
        connection = self._connection
        if self._held is not None:
            held, self._held = self._held, None
            return held
        facts = {key: connection.session.facts[key] for key in ("model", "instructions", "tools")}
        if self._results and not (self._texts and connection.awaited_event() == "text"):
            if connection.outstanding:
                waiting = ", ".join(connection.outstanding)
                connection.report_problem(
                    f"response.create while calls wait for their output: {waiting}"
                )
                return "results", None
            results, self._results = self._results, []
            return "results", connection.next_reply("results", facts | result_facts(results))
        text = self._texts[-1] if self._texts else str(asked.get("instructions") or "")
        earlier = connection.texts[: -len(self._texts)] if self._texts else list(connection.texts)
        self._texts.clear()
        return "text", connection.next_reply("text", {**facts, "text": text, "history": earlier})


def error_body(
    code: str, message: str, param: str | None = None, event_id: str | None = None
) -> dict[str, Any]:
    return {
        "type": "invalid_request_error",
        "code": code,
        "message": message,
        "param": param,
        "event_id": event_id,
    }
