"""Message rendering of the emulated Claude: script beats as named events, or as one whole body."""

from __future__ import annotations

import secrets
from typing import Any

import orjson

from antiphon.emulators.anthropic.request import (
    ERRORS,
    AnthropicServiceState,
    beginning,
    error_body,
)
from antiphon.emulators.base import pieces
from antiphon.emulators.requests import call_arguments, fragments, retry_headers
from antiphon.emulators.script import Beat, ScriptPlayback
from antiphon.emulators.sse import EventStream, ReplyRenderer
from antiphon.emulators.wire import HttpReply

# Reasons as a script may give them in words that fit every provider, or in another's.
_REASONS = {
    "stop": "end_turn",
    "length": "max_tokens",
    "refused": "refusal",
    "safety": "refusal",
    "content_filter": "refusal",
}
_STATUS = {kind: status for status, kind in ERRORS.items()}
_WORDS = {
    429: "This request would exceed your organization's rate limit. Please try again later.",
    500: "Internal server error",
    529: "Overloaded",
}
_CHARACTERS_PER_TOKEN = 4
_LEAST_CACHED = 1024  # tokens; less is not worth a place in the cache
_FRAGMENT = 12  # characters of a call's arguments in one event


class AnthropicReplyRenderer(ReplyRenderer):
    """Renders one message as content blocks.

    A block stays open until another begins, so that whatever the script does next happens in the
    middle of it.
    """

    def __init__(
        self,
        state: AnthropicServiceState,
        playback: ScriptPlayback,
        reply: HttpReply,
        request_id: str,
        body: dict[str, Any],
    ) -> None:
        super().__init__(playback, reply, streamed=False)
        self._headers = {"request-id": request_id}
        if body.get("stream"):
            self.stream = _NamedEvents(reply, self._headers)
        self._state = state
        self._request_id = request_id
        self._body = body
        self._blocks: list[dict[str, Any]] = []
        self._open: str | None = None  # the type of the last block, while it is open
        self._arguments = ""  # of the call that is open
        self._thought = False
        self._spoken = 0
        self._message: dict[str, Any] = {}
        self._counts: dict[str, Any] = {}

    # -- blocks

    async def text(self, text: str) -> None:
        if self._open != "text":
            await self._start({"type": "text", "text": ""})
        self._blocks[-1]["text"] += text
        await self._delta({"type": "text_delta", "text": text})

    async def thinking(self, text: str) -> None:
        await self._start({"type": "thinking", "thinking": "", "signature": ""})
        for piece in pieces(text):
            await self._delta({"type": "thinking_delta", "thinking": piece})
        signature = secrets.token_urlsafe(48)
        self._state.thoughts[signature] = text
        self._blocks[-1] |= {"thinking": text, "signature": signature}
        self._thought = True
        await self._delta({"type": "signature_delta", "signature": signature})

    async def call(self, call: dict[str, Any]) -> None:
        block: dict[str, Any] = {"type": "tool_use", "input": {}}
        block["id"] = call["id"] if "id" in call else f"toolu_{secrets.token_hex(12)}"
        block["name"] = call.get("name")
        await self._start(block)
        if self._thought and isinstance(block["id"], str):
            self._state.thought_first.add(block["id"])
        bare = call.get("arguments") is None and not call.get("args")
        self._arguments = "" if bare else call_arguments(call)
        if self._arguments:  # a call without arguments has no such event at all
            for piece in ("", *fragments(self._arguments, _FRAGMENT)):
                await self._delta({"type": "input_json_delta", "partial_json": piece})

    async def _start(self, block: dict[str, Any]) -> None:
        await self._begin()
        await self._stop()
        self._blocks.append(dict(block))
        self._open = block["type"]
        at = len(self._blocks) - 1
        await self.put({"type": "content_block_start", "index": at, "content_block": block})
        if at == 0:
            await self.put({"type": "ping"})

    async def _delta(self, delta: dict[str, Any]) -> None:
        self._spoken += 1
        at = len(self._blocks) - 1
        await self.put({"type": "content_block_delta", "index": at, "delta": delta})

    async def _stop(self) -> None:
        if self._open is None:
            return
        if self._open == "tool_use":
            self._blocks[-1]["input"] = _object(self._arguments)
        self._open = None
        await self.put({"type": "content_block_stop", "index": len(self._blocks) - 1})

    # -- the message

    async def _begin(self) -> None:
        if self._message:
            return
        self._counts = self._counted()
        self._message = {
            "id": f"msg_{secrets.token_hex(12)}",
            "type": "message",
            "role": "assistant",
            "model": self._body["model"],
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": self._counts | {"output_tokens": 1},
        }
        await self.put({"type": "message_start", "message": self._message})

    async def complete(self, reason: str | None) -> None:
        await self._begin()
        await self._stop()
        if reason is None:
            reason = "tool_use" if self.calls_made else "end_turn"
        reason = _REASONS.get(reason.lower(), reason.lower())
        if reason == "pause_turn":
            self._state.paused.append(self._blocks)
        delta: dict[str, Any] = {"stop_reason": reason, "stop_sequence": None}
        if reason == "refusal":
            delta["stop_details"] = {"type": "refusal", "category": None, "explanation": None}
        output = {"output_tokens": self.usage.get("output", max(1, self._spoken))}
        self._message |= {**delta, "content": self._blocks, "usage": self._counts | output}
        await self.put({"type": "message_delta", "delta": delta, "usage": output})
        await self.put({"type": "message_stop"})

    def error(self, beat: Beat) -> tuple[int, dict[str, Any], dict[str, str]]:
        options = self.error_options(beat)
        kind = options.get("type")
        status = beat.value if beat.kind == "status" else options.get("code")
        if not isinstance(status, int):
            status = _STATUS.get(kind or "overloaded_error", 500)
        message = options.get("message") or _WORDS.get(status, "emulator: as the script says")
        headers = self._headers | retry_headers(options)
        return status, error_body(status, message, self._request_id, kind), headers

    def whole(self) -> dict[str, Any]:
        return self._message

    async def _finish(self) -> None:
        if self.stream is None:
            await self.reply.respond(200, self.whole(), self._headers)
        else:
            await self.stream.finish()

    def _counted(self) -> dict[str, Any]:
        """Token counts as the script says, else by the length of the request.

        The service counts tokens read from its cache, or written there, apart from the rest.
        """
        total = self.usage.get("input", _tokens(orjson.dumps(self._body)))
        made, read = 0, self.usage.get("cached", 0)
        prefix = beginning(self._body)
        if prefix is not None and "cached" not in self.usage and _tokens(prefix) >= _LEAST_CACHED:
            if prefix in self._state.cached:
                read = min(total, _tokens(prefix))
            else:
                made = min(total, _tokens(prefix))
            self._state.cached.add(prefix)
        return {
            "input_tokens": max(0, total - made - read),
            "cache_creation_input_tokens": made,
            "cache_read_input_tokens": read,
            "output_tokens": 0,
            "service_tier": "standard",
        }


class _NamedEvents(EventStream):
    """Server-sent events named by their type; the SDK passes over unnamed ones."""

    async def send(self, data: Any, event: str | None = None) -> None:
        if event is None and isinstance(data, dict):
            event = str(data.get("type", "message"))
        await super().send(data, event)


def _tokens(text: bytes) -> int:
    return len(text) // _CHARACTERS_PER_TOKEN


def _object(arguments: str) -> Any:
    """The parsed arguments of a call, as a whole body has them; empty when they are cut off."""
    try:
        return orjson.loads(arguments) if arguments else {}
    except orjson.JSONDecodeError:
        return {}
