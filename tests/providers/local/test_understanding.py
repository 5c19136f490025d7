"""What people say becomes the right call with the right arguments, or a short question."""

from __future__ import annotations

from typing import Any

import pytest
from tests.providers.local.world import Said, done, run, talking


def say(*texts: str, mode: Any = "text", **more: Any) -> Said:
    """What came of the last of these utterances."""

    async def main() -> Said:
        said = Said()
        async with talking(mode, **more) as chat:
            for text in texts:
                said = await chat.say(text)
        return said

    return run(main())


GRAPHS = {
    "list_kgs": done(
        "list_kgs",
        databases=[{"id": "studio", "name": "Studio"}, {"id": "public", "name": "Public"}],
    )
}
SEARCHED = {
    "kb_search": done(
        "kb_search",
        results=[
            {"id": "project:keyring", "type": "project", "title": "Keyring", "score": 0.9},
            {"id": "project:atlas", "type": "project", "title": "Atlas", "score": 0.7},
        ],
    )
}


@pytest.mark.parametrize(
    ("text", "tool", "args"),
    [
        ("List the graphs we have", "list_kgs", {}),
        (
            "Search the studio graph for lamps",
            "search_kg",
            {"database_id": "studio", "query": "lamps"},
        ),
        (
            "Ask the studio graph who leads Waybill",
            "query_kg",
            {"database_id": "studio", "query": "who leads Waybill"},
        ),
        ("Statistics of the public graph", "get_kg_analytics", {"database_id": "public"}),
        ("Search all graphs for hydropower", "cross_kg_search", {"query": "hydropower"}),
        pytest.param(
            "Look in studio and public for lasers",
            "cross_kg_search",
            {"query": "lasers", "database_ids": ["studio", "public"]},
            marks=pytest.mark.xfail(strict=False, reason="of two graphs only the first is taken"),
        ),
        ("LinkedIn of Hugo Brannigan, please", "linkedin_lookup", {"person": "Hugo Brannigan"}),
        ("Show me the record project:gangway", "kb_get", {"id": "project:gangway"}),
        (
            "Fetch person:paul_hortense and person:wanda_szymik",
            "kb_get",
            {"ids": ["person:paul_hortense", "person:wanda_szymik"]},
        ),
        (
            "Extract the contacts from this: Bo Ek, bo@ek.example",
            "extract_contacts",
            {"text": "Bo Ek, bo@ek.example"},
        ),
        ("Start voice mode", "start_voice_session", {}),
    ],
)
def test_a_request_is_one_call_with_what_was_said(
    text: str, tool: str, args: dict[str, Any]
) -> None:
    assert say(text).calls == [(tool, args)]


def test_a_moment_in_words_becomes_an_iso_date_and_a_city_its_time_zone() -> None:
    ((tool, args),) = say("Which weekday is tomorrow at half past two in Lisbon?").calls
    assert tool == "format_datetime"
    assert args["value"] == "2026-11-17T14:30"
    assert args["timezone"] == "Europe/Lisbon"


def test_a_goodbye_ends_a_voice_session_and_a_text_chat_only_says_goodbye() -> None:
    assert say("Goodbye", mode="voice").names == ["end_voice_session"]
    assert say("Let's go on in writing", mode="voice").calls == [
        ("end_voice_session", {"reason": "switch_to_text"})
    ]
    farewell = say("Goodbye")
    assert farewell.calls == []
    assert farewell.text == "Goodbye."


def test_a_wish_for_voice_carries_what_else_was_asked_for() -> None:
    ((tool, args),) = say("Start voice mode and explain what Gangway is").calls
    assert tool == "start_voice_session"
    assert "what Gangway is" in args["pending_request"]


def test_a_missing_argument_is_asked_for_in_one_short_question_and_then_filled() -> None:
    asked = say("Block me")
    assert asked.calls == []
    assert asked.text == "For how long?"
    ((tool, args),) = say("Block me", "for two minutes").calls
    assert tool == "ignore_user"
    assert args["duration_seconds"] == 120


