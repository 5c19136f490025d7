"""Previews: what a person reads before approving says what will happen, and cannot be spoofed."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.effort import examples

from antiphon.contracts import ToolDefinition
from antiphon.orchestrator.preview.render import MAX_VALUES, Preview, render_preview

CORPUS = sorted((Path(__file__).parent.parent / "corpus").glob("*.json"))


def tool(
    properties: Any = None,
    *,
    description: str = "Do the thing.",
    tool_id: str = "do_thing",
    redact: tuple[str, ...] = (),
    more: Any = None,
) -> ToolDefinition:
    schema = {"type": "object", "additionalProperties": False, "properties": properties or {}}
    return ToolDefinition(
        tool_id=tool_id,
        version="1.0.0",
        description=description,
        category="action",
        side_effects="writes",
        idempotent=False,
        requires_confirmation=True,
        allowed_modes=("text", "voice"),
        latency_budget_ms=100,
        parameters={**schema, **(more or {})},
        redact=redact,
    )


def any_of(names: Any) -> dict[str, Any]:
    """Properties of these names that may be anything."""
    return {name: {} for name in names}


def shown(schema: Any, value: Any, zone: str = "UTC") -> str:
    """How the only argument of a tool is displayed."""
    [field] = render_preview(tool({"it": schema}), {"it": value}, zone=zone).fields
    display: str = field["display"]
    return display


def spoken(schema: Any, value: Any) -> str:
    """How the only argument of a tool appears in the text."""
    text = render_preview(tool({"it": schema}), {"it": value}).text
    assert text.startswith("Do the thing. It: ")
    assert text.endswith(".")
    return text.removeprefix("Do the thing. It: ")[:-1]


def labels(preview: Preview) -> list[str]:
    return [field["label"] for field in preview.fields]


def displays(preview: Preview) -> dict[str, str]:
    return {field["name"]: field["display"] for field in preview.fields}


def test_a_calendar_event_reads_as_a_person_would_say_it() -> None:
    event = tool(
        {
            "title": {"type": "string"},
            "start_time": {"type": "string", "format": "date-time"},
            "attendees": {"type": "array", "items": {"type": "string", "format": "email"}},
            "include_zoom_link": {"type": "boolean", "default": True},
        },
        tool_id="calendar_create_event",
        description="Create calendar event with Zoom link. Requires confirmation.",
    )
    preview = render_preview(
        event,
        {
            "include_zoom_link": True,
            "attendees": ["ada@x.org", "bob@y.org", "c@z.org", "d@z.org", "e@z.org"],
            "start_time": "2026-01-13T14:00:00Z",
            "title": "Design review",
        },
    )
    assert preview.title == (
        "Create calendar event with Zoom link: title “Design review”, "
        "start time Tuesday 13 January 2026, 14:00 UTC?"
    )
    assert preview.text == (
        "Create calendar event with Zoom link. Title: “Design review”; "
        "Start time: Tuesday 13 January 2026, 14:00 UTC; "
        "Attendees: ada@x.org, bob@y.org and 3 more; Include zoom link: yes."
    )
    assert preview.fields[:2] == [
        {
            "name": "title",
            "label": "Title",
            "value": "Design review",
            "display": "Design review",
            "full": "Design review",
        },
        {
            "name": "start_time",
            "label": "Start time",
            "value": "2026-01-13T14:00:00Z",
            "display": "Tuesday 13 January 2026, 14:00 UTC",
            "full": "Tuesday 13 January 2026, 14:00 UTC",
        },
    ]
    everybody = ["ada@x.org", "bob@y.org", "c@z.org", "d@z.org", "e@z.org"]
    assert preview.fields[2]["value"] == everybody
    assert preview.fields[2]["full"].splitlines() == everybody
    assert preview.complete


def test_every_value_is_there_in_full() -> None:
    guests = [f"colleague{number}@example.org" for number in range(49)] + ["mallory@evil.example"]
    text = "\n".join(f"Line {number}: {'word ' * 30}".strip() for number in range(20))
    steps = [
        {"function": f"f{n}", "args": {"a": n, "b": [n, n], "c": "x", "d": "y"}} for n in range(9)
    ]
    args = {"guests": guests, "text": text, "steps": steps}
    fields = {each["name"]: each for each in render_preview(tool(any_of(args)), args).fields}
    assert fields["guests"]["value"] == guests
    assert fields["guests"]["full"].splitlines() == guests
    assert fields["text"]["full"] == text
    assert fields["text"]["value"] == " ".join(text.split())
    assert fields["steps"]["value"] == steps
    lines = fields["steps"]["full"].splitlines()
    assert len(lines) == 9
    assert lines[8] == "(function: f8, args: (a: 8, b: (8, 8), c: x, d: y))"


def test_a_question_says_everything_or_is_not_asked_aloud() -> None:
    lights = tool({"room": {"type": "string"}, "colours": {"type": "array"}}, description="Dim it.")
    asked = render_preview(lights, {"room": "hall", "colours": ["red", "blue", "green", "grey"]})
    assert asked.question == (
        "Dim it? Room: hall; Colours: (red, blue, green, grey). Please say yes or no."
    )
    assert render_preview(lights, {}).question == "Dim it? Please say yes or no."
    assert render_preview(lights, {"room": "x" * 240}).question is None
    assert render_preview(lights, {"room": "x" * 70_000}).question is None
    secret = tool({"pin": {"type": "string"}}, redact=("/pin",))
    assert render_preview(secret, {"pin": "4711"}).question is None


def test_the_one_thing_that_a_tool_is_about_stands_in_its_sentence() -> None:
    macro = tool(
        {"macro_id": {"type": "string"}, "keep_runs": {"type": "boolean"}},
        tool_id="delete_macro",
        description="Delete a saved macro by its id, its exact trigger phrase or its exact name.",
    )
    preview = render_preview(macro, {"macro_id": "good day"})
    assert preview.text == "Delete the macro “good day”."
    assert preview.question == "Delete the macro “good day”? Please say yes or no."
    assert render_preview(macro, {"macro_id": "good day " * 12}).question is None
    assert displays(preview) == {"macro_id": "good day"}
    more = render_preview(macro, {"macro_id": "good day", "keep_runs": True})
    assert more.text == "Delete the macro “good day”. Keep runs: yes."
    hidden = render_preview(
        tool(
            {"macro_id": {}},
            tool_id="delete_macro",
            description="Delete it.",
            redact=("/macro_id",),
        ),
        {"macro_id": "good day"},
    )
    assert "good day" not in hidden.text


# -- values -----------------------------------------------------------------------------------

DATE_TIME = {"type": "string", "format": "date-time"}
NULLABLE_DATE_TIME = {"anyOf": [{"type": "null"}, DATE_TIME]}
PLAN = {"oneOf": [{"const": "a", "title": "Annual"}, {"const": "m", "title": "Monthly"}]}


@pytest.mark.parametrize(
    ("schema", "value", "display"),
    [
        (DATE_TIME, "2026-01-13T14:00:00Z", "Tuesday 13 January 2026, 14:00 UTC"),
        (DATE_TIME, "2026-01-13t14:00:00z", "Tuesday 13 January 2026, 14:00 UTC"),
        (DATE_TIME, "2026-01-13T23:30:00-05:00", "Wednesday 14 January 2026, 04:30 UTC"),
        (DATE_TIME, "2026-01-13T14:00:30.250Z", "Tuesday 13 January 2026, 14:00:30.25 UTC"),
        (DATE_TIME, "2026-01-13T14:00:00", "Tuesday 13 January 2026, 14:00 (no time zone given)"),
        (DATE_TIME, "0001-01-01T00:00:00+02:00", "Monday 1 January 1, 00:00 UTC+02:00"),
        (DATE_TIME, "2016-12-31T23:59:60Z", "2016-12-31T23:59:60Z"),
        (DATE_TIME, "next Tuesday", "next Tuesday"),
        (NULLABLE_DATE_TIME, "2026-01-13T14:00:00Z", "Tuesday 13 January 2026, 14:00 UTC"),
        (NULLABLE_DATE_TIME, None, "none"),
        ({"type": "string"}, "2026-01-13T14:00:00Z", "2026-01-13T14:00:00Z"),
        ({"format": "date"}, "2024-02-29", "Thursday 29 February 2024"),
        ({"format": "date"}, "2023-02-29", "2023-02-29"),
        ({"format": "time"}, "07:05:00Z", "07:05 UTC"),
        ({"format": "time"}, "07:05:09+02:00", "07:05:09 UTC+02:00"),
        ({"format": "duration"}, "PT1H30M", "1 hour 30 minutes"),
        ({"format": "duration"}, "P1Y2M3DT0.5S", "1 year 2 months 3 days 0.5 seconds"),
        ({"format": "duration"}, "P02W", "2 weeks"),
        ({"format": "duration"}, "PT0S", "0 seconds"),
        ({"format": "duration"}, "P", "P"),
        ({"type": "boolean"}, True, "yes"),
        ({"type": "boolean"}, False, "no"),
        ({"enum": ["low", "very_high"]}, "very_high", "very_high"),
        (PLAN, "m", "Monthly"),
        ({"title": "Currency", "const": "EUR"}, "EUR", "EUR"),
        ({"type": "integer"}, 1000000, "1000000"),
        ({"type": "number"}, 10.0, "10"),
        ({"type": "number"}, 0.1, "0.1"),
        ({"type": "number"}, float("nan"), "not a number"),
        ({"type": "number"}, float("-inf"), "minus infinity"),
        ({"type": ["string", "null"]}, None, "none"),
        ({"type": "string"}, "", "empty"),
        ({"type": "array"}, [], "none"),
        ({"type": "array"}, ["a"], "a"),
        ({"type": "array"}, ["a", "b"], "a and b"),
        ({"type": "array"}, ["a", "b", "c"], "a, b and c"),
        ({"type": "array"}, ["a", "b", "c", "d"], "a, b and 2 more"),
        ({"type": "array"}, ["a, b", "c and d"], "“a, b” and “c and d”"),
        (
            {"type": "array", "items": {"format": "date"}},
            ["2024-02-29"],
            "Thursday 29 February 2024",
        ),
        (
            {"prefixItems": [True, {"format": "date"}]},
            [1, "2024-02-29"],
            "1 and Thursday 29 February 2024",
        ),
        ({"type": "array"}, [[1, 2], [3]], "(1 and 2) and (3)"),
        ({"type": "array"}, [[[[1, 2]]]], "((2 items))"),
        ({"type": "object"}, {}, "none"),
        (True, "x", "x"),
    ],
)
def test_values_are_shown_in_words(schema: Any, value: Any, display: str) -> None:
    assert shown(schema, value) == display


def test_a_number_too_long_to_read_is_said_to_be_one() -> None:
    [field] = render_preview(tool({"it": {}}), {"it": 10**5000}).fields
    assert field["display"] == field["value"] == "a number of more than 38 digits"


@pytest.mark.parametrize(
    ("zone", "moment", "display"),
    [
        ("Europe/Berlin", "2026-01-13T14:00:00Z", "Tuesday 13 January 2026, 15:00 UTC+01:00"),
        ("Europe/Berlin", "2026-07-13T14:00:00Z", "Monday 13 July 2026, 16:00 UTC+02:00"),
        ("America/New_York", "2026-01-13T03:00:00Z", "Monday 12 January 2026, 22:00 UTC-05:00"),
        ("Asia/Kolkata", "2026-01-13T14:00:00Z", "Tuesday 13 January 2026, 19:30 UTC+05:30"),
        ("Europe/London", "2026-01-13T14:00:00+02:00", "Tuesday 13 January 2026, 12:00 UTC"),
    ],
)
def test_times_are_given_in_the_persons_zone_with_its_offset(
    zone: str, moment: str, display: str
) -> None:
    assert shown(DATE_TIME, moment, zone) == display


@pytest.mark.parametrize("zone", ["", "Mars/Base", "Europe", "../../etc/passwd", "\x00", "/"])
def test_an_unknown_zone_is_said_to_be_one(zone: str) -> None:
    with pytest.raises(ValueError, match="not a time zone"):
        render_preview(tool(), {}, zone=zone)


def test_long_text_is_cut_at_a_word() -> None:
    display = shown({"type": "string"}, "word " * 100)
    assert display.endswith("word…")
    assert 150 < len(display) <= 200
    assert len(shown({"type": "string"}, "word " * 1_000_000)) <= 200


def test_a_long_address_keeps_its_end() -> None:
    display = shown({"type": "string"}, "https://bank.example." + "a" * 5000 + ".evil.org/")
    assert display.startswith("https://bank.example.")
    assert "…" in display
    assert display.endswith(".evil.org/")
    assert len(display) <= 200


def test_references_and_alternatives_are_followed() -> None:
    definition = tool(
        {"due": {"allOf": [{"$ref": "#/$defs/due"}]}, "size": {"$ref": "#/$defs/size"}},
        more={
            "$defs": {
                "due": {"anyOf": [{"$ref": "#/$defs/day"}, {"type": "integer"}]},
                "day": {"type": "string", "format": "date"},
                "size": {"oneOf": [{"const": 1, "title": "Small"}, {"const": 2, "title": "Big"}]},
            }
        },
    )
    preview = render_preview(definition, {"due": "2024-02-29", "size": 2})
    assert displays(preview) == {"due": "Thursday 29 February 2024", "size": "Big"}
    assert displays(render_preview(definition, {"due": 7})) == {"due": "7"}


def test_a_reference_to_itself_ends() -> None:
    definition = tool({"it": {"$ref": "#/properties/it"}})
    assert displays(render_preview(definition, {"it": "x"})) == {"it": "x"}


# -- fields -----------------------------------------------------------------------------------


def test_fields_follow_the_schemas_order_and_only_what_is_given_is_shown() -> None:
    definition = tool({"b": {}, "a": {}, "c": {}})
    assert list(displays(render_preview(definition, {"a": 1, "b": 2}))) == ["b", "a"]


@pytest.mark.parametrize(
    ("name", "schema", "label"),
    [
        ("start_time", {}, "Start time"),
        ("startTime", {}, "Start time"),
        ("start-time", True, "Start time"),
        ("URL", {}, "URL"),
        ("to", {"title": "Recipient"}, "Recipient"),
        ("to", {"$ref": "#/$defs/person"}, "To"),
        ("to", {"title": ""}, "To"),
        ("to", {"title": 7}, "To"),
        ("", {}, "(unnamed)"),
        ("_", {}, "_"),
    ],
)
def test_labels_are_the_propertys_title_or_its_name_in_words(
    name: str, schema: Any, label: str
) -> None:
    definition = tool({name: schema}, more={"$defs": {"person": {"title": "Person"}}})
    assert labels(render_preview(definition, {name: "x"})) == [label]


def test_equal_titles_are_told_apart_by_name() -> None:
    definition = tool({"from_day": {"title": "Day"}, "to_day": {"title": "Day"}})
    preview = render_preview(definition, {"from_day": 1, "to_day": 2})
    assert labels(preview) == ["Day (from_day)", "Day (to_day)"]


def test_objects_are_flattened_one_level_with_dotted_labels() -> None:
    definition = tool(
        {
            "to": {
                "type": "object",
                "properties": {
                    "full_name": {"type": "string"},
                    "born": {"type": "string", "format": "date"},
                    "address": {"type": "object", "properties": {"city": {}, "zip": {}}},
                },
            }
        }
    )
    preview = render_preview(
        definition,
        {"to": {"address": {"zip": "1", "city": "Bonn"}, "born": "2000-01-01", "full_name": "Al"}},
    )
    assert labels(preview) == ["To.full name", "To.born", "To.address"]
    assert displays(preview) == {
        "to.full_name": "Al",
        "to.born": "Saturday 1 January 2000",
        "to.address": "(City: Bonn and Zip: 1)",
    }


def test_objects_in_lists_are_shown_in_brackets_with_what_is_left_out_counted() -> None:
    items = [{"a": 1, "b": 2, "c": 3, "d": 4}, {"a": None}]
    assert shown({"type": "array"}, items) == "(a: 1, b: 2, c: 3 and 1 more) and (a: none)"


def test_text_says_how_many_fields_it_leaves_out() -> None:
    names = [f"field_{index}" for index in range(12)]
    preview = render_preview(tool(any_of(names)), dict.fromkeys(names, "some words " * 9))
    told = preview.text.count("Field ")
    assert 0 < told < 12
    assert preview.text.endswith(f"; and {12 - told} more.")
    assert len(preview.text) <= 400
    assert len(preview.fields) == 12


def test_fields_say_how_many_are_not_shown() -> None:
    args = {f"k{index}": index for index in range(10_000)}
    preview = render_preview(tool(any_of(args)), args)
    assert preview.complete is False
    shown, last = preview.fields[:-1], preview.fields[-1]
    left = 10_000 - len(shown)
    assert last["label"] == "Not shown"
    assert last["value"] == left
    assert last["display"] == last["full"] == f"{left} more"
    told = preview.text.count(": ")
    assert preview.text.endswith(f"; and {10_000 - told} more.")


def test_nothing_to_show_is_only_the_action() -> None:
    preview = render_preview(tool(description="Log out"), {})
    assert (preview.text, preview.fields) == ("Log out.", [])


@pytest.mark.parametrize(
    ("description", "action"),
    [
        ("Send an email.", "Send an email"),
        ("send an email", "Send an email"),
        ("Send an email. Needs care.", "Send an email"),
        ("Send an email; it cannot be undone.", "Send an email"),
        ("Send an email — for good.", "Send an email"),
        ("Send a file, e.g. a picture.", "Send a file, e.g. a picture"),
        ("Update to version 2.5 of it. Then restart.", "Update to version 2.5 of it"),
        ("Send\nan\u202e email.", "Send an\ufffd email"),
        ("", "Mail send"),
        (" . ", "Mail send"),
    ],
)
def test_the_action_is_the_first_clause_of_the_description(description: str, action: str) -> None:
    preview = render_preview(tool(description=description, tool_id="mail_send"), {})
    assert preview.text == f"{action}."
    assert preview.title == f"{action}?"


def test_a_title_is_the_tools_own_sentence_unless_it_could_tell_what_is_redacted() -> None:
    words = {"": "Add “Review”, Mon 15:00\u2013\u202e16:00?"}
    event = tool(any_of(["title", "pin"]), redact=("/pin",))
    told = {"title": "Review", "pin": "4711"}
    own = render_preview(event, told, words=words, redact=False)
    assert own.title == "Add “Review”, Mon 15:00\u2013\ufffd16:00?"
    assert render_preview(event, told, words=words).title == "Do the thing: title Review?"
    assert len(render_preview(event, told, words={"": "x" * 900}, redact=False).title) <= 200


def test_a_title_tells_what_has_to_be_given_first_and_leaves_long_values_to_the_fields() -> None:
    mail = tool(
        {"body": {}, "cc": {"type": "string"}, "to": {"type": "string"}, "draft": {}},
        description="Send an email.",
        more={"required": ["to", "body"]},
    )
    args = {"body": "word " * 60, "cc": "bob@x.org", "to": "ada@x.org", "draft": False}
    assert render_preview(mail, args).title == "Send an email: to ada@x.org, cc bob@x.org?"


def test_what_nobody_has_set_goes_without_saying_and_what_has_to_be_given_does_not() -> None:
    event = tool(
        {
            "guests": {"type": "array"},
            "place": {"type": "string", "default": ""},
            "note": {"type": "string"},
        },
        more={"required": ["guests"]},
    )
    preview = render_preview(event, {"guests": [], "place": "", "note": ""})
    assert preview.text == "Do the thing. Guests: none; Note: empty."
    assert {each["name"]: each.get("empty", False) for each in preview.fields} == {
        "guests": False,
        "place": True,
        "note": True,
    }


# -- redaction --------------------------------------------------------------------------------

SECRET = "hunter2"


@pytest.mark.parametrize(
    ("pointer", "args", "expected"),
    [
        ("/pin", {"pin": SECRET}, {"pin": "hidden"}),
        ("/pin", {"pin": {"a": SECRET}}, {"pin": "hidden"}),
        ("/pin", {"pin": None}, {"pin": "hidden"}),
        ("/to/pin", {"to": {"pin": SECRET, "x": 1}}, {"to.pin": "hidden", "to.x": "1"}),
        ("/to/a/pin", {"to": {"a": {"pin": SECRET}}}, {"to.a": "(pin: hidden)"}),
        ("/list/1", {"list": ["a", SECRET]}, {"list": "a and hidden"}),
        ("/list/0/pin", {"list": [{"pin": SECRET}]}, {"list": "(pin: hidden)"}),
        ("/a~1b~0c", {"a/b~c": SECRET}, {"a/b~c": "hidden"}),
        ("", {"pin": SECRET, "to": {"x": SECRET}}, {"pin": "hidden", "to": "hidden"}),
        ("/list/01", {"list": ["a", "b"]}, {"list": "a and b"}),
        ("/list/9", {"list": ["a"]}, {"list": "a"}),
        ("/list/-", {"list": ["a"]}, {"list": "a"}),
        ("/absent/pin", {"x": 1}, {"x": "1"}),
    ],
)
def test_redacted_values_are_hidden_everywhere(
    pointer: str, args: dict[str, Any], expected: dict[str, str]
) -> None:
    before = json.dumps(args)
    definition = tool(any_of(args), redact=(pointer,))
    preview = render_preview(definition, args)
    assert displays(preview) == expected
    assert SECRET not in repr(preview)
    assert json.dumps(args) == before
    if SECRET in before:
        assert SECRET in repr(render_preview(definition, args, redact=False))


def test_pointers_below_a_hidden_value_change_nothing() -> None:
    definition = tool({"to": {}}, redact=("/to", "/to/pin", "", "/to"))
    assert displays(render_preview(definition, {"to": {"pin": SECRET}})) == {"to": "hidden"}


# -- spoofing ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("Lunch; Amount: 5", "“Lunch; Amount: 5”"),
        ("Lunch”; Amount: “5", "“Lunch'; Amount: '5”"),
        ('Lunch"; Amount: "5', "“Lunch'; Amount: '5”"),
        ("Lunch.\n\nApproved by the bank.", "“Lunch. Approved by the bank.”"),
        ("Bye.", "“Bye.”"),
        ("a,b", "“a,b”"),
        ("hidden", "“hidden”"),
        ("None", "“None”"),
        ("yes", "“yes”"),
        ("", "empty"),
        ("empty", "“empty”"),
        ("Lunch", "Lunch"),
        ("ada@x.org", "ada@x.org"),
        ("<b>*bold*</b>", "<b>*bold*</b>"),
        ("[a](https://x.org)", "“[a](https://x.org)”"),
    ],
)
def test_a_value_cannot_pass_for_another_part_of_the_text(value: str, said: str) -> None:
    assert spoken({"type": "string"}, value) == said


@pytest.mark.parametrize("word", ["hidden", "none", "yes", "No", "empty"])
def test_a_word_that_stands_for_something_else_is_quoted(word: str) -> None:
    assert shown({"type": "string"}, word) == f"“{word}”"


@pytest.mark.parametrize(
    ("value", "display"),
    [
        ("a\nb\r\n\tc\x00d", "a b c d"),
        ("a\u2028b\u2029c\u00a0d\u3000e\x85f", "a b c d e f"),
        ("  a  ", "a"),
        ("\u202egnp.exe", "\ufffdgnp.exe"),
        ("a\u2066b\u2069", "a\ufffdb\ufffd"),
        ("pay\u200bpal", "pay\ufffdpal"),
        ("pay\u200dpal", "pay\ufffdpal"),
        ("東\u200dpal", "東\ufffdpal"),
        ("pay\ufeffpal", "pay\ufffdpal"),
        ("pay\u00adpal", "pay\ufffdpal"),
        ("pay\u3164pal", "pay\ufffdpal"),
        ("pay\ufe0fpal", "pay\ufffdpal"),
        ("a\U000e0041", "a\ufffd"),
        ("a\ud800b\ue000c\uffffd", "a\ufffdb\ufffdc\ufffdd"),
        ("\u0301a", "\ufffda"),
        ("a" + "\u0301" * 50 + "b", "a\u0301\u0301\u0301b"),
        ("e\u0301", "e\u0301"),
        ("Zoë, 東京, ñ", "Zoë, 東京, ñ"),
        ("\u0645\u06cc\u200c\u062e\u0648", "\u0645\u06cc\u062e\u0648"),
        ("\U0001f469\u200d\U0001f680 \u2764\ufe0f", "\U0001f469\U0001f680 \u2764"),
        ("<script>alert(1)</script> **b**", "<script>alert(1)</script> **b**"),
    ],
)
def test_characters_that_hide_or_reorder_text_are_made_visible(value: str, display: str) -> None:
    assert shown({"type": "string"}, value) == display


def test_a_key_of_the_callers_own_cannot_pass_for_a_label() -> None:
    definition = tool({"amount": {}, "tags": {"type": "object"}})
    preview = render_preview(definition, {"amount": 900, "tags": {"x: 1; Amount": 5, "a\n": 1}})
    assert labels(preview) == ["Amount", "Tags.“x: 1; Amount”", "Tags.a"]
    assert preview.text.endswith("Amount: 900; Tags.“x: 1; Amount”: 5; Tags.a: 1.")


def test_keys_that_look_the_same_are_both_kept() -> None:
    [field] = render_preview(tool({"it": {}}), {"it": [{"a\u200b": 1, "a\u200c": 2}]}).fields
    assert sorted(field["value"][0].values()) == [1, 2]


# -- any schema, any arguments ----------------------------------------------------------------


def strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for pair in value.items() for part in pair for text in strings(part)]
    return [text for item in value for text in strings(item)] if isinstance(value, list) else []


def check(preview: Preview) -> None:
    assert 0 < len(preview.text) <= 400
    assert len(preview.title) <= 200
    assert len(preview.question or "") <= 240
    room = 0
    for field in preview.fields:
        assert list(field)[:5] == ["name", "label", "value", "display", "full"]
        assert field["full"]
        assert 0 < len(field["display"]) <= 200
        assert 0 < len(field["label"]) <= 64
        assert len(field["name"]) <= 130
        room += len(json.dumps(field["value"], ensure_ascii=False, allow_nan=False))
    assert room <= 4 * MAX_VALUES
    whole = [{**field, "full": field["full"].split("\n")} for field in preview.fields]
    for text in [preview.text, preview.title, *strings(whole)]:
        assert not [char for char in text if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl")]


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_every_call_of_the_corpus_has_a_preview(path: Path) -> None:
    case = json.loads(path.read_text("utf-8"))
    definition = tool(description=case["description"], more=case["parameters"])
    for args in case["valid"] + case["invalid"]:
        preview = render_preview(definition, args, zone="Asia/Tokyo")
        check(preview)
        assert bool(preview.fields) == bool(args)


TEXTS = st.text(max_size=30) | st.sampled_from(
    ["\u202e", "2026-01-13T14:00:00Z", "PT1H", "#/properties/a", "#", "http://[", "string", "date"]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXTS, inner, max_size=5),
    max_leaves=12,
)
KEYWORDS = st.sampled_from(
    ["$ref", "$id", "$defs", "allOf", "anyOf", "oneOf", "const", "enum", "type", "format", "title"]
    + ["properties", "items", "prefixItems", "additionalProperties", "$anchor"]
)
NAMES = st.sampled_from(["a", "b", "c_d", ""]) | TEXTS
SCHEMAS = st.recursive(
    JSON,
    lambda inner: (
        st.dictionaries(KEYWORDS, inner | st.lists(inner, max_size=3), max_size=4)
        | st.dictionaries(NAMES, inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(max_examples=examples(300), deadline=None)
@given(
    SCHEMAS, st.dictionaries(NAMES, JSON | SCHEMAS, max_size=5), TEXTS, st.lists(TEXTS, max_size=2)
)
def test_any_schema_and_arguments_can_be_rendered(
    schema: Any, args: dict[str, Any], description: str, pointers: list[str]
) -> None:
    redact = tuple(f"/{pointer}" for pointer in pointers)
    loose = tool(schema, description=description, redact=redact)
    check(render_preview(loose, args))
    if isinstance(schema, dict):
        check(render_preview(tool(description=description, more=schema), args, zone="Asia/Tokyo"))


def test_huge_arguments_are_bounded() -> None:
    deep: Any = "x"
    for _ in range(5000):
        deep = [deep]
    wide = {f"{index}" * 50: "\u202e" * 10_000 for index in range(2000)}
    args = {
        "deep": deep,
        "wide": [wide, wide],
        "long": "x" * 5_000_000,
        "list": list(range(10**5)),
        "empty": [[]] * 10**5,
    }
    check(render_preview(tool(any_of(args)), args))
