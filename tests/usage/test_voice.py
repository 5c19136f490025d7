"""Live connections are paid for a minute at a time; a cap ends them politely."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.agents.chatting import EMULATED, emulated, own_settings
from tests.agents.spoken import MODELS, PATIENT
from tests.agents.voice.stage import stage
from tests.orchestrator.helpers import HeldStore
from tests.usage.counting import entries, usual

from antiphon.agents.voice.engine import VoiceOptions
from antiphon.contracts.events import Event, Fault, Prompt, Ready, TurnEnded, Usage
from antiphon.contracts.metering import CapWarning, Payer
from antiphon.providers import Backends
from antiphon.providers.port import Connection, ProviderFault, Setup
from antiphon.testing import run
from antiphon.usage.caps import UsualCaps
from antiphon.usage.ledger import UsageLedger
from antiphon.usage.meter import UsageMeters
from antiphon.usage.prices import load_prices

LIVE = ("gemini", "openai")
DEARER = """
date = 2026-01-01
currency = "USD"
source = "A test"
[[models]]
backend = "openai"
model = "gpt-realtime"
minute = 0.06
"""
CENT = 10_000_000
SPOKEN = [{"say": "Hello.", "ms": 100}, {"usage": {"input": 1000, "output": 100}}, "complete"]


class Line:
    """A connection that is paid for, and what came over it."""

    def __init__(
        self, ledger: UsageLedger, connection: Connection, warned: list[CapWarning]
    ) -> None:
        self.ledger = ledger
        self.connection = connection
        self.warned = warned
        self._events = connection.events()

    async def until(self, kind: type[Any]) -> Any:
        async for event in self._events:
            if isinstance(event, kind):
                return event
        raise AssertionError(f"no {kind.__name__} came")

    async def rest(self) -> list[Event]:
        return [event async for event in self._events]

    async def costs(self) -> list[tuple[str, int, int]]:
        await self.ledger.flush()
        found = await entries(self.ledger.store)
        return [(each["state"], each["cost"], each["voice_ms"]) for each in found]


@asynccontextmanager
async def line(
    vendor: str, script: list[Any], *, caps: UsualCaps | None = None, prices: Path | None = None
) -> AsyncIterator[Line]:
    store = await asyncio.to_thread(HeldStore.open, "sqlite://")
    ledger = UsageLedger(store, load_prices(prices), caps)
    warned: list[CapWarning] = []
    async with emulated(EMULATED[vendor], script, check=False) as emulator:
        async with Backends(own_settings(vendor, emulator), chosen=vendor) as backends:  # type: ignore[arg-type]
            payer = Payer("ada", agent="vox")
            meter = UsageMeters(ledger).meter(vendor, MODELS[vendor], lambda: payer, warned.append)
            provider = backends.provider((vendor, "voice"))  # type: ignore[arg-type]
            setup = Setup(MODELS[vendor], retries=0, deadlines=PATIENT, meter=meter)
            async with await provider.connect(setup) as connection:
                found = Line(ledger, connection, warned)
                async with aclosing(found._events):
                    yield found
    await ledger.close()
    await store.close()


def virtual(main: Callable[[], Coroutine[Any, Any, None]]) -> None:
    run(main(), patience=0.2)


@pytest.mark.parametrize("vendor", LIVE)
def test_the_tokens_of_an_answer_are_counted_and_the_rest_goes_by_the_clock(vendor: str) -> None:
    async def main() -> None:
        async with line(vendor, [{"on": "text", "reply": SPOKEN}]) as talk:
            await talk.until(Ready)
            await talk.connection.send(Prompt("Hello"))
            counted = await talk.until(Usage)
            assert counted.input_tokens == 1000
            await talk.connection.close()
            [(state, cost, ms)] = await talk.costs()
            price = load_prices().find(vendor, MODELS[vendor])
            assert price is not None
            assert state == "counted"
            # Nothing was uncounted for longer than the moments since.
            assert (
                price.of(counted) <= cost <= price.of(counted) + price.of_voice(5, estimated=True)
            )
            assert ms < 60_000

    virtual(main)


@pytest.mark.parametrize("vendor", LIVE)
def test_a_live_connection_is_not_opened_beyond_a_cap(vendor: str) -> None:
    async def main() -> None:
        with pytest.raises(ProviderFault) as refused:
            async with line(vendor, [], caps=usual(user_day=CENT // 100)):
                pass
        assert refused.value.fault.kind == "spending_cap"

    virtual(main)


def test_each_minute_is_paid_for_until_there_is_no_more_money(tmp_path: Path) -> None:
    """At 6 cents a minute 13 cents are enough for two minutes; at the third it is over."""

    async def main() -> None:
        file = tmp_path / "prices.toml"
        file.write_text(DEARER)
        script = [{"on": "text", "reply": SPOKEN}]
        async with line("openai", script, caps=usual(user_day=13 * CENT), prices=file) as talk:
            await talk.until(Ready)
            began = asyncio.get_running_loop().time()
            *_, last = await talk.rest()
            lasted = asyncio.get_running_loop().time() - began
            assert isinstance(last, Fault)
            assert (last.kind, last.fatal) == ("spending_cap", True)
            assert 119 < lasted < 125
            costs = await talk.costs()
            assert [state for state, _, _ in costs] == ["counted", "counted"]
            assert all(6 * CENT <= cost <= 6 * CENT * 101 // 100 for _, cost, _ in costs)
            assert [each.period for each in talk.warned] == ["day"]

    virtual(main)


def test_a_connection_that_breaks_is_charged_for_its_seconds(tmp_path: Path) -> None:
    async def main() -> None:
        file = tmp_path / "prices.toml"
        file.write_text(DEARER)
        script = [{"on": "text", "reply": [{"wait": 30}, {"drop": True}]}]
        async with line("openai", script, prices=file) as talk:
            await talk.until(Ready)
            await talk.connection.send(Prompt("Hello"))
            await talk.rest()
            [(state, cost, ms)] = await talk.costs()
            assert state == "counted"
            assert 0 < ms < 60_000
            # By the second, rounded up to a thousandth.
            assert abs(cost - 6 * CENT * ms // 60_000) <= CENT // 1000

    virtual(main)


async def test_a_spoken_conversation_that_meets_its_cap_ends_politely() -> None:
    said: list[str] = []

    async def say(words: str) -> AsyncGenerator[bytes, None]:
        said.append(words)
        yield b"\0\0" * 2400

    words = "Not done: your spending cap for today is used up. It is reset at midnight."
    async with stage(options=VoiceOptions(say=say)) as s:
        model = await s.line()
        model.play(Ready(), Fault("spending_cap", words, fatal=False), TurnEnded("failed"))
        ended = await s.person.got("voice_session_end")
        assert ended["reason"] == "spending_cap"
        assert ended["textResponse"] == words
        assert said == [words]
        assert s.person.heard
        assert await s.over() == "spending_cap"