def test_the_values_of_an_argument_are_taken_from_the_tool_that_lists_them() -> None:
    asked = say("Show me statistics of a graph", answers=GRAPHS)
    assert asked.names == ["list_kgs"]
    assert asked.text == "Which database: studio or public?"
    said = say("Show me statistics of a graph", "public", answers=GRAPHS)
    assert said.calls == [("get_kg_analytics", {"database_id": "public"})]


def test_the_only_value_there_is_needs_no_question() -> None:
    one = {"list_kgs": done("list_kgs", databases=[{"id": "atlas", "name": "Atlas"}])}
    said = say("Show me statistics of a graph", answers=one)
    assert said.calls[-1] == ("get_kg_analytics", {"database_id": "atlas"})


def test_another_subject_instead_of_an_answer_is_taken_up() -> None:
    said = say("Block me", "What time is it in Tokyo?")
    assert said.names == ["format_datetime"]
    assert say("Block me", "never mind").text == "All right."


def test_what_was_found_can_be_ranked_without_saying_it_again() -> None:
    said = say("Find portals", "Rank these results by relevance to tenants", answers=SEARCHED)
    ((tool, args),) = said.calls
    assert tool == "rank_results"
    assert [item["id"] for item in args["items"]] == ["project:keyring", "project:atlas"]
    assert args["query"] == "tenants"


def test_the_same_once_more_with_something_else_in_it() -> None:
    ((tool, args),) = say("What time is it in Lisbon?", "what about Tokyo?").calls
    assert tool == "format_datetime"
    assert args["timezone"] == "Asia/Tokyo"
    assert args["value"] == "now"


@pytest.mark.parametrize(
    "text",
    [
        "Should I add this to the studio graph?",
        "How do I block somebody?",
        "Do not add anything to the studio graph",
        "Yesterday we added a note to the studio graph",
        "Was somebody blocked for two hours?",
        "My brother blocked me for a day",
        "I wonder whether it can remember things in the studio graph",
    ],
)
def test_what_is_asked_told_or_forbidden_writes_nothing(text: str) -> None:
    assert not {"ingest_to_kg", "ignore_user"} & set(say(text).names)


def test_a_wish_to_write_is_first_asked_about_and_done_after_a_yes() -> None:
    wish = "I think I want to add to the studio graph that Greta Lindqvall leads Aurora"
    asked = say(wish)
    assert asked.calls == []
    assert asked.text.startswith("Do you want me to")
    ((tool, args),) = say(wish, "yes, please").calls
    assert tool == "ingest_to_kg"
    assert args == {"database_id": "studio", "text": "Greta Lindqvall leads Aurora"}
    refused = say(wish, "no")
    assert refused.calls == []


@pytest.mark.parametrize(
    "text", ["Write me a sonnet", "Put on some rock music", "Translate it into Danish"]
)
def test_what_it_cannot_do_is_declined_with_what_would_help(text: str) -> None:
    said = say(text)
    assert said.calls == []
    assert "larger model, once one is connected (Gemini, OpenAI or Claude)" in said.text
    assert "API_KEY" not in said.text


def test_help_tells_of_the_tools_of_this_session_only() -> None:
    said = say("help", tools=("kb_search", "format_datetime"))
    assert "tell the time" in said.text
    assert "linkedin" not in said.text


def test_nonsense_is_looked_up_at_most_and_not_guessed_at() -> None:
    said = say("blorp fnord wibble")
    assert set(said.names) <= {"kb_search"}
    assert "I found nothing" in said.text or "did not understand" in said.text


@pytest.mark.parametrize("text", ["", "?", "\u0000", "\U0001f600" * 50, "a" * 20_000, "in in in"])
def test_any_text_is_answered(text: str) -> None:
    said = say(f"x{text}")
    assert said.text or said.calls


MACROS = {
    "list_macros": done(
        "list_macros",
        macros=[{"id": "5d0c2a9e", "name": "Morning", "trigger_phrase": "rise and shine"}],
    )
}


