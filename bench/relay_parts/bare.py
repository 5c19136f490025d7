"""The bare relay: uvicorn and websockets, JSON and base64 both ways, and nothing else.

python bare.py URL      relays /ws/vox to the model at URL; prints its port
"""

from __future__ import annotations

import asyncio
import base64
import socket
import sys

import orjson
import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect
from websockets.asyncio.client import ClientConnection, connect


async def upstream(client: WebSocket, model: ClientConnection) -> None:
    while True:
        message = orjson.loads(await client.receive_text())
        if message["type"] == "audio":
            audio = base64.b64encode(base64.b64decode(message["data"])).decode()
            body = {"type": "input_audio_buffer.append", "audio": audio}
            await model.send(orjson.dumps(body).decode())


async def downstream(client: WebSocket, model: ClientConnection) -> None:
    while True:
        message = orjson.loads(await model.recv(decode=False))
        if message["type"] == "response.output_audio.delta":
            audio = base64.b64encode(base64.b64decode(message["delta"])).decode()
            await client.send_text(orjson.dumps({"type": "audio", "data": audio}).decode())


async def relay(client: WebSocket) -> None:
    await client.accept()
    await client.receive_text()  # start
    address = sys.argv[1].replace("http", "ws") + "/realtime?model=bench"
    async with connect(address, compression=None, max_size=None) as model:
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
