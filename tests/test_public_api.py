"""The public interface: what users import does not shrink or change in silence."""

from __future__ import annotations

import pytest
from scripts.public_api import CHANGELOG, OUT, public_names, unannounced

OLD = ["antiphon.Thing(size: int)", "antiphon.Thing.turn(by: float)", "antiphon.go() -> int"]


def test_nothing_public_went_or_changed_in_silence() -> None:
    listed = OUT.read_text("utf-8").splitlines()
    silent = unannounced(listed, public_names(), CHANGELOG.read_text("utf-8"))
    assert not silent, "name each in CHANGELOG.md under Unreleased, then run `make public-api`"


@pytest.mark.parametrize(
    ("new", "changelog", "missing"),
    [
        ([*OLD, "antiphon.more() -> str"], "", []),
        (OLD[:2], "", OLD[2:]),
        (OLD[:2], "- `antiphon.go` is gone.", []),
        (OLD[:2], "- `go()` is gone.", []),
        (OLD[:2], "- Nothing to say.\n\n## [0.1.0]\n\n- `antiphon.go` is new.", OLD[2:]),
        ([OLD[0], "antiphon.Thing.turn()", OLD[2]], "- `Thing` is better.", OLD[1:2]),
        ([OLD[0], "antiphon.Thing.turn()", OLD[2]], "- `Thing.turn` goes once.", []),
        ([OLD[0], "antiphon.Thing.turn(by: float, to: int)", OLD[2]], "", OLD[1:2]),
        ([OLD[0], "antiphon.Thing.turn(by: float, to: int = 1)", OLD[2]], "", []),
        ([OLD[0], "antiphon.Thing.turn(to: int = 1, by: float)", OLD[2]], "", OLD[1:2]),
        ([OLD[0], "antiphon.Thing.turn(by: float, *, to: set[A, B] = (1, 2))", OLD[2]], "", []),
        ([*OLD[:2], "antiphon.go() -> str"], "", OLD[2:]),
    ],
)
def test_what_goes_or_changes_is_named_in_the_changelog(
    new: list[str], changelog: str, missing: list[str]
) -> None:
    assert unannounced(OLD, new, f"## [Unreleased]\n\n{changelog}\n") == missing
