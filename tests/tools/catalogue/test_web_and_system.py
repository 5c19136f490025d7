"""Web helpers, offline and through the guarded client; and what the machine tells of itself."""

from __future__ import annotations

import asyncio
import json
import os
from typing import Any

import pytest
from tests.tools.catalogue_world import call, data, error, run, within

from antiphon.net.egress import Egress

# -- url_parser


def test_a_url_is_taken_apart_and_changed() -> None:
    found = data(
        "url_parser",
        url="https://ada@Example.org/a%20b/c?x=1&x=2&y=#t",
        set_query={"page": 2, "y": None, "on": True},
    )
    assert found["url"] == "https://ada@Example.org/a%20b/c?x=1&x=2&page=2&on=true#t"
    assert (found["host"], found["port"], found["username"]) == ("example.org", 443, "ada")
    assert (found["path"], found["segments"]) == ("/a b/c", ["a b", "c"])
    assert found["query"] == {"x": ["1", "2"], "page": ["2"], "on": ["true"]}


def test_relative_urls_need_a_base() -> None:
    assert error("url_parser", url="../x")["pointer"] == "/url"
    assert data("url_parser", url="../x", base="https://a.b/c/d")["url"] == "https://a.b/x"
    assert error("url_parser", url="http://[::1")["pointer"] == "/url"


def test_odd_urls_are_warned_of() -> None:
    said = " ".join(data("url_parser", url="http://bank.com:pw@еxample.org/")["warnings"])
    for word in ("password", "not encrypted", "mixes alphabets", "before @"):
        assert word in said


# -- html_to_text


def test_html_becomes_markdown() -> None:
    html = (
        "<title>T &amp; U</title><h1>Hi</h1><p>See <a href='/a'>this <b>x</b></a><ul><li>a<li>b"
        "</ul><ol><li>c</ol><script>if (a<b) x('</p>')</script><pre>a\n  b</pre><!-- z -->1 < 2"
    )
    found = data("html_to_text", html=html, style="markdown")
    assert found["title"] == "T & U"
    assert found["text"] == (
        "# Hi\n\nSee [this **x**](/a)\n\n- a\n- b\n\n1. c\n\n```\na\n  b\n```\n\n1 < 2"
    )
    assert found["links"] == [{"text": "this **x**", "url": "/a"}]
    assert "#" not in data("html_to_text", html="<h1>Hi</h1>")["text"]


