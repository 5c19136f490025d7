"""User sign-in: OAuth of each user with the MCP servers that ask for it, tokens encrypted."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import orjson

from antiphon.access.errors import AccessError, AccessRefused
from antiphon.access.names import shown
from antiphon.contracts import ErrorType, ToolError
from antiphon.mcp.errors import McpError, reason_of
from antiphon.mcp.server_book import McpServerBook
from antiphon.mcp.server_options import ServerOptions

if TYPE_CHECKING:
    from mcp.client.auth import OAuthClientProvider
    from mcp.shared.auth import OAuthClientInformationFull, OAuthToken

SECONDS = 600.0
_MOST_PENDING = 200
_MOST_OF_ONE = 5
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
# A token is renewed so long before it ends.
_EARLY = 30.0
# When a token ended that is not taken any more.
_OVER = 1.0
CALLBACK = "/api/mcp/callback"
CLIENT_DOCUMENT = "/api/mcp/client.json"


@dataclass(slots=True)
class _Begun:
    """A sign-in between its two halves."""

    user: str
    options: ServerOptions
    until: float
    answer: asyncio.Future[Any]
    address: asyncio.Future[str]
    task: asyncio.Task[None] | None = None


class UserSignIn:
    """Who has signed in where, and how to. A sign-in ends at the process where it began."""

    def __init__(
        self,
        book: McpServerBook,
        *,
        public_url: str | None = None,
        allowed: Collection[str] = (),
        record: Callable[[Any], None],
    ) -> None:
        """`public_url` is the address of this server for others, `record` adds an audit line."""
        self._book = book
        self._public_url = (public_url or "").rstrip("/")
        self._allowed = allowed
        self._record = record
        self._begun: dict[str, _Begun] = {}
        # What the next sign-in of a user has to ask for, as a server has told them.
        self._scopes: dict[tuple[str, str], str] = {}

    def client_document(self, base: str) -> dict[str, Any]:
        """What this house is, for authorization servers that read it at its address."""
        base = base.rstrip("/")
        return {
            "client_id": f"{base}{CLIENT_DOCUMENT}",
            "client_name": "Antiphon",
            "client_uri": base,
            "redirect_uris": [f"{base}{CALLBACK}"],
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "token_endpoint_auth_method": "none",
        }

    async def auth_of(self, options: ServerOptions, user: str) -> OAuthClientProvider:
        """What signs the requests of a user. Raises ToolError AUTH for one who has to sign in."""
        kept = await self._book.credential(options.name, "tokens", user)
        if kept is None:
            raise self.needed(options.name)

        return await self._provider(options, user, "", None, None)

    async def expire(self, server: str, user: str, scope: str) -> bool:
        """Take a token that is not taken any more for one that is over, so that it is renewed;
        False where there is nothing to renew it with, or that was tried already, or where more
        rights are asked for: `scope` is what the server wants."""
        kept = await self._book.credential(server, "tokens", user)
        found: dict[str, Any] = {} if kept is None else orjson.loads(kept)
        granted = found.get("tokens", {}).get("scope") or ""
        if set(scope.split()) - set(granted.split()):
            self._scopes[server, user] = " ".join(dict.fromkeys([*granted.split(), *scope.split()]))
            return False
        if not found.get("tokens", {}).get("refresh_token") or found["expires_at"] == _OVER:
            return False
        value = orjson.dumps({**found, "expires_at": _OVER})
        await self._book.keep_credential(server, "tokens", user, value)
        return True

    def needed(self, server: str) -> ToolError:
        """AUTH: where the user signs in."""
        place = f"{self._public_url}/#/mcp" if self._public_url else "the MCP page of the console"
        return ToolError(
            ErrorType.AUTH,
            f"The MCP server {server} asks who you are. Sign in to it first, on {place}.",
        )

    async def begin(self, options: ServerOptions, user: str, base: str) -> str:
        """Begin a sign-in that ends at the server under `base`; return the address to go to.
        Raises AccessError, McpError."""
        if not options.sign_in:
            raise AccessError(
                f"The MCP server {shown(options.name)} does not ask users to sign in.", "conflict"
            )
        await self._tidy(user)
        loop = asyncio.get_running_loop()
        begun = _Begun(
            user, options, time.monotonic() + SECONDS, loop.create_future(), loop.create_future()
        )
        begun.task = asyncio.create_task(self._run(begun, base), name="MCP sign-in")
        waiting: set[asyncio.Future[Any]] = {begun.task, begun.address}
        try:
            await asyncio.wait(
                waiting, timeout=options.timeout_seconds, return_when=asyncio.FIRST_COMPLETED
            )
            if not begun.address.done():
                raise McpError(self._failure(begun))
        except BaseException:
            await _cancel(begun)
            raise
        address = begun.address.result()
        state = parse_qs(urlsplit(address).query).get("state", [""])[0]
        self._begun[state] = begun
        return address

    async def finish(self, answer: Mapping[str, str], user: str) -> ServerOptions:
        """Finish a sign-in with what the authorization server has sent the browser back with;
        return the server that it was for. Raises AccessRefused."""
        from mcp.client.auth import AuthorizationCodeResult

        begun = self._begun.get(answer.get("state", ""))
        if begun is None or begun.until < time.monotonic():
            raise AccessRefused(
                "This sign-in is not known here, or took too long. Begin again.", "unknown"
            )
        name = begun.options.name
        if begun.user != user:
            raise self._refused(name, user, "This sign-in was begun by somebody else.", "foreign")
        del self._begun[answer["state"]]
        if "code" not in answer:
            await _cancel(begun)
            said = shown(answer.get("error", "no reason"))
            raise self._refused(name, user, f"{name} did not sign you in: {said}.", "denied")
        begun.answer.set_result(
            AuthorizationCodeResult(
                code=answer["code"], state=answer["state"], iss=answer.get("iss")
            )
        )
        assert begun.task is not None
        done, _ = await asyncio.wait([begun.task], timeout=begun.options.timeout_seconds)
        if not done or begun.task.cancelled() or begun.task.exception() is not None:
            words = self._failure(begun)
            await _cancel(begun)
            raise self._refused(name, user, words, "provider_wrong")
        self._scopes.pop((name, user), None)
        details = {"server": name, "user": user}
        self._record({"event": "mcp_signed_in", "by": user, "user": user, "details": details})
        return begun.options

    async def close(self) -> None:
        """Forget the sign-ins that are not finished."""
        for begun in self._begun.values():
            await _cancel(begun)
        self._begun.clear()

    # -- the flow

    async def _run(self, begun: _Begun, base: str) -> None:
        """Ask the server for something: it asks for a sign-in, which goes on once the browser is
        back, and then answers."""

        async def redirect(address: str) -> None:
            if begun.address.done():
                raise McpError("it does not take the token that it was given")
            parts = urlsplit(address)
            if parts.scheme != "https" and (parts.hostname or "") not in _LOOPBACK:
                raise McpError(f"its sign-in page has the address {address[:200]}, without https")
            wanted = self._scopes.get((begun.options.name, begun.user))
            begun.address.set_result(_with_scope(address, wanted) if wanted else address)

        async def answered() -> Any:
            return await begun.answer

        from antiphon.mcp.child_process import StderrTail
        from antiphon.mcp.managed_connection import ManagedConnection
        from antiphon.mcp.transcript import ProtocolTranscript

        provider = await self._provider(begun.options, begun.user, base, redirect, answered)
        connection = ManagedConnection(
            replace(begun.options, timeout_seconds=SECONDS),  # a person takes their time
            ProtocolTranscript(),
            StderrTail(),
            auth=provider,
            signs_in=True,
            allowed=self._allowed,
        )
        try:
            await connection.open()
            await connection.tools()
        finally:
            await connection.close()
        if not begun.address.done():
            raise McpError("it does not ask anybody to sign in")

    async def _provider(
        self,
        options: ServerOptions,
        user: str,
        base: str,
        redirect: Callable[[str], Any] | None,
        answered: Callable[[], Any] | None,
    ) -> OAuthClientProvider:
        from mcp.client import auth
        from mcp.shared.auth import (
            OAuthClientInformationFull,
            OAuthClientMetadata,
            OAuthMetadata,
            ProtectedResourceMetadata,
        )

        # What goes wrong is told by whoever began; the SDK would log it with a traceback.
        logging.getLogger(auth.__name__).setLevel(logging.CRITICAL)
        storage = _UserStorage(self._book, options.name, user, answered is not None)
        document = self.client_document(base or self._public_url or "http://localhost")
        metadata = OAuthClientMetadata(
            client_name=document["client_name"],
            redirect_uris=document["redirect_uris"],
            grant_types=document["grant_types"],
            response_types=["code"],
            token_endpoint_auth_method="none",  # noqa: S106 - no secret
            scope=" ".join(options.scopes) or None,
        )
        uses_document = document["client_id"].startswith("https://")
        provider = auth.OAuthClientProvider(
            options.url,
            metadata,
            storage,
            redirect,
            answered,
            client_metadata_url=document["client_id"] if uses_document else None,
        )
        storage.provider = provider
        if options.client_id:
            secret = options.client_secret
            storage.client = OAuthClientInformationFull(
                client_id=options.client_id,
                client_secret=secret or None,
                redirect_uris=metadata.redirect_uris,
                token_endpoint_auth_method="client_secret_basic" if secret else "none",
            )
        kept = None if storage.is_new else await storage.load()
        if kept is not None:
            context = provider.context
            context.token_expiry_time = kept.get("expires_at")
            if kept.get("server"):
                context.oauth_metadata = OAuthMetadata.model_validate(kept["server"])
            if kept.get("resource"):
                context.protected_resource_metadata = ProtectedResourceMetadata.model_validate(
                    kept["resource"]
                )
        return provider

    def _failure(self, begun: _Begun) -> str:
        """Why a sign-in did not go on, in words."""
        name, task = begun.options.name, begun.task
        assert task is not None
        error = task.exception() if task.done() and not task.cancelled() else None
        if error is None:
            return f"The MCP server {name} did not answer in time."
        reason = " ".join(reason_of(error).split())[:400].rstrip(".")
        reason = reason.removeprefix(f"The MCP server {name} cannot be used: ")
        return f"Nobody can be signed in to the MCP server {name}: {reason}."

    def _refused(self, server: str, user: str, words: str, code: Any) -> AccessRefused:
        details = {"server": server, "user": user, "reason": words[:300]}
        self._record({"event": "mcp_sign_in_refused", "by": user, "user": user, "details": details})
        return AccessRefused(words, code)

    async def _tidy(self, user: str) -> None:
        """Forget what nobody comes back to. Raises AccessError for too many at a time."""
        now = time.monotonic()
        for state, begun in list(self._begun.items()):
            if begun.until < now:
                del self._begun[state]
                await _cancel(begun)
        own = [state for state, begun in self._begun.items() if begun.user == user]
        if len(own) >= _MOST_OF_ONE:
            await _cancel(self._begun.pop(own[0]))
        if len(self._begun) >= _MOST_PENDING:
            raise AccessError("Too many people are signing in right now. Try again.", "conflict")


class _UserStorage:
    """The tokens of one user for one server, as the SDK asks for them."""

    def __init__(self, book: McpServerBook, server: str, user: str, is_new: bool) -> None:
        self._book = book
        self._server = server
        self._user = user
        self.is_new = is_new  # they are signing in now
        self.client: OAuthClientInformationFull | None = None
        self.provider: OAuthClientProvider | None = None

    async def load(self) -> dict[str, Any] | None:
        kept = await self._book.credential(self._server, "tokens", self._user)
        found: dict[str, Any] | None = None if kept is None else orjson.loads(kept)
        return found

    async def get_tokens(self) -> OAuthToken | None:
        from mcp.shared.auth import OAuthToken

        # Whoever signs in anew begins without the old ones.
        kept = None if self.is_new else await self.load()
        return None if kept is None else OAuthToken.model_validate(kept["tokens"])

    async def set_tokens(self, tokens: OAuthToken) -> None:
        assert self.provider is not None
        context = self.provider.context
        lasts = tokens.expires_in
        value = {
            "tokens": tokens.model_dump(mode="json", exclude_none=True),
            "expires_at": None if lasts is None else time.time() + lasts - min(_EARLY, lasts / 2),
            "server": _dumped(context.oauth_metadata),
            "resource": _dumped(context.protected_resource_metadata),
        }
        await self._book.keep_credential(self._server, "tokens", self._user, orjson.dumps(value))

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        from mcp.shared.auth import OAuthClientInformationFull

        if self.client is not None:
            return self.client
        kept = await self._book.credential(self._server, "client")
        if kept is None:
            return None
        found = OAuthClientInformationFull.model_validate_json(kept)
        assert self.provider is not None
        wanted = self.provider.context.client_metadata.redirect_uris
        # Registered under another address of this server, it is of no use for a sign-in.
        return None if self.is_new and found.redirect_uris != wanted else found

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        value = client_info.model_dump_json(exclude_none=True).encode()
        await self._book.keep_credential(self._server, "client", "", value)


def _with_scope(address: str, scope: str) -> str:
    """A sign-in address that asks for these rights as well."""
    parts = urlsplit(address)
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    query["scope"] = " ".join(dict.fromkeys([*query.get("scope", "").split(), *scope.split()]))
    return parts._replace(query=urlencode(query)).geturl()


def _dumped(model: Any) -> Any:
    return None if model is None else model.model_dump(mode="json", exclude_none=True)


async def _cancel(begun: _Begun) -> None:
    if begun.task is not None and not begun.task.done():
        begun.task.cancel()
        await asyncio.wait([begun.task])
