"""Sign-in by an OpenID Connect provider in another process: there, back, and what goes wrong."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from tests.server.conftest import Client, Serve
from tests.server.sign_in_helpers import (
    ACCESS,
    OPERATOR,
    Browser,
    as_operator,
    events,
    make_user,
    provider_process,
    signing_in,
)

PEOPLE = [
    {"sub": "7", "preferred_username": "ann", "groups": ["staff"]},
    {"sub": "8", "preferred_username": "carla", "name": "Carla C.", "groups": ["staff"]},
    {"sub": "9", "preferred_username": "ann"},
]


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    with provider_process(PEOPLE) as found:
        yield found


@pytest.fixture(scope="module")
def client(workshop: Serve, issuer: str) -> Iterator[Client]:
    given = {"issuer": issuer, "client_id": "antiphon", "client_secret": "s3cret"}
    mapped = {"roles": {"staff": ["operator"]}, "groups": {"staff": ["crew"]}}
    oidc = {
        "corp": {**given, "title": "Corporation", "create_users": True, **mapped},
        "known": given,
        "away": {"issuer": "http://localhost:1025", "client_id": "antiphon"},
    }
    with signing_in(workshop, oidc=oidc) as client:
        make_user(client, "ann")
        as_operator(client, "PUT", "/api/groups/crew", {"roles": [], "members": []})
        yield client


@dataclass
class WayBack:
    """Where a browser went, and where the provider sent it then."""

    there: str
    location: str

    @property
    def path(self) -> str:
        parts = urlsplit(self.location)
        return f"{parts.path}?{parts.query}"


def go(browser: Browser, sub: str, provider: str = "corp", to: str = "#/tools?a=1") -> WayBack:
    """Go to a provider and sign in there."""
    reply = browser.get(f"/api/sign-in/oidc/{provider}?{urlencode({'to': to})}", Origin=None)
    assert reply.status == 303, reply.body
    return visit(reply.headers["location"], sub)


def visit(there: str, sub: str) -> WayBack:
    """Sign in at the provider."""
    parts = urlsplit(there)
    connection = http.client.HTTPConnection(parts.netloc, timeout=60)
    try:
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", f"{parts.path}?{parts.query}", urlencode({"sub": sub}), form)
        answer = connection.getresponse()
        answer.read()
        return WayBack(there, answer.getheader("location") or "")
    finally:
        connection.close()


def come_back(browser: Browser, back: WayBack) -> str:
    """Where the browser ends."""
    navigation = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate"}
    reply = browser.get(back.path, Origin=None, **navigation)
    assert reply.status == 303, reply.body
    return str(reply.headers["location"])


def test_the_providers_are_offered(client: Client) -> None:
    shown = Browser(client).get("/api/sign-in").json
    assert {"id": "corp", "title": "Corporation"} in shown["providers"]
    assert {"id": "known", "title": "known"} in shown["providers"]


def test_a_person_comes_in_and_becomes_a_user_with_mapped_roles_and_groups(
    client: Client, issuer: str
) -> None:
    browser = Browser(client)
    back = go(browser, "8")
    sent = parse_qs(urlsplit(back.there).query)
    assert back.there.startswith(f"{issuer}/oauth2/authorize?")
    assert sent["code_challenge_method"] == ["S256"]
    assert sent["redirect_uri"] == [f"{browser.origin}/api/sign-in/oidc/corp/callback"]
    assert {"state", "nonce", "code_challenge"} <= sent.keys()
    attributes = browser.attributes["antiphon-oidc"]
    assert attributes == "Max-Age=600; Path=/; HttpOnly; SameSite=Lax"
    assert come_back(browser, back) == "/#/tools?a=1"
    assert browser.cookies.keys() == {"antiphon", "antiphon-browser"}
    account = browser.account()
    assert (account["user"], account["way"]) == ("carla", "oidc")
    assert (account["display_name"], account["has_password"]) == ("Carla C.", False)
    assert "others.read" in account["permissions"]
    document = as_operator(client, "GET", "/api/users/carla")
    assert (document["identity"], document["groups"]) == (issuer, ["crew"])
    # What is the provider's to give is the provider's to take.
    as_operator(client, "PATCH", "/api/users/carla", {"roles": ["member"], "groups": []})
    again = browser.fresh()
    come_back(again, go(again, "8"))
    assert "others.read" in again.account()["permissions"]
    assert as_operator(client, "GET", "/api/users/carla")["groups"] == ["crew"]
    as_operator(client, "PATCH", "/api/users/carla", {"disabled": True})
    assert again.get("/api/account").status == 401
    assert come_back(again, go(again, "8")) == "/#/sign-in?problem=disabled"
    assert again.get("/api/account").status == 401


def test_nobody_becomes_somebody_else_by_a_name_or_without_being_known(client: Client) -> None:
    for sub, provider, problem in (("9", "corp", "conflict"), ("10", "known", "unknown")):
        browser = Browser(client)
        location = come_back(browser, go(browser, sub, provider))
        assert location == f"/#/sign-in?problem={problem}"
        assert "antiphon" not in browser.cookies
        line = events(client, "sign_in_refused")[-1]
        assert (line["details"]["code"], line["details"]["provider"]) == (problem, provider)


def test_an_answer_is_good_once_and_in_the_browser_that_began(client: Client) -> None:
    mine, other = Browser(client), Browser(client)
    back = go(mine, "8", "known")
    # A page makes another browser finish it: login CSRF.
    assert come_back(other, back) == "/#/sign-in?problem=foreign"
    assert come_back(mine, back) == "/#/sign-in?problem=used"
    for wrong in ("", "?state=x&code=y", "?error=access_denied", "?state=a&state=b&code=c"):
        reply = mine.get(f"/api/sign-in/oidc/known/callback{wrong}")
        assert reply.headers["location"] == "/#/sign-in?problem=unknown"
    back = go(mine, "8", "known")
    twice = WayBack("", f"{back.location}&code=another")
    assert come_back(mine, twice) == "/#/sign-in?problem=provider_wrong"
    back = go(mine, "8", "known")
    there = WayBack("", back.location.replace("/known/", "/corp/"))
    assert come_back(mine, there) == "/#/sign-in?problem=foreign"


def test_a_provider_that_is_away_or_says_no_is_told(client: Client) -> None:
    browser = Browser(client)
    reply = browser.get("/api/sign-in/oidc/away")
    assert reply.headers["location"] == "/#/sign-in?problem=provider_away"
    assert "antiphon-oidc" not in browser.cookies
    assert browser.get("/api/sign-in/oidc/nowhere").status == 404
    assert browser.get("/api/sign-in/oidc/nowhere/callback").status == 404
    back = go(browser, "8", "known")
    state = parse_qs(urlsplit(back.location).query)["state"][0]
    denied = WayBack("", f"/api/sign-in/oidc/known/callback?state={state}&error=access_denied")
    assert come_back(browser, denied) == "/#/sign-in?problem=denied"
    for to in ("https://evil.test/", "javascript:alert(1)", "x" * 600):
        reply = browser.get(f"/api/sign-in/oidc/corp?{urlencode({'to': to})}")
        assert reply.status == 422


def test_behind_a_proxy_the_way_back_is_the_address_of_the_settings(
    workshop: Serve, issuer: str
) -> None:
    given = {"issuer": issuer, "client_id": "antiphon", "client_secret": "s3cret"}
    oidc = {"corp": {**given, "create_users": True}}
    app = workshop.app(
        access={**ACCESS, "public_url": "https://vox.example.org", "oidc": oidc},
        server={"admin_token": OPERATOR, "proxies": ["127.0.0.1"], "hosts": ["vox.example.org"]},
    )
    with workshop.running(app) as client:
        make_user(client, "root", "admin")
        front = {"Host": "vox.example.org", "X_Forwarded_Proto": "https", "Origin": None}
        browser = Browser(client)
        reply = browser.get("/api/sign-in/oidc/corp", **front)
        back = visit(reply.headers["location"], "8")
        assert back.location.startswith("https://vox.example.org/api/sign-in/oidc/corp/callback?")
        attributes = browser.attributes["__Host-antiphon-oidc"]
        assert attributes == "Max-Age=600; Path=/; HttpOnly; SameSite=Lax; Secure"
        reply = browser.get(back.path, **front)
        assert reply.headers["location"] == "/#/"
        assert browser.cookies.keys() == {"__Host-antiphon", "__Host-antiphon-browser"}
