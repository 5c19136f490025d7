"""A protected MCP server with its authorization server on loopback, in one application, and lies
that it can be told to tell."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, urlencode

import uvicorn

JSON = [(b"content-type", b"application/json")]
TOOLS = [
    {"name": "whoami", "description": "Say who calls.", "inputSchema": {"type": "object"}},
]


class Protected:
    """The application. `lies` names what it does not do as it should."""

    def __init__(self) -> None:
        self.lies: set[str] = set()
        self.base = ""
        self.codes: dict[str, dict[str, str]] = {}
        self.tokens: dict[str, str] = {}  # the subject of each access token
        self.refresh: dict[str, str] = {}
        self.requests: list[dict[str, str]] = []  # of the token endpoint
        self.registrations = 0

    @property
    def url(self) -> str:
        return f"{self.base}/mcp"

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        body = b""
        while True:
            part = await receive()
            body += part.get("body", b"")
            if not part.get("more_body"):
                break
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        status, more, content = self.answer(
            scope["method"], scope["path"], parse_qs(scope["query_string"].decode()), headers, body
        )
        sent = [*JSON, *((name.encode(), value.encode()) for name, value in more.items())]
        answer = json.dumps(content).encode()
        if "huge" in self.lies:
            answer = b'"' + b"x" * 20_000_000 + b'"'
        if "gzip" in self.lies:
            sent.append((b"content-encoding", b"gzip"))
            answer = gzip.compress(b"x" * 20_000_000)
        if "redirect" in self.lies:
            status = 307
            sent.append((b"location", b"http://169.254.169.254/mcp"))
        await send({"type": "http.response.start", "status": status, "headers": sent})
        await send({"type": "http.response.body", "body": answer})

    def answer(
        self, method: str, path: str, query: Any, headers: Any, body: bytes
    ) -> tuple[int, dict[str, str], Any]:
        if path == "/mcp":
            return self.mcp(headers, body)
        if path == "/.well-known/oauth-protected-resource/mcp":
            resource = "https://other.example/mcp" if "resource" in self.lies else self.url
            server = "http://169.254.169.254" if "private" in self.lies else self.base
            return 200, {}, {"resource": resource, "authorization_servers": [server]}
        if path == "/.well-known/oauth-authorization-server":
            issuer = "https://other.example" if "issuer" in self.lies else self.base
            pages = "http://elsewhere.example" if "page" in self.lies else self.base
            return (
                200,
                {},
                {
                    "issuer": issuer,
                    "authorization_endpoint": f"{pages}/authorize",
                    "token_endpoint": f"{self.base}/token",
                    "registration_endpoint": f"{self.base}/register",
                    "response_types_supported": ["code"],
                    "code_challenge_methods_supported": ["S256"],
                    "authorization_response_iss_parameter_supported": True,
                },
            )
        if path == "/register":
            self.registrations += 1
            return 201, {}, {**json.loads(body), "client_id": f"client-{self.registrations}"}
        if path == "/authorize":
            asked = {name: values[0] for name, values in query.items()}
            code = f"code-{len(self.codes)}"
            self.codes[code] = asked
            back = {"code": code, "state": asked["state"], "iss": self.base}
            if "iss" in self.lies:
                back["iss"] = "https://other.example"
            if "state" in self.lies:
                back["state"] = "other"
            return 302, {"location": f"{asked['redirect_uri']}?{urlencode(back)}"}, {}
        if path == "/token":
            return self.token({name: values[0] for name, values in parse_qs(body.decode()).items()})
        return 404, {}, {}

    def token(self, asked: dict[str, str]) -> tuple[int, dict[str, str], Any]:
        self.requests.append(asked)
        if asked["grant_type"] == "refresh_token":
            subject = self.refresh.pop(asked["refresh_token"], None)
            if subject is None:
                return 400, {}, {"error": "invalid_grant"}
        else:
            begun = self.codes[asked["code"]]
            digest = hashlib.sha256(asked["code_verifier"].encode()).digest()
            challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
            subject = f"subject of {asked['code']}"
            if challenge != begun["code_challenge"] or asked["resource"] != self.url:
                return 400, {}, {"error": "invalid_grant"}
        number = len(self.requests)
        access, refresh = f"access-token-{number}", f"refresh-token-{number}"
        if "audience" not in self.lies:
            self.tokens[access] = subject
        self.refresh[refresh] = subject
        lasts = {"expires_in": 3600, "refresh_token": refresh}
        return 200, {}, {"access_token": access, "token_type": "Bearer", **lasts}

    def mcp(self, headers: Any, body: bytes) -> tuple[int, dict[str, str], Any]:
        token = headers.get("authorization", "").removeprefix("Bearer ")
        if token not in self.tokens:
            where = f"{self.base}/.well-known/oauth-protected-resource/mcp"
            return 401, {"www-authenticate": f'Bearer resource_metadata="{where}"'}, {}
        if not body:
            return 405, {}, {}
        request = json.loads(body)
        if "id" not in request:
            return 202, {}, {}
        match request["method"]:
            case "initialize":
                result: Any = {
                    "protocolVersion": "2025-11-25",
                    "capabilities": {"tools": {}},
                    "serverInfo": {"name": "protected", "version": "1"},
                }
            case "tools/list":
                result = {"tools": TOOLS}
            case "tools/call":
                result = {"content": [{"type": "text", "text": self.tokens[token]}]}
            case _:
                error = {"code": -32601, "message": "there is no such method"}
                return 200, {}, {"jsonrpc": "2.0", "id": request["id"], "error": error}
        return 200, {}, {"jsonrpc": "2.0", "id": request["id"], "result": result}


@contextmanager
def protected_server() -> Iterator[Protected]:
    """The application, served on loopback."""
    app = Protected()
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            thread.join(0.01)
            assert thread.is_alive()
        port = server.servers[0].sockets[0].getsockname()[1]
        app.base = f"http://127.0.0.1:{port}"
        yield app
    finally:
        server.should_exit = True
        thread.join()
