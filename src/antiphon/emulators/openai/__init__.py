"""OpenAI on loopback: Realtime over WebSocket and Chat Completions over HTTP, on one port."""

from __future__ import annotations

from antiphon.emulators.base import Emulator
from antiphon.emulators.openai import chat, realtime
from antiphon.emulators.openai.request import MODELS
from antiphon.emulators.wire import HttpReply, HttpRequest, WebSocketUpgrade


class OpenAIEmulator(Emulator):
    """Any script; `options.models` lists the only models that there are."""

    api = "openai"
    usual_models = MODELS

    @property
    def base_url(self) -> str:
        return f"{self.url}/v1"

    async def handle(self, request: HttpRequest, reply: HttpReply) -> None:
        await chat.serve(self, request, reply)

    async def websocket(self, request: HttpRequest, upgrade: WebSocketUpgrade) -> None:
        await realtime.serve(self, request, upgrade)
