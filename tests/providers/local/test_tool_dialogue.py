"""Things that are done: events, macros, experts, images, models; and what is asked before."""

from __future__ import annotations

from typing import Any

import pytest
from tests.providers.local.world import MONDAY, Said, done, run, talking

from antiphon import ToolCall
from antiphon.agents.notes import results_note
from antiphon.contracts import ErrorType, error_body, failure, make_meta
from antiphon.contracts.events import ModelTurn, UserTurn
from antiphon.providers.local import Name

CALENDAR = ("kb_search", "kb_get", "calendar_get_availability", "calendar_create_event")
REVIEW = {
    "title": "Design review",
    "start_time": "2026-11-17T15:00:00+00:00",
    "end_time": "2026-11-17T16:00:00+00:00",
    "attendees": ["ada@example.org"],
}
MACRO_TOOLS = ("list_macros", "run_macro", "delete_macro", "create_macro")
WORK = ("check_thermal", "list_kgs", "list_projects", "search_kg", *MACRO_TOOLS)
MACROS = {
    "list_macros": done(
        "list_macros",
        macros=[
            {"id": "5d0c2a9e", "name": "Morning", "trigger_phrase": "show the numbers"},
            {"id": "0a1b2c3d", "name": "Evening round", "trigger_phrase": "close the day"},
        ],
    )
}


def conversation(*texts: str, mode: Any = "text", **more: Any) -> list[Said]:
    async def main() -> list[Said]:
        async with talking(mode, **more) as chat:
            return [await chat.say(text) for text in texts]

    return run(main())


def called(*texts: str, **more: Any) -> list[tuple[str, dict[str, Any]]]:
    return conversation(*texts, **more)[-1].calls


# -- events --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "Schedule a design review tomorrow from 3 to 4 pm with ada@example.org",
        "Put a design review in my calendar from 3 to 4 pm tomorrow with Ada at example.org.",
        "I want to schedule a design review tomorrow at three for an hour with ada@example.org",
        "Book a meeting called Design review for tomorrow 15:00 to 16:00, invite ada@example.org",
    ],
)
@pytest.mark.parametrize("mode", ["text", "voice"])
def test_an_event_is_asked_for_in_many_ways(text: str, mode: str) -> None:
    assert called(text, mode=mode, tools=CALENDAR) == [("calendar_create_event", REVIEW)]


def test_what_is_missing_is_asked_for_one_by_one_and_nothing_is_forgotten() -> None:
    turns = conversation(
        "Schedule a design review tomorrow for an hour", "at 3 pm", "ada at example dot org",
        tools=CALENDAR,
    )  # fmt: skip
    day = {"start_date": "2026-11-17", "end_date": "2026-11-17", "min_duration_minutes": 60}
    assert turns[0].calls == [("calendar_get_availability", day)]
    assert turns[0].text.endswith("From when?")
    assert turns[1].calls == []
    assert "email addresses" in turns[1].text
    assert turns[2].calls == [("calendar_create_event", REVIEW)]


def test_an_end_is_asked_for_of_what_is_made_but_not_of_what_is_looked_up() -> None:
    asked, made = conversation(
        "Schedule a design review tomorrow at 3 pm with ada@example.org", "until four",
        tools=CALENDAR,
    )  # fmt: skip
    assert asked.text == "Until when?"
    assert made.calls == [("calendar_create_event", REVIEW)]
    looked = called("Am I free tomorrow at 3 pm?", tools=CALENDAR)
    assert looked == [
        (
            "calendar_get_availability",
            {"start_date": REVIEW["start_time"], "end_date": REVIEW["end_time"]},
        )
    ]


def test_several_people_are_invited_and_a_calendar_is_chosen_by_its_name() -> None:
    ((_, args),) = called(
        "Schedule a planning day in the team calendar on Friday from 9 am to 5 pm with "
        "ada@example.org, bob@example.org and team@example.org",
        tools=CALENDAR,
    )
    assert args["attendees"] == ["ada@example.org", "bob@example.org", "team@example.org"]
    assert (args["calendar"], args["title"]) == ("team", "Planning day")


