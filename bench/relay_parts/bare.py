"""The bare relay: uvicorn and websockets, JSON and base64 both ways, and nothing else.

python bare.py URL [CA]      relays /ws/vox to the model at URL; prints its port

With CA, a file of certificates, the model is Google's Live API; otherwise OpenAI's Realtime API.
"""

from __future__ import annotations

import asyncio
import base64
import socket
import ssl
import sys
from typing import Any

import orjson
import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect
from websockets.asyncio.client import ClientConnection, connect

GEMINI = len(sys.argv) > 2
PATH = "/ws/google.ai.generativelanguage.v1.GenerativeService.BidiGenerateContent"
ADDRESS = sys.argv[1].replace("http", "ws", 1) + (PATH if GEMINI else "/realtime?model=bench")
TRUSTED = ssl.create_default_context(cafile=sys.argv[2]) if GEMINI else None


def spoken(audio: bytes) -> dict[str, Any]:
    if not GEMINI:
        data = base64.b64encode(audio).decode()
        return {"type": "input_audio_buffer.append", "audio": data}
    data = base64.urlsafe_b64encode(audio).decode()
    return {"realtime_input": {"audio": {"data": data, "mime_type": "audio/pcm;rate=16000"}}}


def heard(message: dict[str, Any]) -> str | None:
    if not GEMINI:
        return message["delta"] if message["type"] == "response.output_audio.delta" else None
    return message["serverContent"]["modelTurn"]["parts"][0]["inlineData"]["data"]


async def upstream(client: WebSocket, model: ClientConnection) -> None:
    while True:
        message = orjson.loads(await client.receive_text())
        if message["type"] == "audio":
            body = spoken(base64.b64decode(message["data"]))
            await model.send(orjson.dumps(body).decode())


async def downstream(client: WebSocket, model: ClientConnection) -> None:
    while True:
        data = heard(orjson.loads(await model.recv(decode=False)))
        if data is not None:
            audio = base64.b64encode(base64.b64decode(data)).decode()
            await client.send_text(orjson.dumps({"type": "audio", "data": audio}).decode())


async def relay(client: WebSocket) -> None:
    await client.accept()
    await client.receive_text()  # start
    async with connect(ADDRESS, ssl=TRUSTED, compression=None, max_size=None) as model:
        if GEMINI:
            await model.send('{"setup": {"model": "models/bench"}}')
            await model.recv()
        await client.send_text('{"type":"setup_complete"}')
        tasks = [
            asyncio.create_task(upstream(client, model)),
            asyncio.create_task(downstream(client, model)),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        except WebSocketDisconnect:
            pass
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


def main() -> None:
    listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
    print(listener.getsockname()[1], flush=True)
    config = uvicorn.Config(
        Starlette(routes=[WebSocketRoute("/ws/vox", relay)]),
        loop="uvloop",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        log_level="error",
    )
    uvicorn.Server(config).run([listener])


if __name__ == "__main__":
    main()
