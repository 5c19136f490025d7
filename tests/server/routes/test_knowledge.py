"""The knowledge base over HTTP: databases, search, records, graph, ingestion, import and export."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from tests.knowledge.files import docx, paragraph, pdf
from tests.tools.kb_world import sample_folder

from antiphon.emulators.runner import emulate
from antiphon.knowledge import KnowledgeBase


@pytest.fixture(scope="module")
def library(serve: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A server over the sample knowledge, every record of it embedded."""
    data = tmp_path_factory.mktemp("library")
    shutil.copytree(sample_folder(), data / "knowledge")
    app = serve.app(data=data)
    app.add_api_route("/all-threads", start_all_threads)
    with serve.running(app) as client:
        assert client.get("/all-threads").status == 200
        yield client


async def start_all_threads() -> dict[str, int]:
    """Starts every worker thread now, as none may seem to be left behind by a single test."""
    count = min(32, (os.cpu_count() or 1) + 4)
    barrier = threading.Barrier(count, timeout=20)
    await asyncio.gather(*(asyncio.to_thread(barrier.wait) for _ in range(count)))
    return {"threads": count}


@pytest.fixture
def notes(library: Any) -> Iterator[str]:
    """The path of an empty database."""
    made = library.post("/api/knowledge", {"id": "notes", "title": "Notes"})
    assert made.status == 201, made.body
    yield "/api/knowledge/notes"
    gone = library.send("DELETE", "/api/knowledge/notes")
    assert gone.status == 204, gone.body


def put(client: Any, path: str, body: Any) -> Any:
    headers = {"Content-Type": "application/json"}
    return client.send("PUT", path, headers, json.dumps(body).encode())


def is_problem(reply: Any, status: int, *words: str) -> bool:
    assert (reply.status, reply.media_type) == (status, "application/problem+json"), reply.body
    return all(word in reply.json["detail"] for word in words)


# -- the very first start


def test_the_sample_is_there_on_the_first_start_and_stays_deleted(
    serve: Any, tmp_path: Path
) -> None:
    with serve.running(serve.app(data=tmp_path)) as client:
        found = client.get("/api/knowledge").json
        assert [(one["id"], one["records"]) for one in found["databases"]] == [
            ("personal", 30),
            ("public", 41),
            ("studio", 153),
        ]
        by_words = client.get("/api/knowledge/studio/search?q=Bogdan+gliders").json
        assert by_words["results"][0]["id"] == "person:bogdan_petrisor"
        called = client.call("kb_search", {"query": "founder of FRAM", "top_k": 1}).json
        assert called["data"]["results"][0]["id"] == "person:andrei_clodius"
        assert client.send("DELETE", "/api/knowledge/personal").status == 204
    with serve.running(serve.app(data=tmp_path)) as client:
        assert [one["id"] for one in client.get("/api/knowledge").json["databases"]] == [
            "public",
            "studio",
        ]


def test_a_database_that_somebody_made_is_not_touched_by_the_sample(
    serve: Any, tmp_path: Path
) -> None:
    with KnowledgeBase.open(tmp_path / "knowledge") as base:
        base.create("studio", "Mine")
    with serve.running(serve.app(data=tmp_path)) as client:
        found = {one["id"]: one for one in client.get("/api/knowledge").json["databases"]}
    assert (found["studio"]["title"], found["studio"]["records"]) == ("Mine", 0)
    assert found["public"]["records"] == 41


def test_a_start_does_not_need_the_knowledge_base(serve: Any, tmp_path: Path) -> None:
    (tmp_path / "knowledge").write_text("no folder")
    with serve.running(serve.app(data=tmp_path)) as client:
        assert client.get("/readyz").status == 200
        assert is_problem(client.get("/api/knowledge"), 503, "knowledge")
        called = client.call("kb_search", {"query": "founder"})
    assert called.json["error"]["type"] == "PERMANENT"


# -- databases