def test_the_trigger_phrase_of_a_macro_runs_it_though_it_means_nothing_else() -> None:
    tools = ("kb_search", "list_macros", "run_macro")
    said = say("Rise and shine!", tools=tools, answers=MACROS)
    assert said.calls == [("list_macros", {}), ("run_macro", {"macro_id": "rise and shine"})]
    again = say("blorp fnord", "rise and shine", tools=tools, answers=MACROS)
    assert again.calls == [("run_macro", {"macro_id": "rise and shine"})]
    other = say("blorp fnord", tools=tools, answers=MACROS)
    assert other.calls[0] == ("list_macros", {})
    assert set(other.names[1:]) <= {"kb_search"}
    assert "I found nothing" in other.text or "did not understand" in other.text


def test_a_macro_that_is_saved_during_a_conversation_is_known_to_it() -> None:
    answers = {"list_macros": done("list_macros", macros=[])}

    async def main() -> Said:
        async with talking("text", tools=("list_macros", "run_macro"), answers=answers) as chat:
            before = await chat.say("rise and shine")
            assert before.calls == [("list_macros", {})]
            answers.update(MACROS)
            return await chat.say("rise and shine")

    said = run(main())
    assert said.calls == [("list_macros", {}), ("run_macro", {"macro_id": "rise and shine"})]


@pytest.mark.parametrize("text", ["How is my day looking?", "so, how is my day looking"])
def test_a_trigger_phrase_that_is_a_question_runs_its_macro(text: str) -> None:
    phrase = "how is my day looking?"
    macros = [{"id": "7b1e", "name": "Overview", "trigger_phrase": phrase}]
    tools = ("kb_search", "calendar_get_availability", "list_macros", "run_macro")
    said = say(text, tools=tools, answers={"list_macros": done("list_macros", macros=macros)})
    assert said.calls == [("list_macros", {}), ("run_macro", {"macro_id": phrase})]


def test_a_question_that_no_macro_is_set_on_is_still_answered_from_the_knowledge_base() -> None:
    tools = ("kb_search", "list_macros", "run_macro")
    said = say("Who looks after the boats?", tools=tools, answers=MACROS)
    assert said.names[0] == "list_macros"
    assert "kb_search" in said.names
    assert "run_macro" not in said.names


def test_a_question_about_somebody_who_is_known_is_not_asked_of_macros() -> None:
    tools = ("kb_search", "list_macros", "run_macro")
    said = say("Who leads Atlas?", tools=tools, answers=MACROS)
    assert set(said.names) == {"kb_search"}


def test_a_macro_is_run_by_its_phrase_with_a_verb_before_it_and_now_behind_it() -> None:
    macros = [{"id": "7b1e", "name": "Report", "trigger_phrase": "monthly report"}]
    said = say(
        "do the monthly report right now please",
        tools=("kb_search", "list_macros", "run_macro"),
        answers={"list_macros": done("list_macros", macros=macros)},
    )
    assert said.calls[-1] == ("run_macro", {"macro_id": "monthly report"})


@pytest.mark.parametrize(
    "text", ["Do not end the voice session", "I'm not finished yet, so do not hang up"]
)
def test_what_is_forbidden_is_not_done_even_if_it_writes_nothing(text: str) -> None:
    assert "end_voice_session" not in say(text, mode="voice").names


def test_what_a_tool_does_is_asked_without_its_being_called() -> None:
    asked = say("What happens when I end the voice session?", mode="voice")
    assert "end_voice_session" not in asked.names


@pytest.mark.parametrize(
    "said", ["start voice mode and tell me a joke", "Start voice mode and tell me a joke."]
)
def test_a_request_in_the_very_words_of_an_example_keeps_what_else_it_asks_for(said: str) -> None:
    assert say(said).calls == [("start_voice_session", {"pending_request": "tell me a joke"})]


@pytest.mark.parametrize(
    "said",
    [
        "Seriously, shut up",
        "You idiot",
        pytest.param(
            "seriously, be quiet",
            marks=pytest.mark.xfail(
                strict=False, reason="it is looked up as if it were a question"
            ),
        ),
    ],
)
def test_rudeness_is_answered_with_words_and_blocks_nobody(said: str) -> None:
    answer = say(said)
    assert answer.calls == []
    assert "block" not in answer.text


