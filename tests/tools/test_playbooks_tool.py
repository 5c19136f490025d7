"""search_playbooks, through dispatch, over the playbooks that ship."""

from __future__ import annotations

import asyncio

import pytest
from tests.tools.services_world import data, error, playbooks


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("the provider does not answer any more", "provider-outage"),
        ("my microphone is not working", "voice-problems"),
        ("how do I make a shortcut phrase for things I do each morning", "record-a-macro"),
        ("why was my call denied by the budget", "tool-call-refused"),
        ("a tool fails", "tool-call-refused"),
        ("copy all data before an upgrade", "back-up-and-restore"),
        ("get my spreadsheet into a graph", "import-knowledge"),
        ("phone is too warm", "hot-device"),
    ],
)
def test_a_question_finds_the_playbook_for_it(query: str, best: str) -> None:
    assert data("search_playbooks", query=query)["results"][0]["id"] == best


def test_results_have_a_sentence_that_fits_their_steps_and_a_path() -> None:
    found = data("search_playbooks", query="approve an action safely")
    assert 1 <= found["count"] <= 5
    best, *others = found["results"]
    assert best["path"] == "playbooks/approve-safely.md"
    assert "approve" in best["snippet"].lower()
    assert best["steps"] == len(best["outline"]) == 6
    assert all("outline" not in each for each in others)
    scores = [each["score"] for each in found["results"]]
    assert scores == sorted(scores, reverse=True)


def test_what_no_playbook_is_about_finds_none() -> None:
    assert data("search_playbooks", query="pelican chromodynamics") == {"results": [], "count": 0}


def test_a_query_without_words_is_refused() -> None:
    refused = error("search_playbooks", query=" ?! ")
    assert refused["type"] == "VALIDATION"
    assert refused["errors"][0]["pointer"] == "/query"


def test_a_query_that_is_too_long_is_refused() -> None:
    assert error("search_playbooks", query="word " * 200)["type"] == "VALIDATION"


def test_every_shipped_playbook_is_whole() -> None:
    shipped = asyncio.run(playbooks().all())
    assert len(shipped) >= 12
    for each in shipped:
        assert each.summary, each.id
        assert each.tags, each.id
        assert len(each.steps) >= 5, each.id
        assert "## How to tell that it worked" in each.text, each.id