@pytest.mark.parametrize("piece", ["<!--", "<", "<a '", "<div>", "</p", '<a b="', "<![CDATA["])
def test_broken_html_of_any_length_is_read_in_one_pass(piece: str) -> None:
    """Each of these takes a parser that looks back many minutes; the call has 8 seconds."""
    found = data("html_to_text", html=piece * (300_000 // len(piece)), max_chars=100)
    assert len(found["text"]) <= 100


# -- http_fetch


PAGE = b"<title>Shop</title><p>Tea &amp; cake</p><script>x()</script>"


def fetched(body: bytes, kind: str, **args: Any) -> dict[str, Any]:
    """What http_fetch makes of an answer of a server on loopback."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        await writer.drain()
        writer.close()

    async def scenario(call: Any) -> Any:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        host = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        egress.allowed = [host]
        try:
            params = {"url": f"http://{host}/", **args}
            return await call("run_tool", tool_id="http_fetch", params=params)
        finally:
            server.close()
            await server.wait_closed()

    egress = Egress()
    envelope = within(scenario, egress=egress)
    assert envelope["ok"], envelope["error"]
    result: dict[str, Any] = envelope["data"]["result"]
    return result


def test_a_page_is_fetched_as_text() -> None:
    found = fetched(PAGE, "text/html; charset=utf-8")
    assert (found["status"], found["title"], found["text"]) == (200, "Shop", "Tea & cake")
    assert "<p>" in fetched(PAGE, "text/html", view="raw")["text"]


def test_other_content_is_shown_as_it_is_or_not_at_all() -> None:
    assert json.loads(fetched(b'{"a": 1}', "application/json")["text"]) == {"a": 1}
    picture = fetched(b"\x89PNG" + bytes(100), "image/png")
    assert (picture["text"], picture["bytes"]) == ("", 104)
    cut = fetched(b"x" * 500, "text/plain", max_chars=100)
    assert (len(cut["text"]), cut["truncated"]) == (100, True)
    assert fetched("å".encode("latin-1"), "text/plain; charset=latin-1")["text"] == "å"


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000/", "http://localhost/", "http://10.0.0.1/"])
def test_private_addresses_cannot_be_fetched(url: str) -> None:
    found = run("http_fetch", services={"egress": Egress()}, url=url)["error"]
    assert found["type"] == "PERMANENT"
    assert "public" in found["message"]


def test_pages_are_not_fetched_in_voice() -> None:
    envelope = run("http_fetch", mode="voice", services={"egress": Egress()}, url="http://a.b")
    assert envelope["error"]["type"] == "MODE_RESTRICTED"
    listed = call("list_tools", mode="voice")["data"]["tools"]
    assert "http_fetch" not in {tool["id"] for tool in listed}


# -- header_checker


GOOD = """HTTP/2 200
content-security-policy: default-src 'self'; frame-ancestors 'none'
strict-transport-security: max-age=31536000
x-content-type-options: nosniff
referrer-policy: no-referrer
permissions-policy: camera=()
set-cookie: a=b; Secure; HttpOnly; SameSite=Lax
"""


def test_good_headers_get_an_a() -> None:
    found = data("header_checker", headers=GOOD)
    assert (found["grade"], found["findings"]) == ("A", [])


@pytest.mark.parametrize(
    ("old", "new", "header"),
    [
        ("default-src 'self';", "script-src 'unsafe-eval';", "content-security-policy"),
        ("max-age=31536000", "max-age=60", "strict-transport-security"),
        ("nosniff", "sniff", "x-content-type-options"),
        ("frame-ancestors 'none'", "", "x-frame-options"),
        ("no-referrer", "unsafe-url", "referrer-policy"),
        ("; HttpOnly", "", "set-cookie"),
        ("HTTP/2 200", "server: nginx/1.18", "server"),
        ("HTTP/2 200", "access-control-allow-origin: *", "access-control-allow-origin"),
    ],
)
def test_each_weakness_is_named(old: str, new: str, header: str) -> None:
    found = data("header_checker", headers=GOOD.replace(old, new))
    assert [one["header"] for one in found["findings"]] == [header]
    assert found["score"] < 100


def test_headers_are_needed() -> None:
    assert error("header_checker", headers="nothing here")["pointer"] == "/headers"


# -- link_checker


def test_broken_links_of_a_text_are_found() -> None:
    text = (
        "# Set up\n[a](#set-up) [b](#gone) [c][d] [e](b.md) [f](a.md)\n<https://a.b/c>\n"
        "```\n[g](#code)\n```\n[h]()\n[d2]: http://x.y\n[i][d2] [](http://z.w)\n"
    )
    found = data("link_checker", markdown=text, files=["a.md"])
    assert [(one["line"], one["link"]) for one in found["problems"]] == [
        (2, "#gone"), (2, "b.md"), (2, "[d]"), (7, ""), (9, "http://z.w"),
    ]  # fmt: skip
    assert found["hosts"] == {"a.b": 1, "x.y": 1, "z.w": 1}


# -- openapi_summary


OPENAPI = """
openapi: 3.1.0
info: {title: Shop, version: "2"}
servers: [{url: "https://shop.test"}]
paths:
  /orders:
    get:
      summary: All orders
      operationId: list
      parameters: [{$ref: "#/components/parameters/page"}]
      responses: {"200": {description: ok}}
    post:
      operationId: list
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Gone"}}}}
      responses: {"201": {description: made}}
components:
  parameters: {page: {name: page, in: query, required: true}}
  schemas: {Order: {type: object}}
"""


def test_an_api_is_summarised_with_its_problems() -> None:
    found = data("openapi_summary", document=OPENAPI)
    assert (found["title"], found["specification"]) == ("Shop", "OpenAPI 3.1.0")
    first, second = found["operations"]
    assert (first["method"], first["path"], first["parameters"]) == ("GET", "/orders", ["page*"])
    assert second["body"] == "application/json Gone"
    assert set(found["problems"]) == {
        "POST /orders has no summary",
        "POST /orders repeats the operationId list",
        "the reference #/components/schemas/Gone leads nowhere",
    }
    assert data("openapi_summary", document=OPENAPI, filter="all orders")["count"] == 1


@pytest.mark.parametrize(
    "document",
    ["x: [", "[" * 50_000, "a: 1", "- 1", "openapi: &a [1]\ninfo: *a", "!!python/object:os.x {}",
     "openapi:\n " + "- " * 40_000, "openapi: " + "{a: " * 40_000],
)  # fmt: skip
def test_documents_that_are_no_api(document: str) -> None:
    assert error("openapi_summary", document=document)["pointer"] == "/document"


# -- system


def test_the_machine_is_described() -> None:
    found = data("system_info")
    assert found["cpus"] >= 1
    assert found["memory"]["total_bytes"] >= found["memory"]["available_bytes"] > 0
    assert found["summary"].endswith(".")


def test_this_very_process_is_listed_without_its_arguments() -> None:
    found = data("process_list", limit=50)
    assert found["count"] >= 1
    sizes = [one["memory_bytes"] for one in found["processes"]]
    assert sizes == sorted(sizes, reverse=True)
    assert all(one.keys() == found["processes"][0].keys() for one in found["processes"])
    assert "cmdline" not in found["processes"][0]
    mine = data("process_list", name="python", limit=50, sort="cpu")["processes"]
    others = data("process_list", name="pytest", limit=50, sort="cpu")["processes"]
    assert os.getpid() in {one["pid"] for one in mine + others}


def test_disks_are_listed_fullest_first() -> None:
    found = data("disk_usage")
    percents = [one["used_percent"] for one in found["disks"]]
    assert percents
    assert percents == sorted(percents, reverse=True)


def test_time_zones_are_compared_at_one_moment() -> None:
    found = data("timezone_info", timezones=["europe/paris", "Tokyo"], at="2026-03-01T12:00:00Z")
    paris, tokyo = found["zones"]
    assert (paris["time"], paris["next_change"], paris["next_offset"]) == (
        "2026-03-01T13:00:00+01:00",
        "2026-03-29T01:00:00+00:00",
        "+02:00",
    )
    assert (tokyo["name"], tokyo["utc_offset"], tokyo["next_change"]) == (
        "Asia/Tokyo",
        "+09:00",
        None,
    )
    wrong = error("timezone_info", timezones=["UTC", "Pari"])
    assert (wrong["pointer"], wrong["nearest"]) == ("/timezones/1", ["Europe/Paris"])
    late = data("timezone_info", timezones=["UTC"], at="9999-12-31T23:59:59Z")
    assert late["zones"][0]["next_change"] is None