def test_an_order_counts_though_its_reason_is_said_before_it() -> None:
    said = say("That man keeps insulting me, block him for ten minutes", tools=("ignore_user",))
    ((tool, args),) = said.calls
    assert tool == "ignore_user"
    assert args["duration_seconds"] == 600


def test_no_stands_for_itself_and_is_not_the_reason_for_an_order() -> None:
    tools = ("delete_macro", "list_macros")
    assert "delete_macro" not in say("No, leave the macro Morning alone", tools=tools).names


def test_code_between_fences_is_taken_without_them() -> None:
    said = say(
        "Have a look at the security of this one\n```python\neval(input())\n```",
        tools=("scan_code_security", "kb_search"),
    )
    args = {"code": "eval(input())", "language": "python"}
    assert said.calls == [("scan_code_security", args)]


def test_a_choice_that_only_the_description_offers_is_taken_from_the_request() -> None:
    said = say(
        "Generate unittest tests for this code: def half(n): return n / 2",
        tools=("generate_tests", "kb_search"),
    )
    ((_, args),) = said.calls
    assert args == {"code": "def half(n): return n / 2", "framework": "unittest"}


@pytest.mark.parametrize(
    "text",
    [
        "Rank these by relevance to boats: the ferry, a bakery, harbours",
        "Rank these by relevance to boats\n- the ferry\n- a bakery\n- harbours",
    ],
)
def test_what_a_request_lists_is_ranked(text: str) -> None:
    ((tool, args),) = say(text, tools=("rank_results", "kb_search")).calls
    assert tool == "rank_results"
    assert [item["title"] for item in args["items"]] == ["the ferry", "a bakery", "harbours"]


def test_an_event_has_its_title_its_begin_and_end_and_who_is_invited() -> None:
    said = say(
        "Schedule a meeting called Review tomorrow at 3 pm for one hour with bo@ek.example",
        tools=("kb_search", "calendar_create_event"),
    )
    ((tool, args),) = said.calls
    assert tool == "calendar_create_event"
    assert args["title"] == "Review"
    assert args["start_time"] == "2026-11-17T15:00:00+00:00"
    assert args["end_time"] == "2026-11-17T16:00:00+00:00"
    assert args["attendees"] == ["bo@ek.example"]


def test_half_an_hour_at_3pm_with_a_title_that_has_a_hyphen() -> None:
    said = say(
        "Put a half-hour catch-up with bo@ek.example in my calendar for tomorrow at 3pm",
        tools=("kb_search", "calendar_create_event"),
    )
    ((_, args),) = said.calls
    assert args["title"] == "Catch-up"
    assert args["start_time"] == "2026-11-17T15:00:00+00:00"
    assert args["end_time"] == "2026-11-17T15:30:00+00:00"


def test_how_long_a_free_stretch_has_to_be_is_not_when_it_begins() -> None:
    said = say("Can I fit in two hours on Wednesday?", tools=("calendar_get_availability",))
    ((_, args),) = said.calls
    assert args["start_date"] == args["end_date"] == "2026-11-18"
    assert args["min_duration_minutes"] == 120


def test_a_span_of_hours_is_a_begin_and_an_end_on_the_day_that_is_named() -> None:
    said = say("Am I free tomorrow from 9 to 11?", tools=("calendar_get_availability",))
    ((_, args),) = said.calls
    assert args["start_date"] == "2026-11-17T09:00:00+00:00"
    assert args["end_date"] == "2026-11-17T11:00:00+00:00"


def test_a_long_text_is_carried_whole_though_only_its_beginning_is_read() -> None:
    code = "\n".join(f"value_{n} = eval(input())" for n in range(400))
    tools = ("scan_code_security", "kb_search")
    for text in (
        f"Scan this code for problems:\n```python\n{code}\n```",
        f"Scan this code: {code}",
    ):
        said = say(text, tools=tools)
        assert [(name, args["code"]) for name, args in said.calls] == [("scan_code_security", code)]
        assert "characters" not in said.text


def test_whoever_writes_more_than_is_read_is_told() -> None:
    said = say("," * 7_999 + "x")
    assert said.text.startswith("Your message has 8,000 characters; I read the first 2,000.")
