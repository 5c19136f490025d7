"""Gemini's generateContent over HTTP, answered as a script says."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

import orjson

from antiphon.emulators.base import Emulator
from antiphon.emulators.gemini import request as gemini_request
from antiphon.emulators.gemini.request import (
    GeminiRefusal,
    GeminiServiceState,
    call_key,
    error_body,
)
from antiphon.emulators.requests import retry_headers
from antiphon.emulators.script import Beat
from antiphon.emulators.sse import ReplyRenderer
from antiphon.emulators.wire import HttpReply, HttpRequest

_WORDS = {
    429: "You exceeded your current quota, please check your plan and billing details.",
    500: "An internal error has occurred. Please retry or report in "
    "https://developers.generativeai.google/guide/troubleshooting",
    503: "The model is overloaded. Please try again later.",
}
# Reasons that a script may give in words that fit every provider.
_REASONS = {None: "STOP", "max_tokens": "MAX_TOKENS", "refused": "SAFETY"}


async def serve(emulator: Emulator, request: HttpRequest, reply: HttpReply) -> None:
    """Answer one request as the script says. Raises GeminiRefusal for what the service refuses."""
    method, model = gemini_request.route(emulator, request)
    if method == "list":
        models = map(gemini_request.model_body, emulator.models)
        await reply.respond(200, {"models": list(models)})
        return
    if method == "get":
        await reply.respond(200, gemini_request.model_body(model))
        return
    body = gemini_request.read(request)
    emulator.received.append(body)
    gemini_request.check(emulator, body)
    beats = emulator.playback.next_reply(*gemini_request.request_facts(model, body))
    if beats is None:
        raise GeminiRefusal(400, f"emulator: {emulator.playback.problems[-1]}", mistake=False)
    streamed = method == "streamGenerateContent"
    await _ContentRenderer(emulator, reply, model, body, streamed=streamed).render(beats)


class _ContentRenderer(ReplyRenderer):
    """Renders a reply as generateContent responses: one candidate with parts."""

    def __init__(
        self,
        emulator: Emulator,
        reply: HttpReply,
        model: str,
        body: dict[str, Any],
        *,
        streamed: bool,
    ) -> None:
        super().__init__(emulator.playback, reply, streamed=streamed)
        self._model = model
        self._prompt_tokens = len(orjson.dumps(body)) // 4
        self._tokens = 0
        self._signed = False
        self._state = emulator.state(GeminiServiceState)
        self._state.answers += 1
        self._number = self._state.answers

    async def text(self, text: str) -> None:
        await self._part({"text": text})

    async def thinking(self, text: str) -> None:
        await self._part({"text": text, "thought": True})

    async def call(self, call: dict[str, Any]) -> None:
        body: dict[str, Any] = {}
        id_ = call.get("id", f"fc-{self._number}-{self.calls_made + 1}")
        if id_ is not None:
            body["id"] = id_
        if call.get("name") is not None:
            body["name"] = call["name"]
        body["args"] = _arguments(call)
        part: dict[str, Any] = {"functionCall": body}
        signature = call.get("signature", None if self._signed else _signature(body))
        if signature is not None:
            self._signed = True  # of parallel calls the first is signed
            part["thoughtSignature"] = signature
            self._state.signatures[call_key(body)] = signature
        else:
            self._state.signatures.pop(call_key(body), None)
        await self._part(part)

    async def complete(self, reason: str | None) -> None:
        await self._put([], _REASONS.get(reason, reason))

    def error(self, beat: Beat) -> tuple[int, dict[str, Any], dict[str, str]]:
        options = self.error_options(beat)
        code = int(beat.value if beat.kind == "status" else options.get("code", 500))
        details = []
        if (seconds := options.get("retry_after")) is not None:
            delay = {"@type": "type.googleapis.com/google.rpc.RetryInfo"}
            details.append(delay | {"retryDelay": f"{seconds}s"})
        message = options.get("message") or _WORDS.get(code, "emulator: as the script says")
        body = error_body(code, message, *details)
        if "status" in options:
            body["error"]["status"] = options["status"]
        return code, body, retry_headers(options)

    def whole(self) -> dict[str, Any]:
        parts = [p for chunk in self.chunks for p in chunk["candidates"][0]["content"]["parts"]]
        body: dict[str, Any] = self.chunks[-1]
        body["candidates"][0]["content"]["parts"] = parts
        return body

    async def _part(self, part: dict[str, Any]) -> None:
        self._tokens += 1
        await self._put([part])

    async def _put(self, parts: list[dict[str, Any]], reason: str | None = None) -> None:
        candidate: dict[str, Any] = {"content": {"role": "model", "parts": parts}, "index": 0}
        if reason is not None:
            candidate["finishReason"] = reason
        await self.put(
            {
                "candidates": [candidate],
                "usageMetadata": self._usage(),
                "modelVersion": self._model,
                "responseId": f"response-{self._number}",
            }
        )

    def _usage(self) -> dict[str, Any]:
        prompt = self.usage.get("input", self._prompt_tokens)
        answer = self.usage.get("output", self._tokens)
        counted = {
            "promptTokenCount": prompt,
            "candidatesTokenCount": answer,
            "totalTokenCount": prompt + answer,
        }
        if "cached" in self.usage:
            counted["cachedContentTokenCount"] = self.usage["cached"]
        return counted


def _arguments(call: dict[str, Any]) -> Any:
    """The arguments of a scripted call: `arguments` parsed where it is JSON, else as text."""
    if "arguments" not in call:
        return call.get("args") or {}
    try:
        return orjson.loads(call["arguments"])
    except (orjson.JSONDecodeError, TypeError):
        return call["arguments"]


def _signature(call: dict[str, Any]) -> str:
    """A thought signature with both letters in which the alphabets of base64 differ."""
    digest = hashlib.sha256(call_key(call).encode()).digest()
    return base64.b64encode(b"\xfb\xff\xfe" + digest).decode()
