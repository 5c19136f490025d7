"""A bare relay on another stack, for bench/relay.py: picows both ways, without a web server.

python picows.py URL      relays /ws/vox to the model at URL; prints its port

JSON and base64 both ways and nothing else: about the least that a relay in Python can cost.
"""

import asyncio
import sys
from binascii import a2b_base64, b2a_base64
from pathlib import Path

# This script carries its package's name: were its folder searched, it would import itself.
sys.path[:] = [p for p in sys.path if Path(p or ".").resolve() != Path(__file__).resolve().parent]

import orjson  # noqa: E402
import uvloop  # noqa: E402
from picows import WSListener, WSMsgType, ws_connect, ws_create_server  # noqa: E402

ADDRESS = sys.argv[1].replace("http", "ws", 1) + "/realtime?model=bench"


class PicowsModel(WSListener):
    def __init__(self, person):
        self.person = person

    def on_ws_frame(self, _transport, frame):
        if frame.msg_type != WSMsgType.TEXT:
            return
        message = orjson.loads(frame.get_payload_as_memoryview())
        if message["type"] == "response.output_audio.delta":
            audio = b2a_base64(a2b_base64(message["delta"]), newline=False).decode()
            body = orjson.dumps({"type": "audio", "data": audio})
            self.person.send(WSMsgType.TEXT, body)


class PicowsPerson(WSListener):
    def __init__(self):
        self.model = None

    def on_ws_connected(self, transport):
        self.transport = transport

    def on_ws_frame(self, _transport, frame):
        if frame.msg_type != WSMsgType.TEXT:
            return
        message = orjson.loads(frame.get_payload_as_memoryview())
        if message["type"] == "audio":
            audio = b2a_base64(a2b_base64(message["data"]), newline=False).decode()
            body = orjson.dumps({"type": "input_audio_buffer.append", "audio": audio})
            self.model.send(WSMsgType.TEXT, body)
        elif message["type"] == "start":
            self.opening = asyncio.create_task(self.open())

    async def open(self):
        self.model, _ = await ws_connect(lambda: PicowsModel(self.transport), ADDRESS)
        self.transport.send(WSMsgType.TEXT, b'{"type":"setup_complete"}')

    def on_ws_disconnected(self, _transport):
        if self.model is not None:
            self.model.disconnect()


async def main():
    server = await ws_create_server(lambda _request: PicowsPerson(), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(main())
