"""Gemini on loopback: the Live API over WebSocket and generateContent over HTTP, on one port."""

from __future__ import annotations

from antiphon.emulators.base import Emulator
from antiphon.emulators.gemini import live, rest
from antiphon.emulators.wire import Reply, Request, Upgrade


class GeminiEmulator(Emulator):
    """Over TLS by default: the SDK opens Live sessions over nothing else."""

    api = "gemini"
    needs_tls = True

    async def http(self, request: Request, reply: Reply) -> None:
        await rest.serve(self, request, reply)

    async def websocket(self, request: Request, upgrade: Upgrade) -> None:
        await live.serve(self, request, upgrade)
