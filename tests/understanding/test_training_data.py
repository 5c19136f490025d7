"""The data of training: marks become spans and back, faults are named with their line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from training import generate
from training.texts import DataError, Span, load, unmarked, utterance

TOOL = {
    "name": "water_plants",
    "description": "Water the plants of a room.",
    "writes": True,
    "parameters": {
        "room": {"type": "string", "description": "The room"},
        "strength": {"type": "string", "enum": ["gentle", "strong"], "description": "The jet"},
    },
    "required": ["room"],
    "phrases": ["Water the plants in {room}"],
}
SAID = """@ water_plants
plain: water the [room:hall] [strength=gentle:gently]
question: could you water the [room:winter garden]?
two: water the [room:hall] ||water_plants|| and then the [room:attic]
negated: don't water anything

@ -
talk: good morning
fact: who looks after the greenhouse?
"""
RECORDS = """# person: Orla Finch
Keeper of the greenhouse since 2019. Her extension is 417.
? who keeps the greenhouse => Orla Finch
? extension and since when => 417 | 2019
? what does she earn => -
"""


def written(folder: Path, said: str = SAID, records: str = RECORDS, talk: str = "") -> Path:
    (folder / "tools-x1.jsonl").write_text(json.dumps(TOOL) + "\n")
    (folder / "said-x1.txt").write_text(said)
    (folder / "records-x1.txt").write_text(records)
    if talk:
        (folder / "dialogues-x1.txt").write_text(talk)
    return folder


def marked(text: str, spans: tuple[Span, ...]) -> str:
    for span in reversed(spans):
        value = "" if span.value is None else f"={span.value}"
        words = text[span.start : span.end]
        text = f"{text[: span.start]}[{span.parameter}{value}:{words}]{text[span.end :]}"
    return text


@pytest.mark.parametrize(
    "line",
    [
        "water the [room:hall] [strength=gentle:gently]",
        "[room:hall]",
        "no mark at all, not even in (brackets) or [1]",
    ],
)
def test_marks_become_spans_and_spans_the_same_marks(line: str) -> None:
    assert marked(*unmarked(line)) == line


def test_a_second_request_keeps_its_tool_its_place_and_its_spans() -> None:
    one = utterance("two: water the [room:hall] ||rent_boat|| and a boat for [hours:two]", "a", "x")
    assert one.text == "water the hall and a boat for two"
    first, second = one.parts
    assert (first.tool, second.tool) == ("a", "rent_boat")
    assert one.text[second.start : second.end] == "and a boat for two"
    assert [one.text[s.start : s.end] for s in second.spans] == ["two"]


def test_files_of_a_folder_become_what_was_said_asked_and_answered(tmp_path: Path) -> None:
    talk = "@ water_plants\nU request: water plants\nA room: Which room?\nU answer: [room:attic]\n"
    data = load(written(tmp_path, talk=talk))
    assert [one.kind for one in data.said] == [
        *("plain", "question", "two", "negated", "talk", "fact"),
    ]
    (record,) = data.records
    answers = [[record.whole[a:b] for a, b in q.answers] for q in record.questions]
    assert answers == [["Orla Finch"], ["417", "2019"], []]
    (dialogue,) = data.dialogues
    assert [turn.kind for turn in dialogue.turns] == ["request", "ask", "answer"]


@pytest.mark.parametrize(
    ("said", "records", "complaint"),
    [
        ("@ nothing\n", "", "said-x1.txt:1: nothing is no tool"),
        ("@ water_plants\nshout: x\n", "", "said-x1.txt:2: begins with no kind that fits"),
        ("@ water_plants\nplain: the [attic:hall]\n", "", "water_plants has no parameter attic"),
        ("@ water_plants\nplain: [strength=wild:wildly]\n", "", "wild is none of"),
        ("@ water_plants\nplain: the [room:hall\n", "", "a mark is not closed"),
        ("@ water_plants\ntwo: only one\n", "", "belong together"),
        ("@ -\ntalk:\n", "", "nothing is said"),
        ("", "# a: B\nText.\n? who => Nobody\n", "records-x1.txt:3: not in the record letter by"),
        ("", "? who => Nobody\n", "records-x1.txt:1: a question without a record"),
    ],
)
def test_what_is_wrong_is_named_with_its_file_and_line(
    tmp_path: Path, said: str, records: str, complaint: str
) -> None:
    complaints: list[str] = []
    load(written(tmp_path, said, records), complaints)
    (found,) = complaints
    assert complaint in found
    with pytest.raises(DataError):
        load(tmp_path)


def test_a_tool_that_is_declared_badly_is_named(tmp_path: Path) -> None:
    written(tmp_path)
    bad = {**TOOL, "name": "other", "required": ["attic"]}
    lines = [json.dumps(TOOL), json.dumps(TOOL), json.dumps(bad), "{}"]
    (tmp_path / "tools-x1.jsonl").write_text("\n".join(lines))
    complaints: list[str] = []
    load(tmp_path, complaints)
    assert [each.partition(" ")[0] for each in complaints] == [
        f"tools-x1.jsonl:{number}:" for number in (2, 3, 4)
    ]


def test_generated_dialogues_are_the_same_each_time_and_can_be_read(tmp_path: Path) -> None:
    generate.main(written(tmp_path))
    path = tmp_path / "dialogues-x1.generated.txt"
    first = path.read_bytes()
    data = load(tmp_path)
    assert len(data.dialogues) == generate.EACH
    kinds = {turn.kind for dialogue in data.dialogues for turn in dialogue.turns}
    assert {"request", "ask", "answer", "none", "cancel", "correct", "more", "new"} <= kinds
    path.unlink()
    generate.main(tmp_path)
    assert path.read_bytes() == first