def test_a_time_in_another_zone_is_given_with_that_zone() -> None:
    ((_, args),) = called(
        "Schedule a call tomorrow from 3 to 4 pm Tokyo time with ada@example.org", tools=CALENDAR
    )
    assert (args["start_time"], args["time_zone"]) == ("2026-11-17T15:00", "Asia/Tokyo")


def test_what_would_be_in_the_past_is_refused_with_words_and_another_time_is_taken() -> None:
    refused, made = conversation(
        "Schedule a design review yesterday at 3 pm for an hour with ada@example.org",
        "then tomorrow at 3 pm",
        tools=CALENDAR,
    )
    assert refused.calls == []
    assert "Sunday 15 November, 15:00 is in the past" in refused.text
    assert made.calls == [("calendar_create_event", REVIEW)]


@pytest.mark.parametrize(
    "text",
    [
        "Do I have a meeting tomorrow from 3 to 4 pm?",
        "I had a design review with ada@example.org from 3 to 4 pm",
        "Should we schedule a design review tomorrow?",
        "Don't put a design review in my calendar tomorrow at 3 pm",
        "Who scheduled the design review on Friday?",
    ],
)
def test_what_only_speaks_of_an_event_makes_none(text: str) -> None:
    said = conversation(text, "yes", tools=CALENDAR)
    assert all("calendar_create_event" not in turn.names for turn in said)


def _people(*names: tuple[str, str]) -> Any:
    known = tuple(Name(f"person:{key}", title, "person", "studio") for key, title in names)
    return {"names": lambda organisation: known}


def test_the_address_of_somebody_who_is_named_is_taken_from_the_knowledge_base() -> None:
    records = [{"id": "person:ada", "title": "Ada Byron", "metadata": {"email": "ada@example.org"}}]
    calls = called(
        "Schedule a design review tomorrow from 3 to 4 pm with Ada Byron",
        tools=CALENDAR,
        answers={"kb_get": done("kb_get", records=records)},
        **_people(("ada", "Ada Byron")),
    )
    assert calls[0] == ("kb_get", {"ids": ["person:ada"]})
    assert calls[1][1]["attendees"] == ["ada@example.org"]


def test_an_address_that_nobody_knows_is_asked_for_and_never_made_up() -> None:
    asked, made = conversation(
        "Schedule a design review tomorrow from 3 to 4 pm with Ada Byron",
        "ada@example.org",
        tools=CALENDAR,
        answers={"kb_get": done("kb_get", records=[{"id": "person:ada", "text": "A countess."}])},
        **_people(("ada", "Ada Byron")),
    )
    assert asked.names == ["kb_get"]
    assert asked.text.startswith("Ada Byron has no email address")
    assert made.calls[0][1]["attendees"] == ["ada@example.org"]


def test_somebody_of_the_same_first_name_is_not_taken_for_another() -> None:
    (said,) = conversation(
        "Schedule a design review tomorrow from 3 to 4 pm with Ada Lovelace",
        tools=CALENDAR,
        **_people(("ada", "Ada Byron")),
    )
    assert said.calls == []
    assert "email addresses" in said.text


# -- approval ------------------------------------------------------------------------------------


def _asked(tool: str) -> dict[str, Any]:
    preview = "Create an event. Title: Design review; Location: empty; Attendees: ada@example.org."
    request = {"id": "x", "tool": tool, "preview": preview, "expires_at": 0}
    body = error_body(ErrorType.CONFIRMATION_REQUIRED, "Ask.", confirmation_request=request)
    return failure(body, make_meta(tool, "1.0.0", "r1", 1))