def test_a_database_is_made_described_and_deleted(library: Any) -> None:
    body = {"id": "team-2", "title": "Team", "description": "Who is who."}
    made = library.post("/api/knowledge", body)
    assert made.status == 201
    expected = {**body, "records": 0, "edges": 0, "pending": 0}
    assert {name: made.json[name] for name in expected} == expected
    assert library.get("/api/knowledge/team-2").json == made.json
    assert is_problem(library.post("/api/knowledge", body), 409, "team-2")
    assert library.send("DELETE", "/api/knowledge/team-2").status == 204
    assert is_problem(library.get("/api/knowledge/team-2"), 404)


@pytest.mark.parametrize("name", ["", "A", "../x", "a b", "x" * 65])
def test_an_id_that_cannot_be_is_refused(library: Any, name: str) -> None:
    assert is_problem(library.post("/api/knowledge", {"id": name}), 422, "id")


def test_an_unknown_database_is_a_problem_with_the_nearest_names(library: Any) -> None:
    paths = ("", "/search?q=x", "/records/a", "/neighbourhood/a", "/graph", "/analytics", "/export")
    for path in paths:
        reply = library.get(f"/api/knowledge/studo{path}")
        assert is_problem(reply, 404, "studo"), path
        assert reply.json["nearest"] == ["studio"]


# -- search


def test_search_answers_with_evidence(library: Any) -> None:
    found = library.get("/api/knowledge/studio/search?q=founder+of+FRAM&k=2").json
    assert found["count"] == 2
    best = found["results"][0]
    assert best["id"] == "person:andrei_clodius"
    assert "explain" not in best
    assert "text" not in best


def test_search_is_filtered_and_explained(library: Any) -> None:
    path = "/api/knowledge/studio/search?q=automation&type=project&tags=automation,active&explain=1"
    found = library.get(path).json
    assert [one["id"] for one in found["results"]] == ["project:germinate"]
    assert found["results"][0]["explain"]["matched"]
    dated = library.get("/api/knowledge/studio/search?since=2026-09-01&until=2026-09-30&k=100")
    months = {one["last_updated"][:7] for one in dated.json["results"]}
    assert months == {"2026-09"}


@pytest.mark.parametrize("query", ["k=0", "k=101", "since=yesterday", "k=x"])
def test_a_search_that_makes_no_sense_is_refused(library: Any, query: str) -> None:
    assert is_problem(library.get(f"/api/knowledge/studio/search?{query}"), 422)


# -- records and graph


def test_a_record_is_added_replaced_read_and_deleted(library: Any, notes: str) -> None:
    path = f"{notes}/records/{quote('doc:a/b c', safe='')}"
    body = {"type": "doc", "title": "First", "text": "Pelicans fly.", "tags": ["bird"]}
    assert put(library, path, body).status == 201
    again = put(library, path, {**body, "title": "Second"})
    assert (again.status, again.json["title"]) == (200, "Second")
    read = library.get(path).json
    assert (read["id"], read["title"], read["tags"]) == ("doc:a/b c", "Second", ["bird"])
    assert library.get(f"{notes}/search?q=pelican").json["results"][0]["id"] == "doc:a/b c"
    assert library.send("DELETE", path).status == 204
    assert is_problem(library.get(path), 404, "doc:a/b c")
    assert is_problem(library.send("DELETE", path), 404)


def test_a_record_that_is_only_to_be_added_replaces_none(library: Any, notes: str) -> None:
    path = f"{notes}/records/doc:once"
    headers = {"Content-Type": "application/json", "If-None-Match": "*"}

    def add(title: str) -> Any:
        body = json.dumps({"type": "doc", "title": title}).encode()
        return library.send("PUT", path, headers, body)

    assert add("First").status == 201
    assert is_problem(add("Second"), 412, "doc:once")
    assert library.get(path).json["title"] == "First"


def test_a_record_that_does_not_fit_is_refused_by_field(library: Any, notes: str) -> None:
    assert is_problem(put(library, f"{notes}/records/a", {"title": "no type"}), 422, "type")
    bad_date = {"type": "doc", "last_updated": "yesterday"}
    assert is_problem(put(library, f"{notes}/records/a", bad_date), 422, "last_updated")
    unknown = {"type": "doc", "colour": "red"}
    assert is_problem(put(library, f"{notes}/records/a", unknown), 422, "colour")
    for break_ in ("%09", "%0A", "%0D"):
        assert is_problem(put(library, f"{notes}/records/a{break_}b", {"type": "doc"}), 422)


