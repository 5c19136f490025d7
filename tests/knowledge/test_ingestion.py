"""Documents into entities and relations, through `ingest` on a real database."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader, PdfWriter
from tests.effort import examples
from tests.knowledge.files import docx, paragraph, pdf

from antiphon.knowledge.database import Database
from antiphon.knowledge.errors import KnowledgeError
from antiphon.knowledge.ingestion import ingest, kind_of
from antiphon.knowledge.records import Edge, Record
from antiphon.knowledge.service import KnowledgeBase
from antiphon.text.sentences import split_sentences

DOCUMENTS = Path(__file__).parent / "documents"
STUDIO = (DOCUMENTS / "studio.txt").read_text()


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


def ids(database: Database) -> set[str]:
    return {record.id for record in database.all_records() if record.type != "doc"}


def stated(database: Database, relation: str | None = None) -> set[tuple[str, str, str]]:
    return {
        (edge.source, edge.relation, edge.target)
        for edge in database.all_edges()
        if edge.relation not in ("mentions", "related_to") or edge.relation == relation
    }


def test_a_text_gives_people_organisations_places_and_values(database: Database):
    report = ingest(database, STUDIO, source="studio.txt")
    assert ids(database) == {
        "person:ada_lovelace", "person:charles_babbage", "person:priya_raman",
        "person:elena_vasquez", "person:m_pop", "org:acme_robotics", "org:blue_harbour_studios",
        "org:bank_of_england", "org:university_of_oxford", "place:london", "place:cluj_napoca",
        "term:knowledge_graph", "term:redis", "term:kafka", "term:postgresql",
        "term:harbor_light", "date:2019-03-14", "date:2021", "date:2024-03",
        "amount:usd_2500000", "percent:12", "email:ada@acme.example", "link:acme.example/about",
        "link:acme.example/jobs",
    }  # fmt: skip
    assert report.entities["person"] == 5
    assert report.entities_new == sum(report.entities.values()) == len(ids(database))
    assert report.complete
    assert not report.unchanged


def test_relations_are_read_from_verbs_roles_and_possession(database: Database):
    database.upsert([Record("project:harbor_light", "project", "Harbor Light")])
    ingest(database, STUDIO, source="studio.txt")
    assert stated(database) == {
        ("person:ada_lovelace", "leads", "org:acme_robotics"),
        ("person:ada_lovelace", "reports_to", "person:charles_babbage"),
        ("person:ada_lovelace", "created", "term:knowledge_graph"),
        ("term:knowledge_graph", "uses", "term:redis"),
        ("term:knowledge_graph", "uses", "term:kafka"),
        ("term:knowledge_graph", "uses", "term:postgresql"),
        ("person:m_pop", "leads", "project:harbor_light"),
        ("org:acme_robotics", "based_in", "place:cluj_napoca"),
        ("org:acme_robotics", "acquired", "org:blue_harbour_studios"),
        ("person:priya_raman", "works_for", "org:acme_robotics"),
        ("person:priya_raman", "works_on", "project:harbor_light"),
        ("person:elena_vasquez", "works_for", "org:bank_of_england"),
    }


def test_every_edge_says_where_it_was_learned(database: Database):
    report = ingest(database, STUDIO, source="studio.txt")
    for edge in database.all_edges():
        told = edge.provenance
        assert told["source"] == "studio.txt"
        assert told["sentence"] in STUDIO
        assert 0 < told["confidence"] == edge.weight < 1
        assert told["rule"]
    [mention] = [edge for edge in database.all_edges() if edge.target == "term:knowledge_graph"
                 and edge.relation == "mentions"]  # fmt: skip
    assert mention.source == report.document
    assert STUDIO[mention.provenance["offset"] :].startswith("Knowledge Graph (KG)")
    assert mention.provenance["count"] == 3
    sure = {e.relation: e.weight for e in database.all_edges() if e.relation != "mentions"}
    assert sure["related_to"] <= 0.5 < sure["reports_to"]


def test_ways_to_write_a_name_become_one_entity(database: Database):
    ingest(database, STUDIO, source="studio.txt")
    ada, acme = database.get(["person:ada_lovelace", "org:acme_robotics"])
    assert ada.title == "Ada Lovelace"
    assert ada.metadata["aliases"] == ["A. Lovelace", "Ada Lovelacce", "Lovelace"]
    assert acme.title == "Acme Robotics"
    assert acme.metadata["aliases"] == ["Acme Robotics Limited", "Acme Robotics Ltd"]


def test_names_the_database_knows_are_found_and_its_records_left_alone(database: Database):
    own = [
        Record("person:ada", "person", "Ada Lovelace", "Ours.", metadata={"aliases": ["Countess"]}),
        Record("org:acme", "org", "ACME ROBOTICS, Inc."),
        Record("process:onboarding", "process", "New client onboarding"),
        Record("project:kg", "project", "Knowledge Graph"),
    ]
    database.upsert(own)
    report = ingest(
        database,
        "A. Lovelace leads Acme Robotics. The Countess wrote the new client onboarding with care. "
        "Ada Lovelacee uses the Knowledge Graph (KG). Nobody needs more KG than Acme Robotics.",
        source="note",
    )
    assert ids(database) == {record.id for record in own}
    assert database.get([record.id for record in own]) == own
    assert ("person:ada", "leads", "org:acme") in stated(database)
    assert ("person:ada", "created", "process:onboarding") in stated(database)
    assert ("person:ada", "uses", "project:kg") in stated(database)
    assert (report.entities_new, report.entities_merged) == (0, 4)


def test_two_people_with_one_last_name_are_kept_apart(database: Database):
    ingest(database, "Ada Byron met Anna Byron. Byron smiled. A. Byron left.", source="x")
    assert {"person:ada_byron", "person:anna_byron"} <= ids(database)
    assert database.get(["person:ada_byron"])[0].metadata.get("aliases") is None


def test_ingesting_again_changes_nothing_and_everywhere_gives_the_same(base: KnowledgeBase):
    first, second = base.create("first"), base.create("second")
    ingest(first, STUDIO, source="studio.txt")
    before, revision = content(first), first.revision
    again = ingest(first, STUDIO, source="studio.txt")
    assert again.unchanged
    assert again.complete
    assert (content(first), first.revision) == (before, revision)
    ingest(second, STUDIO, source="studio.txt")
    assert content(second) == before


def test_a_second_document_adds_its_evidence_to_the_same_relation(database: Database):
    one = ingest(database, "Maria Silva leads Tideline Labs.", source="one")
    two = ingest(database, "Note well. Tideline Labs is led by Maria Silva.", source="two")
    [edge] = [edge for edge in database.all_edges() if edge.relation == "leads"]
    assert edge.provenance["documents"] == sorted([one.document, two.document])
    assert edge.provenance["source"] == "two"  # it is the surer of the two
    assert (two.relations_new, two.relations_merged) == (0, 1)
    assert (two.entities_new, two.entities_merged) == (0, 2)


def test_an_edge_that_people_entered_stays_as_it_is(database: Database):
    database.upsert([Record("person:maria_silva", "person", "Maria Silva"),
                     Record("org:tideline_labs", "org", "Tideline Labs")])  # fmt: skip
    own = Edge("person:maria_silva", "org:tideline_labs", "leads", 1.0, {"by": "hand"})
    database.upsert_edges([own])
    ingest(database, "Maria Silva leads Tideline Labs.", source="one")
    assert own in list(database.all_edges())


def test_a_sentence_that_denies_states_nothing(database: Database):
    ingest(database, "Maria Silva does not lead Tideline Labs.", source="x")
    assert stated(database) == set()
    assert ("org:tideline_labs", "related_to", "person:maria_silva") in stated(
        database, "related_to"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Due 2026-02-30 or 31/12/2026.", {"date:2026-12-31"}),
        ("On 03/04/2026, next Tuesday.", set()),
        ("By the 1st of May 2026, May 2, 2026 and 3.5.2026.",
         {"date:2026-05-01", "date:2026-05-02", "date:2026-05-03"}),
        ("It cost USD 1,250.50, £3k and 20 euros.",
         {"amount:usd_1250.5", "amount:gbp_3000", "amount:eur_20"}),
        ("Up 3.5 % or 10 percent, -2%.", {"percent:3.5", "percent:10", "percent:-2"}),
        ("Mail a.b+c@d.example, not @home or x@y.", {"email:a.b+c@d.example"}),
        ("See (https://x.example/a_(b)), ok.", {"link:x.example/a_(b)"}),
    ],
)  # fmt: skip
def test_values_are_read_when_they_mean_one_thing(
    database: Database, text: str, expected: set[str]
):
    ingest(database, text, source="x")
    assert ids(database) == expected


def test_sentences_know_their_place_and_initials_do_not_end_them():
    first = "Dr. A. Lovelace met Mr. Pop, e.g. at 3 p.m. yesterday."
    text = f"{first} Really? Yes!\n\nHeading\n\n- one\n- two"
    found = list(split_sentences(text))
    assert [sentence.text for sentence in found] == [
        first, "Really?", "Yes!", "Heading", "- one", "- two",
    ]  # fmt: skip
    assert all(text[s.offset : s.offset + len(s.text)] == s.text for s in found)


@given(st.text())
@settings(max_examples=examples(200))
def test_no_word_is_lost_between_sentences(text: str):
    found = list(split_sentences(text))
    assert "".join("".join(s.text.split()) for s in found) == "".join(text.split())
    assert all(text[s.offset : s.offset + len(s.text)] == s.text for s in found)


def test_markdown_is_read_without_its_marks_and_code(database: Database):
    report = ingest(database, (DOCUMENTS / "notes.md").read_bytes(), source="n.md", kind="markdown")
    assert report.title == "Harbour notes"
    assert ids(database) == {
        "person:nadia_petrov", "project:tideline", "link:tideline.example/plan",
        "term:opensearch", "amount:eur_1200000.5", "date:2026-q3",
    }  # fmt: skip
    assert ("person:nadia_petrov", "leads", "project:tideline") in stated(database)


def test_html_is_read_as_it_is_seen(database: Database):
    report = ingest(database, (DOCUMENTS / "page.html").read_bytes(), source="p", kind="html")
    assert report.title == "About & more"
    text = database.get([report.document])[0].text
    assert "Evil" not in text
    assert "Hidden" not in text
    assert "color" not in text
    assert ("person:nadia_petrov", "works_for", "org:harbour_analytics") in stated(database)
    assert {"link:harbour.example", "email:nadia@harbour.example", "place:lisbon"} <= ids(database)


def test_a_pdf_is_read_page_by_page_and_words_are_put_together(database: Database):
    report = ingest(
        database, pdf("Nadia Petrov works for Harbour Ana-\nlytics GmbH.", "She lives in Lisbon."),
        source="cv.pdf", kind="pdf",
    )  # fmt: skip
    assert report.sentences == 2
    assert ("person:nadia_petrov", "works_for", "org:harbour_analytics") in stated(database)


def test_a_word_document_is_read_with_its_tables_and_without_what_was_deleted(database: Database):
    cell = "<w:tc>{}</w:tc>".format
    body = (
        paragraph("Nadia Petrov works for Harbour Analytics GmbH.")
        + "<w:p><w:del><w:r><w:delText>Gone.</w:delText></w:r></w:del>"
        "<w:r><w:t>She lives</w:t></w:r><w:r><w:t> in Lisbon.</w:t></w:r></w:p>"
        + f"<w:tbl><w:tr>{cell(paragraph('Rent'))}{cell(paragraph('900'))}</w:tr></w:tbl>"
    )
    report = ingest(database, docx(body, "A life"), source="cv.docx", kind="docx")
    assert report.title == "A life"
    text = database.get([report.document])[0].text
    assert text == (
        "Nadia Petrov works for Harbour Analytics GmbH.\n\nShe lives in Lisbon.\n\nRent\t900"
    )
    assert ("person:nadia_petrov", "works_for", "org:harbour_analytics") in stated(database)


def test_the_kind_of_a_document_is_told_from_its_content_then_its_name():
    assert kind_of("x.txt", pdf("x")) == "pdf"
    assert kind_of("x", docx(paragraph("x"))) == "docx"
    assert kind_of("Page.HTM", b"<p>") == "html"
    assert kind_of("notes.md", b"# x") == "markdown"
    assert kind_of("upload", b"<p>", "text/html") == "html"
    assert kind_of("upload", b"x", "application/octet-stream") == "text"


def encrypted() -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf("Secret."))))
    writer.encrypt("password", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("content", "kind", "says"),
    [
        (b"", "text", "no text"),
        (" \n\t ", "text", "no text"),
        ("text", "odt", "choose text"),
        ("text", "docx", "as bytes"),
        (b"hello", "docx", "cannot be read"),
        (b"\xd0\xcf\x11\xe0 an old one", "docx", "save it as .docx"),
        (docx("<w:p/>"), "docx", "no text"),
        (docx("<w:p/>")[:200], "docx", "cannot be read"),
        (docx("<!DOCTYPE x><w:p/>"), "docx", "entities"),
        # Made when it is needed: to pack it takes half a second.
        (lambda: docx(f"<w:p>{' ' * 70_000_000}</w:p>"), "docx", "unpacks to more than 64 MB"),
        (docx(paragraph("x")), "text", "kind: docx"),
        (os.urandom(2_000) + b"\xff\0\xfe", "text", "binary"),
        ("\0\1\2\3" * 100, "text", "binary"),
        (pdf("x"), "text", "kind: pdf"),
        ("%PDF-1.4", "pdf", "as bytes"),
        (b"hello", "pdf", "not a PDF"),
        (pdf("x")[:200], "pdf", "cannot be read"),
        (b"%PDF-1.4\n" + b"\0" * 500, "pdf", "cannot be read"),
        (encrypted(), "pdf", "encrypted"),
        (pdf(""), "pdf", "no text"),
        (b"\xff\xfea", "text", "damaged at byte"),
        ("x" * 10_000_001, "text", "split it"),
        (None, "text", "text or bytes"),
    ],
    ids=lambda value: str(value)[:12] if isinstance(value, str) else None,
)
def test_what_is_no_document_is_refused_with_a_reason(
    database: Database, content: Any, kind: str, says: str
):
    given = content() if callable(content) else content
    with pytest.raises(KnowledgeError, match=says):
        ingest(database, given, source="x", kind=kind)
    assert database.counts()["records"] == 0


def test_the_source_is_one_line(database: Database):
    with pytest.raises(KnowledgeError, match="source"):
        ingest(database, "x", source="two\nlines")


@pytest.mark.parametrize(
    ("content", "note"),
    [
        ("Café Zoë opened in Paris.".encode("utf-16"), "UTF-16"),
        ("Café Zoë opened in Paris.".encode("utf-16-le"), "UTF-16"),
        ("Café Zoë opened in Paris.".encode("latin-1"), "Latin-1"),
        (b"Caf\xc3\xa9 Zo\xc3\xab opened\0 in Paris.", "zero characters"),
        ("Café Zoë opened in Paris.\ud800", "broken characters"),
        ("Café Zoë opened in Paris.".encode("utf-8-sig"), None),
    ],
)
def test_other_encodings_are_read_with_a_note(
    database: Database, content: str | bytes, note: str | None
):
    report = ingest(database, content, source="x")
    assert "Café Zoë opened in Paris." in database.get([report.document])[0].text
    assert (note is None and not report.notes) or note in report.notes[0]


class Scripted:
    """A model that always gives the same answer."""

    name = "scripted"

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.asked: list[str] = []

    def extract(self, sentences: Sequence[str]) -> Mapping[str, Any]:
        self.asked += sentences
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def test_a_model_adds_to_what_the_rules_find(database: Database):
    text = "the widget team at Tideline Labs looks after gearbox design."
    answer = {
        "entities": [
            {"sentence": 0, "name": "widget team", "type": "organization", "confidence": 0.8},
            {"sentence": 0, "name": "Gearbox Design", "type": "concept", "confidence": 7},
        ],
        "relations": [
            {"sentence": 0, "source": "widget team", "relation": "Looks after",
             "target": "gearbox design", "confidence": 0.7},
        ],
    }  # fmt: skip
    extractor = Scripted(answer)
    report = ingest(database, text, source="x", extractor=extractor)
    assert extractor.asked == [text]
    assert ids(database) == {"org:widget_team", "term:gearbox_design", "org:tideline_labs"}
    assert stated(database) == {("org:widget_team", "looks_after", "term:gearbox_design")}
    assert report.skipped == {}
    assert ingest(database, text, source="x", extractor=extractor).unchanged
    assert len(extractor.asked) == 1


@pytest.mark.parametrize(
    "answer",
    [
        None, "text", [], {"entities": "none", "relations": 7}, {"entities": [None, 1]},
        {"entities": [{"sentence": 0, "name": "Invented Person", "type": "person"}]},
        {"entities": [{"sentence": 9, "name": "Tideline Labs"}]},
        {"entities": [{"sentence": True, "name": "Tideline Labs"}]},
        {"entities": [{"sentence": 0, "name": ["a"]}, {"sentence": 0, "name": "x" * 5_000}]},
        {"relations": [{"sentence": 0, "source": "Tideline Labs", "target": "Nobody",
                        "relation": "owns"}]},
        {"relations": [{"sentence": 0, "source": "Tideline Labs", "target": "Lisbon",
                        "relation": "'; DROP TABLE edges"}]},
    ],
)  # fmt: skip
def test_what_a_model_says_is_checked_against_the_text(database: Database, answer: Any):
    report = ingest(database, "Tideline Labs opened in Lisbon.", source="x",
                    extractor=Scripted(answer))  # fmt: skip
    assert ids(database) == {"org:tideline_labs", "place:lisbon"}
    assert stated(database) == set()
    assert sum(report.skipped.values()) >= 1
    assert all(reason.startswith("model: ") for reason in report.skipped)


def test_without_an_answer_of_the_model_the_rules_are_used_and_it_is_said(database: Database):
    broken = Scripted(KnowledgeError("no connection"))
    report = ingest(database, "Tideline Labs opened in Lisbon.", source="x", extractor=broken)
    assert ids(database) == {"org:tideline_labs", "place:lisbon"}
    assert report.notes == ["the model gave no answer: no connection"]


def long_text() -> str:
    letters = "abcdefghijklmnopqrst"
    return "\n".join(
        f"Ada {a.upper()}{b}{c}sson leads {c.upper()}{b}{a}ton Labs." for a in letters
        for b in letters for c in "a"
    )  # fmt: skip


@pytest.mark.parametrize("steps", [1, 11, 14])
def test_a_cancelled_ingestion_is_completed_by_the_next(base: KnowledgeBase, steps: int):
    text = long_text()
    whole, partly = base.create("whole"), base.create("partly")
    told: list[tuple[int, int]] = []
    ingest(whole, text, source="x", progress=lambda *now: told.append(now))
    assert told == sorted(told)
    assert told[-1] == (2 * len(text), 2 * len(text))
    left = iter(range(steps))
    report = ingest(partly, text, source="x", cancelled=lambda: next(left, None) is None)
    assert not report.complete
    assert partly.counts() != whole.counts()
    assert ingest(partly, text, source="x").complete
    assert content(partly) == content(whole)


KILLED = """
import os, signal, sys
from pathlib import Path
from antiphon.knowledge.service import KnowledgeBase
from antiphon.knowledge.ingestion import ingest, kind_of
database = KnowledgeBase.open(Path(sys.argv[1])).database("partly")
def kill(done, total):
    if database.counts()["edges"] > 500:
        os.kill(os.getpid(), signal.SIGKILL)
