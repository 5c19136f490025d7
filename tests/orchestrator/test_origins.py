"""Where the values of a call come from, as far as it can be told."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antiphon.orchestrator.preview.origins import EarlierResult, find_origins

BERLIN = ZoneInfo("Europe/Berlin")
FOUND = EarlierResult(
    "kb_search",
    {
        "results": [
            {
                "type": "project",
                "title": "Harbor Light",
                "text": "Lead: kenji@example.org",
                "budget": 184_000,
                "open": True,
            }
        ]
    },
)


def kinds(args: dict[str, Any], said: str, *results: EarlierResult) -> dict[str, str]:
    found = find_origins(args, args, [said], results, BERLIN)
    return {name: origin["kind"] for name, origin in found.items()}


@pytest.mark.parametrize(
    ("value", "said", "quote"),
    [
        ("Review", "book a review at three", "review"),
        ("Design review", "A review of the design, please", "A review of the design, please"),
        ("kenji@example.org", "invite kenji@example.org.", "kenji@example.org"),
        (30, "for 30 minutes", "30"),
        (3, "three of them", "three"),
        ("2026-11-16T14:00:00Z", "tomorrow at 3 pm", "3 pm"),
        ("2026-11-16T15:00:00+01:00", "at 15:00", "15:00"),
        ("2026-11-16T15:00", "from three to four", "from three"),
        ("2026-11-16T15:30:00+01:00", "make it 3:30pm", "3:30pm"),
        ("2026-11-16T12:00:00+01:00", "lunch at noon", "noon"),
        ("2026-11-16", "on Monday", "Monday"),
        ("2026-11-16", "on the 16th of November", "16th of November"),
        (["a@x.org", "b@x.org"], "a@x.org and b@x.org", "a@x.org"),
    ],
)
def test_what_the_person_said_is_quoted(value: Any, said: str, quote: str) -> None:
    origin = find_origins({"it": value}, {"it": value}, [said], [FOUND], BERLIN)["it"]
    assert origin == {"kind": "said", "text": quote}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("view", "the review"),
        (30, "at 10:30"),
        (3, "3.5 of them"),
        ("2026-11-16T15:00:00+01:00", "at 5 pm, 3 people"),
        ("2026-11-16T15:00:00+01:00", "at 3 am"),
        (["a@x.org", "eve@x.org"], "a@x.org"),
        (True, "true"),
        (184_001, "a lot"),
    ],
)
def test_what_nothing_explains_was_chosen_by_the_model(value: Any, said: str) -> None:
    assert kinds({"it": value}, said, FOUND) == {"it": "model"}
    # A person or a program that makes the call itself is not told so.
    assert find_origins({"it": value}, {"it": value}, [said], [], BERLIN, by_model=False) == {}


def test_results_are_named_with_the_thing_that_had_the_value() -> None:
    args = {"to": "kenji@example.org", "budget": 184_000, "count": 1}
    found = find_origins(args, args, ["mail the lead"], [FOUND], BERLIN)
    named = {"kind": "result", "text": "kb_search: project Harbor Light"}
    assert found == {"to": named, "budget": named, "count": {"kind": "model", "text": ""}}


def test_defaults_members_and_empty_values() -> None:
    args = {"place": "here", "card": {"name": "Ada", "size": "big"}, "note": "", "tags": []}
    found = find_origins(args, {"card": {"name": "Ada"}}, ["for Ada"], [], BERLIN)
    assert {name: origin["kind"] for name, origin in found.items()} == {
        "place": "default",
        "card.name": "said",
        "card.size": "default",
    }


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=5), JSON), st.text(max_size=50), JSON)
def test_anything_can_be_traced(args: dict[str, Any], said: str, data: Any) -> None:
    for origin in find_origins(args, args, [said], [EarlierResult("t", data)], BERLIN).values():
        assert origin["kind"] in ("said", "result", "default", "model")
        assert len(origin["text"]) <= 90


@pytest.mark.parametrize(
    ("said", "quote"),
    [
        ("tomorrow at 9 am for 30 minutes", "30 minutes"),
        ("at 9 am, half an hour", "half an hour"),
        ("a 30-minute call at 9 am", "30-minute"),
        ("at 9 am for 45 minutes", None),
        ("at 9 am for 130 minutes", None),
    ],
)
def test_an_end_is_the_persons_where_they_said_how_long_it_takes(
    said: str, quote: str | None
) -> None:
    args = {"start": "2026-11-17T09:00:00+01:00", "end": "2026-11-17T09:30:00+01:00"}
    found = find_origins(args, args, [said], [], BERLIN)
    assert found["start"]["text"] == "9 am"
    assert (found["end"]["kind"], found["end"]["text"]) == (
        ("model", "") if quote is None else ("said", quote)
    )


def test_hours_are_said_in_several_ways() -> None:
    args = {"start": "2026-11-17 09:00:00", "end": "2026-11-17 11:00:00"}
    for said in ("for two hours", "2 hours", "120 min", "2h"):
        assert kinds(args, f"at 9 am, {said}")["end"] == "said", said
    hour = {"start": "2026-11-17T09:00:00", "end": "2026-11-17T10:00:00"}
    assert kinds(hour, "an hour from 9 am")["end"] == "said"
    # Times that cannot be compared, and an end before its start, are nobody's length.
    mixed = {"start": "2026-11-17T09:00:00", "end": "2026-11-17T10:00:00Z"}
    assert kinds(mixed, "for an hour")["end"] == "model"
    assert kinds({"start": hour["end"], "end": hour["start"]}, "for an hour")["end"] == "model"