@pytest.mark.parametrize("word", ["Yes, please.", "No, cancel that"])
def test_a_yes_in_the_conversation_does_not_approve_what_is_at_risk(word: str) -> None:
    asked, answered = conversation(
        "Schedule a design review tomorrow from 3 to 4 pm with ada@example.org",
        word,
        mode="voice",
        tools=(*CALENDAR, "end_voice_session"),
        answers={"calendar_create_event": _asked("calendar_create_event")},
    )
    assert asked.text == (
        "Create an event. Title: Design review; Attendees: ada@example.org. Please approve it "
        "where it is shown."
    )
    assert answered.calls == []
    assert "where it is shown" in answered.text


def test_the_event_is_told_with_its_time_when_it_was_approved() -> None:
    data = {
        "title": "Design review",
        "start": "2026-11-17T15:00:00Z",
        "end": "2026-11-17T16:00:00Z",
    }
    outcome = done("calendar_create_event", **data, warnings=["Nobody was told."], overlaps=[])
    note = results_note([(ToolCall("call_1", "calendar_create_event", {}), outcome)])
    (said,) = conversation(note, mode="voice", tools=(*CALENDAR, "end_voice_session"))
    assert said.text == (
        "Done. Design review: Tuesday 17 November, 15:00 to 16:00. Nobody was told."
    )


def test_free_and_busy_times_are_told_as_times() -> None:
    data = done(
        "calendar_get_availability",
        existing_events=[
            {
                "start": "2026-11-17T15:00:00Z",
                "end": "2026-11-17T16:00:00Z",
                "title": "Design review",
            }
        ],
        available_slots=[{"start": "2026-11-17T12:00:00Z", "end": "2026-11-17T15:00:00Z"}],
        summary="1 busy period, 1 available slot (180 minutes total)",
    )
    (said,) = conversation(
        "Am I free tomorrow afternoon?", tools=CALENDAR, answers={"calendar_get_availability": data}
    )
    assert said.text == (
        "Existing events: Design review, Tuesday 17 November, 15:00 to 16:00. "
        "Available slots: Tuesday 17 November, 12:00 to 15:00."
    )


# -- macros --------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["text", "voice"])
def test_a_trigger_phrase_runs_its_macro_whatever_it_would_mean_otherwise(mode: str) -> None:
    for text in ("Show the numbers.", "please show the numbers", "Close the day!"):
        calls = called(text, mode=mode, tools=WORK, answers=MACROS)
        phrase = "close the day" if "day" in text else "show the numbers"
        assert calls == [("list_macros", {}), ("run_macro", {"macro_id": phrase})]


def test_a_macro_is_meant_by_its_name() -> None:
    calls = called("Get rid of the evening round macro", tools=WORK, answers=MACROS)
    assert calls[-1] == ("delete_macro", {"macro_id": "close the day"})


def test_a_macro_is_made_of_requests() -> None:
    ((tool, args),) = called(
        "Make a macro called Round that lists the graphs, then searches the studio graph for lamps "
        "and checks the temperature, for the phrase go round",
        tools=WORK,
    )
    assert tool == "create_macro"
    assert (args["name"], args["trigger_phrase"]) == ("Round", "go round")
    assert args["steps"] == [
        {"function": "list_kgs", "args": {}},
        {"function": "search_kg", "args": {"database_id": "studio", "query": "lamps"}},
        {"function": "check_thermal", "args": {}},
    ]


def test_a_step_that_is_not_understood_is_asked_for() -> None:
    asked, made = conversation(
        "When I say go round, polish the silver spoons", "list the graphs", tools=WORK
    )
    assert asked.calls == []
    assert "polish the silver spoons" in asked.text
    ((_, args),) = made.calls
    assert (args["name"], args["trigger_phrase"]) == ("go round", "go round")
    assert args["steps"] == [{"function": "list_kgs", "args": {}}]


# -- others --------------------------------------------------------------------------------------


def test_an_expert_is_asked_in_the_persons_own_words() -> None:
    experts = done("list_experts", experts=[{"id": "process-coach", "name": "Process coach"}])
    more: dict[str, Any] = {"tools": ("kb_search", "list_experts", "chat_with_expert")}
    more["answers"] = {"list_experts": experts}
    assert called("Ask the process coach how we report bugs", **more)[-1] == (
        "chat_with_expert",
        {"expert_id": "process-coach", "message": "how we report bugs"},
    )
    followed = called("I want to talk to an expert", "how do we report bugs?", **more)
    assert followed[-1][1]["message"].rstrip("?") == "how do we report bugs"