def test_a_neighbourhood_has_the_record_first_and_edges_among_its_nodes(library: Any) -> None:
    path = "/api/knowledge/studio/neighbourhood/project:atlas"
    near = library.get(path).json
    assert near["nodes"][0]["id"] == "project:atlas"
    ids = {node["id"] for node in near["nodes"]}
    assert "person:tobias_wennergren" in ids
    assert all(edge["source"] in ids and edge["target"] in ids for edge in near["edges"])
    far = library.get(f"{path}?depth=2").json
    assert len(far["nodes"]) > len(near["nodes"])
    assert len(library.get(f"{path}?depth=6&limit=7").json["nodes"]) == 7
    assert is_problem(library.get(f"{path}?limit=1001"), 422, "limit")
    assert is_problem(library.get("/api/knowledge/studio/neighbourhood/nobody"), 404, "nobody")


def test_a_node_says_how_many_edges_it_has_in_all(library: Any) -> None:
    near = library.get("/api/knowledge/studio/neighbourhood/project:atlas").json
    alone = library.get("/api/knowledge/studio/neighbourhood/project:atlas?depth=0").json
    at_atlas = [e for e in near["edges"] if "project:atlas" in (e["source"], e["target"])]
    assert alone["edges"] == []
    assert alone["nodes"][0]["degree"] == near["nodes"][0]["degree"] == len(at_atlas)


def test_the_graph_from_above_is_whole_or_around_the_centre(library: Any) -> None:
    whole = library.get("/api/knowledge/studio/graph").json
    assert (len(whole["nodes"]), len(whole["edges"]), whole["complete"]) == (153, 426, True)
    some = library.get("/api/knowledge/studio/graph?limit=20").json
    assert (len(some["nodes"]), some["complete"]) == (20, False)
    centre = library.get("/api/knowledge/studio/analytics").json["pagerank"][0]["id"]
    assert some["nodes"][0]["id"] == centre
    ids = {node["id"] for node in some["nodes"]}
    assert all(edge["source"] in ids and edge["target"] in ids for edge in some["edges"])


def test_the_graph_of_an_empty_database_is_empty(library: Any, notes: str) -> None:
    assert library.get(f"{notes}/graph").json == {"nodes": [], "edges": [], "complete": True}


def test_an_edge_is_added_replaced_and_deleted(library: Any, notes: str) -> None:
    for name in ("a", "b"):
        put(library, f"{notes}/records/{name}", {"type": "doc"})
    edge = {"source": "a", "target": "b", "relation": "cites", "weight": 0.5, "provenance": {}}
    assert put(library, f"{notes}/edges", edge).status == 201
    again = put(library, f"{notes}/edges", {**edge, "weight": 1})
    assert (again.status, again.json["weight"]) == (200, 1)
    assert library.get(f"{notes}/neighbourhood/a").json["edges"] == [{**edge, "weight": 1.0}]
    assert is_problem(put(library, f"{notes}/edges", {**edge, "target": "c"}), 422, "'c'")
    assert is_problem(put(library, f"{notes}/edges", {**edge, "target": "a"}), 422, "different")
    assert is_problem(put(library, f"{notes}/edges", {**edge, "weight": -1}), 422, "weight")
    gone = f"{notes}/edges?source=a&target=b&relation=cites"
    assert library.send("DELETE", gone).status == 204
    assert is_problem(library.send("DELETE", gone), 404, "cites")


def test_analytics_describe_a_database(library: Any) -> None:
    found = library.get("/api/knowledge/studio/analytics").json
    assert (found["nodes"], found["edges"]) == (153, 426)
    assert found["pagerank"]


# -- ingestion and exchange


