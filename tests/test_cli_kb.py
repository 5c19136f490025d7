"""`antiphon kb`: databases listed, searched, filled, taken elsewhere and tended."""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.knowledge.files import docx, paragraph
from tests.tools.kb_world import sample_folder

from antiphon.cli import main
from antiphon.emulators.runner import emulate

RECORDS = "".join(
    json.dumps({"kind": "record", "id": f"bird:{name}", "type": "bird", "title": name.title()})
    + "\n"
    for name in ("pelican", "stork", "heron")
)
EDGE = json.dumps(
    {"kind": "edge", "source": "bird:stork", "target": "bird:heron", "relation": "looks_like"}
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with nothing in it, and none of this machine's settings."""
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        if name.startswith("ANTIPHON_"):
            monkeypatch.delenv(name)
    return tmp_path


@pytest.fixture
def sample(folder: Path) -> Path:
    """The sample knowledge in that directory's data folder."""
    shutil.copytree(sample_folder(), folder / ".antiphon" / "knowledge")
    return folder


@pytest.fixture
def birds(folder: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A file that is imported, and a database to import it into."""
    (folder / "birds.jsonl").write_text(f"{RECORDS}{EDGE}\n")
    kb(capsys, "create", "birds", "--title", "Birds")
    return folder / "birds.jsonl"


def kb(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    found = main(["kb", *arguments])
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    assert found == status, captured.err
    return captured.out if status == 0 else captured.out + captured.err


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    return json.loads(kb(capsys, *arguments, "--json"))


def test_databases_are_listed(sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "153 records" in kb(capsys, "list")
    found = as_json(capsys, "list")
    assert [(one["id"], one["records"]) for one in found] == [
        ("personal", 30),
        ("public", 41),
        ("studio", 153),
    ]


def test_search_finds_by_meaning_and_filters(
    sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = "the colleague who flies planes without an engine"
    found = as_json(capsys, "search", "studio", asked, "-k", "3")
    assert "person:bogdan_petrisor" in [one["id"] for one in found]
    filters = ("--type", "project", "--tag", "automation", "--tag", "active")
    found = as_json(capsys, "search", "studio", "automation", *filters, "--explain")
    assert [one["id"] for one in found] == ["project:germinate"]
    assert found[0]["explain"]["matched"]
    words = kb(capsys, "search", "studio", "founder of FRAM", "-k", "1", "--full-text")
    assert "person:andrei_clodius" in words
    assert "bicycle shop" in words
    assert "Nothing fits" in kb(capsys, "search", "studio", "x", "--type", "spaceship")


def test_records_are_printed_and_missing_ones_are_an_error(
    sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "Founder and CEO" in kb(capsys, "get", "studio", "person:andrei_clodius")
    (record,) = as_json(capsys, "get", "studio", "person:andrei_clodius")
    assert record["metadata"]["role"] == "founder"
    both = kb(capsys, "get", "studio", "person:andrei_clodius", "person:nobody", status=1)
    assert "Andrei Clodius" in both
    assert "there is no record 'person:nobody'" in both


def test_the_graph_is_described(sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "153 records, 426 edges" in kb(capsys, "analytics", "studio")
    assert as_json(capsys, "analytics", "studio")["types"]["person"] == 26


def test_an_unknown_database_is_named_with_the_nearest(
    sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments in (
        ("search", "studo", "x"),
        ("get", "studo", "x"),
        ("analytics", "studo"),
        ("export", "studo", "x.jsonl"),
        ("import", "studo", "x.jsonl"),
        ("ingest", "studo", "-"),
        ("delete", "studo", "--yes"),
        ("reindex", "studo"),
    ):
        said = kb(capsys, *arguments, status=1)
        assert f"antiphon kb {arguments[0]}: There is no database 'studo'." in said
        assert "studio" in said


@pytest.mark.parametrize("command", [["list"], ["search", "studio", "x"], ["reindex"]])
def test_reading_makes_no_knowledge_base(
    folder: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    assert "there is no knowledge base at" in kb(capsys, *command, "--data", "typo", status=1)
    assert not (folder / "typo").exists()


def test_a_file_is_imported_and_exported_again(
    birds: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = as_json(capsys, "import", "birds", str(birds))
    assert (report["records_added"], report["edges_added"]) == (3, 1)
    assert "3 as they were" in kb(capsys, "import", "birds", str(birds))
    said = kb(capsys, "export", "birds", "out.jsonl")
    assert "3 records and 1 edge in out.jsonl" in said
    lines = Path("out.jsonl").read_text().splitlines()
    assert [json.loads(line)["kind"] for line in lines] == ["record"] * 3 + ["edge"]
    assert as_json(capsys, "export", "birds", "birds.graphml")["format"] == "graphml"
    kb(capsys, "import", "again", "birds.graphml", "--create")
    assert as_json(capsys, "get", "again", "bird:stork")[0]["title"] == "Stork"


def test_no_document_of_a_folder_is_lost_and_updates_are_counted(
    birds: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a", "b"):
        (birds.parent / "site" / name).mkdir(parents=True)
        (birds.parent / "site" / name / "index.md").write_text(f"---\ntitle: {name}\n---\nText")
    (birds.parent / "site" / "letter.docx").write_bytes(docx(paragraph("Dear Ada")))
    assert "Records: 3 added, 0 updated, 0 as they were." in kb(capsys, "import", "birds", "site")
    (birds.parent / "site" / "b" / "index.md").write_text("Changed")
    assert "Records: 0 added, 1 updated, 2 as they were." in kb(capsys, "import", "birds", "site")
    assert [one["text"] for one in as_json(capsys, "get", "birds", "doc:b/index")] == ["Changed"]
    (birds.parent / "site" / "c.md").write_text("---\nid: doc:a/index\n---\n")
    said = kb(capsys, "import", "birds", "site", status=1)
    assert "a/index.md, line 1: the id 'doc:a/index' is in c.md already" in said


def test_bad_rows_are_named_and_skipped_only_when_asked(
    birds: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    birds.write_text(f'{RECORDS}{{"kind": "record"}}\nnonsense\n')
    said = kb(capsys, "import", "birds", str(birds), status=1)
    assert "nothing was imported" in said
    assert "line 4" in said
    assert "line 5" in said
    assert as_json(capsys, "list")[0]["records"] == 0
    said = kb(capsys, "import", "birds", str(birds), "--skip-bad")
    assert "Records: 3 added" in said
    assert "line 5" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("import", "birds", "none.jsonl"), "none.jsonl"),
        (("import", "birds", "birds.jsonl", "--format", "xml"), "no format 'xml'"),
        (("export", "birds", "out"), "format"),
        (("export", "birds", "no/such/folder/x.jsonl"), "folder"),
        (("create", "birds"), "already"),
        (("create", "Big Birds"), "lower-case"),
        (("search", "birds", "x", "--since", "yesterday"), "ISO 8601"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    birds: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    assert said in kb(capsys, *arguments, status=1)


def test_an_import_that_is_refused_leaves_no_empty_database_behind(
    birds: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("bad.jsonl").write_text("no record at all\n")
    kb(capsys, "import", "fresh", "bad.jsonl", "--create", status=1)
    kb(capsys, "import", "fresh", "none.jsonl", "--create", status=1)
    assert "fresh" not in kb(capsys, "list")
    kb(capsys, "create", "empty")
    kb(capsys, "import", "empty", "bad.jsonl", "--create", status=1)
    assert "empty" in kb(capsys, "list")  # it was there before


def test_documents_are_ingested_once_and_bad_ones_reported(
    birds: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Path("note.md").write_text("# Labs\n\nGreta Lindqvall works for Aurora Labs.\n")
    Path("binary.txt").write_bytes(bytes(range(256)) * 20)
    both = kb(capsys, "ingest", "birds", "note.md", "binary.txt", "gone.txt", status=1)
    assert "note.md: entities" in both
    assert "binary.txt: This is not a text document" in both
    assert "gone.txt cannot be read" in both
    (report,) = as_json(capsys, "ingest", "birds", "note.md")
    assert (report["kind"], report["unchanged"]) == ("markdown", True)
    typed = io.TextIOWrapper(io.BytesIO(b"Ada Byron works for Aurora Labs."))
    monkeypatch.setattr(sys, "stdin", typed)
    (report,) = as_json(capsys, "ingest", "birds", "-", "--source", "dictation")
    assert (report["source"], report["complete"]) == ("dictation", True)
    assert "choose one of" in kb(capsys, "ingest", "birds", "-", "--kind", "tarot", status=2)


def test_a_model_reads_documents_when_it_is_chosen(
    birds: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("note.txt").write_text("the heron team at Aurora Labs counts herons.")
    found = {"entities": [{"name": "heron team", "type": "org"}], "relations": []}
    reply = [{"text": json.dumps(found)}, "complete"]
    script = [{"on": "text", "reply": reply}, {"on": "text", "reply": [{"status": 401}]}]
    with emulate("openai", script) as emulator:
        monkeypatch.setenv("ANTIPHON_PROVIDERS__OPENAI__BASE_URL", emulator.base_url)
        monkeypatch.setenv("ANTIPHON_PROVIDERS__OPENAI__API_KEY", "test-key")
        monkeypatch.setenv("ANTIPHON_KNOWLEDGE__EXTRACTOR", "openai")
        said = kb(capsys, "ingest", "birds", "note.txt")
        assert "read by openai/gpt-4.1 in 1 piece\n" in said
        assert "org:heron_team" in kb(capsys, "get", "birds", "org:heron_team")
        Path("note.txt").write_text("the heron team at Aurora Labs counts storks.")
        said = kb(capsys, "ingest", "birds", "note.txt")
        assert "in 1 piece, 1 of them by rules alone" in said
        assert "does not accept the key" in said
    (report,) = as_json(capsys, "ingest", "birds", "note.txt", "--extractor", "rules")
    assert (report["extractor"], report["complete"]) == ("rules", True)


def test_a_model_that_cannot_be_asked_at_all_is_said_before_anything_is_done(
    birds: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    Path("note.txt").write_text("Aurora Labs counts herons.")
    chosen = ("ingest", "birds", "note.txt", "--extractor")
    assert "ANTHROPIC_API_KEY" in kb(capsys, *chosen, "claude", status=1)
    assert "choose one of" in kb(capsys, *chosen, "tarot", status=2)
    assert "Nothing fits" in kb(capsys, "search", "birds", "Aurora")


def test_a_database_is_deleted_only_when_that_was_said(
    birds: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert "--yes" in kb(capsys, "delete", "birds", status=2)
    assert len(as_json(capsys, "list")) == 1
    assert "Deleted birds with 0 records." in kb(capsys, "delete", "birds", "--yes")
    assert as_json(capsys, "list") == []


def test_reindexing_embeds_what_is_pending(birds: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kb(capsys, "import", "birds", str(birds))
    assert as_json(capsys, "reindex") == {"birds": 3}
    assert "birds: 0 records embedded." in kb(capsys, "reindex", "birds")


def test_what_records_say_cannot_steer_the_terminal(
    birds: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evil = {"kind": "record", "id": "e", "type": "doc", "text": "\x1b[2Jgone\x07 evil"}
    birds.write_text(json.dumps(evil))
    kb(capsys, "import", "birds", str(birds))
    for arguments in (("get", "birds", "e"), ("search", "birds", "evil", "--full-text")):
        said = kb(capsys, *arguments)
        assert "gone" in said
        assert "\x1b" not in said
        assert "\x07" not in said


@pytest.mark.parametrize(
    "arguments", [["search"], ["search", "a"], ["search", "a", "b", "-k", "0"], ["dance"]]
)
def test_wrong_usage_is_status_two(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    kb(capsys, *arguments, status=2)
