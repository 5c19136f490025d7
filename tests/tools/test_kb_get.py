"""kb_get and linkedin_lookup: records by id, and addresses that are stored, never made up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.scenarios import run_in
from tests.tools.kb_world import World, data, error, within

from antiphon.knowledge import Edge, KnowledgeBase, Record


def test_one_record_comes_whole() -> None:
    found = data("kb_get", id="person:andrei_clodius")
    (record,) = found["records"]
    assert record["namespace"] == "studio"
    assert record["title"] == "Andrei Clodius"
    assert record["text"].endswith("He speaks Romanian, English and German.")
    assert record["tags"] == ["founder", "leadership", "automation"]
    assert "text_shortened" not in record
    assert found["not_found"] == []


def test_several_come_in_the_order_asked_for_and_missing_ones_are_listed() -> None:
    asked = ["person:sorin_vadan", "person:nobody", "person:andrei_clodius", "x"]
    found = data("kb_get", ids=asked)
    assert [(one["id"], one["namespace"]) for one in found["records"]] == [
        ("person:sorin_vadan", "personal"),
        ("person:andrei_clodius", "studio"),
    ]
    assert found["not_found"] == ["person:nobody", "x"]


def test_one_namespace_alone_can_be_asked() -> None:
    found = data("kb_get", id="person:sorin_vadan", namespace="studio")
    assert (found["records"], found["not_found"]) == ([], ["person:sorin_vadan"])


def test_voice_gets_a_text_that_ends_with_a_sentence() -> None:
    (record,) = data("kb_get", mode="voice", id="person:andrei_clodius")["records"]
    assert record["text_shortened"]
    assert len(record["text"]) <= 400
    assert record["text"].endswith(".")


def test_a_text_without_sentences_is_cut_after_a_word(tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        (words, glued) = (await world.data("kb_get", ids=["doc:words", "doc:glued"]))["records"]
        assert words["text"] == "word " * 79 + "word…"
        assert glued["text"] == "x" * 400 + "…"

    with KnowledgeBase.open(tmp_path) as base:
        base.create("studio").upsert(
            [
                Record("doc:words", "doc", text="word " * 200),
                Record("doc:glued", "doc", text="x" * 1000),
            ]
        )
        run_in(within(mode="voice", base=base), scenario)


@pytest.mark.parametrize("args", [{}, {"id": "a", "ids": ["b"]}])
def test_either_id_or_ids_is_needed(args: dict[str, Any]) -> None:
    found = error("kb_get", **args)
    assert found["type"] == "VALIDATION"
    assert "either id or ids" in found["message"]


@pytest.mark.parametrize(
    "args", [{"ids": []}, {"ids": [str(n) for n in range(11)]}, {"id": ""}, {"id": "a\nb"}]
)
def test_ids_that_cannot_be_are_refused(args: dict[str, Any]) -> None:
    assert error("kb_get", **args)["type"] == "VALIDATION"


# -- linkedin_lookup


@pytest.mark.parametrize(
    "person", ["Andrei Clodius", "clodius", "ANDREI  CLODIUS", "person:andrei_clodius"]
)
def test_a_profile_is_found_by_name_or_id_and_named_once(person: str) -> None:
    found = data("linkedin_lookup", person=person)
    assert found["profiles"] == [
        {
            "person_id": "person:andrei_clodius",
            "name": "Andrei Clodius",
            "role": "founder",
            "namespace": "studio",
            "url": "https://linkedin.com/in/andrei-clodius-fram",
            "source_id": "person:andrei_clodius",
            "last_updated": "2026-01-10T15:30:00Z",
        }
    ]
    assert (found["without_profile"], found["ambiguous"]) == ([], False)


def test_accents_do_not_matter() -> None:
    (profile,) = data("linkedin_lookup", person="Timea Balogh")["profiles"]
    assert profile["name"] == "Tímea Balogh"


@pytest.mark.parametrize("person", ["Zebulon Quux", "LinkedIn", "founder", "!!!", "project:atlas"])
def test_somebody_unknown_has_no_profile(person: str) -> None:
    found = data("linkedin_lookup", person=person)
    assert (found["profiles"], found["without_profile"]) == ([], [])


def test_linked_records_count_look_alikes_do_not_and_ambiguity_is_said(tmp_path: Path) -> None:
    def person(name: str, title: str, url: str = "") -> Record:
        return Record(f"person:{name}", "person", title, url=url)

    async def scenario(world: World) -> None:
        found = await world.data("linkedin_lookup", person="Sam")
        urls = {one["person_id"]: (one["url"], one["source_id"]) for one in found["profiles"]}
        assert urls == {
            "person:sam_a": ("https://www.linkedin.com/in/sam-a/", "link:sam"),
        }
        assert sorted(one["person_id"] for one in found["without_profile"]) == [
            "person:sam_b",
            "person:sam_c",
        ]
        assert found["ambiguous"]
        exact = await world.data("linkedin_lookup", person="Sam Berg")
        assert not exact["ambiguous"]

    with KnowledgeBase.open(tmp_path) as base:
        studio = base.create("studio")
        studio.upsert(
            [
                person("sam_a", "Sam Abel", "https://example.com/sam"),
                person("sam_b", "Sam Berg", "https://linkedin.com.example.com/in/sam"),
                person("sam_c", "Sam Crow", "javascript://linkedin.com/in/sam"),
                Record("link:sam", "link", url="https://www.linkedin.com/in/sam-a/"),
                Record("link:other", "link", url="https://www.linkedin.com/in/other"),
            ]
        )
        studio.upsert_edges(
            [
                Edge("link:sam", "person:sam_a", "links_to"),
                Edge("link:other", "person:sam_b", "mentions"),
            ]
        )
        run_in(within(base=base), scenario)