def test_a_model_reads_a_text_when_the_settings_say_so(serve: Any, tmp_path: Path) -> None:
    found = {"entities": [{"name": "heron team", "type": "org"}], "relations": []}
    script = [
        {"on": "text", "reply": [{"text": json.dumps(found)}, "complete"]},
        {"on": "text", "reply": [{"status": 401}]},
    ]
    with emulate("anthropic", script) as emulator:
        claude = {"api_key": "test-key", "base_url": emulator.base_url}
        app = serve.app(
            data=tmp_path, knowledge={"extractor": "claude"}, providers={"claude": claude}
        )
        with serve.running(app) as client:
            client.post("/api/knowledge", {"id": "notes"})
            ingest = "/api/knowledge/notes/ingest"
            read = client.post(ingest, {"text": "the heron team counts herons."}).json
            assert (read["extractor"], read["pieces_by_rules"]) == ("claude/claude-sonnet-4-6", 0)
            assert client.get("/api/knowledge/notes/records/org:heron_team").status == 200
            left = client.post(ingest, {"text": "the heron team counts storks."}).json
            assert (left["pieces"], left["pieces_by_rules"]) == (1, 1)
            assert "does not accept the key" in left["by_rules"][0]["reason"]


SENTENCE = "Nadia Petrov works for Harbour Labs."
FILES = [
    ("cv.pdf", pdf(SENTENCE), "application/pdf", "pdf"),
    ("cv.docx", docx(paragraph(SENTENCE)), "", "docx"),
    ("cv.html", f"<title>CV</title><p>{SENTENCE}</p>".encode(), "text/html", "html"),
    ("cv", f"# CV\n\n{SENTENCE}\n".encode(), "text/markdown", "markdown"),
    ("cv.txt", f"{SENTENCE} Again.".encode("utf-16"), "", "text"),
]


def test_files_of_every_kind_are_ingested_and_what_cannot_be_read_is_refused(serve: Any) -> None:
    """On a server of its own, which ends the worker processes that parse them."""
    app = serve.app()
    with serve.running(app) as client:
        for name, content, media_type, kind in FILES:
            database = f"from-{kind}"
            assert client.post("/api/knowledge", {"id": database}).status == 201
            path = f"/api/knowledge/{database}/files"
            headers = {"Content-Type": media_type} if media_type else {}
            done = client.send("POST", f"{path}?name={name}", headers, content)
            assert done.status == 200, done.body
            assert (done.json["kind"], done.json["source"], done.json["complete"]) == (
                kind, name, True,
            )  # fmt: skip
            assert done.json["relations"] == {"works_for": 1}

        def send(query: str, content: bytes) -> Any:
            return client.send("POST", f"{path}{query}", {}, content)

        assert is_problem(send("?name=a.pdf", b"%PDF-1.4 cut off"), 422, "PDF cannot be read")
        packed = b"PK\x03\x04\x14\0\x06\0\0\xff" * 9
        assert is_problem(send("?name=a.xlsx", packed), 422, "binary")
        assert is_problem(send("?name=empty.txt", b""), 422, "no text")
        assert is_problem(send("", b"text"), 422, "name")
        head = (
            f"POST {path}?name=a.txt HTTP/1.1\r\nHost: 127.0.0.1:{client.port}\r\n"
            f"Content-Length: {20 * 1024 * 1024 + 1}\r\n\r\n"
        )
        assert client.raw(head.encode()).startswith(b"HTTP/1.1 413 ")
        large = send("?name=large.txt", b"Nothing is named here. " * 15_000)  # above other limits
        assert large.status == 200, large.body
        above = send("?name=..%2F..%2Fabove.txt", b"Nothing is named here.")
        assert (above.status, above.json["source"]) == (200, "../../above.txt")
        data = app.services.application.settings.data
        assert list(data.parent.rglob("above.txt")) == []


def test_a_text_is_ingested_once(library: Any, notes: str) -> None:
    body = {"text": "# Labs\n\nGreta Lindqvall works for Aurora Labs.", "kind": "markdown"}
    first = library.post(f"{notes}/ingest", body)
    assert (first.status, first.json["unchanged"], first.json["complete"]) == (200, False, True)
    assert first.json["entities_new"] > 1
    assert library.post(f"{notes}/ingest", body).json["unchanged"]
    assert library.get(f"{notes}/records/{first.json['document']}").json["type"] == "doc"
    assert is_problem(library.post(f"{notes}/ingest", {"text": "x", "kind": "pdf"}), 422, "kind")
    assert is_problem(library.post(f"{notes}/ingest", {"text": " "}), 422)


