"""OpenAI's Chat Completions over HTTP, answered as a script says.

Options of a script make it the kind of server that only resembles OpenAI:

- `models`: the only models there are
- `refuse`: names of parameters that are refused, such as `stream_options` or `max_tokens`
- `ids: false`: calls have no id
- `done: false`: no `[DONE]` at the end of a stream
- `whole_calls: true`: a call comes in one piece
- `arguments: object`: its arguments are an object and not a string
- `call_reason: stop`: what an answer with calls ends with
"""

from __future__ import annotations

from typing import Any

import orjson

from antiphon.emulators.base import Emulator
from antiphon.emulators.openai import request as openai_request
from antiphon.emulators.openai.request import OpenAIRefusal, OpenAIServiceState, error_body
from antiphon.emulators.requests import call_arguments, fragments, retry_headers
from antiphon.emulators.script import Beat
from antiphon.emulators.sse import ReplyRenderer
from antiphon.emulators.wire import HttpReply, HttpRequest

# Type, code and words of errors that a script asks for by their status only.
_ERRORS: dict[int, tuple[str, str | None, str]] = {
    401: ("invalid_request_error", "invalid_api_key", "Incorrect API key provided."),
    429: ("requests", "rate_limit_exceeded", "Rate limit reached for requests."),
    500: (
        "server_error",
        None,
        "The server had an error while processing your request. Sorry about that!",
    ),
    503: (
        "server_error",
        None,
        "The engine is currently overloaded, please try again later.",
    ),
}
# Reasons that a script may give in words that fit every provider.
_REASONS = {"max_tokens": "length", "refused": "content_filter"}
_FRAGMENT = 8


async def serve(emulator: Emulator, request: HttpRequest, reply: HttpReply) -> None:
    """Answer one request as the script says. Raises OpenAIRefusal for what the service refuses."""
    asked, model = openai_request.route(emulator, request)
    if asked == "list":
        models = map(openai_request.model_body, emulator.models)
        await reply.respond(200, {"object": "list", "data": list(models)})
        return
    if asked == "get":
        await reply.respond(200, openai_request.model_body(model))
        return
    body = openai_request.read(request)
    emulator.received.append(body)
    openai_request.check(emulator, body)
    beats = emulator.playback.next_reply(*openai_request.request_facts(body))
    if beats is None:
        raise OpenAIRefusal(400, f"emulator: {emulator.playback.problems[-1]}", mistake=False)
    await _CompletionRenderer(emulator, reply, body).render(beats)


class _CompletionRenderer(ReplyRenderer):
    """Renders a reply as chat completion chunks, or as one chat completion."""

    def __init__(self, emulator: Emulator, reply: HttpReply, body: dict[str, Any]) -> None:
        super().__init__(emulator.playback, reply, streamed=bool(body.get("stream")))
        self._options = emulator.playback.script.options
        state = emulator.state(OpenAIServiceState)
        state.answers += 1
        self._number = state.answers
        self._model = body["model"]
        self._wants_usage = bool((body.get("stream_options") or {}).get("include_usage"))
        self._prompt_tokens = len(orjson.dumps(body)) // 4
        self._tokens = 0
        self._begun = False

    async def text(self, text: str) -> None:
        self._tokens += 1
        await self._delta({"content": text})

    async def thinking(self, text: str) -> None:
        """Emit reasoning as compatible servers do beside the text; OpenAI keeps it to itself."""
        await self._delta({"reasoning_content": text})

    async def call(self, call: dict[str, Any]) -> None:
        self._tokens += 1
        index = self.calls_made
        arguments = call_arguments(call)
        head: dict[str, Any] = {"index": index}
        id_ = call.get("id", f"call_{self._number}_{index + 1}")
        if id_ is not None and self._options.get("ids", True):
            head["id"] = id_
        head["type"] = "function"
        head["function"] = {"name": call.get("name"), "arguments": ""}
        if self._options.get("arguments") == "object":
            head["function"]["arguments"] = call.get("args") or {}
            await self._delta({"tool_calls": [head]})
            return
        if self._options.get("whole_calls") or self.stream is None:
            head["function"]["arguments"] = arguments
            await self._delta({"tool_calls": [head]})
            return
        await self._delta({"tool_calls": [head]})
        for piece in fragments(arguments, _FRAGMENT):
            fragment = {"arguments": piece}
            await self._delta({"tool_calls": [{"index": index, "function": fragment}]})

    async def complete(self, reason: str | None) -> None:
        if reason is None and self.calls_made:
            reason = self._options.get("call_reason", "tool_calls")
        reason = "stop" if reason is None else reason
        await self._delta({}, _REASONS.get(reason, reason))

    def error(self, beat: Beat) -> tuple[int, dict[str, Any], dict[str, str]]:
        options = self.error_options(beat)
        code = options.get("code")
        status = beat.value if beat.kind == "status" else code if isinstance(code, int) else 500
        kind, usual, words = _ERRORS.get(
            status,
            (
                "server_error" if status >= 500 else "invalid_request_error",
                None,
                "emulator: as the script says",
            ),
        )
        return (
            status,
            error_body(
                options.get("message") or words,
                options.get("type", kind),
                param=options.get("param"),
                code=usual if code is None else code,
            ),
            retry_headers(options),
        )

    def whole(self) -> dict[str, Any]:
        choices = [chunk["choices"][0] for chunk in self.chunks]
        deltas = [choice["delta"] for choice in choices]
        calls = [call for delta in deltas for call in delta.get("tool_calls", [])]
        text = "".join(delta.get("content") or "" for delta in deltas)
        message: dict[str, Any] = {"role": "assistant", "content": text or None, "refusal": None}
        if calls:
            message["tool_calls"] = [
                {key: value for key, value in call.items() if key != "index"} for call in calls
            ]
        reason = choices[-1]["finish_reason"]
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": reason}
        return self._chunk([choice], "chat.completion") | {"usage": self._usage()}

    async def finished(self) -> None:
        if self._wants_usage:
            await self.put(self._chunk([]) | {"usage": self._usage()})
        if self.stream is not None and self._options.get("done", True):
            await self.stream.send("[DONE]")

    async def _delta(self, delta: dict[str, Any], reason: str | None = None) -> None:
        if not self._begun:
            self._begun = True
            await self._delta({"role": "assistant", "content": "", "refusal": None})
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
        chunk = self._chunk([choice])
        await self.put(chunk | {"usage": None} if self._wants_usage else chunk)

    def _chunk(
        self, choices: list[dict[str, Any]], kind: str = "chat.completion.chunk"
    ) -> dict[str, Any]:
        return {
            "id": f"chatcmpl-{self._number}",
            "object": kind,
            "created": 1_700_000_000,
            "model": self._model,
            "choices": choices,
        }

    def _usage(self) -> dict[str, Any]:
        prompt = self.usage.get("input", self._prompt_tokens)
        answer = self.usage.get("output", self._tokens)
        return {
            "prompt_tokens": prompt,
            "completion_tokens": answer,
            "total_tokens": prompt + answer,
            "prompt_tokens_details": {"cached_tokens": self.usage.get("cached", 0)},
            "completion_tokens_details": {"reasoning_tokens": 0},
        }
