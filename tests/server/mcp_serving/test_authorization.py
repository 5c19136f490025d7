"""Who may use `/mcp`: tokens of this server and of an identity provider, and what refusals say."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey
from mcp.shared.exceptions import MCPError
from tests.server.conftest import Client, Serve
from tests.server.mcp_serving_helpers import CLIENT_LEAKS, mcp_client, modern
from tests.server.sign_in_helpers import ACCESS, OPERATOR, as_operator, make_user

pytestmark = pytest.mark.real_time(ignore=CLIENT_LEAKS)


@dataclass
class Issuer:
    """An identity provider that signs what it is asked to."""

    address: str
    key: RSAKey

    def token(self, typ: str = "at+jwt", **claims: Any) -> str:
        now = int(time.time())
        content = {"iss": self.address, "sub": "77", "iat": now, "exp": now + 300, **claims}
        kept = {name: value for name, value in content.items() if value is not None}
        return jwt.encode({"alg": "RS256", "kid": self.key.kid, "typ": typ}, kept, self.key)


@contextmanager
def issuer() -> Iterator[Issuer]:
    key = RSAKey.generate_key(2048, {"kid": "one"})

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            base = f"http://localhost:{self.server.server_address[1]}"
            metadata = {
                "issuer": base,
                "authorization_endpoint": f"{base}/authorize",
                "token_endpoint": f"{base}/token",
                "jwks_uri": f"{base}/keys",
            }
            keys = KeySet([key]).as_dict(private=False)
            body = json.dumps(keys if self.path == "/keys" else metadata).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("localhost", 0), Answers) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield Issuer(f"http://localhost:{server.server_address[1]}", key)
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(scope="module")
def corp() -> Iterator[Issuer]:
    with issuer() as found:
        yield found


@pytest.fixture(scope="module")
def client(workshop: Serve, corp: Issuer) -> Iterator[Client]:
    oidc = {"corp": {"issuer": corp.address, "client_id": "antiphon", "create_users": True}}
    app = workshop.app(
        access={**ACCESS, "oidc": oidc},
        server={"admin_token": OPERATOR},
        mcp={"scopes": ["antiphon"]},
    )
    with workshop.running(app) as running:
        make_user(running, "root", "admin")
        make_user(running, "ann")
        yield running


def token_of(client: Client, user: str, **bounds: Any) -> str:
    made = as_operator(client, "POST", "/api/tokens", {"user": user, "name": "mcp", **bounds})
    return str(made["secret"])


def listing(client: Client, token: str = "") -> Any:
    body, headers = modern("tools/list")
    if token:
        headers["Authorization"] = f"Bearer {token}"
    return client.post("/mcp", body, **headers)


def challenge(reply: Any) -> dict[str, str]:
    kind, _, rest = reply.headers["www-authenticate"].partition(" ")
    assert kind == "Bearer"
    return dict(re.findall(r'(\w+)="([^"]*)"', rest))


def test_who_shows_nothing_is_told_where_a_token_comes_from(client: Client, corp: Issuer) -> None:
    reply = listing(client)
    assert reply.status == 401
    told = challenge(reply)
    base = f"http://127.0.0.1:{client.port}"
    assert told == {"resource_metadata": f"{base}/.well-known/oauth-protected-resource/mcp"}
    metadata = client.get(told["resource_metadata"].removeprefix(base)).json
    assert metadata == {
        "resource": f"{base}/mcp",
        "resource_name": "Antiphon",
        "bearer_methods_supported": ["header"],
        "authorization_servers": [corp.address],
        "scopes_supported": ["antiphon"],
    }
    wrong = listing(client, "anti_t0_made-up")
    assert (wrong.status, challenge(wrong)["error"]) == (401, "invalid_token")


async def test_a_token_of_the_house_calls_within_its_bounds(client: Client) -> None:
    token = token_of(client, "ann", tools=["find"])
    async with mcp_client(client.port, token=token) as mcp:
        assert [tool.name for tool in (await mcp.list_tools()).tools] == ["find"]
        assert not (await mcp.call_tool("find", {"query": "ada"})).is_error
        assert (await mcp.call_tool("failing", {"type": "AUTH"})).is_error
    line = as_operator(client, "GET", "/api/audit?tool=find&event=tool_execution")["lines"][0]
    assert (line["user"], line["source"]) == ("ann", "mcp")


async def test_what_belongs_to_another_organisation_is_not_there(client: Client) -> None:
    as_operator(client, "POST", "/api/organisations", {"id": "acme", "name": "Acme"})
    make_user(client, "zoe", organisation="acme")
    as_operator(client, "POST", "/api/knowledge", {"id": "ours"})
    theirs, own = "antiphon://knowledge/ours", token_of(client, "ann")
    async with mcp_client(client.port, token=token_of(client, "zoe")) as zoe:
        listed = [each.uri for each in (await zoe.list_resources()).resources]
        with pytest.raises(MCPError, match="no database"):
            await zoe.read_resource(theirs)
    async with mcp_client(client.port, token=own) as ann:
        assert (await ann.read_resource(theirs)).contents
    assert theirs not in listed
    # Nor is what a token does not let its user read.
    bound = token_of(client, "ann", permissions=["tools.call"])
    async with mcp_client(client.port, token=bound) as ann:
        assert theirs not in [each.uri for each in (await ann.list_resources()).resources]
        assert not (await ann.list_prompts()).prompts
        with pytest.raises(MCPError, match="needs the permission"):
            await ann.read_resource(theirs)


def test_a_session_is_for_who_opened_it(client: Client) -> None:
    params = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    sent = {"Accept": "application/json, text/event-stream"}
    ann = {**sent, "Authorization": f"Bearer {token_of(client, 'ann')}"}
    root = {**sent, "Authorization": f"Bearer {token_of(client, 'root')}"}
    opened = client.post("/mcp", body, **ann).headers["mcp-session-id"]
    ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
    assert client.post("/mcp", ping, **root, Mcp_Session_Id=opened).status == 404
    assert client.post("/mcp", ping, **ann, Mcp_Session_Id=opened).status == 200
    headers = {"Mcp-Session-Id": opened, **ann}
    assert client.send("DELETE", "/mcp", headers).status == 200
    assert client.post("/mcp", ping, **ann, Mcp_Session_Id=opened).status == 404


def test_who_may_not_call_tools_is_told_which_scope_that_is(client: Client) -> None:
    reply = listing(client, token_of(client, "ann", permissions=["knowledge.read"]))
    assert reply.status == 403
    told = challenge(reply)
    assert (told["error"], told["scope"]) == ("insufficient_scope", "tools.call")


def test_an_access_token_of_the_identity_provider_is_taken(client: Client, corp: Issuer) -> None:
    resource = f"http://127.0.0.1:{client.port}/mcp"
    good = corp.token(aud=[resource, "other"], scope="openid antiphon", preferred_username="eve")
    assert listing(client, good).status == 200
    assert listing(client, good).status == 200
    assert as_operator(client, "GET", "/api/users/eve")["name"] == "eve"
    # It is good for nothing but what it is for.
    reply = client.get("/api/tools", Authorization=f"Bearer {good}")
    assert reply.status == 401


def test_other_access_tokens_are_refused_in_words(client: Client, corp: Issuer) -> None:
    resource = f"http://127.0.0.1:{client.port}/mcp"
    scope = {"scope": "antiphon"}
    good = corp.token(aud=resource, **scope)
    head, body, _ = good.split(".")
    with issuer() as stranger:
        wrong = [
            (corp.token(aud="https://elsewhere.example/mcp", **scope), 401, "another audience"),
            (corp.token(**scope), 401, "another audience"),
            (corp.token(aud=resource, exp=1000, **scope), 401, "expired"),
            (corp.token(aud=resource, exp=None, **scope), 401, "exp"),
            (corp.token(aud=resource, sub=None, **scope), 401, "sub"),
            (corp.token("logout+jwt", aud=resource, **scope), 401, "no access token"),
            (stranger.token(aud=resource, **scope), 401, "issuer that is not known"),
            (stranger.token(aud=resource, iss=corp.address, **scope), 401, "not valid"),
            (f"{head}.{body}.AAAA", 401, "not valid"),
            (f"{head}.e30.AAAA", 401, "issuer that is not known"),
            ("eyJ.x.y", 401, "issuer that is not known"),
            (corp.token(aud=resource, scope="openid"), 403, "scope antiphon"),
        ]
        for token, status, words in wrong:
            reply = listing(client, token)
            assert (reply.status, words in reply.json["detail"]) == (status, True), reply.json
            error = "invalid_token" if status == 401 else "insufficient_scope"
            assert challenge(reply)["error"] == error
