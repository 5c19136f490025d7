"""A plain client of `/ws/vox`, and servers with an emulated model behind them."""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
import uvicorn
from fastapi import FastAPI
from starlette.types import ASGIApp
from tests.contracts.wire import check_voice
from tests.server.conftest import Client, Serve, write_workshop
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from antiphon.emulators.base import Emulator
from antiphon.emulators.runner import emulate
from antiphon.fastpath.server import FastServerProtocol
from antiphon.registry import Registry
from antiphon.registry.builder import build
from antiphon.registry.sources import SHIPPED_TOOLS
from antiphon.server.http_protocol import limited_http
from antiphon.server.ws.client_messages import MAX_FRAME_BYTES
from antiphon.server.ws.sessions import VoiceLimits

WAIT = 60
THREADS = 3
SETTING = {"gemini": "gemini", "openai": "openai", "anthropic": "claude"}

PROFILE = """
name = "plain"
description = "Every tool, and no words of its own."
tools = "all"
"""


def _call(name: str, **args: Any) -> dict[str, Any]:
    return {"call": {"id": f"call_{name}_0001", "name": name, "args": args}}


def _heard(text: str, *reply: Any) -> dict[str, Any]:
    return {"on": "text", "with": {"text": text}, "reply": list(reply)}


RULES: dict[str, Any] = {
    "rules": [
        _heard(r"/open (\w+)/", _call("open_page", path="/{1}")),
        _heard("glance", _call("glance_at_page", path="/tools")),
        _heard("paint", _call("paint_page", colour="red")),
        _heard(r"/find (\w+)/", _call("find", query="{1}")),
        _heard(r"/write (\S+)/", _call("ask_first", file="{1}", text="x")),
        _heard("goodbye", _call("end_voice_session", text_response="See you.")),
        _heard("flood", *[{"audio": 40_000}] * 6, "complete"),
        _heard("go on", {"audio": 2_000}, "silent"),
        {"on": "results", "reply": [{"say": "It is done."}, "complete"]},
        {"on": "text", "reply": [{"say": "You said {text}."}, "complete"]},
        {"on": "activity", "with": {"active": False}, "reply": [{"say": "Go on."}, "complete"]},
        {"on": "audio_end", "reply": [{"hear": "hello"}, {"say": "I heard you."}, "complete"]},
    ]
}

_CLIENT = {
    "version": "1.0.0",
    "description": "Runs in the browser.",
    "category": "utility",
    "requiresConfirmation": False,
    "allowedModes": ["voice"],
    "latencyBudgetMs": 2000,
    "execution": "client",
}
_NOTHING = "async def execute(args, context):\n    raise AssertionError('it runs in the browser')\n"
CLIENT_TOOLS: dict[str, dict[str, Any]] = {
    "open_page": {
        "sideEffects": "none",
        "idempotent": True,
        "parameter": "path",
        "timeoutMs": 10_000,
    },
    # No browser answers for these.
    "glance_at_page": {
        "sideEffects": "none",
        "idempotent": True,
        "parameter": "path",
        "timeoutMs": 400,
    },
    "paint_page": {
        "sideEffects": "writes",
        "origin": "trusted",
        "outside": False,
        "idempotent": False,
        "parameter": "colour",
        "timeoutMs": 400,
    },
}


def write_tools(folder: Path) -> None:
    write_workshop(folder)
    for name in ("end-voice-session", "ignore-user"):
        shutil.copytree(SHIPPED_TOOLS / name, folder / name)
    for tool_id, contract in CLIENT_TOOLS.items():
        directory = folder / tool_id.replace("_", "-")
        directory.mkdir()
        parameter = contract["parameter"]
        schema = {
            **_CLIENT,
            "toolId": tool_id,
            **{k: v for k, v in contract.items() if k != "parameter"},
            "parameters": {
                "type": "object",
                "additionalProperties": False,
                "required": [parameter],
                "properties": {parameter: {"type": "string"}},
            },
        }
        (directory / "schema.json").write_text(json.dumps(schema))
        (directory / "guide.md").write_text(f"# {tool_id}\n\nDoes what its name says.\n")
        (directory / "handler.py").write_text(_NOTHING)


@contextmanager
def in_thread(app: ASGIApp, **options: Any) -> Iterator[Client]:
    """An application under uvicorn in a thread of its own."""
    started = threading.Event()

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            # All its threads are there from the beginning: none is a test's own.
            loop, all_there = asyncio.get_running_loop(), threading.Barrier(THREADS)
            threads = ThreadPoolExecutor(THREADS, "server")
            loop.set_default_executor(threads)
            await asyncio.gather(
                *(loop.run_in_executor(None, all_there.wait) for _ in range(THREADS))
            )
            await super().startup(sockets)
            started.set()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        usual = {"log_level": "critical", "lifespan": "on", "timeout_graceful_shutdown": 3}
        server = Server(uvicorn.Config(app, **{**usual, **options}))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            assert started.wait(60), "the server did not start"
            yield Client(listener.getsockname()[1])
        finally:
            server.should_exit = True
            thread.join(60)
            assert not thread.is_alive(), "the server did not stop"


