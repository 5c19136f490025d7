"""Requests to text models cost what their providers count, through the real SDKs."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from tests.agents.chatting import VENDORS, chat, only, says, step, unhurried
from tests.usage.counting import counting, entries, usual

from antiphon.agents.completion import Completion, CompletionError
from antiphon.contracts.metering import Payer
from antiphon.usage.money import decimal

MODELS = {"gemini": "gemini-2.5-flash", "openai": "gpt-4.1", "claude": "claude-sonnet-4-6"}
# Of a million tokens: read anew, read from the cache, written.
PRICES = {
    "gemini": ("0.30", "0.03", "2.50"),
    "openai": ("2", "0.50", "8"),
    "claude": ("3", "0.30", "15"),
}
COUNTED = {"usage": {"input": 1000, "output": 200, "cached": 600}}


def options(vendor: str, **more: Any) -> dict[str, Any]:
    return {"provider": {"model": MODELS[vendor]}, "check": False, **more}


@pytest.mark.parametrize("vendor", VENDORS)
def test_an_answer_costs_what_its_provider_counts(vendor: str) -> None:
    async def main() -> None:
        script = [step("text", [COUNTED, *says("Here you are.")])]
        async with chat(vendor, script, ledger=counting(), **options(vendor)) as talk:
            await talk.say("Hello")
            [entry] = await entries(talk.orchestrator.store)
        anew, cached, written = map(Decimal, PRICES[vendor])
        expected = (400 * anew + 600 * cached + 200 * written) / 1_000_000
        assert Decimal(decimal(entry["cost"])) == expected
        assert (entry["state"], entry["model"], entry["backend"]) == (
            "counted",
            MODELS[vendor],
            vendor,
        )
        assert (entry["input_tokens"], entry["cached_tokens"], entry["output_tokens"]) == (
            1000,
            600,
            200,
        )
        assert entry["estimate"] >= entry["cost"]
        assert entry["agent"] == "assistant"

    unhurried(main())


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_cap_refuses_before_anything_is_sent(vendor: str) -> None:
    async def main() -> None:
        caps = usual(user_day=1)
        script = [step("text", says("Never."))]
        async with chat(vendor, script, ledger=counting(caps), **options(vendor)) as talk:
            told = await talk.say("Hello")
            [error] = only(told, "error")
            assert error["kind"] == "spending_cap"
            assert "your spending cap for today is used up" in error["message"]
            assert "It is reset at" in error["message"]
            assert error["retry_after"] > 0
            assert talk.emulator.playback.unfinished()  # nobody has asked it
            assert await entries(talk.orchestrator.store) == []

    unhurried(main())


@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize(
    ("fault", "states"),
    [
        ([{"status": 503}], ["released", "counted"]),  # refused, and made once more
        ([{"text": "Once upon"}, {"drop": True}], ["estimated"]),  # nobody counted it
    ],
    ids=["refused", "cut off"],
)
def test_a_request_is_charged_once(vendor: str, fault: list[Any], states: list[str]) -> None:
    async def main() -> None:
        script = [step("text", fault), step("text", says("Here you are."))]
        more = options(vendor, retries=1)
        async with chat(vendor, script, ledger=counting(), **more) as talk:
            await talk.say("Hello")
            found = await entries(talk.orchestrator.store)
        assert [entry["state"] for entry in found] == states
        for entry in found:
            if entry["state"] == "estimated":
                assert entry["cost"] == entry["estimate"] > 0
            if entry["state"] == "released":
                assert entry["cost"] == 0

    unhurried(main())


def test_the_person_is_warned_before_a_cap_is_reached() -> None:
    async def main() -> None:
        caps = usual(user_month=90_000_000)  # one request may cost 8 cents
        script = [step("text", [COUNTED, *says("Here you are.")])]
        more = options("claude")
        async with chat("claude", script, ledger=counting(caps), **more) as talk:
            told = await talk.say("Hello")
            [warning] = [each["message"] for each in only(told, "message")]
            assert warning["type"] == "spending_warning"
            assert (warning["scope"], warning["period"]) == ("user", "month")
            assert warning["message"] == "Most of your own spending cap for this month is used up."

    unhurried(main())


def test_a_question_of_a_tool_is_on_the_account_of_who_asked() -> None:
    async def main() -> None:
        script = [step("text", [COUNTED, *says("Blue.")])]
        caps = usual(agent_day=10**9)
        async with chat("claude", script, ledger=counting(caps), **options("claude")) as talk:
            spending = talk.orchestrator.spending
            backends = talk.agent._backends
            completion = Completion(backends, "claude", spending=spending)
            payer = Payer("ada", "north", "expert", "s1")
            assert await completion.ask("", "Which colour?", payer=payer) == "Blue."
            [entry] = await entries(talk.orchestrator.store)
            assert (entry["user"], entry["organisation"]) == ("ada", "north")
            spent = Completion(backends, "claude", spending=spending, max_tokens=10**8)
            with pytest.raises(CompletionError, match="cap of the agent expert for today"):
                await spent.ask("", "Which colour?", payer=payer)

    unhurried(main())
