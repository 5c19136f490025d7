"""Who may ask, how much they may send, and how every refusal looks."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import Body, Request, WebSocket
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

LIMIT = 256 * 1024


@pytest.fixture(scope="module")
def open_client(serve: Any) -> Iterator[Any]:
    """A server with one allowed foreign origin and routes that take bodies and fail."""
    app = serve.app(
        server={
            "origins": ["https://console.example.org"],
            "hosts": ["localhost", "voice.example:9000"],
            "proxies": ["127.0.0.2", "10.0.0.0/8"],
        }
    )

    @app.get("/asked")
    async def asked(request: Request) -> dict[str, Any]:
        return {"client": request.client.host, "scheme": request.url.scheme}  # type: ignore[union-attr]

    @app.post("/echo")
    async def echo(text: str = Body()) -> int:
        return len(text)

    @app.get("/fail")
    async def fail() -> None:
        raise RuntimeError("the secret is hunter2")

    @app.websocket("/greet")
    async def greet(channel: WebSocket) -> None:
        await channel.accept()
        await channel.send_text("hello")
        await channel.close()

    with serve.running(app) as client:
        yield client


def refused(reply: Any, status: int) -> str:
    assert (reply.status, reply.media_type) == (status, "application/problem+json")
    assert reply.json["status"] == status
    assert reply.json["type"] == "about:blank"
    assert reply.json["title"]
    assert reply.headers["x-content-type-options"] == "nosniff"
    return reply.json["detail"]


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "127.0.0.1", "[::1]"])
def test_loopback_names_are_answered_at_the_port_of_the_server(client: Any, host: str) -> None:
    assert client.get("/healthz", host=f"{host}:{client.port}").status == 200
    for other in (host, f"{host}:99", f"{host}:{client.port}0"):
        assert f"localhost:{client.port}" in refused(client.get("/healthz", host=other), 421)


def test_further_names_and_ports_are_those_of_the_settings(open_client: Any) -> None:
    own = open_client.port
    for host in ("localhost", f"localhost:{own}", "voice.example:9000"):
        assert open_client.get("/healthz", host=host).status == 200
    for host in ("localhost:9000", "voice.example", f"voice.example:{own}"):
        assert f"add `{host}`" in refused(open_client.get("/healthz", host=host), 421)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "evil.example:8080",
        "127.0.0.1.evil.example",
        "localhost:80@evil.example",
        "127.0.0.1:80:80",
        "localhost.",
        "localhost:",
        "0.0.0.0",
        "",
    ],
)
def test_other_names_are_refused_so_that_rebinding_does_not_work(client: Any, host: str) -> None:
    assert "localhost" in refused(client.get("/healthz", host=host), 421)


def test_two_names_at_once_are_refused(client: Any) -> None:
    answer = client.raw(
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    )
    assert answer.split(b" ")[1] in (b"400", b"421")


def test_a_request_without_a_name_is_refused(client: Any) -> None:
    answer = client.raw(b"GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n")
    assert answer.split(b" ")[1] in (b"400", b"421")


def test_a_page_of_this_server_may_ask(client: Any) -> None:
    own = f"http://127.0.0.1:{client.port}"
    assert client.get("/healthz", origin=own).status == 200


@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS", "DELETE"])
@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "null",
        "http://127.0.0.1",  # another port is another origin
        "http://localhost:1",
        "https://console.example.org.evil.example",
        "http://console.example.org",
        "",
    ],
)
def test_pages_of_other_origins_are_refused(open_client: Any, method: str, origin: str) -> None:
    reply = open_client.send(method, "/api/tools", {"Origin": origin})
    assert "origins" in refused(reply, 403)
    assert "access-control-allow-origin" not in reply.headers


def test_an_allowed_origin_may_ask_and_its_browser_is_told_so(open_client: Any) -> None:
    origin = "https://console.example.org"
    reply = open_client.get("/api/tools", origin=origin)
    assert reply.status == 200
    assert reply.headers["access-control-allow-origin"] == origin
    preflight = open_client.send(
        "OPTIONS",
        "/api/tools",
        {
            "Origin": origin,
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "idempotency-key",
        },
    )
    assert preflight.status == 200
    assert "POST" in preflight.headers["access-control-allow-methods"]


@pytest.mark.parametrize("path", ["/", "/healthz", "/api/tools", "/nothing", "/openapi.json"])
def test_every_answer_tells_browsers_what_they_may_do(client: Any, path: str) -> None:
    headers = client.get(path).headers
    assert headers["content-security-policy"].startswith("default-src 'self';")
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["permissions-policy"] == "microphone=(self), camera=(), geolocation=()"


def test_what_the_api_says_is_kept_by_nobody(client: Any) -> None:
    for path in ("/api/tools", "/api/nothing"):
        assert client.get(path).headers.get_all("cache-control") == ["no-store"]
    assert client.get("/").headers.get_all("cache-control") == ["no-cache"]
    policy = client.get("/").headers["content-security-policy"]
    assert "unsafe" not in policy


FROM = {"X-Forwarded-For": "203.0.113.9, 198.51.100.7, 10.1.2.3", "X-Forwarded-Proto": "https"}


def test_forwarded_headers_are_believed_of_a_proxy_of_the_settings_alone(open_client: Any) -> None:
    plain = open_client.send("GET", "/asked", FROM)
    assert plain.json == {"client": "127.0.0.1", "scheme": "http"}
    assert "strict-transport-security" not in plain.headers
    reply = open_client.send("GET", "/asked", FROM, source="127.0.0.2")
    # The last address that is no proxy of ours: what stands before it, the client made up.
    assert reply.json == {"client": "198.51.100.7", "scheme": "https"}
    assert reply.headers["strict-transport-security"] == "max-age=31536000"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("X-Forwarded-For", "nobody"),
        ("X-Forwarded-For", ", ".join(["10.0.0.1"] * 40)),
        ("X-Forwarded-Proto", "gopher"),
    ],
)
def test_a_bad_header_of_a_proxy_is_refused(open_client: Any, name: str, value: str) -> None:
    reply = open_client.send("GET", "/asked", {name: value}, source="127.0.0.2")
    assert name in refused(reply, 400)
    assert open_client.send("GET", "/asked", {name: value}).status == 200


def test_under_https_the_page_of_http_is_another_origin(open_client: Any) -> None:
    for origin, status in (("https", 200), ("http", 403)):
        own = f"{origin}://127.0.0.1:{open_client.port}"
        sent = {"X-Forwarded-Proto": "https", "Origin": own}
        assert open_client.send("GET", "/asked", sent, source="127.0.0.2").status == status


def test_a_body_within_the_limit_is_taken(open_client: Any) -> None:
    body = b'"' + b"x" * (LIMIT - 2) + b'"'
    reply = open_client.send("POST", "/echo", {"Content-Type": "application/json"}, body)
    assert (reply.status, reply.json) == (200, LIMIT - 2)


def test_a_body_over_the_limit_is_refused_by_its_length(open_client: Any) -> None:
    # Only the head is sent: the refusal must not wait for the body.
    answer = open_client.raw(
        b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: 262145\r\n\r\n"
    )
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"application/problem+json" in answer


def test_a_body_over_the_limit_is_refused_while_it_arrives(open_client: Any) -> None:
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    answer = open_client.raw(
        b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 4 + b"1\r\nx\r\n"
    )
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"at most 262144 bytes" in answer


def test_an_unknown_path_is_a_problem(client: Any) -> None:
    assert "/nothing" in refused(client.get("/nothing"), 404)


def test_a_wrong_method_is_a_problem_that_names_the_right_one(client: Any) -> None:
    reply = client.send("POST", "/healthz")
    assert "it takes GET" in refused(reply, 405)
    assert reply.headers["allow"] == "GET, HEAD"


def test_a_wrong_body_is_a_problem_that_names_the_field(open_client: Any) -> None:
    reply = open_client.send("POST", "/echo", {"Content-Type": "application/json"}, b"5")
    refused(reply, 422)
    assert reply.json["errors"][0]["in"] == "body"
    broken = open_client.send("POST", "/echo", {"Content-Type": "application/json"}, b"{")
    refused(broken, 422)


def test_an_unexpected_error_is_a_problem_that_gives_nothing_away(open_client: Any) -> None:
    reply = open_client.get("/fail")
    refused(reply, 500)
    assert b"hunter2" not in reply.body
    assert b"Traceback" not in reply.body


def test_a_socket_is_opened_for_programs_own_pages_and_allowed_origins(open_client: Any) -> None:
    address = f"ws://127.0.0.1:{open_client.port}/greet"
    own = f"http://127.0.0.1:{open_client.port}"
    for origin in (None, own, "https://console.example.org"):
        with connect(address, origin=origin, proxy=None) as channel:
            assert channel.recv(timeout=60) == "hello"


def test_a_socket_is_refused_to_other_origins_and_names(open_client: Any) -> None:
    address = f"ws://127.0.0.1:{open_client.port}/greet"
    with (
        pytest.raises(InvalidStatus, match="403"),
        connect(address, origin="https://evil.example", proxy=None),
    ):
        pass
    with (
        socket.create_connection(("127.0.0.1", open_client.port)) as to_us,
        pytest.raises(InvalidStatus, match="403"),
        connect("ws://rebound.example/greet", sock=to_us),
    ):
        pass


def test_pages_of_other_sites_cannot_make_the_server_work(open_client: Any) -> None:
    cross = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "no-cors"}
    assert "other sites" in refused(open_client.get("/api/audit/verify", **cross), 403)
    for site in ("same-origin", "same-site", "none"):
        assert open_client.get("/api/tools", Sec_Fetch_Site=site).status == 200
    # A link to the console is no harm, and an origin that may ask is asked for by its own rule.
    assert open_client.get("/healthz", **cross).status == 200
    allowed = {**cross, "Origin": "https://console.example.org"}
    assert open_client.get("/api/tools", **allowed).status == 200


def test_nothing_on_the_way_keeps_an_answer_unless_its_route_says_so(client: Any) -> None:
    for path in ("/metrics", "/openapi.json", "/api/tools", "/nothing", "/healthz"):
        assert client.get(path).headers.get_all("cache-control") == ["no-store"]
    assert client.get("/console/app.js").headers.get_all("cache-control") == ["no-cache"]


def test_pages_may_run_no_script_but_the_consoles_own(client: Any) -> None:
    policy = client.get("/").headers["content-security-policy"]
    assert "unsafe" not in policy
    directives = {each.split()[0]: each.split()[1:] for each in policy.split("; ")}
    assert directives["default-src"] == ["'self'"]
    assert directives["require-trusted-types-for"] == ["'script'"]
    assert directives["trusted-types"] == ["antiphon", "dompurify"]


def test_one_of_two_origins_that_is_foreign_is_enough(client: Any) -> None:
    own = f"http://127.0.0.1:{client.port}"
    request = f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{client.port}\r\nConnection: close\r\n"
    for second, status in ((own, b"200"), ("https://evil.example", b"403"), ("null", b"403")):
        both = f"{request}Origin: {own}\r\nOrigin: {second}\r\n\r\n"
        assert client.raw(both.encode()).split(b" ")[1] == status


@pytest.mark.parametrize(
    ("path", "media_type"),
    [
        ("/", "text/html; charset=utf-8"),
        ("/console/app.js", "text/javascript; charset=utf-8"),
        ("/console/style.css", "text/css; charset=utf-8"),
        ("/healthz", "application/json"),
        ("/api/tools", "application/json"),
        ("/metrics/prometheus", "text/plain; version=0.0.4; charset=utf-8"),
        ("/nothing", "application/problem+json"),
    ],
)
def test_every_answer_says_what_it_is(client: Any, path: str, media_type: str) -> None:
    assert client.get(path).headers.get_all("content-type") == [media_type]
