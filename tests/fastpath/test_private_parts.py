"""The private parts of uvicorn and websockets that the fast path touches are still what they were.

An upgrade that moves one of them must fail here, by name, and not as lost speech somewhere else.
"""

from __future__ import annotations

import ast
import asyncio
import inspect
import socket
from collections import deque
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.asyncio.client import ClientConnection, connect
from websockets.frames import Frame, Opcode, apply_mask  # type: ignore[attr-defined]
from websockets.protocol import State

import antiphon
from antiphon.fastpath.client import FastClientConnection
from antiphon.fastpath.server import FastServerProtocol, protocol_of

SOURCE = Path(antiphon.__file__).parent

# The methods that are overridden or called, each with its parameters.
METHODS = {
    WebSocketsSansIOProtocol: {
        "data_received": ["self", "data"],
        "send": ["self", "message"],
        "send_receive_event_to_app": ["self"],
        "handle_parser_exception": ["self"],
    },
    ClientConnection: {
        "data_received": ["self", "data"],
        "connection_lost": ["self", "exc"],
        "send_data": ["self"],
    },
}
# The attributes of an open connection, each with what it is while nothing waits.
SERVER_STATE: dict[str, Any] = {
    "handshake_initiated": True,
    "handshake_complete": True,
    "frames": [],
    "close_sent": False,
    "disconnected": False,
    "read_paused": False,
}
CLIENT_STATE: dict[str, Any] = {"paused": False}
# Only these modules may touch them.
HOMES = {"fastpath/client.py", "fastpath/server.py"}
PRIVATE_MODULES = ("uvicorn.protocols.websockets",)
PRIVATE_ATTRIBUTES = {
    "recv_messages",
    "get_waiter",
    "cur_size",
    "keepalive_task",
    "curr_msg_data_type",
}


def test_the_methods_have_the_same_parameters() -> None:
    for kind, methods in METHODS.items():
        for name, parameters in methods.items():
            method = getattr(kind, name, None)
            assert method is not None, f"{kind.__name__}.{name} is gone"
            found = list(inspect.signature(method).parameters)
            assert found == parameters, f"{kind.__name__}.{name} takes {found} now"


def test_the_mask_is_undone_by_the_mask() -> None:
    data, mask = bytes(range(200)), b"\x01\x02\x03\x04"
    assert apply_mask(apply_mask(data, mask), mask) == data
    assert Frame(Opcode.TEXT, data).data == data


@pytest.mark.real_time(ignore=("socket:*",), timeout=30)
async def test_an_open_connection_has_the_parts_that_the_fast_path_looks_at() -> None:
    at_server: list[FastServerProtocol] = []
    done = asyncio.Event()
    message = b"x" * 640

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        protocol = protocol_of(send)
        assert protocol is not None, "uvicorn's `send` is no longer a method of the protocol"
        at_server.append(protocol)
        assert protocol.try_send(message, True)
        await receive()
        _check(protocol, SERVER_STATE)
        assert isinstance(protocol.queue, asyncio.Queue)
        assert protocol.writable.is_set()
        assert protocol.transport.is_closing() is False
        assert hasattr(protocol, "curr_msg_data_type")
        assert callable(protocol.conn.send_close)
        done.set()
        await receive()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(
            application, ws=FastServerProtocol, lifespan="off", log_level="critical"
        )
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve([listener]))
        port = listener.getsockname()[1]
        async with connect(
            f"ws://127.0.0.1:{port}",
            create_connection=FastClientConnection,
            compression=None,
            proxy=None,
        ) as client:
            assert isinstance(client, FastClientConnection)
            assert await client.recv(decode=False) == message
            _check(client, CLIENT_STATE)
            protocol = client.protocol
            assert protocol.state is State.OPEN
            assert protocol.cur_size is None
            assert list(protocol.extensions) == []
            assert protocol.writes == []
            assert hasattr(client, "keepalive_task")
            frames = client.recv_messages.frames
            assert isinstance(frames.queue, deque)
            assert frames.get_waiter is None
            reader = asyncio.create_task(client.recv(decode=False))
            await asyncio.sleep(0)
            assert frames.get_waiter is not None
            assert not frames.get_waiter.done()
            reader.cancel()
            await asyncio.gather(reader, return_exceptions=True)
            assert client.try_send(message)
            async with asyncio.timeout(60):
                await done.wait()
        server.should_exit = True
        await serving
    assert at_server


def test_nobody_else_touches_them() -> None:
    for path in SOURCE.rglob("*.py"):
        name = str(path.relative_to(SOURCE))
        if name in HOMES:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                assert not node.module.startswith(PRIVATE_MODULES), f"{name}: {node.module}"
                assert all(alias.name != "apply_mask" for alias in node.names), name
            if isinstance(node, ast.Attribute):
                assert node.attr not in PRIVATE_ATTRIBUTES, f"{name}: .{node.attr}"


def _check(thing: object, expected: dict[str, Any]) -> None:
    for name, value in expected.items():
        assert hasattr(thing, name), f"{type(thing).__name__}.{name} is gone"
        found = getattr(thing, name)
        assert found == value, f"{type(thing).__name__}.{name} is {found!r}, not {value!r}"
