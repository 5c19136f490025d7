"""What may be put into a database, and what is said about what may not."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antiphon.knowledge import Edge, Evidence, Filters, KnowledgeError, Record
from antiphon.knowledge.records import check_edge, check_record


def test_a_record_survives_the_way_to_plain_data_and_back() -> None:
    record = Record(
        "doc:a/b", "doc", "Title", "Text\nmore", ("x", "y"), "https://e.org", "wiki",
        "2026-01-02T03:04:05+02:00", {"deep": [{"n": 1.5}]},
    )  # fmt: skip
    assert Record.from_dict(record.to_dict()) == record
    assert Record.from_dict({"kind": "record", **record.to_dict()}) == record


def test_an_edge_survives_the_way_to_plain_data_and_back() -> None:
    edge = Edge("a", "b", "knows", 0.5, {"sentence": "A knows B."})
    assert Edge.from_dict({"kind": "edge", **edge.to_dict()}) == edge


def test_null_stands_for_what_is_not_known_and_tags_are_kept_once() -> None:
    record = Record.from_dict({"id": "a", "type": "doc", "url": None, "tags": ["x", "x", "y"]})
    assert record.url == ""
    assert record.tags == ("x", "y")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"id": ""}, "must not be empty"),
        ({"id": " a"}, "space"),
        ({"id": "a\nb"}, "U+000A"),
        ({"id": "a\u2028b"}, "U+2028"),
        ({"id": "x" * 201}, "201 characters"),
        ({"id": 7}, "of type int"),
        ({"id": "a\ud800"}, "U+D800"),
        ({"type": ""}, "type must not be empty"),
        ({"type": None}, "type must be a text"),
        ({"title": "a\tb"}, "title must be one line"),
        ({"text": "a\x00b"}, "U+0000 at position 1"),
        ({"text": "\udfff"}, "U+DFFF"),
        ({"text": "x" * 10_000_001}, "Split it"),
        ({"text": 3}, "text must be a text"),
        ({"tags": ["ok", ""]}, "tags must not be empty"),
        ({"tags": "abc"}, "list of texts"),
        ({"tags": [["x"]]}, "tags must be a text"),
        ({"tags": [f"t{number}" for number in range(201)]}, "at most 200"),
        ({"last_updated": "yesterday"}, "ISO 8601"),
        ({"last_updated": 2026}, "must be a text"),
        ({"metadata": {"n": math.nan}}, "/n is nan"),
        ({"metadata": {"a": {"b": [math.inf]}}}, "/a/b/0 is inf"),
        ({"metadata": [1]}, "must be an object"),
        ({"metadata": {1: 2}}, "key 1"),
        ({"metadata": {"x": object()}}, "JSON cannot hold"),
        ({"metadata": {"x": 2**70}}, "64 bits"),
        ({"metadata": {"x": "y" * 1_000_001}}, "larger than"),
        ({"colour": "red"}, "unknown field 'colour'"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(change: dict[str, Any], said: str) -> None:
    with pytest.raises(KnowledgeError) as caught:
        Record.from_dict({"id": "doc:a", "type": "doc", **change})
    assert said in str(caught.value)


def test_metadata_that_never_ends_is_refused() -> None:
    deep: dict[str, Any] = {}
    deep["again"] = deep
    with pytest.raises(KnowledgeError, match="nested deeper"):
        check_record(Record("a", "doc", metadata=deep))


@pytest.mark.parametrize(
    ("edge", "said"),
    [
        (Edge("a", "a", "knows"), "two different records"),
        (Edge("a", "b\n", "knows"), "target"),
        (Edge("", "b", "knows"), "source"),
        (Edge("a", "b", ""), "relation must not be empty"),
        (Edge("a", "b", "knows", math.nan), "finite"),
        (Edge("a", "b", "knows", -1), "0 or more"),
        (Edge("a", "b", "knows", True), "of type bool"),
        (Edge("a", "b", "knows", 1, {"p": math.nan}), "provenance/p"),
    ],
)
def test_an_edge_that_does_not_fit_is_refused(edge: Edge, said: str) -> None:
    with pytest.raises(KnowledgeError) as caught:
        check_edge(edge)
    assert said in str(caught.value)


def test_what_is_missing_is_named() -> None:
    with pytest.raises(KnowledgeError, match="needs 'type'"):
        Record.from_dict({"id": "a"})
    with pytest.raises(KnowledgeError, match="needs 'relation'"):
        Edge.from_dict({"source": "a", "target": "b"})
    with pytest.raises(KnowledgeError, match="must be an object"):
        Record.from_dict(["a"])  # type: ignore[arg-type]


def test_a_plain_date_in_until_means_the_whole_day() -> None:
    since, until = Filters(since="2026-03-01", until="2026-03-01").range()
    assert since is not None
    assert until is not None
    assert 86_399 < until - since < 86_400


def test_filters_that_let_nothing_through_by_mistake_are_refused() -> None:
    with pytest.raises(KnowledgeError, match="is empty"):
        Filters(since="2026-02-01", until="2026-01-01").check()
    with pytest.raises(KnowledgeError, match="list of texts"):
        Filters(types="person").check()  # type: ignore[arg-type]
    with pytest.raises(KnowledgeError, match="since must be a date"):
        Filters(since="soon").check()
    assert not Filters()
    assert Filters(tags=("x",))


def test_evidence_gives_only_the_fields_that_are_asked_for() -> None:
    evidence = Evidence("a", "doc", "A", "Text.", 0.5)
    assert "text" not in evidence.to_dict()
    assert evidence.to_dict(["id", "score", "unknown"]) == {"id": "a", "score": 0.5}


@given(st.text(max_size=30))
def test_any_line_of_printable_text_is_an_id(text: str) -> None:
    if not text or text != text.strip() or not all(sign.isprintable() for sign in text):
        return  # what may be wrong with it is shown above
    check_record(Record(text, "doc"))
