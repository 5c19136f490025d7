"""`antiphon calendar …`: files in, files out, what is coming up, and what is wrong in words."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from tests.workspace.calendars import ics

from antiphon.cli import main

LUNCH = "UID:lunch\nDTSTART:20260113T120000Z\nDTEND:20260113T130000Z\nSUMMARY:Lunch \x1b[31mred"
WEEKLY = (
    "UID:w\nDTSTART;TZID=Europe/Berlin:20260105T090000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY\n"
    "SUMMARY:Stand-up"
)
BROKEN = WEEKLY.replace("UID:w", "UID:b").replace("WEEKLY", "WEEKLY;INTERVAL=0")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        if name.startswith("ANTIPHON_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("ANTIPHON_CALENDAR__TIME_ZONE", "Europe/Berlin")
    (tmp_path / "mine.ics").write_bytes(ics(LUNCH, WEEKLY))
    (tmp_path / "broken.ics").write_bytes(ics(LUNCH, BROKEN))
    return tmp_path


def test_events_go_in_are_listed_and_come_out(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calendar", "import", "mine.ics"]) == 0
    assert capsys.readouterr().out == "2 added, 0 updated, 0 unchanged.\n"
    assert main(["calendar", "import", "mine.ics", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["unchanged"] == 2

    assert main(["calendar", "list", "--from", "2026-01-12", "--days", "8"]) == 0
    shown = capsys.readouterr().out
    assert shown.splitlines() == [
        "2026-01-12T09:00:00+01:00  2026-01-12T10:00:00+01:00  primary   Stand-up",
        *(line for line in shown.splitlines() if "Lunch" in line),
        "2026-01-19T09:00:00+01:00  2026-01-19T10:00:00+01:00  primary   Stand-up",
    ]
    assert "\x1b" not in shown

    assert main(["calendar", "export", "out.ics"]) == 0
    assert capsys.readouterr().out == "2 events written to out.ics.\n"
    assert b"RRULE:FREQ=WEEKLY\r\n" in (folder / "out.ics").read_bytes()
    assert main(["calendar", "import", "out.ics", "--calendar", "team", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["added"] == 2


def test_a_broken_file_is_reported_and_imported_only_in_part_when_asked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["calendar", "import", "broken.ics"]) == 1
    said = capsys.readouterr().err
    assert "broken.ics: line 10: the event 'Stand-up': RRULE: INTERVAL=0 must be 1" in said
    assert "--skip-broken" in said
    assert main(["calendar", "list", "--from", "2026-01-12", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"count": 0, "events": []}
    assert main(["calendar", "import", "broken.ics", "--skip-broken"]) == 0
    shown = capsys.readouterr()
    assert shown.out == "1 added, 0 updated, 0 unchanged.\n"
    assert "skipped: line 10: the event 'Stand-up'" in shown.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["import", "missing.ics"], "missing.ics cannot be read"),
        (["import", "mine.ics", "--calendar", "work"], "There is no calendar 'work'"),
        (["export", "no/such/folder.ics"], "cannot be written"),
        (["list", "--from", "soon"], "'soon' is no ISO 8601 time"),
        (["list", "--calendar", "work"], "There is no calendar 'work'"),
    ],
)
def test_what_cannot_be_done_is_status_1_with_words(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calendar", *arguments]) == 1
    assert said in capsys.readouterr().err


def test_files_are_for_the_local_calendar_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ANTIPHON_CALENDAR__SERVICE", "google")
    assert main(["calendar", "import", "mine.ics"]) == 1
    assert "keep the calendar with google" in capsys.readouterr().err
