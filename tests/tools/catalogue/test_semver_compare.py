"""semver_compare: precedence, the part that differs, ranges in npm's notation."""

from __future__ import annotations

import pytest
from tests.tools.catalogue_world import data, error


@pytest.mark.parametrize(
    ("version", "other", "order", "change"),
    [
        ("1.10.0", "1.9.3", "newer", "minor"),
        ("v1.0.0", "1.0.0", "same", "none"),
        ("1.0.0-alpha.2", "1.0.0-alpha.10", "older", "prerelease"),
        ("1.0.0-alpha", "1.0.0", "older", "prerelease"),
        ("1.0.0-1", "1.0.0-rc", "older", "prerelease"),
        ("1.0.0+a", "1.0.0+b", "same", "build"),
    ],
)
def test_precedence(version: str, other: str, order: str, change: str) -> None:
    found = data("semver_compare", version=version, other=other)
    assert (found["order"], found["change"]) == (order, change)


@pytest.mark.parametrize(
    ("version", "wanted", "fits"),
    [
        ("1.4.9", "^1.4.0", True),
        ("2.0.0", "^1.4.0", False),
        ("0.2.9", "^0.2.3", True),
        ("0.3.0", "^0.2.3", False),
        ("1.4.9", "~1.4.2", True),
        ("1.5.0", "~1.4.2", False),
        ("1.9.9", "1.x", True),
        ("1.9.9", "1.0.0 - 1.9", True),
        ("2.0.0", "1.0.0 - 1.9", False),
        ("3.1.0", "<1.0.0 || >= 3.0.0", True),
        ("1.3.0", ">1.2", True),
        ("1.2.9", ">1.2", False),
        ("2.0.0-rc.1", ">=1.0.0", False),
        ("2.0.0-rc.1", ">=2.0.0-beta", True),
    ],
)
def test_ranges(version: str, wanted: str, fits: bool) -> None:
    assert data("semver_compare", version=version, range=wanted)["satisfies"] is fits


def test_what_is_no_version_is_named() -> None:
    assert error("semver_compare", version="1.4", other="2.0.0")["pointer"] == "/version"
    assert error("semver_compare", version="1.4.0", range=">=one")["pointer"] == "/range"
    assert "other" in error("semver_compare", version="1.4.0")["message"]
