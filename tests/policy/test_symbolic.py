"""The rules against a solver: of no path on which a call runs can what must not happen be."""

from __future__ import annotations

import os
from importlib.util import find_spec

import pytest

if find_spec("z3") is None and os.environ.get("CI") != "true":
    pytest.skip("z3 is not installed; the extra dev has it", allow_module_level=True)

from tests.policy.symbolic import FORBIDDEN, LED, USUAL, Path, explore

ALL = bool(os.environ.get("POLICY_ALL_PATHS"))


def wrong(path: Path) -> set[str]:
    """What must not be, and can be at the end of this path."""
    return {words for words, claim in FORBIDDEN.items() if path.can_be(claim)}


def test_no_path_lets_text_of_others_act_and_secrets_or_private_data_leave() -> None:
    paths = acted = 0
    for path, verdict in explore(() if ALL else USUAL):
        paths += 1
        if verdict.outcome == "run":
            assert not wrong(path), path.solver
            acted += path.can_be(LED)
    print(f"{paths} paths for the solver; on {acted} a call acts after something was read")
    assert acted > 500


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("leak", {"a secret leaves", "private data leave by a read"}),
        ("untrusted", {"text of others acts"}),
    ],
)
def test_the_solver_finds_what_happens_where_a_rule_is_missing(rule: str, words: set[str]) -> None:
    found: set[str] = set()
    for path, verdict in explore(USUAL, missing=rule):
        if verdict.outcome == "run":
            found |= wrong(path)
        if found >= words:
            break
    assert found == words
