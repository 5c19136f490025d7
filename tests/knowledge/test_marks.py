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
from antiphon.knowledge.marks import record_marks

pytestmark = pytest.mark.real_time(ignore=("*.db*", "*.bin", "*.lock"))

CLAIMS: dict[str, Any] = {
    "plain": {},
    "trusted": {"marks": {"origin": "operator", "sensitivity": "public"}},
    "text": {"marks": "trusted"},
    "others": {"marks": {"origin": "untrusted", "since": 3}},
    "secret": {"marks": {"sensitivity": "secret"}},
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
        assert own == [(None, None), ("untrusted", None), (None, "secret")]
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
