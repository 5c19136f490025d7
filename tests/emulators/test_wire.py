"""The loopback server of the emulators, as real clients see it over real sockets."""

from __future__ import annotations

import asyncio
import ssl
import stat
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

import httpx2
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Frame, Opcode

from antiphon.emulators.wire import (
    HttpReply,
    HttpRequest,
    LoopbackServer,
    ServerWebSocket,
    SocketGone,
    WebSocketUpgrade,
)
from antiphon.emulators.wire.tls import TestAuthority

pytestmark = pytest.mark.real_time

BIG = 3 * 1024 * 1024
EVENTS = {"content-type": "text/event-stream"}

# One for all: making it takes longer than most tests here.
AUTHORITY = TestAuthority()


@pytest.fixture(params=["plain", "tls"])
def tls(request: pytest.FixtureRequest) -> bool:
    return bool(request.param == "tls")


async def no_http(request: HttpRequest, reply: HttpReply) -> None:
    raise AssertionError(f"no HTTP was expected here: {request.path}")


async def no_websocket(request: HttpRequest, upgrade: WebSocketUpgrade) -> None:
    raise AssertionError(f"no WebSocket was expected here: {request.path}")


def server(
    http: Callable[[HttpRequest, HttpReply], Awaitable[None]] = no_http,
    websocket: Callable[[HttpRequest, WebSocketUpgrade], Awaitable[None]] = no_websocket,
    tls: bool = False,
    **options: Any,
) -> LoopbackServer:
    context = AUTHORITY.server_context() if tls else None
    return LoopbackServer(http, websocket, tls=context, **options)


def accepting(
    serve: Callable[[ServerWebSocket], Awaitable[None]],
) -> Callable[[HttpRequest, WebSocketUpgrade], Coroutine[Any, Any, None]]:
    async def handler(request: HttpRequest, upgrade: WebSocketUpgrade) -> None:
        await serve(await upgrade.accept())

    return handler


def client(of: LoopbackServer) -> httpx2.AsyncClient:
    verify = AUTHORITY.client_context() if of.tls else False
    return httpx2.AsyncClient(base_url=of.url, verify=verify, trust_env=False, timeout=10)


def line(of: LoopbackServer, path: str = "/", **options: Any) -> connect:
    if of.tls:
        options["ssl"] = AUTHORITY.client_context()
    return connect(of.url.replace("http", "ws", 1) + path, proxy=None, **options)


async def raw_exchange(of: LoopbackServer, data: bytes) -> bytes:
    """What the server answers to these bytes until it ends the connection."""
    reader, writer = await asyncio.open_connection(of.host, of.port)
    try:
        writer.write(data)
        async with asyncio.timeout(60):
            return await reader.read()
    finally:
        writer.close()
        await writer.wait_closed()


