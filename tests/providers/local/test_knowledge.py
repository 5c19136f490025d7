"""Questions are answered from the sample knowledge, through every gate, with what was cited."""

from __future__ import annotations

import pytest
from tests.providers.local.world import working

from antiphon.contracts.events import ModelTurn

pytestmark = pytest.mark.real_time(ignore=("*antiphon-kb-*",), timeout=90)


@pytest.mark.parametrize(
    ("question", "part", "cited"),
    [
        ("Who is the head of finance matters?", "Livia", "person:livia_sandulescu"),
        ("When will all flats get Keyring?", "4 December", "project:keyring"),
        ("What do the hotels in Zurich cost at most?", "180", "doc:travel_policy"),
        ("What is Ruxandra allergic to?", "walnuts", "person:ruxandra_clodius"),
    ],
)
async def test_a_question_is_answered_with_the_sentence_that_says_it_and_its_record(
    question: str, part: str, cited: str
) -> None:
    async with working() as chat:
        said = await chat.say(question)
        assert part in said.text
        assert f"({cited})" in said.text
        assert set(said.names) == {"kb_search"}


async def test_a_follow_up_is_about_what_was_spoken_of() -> None:
    async with working() as chat:
        first = await chat.say("What is Gangway?")
        assert "(project:gangway)" in first.text
        second = await chat.say("and who leads it?")
        assert "Bogdan" in second.text
        third = await chat.say("what else does he lead?")
        assert "Bogdan" in third.calls[0][1]["query"]
        other = await chat.say("And what about Waybill?")
        assert "Waybill" in other.calls[0][1]["query"]


async def test_what_the_knowledge_base_does_not_say_is_not_made_up() -> None:
    async with working() as chat:
        said = await chat.say("What is the boiling point of tungsten?")
        assert said.names
        assert "I found nothing" in said.text
        assert "a larger model, once one is connected" in said.text


async def test_a_spoken_answer_is_short_has_no_ids_and_stays_in_the_budget_of_a_turn() -> None:
    async with working("voice") as chat:
        for question in ("Who leads Deep Water?", "Where is the office in Lisbon?"):
            said = await chat.say(question)
            assert len(said.calls) <= 2
            assert said.text
            assert "(" not in said.text
            assert len(said.text) < 400
            last = chat.history[-1]
            assert isinstance(last, ModelTurn)
            assert last.native["cited"]


async def test_a_search_lists_what_was_found_with_ids_to_cite() -> None:
    async with working() as chat:
        said = await chat.say("Search the knowledge base for breweries")
        assert "client:morava_brewing" in said.text


async def test_the_record_of_a_spoken_answer_is_named_when_it_is_asked_for() -> None:
    async with working("voice") as chat:
        await chat.say("Who leads Deep Water?")
        assert (await chat.say("Which record is that?")).text == "From project:deep_water."