class VoiceServe(Serve):
    """Servers as `antiphon serve` runs them, with a profile that says nothing by itself."""

    def __init__(self, folder: Path) -> None:
        write_tools(folder / "tools")
        report = build([folder / "tools"], folder / "tool_registry.json")
        assert report.ok, report.findings
        (folder / "profiles").mkdir()
        (folder / "profiles" / "plain.toml").write_text(PROFILE)
        super().__init__(Registry.load(folder / "tool_registry.json").lock(), folder / "data")
        self.profiles = folder / "profiles"

    def voice_app(
        self,
        *emulators: Emulator,
        limits: VoiceLimits | None = None,
        provider: dict[str, Any] | None = None,
        **settings: Any,
    ) -> FastAPI:
        """`provider` are further settings of each provider."""
        providers = {
            SETTING[each.api]: {
                "api_key": each.key,
                "base_url": each.base_url,
                "ca_file": each.ca_file,
                **(provider or {}),
            }
            for each in emulators
        }
        app = self.app(providers=providers, profiles={"folder": self.profiles}, **settings)
        if limits is not None:
            app.services.voice_limits = limits
        return app

    @contextmanager
    def running(self, app: FastAPI) -> Iterator[Client]:
        options = {
            "http": limited_http(app.services.application.settings.server),
            "ws": FastServerProtocol,
            "ws_max_size": MAX_FRAME_BYTES,
            "ws_per_message_deflate": False,
        }
        with in_thread(app, **options) as client:
            yield client

    @contextmanager
    def talking(
        self, api: str = "gemini", script: Any = None, **options: Any
    ) -> Iterator[tuple[Client, Emulator, FastAPI]]:
        with emulate(api, script or RULES, check=False) as emulator:
            app = self.voice_app(emulator, **options)
            with self.running(app) as client:
                yield client, emulator, app


class Phone:
    """One socket, used as any program would. `heard` has everything that came."""

    def __init__(self, port: int, path: str = "/ws/vox", **options: Any) -> None:
        self.port = port
        self.heard: list[Any] = []
        # It takes what comes, read or not, unless a test says otherwise.
        usual = {"max_size": None, "max_queue": None, "compression": None}
        self.socket = connect(f"ws://127.0.0.1:{port}{path}", **{**usual, **options})

    def __enter__(self) -> Phone:
        return self

    def __exit__(self, *error: object) -> None:
        self.socket.close()

    def say(self, type: str, **fields: Any) -> None:
        self.socket.send(json.dumps({"type": type, **fields}))

    def start(self, mode: str | None = "gemini", **fields: Any) -> Any:
        self.say("start", mode=mode, **{"profile": "plain", **fields})
        return self.until("setup_complete")

    def next(self, timeout: float = WAIT) -> Any:
        raw = self.socket.recv(timeout=timeout)
        message = json.loads(raw) if isinstance(raw, str) else raw
        if isinstance(message, dict):
            check_voice(message)
        self.heard.append(message)
        return message

    def until(self, type: str, **fields: Any) -> Any:
        """The next message of that type, with those fields; others are only kept."""
        while True:
            message = self.next()
            if not isinstance(message, dict) or message["type"] != type:
                continue
            if fields.items() <= message.items():
                return message

    def error(self) -> str:
        """The words of the next message, which is an error."""
        message = self.next()
        assert message["type"] == "error", message
        words: str = message["message"]
        return words

    def closed(self) -> tuple[int, str]:
        """How the server closes it; what comes before that is kept."""
        with pytest.raises(ConnectionClosed) as over:
            self._drain()
        close = over.value.rcvd
        assert close is not None, "it was cut without a word"
        return close.code, close.reason

    def _drain(self) -> None:
        while True:
            self.next()

    def cut(self) -> None:
        """The line breaks without a word."""
        self.socket.socket.shutdown(socket.SHUT_RDWR)

    def works(self, text: str = "hello") -> None:
        """The conversation goes on: an answer comes to what is said."""
        self.say("text", text=text)
        assert self.until("transcript", role="assistant")
        self.until("turn_complete")


def eventually(holds: Callable[[], bool]) -> None:
    """What happens in the server's own time, within a bound."""
    deadline, pause = monotonic() + WAIT, threading.Event()
    while not holds():
        assert monotonic() < deadline, "it did not come to that"
        pause.wait(0.005)
