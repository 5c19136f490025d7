"""Gemini on loopback: the Live API over WebSocket and generateContent over HTTP, on one port."""

from __future__ import annotations

from antiphon.emulators.base import Emulator
from antiphon.emulators.gemini import live, rest
from antiphon.emulators.gemini.request import MODELS
from antiphon.emulators.wire import HttpReply, HttpRequest, WebSocketUpgrade


class GeminiEmulator(Emulator):
    """Over TLS by default: the SDK opens Live sessions over nothing else."""

    api = "gemini"
    needs_tls = True
    usual_models = MODELS

    async def handle(self, request: HttpRequest, reply: HttpReply) -> None:
        await rest.serve(self, request, reply)

    async def websocket(self, request: HttpRequest, upgrade: WebSocketUpgrade) -> None:
        await live.serve(self, request, upgrade)
