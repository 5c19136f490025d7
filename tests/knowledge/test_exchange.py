"""Import and export of whole databases, in every format, through the public functions."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import networkx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.knowledge.files import docx, paragraph, pdf

from antiphon.knowledge.database import Database
from antiphon.knowledge.errors import KnowledgeError
from antiphon.knowledge.exchange import ImportRefused, RowProblem, export_file, import_file
from antiphon.knowledge.records import Edge, Record
from antiphon.knowledge.service import KnowledgeBase


@pytest.fixture
def base(tmp_path: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(tmp_path / "knowledge") as opened:
        yield opened


@pytest.fixture
def database(base: KnowledgeBase) -> Database:
    return base.create("studio")


def content(database: Database) -> tuple[list[Record], list[Edge]]:
    edges = sorted(database.all_edges(), key=lambda edge: (edge.source, edge.target, edge.relation))
    return list(database.all_records()), edges


def lines(*items: dict[str, Any]) -> str:
    return "".join(json.dumps(item) + "\n" for item in items)


def record(id: str, **fields: Any) -> dict[str, Any]:
    return {"kind": "record", "id": id, "type": "person", **fields}


def edge(source: str, target: str, **fields: Any) -> dict[str, Any]:
    return {"kind": "edge", "source": source, "target": target, "relation": "knows", **fields}


RICH = [
    Record("person:ada", "person", 'Ada, "Countess"', "Line one\r\nline two\rthree; [x]\n\n"),
    Record("org:a/b\\c?*", "org", "", "", ("a;b", "c\\", " d"), "https://x.y/?a=1&b=<2>"),
    Record(
        "Doc:É", "doc", "Ünïcode 漢字", "\x01\ufffe\x85\u2028", metadata={"n": 1.5, "l": [None]}
    ),
    Record("doc:é", "doc", "yes", "---\nnot front matter\n---\n", last_updated="2026-03-01"),
    Record("x" * 200, "Two words", "null", "", source_type="note", metadata={"\ufffe": "\x02"}),
]
RICH_EDGES = [
    Edge("person:ada", "org:a/b\\c?*", "leads", 0.1 + 0.2, {"sentence": "Ada leads; it."}),
    Edge("person:ada", "org:a/b\\c?*", "owns"),
    Edge("org:a/b\\c?*", "person:ada", "leads\u00a0<&>"),
    Edge("Doc:É", "doc:é", "x\ufffe", 5e-324),
]


@pytest.mark.parametrize(
    "name", ["all.jsonl", "all.graphml", "tables", "notes"], ids=["jsonl", "graphml", "csv", "md"]
)
def test_what_is_exported_is_imported_the_same(base: KnowledgeBase, tmp_path: Path, name: str):
    """Odd ids, tags, line ends and characters survive every format."""
    first, second = base.create("first"), base.create("second")
    first.upsert(RICH)
    first.upsert_edges(RICH_EDGES)
    folder_format = {"tables": "csv", "notes": "markdown"}.get(name)
    written = export_file(first, tmp_path / name, format=folder_format)
    read = import_file(second, tmp_path / name)
    assert content(second) == content(first)
    assert (written.records, written.edges, written.consistent) == (5, 4, True)
    assert (read.records_added, read.edges_added, read.bad, read.complete) == (5, 4, 0, True)
    again = import_file(second, tmp_path / name)
    assert (again.records_added, again.records_unchanged, again.edges_unchanged) == (0, 5, 4)


plain = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=12)
ids = plain.filter(lambda text: text == text.strip())
names = plain.filter(str.strip)
texts = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=30)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | texts
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)  # fmt: skip
objects = st.dictionaries(texts, values, max_size=3)
records = st.lists(
    st.builds(
        Record,
        ids,
        names,
        title=plain | st.just(""),
        text=texts,
        tags=st.lists(names, max_size=3, unique=True).map(tuple),
        url=plain | st.just(""),
        source_type=plain | st.just(""),
        last_updated=st.just("") | st.dates().map(lambda day: day.isoformat()),
        metadata=objects,
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda item: item.id,
)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[Record], list[Edge]]:
    found = draw(records)
    ends = st.sampled_from([item.id for item in found])
    weights = st.floats(0, allow_nan=False, allow_infinity=False)
    edges = draw(st.lists(st.builds(Edge, ends, ends, names, weights, objects), max_size=4))
    return found, [edge for edge in edges if edge.source != edge.target]


@pytest.mark.parametrize("format", ["jsonl", "csv", "graphml"])
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(graph=graphs())
def test_any_graph_round_trips(format: str, graph: tuple[list[Record], list[Edge]]):
    with (
        tempfile.TemporaryDirectory() as folder,
        KnowledgeBase.open(Path(folder) / "knowledge") as base,
    ):
        first, second = base.create("first"), base.create("second")
        first.upsert(graph[0])
        first.upsert_edges(graph[1])
        export_file(first, Path(folder) / "out", format=format)
        import_file(second, Path(folder) / "out", format=format)
        assert content(second) == content(first)


def test_exports_are_byte_for_byte_the_same(base: KnowledgeBase, tmp_path: Path):
    """The order of writing does not show."""
    first, second = base.create("first"), base.create("second")
    for target, order in ((first, 1), (second, -1)):
        target.upsert(RICH[::order])
        target.upsert_edges(RICH_EDGES[::order])
        export_file(target, tmp_path / f"{target.id}.jsonl")
    assert (tmp_path / "first.jsonl").read_bytes() == (tmp_path / "second.jsonl").read_bytes()


def test_all_bad_rows_are_named_and_nothing_is_written(database: Database, tmp_path: Path):
    path = tmp_path / "mixed.jsonl"
    path.write_bytes(
        lines(record("person:ada")).encode()
        + b'{"kind": "record", "id": "person:x", "type": "person", "metadata": {"n": NaN}}\n'
        + b"\n"
        + b'{"kind": "record", "id": "caf\xe9", "type": "person"}\n'
        + lines(record("two\nlines"), edge("person:ada", "person:nobody")).encode()
        + lines(
            edge("person:ada", "person:ada"), {"kind": "note"}, record("y", colour="red")
        ).encode()
        + b"[1]\n"
        + b'{"kind": "record", "id": "person:cut'
    )
    with pytest.raises(ImportRefused) as caught:
        import_file(database, path)
    reasons = {problem.line: problem.reason for problem in caught.value.report.problems}
    assert sorted(reasons) == [2, 4, 5, 6, 7, 8, 9, 10, 11]
    assert "NaN" in reasons[2]
    assert "0xe9" in reasons[4]
    assert "UTF-8" in reasons[4]
    assert "U+000A" in reasons[5]
    assert "person:nobody" in reasons[6]
    assert "two different records" in reasons[7]
    assert "kind" in reasons[8]
    assert "colour" in reasons[9]
    assert "object" in reasons[10]
    assert "cut off" in reasons[11]
    assert "9 rows" in str(caught.value)
    assert database.counts() == {"records": 0, "edges": 0}

    report = import_file(database, path, on_error="skip")
    assert (report.records_added, report.bad, report.complete) == (1, 9, True)
    assert {problem.line for problem in report.problems} == set(reasons)


def test_edges_may_come_before_their_records_and_make_circles(database: Database, tmp_path: Path):
    path = tmp_path / "in.jsonl"
    path.write_text(lines(edge("a", "b"), edge("b", "a"), record("a"), record("b")))
    report = import_file(database, path)
    assert (report.records_added, report.edges_added) == (2, 2)


def test_a_line_of_100_mb_is_refused_in_bounded_memory(database: Database, tmp_path: Path):
    path = tmp_path / "long.jsonl"
    with path.open("wb") as stream:
        stream.write(lines(record("a")).encode())
        stream.truncate(stream.tell())
        for _ in range(100):
            stream.write(b"x" * 2**20)
        stream.write(b"\n" + lines(record("b")).encode())
    report = import_file(database, path, on_error="skip")
    assert [(problem.line, "16 MB" in problem.reason) for problem in report.problems] == [(2, True)]
    assert [item.id for item in database.all_records()] == ["a", "b"]


class Stop(Exception):
    pass


@pytest.mark.parametrize("on_error", ["stop", "skip"])
def test_an_interrupted_import_goes_on_where_it_was(
    database: Database, tmp_path: Path, on_error: Any
):
    """Each time it is thrown out after some progress, and in the end everything is there once."""
    path = tmp_path / "many.jsonl"
    people = [record(f"person:{number:05}") for number in range(5_000)]
    pairs = [edge(f"person:{number:05}", f"person:{number + 1:05}") for number in range(4_999)]
    path.write_text(
        lines(*people, *pairs, {"kind": "x"}) if on_error == "skip" else lines(*people, *pairs)
    )
    interrupted = 0
    report = None
    while report is None:
        before = database.revision

        def interrupt(done: int, total: int, before: int = before) -> None:
            if database.revision > before:
                raise Stop

        try:
            report = import_file(database, path, on_error=on_error, progress=interrupt)
        except Stop:
            interrupted += 1
    assert interrupted >= 3
    assert report.resumed
    assert database.counts() == {"records": 5_000, "edges": 4_999}
    assert (report.records_added, report.edges_added) == (5_000, 4_999)
    assert report.records_unchanged == 0
    assert report.bad == (1 if on_error == "skip" else 0)


KILLED = """
import os, signal, sys
from pathlib import Path
from antiphon.knowledge.service import KnowledgeBase
from antiphon.knowledge.exchange import import_file
database = KnowledgeBase.open(Path(sys.argv[1])).database("studio")
def kill(done, total):
    if database.counts()["edges"]:
        os.kill(os.getpid(), signal.SIGKILL)
