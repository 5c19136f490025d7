"""Passkeys over HTTP: added in one's account, and good for signing in under a name of the host."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.access.authenticator import SoftwareAuthenticator
from tests.server.conftest import Client, Serve
from tests.server.sign_in_helpers import (
    ACCESS,
    OPERATOR,
    PASSWORD,
    Browser,
    events,
    make_user,
    signing_in,
)


@pytest.fixture(scope="module")
def client(workshop: Serve) -> Iterator[Client]:
    with signing_in(workshop) as client:
        for name in ("ann", "bob"):
            make_user(client, name)
        yield client


class Local(Browser):
    """A browser that knows the server as `localhost`."""

    @property
    def origin(self) -> str:
        return f"http://localhost:{self.client.port}"

    def send(self, method: str, path: str, body: Any = None, **headers: str | None) -> Any:
        named = {"Host": f"localhost:{self.client.port}", **headers}
        return super().send(method, path, body, **named)

    def add(self, device: SoftwareAuthenticator, name: str = "Laptop") -> Any:
        begun = self.post("/api/account/passkeys/options").json
        body = {"credential": device.create(begun["options"]), "ceremony": begun["ceremony"]}
        return self.post("/api/account/passkeys", {**body, "name": name})

    def show(self, device: SoftwareAuthenticator) -> Any:
        begun = self.post("/api/sign-in/passkey/options").json
        body = {"credential": device.get(begun["options"]), "ceremony": begun["ceremony"]}
        return self.post("/api/sign-in/passkey", body)


def test_a_passkey_is_added_signs_in_and_is_removed(client: Client) -> None:
    browser = Local(client)
    assert browser.get("/api/sign-in").json["passkey"] is True
    assert browser.get("/api/account/passkeys").status == 401
    browser.sign_in("ann")
    device = SoftwareAuthenticator(browser.origin)
    made = browser.add(device)
    assert made.status == 201, made.body
    assert (made.json["name"], made.json["used_at"]) == ("Laptop", None)
    assert browser.get("/api/account/passkeys").json == {"passkeys": [made.json], "count": 1}

    other = Local(client)
    account = other.show(device)
    assert account.status == 200, account.body
    assert (account.json["user"], account.json["way"]) == ("ann", "passkey")
    assert other.account() == account.json
    assert other.get("/api/account/passkeys").json["passkeys"][0]["used_at"] is not None

    bob = Local(client)
    bob.sign_in("bob")
    path = f"/api/account/passkeys/{made.json['id']}"
    assert bob.get("/api/account/passkeys").json["count"] == 0
    assert bob.send("DELETE", path).status == 404
    assert browser.add(device).status == 409
    assert browser.send("DELETE", path).status == 204
    assert other.fresh().get("/api/account").status == 401
    stranger = Local(client)
    refused = stranger.show(device)
    assert refused.status == 401
    assert "signs nobody in" in refused.json["detail"]
    assert "antiphon" not in stranger.cookies
    assert events(client, "sign_in_refused")[-1]["details"]["way"] == "passkey"


def test_a_browser_must_be_under_a_host_name(client: Client) -> None:
    browser = Browser(client)  # at 127.0.0.1
    assert browser.get("/api/sign-in").json["passkey"] is False
    reply = browser.post("/api/sign-in/passkey/options")
    assert reply.status == 409
    assert "`localhost`" in reply.json["detail"]


def test_nobody_adds_a_passkey_with_a_token_or_for_somebody_else(client: Client) -> None:
    ann, bob = Local(client), Local(client)
    ann.sign_in("ann")
    bob.sign_in("bob")
    secret = ann.post("/api/tokens", {"name": "ci"}).json["secret"]
    token = Local(client)
    for path in ("/api/account/passkeys", "/api/account/passkeys/options"):
        method = "POST" if path.endswith("options") else "GET"
        assert token.send(method, path, Authorization=f"Bearer {secret}").status == 403
    begun = ann.post("/api/account/passkeys/options").json
    device = SoftwareAuthenticator(ann.origin)
    body = {"credential": device.create(begun["options"]), "ceremony": begun["ceremony"]}
    assert bob.post("/api/account/passkeys", {**body, "name": "Laptop"}).status == 401
    assert bob.get("/api/account").status == 200
    assert ann.post("/api/account/passkeys", {**body, "name": "Laptop"}).status == 401  # used
    cross = ann.post("/api/account/passkeys/options", Origin="http://evil.test")
    assert cross.status == 403


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"ceremony": "x"},
        {"ceremony": "x", "credential": []},
        {"ceremony": "", "credential": {}},
        {"ceremony": "x" * 300, "credential": {}},
        {"ceremony": "x", "credential": {}, "also": 1},
    ],
)
def test_what_is_no_answer_of_a_browser_is_refused(client: Client, body: dict[str, Any]) -> None:
    assert Local(client).post("/api/sign-in/passkey", body).status == 422


def test_a_device_of_another_site_is_refused(client: Client) -> None:
    ann = Local(client)
    ann.sign_in("ann")
    device = SoftwareAuthenticator("http://evil.test")
    reply = ann.add(device)
    assert reply.status == 422
    assert "no passkey for this server" in reply.json["detail"]


def test_behind_a_proxy_passkeys_are_for_the_host_of_the_settings(workshop: Serve) -> None:
    app = workshop.app(
        access={**ACCESS, "public_url": "https://vox.example.org/"},
        server={"admin_token": OPERATOR, "proxies": ["127.0.0.1"], "hosts": ["vox.example.org"]},
    )
    with workshop.running(app) as client:
        make_user(client, "root", "admin")
        browser = Browser(client)
        origin = "https://vox.example.org"
        front = {"Host": "vox.example.org", "Origin": origin, "X_Forwarded_Proto": "https"}
        body = {"user": "root", "password": PASSWORD}
        assert browser.post("/api/sign-in/password", body, **front).status == 200
        begun = browser.post("/api/account/passkeys/options", **front).json
        assert begun["options"]["rp"]["id"] == "vox.example.org"
        device = SoftwareAuthenticator(origin)
        made = {"ceremony": begun["ceremony"], "credential": device.create(begun["options"])}
        added = browser.post("/api/account/passkeys", {**made, "name": "Key"}, **front)
        assert added.status == 201, added.body
        begun = browser.post("/api/sign-in/passkey/options", **front).json
        shown = {"ceremony": begun["ceremony"], "credential": device.get(begun["options"])}
        assert browser.fresh().post("/api/sign-in/passkey", shown, **front).status == 200
        # One that was begun under the public name is not finished under another one.
        local = Local(client)
        begun = browser.post("/api/sign-in/passkey/options", **front).json
        shown = {"ceremony": begun["ceremony"], "credential": device.get(begun["options"])}
        assert local.post("/api/sign-in/passkey", shown).status == 401
