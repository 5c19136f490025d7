"""The outbound HTTP client, against real servers on loopback."""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.net.test_egress import reply

from antiphon import ErrorType, ToolError
from antiphon.net import (
    BrokenResponseError,
    CertificateError,
    HostUnreachableError,
    HttpClient,
    HttpResponse,
    NetworkError,
    RequestTimeoutError,
    ResponseTooLargeError,
    RetryPolicy,
    client_context,
    parse_retry_after,
)
from antiphon.net.blocking import BlockingHttpClient
from antiphon.net.egress import Egress
from antiphon.secrecy.redaction import redact
from antiphon.testing import run_real

pytestmark = pytest.mark.real_time

SECRET = "sk-secret-0123456789"


@asynccontextmanager
async def serving(
    *answers: bytes | None, context: ssl.SSLContext | None = None
) -> AsyncIterator[tuple[int, list[str]]]:
    """A server on loopback that gives these answers in order, the last one again and again; None:
    it never answers. Its port, and the heads of the requests it had."""
    asked: list[str] = []
    stop = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            asked.append((await reader.readuntil(b"\r\n\r\n")).decode())
            answer = answers[min(len(asked), len(answers)) - 1]
            if answer is None:
                await stop.wait()
            else:
                writer.write(answer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the client is gone
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    try:
        yield server.sockets[0].getsockname()[1], asked
    finally:
        stop.set()
        server.close()
        await server.wait_closed()


def exchange(
    *answers: bytes | None, method: str = "GET", **options: object
) -> tuple[HttpResponse, list[str]]:
    async def scenario() -> tuple[HttpResponse, list[str]]:
        async with serving(*answers) as (port, asked):
            client = HttpClient(**options)  # type: ignore[arg-type]
            try:
                return await client.request(method, f"http://127.0.0.1:{port}/x"), asked
            finally:
                await client.close()

    return run_real(scenario())


def failure(kind: type[NetworkError], *answers: bytes | None, **options: object) -> NetworkError:
    with pytest.raises(kind) as caught:
        exchange(*answers, **options)
    return caught.value


def test_a_response_comes_back_whatever_its_status() -> None:
    response, asked = exchange(reply(b"no", "404 Not Found", X_Why="gone"), headers={"x-me": "1"})
    assert (response.status, response.body, response.headers["x-why"]) == (404, b"no", "gone")
    assert "x-me: 1" in asked[0]
    assert "user-agent: antiphon" in asked[0]


def test_redirects_are_not_followed() -> None:
    response, asked = exchange(reply(status="302 Found", Location="/y"))
    assert response.status == 302
    assert len(asked) == 1


def test_a_response_that_is_too_long_is_an_error() -> None:
    failure(ResponseTooLargeError, reply(b"x" * 5000), max_bytes=4999)


@pytest.mark.parametrize("start", [None, b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"])
async def test_the_deadline_is_for_the_whole_response(start: bytes | None) -> None:
    over = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(start or b"")
        await over.wait()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    client = HttpClient(timeout=0.1)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    try:
        with pytest.raises(RequestTimeoutError):
            await client.request("GET", url)
    finally:
        await client.close()
        over.set()
        server.close()


def test_a_host_that_is_not_there_is_told_in_the_words_of_the_system() -> None:
    async def scenario() -> str:
        async with serving(None) as (port, _):
            pass
        client = HttpClient()
        with pytest.raises(HostUnreachableError) as caught:
            await client.request("GET", f"http://127.0.0.1:{port}/")
        await client.close()
        return str(caught.value)

    assert "refused" in run_real(scenario()).lower()


@pytest.mark.parametrize(
    "answer", [b"SSH-2.0\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"]
)
def test_a_response_that_breaks_off_is_told(answer: bytes) -> None:
    failure(BrokenResponseError, answer)


def test_a_request_without_a_policy_is_sent_once() -> None:
    response, asked = exchange(reply(status="503 Busy"), method="POST")
    assert response.status == 503
    assert len(asked) == 1


BUSY = reply(status="503 Service Unavailable")


def test_what_may_pass_is_sent_again() -> None:
    response, asked = exchange(BUSY, BUSY, reply(b"ok"), retry=RetryPolicy(3, backoff=0))
    assert response.body == b"ok"
    assert len(asked) == 3


def test_the_last_response_is_returned_when_patience_ends() -> None:
    response, asked = exchange(BUSY, retry=RetryPolicy(2, backoff=0))
    assert response.status == 503
    assert len(asked) == 3


def test_the_service_says_how_long_to_wait() -> None:
    # With this back-off the test would run into its time limit.
    patient = RetryPolicy(3, backoff=60, longest_wait=600)
    limited = reply(status="429 Too Many Requests", Retry_After="0")
    response, asked = exchange(limited, reply(b"ok"), retry=patient)
    assert response.body == b"ok"
    assert len(asked) == 2
    long = reply(status="429 Too Many Requests", Retry_After="601")
    response, asked = exchange(long, reply(b"ok"), retry=patient)
    assert response.status == 429
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("value", "seconds"), [(None, None), ("", None), ("soon", None), ("7", 7.0), ("0.5", 0.5)]
)
def test_retry_after_as_a_number(value: str | None, seconds: float | None) -> None:
    assert parse_retry_after(value) == seconds


def test_retry_after_as_a_date() -> None:
    def stamp(moment: datetime) -> str:
        return f"{moment:%a, %d %b %Y %H:%M:%S GMT}"

    now = datetime.now(UTC)
    assert parse_retry_after(stamp(now - timedelta(hours=1))) == 0.0
    later = parse_retry_after(stamp(now + timedelta(hours=1)))
    assert later is not None
    assert 3500 < later < 3700


def test_secrets_are_masked_and_text_is_bounded() -> None:
    assert redact(f"bad\nkey {SECRET}\x00!", [SECRET, ""]) == "bad key ********!"
    assert redact("x" * 400, [], 10) == "x" * 10 + "…"


def test_keys_are_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    headers = {"authorization": f"Bearer {SECRET}"}
    response, asked = exchange(reply(b"ok"), headers=headers, secrets=[SECRET])
    assert SECRET in asked[0]
    assert response.status == 200
    assert "HTTP Request" in caplog.text  # httpx2 has logged something
    assert SECRET not in caplog.text


def test_the_proxy_of_the_environment_is_not_asked_about_loopback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    response, _ = exchange(reply(b"direct"))
    assert response.body == b"direct"


# -- TLS


def issued(folder: Path, *names: str) -> tuple[ssl.SSLContext, Path]:
    import trustme

    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*names).configure_cert(context)
    authority.cert_pem.write_to_path(str(folder / "ca.pem"))
    return context, folder / "ca.pem"


async def test_a_certificate_of_an_unknown_authority_is_refused(tmp_path: Path) -> None:
    context, ca_file = issued(tmp_path, "127.0.0.1")

    async with serving(reply(b"ok"), context=context) as (port, asked):
        url = f"https://127.0.0.1:{port}/"
        stranger, friend = HttpClient(), HttpClient(tls=client_context(ca_file))
        with pytest.raises(CertificateError):
            await stranger.request("GET", url)
        assert asked == []
        assert (await friend.request("GET", url)).body == b"ok"
        await stranger.close()
        await friend.close()


@pytest.mark.parametrize("name", ["localhost", "elsewhere.test"])
def test_the_certificate_must_be_of_the_name_though_the_address_is_pinned(
    tmp_path: Path, name: str
) -> None:
    context, ca_file = issued(tmp_path, name)

    async def scenario() -> HttpResponse:
        async with serving(reply(b"ok"), context=context) as (port, _):
            egress = Egress([f"localhost:{port}"], ca_file=ca_file)
            return await egress.fetch(f"https://localhost:{port}/")

    if name == "localhost":
        assert run_real(scenario()).body == b"ok"
        return
    with pytest.raises(ToolError) as caught:
        run_real(scenario())
    assert caught.value.type is ErrorType.PERMANENT
    assert "certificate of localhost is not accepted" in caught.value.message


def test_a_name_that_changes_its_address_meanwhile_gains_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    resolved: list[str] = []
    system = socket.getaddrinfo

    def resolve(host: str, *args: Any, **options: Any) -> Any:
        if host != "rebind.test":
            return system(host, *args, **options)
        resolved.append(host)
        return system("127.0.0.1" if len(resolved) == 1 else "127.0.0.2", *args, **options)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)

    async def scenario() -> HttpResponse:
        async with serving(reply(b"first")) as (port, asked):
            found = await Egress([f"rebind.test:{port}"]).fetch(f"http://rebind.test:{port}/")
            assert f"Host: rebind.test:{port}" in asked[0]
            return found

    assert run_real(scenario()).body == b"first"
    assert resolved == ["rebind.test"]


