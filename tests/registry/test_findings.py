"""Findings are ordered, bounded and printable."""

from __future__ import annotations

import pytest

from antiphon.registry.findings import (
    FindingList,
    LintFinding,
    in_reading_order,
    nearest,
    plain,
    pointer_to,
    shown,
)


def test_findings_are_read_file_by_file_and_errors_first() -> None:
    found = FindingList("b")
    found.warning("r", "/a", "m", "f")
    found.error("r", "/b", "m", "f")
    other = LintFinding("warning", "r", "a", "", "m", "f")
    ordered = in_reading_order([*found.found, other])
    assert [(f.file, f.severity) for f in ordered] == [
        ("a", "warning"),
        ("b", "error"),
        ("b", "warning"),
    ]
    assert found.has_errors


@pytest.mark.parametrize(
    ("name", "expected"),
    [("tool_id", "toolId"), ("toolid", "toolId"), ("catgory", "category"), ("zzz", None)],
)
def test_the_nearest_name_is_found_across_spellings(name: str, expected: str | None) -> None:
    assert nearest(name, ["toolId", "category", "version"]) == expected


def test_pointers_are_escaped() -> None:
    assert pointer_to("a/b", "~", 0) == "/a~1b/~0/0"


def test_values_in_messages_are_short() -> None:
    assert len(shown("x" * 1_000_000)) < 100
    assert len(shown(list(range(1000)))) < 100
    assert shown(True) == "True"


def test_text_from_outside_is_made_printable() -> None:
    assert plain("café") == "café"
    assert plain("a\nb\x1b[0m") == "a\\nb\\x1b[0m"
    assert plain("caf\udce9").encode() == b"caf\\xe9"
