"""Results in words: a sentence that a person would say, and what was made to be seen."""

from __future__ import annotations

from typing import Any

import pytest
from tests.providers.local.world import declarations, done, talking, working

from antiphon.providers.local.catalogue import read_catalogue
from antiphon.providers.local.reports import report

pytestmark = pytest.mark.real_time(ignore=("*antiphon-kb-*",), timeout=90)

FILES = [{"path": "card.tsx", "content": "export const Card = 1;\n", "language": "tsx"}]


def told(tool: str, data: dict[str, Any], spoken: bool = True) -> str:
    catalogue = read_catalogue(declarations("text", tool).declared("local"))
    return report(tool, done(tool, **data), spoken, told=catalogue.told)


@pytest.mark.parametrize(
    ("tool", "data", "words"),
    [
        ("switch_theme", {"theme_id": "dark"}, "The theme is dark now."),
        (
            "get_current_page",
            {"page": "vox", "title": "Talk", "path": "/vox"},
            "You are on Talk.",
        ),
        (
            "check_thermal",
            {"status": "unavailable", "temperature": None, "threshold": 42.0},
            "The temperature cannot be read on this device.",
        ),
    ],
)
def test_fields_are_told_in_the_words_of_the_tools_author(
    tool: str, data: dict[str, Any], words: str
) -> None:
    assert told(tool, data) == words


def test_a_page_is_read_aloud_without_its_buttons() -> None:
    content = "Copy\nDownload\nThe archive holds every call that was made.\nGo on in writing"
    data = {"page": "audit", "title": "Audit", "content": content}
    heard = told("read_page_content", data)
    assert heard.startswith("This is Audit. The archive holds every call that was made.")
    assert "Download" not in heard
    assert "Download" in told("read_page_content", data, spoken=False)


def test_code_that_was_written_is_shown_where_it_can_be_read() -> None:
    data = {"name": "Card", "summary": "Card is a card; 1 file.", "files": FILES}
    shown = told("generate_react_component", data, spoken=False)
    assert shown.startswith("Card is a card; 1 file.")
    assert "```tsx\nexport const Card = 1;\n```" in shown
    assert told("generate_react_component", data) == "Card is a card; 1 file."


def test_a_macro_tells_what_came_of_each_step() -> None:
    steps = [
        {"step": 1, "function": "list_kgs", "success": True, "result": {"message": "Two graphs."}},
        {"step": 2, "function": "run_tool", "success": False, "error": "there is no such tool"},
    ]
    text = told("run_macro", {"summary": "Good day: 1 of 2 steps done.", "results": steps})
    assert "List kgs: Two graphs." in text
    assert "Run tool did not work: there is no such tool." in text


async def test_the_outcome_of_what_ran_in_the_background_says_of_what_it_is() -> None:
    body = '{"ok": false, "error": {"type": "VALIDATION", "message": "no input"}}'
    note = f'<tool_result tool="run_agent">\n{body}\n</tool_result>'
    async with talking(tools=("run_agent", "list_agents")) as talk:
        assert (await talk.say(note)).text == "Run agent: That did not fit: no input"


async def test_the_time_is_known_without_a_tool_and_is_nothing_to_go_on_with() -> None:
    async with talking(tools=("list_kgs", "search_kg")) as talk:
        first = await talk.say("what time is it?")
        assert (first.text, first.calls) == ("It is Monday 16 November, 10:00.", [])
        second = await talk.say("what time is it in Tokyo?")
        assert second.text == "In Tokyo it is Monday 16 November, 19:00."


@pytest.mark.xfail(strict=False, reason="an email is looked for in profiles before the records")
async def test_an_address_is_answered_or_said_to_be_missing() -> None:
    async with working() as talk:
        missing = "I found no email address in the record of Kenji Okuhara."
        answer = await talk.say("What is Kenji Okuhara's email?")
        assert answer.text == f"{missing} (person:kenji_okuhara)"
        assert (await talk.say("what is his email?")).text.startswith(missing)
        assert "no phone number" in (await talk.say("what's Livia's phone number")).text


async def test_an_address_beside_the_text_of_a_record_is_told() -> None:
    record = {
        "id": "person:kenji_okuhara",
        "type": "person",
        "title": "Kenji Okuhara",
        "snippet": "Kenji leads Harbor Light.",
        "score": 0.9,
        "metadata": {"email": "kenji@example.org"},
    }
    found = {"search_kg": done("search_kg", results=[record])}
    async with talking(tools=("list_kgs", "search_kg"), answers=found) as talk:
        answer = await talk.say("What is Kenji Okuhara's email?")
        said = "The email address of Kenji Okuhara is kenji@example.org."
        assert answer.text == f"{said} (person:kenji_okuhara)"
