"""Pipecat as the relay of bench/relay.py: FastAPI transport, OpenAI Realtime service, 20 ms frames.

python pipecat.py URL      relays /ws/vox to the model at URL; prints its port

The pipeline is that of its own realtime example: transport, context aggregators, service. To its
advantage: speech comes at 24 kHz, so that nothing is resampled; no log, metrics, turn tracking or
idle watch; orjson; the same server and event loop as the others.
"""

# ruff: noqa: E402 - what the imports find and write depends on the lines between them
import asyncio
import base64
import socket
import sys
from pathlib import Path

# This script carries its package's name: were its folder searched, it would import itself.
sys.path[:] = [p for p in sys.path if Path(p or ".").resolve() != Path(__file__).resolve().parent]

import orjson
import uvicorn
from fastapi import FastAPI, WebSocket
from loguru import logger

logger.remove()  # pipecat writes a debug line for each connection, and when it is imported

from pipecat.frames.frames import (
    Frame,
    InputAudioRawFrame,
    LLMRunFrame,
    OutputAudioRawFrame,
)
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import (
    LLMContextAggregatorPair,
)
from pipecat.serializers.base_serializer import FrameSerializer
from pipecat.services.openai.realtime.llm import OpenAIRealtimeLLMService
from pipecat.transports.websocket.fastapi import (
    FastAPIWebsocketParams,
    FastAPIWebsocketTransport,
)
from pipecat.workers.runner import WorkerRunner

RATE = 24_000  # both ways, as the model takes it: nothing is resampled
app = FastAPI()


class VoxSerializer(FrameSerializer):
    """The messages that the people of the benchmark speak."""

    async def serialize(self, frame: Frame) -> str | None:
        if not isinstance(frame, OutputAudioRawFrame):
            return None
        data = base64.b64encode(frame.audio).decode()
        return orjson.dumps({"type": "audio", "data": data}).decode()

    async def deserialize(self, data: str | bytes) -> Frame | None:
        message = orjson.loads(data)
        if message["type"] != "audio":
            return None
        audio = base64.b64decode(message["data"])
        return InputAudioRawFrame(audio=audio, sample_rate=RATE, num_channels=1)


@app.websocket("/ws/vox")
async def relay(socket: WebSocket) -> None:
    await socket.accept()
    await socket.receive_text()  # start
    transport = FastAPIWebsocketTransport(
        websocket=socket,
        params=FastAPIWebsocketParams(
            audio_in_enabled=True,
            audio_out_enabled=True,
            audio_out_10ms_chunks=2,
            serializer=VoxSerializer(),
        ),
    )
    service = OpenAIRealtimeLLMService(
        api_key="bench",
        base_url=sys.argv[1].replace("http", "ws", 1) + "/realtime",
        settings=OpenAIRealtimeLLMService.Settings(model="bench"),
    )
    aggregators = LLMContextAggregatorPair(LLMContext())
    worker = PipelineWorker(
        Pipeline(
            [
                transport.input(),
                aggregators.user(),
                service,
                transport.output(),
                aggregators.assistant(),
            ]
        ),
        params=PipelineParams(audio_in_sample_rate=RATE, audio_out_sample_rate=RATE),
        cancel_on_idle_timeout=False,
        enable_rtvi=False,
        enable_turn_tracking=False,
    )

    @transport.event_handler("on_client_connected")
    async def connected(_transport: FastAPIWebsocketTransport, _socket: WebSocket) -> None:
        await worker.queue_frames([LLMRunFrame()])
        await socket.send_text('{"type":"setup_complete"}')

    @transport.event_handler("on_client_disconnected")
    async def disconnected(_transport: FastAPIWebsocketTransport, _socket: WebSocket) -> None:
        await worker.cancel()

    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    await runner.run()


async def main() -> None:
    listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
    print(listener.getsockname()[1], flush=True)
    config = uvicorn.Config(
        app, ws="websockets-sansio", ws_per_message_deflate=False, log_level="error"
    )
    await uvicorn.Server(config).serve([listener])


if __name__ == "__main__":
    import uvloop

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())