# -- threads


@pytest.fixture
def url() -> Iterator[str]:
    """The address of a server in a thread of its own."""
    ready = threading.Event()
    stop: list[Callable[[], None]] = []
    found: list[str] = []

    async def main() -> None:
        async with serving(reply(b"0123456789" * 1000)) as (port, _):
            over = asyncio.Event()
            loop = asyncio.get_running_loop()
            stop.append(lambda: loop.call_soon_threadsafe(over.set))
            found.append(f"http://127.0.0.1:{port}/")
            ready.set()
            await over.wait()

    thread = threading.Thread(target=asyncio.run, args=(main(),))
    thread.start()
    assert ready.wait(10)
    yield found[0]
    stop[0]()
    thread.join()


def test_threads_share_a_blocking_client(url: str) -> None:
    client = BlockingHttpClient(HttpClient())
    with ThreadPoolExecutor(6) as pool:
        bodies = list(pool.map(lambda _: client.request("GET", url).body, range(24)))
    client.close()
    assert bodies == [b"0123456789" * 1000] * 24


def test_a_blocking_client_ends_its_thread_and_may_begin_again(url: str) -> None:
    before = threading.active_count()
    client = BlockingHttpClient(HttpClient())
    assert client.request("GET", url).status == 200
    assert threading.active_count() == before + 1
    client.close()
    assert threading.active_count() == before
    assert client.request("GET", url).status == 200
    client.close()
    client.close()
    assert threading.active_count() == before


def test_a_response_is_read_while_it_comes(url: str) -> None:
    client = BlockingHttpClient(HttpClient())
    with client.stream("GET", url) as response:
        assert response.status == 200
        pieces = response.iter_bytes(4000)
        assert next(pieces) == (b"0123456789" * 1000)[:4000]
        assert [len(piece) for piece in pieces] == [4000, 2000]
    with client.stream("GET", url) as response:
        next(response.iter_bytes(10))
    with client.stream("GET", url) as response:
        assert len(response.read()) == 10_000
    client.close()


def test_what_fails_while_streaming_is_a_network_error(url: str) -> None:
    client = BlockingHttpClient(HttpClient())
    with pytest.raises(NetworkError), client.stream("GET", "http://127.0.0.1:9/"):
        pass
    with pytest.raises(ZeroDivisionError), client.stream("GET", url):
        raise ZeroDivisionError
    client.close()
