"""What handlers may import beside the names of `antiphon`."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime

import pytest

from antiphon import ErrorType, ToolError, fail
from antiphon.toolkit import invalid, relay
from antiphon.toolkit.child_program import run_program
from antiphon.toolkit.colours import contrast, parse_colour, to_hex
from antiphon.toolkit.csv_table import parse_csv
from antiphon.toolkit.encoded_bytes import decode_bytes
from antiphon.toolkit.moments import find_zone, is_skipped, parse_moment
from antiphon.toolkit.python_source import parse_python, source_text

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_a_refused_argument_has_its_pointer_and_further_members() -> None:
    error = invalid("/code", "is no Python.", line=3)
    assert error.type is ErrorType.VALIDATION
    assert error.message == "/code: is no Python."
    assert error.body["pointer"] == "/code"
    assert error.body["line"] == 3


def test_the_answer_of_another_tool_is_passed_on_with_every_member() -> None:
    failed = fail(ErrorType.RATE_LIMIT, "Too often.", retry_after=3, place="here")
    assert failed.error is not None
    answer = {"ok": False, "error": failed.error, "intents": [], "meta": {}}
    assert relay(answer).error == failed.error
    assert relay(answer, "other: ").error == {**failed.error, "message": "other: Too often."}
    assert relay({"ok": True, "data": {"n": 1}, "intents": [], "meta": {}}).data == {"n": 1}


def test_the_toolkit_costs_a_handler_no_further_import() -> None:
    code = (
        "import antiphon.contracts, sys; known = set(sys.modules); import antiphon.toolkit; "
        "print(*sorted(set(sys.modules) - known))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["antiphon.toolkit", "antiphon.toolkit.errors"]


def test_binary_and_empty_source_is_refused_with_its_line() -> None:
    assert source_text("\ufeffa\r\nb\r") == "a\nb\n"
    with pytest.raises(ToolError, match="line 2") as caught:
        source_text("a\n\x00")
    assert caught.value.body["line"] == 2
    with pytest.raises(ToolError, match="is empty"):
        parse_python(" \n")
    with pytest.raises(ToolError, match="line 1, column 5"):
        parse_python("x = = 1")


@pytest.mark.parametrize(
    ("text", "day", "timed"),
    [
        ("today", "2026-03-01", False),
        ("yesterday", "2026-02-28", False),
        ("now", "2026-03-01", True),
    ],
)
def test_words_for_days_are_moments(text: str, day: str, timed: bool) -> None:
    moment, has_time = parse_moment(text, "/at", find_zone("Europe/Berlin"), NOW)
    assert (moment.date().isoformat(), has_time) == (day, timed)


def test_a_time_that_the_clocks_skip_is_known() -> None:
    zone = find_zone("Europe/Berlin")
    assert is_skipped(parse_moment("2026-03-29T02:30", "/at", zone, NOW)[0])
    assert not is_skipped(parse_moment("2026-03-29T03:30", "/at", zone, NOW)[0])
    with pytest.raises(ToolError, match="no time zone 'Mars'"):
        find_zone("Mars")


def test_csv_has_names_rows_and_its_delimiter() -> None:
    assert parse_csv("a;b\n1;2\n3\n", "auto", True) == (
        ["a", "b"],
        [["1", "2"], ["3", ""]],
        "semicolon",
    )
    with pytest.raises(ToolError, match="line 2 has 3 cells"):
        parse_csv("a,b\n1,2,3\n", "comma", True)


def test_bytes_come_as_hex_base64_or_text() -> None:
    assert decode_bytes("6869", "hex", "/key", "format") == b"hi"
    assert decode_bytes("aG k=", "base64", "/key", "format") == b"hi"
    assert decode_bytes("hi", "utf-8", "/key", "format") == b"hi"
    with pytest.raises(ToolError, match="/key: is not hex; correct it, or set `format`"):
        decode_bytes("zz", "hex", "/key", "format")


def test_a_colour_is_read_and_written() -> None:
    assert to_hex(parse_colour("rgb(26, 43, 60)", "/colour")) == "#1a2b3c"
    assert contrast(parse_colour("black", "/a"), parse_colour("white", "/b")) == pytest.approx(21)


def test_a_program_gets_its_task_and_is_stopped_in_time() -> None:
    done = run_program("import json, sys; print(json.load(sys.stdin)['n'] + 1)", {"n": 1}, 60)
    assert done.stdout.split() == [b"2"]
    with pytest.raises(subprocess.TimeoutExpired):
        run_program("while True: pass", None, 0.2)