def test_what_is_exported_can_be_imported(library: Any, notes: str) -> None:
    exported = library.get("/api/knowledge/personal/export?format=jsonl")
    assert exported.media_type == "application/x-ndjson"
    headers = {"Content-Type": "application/x-ndjson"}
    done = library.send("POST", f"{notes}/import", headers, exported.body)
    assert done.status == 200, done.body
    assert (done.json["records_added"], done.json["edges_added"]) == (30, 46)
    # Whoever sends a file does not vouch for it: its records are the words of others now.
    kept = [json.loads(line) for line in library.get(f"{notes}/export").body.splitlines()]
    records = [each for each in kept if "metadata" in each]
    assert [each["metadata"].pop("marks") for each in records] == 30 * [{"origin": "untrusted"}]
    assert kept == [json.loads(line) for line in exported.body.splitlines()]
    again = library.send("POST", f"{notes}/import", headers, exported.body).json
    assert (again["records_added"], again["records_unchanged"]) == (0, 30)


def test_csv_is_imported_and_bad_rows_are_named(library: Any, notes: str) -> None:
    rows = b"id,type,title\na,bird,Pelican\n,bird,Nameless\nb,bird,Stork\n"
    headers = {"Content-Type": "text/csv; charset=utf-8"}
    refused = library.send("POST", f"{notes}/import", headers, rows)
    assert is_problem(refused, 422, "nothing was imported")
    assert [row["line"] for row in refused.json["problems"]] == [3]
    assert library.get(notes).json["records"] == 0
    skipped = library.send("POST", f"{notes}/import?on_error=skip", headers, rows).json
    assert (skipped["records_added"], skipped["bad"]) == (2, 1)
    assert [row["line"] for row in skipped["problems"]] == [3]


def test_other_kinds_of_files_are_refused(library: Any, notes: str) -> None:
    headers = {"Content-Type": "application/xml"}
    assert is_problem(library.send("POST", f"{notes}/import", headers, b"<x/>"), 415, "JSON lines")
    large = b"x" * 300_000
    headers = {"Content-Type": "text/csv"}
    assert is_problem(library.send("POST", f"{notes}/import", headers, large), 413)


def test_tools_and_routes_see_the_same_knowledge(library: Any, notes: str) -> None:
    put(library, f"{notes}/records/bird:pelican", {"type": "bird", "title": "Pelican"})
    called = library.call("search_kg", {"database_id": "notes", "query": "pelican"}).json
    assert [one["id"] for one in called["data"]["results"]] == ["bird:pelican"]
    listed = library.call("list_kgs", {}).json["data"]["databases"]
    assert "notes" in [one["id"] for one in listed]


def test_the_built_in_model_answers_from_a_database_that_somebody_made(
    library: Any, notes: str
) -> None:
    text = "Meridian Bakery is in Ghent. Its managing director is Elise Vandamme."
    assert library.post(f"{notes}/ingest", {"text": text}).status == 200
    asked = {"message": "Who is the managing director of Meridian Bakery?"}
    reply = library.post("/api/chat", asked, Accept="application/json")
    assert reply.status == 200, reply.body
    assert "Elise Vandamme" in reply.json["message"]
    assert "Holub" not in reply.json["message"]


def test_a_damaged_database_is_told_without_where_it_is(serve: Any, tmp_path: Path) -> None:
    data = tmp_path / "data"
    with serve.running(serve.app(data=data)) as client:
        assert client.post("/api/knowledge", {"id": "notes", "title": "Notes"}).status == 201
    for file in (data / "knowledge" / "notes").glob("*.db*"):
        file.write_bytes(b"not a database any more" * 1000)
    with serve.running(serve.app(data=data)) as client:
        replies = [
            client.get("/api/knowledge/notes"),
            client.call("kb_search", {"query": "anything"}),
            client.call("kb_search", {"query": "anything", "namespace": "notes"}),
        ]
    assert any(reply.status >= 500 for reply in replies)
    for reply in replies:
        assert str(tmp_path).encode() not in reply.body, reply.body