import_file(database, sys.argv[2], progress=kill)
"""


def test_a_killed_import_loses_and_doubles_nothing(base: KnowledgeBase, tmp_path: Path):
    base.create("studio").close_idle()
    path = tmp_path / "many.jsonl"
    people = [record(f"person:{number:05}") for number in range(3_000)]
    pairs = [edge(f"person:{number:05}", f"person:{number + 1:05}") for number in range(2_999)]
    path.write_text(lines(*people, *pairs))
    command = [sys.executable, "-c", KILLED, str(base.folder), str(path)]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    database = base.database("studio")
    assert database.counts() == {"records": 3_000, "edges": 2_000}
    report = import_file(database, path)
    assert (report.resumed, report.complete, report.edges_unchanged) == (True, True, 0)
    assert database.counts() == {"records": 3_000, "edges": 2_999}
    assert not list(database.folder.glob("import-*"))


def test_cancelling_keeps_what_is_done_and_a_changed_file_begins_anew(
    database: Database, tmp_path: Path
):
    path = tmp_path / "many.jsonl"
    path.write_text(lines(*(record(f"p:{number:05}") for number in range(4_500))))
    report = import_file(
        database, path, on_error="skip", cancelled=lambda: database.counts()["records"] > 0
    )
    assert not report.complete
    assert database.counts()["records"] == 2_000
    path.write_text(lines(record("p:other")))
    report = import_file(database, path, on_error="skip")
    assert (report.resumed, report.complete, report.records_added) == (False, True, 1)


@pytest.mark.parametrize(
    ("name", "body", "says"),
    [
        ("a.jsonl", "{}".encode("utf-16"), "UTF-16"),
        ("a.jsonl", b"\x1f\x8b\x08\x00", "compressed"),
        ("a.csv", b"id,type\0\n", "not text"),
        ("a.csv", b"name,value\n1,2\n", "no column 'id'"),
        ("a.csv", b"id,type,colour\n", "unknown column 'colour'"),
        ("a.csv", b"", "no column"),
        ("a.xyz", b"", "cannot be told"),
    ],
)
def test_files_that_are_something_else_are_refused(
    database: Database, tmp_path: Path, name: str, body: bytes, says: str
):
    (tmp_path / name).write_bytes(body)
    with pytest.raises(KnowledgeError, match=says):
        import_file(database, tmp_path / name)
    assert database.counts()["records"] == 0


def test_a_missing_file_and_an_unknown_format_are_named(database: Database, tmp_path: Path):
    with pytest.raises(KnowledgeError, match=r"no file or folder .*gone\.jsonl"):
        import_file(database, tmp_path / "gone.jsonl")
    (tmp_path / "a.jsonl").write_text("")
    with pytest.raises(KnowledgeError, match="choose jsonl, csv"):
        import_file(database, tmp_path / "a.jsonl", format="yaml")


def test_an_empty_file_and_a_byte_order_mark_are_fine(database: Database, tmp_path: Path):
    (tmp_path / "empty.jsonl").write_text("")
    assert import_file(database, tmp_path / "empty.jsonl").complete
    (tmp_path / "bom.jsonl").write_text(lines(record("a")), "utf-8-sig")
    (tmp_path / "bom.csv").write_text("type,id\nperson,b\n", "utf-8-sig")
    import_file(database, tmp_path / "bom.jsonl")
    import_file(database, tmp_path / "bom.csv")
    assert [item.id for item in database.all_records()] == ["a", "b"]


def test_bad_csv_rows_are_named_by_line(database: Database, tmp_path: Path):
    path = tmp_path / "people.csv"
    path.write_bytes(
        b"id,type,title,metadata\n"
        b'a,person,"two\nlines",\n'  # 2 and 3
        b"b,person,caf\xe9,\n"  # 4
        b"c,person\n"  # 5
        b"d,person,D,{oops\n"  # 6
        b'e,person,E,"{""n"": 1}"\n'
        b'f,"person"x,F,\n'  # 8
        b'g,person,"never closed,\n'  # 9
    )
    report = import_file(database, path, on_error="skip")
    reasons = {problem.line: problem.reason for problem in report.problems}
    assert sorted(reasons) == [2, 4, 5, 6, 8, 9]
    assert "U+000A" in reasons[2]
    assert "0xe9 in the column title" in reasons[4]
    assert "2 cells" in reasons[5]
    assert "JSON" in reasons[6]
    assert "cut off" in reasons[9]
    assert [(item.id, item.metadata) for item in database.all_records()] == [("e", {"n": 1})]


def test_a_quotation_mark_that_never_ends_does_not_fill_the_memory(
    database: Database, tmp_path: Path
):
    path = tmp_path / "open.csv"
    with path.open("wb") as stream:
        stream.write(b'id,type,text\na,person,fine\nb,person,"')
        for _ in range(20 * 2**10):
            stream.write(b"x" * 1023 + b"\n")
    report = import_file(database, path, on_error="skip")
    assert [(problem.line, "16 MB" in problem.reason) for problem in report.problems] == [(3, True)]
    assert database.counts()["records"] == 1


def test_networkx_reads_our_graphml_and_we_read_its(base: KnowledgeBase, tmp_path: Path):
    first, second = base.create("first"), base.create("second")
    first.upsert(RICH[:2])
    first.upsert_edges(RICH_EDGES[:3])
    export_file(first, tmp_path / "ours.graphml")
    graph = networkx.read_graphml(tmp_path / "ours.graphml")
    assert graph.nodes["person:ada"]["title"] == RICH[0].title
    assert sorted(data["relation"] for _, _, data in graph.edges(data=True)) == [
        "leads", "leads\u00a0<&>", "owns",
    ]  # fmt: skip

    theirs = networkx.DiGraph()
    theirs.add_node("city:rome", label="Rome", population=2_800_000, capital=True)
    theirs.add_node("italy", area=301.5)
    theirs.add_edge("city:rome", "italy", label="in", weight=2.5, since=1871)
    networkx.write_graphml(theirs, tmp_path / "theirs.graphml")
    import_file(second, tmp_path / "theirs.graphml")
    rome, italy = second.get(["city:rome", "italy"])
    assert (rome.type, rome.title) == ("city", "Rome")
    assert rome.metadata == {"population": 2_800_000, "capital": True}
    assert (italy.type, italy.title, italy.metadata) == ("node", "italy", {"area": 301.5})
    assert list(second.all_edges()) == [Edge("city:rome", "italy", "in", 2.5, {"since": 1871})]


BOMB = """<?xml version="1.0"?>
<!DOCTYPE g [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<graphml><graph><node id="&b;"/></graph></graphml>"""


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (BOMB, "not allowed"),
        ("<graphml><graph><node id='a'>", "cut off"),
        ("<html><p>hello</p></html>", "no GraphML"),
        ("<graphml>" + "<x>" * 50, "nested"),
        ("hello", "not well-formed"),
        ("<graphml><graph><node id='a'><graph><node id='b'/></graph></node></graph></graphml>",
         "inside a node"),
    ],
)  # fmt: skip
def test_graphml_that_cannot_be_trusted_is_refused(
    database: Database, tmp_path: Path, body: str, says: str
):
    (tmp_path / "in.graphml").write_text(body)
    with pytest.raises(ImportRefused, match=says):
        import_file(database, tmp_path / "in.graphml")


def test_a_folder_of_notes_becomes_records_and_links(database: Database, tmp_path: Path):
    notes = tmp_path / "notes"
    (notes / ".hidden").mkdir(parents=True)
    (notes / "sub").mkdir()
    (notes / ".hidden" / "x.md").write_text("no")
    (notes / "ada.md").write_text(
        "---\nid: person:ada\ntitle: Ada Lovelace\ntags: [maths, engines]\nborn: 1815\n"
        "aliases:\n  - Countess\n# comment\n---\n"
        "Wrote about the [[The Engine]], see [[plan|the plan]] and [[nothing]], [[person:ada]].\n"
    )
    (notes / "engine.md").write_text("---\nid: project:engine\ntitle: 'The Engine'\n---\nBrass.")
    (notes / "sub" / "Plan.md").write_text("# The plan\n\nBuild it with [[person:ada]].\n")
    report = import_file(database, notes)
    ada, plan = database.get(["person:ada", "doc:sub/plan"])
    assert (ada.type, ada.tags) == ("person", ("maths", "engines"))
    assert ada.metadata == {"born": 1815, "aliases": ["Countess"]}
    assert (plan.title, plan.source_type) == ("The plan", "markdown")
    assert sorted((edge.source, edge.target) for edge in database.all_edges()) == [
        ("doc:sub/plan", "person:ada"),
        ("person:ada", "doc:sub/plan"),
        ("person:ada", "project:engine"),
    ]
    assert (report.records_added, report.links_without_target, report.bad) == (3, 1, 0)


def test_notes_that_cannot_be_read_are_named_by_file_and_line(database: Database, tmp_path: Path):
    (tmp_path / "a.md").write_text("---\ntitle: Plan: the second\ntype: doc\n---\nText.")
    (tmp_path / "b.md").write_bytes(b"caf\xe9")
    (tmp_path / "c.md").write_text("---\nid: c\n  nested: no\n---\n")
    (tmp_path / "d.md").write_text("+++\ntitle = 'x'\nwrong\n+++\n")
    (tmp_path / "e.md").write_text("---\nid: e\nid: f\n---\n")
    (tmp_path / "f.md").write_text("---\n" + "a: &a [x, x]\n" + "".join(
        f"{chr(98 + at)}: &{chr(98 + at)} [*{chr(97 + at)}, *{chr(97 + at)}]\n" for at in range(20)
    ) + "---\n")  # fmt: skip
    with pytest.raises(ImportRefused) as caught:
        import_file(database, tmp_path, format="markdown")
    found = {problem.file: problem for problem in caught.value.report.problems}
    assert {name: problem.line for name, problem in found.items()} == {
        "a.md": 2, "b.md": 1, "c.md": 3, "d.md": 3, "e.md": 3, "f.md": 17,
    }  # fmt: skip
    assert "not YAML" in found["a.md"].reason
    assert "not TOML" in found["d.md"].reason
    assert "id is there twice" in found["e.md"].reason
    assert "unfolds to more than" in found["f.md"].reason


FRONT_MATTER = {
    "jekyll": (
        "---\nlayout: post\ntitle:  \"Welcome: to Jekyll!\"\ndate:   2024-03-05 10:00:00 +0100\n"
        "categories: [jekyll, update]\ntags: ruby web\nauthor:\n  name: Ada\n  links:\n"
        "    - https://ada.example\npublished: no\nsummary: >\n  Two\n  lines\n---\nBody\n",
        ("Welcome: to Jekyll!", ("ruby", "web"), "2024-03-05 10:00:00 +0100"),
        {"author": {"name": "Ada", "links": ["https://ada.example"]}, "published": "no",
         "summary": "Two lines\n", "categories": ["jekyll", "update"]},
    ),
    "hugo": (
        "+++\ntitle = 'A page'\ndate = 2024-03-05T10:00:00Z\ndraft = true\ntags = ['a', 'b']\n"
        "[params]\nweight = 3\n+++\nBody\n",
        ("A page", ("a", "b"), "2024-03-05T10:00:00+00:00"),
        {"draft": True, "params": {"weight": 3}},
    ),
    "obsidian": (
        "---\naliases:\n- Old name\ntags:\n  - one\n  - two/three\ncreated: 2024-01-01\n"
        "related: \"[[Other]]\"\nrating: 4.5\nempty:\n---\nBody\n",
        ("page", ("one", "two/three"), ""),
        {"aliases": ["Old name"], "created": "2024-01-01", "related": "[[Other]]", "rating": 4.5},
    ),
    "windows line ends": ("---\r\ntitle: T\r\ntags: a, b\r\n---\r\nBody\n",
                          ("T", ("a", "b"), ""), {}),
    "unknown tags": ("---\ntitle: T\nx: !ruby/object:Foo {a: 1}\n"
                     "y: !!python/name:os.system s\n---\n",
                     ("T", (), ""), {"x": {"a": 1}, "y": "s"}),
}  # fmt: skip


@pytest.mark.parametrize("name", FRONT_MATTER)
def test_front_matter_is_read_as_site_generators_do(database: Database, tmp_path: Path, name: str):
    text, expected, metadata = FRONT_MATTER[name]
    (tmp_path / "page.md").write_text(text, newline="")
    assert import_file(database, tmp_path).bad == 0
    [page] = database.get(["doc:page"])
    assert (page.title, page.tags, page.last_updated) == expected
    assert metadata.items() <= page.metadata.items()
    assert page.text in ("Body\n", "")


@pytest.mark.parametrize(
    "text",
    ["---\nA rule begins this note.\n\n---\nMore.", "---\nno end: of it\n", "---\n- a\n- b\n---\n",
     "+++\nnever closed", "----\nid: x\n----\n"],
)  # fmt: skip
def test_a_rule_of_dashes_is_no_front_matter(database: Database, tmp_path: Path, text: str):
    (tmp_path / "note.md").write_text(text)
    assert import_file(database, tmp_path).bad == 0
    assert database.get(["doc:note"])[0].text == text


def test_files_of_one_name_in_several_folders_are_records_of_their_own(
    database: Database, tmp_path: Path
):
    names = [
        "a/index.md",
        "b/index.md",
        "index.md",
        "b/Index.markdown",
        "b/in dex.md",
        "b/in-dex.md",
    ]
    for name in names:
        (tmp_path / "site" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "site" / name).write_text(f"Page {name}")
    report = import_file(database, tmp_path / "site")
    assert report.records_added == len(names)
    every = {record.id: record.text for record in database.all_records()}
    assert {"doc:a/index", "doc:b/index", "doc:index", "doc:b/in_dex"} <= every.keys()
    (tmp_path / "site/b/index.md").write_text("Changed")
    again = import_file(database, tmp_path / "site")
    assert (again.records_added, again.records_changed, again.records_unchanged) == (0, 1, 5)
    assert {record.id for record in database.all_records()} == every.keys()


REPEATED = {
    "in.jsonl": (
        lines(record("a", text="first"), record("b"), record("a", text="second")),
        RowProblem(3, "the id 'a' is in line 1 already; give each record an id of its own"),
    ),
    "in.csv": (
        "id,type,text\na,person,first\nb,person,\na,person,second\n",
        RowProblem(4, "the id 'a' is in line 2 already; give each record an id of its own"),
    ),
    "in.graphml": (
        "<graphml><graph><node id='a'/><node id='b'/><node id='a'/></graph></graphml>",
        None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REPEATED)
def test_an_id_that_is_there_twice_is_a_finding_and_the_first_stays(
    database: Database, tmp_path: Path, name: str
):
    text, problem = REPEATED[name]
    (tmp_path / name).write_text(text)
    with pytest.raises(ImportRefused, match="the id 'a' is in line") as caught:
        import_file(database, tmp_path / name)
    assert problem is None or caught.value.report.problems == [problem]
    assert database.counts()["records"] == 0
    report = import_file(database, tmp_path / name, on_error="skip")
    assert (report.records_added, report.records_changed, report.bad) == (2, 0, 1)
    assert problem is None or database.get(["a"])[0].text == "first"


def test_an_id_in_two_files_of_a_folder_names_both(database: Database, tmp_path: Path):
    for name in ("one", "two"):
        (tmp_path / f"{name}.md").write_text(f"---\nid: doc:same\n---\n{name}")
    with pytest.raises(ImportRefused, match=r"two\.md, line 1: the id 'doc:same' is in one\.md"):
        import_file(database, tmp_path)


def test_an_import_that_was_stopped_still_knows_the_ids_before_it(
    database: Database, tmp_path: Path
):
    every = [record(f"p{at}", text=str(at)) for at in range(2_500)]
    (tmp_path / "in.jsonl").write_text(lines(*every, record("p7", text="again")))
    first = import_file(database, tmp_path / "in.jsonl", on_error="skip", cancelled=lambda: True)
    assert not first.complete
    report = import_file(database, tmp_path / "in.jsonl", on_error="skip")
    assert (report.resumed, report.complete, report.bad) == (True, True, 1)
    assert database.get(["p7"])[0].text == "7"


def test_a_folder_may_mix_kinds_of_documents(database: Database, tmp_path: Path):
    (tmp_path / "a.md").write_text("# Plan\n\nSee [[report.pdf]].")
    (tmp_path / "b.txt").write_text("Plain text.")
    (tmp_path / "c.html").write_text("<title>Page</title><p>Seen</p><script>no</script>")
    (tmp_path / "report.pdf").write_bytes(pdf("Harbour report"))
    (tmp_path / "letter.docx").write_bytes(docx(paragraph("Dear Ada"), "A letter"))
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    report = import_file(database, tmp_path)
    assert (report.records_added, report.bad) == (5, 0)
    found = {
        one.id: (one.title, one.text.strip(), one.source_type) for one in database.all_records()
    }
    assert found == {
        "doc:a": ("Plan", "# Plan\n\nSee [[report.pdf]].", "markdown"),
        "doc:b_txt": ("b", "Plain text.", "text"),
        "doc:c_html": ("Page", "Seen", "html"),
        "doc:report_pdf": ("report", "Harbour report", "pdf"),
        "doc:letter_docx": ("A letter", "Dear Ada", "docx"),
    }
    (tmp_path / "bad.pdf").write_bytes(b"%PDF-1.4 cut")
    with pytest.raises(ImportRefused, match=r"bad\.pdf, line 1: The PDF cannot be read"):
        import_file(database, tmp_path)


def test_an_export_that_fails_leaves_the_old_file_and_nothing_else(
    database: Database, tmp_path: Path
):
    database.upsert(RICH)
    out = tmp_path / "out"
    out.mkdir()
    (out / "a.jsonl").write_text("old")
    for name, kind in (("a.jsonl", "jsonl"), ("tables", "csv")):
        with pytest.raises(KnowledgeError, match="cancelled"):
            export_file(database, out / name, format=kind, cancelled=lambda: True)
    assert [path.name for path in out.iterdir()] == ["a.jsonl"]
    assert (out / "a.jsonl").read_text() == "old"
    with pytest.raises(KnowledgeError, match="not an empty folder"):
        export_file(database, out, format="markdown")


def test_progress_of_an_export_ends_at_the_total(database: Database, tmp_path: Path):
    database.upsert(RICH)
    told: list[tuple[int, int]] = []
    export_file(database, tmp_path / "a.jsonl", progress=lambda *now: told.append(now))
    assert told[-1] == (5, 5)
    assert told == sorted(told)