ingest(database, Path(sys.argv[2]).read_text(), source="x", progress=kill)
"""


def test_a_killed_ingestion_loses_and_doubles_nothing(base: KnowledgeBase, tmp_path: Path):
    whole, partly = base.create("whole"), base.create("partly")
    ingest(whole, long_text(), source="x")
    partly.close_idle()
    (tmp_path / "text").write_text(long_text())
    command = [sys.executable, "-c", KILLED, str(base.folder), str(tmp_path / "text")]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    assert 0 < partly.counts()["edges"] < whole.counts()["edges"]
    ingest(partly, long_text(), source="x")
    assert content(partly) == content(whole)


def test_any_text_can_be_ingested(database: Database):
    @given(st.text(min_size=1))
    @settings(max_examples=60, deadline=None)
    def try_one(text: str) -> None:
        try:
            outcome = "complete" if ingest(database, text, source="x").complete else "not"
        except KnowledgeError as error:
            outcome = str(error)
        assert outcome == "complete" or "no text" in outcome or "binary" in outcome

    try_one()


@pytest.mark.parametrize(
    "piece", [".", "<a ", "<!--", "[", "**a ", "a@", "(AB) ", "http://", "\n "]
)
@pytest.mark.parametrize("kind", ["text", "markdown", "html"])
def test_a_text_made_to_be_slow_is_not(database: Database, piece: str, kind: str):
    """What takes time that grows with the square of the length would run into the time limit."""
    report = ingest(database, "Rome. " + piece * 60_000, source="x", kind=kind)
    assert report.complete


def test_signs_that_are_no_tags_stay_and_tags_without_end_hide_nothing(database: Database):
    report = ingest(
        database, "1 < 2 &lt;b&gt; <b title='a>b'>bold</b> <i never closed", source="x", kind="html"
    )
    assert database.get([report.document])[0].text == "1 < 2 <b> bold <i never closed"
