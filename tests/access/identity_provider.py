"""An identity provider to test with: it keeps to OpenID Connect, or lies as a test asks it to."""

from __future__ import annotations

import asyncio
import hmac
import json
from base64 import b64decode, urlsafe_b64encode
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qs, parse_qsl, unquote_plus, urlsplit

from joserfc import jwt
from joserfc.jwk import ECKey, KeySet

KEY = ECKey.generate_key("P-256", {"kid": "one", "use": "sig"})
OTHER_KEY = ECKey.generate_key("P-256", {"kid": "one", "use": "sig"})
CLIENT, SECRET = "antiphon", "between us: two"


class TestProvider:
    """A provider on a port of its own. What it says can be changed before it is asked."""

    __test__ = False

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.issuer = ""
        self.claims: dict[str, Any] = {"sub": "7"}  # over those that it makes by itself
        self.header: dict[str, Any] = {"alg": "ES256", "kid": "one"}
        self.metadata: dict[str, Any] = {}
        self.userinfo: dict[str, Any] = {}
        self.answers: dict[str, tuple[int, bytes]] = {}  # by path, in place of its own
        self.keys: list[Any] = [KEY]
        self.key = KEY
        self.secret: str | None = SECRET
        self.asked: list[str] = []
        self._begun: dict[str, str] = {}

    def sign_in(self, address: str) -> dict[str, str]:
        """What a browser brings back that went to an address, where somebody signs in."""
        self._begun = begun = dict(parse_qsl(urlsplit(address).query, strict_parsing=True))
        assert begun["response_type"] == "code"
        assert begun["client_id"] == CLIENT
        assert "openid" in begun["scope"].split()
        assert begun["code_challenge_method"] == "S256"
        return {"state": begun["state"], "code": "a-code", "iss": self.issuer}

    def token(self) -> str:
        """The ID token of who signed in."""
        claims = {
            "iss": self.issuer,
            "aud": CLIENT,
            "nonce": self._begun.get("nonce"),
            "iat": int(self.clock()),
            "exp": int(self.clock()) + 300,
            **self.claims,
        }
        given = {name: value for name, value in claims.items() if value is not None}
        if self.header["alg"] in ("none", "HS256"):
            text = ".".join(_encoded(json.dumps(each).encode()) for each in (self.header, given))
            # Whoever has the public key, which is everybody, could sign like this.
            digest = hmac.digest(KEY.as_pem(private=False), text.encode(), "sha256")
            return f"{text}.{'' if self.header['alg'] == 'none' else _encoded(digest)}"
        return jwt.encode(self.header, given, self.key, algorithms=[self.header["alg"]])

    def answer(self, path: str, headers: dict[str, str], body: bytes) -> tuple[int, bytes]:
        self.asked.append(path)
        if path in self.answers:
            return self.answers[path]
        if path == "/.well-known/openid-configuration":
            found = {
                "issuer": self.issuer,
                "authorization_endpoint": f"{self.issuer}/authorize",
                "token_endpoint": f"{self.issuer}/token",
                "jwks_uri": f"{self.issuer}/keys",
                "userinfo_endpoint": f"{self.issuer}/userinfo",
                **self.metadata,
            }
        elif path == "/keys":
            found = KeySet(self.keys).as_dict(private=False)  # type: ignore[assignment]
        elif path == "/userinfo":
            assert headers["authorization"] == "Bearer an-access-token"
            found = {"sub": self.claims["sub"], **self.userinfo}
        else:
            assert path == "/token"
            return self._exchanged(headers, parse_qs(body.decode(), strict_parsing=True))
        return 200, json.dumps(found).encode()

    def _exchanged(self, headers: dict[str, str], form: dict[str, list[str]]) -> tuple[int, bytes]:
        assert self._client(headers, form) == (CLIENT, self.secret)
        assert form["redirect_uri"] == [self._begun["redirect_uri"]]
        digest = sha256(form["code_verifier"][0].encode()).digest()
        fits = _encoded(digest) == self._begun["code_challenge"]
        if form["code"] != ["a-code"] or not fits:
            return 400, b'{"error": "invalid_grant"}'
        found = {"access_token": "an-access-token", "token_type": "Bearer"}
        return 200, json.dumps({**found, "id_token": self.token()}).encode()

    def _client(
        self, headers: dict[str, str], form: dict[str, list[str]]
    ) -> tuple[str, str | None]:
        """Who asks, as they say it."""
        if "authorization" not in headers:
            return form["client_id"][0], form.get("client_secret", [None])[0]
        assert "client_id" not in form
        pair = b64decode(headers["authorization"].removeprefix("Basic ")).decode().split(":")
        own, secret = (unquote_plus(each) for each in pair)
        return own, secret

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            pairs = (line.split(": ", 1) for line in head[1:] if line)
            headers = {name.lower(): value for name, value in pairs}
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            status, text = self.answer(head[0].split()[1], headers, body)
            reply = f"HTTP/1.1 {status} S\r\nContent-Length: {len(text)}\r\nConnection: close\r\n"
            if 300 <= status < 400:
                reply += f"Location: {self.issuer}/keys\r\n"
            writer.write(reply.encode() + b"\r\n" + text)
            await writer.drain()
            writer.close()
            await writer.wait_closed()

        server = await asyncio.start_server(handle, "127.0.0.1", 0)
        self.issuer = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield
        finally:
            server.close()
            await server.wait_closed()


def _encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()
