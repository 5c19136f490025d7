"""The plan of a request: which tools the person's own words need."""

from __future__ import annotations

import pytest

from antiphon.contracts import ToolDefinition
from antiphon.contracts.definition import SideEffects
from antiphon.orchestrator.plan import make_plan, plan_by_words
from antiphon.text.words import word_set


def tool(name: str, effects: SideEffects = "writes", words: str = "Does it.") -> ToolDefinition:
    return ToolDefinition(name, "1.0.0", words, "action", effects, False, False, ("text",), 1, {})


TOOLS = [
    *map(
        tool,
        word_set(
            """send_email delete_email create_calendar_event cancel_calendar_event share_file
        reschedule_calendar_event delete_file send_money update_password reserve_hotel
        invite_user_to_slack calendar-create-event ignore_user"""
        ),
    ),
    *(tool(each, "read_only") for each in ("search_emails", "get_balance", "http_fetch")),
    tool("crm_7", words="Archive a lead."),
]
WRITES = {each.tool_id for each in TOOLS if each.writes}


@pytest.mark.parametrize(
    ("request_", "needed"),
    [
        ("Please e-mail Bob that I'll be late", {"send_email"}),
        ("Schick Bob eine Mail", {"send_email"}),
        ("Create an event on May 15th", {"create_calendar_event", "calendar-create-event"}),
        ("Reschedule my dental appointment", {"reschedule_calendar_event"}),
        ("cancel the meeting with Ada", {"cancel_calendar_event"}),
        ("Lösche die Datei", {"delete_file"}),
        ("Pay the bill in bill.txt", {"send_money"}),
        ("Can you change my password to xyz?", {"update_password"}),
        ("Book me a hotel in Paris", {"reserve_hotel"}),
        ("Invite Dora to Slack", {"invite_user_to_slack"}),
        ("What do my e-mails say?", set()),
        ('call crm_7 {"lead": "Ada"}', {"crm_7"}),
        ("Show my balance, but do not call crm_7", set()),
        ("Summarise my unread emails", set()),
        ("Read the mail but do not send any e-mail", set()),
        ("What is my balance?", set()),
        ("", set()),
    ],
)
def test_a_request_needs_what_it_names(request_: str, needed: set[str]) -> None:
    assert plan_by_words(request_, TOOLS) & WRITES == needed


def test_a_read_is_needed_as_soon_as_its_subject_is() -> None:
    assert "search_emails" in plan_by_words("What do my e-mails say?", TOOLS)
    assert "get_balance" in plan_by_words("How high is my balance?", TOOLS)
    assert "search_emails" not in plan_by_words("How high is my balance?", TOOLS)


def test_a_name_without_a_verb_is_read_by_its_description() -> None:
    assert "crm_7" in plan_by_words("archive it, that CRM 7 thing", TOOLS)


def test_the_newest_words_that_need_a_tool_make_the_plan() -> None:
    said = ["Bob Miller", "Send Bob an e-mail", "Delete the file"]  # newest first
    plan = make_plan(said, TOOLS)
    assert plan.tools & WRITES == {"send_email"}
    assert plan.request == "Send Bob an e-mail"
    assert make_plan([], TOOLS).tools == frozenset()


def test_another_maker_may_know_better() -> None:
    plan = make_plan(["Do the usual"], TOOLS, lambda _request, _tools: frozenset({"send_money"}))
    assert plan.tools == {"send_money"}
