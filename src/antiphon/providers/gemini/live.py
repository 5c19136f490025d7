"""Gemini Live provider: one WebSocket for speech, text and calls both ways."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

from antiphon.contracts.events import Fault, Ready
from antiphon.providers.faults import fault
from antiphon.providers.gemini import config as gemini_config
from antiphon.providers.gemini import faults
from antiphon.providers.gemini.session import GeminiLiveConnection
from antiphon.providers.lazy_client import LazyClient
from antiphon.providers.models import Facts
from antiphon.providers.port import Access, Capabilities, Provider, ProviderFault, Setup

if TYPE_CHECKING:
    from antiphon.providers.gemini.transport import GeminiTransport


class GeminiLive(Provider):
    """Provider of Gemini's Live API: speech in and out, calls that the model may take back,
    sessions that can be resumed."""

    api = "gemini-live"
    is_live = True

    def __init__(self, access: Access) -> None:
        super().__init__(access)
        self._client: LazyClient[Any] = LazyClient(partial(gemini_config.client, access), _closed)

    def capabilities(self, model: str) -> Capabilities:
        return Capabilities(
            audio=True,
            transcripts=True,
            cancellation=True,
            hears_interruption=True,
            resumption=True,
            go_away=True,
            search=True,
            max_session=self.access.catalogue.facts("gemini", model).max_session,
            voices=tuple(voice.id for voice in self.access.catalogue.voices("gemini")),
        )

    async def connect(self, setup: Setup) -> GeminiLiveConnection:
        client = await self._client.get()
        from antiphon.providers.gemini.transport import opened

        facts = self.access.catalogue.facts("gemini", setup.model)
        try:
            # A fresh one each time: the SDK changes what it is given.
            config = gemini_config.config(setup, facts)
        except ValueError as error:
            what = fault("gemini", "bad_request", f"not a setup for Gemini: {error}")
            raise ProviderFault(what) from None
        transports: list[GeminiTransport] = []
        token = opened.set(transports)
        # Breaks the line first, for the SDK would wait for a peer that says nothing to close it.
        deadline = asyncio.get_running_loop().time() + setup.deadlines.connect
        timer = asyncio.get_running_loop().call_at(deadline, _abort, transports)
        limit = asyncio.timeout_at(deadline)
        try:
            async with (
                limit,
                client.aio.live.connect(model=setup.model, config=config) as session,
            ):
                try:
                    # The SDK takes any first answer for a good one.
                    if session.setup_complete is None:
                        raise ProviderFault(faults.of_message(transports[-1].message, fatal=True))
                    await _seed(session, setup, facts)
                except BaseException:
                    _abort(transports)
                    raise
                transports[
                    -1
                ].kept = True  # the SDK lets go of everything now, but not of the transport
        except BaseException as error:
            _abort(transports)
            if isinstance(error, ProviderFault) or not isinstance(error, Exception):
                raise
            if limit.expired():
                raise ProviderFault(self._late(setup.deadlines.connect)) from None
            what = faults.of_error(error, self.access, setup.model)
            raise ProviderFault(what) from None
        finally:
            timer.cancel()
            opened.reset(token)
        ready = Ready(session.session_id, resumed=setup.resume is not None)
        capabilities = self.capabilities(setup.model)
        opened_transport = transports[-1]
        transports.clear()  # its own context has the list: a ring, left to the collector
        return GeminiLiveConnection(
            self.access, setup, capabilities, ready, session, opened_transport
        )

    async def probe(self, seconds: float) -> None:
        client = await self._client.get()
        try:
            async with asyncio.timeout(seconds):
                await client.aio.models.list(config={"page_size": 1})
        except TimeoutError:
            raise ProviderFault(self._late(seconds)) from None
        except Exception as error:  # noqa: BLE001 - SDKs let through errors of every layer
            raise ProviderFault(faults.of_error(error, self.access)) from None

    async def close(self) -> None:
        await self._client.close()

    def _late(self, seconds: float) -> Fault:
        where = self.access.base_url or gemini_config.ADDRESS
        return fault("gemini", "timeout", f"no answer in {seconds:g} s", where=where)


async def _seed(session: Any, setup: Setup, facts: Facts) -> None:
    """Send the conversation so far. A resumed session knows it."""
    if setup.resume is not None:
        return
    turns = gemini_config.history(setup.history)
    if turns:
        # Where it is announced in the setup, it is complete with this; elsewhere a complete turn
        # would be answered.
        complete = gemini_config.announces_history(setup, facts)
        await session.send_client_content(turns=turns, turn_complete=complete)


async def _closed(client: Any) -> None:
    await client.aio.aclose()
    client.close()


def _abort(transports: list[GeminiTransport]) -> None:
    for transport in transports:
        transport.abort()
