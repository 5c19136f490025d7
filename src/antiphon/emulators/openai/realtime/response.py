"""One answer of an emulated Realtime model: its items, their deltas, and how it ends."""

from __future__ import annotations

import asyncio
import base64
from typing import TYPE_CHECKING, Any

from antiphon.emulators.base import chunks, pieces
from antiphon.emulators.requests import call_arguments, fragments

if TYPE_CHECKING:
    from antiphon.emulators.openai.realtime.connection import EmulatedRealtimeConnection

_FAILED = {
    "type": "server_error",
    "code": "server_error",
    "message": "The server had an error while processing your request. Sorry about that!",
}


class EmulatedResponse:
    """One response of the model, from response.created to response.done."""

    def __init__(self, connection: EmulatedRealtimeConnection) -> None:
        self._connection = connection
        self.id = connection.name("resp")
        self.owner = asyncio.current_task()
        self._output: list[dict[str, Any]] = []
        self._whole: str | None = None  # its transcript at the end, when that is another one
        self._message: dict[str, Any] | None = None  # the item that is being spoken or written
        self._body: dict[str, Any] = {
            "object": "realtime.response",
            "id": self.id,
            "status": "in_progress",
            "status_details": None,
            "output": self._output,
            "conversation_id": connection.conversation,
            "output_modalities": connection.session.body["output_modalities"],
            "max_output_tokens": connection.session.body["max_output_tokens"],
            "audio": {"output": connection.session.body["audio"]["output"]},
            "usage": None,
            "metadata": None,
        }

    async def begin(self) -> None:
        await self._connection.event("response.created", response={**self._body, "output": []})
        limits = [
            {"name": name, "limit": limit, "remaining": limit - 100, "reset_seconds": 0.06}
            for name, limit in (("requests", 5000), ("tokens", 800000))
        ]
        await self._connection.event("rate_limits.updated", rate_limits=limits)

    async def say(self, text: str, audio: bytes, whole: str | None = None) -> None:
        """Send speech and its transcript side by side; only text when the session does not speak.

        `whole` is the transcript that is sent at the end, in place of the pieces.
        """
        self._whole = whole
        item = await self._open_message()
        part = item["content"][0]
        words = list(pieces(text))
        if not self._connection.session.speaks:
            for word in words:
                part["text"] += word
                await self._delta("output_text", item, word)
            return
        sounds = list(chunks(audio))
        for n in range(max(len(words), len(sounds))):
            if n < len(words):
                part["transcript"] += words[n]
                await self._delta("output_audio_transcript", item, words[n])
            if n < len(sounds):
                self._connection.session.spoken = True
                self._connection.audio[item["id"]] += len(sounds[n])
                await self._delta("output_audio", item, base64.b64encode(sounds[n]).decode())

    async def call(self, call: dict[str, Any]) -> None:
        await self._close_message("completed")
        options = self._connection.options
        call_id = call.get("id") or self._connection.name("call")
        arguments = call_arguments(call)
        item = {
            "id": self._connection.name("item"),
            "object": "realtime.item",
            "type": "function_call",
            "status": "in_progress",
            "name": call.get("name"),
            "call_id": call_id,
            "arguments": "",
        }
        if options.get("calls") == "arguments":
            self._output.append(item)  # and nobody is told of the item itself
        else:
            await self._add(item)
        at = {
            "response_id": self.id,
            "item_id": item["id"],
            "output_index": len(self._output) - 1,
            "call_id": call_id,
        }
        if not options.get("omit_deltas"):
            for piece in fragments(arguments, 12):
                await self._connection.event(
                    "response.function_call_arguments.delta", **at, delta=piece
                )
        item["arguments"] = arguments
        named = {} if options.get("omit_name") else {"name": item["name"]}
        await self._connection.event(
            "response.function_call_arguments.done", **at, **named, arguments=arguments
        )

    async def finish(
        self,
        status: str = "completed",
        reason: str | None = None,
        usage: dict[str, Any] | None = None,
        error: dict[str, Any] | None = None,
    ) -> None:
        """Close open items and send response.done; nothing when the response is over already."""
        if self._connection.active is not self:
            return
        self._connection.active = None
        whole = "completed" if status == "completed" else "incomplete"
        await self._close_message(whole)
        for index, item in enumerate(self._output):
            if item["type"] == "function_call":
                # A response that is cut off cuts the call it was writing, which is the last one.
                cut = whole == "incomplete" and index == len(self._output) - 1
                if self._connection.options.get("calls") != "arguments":
                    await self._done(item, "incomplete" if cut else "completed")
                self._connection.calls[item["call_id"]] = item["name"]
                if status == "completed":
                    self._connection.outstanding[item["call_id"]] = item["name"]
        self._body["status"] = status
        if status != "completed":
            details: dict[str, Any] = {"type": status}
            if reason:
                details["reason"] = reason
            if status == "failed":
                details["error"] = error or _FAILED
            self._body["status_details"] = details
        self._body["usage"] = _usage(usage or {}, len(self._output))
        shown = self._body
        if self._connection.options.get("calls") in ("arguments", "items"):
            others = [item for item in self._output if item["type"] != "function_call"]
            shown = {**self._body, "output": others}
        await self._connection.event("response.done", response=shown)

    # -- items

    async def _open_message(self) -> dict[str, Any]:
        if self._message is not None:
            return self._message
        speaks = self._connection.session.speaks
        item: dict[str, Any] = {
            "id": self._connection.name("item"),
            "object": "realtime.item",
            "type": "message",
            "status": "in_progress",
            "role": "assistant",
            "content": [],
        }
        await self._add(item)
        part = {"type": "audio", "transcript": ""} if speaks else {"type": "text", "text": ""}
        await self._connection.event("response.content_part.added", **self._at(item), part=part)
        item["content"].append({**part, "type": f"output_{part['type']}"})
        self._connection.audio[item["id"]] = 0
        self._message = item
        return item

    async def _close_message(self, status: str) -> None:
        item, self._message = self._message, None
        if item is None:
            return
        at = self._at(item)
        part = item["content"][0]
        text = part.get("transcript", part.get("text", ""))
        if part["type"] == "output_audio":
            await self._connection.event("response.output_audio.done", **at)
            whole = self._whole if self._whole is not None else text
            await self._connection.event(
                "response.output_audio_transcript.done", **at, transcript=whole
            )
        else:
            await self._connection.event("response.output_text.done", **at, text=text)
        shown = {**part, "type": part["type"].removeprefix("output_")}
        await self._connection.event("response.content_part.done", **at, part=shown)
        await self._done(item, status)
        self._connection.texts.append(text)

    async def _add(self, item: dict[str, Any]) -> None:
        self._output.append(item)
        await self._connection.event(
            "response.output_item.added",
            response_id=self.id,
            output_index=len(self._output) - 1,
            item=item,
        )
        await self._connection.add_item(item)

    async def _done(self, item: dict[str, Any], status: str) -> None:
        item["status"] = status
        await self._connection.event("conversation.item.done", item=item)
        await self._connection.event(
            "response.output_item.done",
            response_id=self.id,
            output_index=self._output.index(item),
            item=item,
        )

    async def _delta(self, kind: str, item: dict[str, Any], delta: str) -> None:
        await self._connection.event(f"response.{kind}.delta", **self._at(item), delta=delta)

    def _at(self, item: dict[str, Any]) -> dict[str, Any]:
        index = self._output.index(item)
        at = {"response_id": self.id, "item_id": item["id"], "output_index": index}
        return {**at, "content_index": 0}


def _usage(told: dict[str, Any], items: int) -> dict[str, Any]:
    read, written = int(told.get("input", 40)), int(told.get("output", 12 * max(1, items)))
    cached = int(told.get("cached", 0))
    return {
        "total_tokens": read + written,
        "input_tokens": read,
        "output_tokens": written,
        "input_token_details": {
            "text_tokens": read,
            "audio_tokens": 0,
            "image_tokens": 0,
            "cached_tokens": cached,
            "cached_tokens_details": {"text_tokens": cached, "audio_tokens": 0, "image_tokens": 0},
        },
        "output_token_details": {"text_tokens": written, "audio_tokens": 0},
    }
