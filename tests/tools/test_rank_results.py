"""rank_results: the order, the scores behind it, and what is said about it."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.effort import examples

from antiphon.contracts import ToolDefinition

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)


@pytest.fixture(scope="session")
def tool(shipped_tool: Any) -> Any:
    return shipped_tool("rank-results")


def ids(data: dict[str, Any]) -> list[Any]:
    return [entry["id"] for entry in data["ranked"]]


def test_a_title_match_beats_a_text_match_beats_none(tool: Any) -> None:
    items = [
        {"id": "none", "title": "Opening hours", "text": "We open at nine every day"},
        {"id": "text", "title": "About the house", "text": "The founders met in Paris then"},
        {"id": "title", "title": "Our founder", "text": "A short story of long ago"},
    ]
    data = tool.data({"items": items, "query": "founder"})
    assert ids(data) == ["title", "text", "none"]
    assert data["ranked"][0]["reason"] == "matches 1 of 1 query terms (title)"
    assert data["ranked"][0]["components"] == {"relevance": 1.0}
    assert data["ranked"][2]["score"] == 0.0


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("company", "Companies"),
        ("boxes", "Box"),
        ("CAFE", "Café"),
        ("straße", "STRASSE"),
        ("東京", "東京都の地図"),
        ("ｆｕｌｌ", "full"),
        ("हिन्दी", "हिन्दी भाषा"),
        ("the", "the the"),
    ],
)
def test_words_match_across_plural_case_accent_and_script(
    tool: Any, query: str, title: str
) -> None:
    items = [{"id": 1, "title": "Other"}, {"id": 2, "title": title}]
    assert ids(tool.data({"items": items, "query": query})) == [2, 1]


def test_stop_words_do_not_decide(tool: Any) -> None:
    items = [{"id": 1, "title": "Who is the what of the"}, {"id": 2, "title": "Paris"}]
    assert ids(tool.data({"items": items, "query": "what is the population of paris"})) == [2, 1]


def test_a_rare_word_counts_more_than_a_common_one(tool: Any) -> None:
    items = [{"id": n, "title": "studio news"} for n in range(4)]
    items.append({"id": "rare", "title": "founder news"})
    data = tool.data({"items": items, "query": "studio founder", "dedupe": False})
    assert ids(data)[0] == "rare"


def test_recency_halves_with_each_half_life(tool: Any) -> None:
    items = [
        {"id": "old", "last_updated": "2026-01-02T12:00:00Z"},
        {"id": "new", "last_updated": "2026-03-03T13:00:00+01:00"},
        {"id": "mid", "last_updated": "2026-02-01T12:00:00"},
    ]
    data = tool.data({"items": items}, NOW)
    assert ids(data) == ["new", "mid", "old"]
    assert [entry["score"] for entry in data["ranked"]] == [1.0, 0.5, 0.25]
    assert data["ranked"][1]["reason"] == "updated 30 days ago"


def test_now_given_in_the_call_replaces_the_clock(tool: Any) -> None:
    items = [{"id": 1, "last_updated": "2020-01-01"}]
    data = tool.data({"items": items, "now": "2020-01-11T00:00:00Z", "half_life_days": 10}, NOW)
    assert data["ranked"][0]["score"] == 0.5


@pytest.mark.parametrize("now", ["2016-12-31T23:59:60Z", "0000-01-01T00:00:00Z"])
def test_a_now_that_cannot_be_used_is_refused(
    tool: Any, now: str, invalid_arguments: type[Exception]
) -> None:
    try:
        error = tool.error({"items": [{"id": 1}], "now": now})
    except invalid_arguments:
        return  # refused by the format already
    assert error["type"] == "VALIDATION"
    assert "/now" in error["message"]


def test_unusable_dates_count_as_zero_and_are_said(tool: Any) -> None:
    items = [
        {"id": "bad", "last_updated": "last week"},
        {"id": "none", "last_updated": None},
        {"id": "future", "last_updated": "2027-01-01"},
    ]
    data = tool.data({"items": items}, NOW)
    assert ids(data) == ["future", "bad", "none"]
    assert data["ranked"][0]["score"] == 1.0
    assert "1 items is not an ISO 8601 date" in data["notes"][0]
    assert "in the future" in data["notes"][1]
    assert "1 items have no last_updated" in data["notes"][2]


def test_missing_scores_count_as_zero_and_are_said(tool: Any) -> None:
    items = [{"id": 1, "score": None}, {"id": 2}, {"id": 3, "score": 0.2}]
    data = tool.data({"items": items})
    assert ids(data) == [3, 1, 2]
    assert data["notes"] == ["2 of 3 items have no usable score; it counts as 0."]
    assert data["ranked"][1]["reason"] == "no usable score"


def test_scores_beyond_one_are_rescaled_and_said(tool: Any) -> None:
    items = [{"id": 1, "score": -1e308}, {"id": 2, "score": 1e308}, {"id": 3, "score": 0}]
    data = tool.data({"items": items})
    assert [(e["id"], e["score"]) for e in data["ranked"]] == [(2, 1.0), (3, 0.5), (1, 0.0)]
    assert "rescaled" in data["notes"][0]


def test_a_number_too_large_to_be_a_score_is_not_used(tool: Any) -> None:
    data = tool.data({"items": [{"id": 1, "score": 10**400}, {"id": 2, "score": 0.5}]})
    assert ids(data) == [2, 1]


@pytest.mark.parametrize("odd", [float("nan"), float("inf")])
def test_a_score_that_is_not_finite_is_not_used(tool: Any, odd: float) -> None:
    result = tool.run({"items": [{"id": 1, "score": odd}, {"id": 2, "score": 0.5}]})
    assert ids(result.data) == [2, 1]
    assert result.data["notes"] == ["1 of 2 items have no usable score; it counts as 0."]
    alone = tool.run({"items": [{"id": 1, "score": odd}]})
    assert "No score is a finite number, so score does not count." in alone.data["notes"]


def test_weights_decide_between_components(tool: Any) -> None:
    items = [
        {"id": "relevant", "title": "founder", "score": 0.1},
        {"id": "scored", "title": "other", "score": 1.0},
    ]
    call = {"items": items, "query": "founder"}
    assert ids(tool.data(call)) == ["relevant", "scored"]
    data = tool.data({**call, "weights": {"relevance": 0.1, "score": 0.9}})
    assert ids(data) == ["scored", "relevant"]
    assert data["weights"] == {"relevance": 0.1, "score": 0.9}


def test_components_without_a_signal_give_their_weight_to_the_rest(tool: Any) -> None:
    data = tool.data({"items": [{"id": 1, "score": 0.4}], "query": "nothing here"})
    assert data["weights"] == {"score": 1.0}
    assert data["ranked"][0]["score"] == 0.4
    assert "No item matches the query." in data["notes"]


def test_tags_and_types_lift_items(tool: Any) -> None:
    items = [
        {"id": "plain"},
        {"id": "second", "type": "Article", "tags": ["AI"]},
        {"id": "first", "type": "person", "tags": ["ai", "Art"]},
    ]
    call = {"items": items, "boost_tags": ["ai", "art"], "prefer_types": ["person", "article"]}
    data = tool.data(call)
    assert [(e["id"], e["score"]) for e in data["ranked"]] == [
        ("first", 1.0),
        ("second", 0.5),
        ("plain", 0.0),
    ]
    assert data["ranked"][0]["reason"] == "tags ai, art, type person"


def test_without_any_signal_the_given_order_stays(tool: Any) -> None:
    data = tool.data({"items": [{"id": n} for n in (3, 1, 2)]})
    assert ids(data) == [3, 1, 2]
    assert data["weights"] == {}
    assert data["ranked"][0]["reason"] == "given order"
    assert "given order is kept" in data["notes"][-1]


def test_ties_keep_the_given_order(tool: Any) -> None:
    items = [{"id": n, "score": 0.5 if n % 2 else 0.6} for n in range(10)]
    assert ids(tool.data({"items": items})) == [0, 2, 4, 6, 8, 1, 3, 5, 7, 9]


def test_of_duplicates_the_best_stays_and_the_rest_is_listed(tool: Any) -> None:
    items = [
        {"id": "a", "score": 0.1, "title": "Studio handbook"},
        {"id": "b", "score": 0.2, "title": "The Studio: Handbooks!"},
        {"id": "c", "score": 0.3, "title": "Studio Handbook"},
        {"id": "a", "score": 0.9},
        {"id": "d", "score": 0.1, "title": "Report 2023"},
        {"id": "e", "score": 0.1, "title": "Report 2024"},
        {"id": "f", "score": 0.1, "title": "Studio handbook", "type": "person"},
        {"id": "g", "score": 0.1},
    ]
    data = tool.data({"items": items})
    assert ids(data) == ["a", "c", "b", "d", "e", "f", "g"]
    assert data["duplicates"] == [{"id": "a", "kept_id": "a", "why": "same id"}]
    assert (data["total"], data["returned"]) == (8, 7)
    assert len(tool.data({"items": items, "dedupe": False})["ranked"]) == 8


def test_titles_that_differ_in_form_only_are_duplicates(tool: Any) -> None:
    items = [{"id": 1, "title": "Studio Handbook"}, {"id": 2, "title": "studio — handbooks!"}]
    data = tool.data({"items": items})
    assert data["duplicates"] == [{"id": 2, "kept_id": 1, "why": "nearly equal title"}]


def test_top_k_and_include_items_shape_the_answer(tool: Any) -> None:
    items = [{"id": 1, "score": 0.1, "extra": {"deep": [1]}}, {"id": 2, "score": 0.9, "extra": "x"}]
    data = tool.data({"items": items, "top_k": 1})
    assert [entry["item"] for entry in data["ranked"]] == [items[1]]
    assert "item" not in tool.data({"items": items, "include_items": False})["ranked"][0]


@pytest.mark.parametrize(
    "args",
    [
        {"items": []},
        {"items": [{"title": "no id"}]},
        {"items": [{"id": n} for n in range(201)]},
        {"items": [{"id": 1}], "weights": {"relevance": 2}},
        {"items": [{"id": 1}], "weights": {"speed": 1}},
        {"items": [{"id": 1}], "half_life_days": 0},
        {"items": [{"id": 1}], "now": "yesterday"},
        {"items": [{"id": 1}], "surprise": True},
    ],
)
def test_wrong_arguments_are_refused(
    tool: Any, args: dict[str, Any], invalid_arguments: type[Exception]
) -> None:
    with pytest.raises(invalid_arguments):
        tool.call(args)


items_strategy = st.lists(
    st.fixed_dictionaries(
        {"id": st.integers(0, 50)},
        optional={
            "title": st.text(max_size=20) | st.none(),
            "text": st.text(max_size=40),
            "score": st.floats(allow_nan=False, allow_infinity=False) | st.none(),
            "last_updated": st.datetimes().map(datetime.isoformat) | st.text(max_size=10),
            "tags": st.lists(st.sampled_from(["a", "B", "c"]), max_size=3),
            "type": st.sampled_from(["person", "note"]) | st.none(),
        },
    ),
    min_size=1,
    max_size=12,
)
weight = st.floats(0, 1)


@settings(max_examples=examples(150), deadline=None)
@given(
    items=items_strategy,
    query=st.text(max_size=20),
    weights=st.fixed_dictionaries(
        {}, optional=dict.fromkeys(["relevance", "score", "recency", "tag_match"], weight)
    ),
)
def test_a_ranking_is_a_sorted_permutation(
    tool: Any, items: list[dict[str, Any]], query: str, weights: dict[str, float]
) -> None:
    call = {
        "items": items, "query": query, "weights": weights, "dedupe": False, "boost_tags": ["A"],
    }  # fmt: skip
    data = tool.data(call, NOW)
    scores = [entry["score"] for entry in data["ranked"]]
    assert sorted(ids(data)) == sorted(item["id"] for item in items)
    assert [entry["rank"] for entry in data["ranked"]] == list(range(1, len(items) + 1))
    assert scores == sorted(scores, reverse=True)
    deduped = tool.data({**call, "dedupe": True}, NOW)
    assert len(set(ids(deduped))) == len(deduped["ranked"])
    assert len(deduped["ranked"]) + len(deduped["duplicates"]) == len(items)


def test_the_guide_shows_true_results(tool: Any) -> None:
    blocks = [json.loads(b) for b in re.findall(r"```json\n(.*?)\n```", tool.guide, re.DOTALL)]
    assert len(blocks) == 4
    for call, result in zip(blocks[::2], blocks[1::2], strict=True):
        assert tool.data(call) == result


def test_the_contract(tool: Any) -> None:
    definition = ToolDefinition.from_schema(tool.schema)
    assert definition.tool_id == "rank_results"
    assert (definition.category, definition.side_effects) == ("utility", "none")
    assert definition.idempotent
    assert not definition.requires_confirmation
    assert definition.allowed_modes == ("text", "voice")
    assert definition.latency_budget_ms == 200
    assert tool.guide.splitlines()[0] == "# rank_results"
    assert len(tool.summary) <= 250
    assert all("description" in part for part in definition.parameters["properties"].values())
