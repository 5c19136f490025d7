"""A spoken yes approves what was asked and heard just before, with every model that can talk."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.agents.spoken import Spoken, spoken

pytestmark = pytest.mark.virtual_time(patience=0.2)

QUESTION = "Does what the test says? Text: low. Please say yes or no."
JOKE = "Would you like to hear a joke?"
CALL = {"id": "call_dim_lights_1", "name": "dim_lights", "args": {"text": "low"}}


def script(asked: str, *, ms: int = 2000, later: list[Any] | None = None) -> dict[str, Any]:
    """The model calls a tool of low risk, says something, and then hears a yes."""
    yes = [{"speech": "started"}, {"speech": "stopped"}, {"hear": "Yes."}, {"say": "Very well."}]
    return {
        "rules": [
            {"on": "text", "with": {"text": "dim"}, "reply": [{"call": CALL}]},
            {"on": "results", "reply": [{"say": asked, "ms": ms}]},
            {
                "on": "text",
                "with": {"text": "Ask the person now"},
                "reply": later or [{"say": JOKE}],
            },
            {"on": "audio_end", "reply": yes},
            {"on": "text", "reply": [{"say": "So it was."}]},
        ]
    }


async def said_yes(s: Spoken) -> None:
    await s.engine.send_audio(bytes(6400))
    await s.engine.end_audio()
    await s.got("transcript", role="user")


def approved(s: Spoken) -> int:
    return s.work.count("dim_lights")


@pytest.mark.parametrize("vendor", ["gemini", "openai"])
async def test_a_yes_to_the_question_that_was_heard_approves(vendor: str) -> None:
    async with spoken(vendor, script(QUESTION), here=True) as s:
        await s.engine.send_text("Please dim the lights.")
        asked = await s.got("confirmation_required")
        assert asked["risk"] == "low"
        await s.got("turn_complete")
        await asyncio.sleep(3)
        await said_yes(s)
        assert (await s.got("confirmation_resolved"))["outcome"] == "approved"
        assert approved(s) == 1


async def test_a_yes_to_another_question_approves_nothing() -> None:
    async with spoken("openai", script(JOKE), here=True) as s:
        await s.engine.send_text("Please dim the lights.")
        await s.got("turn_complete")  # the joke
        await s.got("turn_complete")  # told to ask, it comes with the joke again
        await asyncio.sleep(5)
        await said_yes(s)
        await s.got("turn_complete")
        assert approved(s) == 0
        assert "confirmation_resolved" not in s.person.kinds()
        # It can still be approved where it is shown.
        (waiting,) = s.orchestrator.confirmations.waiting(s.session)
        await s.session.confirm(waiting["id"], waiting["token"], True)
        assert approved(s) == 1


async def test_a_yes_to_a_question_that_was_cut_off_approves_nothing() -> None:
    long = script(QUESTION, ms=20_000)
    async with spoken("openai", long, here=True) as s:
        await s.engine.send_text("Please dim the lights.")
        turn = (await s.got("turn_complete"))["turn"]
        s.engine.report_playback(turn, 200)
        await s.engine.interrupt()
        await asyncio.sleep(21)
        await said_yes(s)
        await s.got("turn_complete")
        assert approved(s) == 0
        assert "confirmation_resolved" not in s.person.kinds()


async def test_a_model_that_asked_in_other_words_asks_again_in_those_that_count() -> None:
    again = script("Shall I do it?", later=[{"say": QUESTION, "ms": 2000}])
    async with spoken("openai", again, here=True) as s:
        await s.engine.send_text("Please dim the lights.")
        await s.got("turn_complete")
        await s.got("turn_complete")
        await asyncio.sleep(5)
        await said_yes(s)
        assert (await s.got("confirmation_resolved"))["outcome"] == "approved"
        assert approved(s) == 1