def test_what_was_made_is_what_is_sent() -> None:
    made = done("image_generate", image_id="img_1a", url="/api/images/img_1a")
    tools = ("image_generate", "send_image")
    calls = called(
        "Draw a boat", 'Send the picture with the caption "Boat"',
        tools=tools, answers={"image_generate": made},
    )  # fmt: skip
    assert calls == [("send_image", {"image_url": "/api/images/img_1a", "caption": "Boat"})]
    (said,) = conversation("Send me the picture again", tools=tools)
    assert said.calls == []


def test_a_model_is_the_one_that_was_named() -> None:
    for text, args in (
        ("Switch over to Claude", {"provider": "claude", "model": "claude-sonnet-4-6"}),
        ("Use the local model", {"provider": "local", "model": "local"}),
        ("Use the model gpt-4.1-mini from openai", {"provider": "openai", "model": "gpt-4.1-mini"}),
    ):
        assert called(text, tools=("switch_model", "switch_theme")) == [("switch_model", args)]


# -- from voice to text --------------------------------------------------------------------------


def test_what_can_be_done_in_writing_only_is_offered_there_and_taken_up() -> None:
    spoken: dict[str, Any] = {"tools": ("kb_search", "end_voice_session")}
    offered, ended = conversation(
        "Draw a lighthouse", "Yes", mode="voice", elsewhere=("image_generate",), **spoken
    )
    assert offered.calls == []
    assert "in writing only" in offered.text
    ((tool, args),) = ended.calls
    assert (tool, args["reason"]) == ("end_voice_session", "switch_to_text")
    history = [UserTurn("Draw a lighthouse"), ModelTurn(args["text_response"])]
    taken = called("Yes, please", tools=("image_generate",), history=history)
    assert taken == [("image_generate", {"prompt": "a lighthouse"})]


def test_what_nobody_can_do_is_not_offered_in_writing() -> None:
    for text in ("Order me a pizza", "Hello", "Who leads Atlas?"):
        (said,) = conversation(
            text,
            mode="voice",
            tools=("kb_search", "end_voice_session"),
            elsewhere=("image_generate",),
        )
        assert "in writing only" not in said.text


def test_the_clock_of_these_tests_is_a_monday() -> None:
    assert f"{MONDAY:%A %H:%M}" == "Monday 10:00"


# -- workflows of one's own ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("texts", "args"),
    [
        (
            ["Run the weekly report workflow on sales"],
            {"workflow_name": "weekly report", "input": "sales"},
        ),
        (
            ["Start the workflow weekly-report with sales"],
            {"workflow_name": "weekly-report", "input": "sales"},
        ),
        (["Run a workflow", "weekly report"], {"workflow_name": "weekly report"}),
        # Those that ship are still known by the names that people have for them.
        (
            ["Run the recovery workflow for this error: disk full"],
            {"workflow_name": "error-recovery", "input": "disk full"},
        ),
    ],
)
def test_a_workflow_is_named_whether_it_ships_or_not(
    texts: list[str], args: dict[str, Any]
) -> None:
    tools = ("run_workflow", "list_agents", "run_agent", "search_kg", "list_projects")
    assert called(*texts, tools=tools) == [("run_workflow", args)]


def test_asking_about_another_orders_no_write_that_nobody_would_approve() -> None:
    texts = ("Create a project called Alpha", "and what about Beta?", "yes")
    made, other, agreed = conversation(*texts, tools=("create_project", "list_projects"))
    assert made.calls == [("create_project", {"name": "Alpha"})]
    assert not other.calls
    assert "Do you want me to" in other.text
    assert agreed.calls == [("create_project", {"name": "Beta"})]
