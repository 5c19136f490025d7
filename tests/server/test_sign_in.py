"""Sign-in over HTTP: who comes in by what, what a browser is given, and who is refused."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from time import time
from typing import Any

import pytest
from tests.server.conftest import Client, Serve
from tests.server.sign_in_helpers import (
    ACCESS,
    OPERATOR,
    PASSWORD,
    Browser,
    announced,
    as_operator,
    events,
    in_a_moment,
    make_user,
    signing_in,
)
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from antiphon.server.route_permissions import OPEN, PERMISSION_OF


@pytest.fixture(scope="module")
def client(workshop: Serve) -> Iterator[Client]:
    with signing_in(workshop) as client:
        make_user(client, "ann", display_name="Ann", email="ann@example.org")
        make_user(client, "bob")
        yield client


@pytest.fixture
def ann(client: Client) -> Browser:
    browser = Browser(client)
    assert browser.sign_in("ann").status == 200
    return browser


# -- by password -----------------------------------------------------------------------------


def test_a_password_gives_the_account_and_a_cookie_that_pages_cannot_read(client: Client) -> None:
    browser = Browser(client)
    assert browser.get("/api/sign-in").json == {
        "required": True,
        "signed_in": False,
        "password": True,
        "passkey": False,
        "providers": [],
    }
    assert browser.get("/api/account").status == 401
    reply = browser.post("/api/sign-in/password", {"user": "Ann", "password": PASSWORD})
    assert reply.status == 200
    account = reply.json
    assert account["user"] == "ann"
    assert account["display_name"] == "Ann"
    assert account["roles"] == ["member"]
    assert "tools.call" in account["permissions"]
    assert "users.manage" not in account["permissions"]
    assert (account["way"], account["has_password"]) == ("password", True)
    assert browser.account() == account
    assert browser.get("/api/sign-in").json["signed_in"] is True
    attributes = browser.attributes["antiphon"]
    assert attributes == "Max-Age=1209600; Path=/; HttpOnly; SameSite=Lax"
    assert reply.headers["cache-control"] == "no-store"


def test_over_https_the_cookie_is_for_this_host_alone(workshop: Serve) -> None:
    app = workshop.app(
        access=ACCESS,
        server={"admin_token": OPERATOR, "proxies": ["127.0.0.1"], "hosts": ["vox.example.org"]},
    )
    with workshop.running(app) as client:
        make_user(client, "root", "admin")
        browser = Browser(client)
        front = {"Host": "vox.example.org", "Origin": "https://vox.example.org"}
        body = {"user": "root", "password": PASSWORD}
        reply = browser.post("/api/sign-in/password", body, X_Forwarded_Proto="https", **front)
        assert reply.status == 200, reply.body
        attributes = browser.attributes["__Host-antiphon"]
        assert attributes == "Max-Age=1209600; Path=/; HttpOnly; SameSite=Lax; Secure"
        assert browser.get("/api/account", X_Forwarded_Proto="https", **front).status == 200
        # The same cookie under the name that plain http has is nobody's.
        browser.cookies = {"antiphon": browser.cookies["__Host-antiphon"]}
        assert browser.get("/api/account", X_Forwarded_Proto="https", **front).status == 401
        # Without https nobody signs in from elsewhere.
        reply = client.post("/api/sign-in/password", body, Host="vox.example.org")
        assert reply.status == 403
        assert "plain http" in reply.json["detail"]
        assert reply.headers["set-cookie"] is None


def test_every_refusal_of_a_password_has_the_same_words(client: Client) -> None:
    make_user(client, "carl")
    as_operator(client, "PATCH", "/api/users/carl", {"disabled": True})
    as_operator(client, "POST", "/api/users", {"name": "dora"})
    refused = [
        Browser(client).post("/api/sign-in/password", {"user": user, "password": password})
        for user, password in [
            ("ann", "not her password"),
            ("nobody-at-all", PASSWORD),
            ("carl", PASSWORD),
            ("dora", PASSWORD),
            ("\u202eann", PASSWORD),
            ("", ""),
            ("ann", "p" * 2000),
        ]
    ]
    assert {reply.status for reply in refused} == {401}
    assert len({reply.body for reply in refused}) == 1
    assert all(reply.headers["set-cookie"] is None for reply in refused)
    lines = events(client, "sign_in_refused")
    codes = {line["details"]["code"] for line in lines}
    assert codes == {"wrong", "unknown", "disabled", "no_password"}
    assert "nobody-at-all" not in json.dumps(lines)  # it may be a password in the wrong place


def test_a_password_of_a_megabyte_is_refused_before_anybody_looks_at_it(client: Client) -> None:
    before = len(events(client, "sign_in_refused"))
    reply = Browser(client).sign_in("ann", "p" * 1024 * 1024)
    assert reply.status == 413
    assert reply.media_type == "application/problem+json"
    assert len(events(client, "sign_in_refused")) == before


def test_signing_in_again_ends_the_session_that_the_browser_had(client: Client) -> None:
    browser = Browser(client)
    browser.sign_in("ann")
    before = browser.secret
    assert browser.sign_in("bob").status == 200
    assert browser.secret != before
    browser.cookies["antiphon"] = before
    assert browser.get("/api/account").json["code"] == "revoked"


def test_a_renewed_secret_reaches_the_browser_with_any_answer(workshop: Serve) -> None:
    with signing_in(workshop, rotation_minutes=0.0001) as client:
        browser = Browser(client)
        browser.sign_in("root")
        seen = {browser.secret}
        for path in ("/api/account", "/api/nothing-there", "/api/tools", "/api/users"):
            old = browser.secret
            in_a_moment(lambda path=path, old=old: browser.get(path) and browser.secret != old)
            seen.add(browser.secret)
            # What was sent beside it still counts.
            late = Browser(client, cookies={"antiphon": old})
            assert late.get("/api/account").status == 200
        assert len(seen) == 5
        line = {"Cookie": f"antiphon={browser.secret}"}
        url = f"ws://127.0.0.1:{client.port}/ws/vox"
        given: list[str] = []

        def is_renewed() -> bool:
            with connect(url, origin=browser.origin, additional_headers=line) as socket:
                assert socket.response is not None
                given.extend(socket.response.headers.get_all("set-cookie"))
            return bool(given)

        in_a_moment(is_renewed)
        name, _, value = given[0].partition(";")[0].partition("=")
        assert (name, value in seen) == ("antiphon", False)
        browser.cookies[name] = value
        assert browser.account()["user"] == "root"


def test_secrets_are_in_no_log_and_no_audit(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    browser = Browser(client)
    browser.sign_in("ann", "hunter2-is-no-password")
    browser.sign_in("ann")
    ticket = browser.post("/api/account/ticket").json["ticket"]
    lines = as_operator(client, "GET", "/api/audit?limit=200")["lines"]
    written = caplog.text + json.dumps(lines)
    for secret in (browser.secret, ticket, "hunter2-is-no-password", PASSWORD):
        assert secret not in written


def test_what_has_expired_or_comes_from_the_future_is_refused(
    workshop: Serve, tmp_path: Path
) -> None:
    with signing_in(workshop, tmp_path / "data") as client:
        browser = Browser(client)
        browser.sign_in("root")
        token = browser.post("/api/tokens", {"name": "ci"}).json["secret"]
        ticket = browser.post("/api/account/ticket").json["ticket"]
        link = browser.post("/api/users", {"name": "eve"}).json["link"]["secret"]
        bearer = {"Authorization": f"Bearer {token}"}

        def sets(values: str) -> None:
            with sqlite3.connect(tmp_path / "data" / "antiphon.db") as database:
                for table in ("service_tokens", "single_use", "browser_sessions"):
                    database.execute(f"UPDATE {table} SET {values}")

        def code() -> set[str]:
            refused = [
                client.send("GET", "/api/account", bearer),
                client.get("/api/account", Cookie=f"antiphon={browser.secret}"),
                browser.fresh().post("/api/sign-in/link/look", {"secret": link}),
            ]
            return {each.json.get("code", "in force") for each in refused if each.status == 401}

        sets(f"created_at = {time() + 86_400}")
        in_a_moment(lambda: code() == {"clock"})
        sets(f"created_at = {time() - 60}, expires_at = {time() - 1}")
        in_a_moment(lambda: code() == {"expired"})
        url = f"ws://127.0.0.1:{client.port}/ws/vox"
        with connect(url, subprotocols=["antiphon", f"ticket.{ticket}"]) as socket:  # type: ignore[list-item]
            with pytest.raises(ConnectionClosed):
                socket.recv(timeout=60)
            assert socket.close_reason == "This ticket has expired. Ask for a new one."
        assert {line["details"]["code"] for line in events(client, "credential_refused")} == {
            "clock",
            "expired",
        }


def test_the_description_says_what_a_request_shows(client: Client) -> None:
    document = as_operator(client, "GET", "/openapi.json")
    assert set(document["components"]["securitySchemes"]) >= {"token", "session"}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            is_open = PERMISSION_OF[method.upper(), path] == OPEN
            assert (operation["security"] == []) is is_open
            assert is_open or {"401", "403", "503"} <= set(operation["responses"])


# -- signing out -------------------------------------------------------------------------------


def test_signing_out_ends_the_session_and_takes_the_cookie(ann: Browser, client: Client) -> None:
    kept = ann.secret
    assert ann.post("/api/sign-out").status == 204
    assert "antiphon" not in ann.cookies
    ann.cookies["antiphon"] = kept
    assert ann.get("/api/account").json["code"] == "revoked"
    # Whoever is signed out already may say so again.
    assert ann.post("/api/sign-out").status == 204
    assert events(client, "signed_out")[-1]["user"] == "ann"


# -- what is shown to come in --------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Cookie": "antiphon="},
        {"Cookie": "antiphon=b00.xyz"},
        {"Cookie": "antiphon=" + "x" * 5000},
        {"Cookie": "\xff\xfe; =; antiphon"},
        {"Cookie": "Antiphon=b00.xyz; __Host-antiphon=b00.xyz"},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer anti_t00_nothing"},
        {"Authorization": "Bearer wrong-admin-token"},
        {"Authorization": "Basic cm9vdDpyb290"},
        {"Authorization": "Bearer \xff"},
    ],
)
def test_nobody_comes_in_with(client: Client, headers: dict[str, str]) -> None:
    for method, path in (("GET", "/api/tools"), ("POST", "/api/chat"), ("GET", "/nowhere")):
        sent = {"Origin": f"http://127.0.0.1:{client.port}", **headers}
        reply = client.send(method, path, sent)
        assert reply.status == 401, path
        assert reply.media_type == "application/problem+json"
        assert reply.headers["www-authenticate"] == "Bearer"


def test_two_cookies_and_two_tokens_are_refused(ann: Browser, client: Client) -> None:
    own = f"antiphon={ann.secret}"
    for line in (f"{own}; antiphon=b00.other", f"antiphon=b00.other; {own}", f"{own}; {own}"):
        reply = client.get("/api/account", Cookie=line)
        assert reply.status == 401
        assert "several cookies" in reply.json["detail"]
    head = f"GET /api/account HTTP/1.1\r\nHost: 127.0.0.1:{client.port}\r\nConnection: close\r\n"
    token = f"Authorization: Bearer {OPERATOR}\r\n"
    assert client.raw(f"{head}{token}\r\n".encode()).startswith(b"HTTP/1.1 200")
    assert client.raw(f"{head}{token}{token}\r\n".encode()).startswith(b"HTTP/1.1 401")


def test_a_cookie_of_another_server_is_nobodys(ann: Browser, workshop: Serve) -> None:
    with signing_in(workshop) as other:
        stranger = Browser(other, cookies=dict(ann.cookies))
        assert stranger.get("/api/account").json["code"] == "unknown"
        assert stranger.sign_in("root").status == 200


def test_a_token_acts_for_its_user_and_manages_no_account(ann: Browser, client: Client) -> None:
    made = ann.post("/api/tokens", {"name": "nightly", "permissions": ["tools.call"]}).json
    bearer = f"Bearer {made['secret']}"
    account = client.get("/api/account", Authorization=bearer).json
    assert (account["user"], account["way"], account["session"]) == ("ann", "token", None)
    assert account["permissions"] == ["tools.call"]
    for method, path, body in (
        ("PUT", "/api/account/password", {"old": PASSWORD, "new": PASSWORD + "!"}),
        ("PATCH", "/api/account", {"display_name": "Eve"}),
        ("GET", "/api/account/sessions", None),
        ("DELETE", "/api/account/sessions", None),
    ):
        sent = {"Authorization": bearer, "Content-Type": "application/json"}
        content = None if body is None else json.dumps(body).encode()
        assert client.send(method, path, sent, content).status == 403, path
    assert ann.send("DELETE", f"/api/tokens/{made['token']['id']}").status == 200
    assert client.get("/api/account", Authorization=bearer).json["code"] == "revoked"


# -- pages of other sites ------------------------------------------------------------------------


def test_a_cookie_changes_nothing_for_pages_of_other_sites(ann: Browser) -> None:
    own = ann.origin
    for headers, status in [
        ({"Origin": None}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": own.replace("127.0.0.1", "localhost")}, 403),
        ({"Origin": f"{own}1"}, 403),
        ({"Origin": own.replace("http:", "https:")}, 403),
        ({"Origin": None, "Sec-Fetch-Site": "cross-site"}, 403),
        ({"Origin": None, "Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": None, "Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
        ({"Content-Type": "multipart/form-data; boundary=x"}, 415),
        ({"Origin": None, "Sec-Fetch-Site": "same-origin"}, 201),
        ({}, 201),
    ]:
        reply = ann.post("/api/projects", {"name": f"of another page {headers}"}, **headers)
        assert reply.status == status, (headers, reply.body)
    for method, path in (("POST", "/api/sign-out"), ("POST", "/api/account/ticket")):
        assert ann.send(method, path, Origin=None).status == 403
        form = {"Content_Type": "application/x-www-form-urlencoded"}
        assert ann.send(method, path, **form).status == 415
    assert ann.account()["user"] == "ann"


def test_no_form_signs_anybody_in(client: Client) -> None:
    body = json.dumps({"user": "ann", "password": PASSWORD}).encode()
    for media_type in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        reply = client.send("POST", "/api/sign-in/password", {"Content-Type": media_type}, body)
        assert reply.status in (415, 422)
        assert reply.headers["set-cookie"] is None


# -- links -----------------------------------------------------------------------------------------


def test_a_link_sets_a_password_once(client: Client) -> None:
    link = as_operator(client, "POST", "/api/users", {"name": "ella"})["link"]
    browser = Browser(client)
    look = browser.post("/api/sign-in/link/look", {"secret": link["secret"]})
    assert look.json == {
        "purpose": "password",
        "user": "ella",
        "expires_at": link["expires_at"],
    }
    short = {"secret": link["secret"], "password": "short"}
    assert browser.post("/api/sign-in/link", short).status == 422
    chosen = {"secret": link["secret"], "password": "a password of her own"}
    reply = browser.post("/api/sign-in/link", chosen)
    assert reply.status == 200
    assert (reply.json["user"], reply.json["way"]) == ("ella", "link")
    again = browser.fresh().post("/api/sign-in/link", chosen)
    assert (again.status, again.json["code"]) == (401, "used")
    assert browser.fresh().sign_in("ella", "a password of her own").status == 200


def test_wrong_and_foreign_links_are_refused(ann: Browser, client: Client) -> None:
    ticket = ann.post("/api/account/ticket").json["ticket"]
    for secret, code in (("nothing", "unknown"), (ticket, "foreign"), ("x" * 200, "unknown")):
        for path, more in (("/look", {}), ("", {"password": PASSWORD})):
            reply = ann.fresh().post(f"/api/sign-in/link{path}", {"secret": secret, **more})
            assert (reply.status, reply.json["code"]) == (401, code)
    assert events(client, "credential_refused")


def test_the_first_administrator_comes_by_the_link_of_the_last_start(
    workshop: Serve, tmp_path: Path
) -> None:
    def settings() -> Any:
        return {"data": tmp_path / "data", "access": ACCESS, "server": {"admin_token": OPERATOR}}

    with announced() as secrets, workshop.running(workshop.app(**settings())):
        assert len(secrets) == 1
    with announced() as found, workshop.running(workshop.app(**settings())) as client:
        browser = Browser(client)
        chosen = {"password": PASSWORD, "user": "Grace"}
        old = browser.post("/api/sign-in/link", {"secret": secrets[0], **chosen})
        assert (old.status, old.json["code"]) == (401, "unknown")
        assert browser.post("/api/sign-in/link/look", {"secret": found[0]}).json["user"] is None
        nameless = {"secret": found[0], "password": PASSWORD}
        assert browser.post("/api/sign-in/link", nameless).status == 422
        reply = browser.post("/api/sign-in/link", {"secret": found[0], **chosen})
        assert (reply.json["user"], reply.json["roles"]) == ("grace", ["admin"])
        assert browser.get("/api/users").json["count"] == 1
    with announced() as none, workshop.running(workshop.app(**settings())):
        assert none == []


# -- when people have to sign in ---------------------------------------------------------------


def test_on_loopback_nobody_is_asked_until_there_is_a_user(workshop: Serve) -> None:
    app = workshop.app(access={**ACCESS, "sign_in": "auto"}, server={"admin_token": OPERATOR})
    with announced() as secrets, workshop.running(app) as client:
        assert secrets == []
        account = client.get("/api/account").json
        assert (account["user"], account["way"]) == ("local", "open")
        assert "users.manage" in account["permissions"]
        assert client.get("/api/sign-in").json["required"] is False
        assert client.post("/api/sign-in/password", {"user": "x", "password": "y"}).status == 409
        # A program that shows a token means to be bounded by it.
        reply = client.get("/api/tools", Authorization="Bearer anti_t00_nothing")
        assert (reply.status, reply.json["code"]) == (401, "unknown")
        made = {"name": "root", "roles": ["admin"], "password": PASSWORD}
        assert client.post("/api/users", made).status == 201
        assert client.get("/api/tools").status == 401
        assert Browser(client).sign_in("root").status == 200


def test_a_server_that_others_reach_asks_everybody_from_the_first_start(workshop: Serve) -> None:
    app = workshop.app(
        access={**ACCESS, "sign_in": "auto", "public_url": "https://vox.example.org"},
        server={"host": "0.0.0.0", "port": 8080},
    )
    with announced() as secrets, workshop.running(app) as client:
        assert len(secrets) == 1
        assert client.get("/api/sign-in").json["required"] is True
        assert client.get("/api/tools").status == 401
        assert client.get("/").status == 200
        assert client.get("/healthz").status == 200


def test_off_asks_nobody_on_loopback_and_is_refused_elsewhere(workshop: Serve) -> None:
    off = {**ACCESS, "sign_in": "off"}
    with pytest.raises(
        ValueError, match=r"`access\.sign_in` is off: everybody could do everything"
    ):
        workshop.app(access=off, server={"host": "0.0.0.0"})
    app = workshop.app(access=off, server={"admin_token": OPERATOR})
    with workshop.running(app) as client:
        made = {"name": "root", "roles": ["admin"], "password": PASSWORD}
        assert client.post("/api/users", made).status == 201
        assert client.get("/api/account").json["way"] == "open"
