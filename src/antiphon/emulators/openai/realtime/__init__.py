"""OpenAI's Realtime API over WebSocket, answered as a script says."""

from __future__ import annotations

import asyncio
from typing import Any

import orjson

from antiphon.emulators.base import Emulator
from antiphon.emulators.openai.realtime.client_events import RealtimeEventHandler, error_body
from antiphon.emulators.openai.realtime.connection import EmulatedRealtimeConnection
from antiphon.emulators.requests import retry_headers
from antiphon.emulators.wire import HttpRequest, ServerWebSocket, SocketGone, WebSocketUpgrade


async def serve(emulator: Emulator, request: HttpRequest, upgrade: WebSocketUpgrade) -> None:
    """Accept or refuse one WebSocket, and serve it until it ends."""
    if request.path.rstrip("/") != "/v1/realtime":
        await upgrade.refuse(404, _http_error(f"Invalid URL (GET {request.path})", None))
        return
    authorization = request.headers.get("authorization", "")
    if not authorization.startswith("Bearer "):
        await upgrade.refuse(
            401, _http_error("Missing bearer or basic authentication in header", None)
        )
        return
    model = request.query.get("model", "")
    if await _scripted_status(emulator, upgrade, model):
        return
    socket = await upgrade.accept()
    try:
        refusal = _refusal(emulator, request, model, authorization.removeprefix("Bearer "))
        if refusal is not None:
            await _turn_away(socket, *refusal)
            return
        await RealtimeEventHandler(emulator, socket, model).run()
    except SocketGone:
        pass  # the client may leave when it likes


def _refusal(
    emulator: Emulator, request: HttpRequest, model: str, key: str
) -> tuple[int, str, str] | None:
    """Close code, error code and words for a client that gets no session; None for others."""
    if emulator.key is not None and key != emulator.key:
        shown = f"{key[:4]}***{key[-4:]}" if len(key) > 12 else "***"
        return 3000, "invalid_api_key", f"Incorrect API key provided: {shown}."
    if "openai-beta" in request.headers:
        emulator.playback.report_problem("the client sends OpenAI-Beta, which the service refuses")
        return (
            4000,
            "beta_api_shape_disabled",
            "The Realtime Beta API is no longer supported. Please use /v1/realtime for the GA API.",
        )
    if not model:
        emulator.playback.report_problem("the client names no model")
        return 4000, "missing_model", "You must provide a model parameter."
    if not emulator.has_model(model):
        words = f"The model '{model}' does not exist or you do not have access to it."
        return 4000, "model_not_found", words
    return None


async def _turn_away(socket: ServerWebSocket, close: int, code: str, words: str) -> None:
    body = {
        "type": "error",
        "event_id": EmulatedRealtimeConnection.name("event"),
        "error": error_body(code, words),
    }
    await socket.send(orjson.dumps(body).decode())
    await socket.close(close, f"invalid_request_error.{code}")


async def _scripted_status(emulator: Emulator, upgrade: WebSocketUpgrade, model: str) -> bool:
    """Refuse the upgrade where the script has a `status` on: connect; True if it did."""
    step = emulator.playback.next_step
    steps = (step,) if step else emulator.playback.script.rules
    facts = {"model": model}
    for found in steps:
        if found.on == "connect" and found.fits("connect", facts) is not None:
            if any(beat.kind == "status" for beat in found.reply):
                break
            return False
    else:
        return False
    for beat in emulator.playback.next_reply("connect", facts) or ():
        if beat.kind == "wait":
            await asyncio.sleep(beat.value)
        elif beat.kind == "status":
            words = beat.options.get("message", "emulator: as the script says")
            headers = retry_headers(beat.options)
            await upgrade.refuse(beat.value, _http_error(words, beat.options.get("code")), headers)
    return True


def _http_error(message: str, code: str | None) -> dict[str, Any]:
    body = {"message": message, "type": "invalid_request_error", "param": None, "code": code}
    return {"error": body}