def handshake(path: str) -> bytes:
    return (
        f"GET {path} HTTP/1.1\r\nhost: x\r\nconnection: keep-alive, Upgrade\r\n"
        "upgrade: WebSocket\r\nsec-websocket-version: 13\r\n"
        "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    ).encode()


async def until_closed(line: ClientConnection) -> ConnectionClosed:
    async with asyncio.timeout(60):
        with pytest.raises(ConnectionClosed) as caught:
            await line.recv()
    return caught.value


# -- HTTP


async def test_a_request_arrives_as_it_was_sent_and_a_dict_is_answered_as_json(tls: bool) -> None:
    seen: list[HttpRequest] = []

    async def http(request: HttpRequest, reply: HttpReply) -> None:
        seen.append(request)
        await reply.respond(200, {"echo": request.json()}, {"X-Kind": "test"})

    async with server(http, tls=tls) as running, client(running) as ask:
        answer = await ask.post(
            f"{running.url}//v1/models/m%3Ax:run?alt=sse&empty=",
            json={"n": 1},
            headers={"X-Key": "k"},
        )
        assert answer.json() == {"echo": {"n": 1}}
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-kind"] == "test"
        assert running.failures == []
    (request,) = seen
    assert (request.method, request.path) == ("POST", "//v1/models/m:x:run")
    assert request.query == {"alt": "sse", "empty": ""}
    assert request.headers["x-key"] == "k"


async def test_several_requests_share_one_connection(tls: bool) -> None:
    bodies: list[bytes] = []

    async def http(request: HttpRequest, reply: HttpReply) -> None:
        bodies.append(request.body)
        if request.method == "GET":
            await reply.start(200, EVENTS)
            await reply.send(b"data: a\n\n")
            await reply.finish()
        else:
            await reply.respond(404 if request.method == "HEAD" else 200, b"whole")

    async with server(http, tls=tls) as running:
        context = AUTHORITY.client_context() if tls else False
        limits = httpx2.Limits(max_connections=1)
        connections = 0

        async def count(name: str, info: dict[str, Any]) -> None:
            nonlocal connections
            connections += name == "connection.connect_tcp.complete"

        async with httpx2.AsyncClient(
            base_url=running.url, verify=context, limits=limits, trust_env=False
        ) as ask:
            hooks = {"trace": count}
            assert (await ask.post("/", content=b"one", extensions=hooks)).content == b"whole"
            assert (await ask.get("/", extensions=hooks)).content == b"data: a\n\n"
            assert (await ask.head("/", extensions=hooks)).status_code == 404
            assert (await ask.put("/", content=b"two", extensions=hooks)).content == b"whole"
        assert connections == 1
        assert running.failures == []
    assert bodies == [b"one", b"", b"", b"two"]


async def test_each_piece_of_a_stream_arrives_before_the_next_is_sent(tls: bool) -> None:
    seen = asyncio.Event()

    async def http(request: HttpRequest, reply: HttpReply) -> None:
        await reply.start(200, EVENTS)
        await reply.send(b"data: 1\n\n")
        await seen.wait()
        await reply.send(b"data: 2\n\n")
        await reply.finish()

    async with (
        server(http, tls=tls) as running,
        client(running) as ask,
        ask.stream("GET", "/") as answer,
    ):
        pieces = []
        async for piece in answer.aiter_raw():
            pieces.append(piece)
            seen.set()
        assert pieces == [b"data: 1\n\n", b"data: 2\n\n"]


async def test_a_cut_stream_is_an_error_after_all_that_was_sent(tls: bool) -> None:
    async def http(request: HttpRequest, reply: HttpReply) -> None:
        await reply.start(200, EVENTS)
        # More than the system takes at once, in pieces that do not fill a buffer of ours.
        for _ in range(1024):
            await reply.send(b"x" * (6 * BIG // 1024))
        reply.abort()

    async with server(http, tls=tls) as running, client(running) as ask:
        got = bytearray()

        async def read(answer: httpx2.Response) -> None:
            async for piece in answer.aiter_raw():
                got.extend(piece)

        async with ask.stream("GET", "/") as answer:
            with pytest.raises(httpx2.RemoteProtocolError):
                await read(answer)
        assert len(got) == 6 * BIG
        assert running.failures == []


async def test_half_a_chunk_reaches_the_client_as_it_is() -> None:
    async def http(request: HttpRequest, reply: HttpReply) -> None:
        await reply.start(200, EVENTS)
        await reply.send_raw(b"64\r\ndata: {")
        reply.abort()

    async with server(http) as running:
        answer = await raw_exchange(running, b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 200 ")
        assert answer.endswith(b"\r\n\r\n64\r\ndata: {")
        assert running.failures == []


async def test_a_silent_server_learns_that_its_client_has_left(tls: bool) -> None:
    left = asyncio.Event()
    arrived = asyncio.Event()

    async def http(request: HttpRequest, reply: HttpReply) -> None:
        arrived.set()
        await reply.wait_closed()
        left.set()

    async with server(http, tls=tls) as running:
        async with client(running) as ask:
            asking = asyncio.create_task(ask.get("/"))
            await arrived.wait()
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
        async with asyncio.timeout(60):
            await left.wait()
        assert running.failures == []


async def test_to_stream_to_a_client_that_left_raises_and_is_no_failure() -> None:
    errors: list[SocketGone] = []
    ended = asyncio.Event()

    async def http(request: HttpRequest, reply: HttpReply) -> None:
        await reply.start(200, EVENTS)
        try:
            while True:
                await reply.send(b"x" * 65536)
        except SocketGone as error:
            errors.append(error)
            raise
        finally:
            ended.set()

    async with server(http) as running:
        async with client(running) as ask, ask.stream("GET", "/") as answer:
            assert answer.status_code == 200
        async with asyncio.timeout(60):
            await ended.wait()
    assert len(errors) == 1
    assert running.failures == []


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"\x16\x03\x01 this is no HTTP\r\n\r\n", 400),
        (b"GET /no-host HTTP/1.1\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nhost: x\r\nlong: " + b"x" * 100_000, 431),
        (b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2000\r\n\r\n" + b"x" * 2000, 413),
        (b"GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\ncontent-length: 0\r\n\r\n", 400),
    ],
)
async def test_what_is_no_proper_request_gets_a_refusal_with_a_reason(
    data: bytes, status: int
) -> None:
    async with server(max_message=1000) as running:
        answer = await raw_exchange(running, data)
        head, _, body = answer.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 %d " % status)
        assert len(body) > 20
        assert running.failures == []


async def test_a_client_that_waits_for_permission_to_send_its_body_gets_it() -> None:
    async def http(request: HttpRequest, reply: HttpReply) -> None:
        await reply.respond(200, request.body)

    async with server(http) as running:
        reader, writer = await asyncio.open_connection(running.host, running.port)
        writer.write(
            b"POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n"
            b"expect: 100-continue\r\ncontent-length: 4\r\n\r\n"
        )
        async with asyncio.timeout(60):
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 100 ")
            writer.write(b"body")
            assert (await reader.read()).endswith(b"\r\n\r\nbody")
        writer.close()
        await writer.wait_closed()


@pytest.mark.parametrize(
    ("body", "words"), [(b'{"half', "is not JSON: "), (b"", "is empty, but JSON is needed")]
)
def test_a_body_that_is_no_json_says_which_request_it_was(body: bytes, words: str) -> None:
    with pytest.raises(ValueError, match=f"The body of POST /v1/x {words}"):
        HttpRequest("POST", "/v1/x", body=body).json()


async def test_an_error_of_a_handler_cuts_its_connection_and_is_kept() -> None:
    async def http(request: HttpRequest, reply: HttpReply) -> None:
        if request.path == "/half":
            await reply.start(200)
        elif request.path == "/file":
            raise FileNotFoundError("script.yaml")
        elif request.path == "/twice":
            await reply.respond(200, b"")
            await reply.start(200)

    async with server(http) as running, client(running) as ask:
        for path in ("/none", "/half", "/file"):
            with pytest.raises(httpx2.RemoteProtocolError):
                await ask.get(path)
        await ask.get("/twice")
    assert [type(error) for error in running.failures] == [
        RuntimeError,
        RuntimeError,
        FileNotFoundError,
        RuntimeError,
    ]
    assert "GET /none did not answer" in str(running.failures[0])
    assert "GET /half began an answer and did not finish it" in str(running.failures[1])
    assert "GET /twice has begun already" in str(running.failures[3])


# -- WebSocket


async def echo(socket: ServerWebSocket) -> None:
    while (message := await socket.receive()) is not None:
        await socket.send(message)


async def test_text_binary_big_and_fragmented_messages_come_back_as_they_were(tls: bool) -> None:
    async with (
        server(websocket=accepting(echo), tls=tls) as running,
        line(running, max_size=None) as talk,
    ):
        assert talk.protocol.extensions == []
        for message in ("héllo", b"\x00\xff", "", "é" * (BIG // 2), b"x" * BIG):
            await talk.send(message)
            assert await talk.recv() == message
        await talk.send(["one ", "mess", "age"])
        assert await talk.recv() == "one message"
        await talk.send([b"\x01", b"\x02"])
        assert await talk.recv() == b"\x01\x02"


async def test_frames_sent_right_behind_the_handshake_are_not_lost() -> None:
    seen: list[object] = []

    async def listening(socket: ServerWebSocket) -> None:
        seen.extend([socket.request.path, await socket.receive(), await socket.receive()])

    async with server(websocket=accepting(listening)) as running:
        mask = b"\0\0\0\0"
        hello = b"\x81\x82" + mask + b"hi"
        close = b"\x88\x82" + mask + b"\x03\xe8"
        answer = await raw_exchange(running, handshake("/live") + hello + close)
        assert answer.startswith(b"HTTP/1.1 101 ")
        assert answer.endswith(b"\r\n\r\n\x88\x02\x03\xe8")
        assert running.failures == []
    assert seen == ["/live", "hi", None]


async def test_a_ping_is_answered_while_the_handler_does_something_else(tls: bool) -> None:
    async def silent(socket: ServerWebSocket) -> None:
        await socket.wait_closed()

    async with (
        server(websocket=accepting(silent), tls=tls) as running,
        line(running) as talk,
    ):
        async with asyncio.timeout(60):
            await (await talk.ping())
    assert running.failures == []


@pytest.mark.parametrize("code", [1000, 1007, 1008, 1011, 1013, 4321])
async def test_the_client_sees_the_code_and_reason_of_the_server(code: int, tls: bool) -> None:
    async def closing(socket: ServerWebSocket) -> None:
        await socket.send("last words")
        await socket.close(code, "because")
        assert socket.close_code == code  # as the client echoed it

    async with (
        server(websocket=accepting(closing), tls=tls) as running,
        line(running) as talk,
    ):
        assert await talk.recv() == "last words"
        error = await until_closed(talk)
        assert error.rcvd is not None
        assert (error.rcvd.code, error.rcvd.reason) == (code, "because")
    assert running.failures == []


@pytest.mark.parametrize(
    ("code", "seen"),
    [(1005, 1005), (1006, None), (999, None), (1015, None)],
)
async def test_codes_that_no_server_may_send_arrive_as_what_they_mean(
    code: int, seen: int | None
) -> None:
    async def closing(socket: ServerWebSocket) -> None:
        await socket.close(code)

    async with server(websocket=accepting(closing)) as running, line(running) as talk:
        error = await until_closed(talk)
        assert (error.rcvd and error.rcvd.code) == seen
        # A code that the client finds wrong makes it say so; without a frame it cannot.
        sent = error.sent.code if error.sent else None
        assert sent == {1005: 1005, 1006: None}.get(code, 1002)
    assert running.failures == []


@pytest.mark.parametrize(("code", "reason"), [(-1, ""), (70_000, ""), (1000, "é" * 62)])
async def test_a_close_that_fits_in_no_frame_is_an_error_of_the_caller(
    code: int, reason: str
) -> None:
    async def closing(socket: ServerWebSocket) -> None:
        with pytest.raises(ValueError, match="at most 123 bytes; this is code"):
            await socket.close(code, reason)
        await socket.close(1000, "é" * 61)

    async with server(websocket=accepting(closing)) as running, line(running) as talk:
        assert (await until_closed(talk)).rcvd.reason == "é" * 61
    assert running.failures == []


@pytest.mark.parametrize("code", [1000, 1001, 4000])
async def test_the_server_sees_the_code_of_the_client_after_its_last_message(
    code: int, tls: bool
) -> None:
    seen: list[object] = []
    done = asyncio.Event()

    async def listening(socket: ServerWebSocket) -> None:
        await socket.wait_closed()
        seen.extend([await socket.receive(), await socket.receive()])
        seen.extend([socket.close_code, socket.close_reason])
        with pytest.raises(SocketGone, match=f"the client closed it: {code}"):
            await socket.send("too late")
        await socket.close()
        done.set()

    async with server(websocket=accepting(listening), tls=tls) as running:
        async with line(running) as talk:
            await talk.send("last words")
            await talk.close(code, "bye")
        async with asyncio.timeout(60):
            await done.wait()
    assert seen == ["last words", None, code, "bye"]
    assert running.failures == []


async def test_a_client_that_drops_the_connection_has_no_close_code(tls: bool) -> None:
    seen: list[object] = []
    done = asyncio.Event()

    async def listening(socket: ServerWebSocket) -> None:
        seen.extend([await socket.receive(), socket.close_code])
        done.set()

    async with (
        server(websocket=accepting(listening), tls=tls) as running,
        line(running) as talk,
    ):
        talk.transport.abort()
        async with asyncio.timeout(60):
            await done.wait()
    assert seen == [None, None]
    assert running.failures == []


async def test_a_cut_arrives_without_a_close_frame_after_all_that_was_sent(tls: bool) -> None:
    async def cutting(socket: ServerWebSocket) -> None:
        await socket.send(b"x" * BIG)
        await socket.send("half a tool call")
        socket.abort()
        with pytest.raises(SocketGone):
            await socket.send("more")

    async with (
        server(websocket=accepting(cutting), tls=tls) as running,
        line(running, max_size=None) as talk,
    ):
        assert len(await talk.recv()) == BIG
        assert await talk.recv() == "half a tool call"
        assert (await until_closed(talk)).rcvd is None
    assert running.failures == []


async def test_half_a_frame_can_be_sent() -> None:
    async def half(socket: ServerWebSocket) -> None:
        await socket.send_raw(b"\x81\x7e\xff\xff{")
        socket.abort()

    async with server(websocket=accepting(half)) as running, line(running) as talk:
        assert (await until_closed(talk)).rcvd is None


@pytest.mark.virtual_time
async def test_a_client_that_does_not_answer_a_close_is_cut() -> None:
    async def closing(socket: ServerWebSocket) -> None:
        await socket.close(1008)

    async with server(websocket=accepting(closing)) as running:
        answer = await raw_exchange(running, handshake("/"))
        assert answer.endswith(b"\x88\x02\x03\xf0")


async def test_a_handler_that_returns_closes_properly_and_one_that_raises_cuts() -> None:
    async def handler(request: HttpRequest, upgrade: WebSocketUpgrade) -> None:
        await upgrade.accept()
        if request.path == "/raise":
            raise KeyError("script")

    async with server(websocket=handler) as running:
        async with line(running, "/return") as talk:
            assert (await until_closed(talk)).rcvd.code == 1000
        assert running.failures == []
        async with line(running, "/raise") as talk:
            assert (await until_closed(talk)).rcvd is None
    (error,) = running.failures
    assert isinstance(error, KeyError)


async def test_a_refused_upgrade_is_an_http_answer(tls: bool) -> None:
    async def handler(request: HttpRequest, upgrade: WebSocketUpgrade) -> None:
        await upgrade.refuse(429, {"error": "slow down"}, {"retry-after": "7"})

    async with server(websocket=handler, tls=tls) as running:
        with pytest.raises(InvalidStatus) as caught:
            async with line(running):
                pass
        response = caught.value.response
        assert (response.status_code, response.headers["retry-after"]) == (429, "7")
        assert response.body == b'{"error":"slow down"}'
        assert running.failures == []


async def test_an_upgrade_may_also_be_cut_or_left_without_an_answer() -> None:
    waiting = asyncio.Event()
    left = asyncio.Event()

    async def handler(request: HttpRequest, upgrade: WebSocketUpgrade) -> None:
        if request.path == "/cut":
            upgrade.abort()
        elif request.path == "/silent":
            waiting.set()
            await upgrade.wait_closed()
            left.set()

    async def raw_connect(running: LoopbackServer, path: str) -> None:
        if not await raw_exchange(running, handshake(path)):
            raise ConnectionError("ended without an answer")

    async with server(websocket=handler) as running:
        for path in ("/cut", "/forgotten"):
            with pytest.raises(OSError):
                await raw_connect(running, path)
        asking = asyncio.create_task(raw_connect(running, "/silent"))
        async with asyncio.timeout(60):
            await waiting.wait()
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
            await left.wait()
    (error,) = running.failures
    assert "GET /forgotten did not answer" in str(error)


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ((Opcode.TEXT, b"\xff\xfe"), 1007),
        ((Opcode.CONT, b"of nothing"), 1002),
        ((Opcode.BINARY, b"x" * 2000), 1009),
    ],
)
async def test_a_client_that_breaks_the_protocol_is_closed_with_the_right_code(
    frame: tuple[Opcode, bytes], code: int
) -> None:
    async with (
        server(websocket=accepting(echo), max_message=1000) as running,
        line(running) as talk,
    ):
        talk.transport.write(Frame(*frame).serialize(mask=True))
        assert (await until_closed(talk)).rcvd.code == code
    assert running.failures == []


@pytest.mark.virtual_time
async def test_messages_nobody_receives_hold_the_client_back_and_none_is_lost(tls: bool) -> None:
    go = asyncio.Event()
    total = 200

    async def late(socket: ServerWebSocket) -> None:
        await go.wait()
        for number in range(total):
            message = await socket.receive()
            assert message == bytes([number]) * 100_000
        await socket.send("all")

    async with (
        server(websocket=accepting(late), tls=tls, max_message=100_000) as running,
        line(running) as talk,
    ):
        sent = 0

        async def flood() -> None:
            nonlocal sent
            for number in range(total):
                await talk.send(bytes([number]) * 100_000)
                sent += 1

        flooding = asyncio.create_task(flood())
        # In virtual time, this long passes only once nobody has anything left to do.
        await asyncio.wait([flooding], timeout=5)
        assert sent < total
        go.set()
        async with asyncio.timeout(60):
            assert await talk.recv() == "all"
            await flooding
    assert running.failures == []


# -- the server


async def test_many_connections_of_both_kinds_are_served_at_once(tls: bool) -> None:
    everyone = asyncio.Event()
    arrived = 0

    async def meet() -> None:
        nonlocal arrived
        arrived += 1
        if arrived == 10:
            everyone.set()
        await everyone.wait()

    async def http(request: HttpRequest, reply: HttpReply) -> None:
        await meet()
        await reply.respond(200, request.body)

    async def talking(socket: ServerWebSocket) -> None:
        await meet()
        await echo(socket)

    async with (
        server(http, accepting(talking), tls=tls) as running,
        client(running) as ask,
    ):

        async def post(text: str) -> str:
            return (await ask.post("/", content=text)).text

        async def talk(text: str) -> str:
            async with line(running) as one:
                await one.send(text)
                return str(await one.recv())

        async with asyncio.timeout(60):
            answers = await asyncio.gather(
                *(post(f"http {n}") for n in range(5)), *(talk(f"ws {n}") for n in range(5))
            )
        assert answers == [f"http {n}" for n in range(5)] + [f"ws {n}" for n in range(5)]


async def test_stop_ends_every_connection_whatever_it_is_doing(tls: bool) -> None:
    busy = asyncio.Semaphore(0)
    cancelled: list[str] = []

    async def forever(name: str) -> None:
        busy.release()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(name)
            raise

    async def http(request: HttpRequest, reply: HttpReply) -> None:
        await reply.start(200)
        await forever("http")

    async def talking(socket: ServerWebSocket) -> None:
        await forever("websocket")

    running = server(http, accepting(talking), tls=tls)
    await running.start()
    with pytest.raises(RuntimeError, match="runs already"):
        await running.start()
    reader, writer = await asyncio.open_connection(running.host, running.port)
    async with (
        client(running) as ask,
        line(running) as talk,
        ask.stream("GET", "/") as answer,
        asyncio.timeout(60),
    ):
        await busy.acquire()
        await busy.acquire()
        await running.stop()
        await running.stop()
        with pytest.raises(httpx2.RemoteProtocolError):
            await answer.aread()
        assert await reader.read() == b""
        assert (await until_closed(talk)).rcvd is None
    writer.close()
    await writer.wait_closed()
    assert sorted(cancelled) == ["http", "websocket"]
    assert running.failures == []
    with pytest.raises(OSError):
        await asyncio.open_connection(running.host, running.port)


async def test_a_stopped_server_starts_again_on_its_port() -> None:
    running = server(websocket=accepting(echo))
    urls = set()
    for _ in range(2):
        async with running, line(running) as talk:
            urls.add(running.url)
            await talk.send("hi")
            assert await talk.recv() == "hi"
    assert len(urls) == 1


# -- TLS


async def test_who_does_not_trust_the_authority_or_speaks_plainly_is_not_served() -> None:
    async with server(tls=True) as running:
        stranger = TestAuthority().client_context()
        async with httpx2.AsyncClient(verify=stranger, trust_env=False) as ask:
            with pytest.raises(httpx2.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
                await ask.get(running.url)
        answer = await raw_exchange(running, b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
        assert b"HTTP" not in answer
        assert running.failures == []


async def test_localhost_and_the_written_certificate_work_for_a_client_of_its_own(
    tmp_path: Path,
) -> None:
    async def http(request: HttpRequest, reply: HttpReply) -> None:
        await reply.respond(200, b"ok")

    written = AUTHORITY.write_ca(tmp_path / "trusted.pem")
    context = ssl.create_default_context(cafile=written)
    async with (
        server(http, tls=True) as running,
        httpx2.AsyncClient(verify=context, trust_env=False) as ask,
    ):
        url = f"https://localhost:{running.port}"
        assert (await ask.get(url)).text == "ok"


async def test_a_saved_authority_is_the_same_after_a_restart_and_its_key_is_private(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "deep" / "er"
    first = TestAuthority.saved(folder)
    certificate = (folder / "ca.pem").read_bytes()
    (folder / "ca.pem").unlink()
    second = TestAuthority.saved(folder)
    assert (folder / "ca.pem").read_bytes() == certificate
    assert b"PRIVATE" not in certificate
    assert stat.S_IMODE((folder / "ca-key.pem").stat().st_mode) == 0o600
    assert sorted(path.name for path in folder.iterdir()) == ["ca-key.pem", "ca.pem"]

    async def http(request: HttpRequest, reply: HttpReply) -> None:
        await reply.respond(200, b"ok")

    running = LoopbackServer(http, no_websocket, tls=second.server_context())
    async with (
        running,
        httpx2.AsyncClient(verify=first.client_context(), trust_env=False) as ask,
    ):
        assert (await ask.get(running.url)).text == "ok"


def test_a_saved_authority_that_is_broken_says_what_to_do(tmp_path: Path) -> None:
    key = tmp_path / "ca-key.pem"
    one, other = tmp_path / "one", tmp_path / "other"
    TestAuthority.saved(one)
    TestAuthority.saved(other)
    begin = b"-----BEGIN CERTIFICATE-----"
    own_key = (one / "ca-key.pem").read_bytes().partition(begin)[0]
    mixed = own_key + (other / "ca.pem").read_bytes()
    for content in (b"", b"garbage", own_key, mixed):
        key.write_bytes(content)
        with pytest.raises(ValueError, match=r"ca-key.pem does not hold .* Delete it"):
            TestAuthority.saved(tmp_path)
