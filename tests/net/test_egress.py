"""The egress client: public addresses only, checked again at each redirect, bounded in all ways."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from antiphon import ErrorType, ToolError
from antiphon.net.addresses import is_public, parse_url
from antiphon.net.egress import Egress
from antiphon.testing import run_real


@asynccontextmanager
async def serving(answers: dict[str, bytes]) -> AsyncIterator[tuple[str, list[str]]]:
    """A server on loopback that answers each path with the given bytes; and what it was asked."""
    asked: list[str] = []
    stop = asyncio.Event()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        asked.append(head.decode())
        body = answers.get(head.split()[1].decode())
        if body is None:
            await stop.wait()
        else:
            writer.write(body)
            await writer.drain()
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    try:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}", asked
    finally:
        stop.set()
        server.close()


def reply(body: bytes = b"", status: str = "200 OK", **headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def fetched(answers: dict[str, bytes], path: str = "/", **how: Any) -> tuple[Any, list[str]]:
    async def scenario() -> tuple[Any, list[str]]:
        async with serving(answers) as (host, asked):
            options = {k: how.pop(k) for k in ("seconds", "limit") if k in how}
            egress = Egress(allowed=[host], **options)
            return await egress.fetch(f"http://{host}{path}", **how), asked

    return run_real(scenario())


def refusal(work: Callable[[], Awaitable[Any]]) -> ToolError:
    with pytest.raises(ToolError) as caught:
        run_real(work())
    return caught.value


def test_an_answer_comes_back_whole() -> None:
    response, asked = fetched({"/a?b=%C3%A9": reply(b"hi", X_Note="yes")}, "/a?b=é")
    assert (response.status, response.body, response.headers["x-note"]) == (200, b"hi", "yes")
    assert not response.truncated
    assert "Host: 127.0.0.1" in asked[0]


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.0.0.8", "172.16.3.4", "192.168.1.1", "169.254.169.254", "0.0.0.0",
     "100.64.0.1", "::1", "fe80::1", "fec0::1", "fd00::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1",
     "2002:7f00:1::", "224.0.0.1", "255.255.255.255", "2001:db8::1", "nonsense"],
)  # fmt: skip
def test_addresses_that_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111"])
def test_addresses_that_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1:8080/", "http://localhost:9000/", "http://2130706433/", "http://0x7f000001/",
     "http://[::1]:8000/", "http://[::ffff:10.0.0.1]/", "http://0/"],
)  # fmt: skip
def test_private_addresses_are_refused_however_they_are_written(url: str) -> None:
    error = refusal(lambda: Egress().fetch(url))
    assert error.type == ErrorType.PERMANENT
    assert "not a public address" in error.message or "no host" in error.message


def test_a_redirect_is_followed_and_told() -> None:
    answers = {"/a": reply(status="302 Found", Location="/b"), "/b": reply(b"there")}
    response, _ = fetched(answers, "/a")
    assert response.body == b"there"
    assert response.url.endswith("/b")
    assert len(response.redirects) == 1


@pytest.mark.parametrize("target", ["http://localhost:1/", "http://169.254.169.254/latest/"])
def test_a_redirect_to_a_private_address_is_refused(target: str) -> None:
    answers = {"/": reply(status="302 Found", Location=target)}
    with pytest.raises(ToolError) as caught:
        fetched(answers)
    assert "is refused" in caught.value.message


def test_a_redirect_to_another_scheme_is_refused() -> None:
    with pytest.raises(ToolError) as caught:
        fetched({"/": reply(status="302 Found", Location="file:///etc/passwd")})
    assert "http://" in caught.value.message


def test_redirects_without_end_are_refused() -> None:
    with pytest.raises(ToolError) as caught:
        fetched({"/": reply(status="302 Found", Location="/")})
    assert "more than 5 times" in caught.value.message


def test_a_large_answer_is_cut_at_the_limit() -> None:
    response, _ = fetched({"/": reply(b"x" * 500_000)}, limit=1000)
    assert (len(response.body), response.truncated) == (1000, True)


def test_gzip_is_unpacked_but_never_beyond_the_limit() -> None:
    packed = gzip.compress(b"y" * 5_000_000)
    response, _ = fetched({"/": reply(packed, Content_Encoding="gzip")}, limit=2000)
    assert (response.body, response.truncated) == (b"y" * 2000, True)
    small, _ = fetched({"/": reply(gzip.compress(b"small"), Content_Encoding="gzip")})
    assert small.body == b"small"


def test_a_server_that_says_nothing_is_given_up() -> None:
    with pytest.raises(ToolError) as caught:
        fetched({}, seconds=0.05)
    assert caught.value.type == ErrorType.TRANSIENT
    assert "did not answer" in caught.value.message


def test_an_answer_that_is_no_http_is_a_plain_error() -> None:
    with pytest.raises(ToolError) as caught:
        fetched({"/": b"SSH-2.0-OpenSSH\r\n\r\n"})
    assert caught.value.type == ErrorType.TRANSIENT


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("ftp://example.org/", "http://"),
        ("example.org", "http://"),
        ("http://", "no host"),
        ("http://ada:pw@example.org/", "password"),
        ("http://exa mple.org/", "spaces"),
        ("http://example.org/\r\nX: y", "control"),
        ("http://example.org:99999/", "usable"),
        ("http://-bad-/", "host name"),
        ("http://[::1/", "usable"),
    ],
)
def test_what_is_no_web_address_is_named(url: str, reason: str) -> None:
    with pytest.raises(ToolError) as caught:
        parse_url(url)
    assert caught.value.type == ErrorType.VALIDATION
    assert reason in caught.value.message


def test_ports_below_1024_that_are_not_the_webs_are_refused() -> None:
    with pytest.raises(ToolError) as caught:
        parse_url("http://example.org:25/")
    assert "port 25" in caught.value.message
