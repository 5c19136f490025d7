"""OpenAI Realtime provider (GA API): a live connection that hears, speaks and calls tools."""

from __future__ import annotations

import asyncio
import ssl
import time
from typing import TYPE_CHECKING, Any

import orjson

from antiphon.contracts.events import Fault, Ready
from antiphon.providers.auth import openai_key, redact_key, tls_context
from antiphon.providers.faults import fault, missing_sdk
from antiphon.providers.lazy_client import LazyClient
from antiphon.providers.models import ModelCatalogue
from antiphon.providers.openai.realtime import faults
from antiphon.providers.openai.realtime import setup as setups
from antiphon.providers.openai.realtime.connection import RealtimeConnection
from antiphon.providers.openai.realtime.transport import RealtimeTransport
from antiphon.providers.port import Access, Capabilities, Connection, Provider, ProviderFault, Setup

if TYPE_CHECKING:
    from openai import AsyncOpenAI

ADDRESS = "https://api.openai.com/v1"
MAX_SESSION = 3600.0  # seconds; the service says in session.created when it is over


class OpenAIRealtime(Provider):
    """Provider of the Realtime API. Any `base_url`: a server that speaks the same protocol over
    http is reached by ws."""

    api = "openai-realtime"
    is_live = True

    def __init__(self, access: Access) -> None:
        super().__init__(access)
        self.address = access.base_url or ADDRESS
        self._client = LazyClient(self._make, _closed)
        self._trusted: ssl.SSLContext | None = None

    def capabilities(self, model: str) -> Capabilities:
        return Capabilities(
            audio=True,
            transcripts=True,
            hears_interruption=True,
            truncation=True,
            go_away=True,
            max_session=self.access.catalogue.facts("openai", model).max_session or MAX_SESSION,
            voices=tuple(voice.id for voice in self.access.catalogue.voices("openai")),
        )

    async def connect(self, setup: Setup) -> Connection:
        # Before the clock runs: loading the SDK is our own time, and only once.
        client = await self._client.get()
        patience = setup.deadlines.connect
        try:
            async with asyncio.timeout(patience) as limit:
                return await self._connect(client, setup)
        except ProviderFault as failed:
            redact_key(failed.fault, self.access)
            raise
        except Exception as error:  # noqa: BLE001 - SDKs let through errors of every layer
            what = faults.of_exception(error, where=self.address)
            if limit.expired():
                what = fault("openai", "timeout", f"no session after {patience:g} s")
            raise ProviderFault(self._redacted(what)) from None

    async def probe(self, seconds: float) -> None:
        client = await self._client.get()
        try:
            async with asyncio.timeout(seconds) as limit:
                await client.models.list()
        except Exception as error:  # noqa: BLE001 - SDKs let through errors of every layer
            what = faults.of_exception(error, where=self.address)
            if limit.expired():
                what = fault("openai", "timeout", f"no answer in {seconds:g} s", where=self.address)
            raise ProviderFault(self._redacted(what)) from None

    async def close(self) -> None:
        await self._client.close()

    # -- inside

    def _make(self) -> AsyncOpenAI:
        key = openai_key(self.access, self.address)
        try:
            import openai
            import openai.resources.realtime  # the SDK would do it later, on the event loop
            import websockets.asyncio.client  # noqa: F401 - of the SDK's extra `realtime`
        except ImportError as error:
            raise missing_sdk("openai", error) from None
        self._trusted = trusted = tls_context("openai", self.access)
        try:
            return openai.AsyncOpenAI(
                api_key=key,
                base_url=self.address,
                max_retries=0,
                http_client=openai.DefaultAsyncHttpxClient(verify=trusted) if trusted else None,
            )
        except Exception as error:  # noqa: BLE001 - whatever it finds wrong with an address
            what = fault("openai", "unreachable", repr(error), where=self.address)
            raise ProviderFault(self._redacted(what)) from None

    async def _connect(self, client: AsyncOpenAI, setup: Setup) -> RealtimeConnection:
        transport = RealtimeTransport()
        options: dict[str, Any] = {
            "open_timeout": None,  # ours is the limit
            "close_timeout": 0.5,  # with much unread, the other side's goodbye is behind it
            "create_connection": transport.create,
        }
        if self._trusted is not None and client.base_url.scheme in ("https", "wss"):
            options["ssl"] = self._trusted
        # Never with on_reconnecting: it would go on with an empty session.
        transport.sdk = await client.realtime.connect(
            model=setup.model,
            websocket_connection_options=options,  # type: ignore[arg-type]
        ).enter()
        try:
            session = await _introduced(transport, setup, self.access.catalogue)
        except BaseException:
            transport.abort()
            raise
        capabilities = self.capabilities(setup.model)
        left = _seconds_left(session, capabilities.max_session or MAX_SESSION)
        ready = Ready(session.get("id"))
        return RealtimeConnection(transport, self.access, setup, capabilities, ready, left)

    def _redacted(self, what: Fault) -> Fault:
        return redact_key(what, self.access)


async def _closed(client: AsyncOpenAI) -> None:
    await client.close()


async def _introduced(
    transport: RealtimeTransport, setup: Setup, catalogue: ModelCatalogue
) -> dict[str, Any]:
    """Send the history and the session settings; return the session once the service confirms
    it."""
    for item in setups.history(setup):
        await transport.send_json({"type": "conversation.item.create", "item": item})
    await transport.send_json(
        {"type": "session.update", "session": setups.session(setup, catalogue)}
    )
    session: dict[str, Any] = {}
    while True:
        message = orjson.loads(await transport.receive())
        kind = message.get("type")
        if kind in ("session.created", "session.updated"):
            session |= message.get("session") or {}
            if kind == "session.updated":
                return session
        elif kind == "error":
            what = faults.of_event(message.get("error"), where=setup.model)
            what.fatal = True
            raise ProviderFault(what)


def _seconds_left(session: dict[str, Any], most: float) -> float:
    """Return the seconds until the service ends the session. A clock that is wrong is not
    believed."""
    expires = session.get("expires_at")
    if not isinstance(expires, int | float):
        return most
    left = expires - time.time()
    return left if 0 < left <= most else most
