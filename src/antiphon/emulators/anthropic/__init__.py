"""Anthropic on loopback: the Messages API over HTTP, and its list of models."""

from __future__ import annotations

from typing import Any

from antiphon.emulators.anthropic.reply import AnthropicReplyRenderer
from antiphon.emulators.anthropic.request import (
    AnthropicRefusal,
    AnthropicServiceState,
    check,
    error_body,
    request_facts,
    request_id,
)
from antiphon.emulators.base import Emulator
from antiphon.emulators.wire import HttpReply, HttpRequest, WebSocketUpgrade

MODELS = ("claude-sonnet-4-6", "claude-sonnet-5-5", "claude-opus-5-5", "claude-haiku-4-5")


class AnthropicEmulator(Emulator):
    """`options.models` of the script: the only models that there are; any is taken without it."""

    api = "anthropic"
    usual_models = MODELS

    async def websocket(self, request: HttpRequest, upgrade: WebSocketUpgrade) -> None:
        body = error_body(404, f"Not found: {request.path} is no WebSocket", request_id())
        await upgrade.refuse(404, body)

    async def handle(self, request: HttpRequest, reply: HttpReply) -> None:
        await _Exchange(self, request, reply).serve()


class _Exchange:
    """One request to the Messages API and its response."""

    def __init__(self, emulator: AnthropicEmulator, request: HttpRequest, reply: HttpReply) -> None:
        self._emulator = emulator
        self._request = request
        self._reply = reply
        self._id = request_id()

    async def serve(self) -> None:
        method, path = self._request.method, self._request.path
        self._authenticate()
        if path == "/v1/messages":
            self._need("POST")
            await self._messages()
        elif path == "/v1/models":
            self._need("GET")
            models = [_model(name) for name in self._emulator.models]
            page = {"first_id": models[0]["id"], "last_id": models[-1]["id"], "has_more": False}
            await self._whole({"data": models, **page})
        elif path.startswith("/v1/models/"):
            self._need("GET")
            name = path.removeprefix("/v1/models/")
            if name not in self._emulator.models:
                raise AnthropicRefusal(f"model: {name}", 404, mistake=False)
            await self._whole(_model(name))
        else:
            raise AnthropicRefusal(f"Not found: {method} {path}", 404)

    def _authenticate(self) -> None:
        headers = self._request.headers
        bearer = headers.get("authorization")
        given = headers.get("x-api-key") or (bearer or "").removeprefix("Bearer ")
        if self._emulator.key is not None and given != self._emulator.key:
            why = "x-api-key header is required"
            if given:
                why = "Invalid bearer token" if bearer else "invalid x-api-key"
            raise AnthropicRefusal(why, 401, mistake=False)
        if "anthropic-version" not in headers:
            raise AnthropicRefusal("anthropic-version: header is required")

    def _need(self, method: str) -> None:
        if self._request.method != method:
            raise AnthropicRefusal("Method Not Allowed", 405)

    async def _whole(self, body: dict[str, Any]) -> None:
        await self._reply.respond(200, body, {"request-id": self._id})

    async def _messages(self) -> None:
        emulator = self._emulator
        try:
            body = self._request.json()
        except ValueError as error:
            raise AnthropicRefusal(f"The request body is not valid JSON: {error}") from None
        emulator.received.append(body)
        state = emulator.state(AnthropicServiceState)
        check(body, state)
        if not emulator.has_model(body["model"]):
            raise AnthropicRefusal(f"model: {body['model']}", 404, mistake=False)
        kind, heard = request_facts(body)
        beats = emulator.playback.next_reply(kind, heard)
        if beats is None:
            # The playback has noted it.
            raise AnthropicRefusal(f"emulator: {emulator.playback.problems[-1]}", mistake=False)
        answer = AnthropicReplyRenderer(state, emulator.playback, self._reply, self._id, body)
        await answer.render(beats)


def _model(name: str) -> dict[str, Any]:
    return {
        "type": "model",
        "id": name,
        "display_name": name.replace("-", " ").title(),
        "created_at": "2026-01-01T00:00:00Z",
        "lifecycle": "active",
    }
