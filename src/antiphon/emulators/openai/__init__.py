"""OpenAI on loopback: Realtime over WebSocket and Chat Completions over HTTP, on one port."""

from __future__ import annotations

from antiphon.emulators.base import Emulator
from antiphon.emulators.openai import chat, realtime
from antiphon.emulators.wire import HttpReply, HttpRequest, WebSocketUpgrade


class OpenAIEmulator(Emulator):
    api = "openai"

    @property
    def base_url(self) -> str:
        return f"{self.url}/v1"

    async def http(self, request: HttpRequest, reply: HttpReply) -> None:
        await chat.serve(self, request, reply)

    async def websocket(self, request: HttpRequest, upgrade: WebSocketUpgrade) -> None:
        await realtime.serve(self, request, upgrade)
