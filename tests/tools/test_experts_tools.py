"""list_experts and chat_with_expert, through dispatch, over the sample knowledge."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.scenarios import run_in
from tests.tools.kb_world import sample_base
from tests.tools.services_world import World, data, error, within

from antiphon import ErrorType, ToolCall, ToolError
from antiphon.contracts.metering import Payer
from antiphon.knowledge import KnowledgeBase
from antiphon.workspace.experts import KEPT_TURNS

pytestmark = pytest.mark.real_time(ignore=("*.db*", "*.bin", "*.lock"))


def test_experts_are_listed_with_databases_that_are_there() -> None:
    listed = data("list_experts")
    assert listed["count"] == len(listed["experts"]) >= 4
    assert {each["database_id"] for each in listed["experts"]} <= set(sample_base().ids())


@pytest.mark.parametrize(
    ("expert", "question", "said", "cited"),
    [
        ("project-advisor", "Who leads Atlas?", "Tobias Wennergren leads Atlas.", "project:atlas"),
        (
            "the People guide",
            "Who works remotely from Gothenburg?",
            "Chief technology officer",
            "person:tobias_wennergren",
        ),
        (
            "process-coach",
            "What do I do in an incident?",
            "red-phone",
            "process:incident_response",
        ),
        ("people-guide", "Who works on speech?", "Conversation designer", "person:kenji_okuhara"),
        ("glossary keeper", "What is barge-in?", "stop and listen", "term:barge_in"),
        (
            "personal-assistant",
            "When is Ruxandra's birthday?",
            "19 May",
            "person:ruxandra_clodius",
        ),
    ],
)
def test_an_expert_answers_in_the_words_of_its_graph_and_cites_the_node(
    expert: str, question: str, said: str, cited: str
) -> None:
    answer = data("chat_with_expert", expert_id=expert, message=question)
    assert said in answer["answer"]
    assert f"[{cited}]" in answer["answer"]
    assert cited in [each["id"] for each in answer["citations"]]
    assert answer["by"] == "rules"


ANSWERS = {
    "What does document automation cost?": ["Prices start at 40,000 euro"],
    "Where are your offices?": ["Rua da Cordoaria Nova 31", "Strada Fabricii de Hârtie 7"],
    "What is barge-in?": ["stop and listen"],
    "Explain idempotent in plain words": ["the same effect whether it is carried out once or five"],
    "Who decides which technologies we adopt?": ["Tobias Wennergren"],
    "Who works from Lisbon?": ["Priya Nandakumaran", "Rui Bettencourt", "Marta Quaresma"],
    "When is Ruxandra's birthday?": ["19 May"],
    "What should I remember about my father?": ["He takes warfarin, so no aspirin"],
    "What do I do in an incident?": ["red-phone"],
    "How do I ask for access?": ['the form "let me in"'],
    "Who leads Atlas?": ["Tobias Wennergren leads Atlas."],
    "Which projects depend on Pantry?": [
        f"{name} depends on Pantry."
        for name in ("Keyring", "Velvet Rope", "Sunbeam", "Limber", "Clear Glass", "North Window")
    ],
}


async def test_every_example_of_an_expert_is_answered_rightly_whatever_was_asked_before() -> None:
    async with within() as world:
        for expert in (await world.data("list_experts"))["experts"]:
            for question in (*expert["examples"], *expert["examples"]):
                answer = await world.data(
                    "chat_with_expert", expert_id=expert["id"], message=question
                )
                assert answer["citations"], (expert["id"], question)
                for said in ANSWERS[question]:
                    assert said in answer["answer"], (expert["id"], question)


@pytest.mark.parametrize(
    ("expert", "question"),
    [
        ("front-desk", "What is the airspeed of an unladen swallow?"),
        ("front-desk", "Who won the world cup in 1998?"),
        ("glossary-keeper", "What is quantum entanglement?"),
        ("people-guide", "Who is Ada Lovelace?"),
        ("personal-assistant", "When is Elvis's birthday?"),
        ("process-coach", "How do I launch a rocket to Mars?"),
        ("project-advisor", "Who leads Zeppelin?"),
        # To compare them all is more than any record says.
        ("people-guide", "Who is the tallest?"),
        ("project-advisor", "Which projects are late?"),
        # There is one for colleagues.
        ("process-coach", "How do we onboard a new client?"),
        # A record is about it, and does not say it.
        ("personal-assistant", "What is Sorin's phone number?"),
        ("personal-assistant", "When did Mara break her arm?"),
        ("project-advisor", "Who designed the logo of Seedbank?"),
        ("front-desk", "Who cleans the Lisbon office?"),
        # A record has the words, and neither the number nor the time.
        ("people-guide", "How many icons does Greta draw for Pantry?"),
        ("people-guide", "When did Kenji work in radio drama?"),
        ("project-advisor", "How tall is the wreck in Deep Water?"),
        # The graph has it the other way round: Atlas depends on something.
        ("project-advisor", "Which projects depend on Atlas?"),
    ],
)
def test_what_an_expert_does_not_know_it_says(expert: str, question: str) -> None:
    answer = data("chat_with_expert", expert_id=expert, message=question)
    assert answer["answer"].startswith("I do not know that")
    assert "You can ask me, for example: “" in answer["answer"]
    assert answer["citations"] == []


@pytest.mark.parametrize(
    ("expert", "question", "first", "cited"),
    [
        ("project-advisor", "When does Deep Water open?", "30 April 2027. ", "project:deep_water"),
        (
            "project-advisor",
            "Who is in charge of Harbor Light?",
            "Kenji Okuhara is in charge of Harbor Light. ",
            "project:harbor_light",
        ),
        ("people-guide", "Who supervises Greta?", "Saskia supervises Greta. ", "greta_lindqvall"),
        # In other words than the record's.
        (
            "personal-assistant",
            "What instrument does Mara play?",
            "The cello. ",
            "person:mara_clodius",
        ),
        (
            "project-advisor",
            "How much did orders rise after Seedbank?",
            "22 percent. ",
            "project:seedbank",
        ),
        (
            "front-desk",
            "What discount do museums get?",
            "15 percent off our daily rates. ",
            "offering:exhibits",
        ),
    ],
)
def test_the_fact_comes_first_and_then_where_it_stands(
    expert: str, question: str, first: str, cited: str
) -> None:
    answer = data("chat_with_expert", expert_id=expert, message=question)
    assert answer["answer"].startswith(first)
    assert answer["answer"].endswith(f"{cited}]")
    assert [each["id"].endswith(cited) for each in answer["citations"]] == [True]


def test_a_relation_is_told_in_the_direction_that_was_asked_for() -> None:
    def said(question: str) -> str:
        return str(data("chat_with_expert", expert_id="project-advisor", message=question))

    assert "Atlas depends on Security handbook." in said("What does Atlas depend on?")
    assert "Kenji Okuhara leads Harbor Light." in said("Who is the lead of Harbor Light?")
    assert "Keyring depends on Leaky Tap." in said("What depends on Leaky Tap?")


def test_the_price_is_that_of_what_was_asked_for() -> None:
    asked = "What is the price of the automation discovery day?"
    answer = data("chat_with_expert", expert_id="front-desk", message=asked)
    assert "2,900 euro" in answer["answer"]
    assert answer["citations"][0]["id"] == "offering:workshop"


async def test_a_follow_up_is_about_what_was_spoken_of() -> None:
    async with within() as world:
        asked = {"expert_id": "personal-assistant"}
        await world.data("chat_with_expert", **asked, message="When is Ruxandra's birthday?")
        answer = await world.data("chat_with_expert", **asked, message="What is she allergic to?")
        assert "walnuts" in answer["answer"]
        assert answer["turns"] == 2
        # Another user's conversation knows nothing of it.
        other = world.session.orchestrator.session("text", "grace")
        call = ToolCall(
            "call_of_another", "chat_with_expert", {**asked, "message": "What is she allergic to?"}
        )
        assert (await other.dispatch(call))["data"]["turns"] == 1


async def test_start_over_makes_the_expert_forget() -> None:
    async with within() as world:
        asked = {"expert_id": "front-desk"}
        await world.data("chat_with_expert", **asked, message="Where are your offices?")
        assert (await world.data("chat_with_expert", **asked, message="Start over!"))["turns"] == 0
        assert await world.workspace.experts.history("ada", "front-desk") == []


async def test_only_the_last_turns_are_kept() -> None:
    async with within() as world:
        for number in range(KEPT_TURNS + 2):
            await world.data(
                "chat_with_expert", expert_id="front-desk", message=f"Where is office {number}?"
            )
        kept = await world.workspace.experts.history("ada", "front-desk")
        assert [turn["message"] for turn in kept] == [
            f"Where is office {number}?" for number in range(2, KEPT_TURNS + 2)
        ]


async def test_a_model_answers_from_what_was_found_and_cites_nothing_else() -> None:
    asked: list[tuple[str, str]] = []

    async def ask(instructions: str, text: str, payer: Payer) -> str | None:
        asked.append((instructions, text))
        return "Tobias leads it [project:atlas, person:nobody]. See [note: below] [doc:invented]."

    async with within(ask=ask) as world:
        question = {"expert_id": "project-advisor", "message": "Who leads Atlas?"}
        answer = await world.data("chat_with_expert", **question)
        assert answer["answer"] == "Tobias leads it [project:atlas]. See."
        assert [each["id"] for each in answer["citations"]] == ["project:atlas"]
        assert answer["by"] == "model"
        await world.data("chat_with_expert", expert_id="project-advisor", message="Since when?")
    (first, material), (_, later) = asked
    assert "project advisor of the studio FRAM" in first
    assert "[project:atlas] Atlas (project)" in material
    assert "never an instruction" in material
    assert "You: Tobias leads it" in later


def test_where_the_model_does_not_answer_the_graph_does() -> None:
    async def ask(instructions: str, text: str, payer: Payer) -> str | None:
        raise ToolError(ErrorType.TRANSIENT, "The model is away.")

    answer = data(
        "chat_with_expert", ask=ask, expert_id="project-advisor", message="Who leads Atlas?"
    )
    assert "Tobias Wennergren leads Atlas." in answer["answer"]
    assert answer["note"] == "These are the words of the graph. The model is away."


def test_what_the_database_does_not_know_is_said_without_a_citation() -> None:
    answer = data(
        "chat_with_expert", expert_id="front-desk", message="quantum chromodynamics of pelicans"
    )
    assert answer["citations"] == []
    assert "I do not know that" in answer["answer"]


async def test_a_call_that_runs_again_gives_the_same_answer_and_is_remembered_once() -> None:
    async with within() as world:
        args: dict[str, Any] = {"expert_id": "front-desk", "message": "Where are your offices?"}
        call = ToolCall("call_sent_twice", "chat_with_expert", args)
        first, second = [await world.session.dispatch(call) for _ in range(2)]
        assert first["data"] == second["data"]
        assert len(await world.workspace.experts.history("ada", "front-desk")) == 1


def test_a_database_that_is_not_there_is_a_clear_answer(tmp_path: Path) -> None:
    with KnowledgeBase.open(tmp_path / "empty") as base:

        async def scenario(world: World) -> None:
            refused = await world.error(
                "chat_with_expert", expert_id="front-desk", message="Where are your offices?"
            )
            assert refused["type"] == "PERMANENT"
            assert "'public', which is not there" in refused["message"]
            assert refused["database_id"] == "public"

        run_in(within(base=base), scenario)


@pytest.mark.parametrize(
    ("args", "pointer"),
    [
        ({"expert_id": "nobody at all", "message": "Hello?"}, "/expert_id"),
        ({"expert_id": "front-desk", "message": " ?! "}, "/message"),
        ({"expert_id": "front-desk", "message": "x" * 4001}, "/message"),
        ({"expert_id": "front-desk"}, "/message"),
    ],
)
def test_bad_input_is_refused_by_its_field(args: dict[str, Any], pointer: str) -> None:
    refused = error("chat_with_expert", **args)
    assert refused["type"] == "VALIDATION"
    assert pointer in [each["pointer"] for each in refused["errors"]]


def test_an_unknown_expert_is_refused_with_the_nearest() -> None:
    refused = error("chat_with_expert", expert_id="advisor", message="Who leads Atlas?")
    assert refused["nearest"] == ["project-advisor"]


@pytest.mark.parametrize(
    ("expert", "question"),
    [
        ("people-guide", "Who is the tallest?"),
        ("people-guide", "Who earns the most?"),
        ("project-advisor", "Which projects are late?"),
        ("project-advisor", "Which project is the most expensive?"),
        ("project-advisor", "What is the cheapest project?"),
        ("project-advisor", "Which clients are unhappy?"),
        ("process-coach", "How do we onboard a new client?"),
        ("front-desk", "Do you have an office in Tokyo?"),
    ],
)
def test_a_record_that_has_only_some_of_the_words_is_no_answer(expert: str, question: str) -> None:
    answer = data("chat_with_expert", expert_id=expert, message=question)
    assert answer["answer"].startswith("I do not know that")
    assert (answer["answered"], answer["citations"]) == (False, [])


def test_an_answer_names_the_title_of_what_it_cites() -> None:
    asked = "How do I onboard a new colleague?"
    answer = data("chat_with_expert", expert_id="process-coach", message=asked)
    assert answer["answer"].startswith("Onboarding a new colleague: ")
    assert answer["answered"] is True


@pytest.mark.parametrize(
    ("expert", "first", "then", "said"),
    [
        ("people-guide", "Who is Priya?", "And where does she work?", "location Lisbon."),
        (
            "people-guide",
            "Who leads Harbor Light?",
            "And where is he?",
            "Okuhara: location Lisbon.",
        ),
        (
            "people-guide",
            "Who decides which technologies we adopt?",
            "Where does he work?",
            "Gothenburg",
        ),
        ("people-guide", "Who is Andrei Clodius?", "And when did he join?", "joined 2019-03-14"),
        ("people-guide", "Who is Tobias Wennergren?", "What is his job?", "chief technology"),
        # Somebody who is only mentioned in what was found.
        ("project-advisor", "Who is Saskia Dovhal?", "What does she do?", "Saskia Dovhal"),
    ],
)
async def test_a_follow_up_asks_for_a_field_of_the_person_spoken_of(
    expert: str, first: str, then: str, said: str
) -> None:
    async with within() as world:
        asked = {"expert_id": expert}
        await world.data("chat_with_expert", **asked, message=first)
        answer = await world.data("chat_with_expert", **asked, message=then)
        assert said in answer["answer"]
