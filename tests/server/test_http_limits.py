"""Requests that are too large, too slow or too many: refused in words, and nobody else notices."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from typing import Any

import pytest
from tests.server.conftest import Client, Serve
from tests.server.ws.phone import eventually
from websockets.sync.client import connect as websocket


@pytest.fixture(scope="module")
def client(serve: Serve) -> Iterator[Client]:
    server: dict[str, Any] = {"head_seconds": 0.3, "body_seconds": 0.3, "max_connections": 20}
    server["hosts"] = ["localhost"]  # without its port
    with serve.running(serve.app(server=server)) as client:
        yield client


def connect(client: Client) -> socket.socket:
    return socket.create_connection(("127.0.0.1", client.port), timeout=30)


def answer(connection: socket.socket) -> tuple[int, Any]:
    """The status and the document of an answer after which the server hangs up."""
    received = b""
    try:
        while piece := connection.recv(65536):
            received += piece
    except ConnectionResetError:
        pass  # it was still sending
    head, _, body = received.partition(b"\r\n\r\n")
    assert b"connection: close" in head.lower(), received[:300]
    assert b"content-security-policy" in head.lower()
    return int(head.split()[1]), json.loads(body)


def refused(client: Client, request: bytes) -> tuple[int, str]:
    with connect(client) as connection:
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.sendall(request)
        status, document = answer(connection)
        assert document["status"] == status
        return status, document["detail"]


START = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"


@pytest.mark.parametrize(
    ("request_", "status", "words"),
    [
        (b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 414, "16384 bytes"),
        (b"GET /" + b"a" * 3_000_000, 414, "16384 bytes"),
        (START + b"X: " + b"a" * 70_000 + b"\r\n\r\n", 431, "65536 bytes"),
        (START + b"X: " + b"a" * 3_000_000, 431, "65536 bytes"),
        (START + b"X: a\r\n" * 101 + b"\r\n", 431, "100 header fields"),
        (START + b"X" * 3_000_000, 431, "65536 bytes"),
        (
            b"POST /api/chat HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
            b"0\r\n" + b"X: a\r\n" * 200 + b"\r\n",
            431,
            "100 header fields",
        ),
        (b"nonsense\r\n\r\n", 400, "Invalid HTTP request"),
    ],
    ids=["url", "open url", "head", "open head", "fields", "open name", "trailers", "nonsense"],
)
def test_a_head_has_a_size(client: Client, request_: bytes, status: int, words: str) -> None:
    assert refused(client, request_)[0] == status
    assert words in refused(client, request_)[1]


def test_a_head_of_the_largest_size_is_read(client: Client) -> None:
    fields = b"".join(b"X-%d: " % n + b"a" * 600 + b"\r\n" for n in range(90))
    reply = client.raw(START + fields + b"Connection: close\r\n\r\n")
    assert reply.startswith(b"HTTP/1.1 200 ")


def test_a_head_must_come_in_time_and_a_connection_is_not_kept_for_nothing(client: Client) -> None:
    with connect(client) as silent, connect(client) as half, connect(client) as later:
        half.sendall(START)
        later.sendall(START + b"\r\n")
        assert later.recv(65536).startswith(b"HTTP/1.1 200 ")
        later.sendall(b"\r\n")  # nothing but a line
        for connection in (silent, half, later):
            status, document = answer(connection)
            assert (status, document["title"]) == (408, "Request Timeout")


def test_a_body_must_come_at_a_pace(client: Client) -> None:
    head = (
        b"POST /api/chat HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: 1000\r\n\r\n"
    )
    with connect(client) as connection:
        connection.sendall(head + b"{")
        status, document = answer(connection)
    assert status == 408
    assert "slower than 500 bytes a second" in document["detail"]


def test_half_requests_do_not_keep_others_out_for_long(client: Client) -> None:
    with ExitStack() as stack:
        held = [stack.enter_context(connect(client)) for _ in range(25)]
        for connection in held:
            with suppress(BrokenPipeError, ConnectionResetError):
                connection.sendall(START)
        answers = {answer(connection)[0] for connection in held}
    assert answers == {408, 503}
    assert client.get("/healthz").status == 200


def test_a_websocket_is_no_slow_request(client: Client) -> None:
    with websocket(f"ws://127.0.0.1:{client.port}/ws/vox") as line:
        with pytest.raises(TimeoutError):
            line.recv(timeout=1.0)  # longer than heads and bodies may take
        line.send('{"type": "interrupt"}')
        assert json.loads(line.recv(timeout=30))["about"] == "interrupt"


def test_requests_ahead_of_their_answers_are_so_many_at_most(client: Client) -> None:
    one = START + b"\r\n"
    with connect(client) as connection:
        connection.sendall(one * 30)
        seen = b""
        while seen.count(b"HTTP/1.1 200 ") < 30:
            seen += connection.recv(65536)
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.sendall(one * 600)
        seen = b""
        with suppress(ConnectionResetError):
            while piece := connection.recv(65536):
                seen += piece
    assert seen.count(b"HTTP/1.1 200 ") < 600
    assert client.get("/healthz").status == 200


def test_an_answer_that_nobody_reads_is_not_kept(
    serve: Serve, caplog: pytest.LogCaptureFixture
) -> None:
    server: dict[str, Any] = {"body_seconds": 0.2, "hosts": ["localhost"], "max_connections": 2}
    request = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with serve.running(serve.app(server=server)) as running, ExitStack() as stack:
        for _ in range(2):
            connection = socket.socket()
            # A small window: what the system itself keeps is not the server's.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            stack.enter_context(connection)
            connection.connect(("127.0.0.1", running.port))
            connection.sendall(request * 30)
            assert connection.recv(1024).startswith(b"HTTP/1.1 200 ")
        eventually(lambda: answers(running))
    assert not [record for record in caplog.records if record.exc_info]


def answers(client: Client) -> bool:
    """Whether the server has room for one more connection."""
    try:
        return client.get("/healthz").status == 200
    except OSError:
        return False


@pytest.mark.parametrize(
    "target",
    [b"http://evil.example/healthz", b"http://localhost/healthz", b"//evil.example/healthz"],
)
def test_the_target_of_a_request_names_no_host(client: Client, target: bytes) -> None:
    answer_ = client.raw(
        b"GET " + target + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    )
    assert answer_.split(b" ")[1] in (b"400", b"404")


def test_one_address_has_so_many_connections_at_most(serve: Serve) -> None:
    """Where others than this machine can connect; a proxy of the settings has as many as it
    likes."""
    outside: dict[str, Any] = {
        "host": "192.0.2.1",
        "hosts": ["localhost"],
        "proxies": ["127.0.0.3"],
    }
    app = serve.app(server=outside, limits={"address_connections": 3})
    with serve.running(app) as running, ExitStack() as stack:

        def opened(source: str) -> socket.socket:
            made = socket.create_connection(
                ("127.0.0.1", running.port), timeout=30, source_address=(source, 0)
            )
            made.sendall(START)
            return stack.enter_context(made)

        for source in ("127.0.0.1", "127.0.0.3"):
            held = [opened(source) for _ in range(3)]
            fourth = opened(source)
            if source == "127.0.0.3":
                fourth.sendall(b"\r\n")
                assert fourth.recv(65536).startswith(b"HTTP/1.1 200 ")
            else:
                status, document = answer(fourth)
                assert (status, "your address" in document["detail"]) == (503, True)
            assert held
        assert (
            running.send("GET", "/healthz", {"Host": "localhost"}, source="127.0.0.4").status == 200
        )
