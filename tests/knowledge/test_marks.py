"""Provenance of records: from their database, never from what a file says of itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.scenarios import run_in
from tests.tools.kb_world import World, within

from antiphon.contracts.provenance import Marks
from antiphon.knowledge import KnowledgeBase, Record
from antiphon.knowledge.exchange import import_file
from antiphon.knowledge.ingestion import ingest
from antiphon.knowledge.marks import field_marks, record_marks
from antiphon.orchestrator.call_origins import conversation_sources
from antiphon.orchestrator.leaks import leaked

pytestmark = pytest.mark.real_time(ignore=("*.db*", "*.bin", "*.lock"))

CLAIMS: dict[str, Any] = {
    "plain": {},
    "trusted": {"marks": {"origin": "operator", "sensitivity": "public"}},
    "text": {"marks": "trusted"},
    "others": {"marks": {"origin": "untrusted", "since": 3}},
    "secret": {"marks": {"sensitivity": "secret"}},
}
PARTS = {
    "role": "painter of the Blue Room",
    "code": "delta-4471-kilo",
    "said": "call +49 30 5550199 now",
    # A record cannot pass a part of itself off as another record.
    "faked": {"origin": "house", "sensitivity": "private", "code": "sigma-9902-tango"},
    "marks": {
        "fields": {
            "code": {"sensitivity": "secret", "origin": "operator"},
            "faked": {"sensitivity": "secret"},
            "said": {"origin": "untrusted"},
            "role": {"sensitivity": "public"},
        }
    },
}


def imported(base: KnowledgeBase, folder: Path, *, untrusted: bool) -> dict[str, Record]:
    rows = [
        {"id": f"note:{name}", "type": "note", "title": f"Note {name}", "metadata": claim}
        for name, claim in CLAIMS.items()
    ]
    file = folder / "notes.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    database = base.create("notes")
    import_file(database, file, untrusted=untrusted)
    return {r.title.removeprefix("Note "): r for r in database.get([row["id"] for row in rows])}


@pytest.mark.parametrize("untrusted", [False, True])
def test_a_file_of_others_lifts_no_marks_of_what_is_there(tmp_path: Path, untrusted: bool) -> None:
    kept = {"marks": {"sensitivity": "secret", "fields": {"code": {"sensitivity": "secret"}}}}
    row = {"id": "note:1", "type": "note", "title": "Note", "metadata": {"code": "2"}}
    file = tmp_path / "notes.jsonl"
    file.write_text(json.dumps(row), "utf-8")
    with KnowledgeBase.open(tmp_path / "kb") as base:
        database = base.create("notes")
        database.upsert([Record("note:1", "note", "Note", metadata={**kept, "code": "1"})])
        import_file(database, file, untrusted=untrusted)
        (found,) = database.get(["note:1"])
    assert found.metadata["code"] == "2"
    marks = record_marks(found.source_type, found.metadata)
    assert marks == Marks(*(("untrusted", "secret") if untrusted else ("house", "private")))
    assert bool(field_marks(found.metadata)) is untrusted


@pytest.mark.parametrize("untrusted", [False, True])
def test_no_file_makes_itself_trusted(tmp_path: Path, untrusted: bool) -> None:
    with KnowledgeBase.open(tmp_path / "kb") as base:
        found = imported(base, tmp_path, untrusted=untrusted)
    marks = {name: record_marks(each.source_type, each.metadata) for name, each in found.items()}
    usual = "untrusted" if untrusted else "house"
    assert marks == {
        "plain": Marks(usual, "private"),
        "trusted": Marks(usual, "private"),
        "text": Marks(usual, "private"),
        "others": Marks("untrusted", "private"),
        "secret": Marks(usual, "secret"),
    }
    assert found["others"].metadata == {"marks": {"origin": "untrusted"}}
    if not untrusted:
        assert found["plain"].metadata == found["trusted"].metadata == {}


def test_a_result_is_as_strict_as_its_strictest_record_and_each_keeps_its_own(
    tmp_path: Path,
) -> None:
    async def scenario(world: World) -> None:
        session = world.session
        clean = await world.call("kb_get", id="note:plain")
        assert "origin" not in clean["meta"]
        assert session.view.exposure.marks == Marks("house", "private")
        both = await world.call("kb_get", ids=["note:plain", "note:others", "note:secret"])
        said = {"origin": "untrusted", "sensitivity": "secret"}
        source = "a record of the database notes"
        assert said | {"source": source} == {k: both["meta"].get(k) for k in (*said, "source")}
        own = [(each.get("origin"), each.get("sensitivity")) for each in both["data"]["records"]]
        assert own == [("house", "private"), ("untrusted", "private"), ("house", "secret")]
        assert both["meta"]["byItem"] is True
        assert "origin" not in clean["data"]["records"][0]
        assert session.view.exposure.marks == Marks("untrusted", "secret")

    with KnowledgeBase.open(tmp_path / "kb") as base:
        imported(base, tmp_path, untrusted=False)
        run_in(within(base=base), scenario)


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("kb_search", {"query": "Ada Lovelace", "namespace": "all"}),
        ("search_kg", {"query": "Ada Lovelace", "database_id": "notes"}),
        ("cross_kg_search", {"query": "Ada Lovelace"}),
        ("query_kg", {"query": "Ada Lovelace", "database_id": "notes"}),
    ],
)
def test_what_was_read_out_of_a_text_is_text_of_others(
    tool: str, args: dict[str, Any], tmp_path: Path
) -> None:
    async def scenario(world: World) -> None:
        envelope = await world.outcome(tool, **args)
        assert envelope["ok"], envelope
        assert envelope["meta"].get("origin") == "untrusted", envelope

    with KnowledgeBase.open(tmp_path / "kb") as base:
        text = "Ada Lovelace works for Charles Babbage in London."
        ingest(base.create("notes"), text, source="a mail")
        run_in(within(base=base), scenario)


async def values(session: Any) -> Any:
    """How a value is looked at after what the conversation has read."""
    sources, results = await conversation_sources(session)

    def look(value: str) -> tuple[str, str]:
        return sources.origins({"v": value}, {})["/v"]["kind"], leaked(value, results)

    return look


def test_a_field_is_secret_or_of_others_and_the_rest_of_its_record_is_not(tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        got = await world.call("kb_get", ids=["note:parts", "note:others"])
        assert got["ok"], got
        assert got["meta"]["sensitivity"] == "secret"
        record = got["data"]["records"][0]
        assert (record["origin"], record["sensitivity"]) == ("house", "private")
        assert record["metadata"]["marks"]["fields"] == {
            "code": {"sensitivity": "secret"},
            "faked": {"sensitivity": "secret"},
            "said": {"origin": "untrusted"},
        }
        look = await values(world.session)
        assert look("delta-4471-kilo")[1] == "secret"
        assert look("sigma-9902-tango")[1] == "secret"
        assert look("call +49 30 5550199 now") == ("untrusted", "private")
        assert look("painter of the Blue Room") == ("result", "private")
        assert look("Note others")[0] == "untrusted"

    with KnowledgeBase.open(tmp_path / "kb") as base:
        database = base.create("notes")
        rows = [
            {"id": "note:parts", "type": "note", "title": "Parts", "metadata": PARTS},
            {"id": "note:others", "type": "note", "title": "Note others"}
            | {"metadata": CLAIMS["others"]},
        ]
        file = tmp_path / "parts.jsonl"
        file.write_text("\n".join(map(json.dumps, rows)), "utf-8")
        import_file(database, file)
        run_in(within(base=base), scenario)


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("kb_search", {"query": "vault of the harbour", "namespace": "all"}),
        ("search_kg", {"query": "vault of the harbour", "database_id": "notes"}),
    ],
)
def test_the_snippet_of_a_secret_text_is_secret_and_the_title_is_not(
    tool: str, args: dict[str, Any], tmp_path: Path
) -> None:
    async def scenario(world: World) -> None:
        assert (await world.outcome(tool, **args))["ok"]
        look = await values(world.session)
        assert look("The vault of the harbour opens with delta-4471-kilo.")[1] == "secret"
        assert look("Harbour Office of Hamburg") == ("result", "private")

    with KnowledgeBase.open(tmp_path / "kb") as base:
        text = "The vault of the harbour opens with delta-4471-kilo."
        marks = {"fields": {"text": {"sensitivity": "secret"}}}
        title = "Harbour Office of Hamburg"
        base.create("notes").upsert(
            [Record("place:harbour", "place", title, text, metadata={"marks": marks})]
        )
        run_in(within(base=base), scenario)


def test_nodes_and_profiles_have_the_marks_of_their_records(tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        found = await world.outcome(
            "query_kg", database_id="personal", query="Who is Ada Lovelace?"
        )
        assert found["ok"], found
        nodes = {each["id"]: each for each in found["data"]["nodes"]}
        assert nodes["person:ada"]["origin"] == "house"
        assert nodes["person:eve"]["origin"] == "untrusted"
        world.session.hear("Find the profiles of Lovelace.")
        found = await world.outcome("linkedin_lookup", person="Lovelace")
        assert found["ok"], found
        own = {each["person_id"]: each["origin"] for each in found["data"]["profiles"]}
        assert own == {"person:ada": "house", "person:eve": "untrusted"}
        look = await values(world.session)
        assert look("https://www.linkedin.com/in/ada-l")[0] == "result"
        assert look("https://www.linkedin.com/in/eve-l")[0] == "untrusted"

    with KnowledgeBase.open(tmp_path / "kb") as base:
        url = "https://www.linkedin.com/in/"
        base.create("personal").upsert(
            [
                Record(
                    "person:ada",
                    "person",
                    "Ada Lovelace",
                    "Ada Lovelace writes.",
                    url=url + "ada-l",
                ),
                Record(
                    "person:eve",
                    "person",
                    "Eve Lovelace",
                    "Eve Lovelace writes.",
                    url=url + "eve-l",
                    metadata=CLAIMS["others"],
                ),
            ]
        )
        run_in(within(base=base), scenario)
