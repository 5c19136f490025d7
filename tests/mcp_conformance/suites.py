"""The conformance suites of the Model Context Protocol: where they are, and what they found."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

HERE = Path(__file__).parent
GOOD = ("SUCCESS", "INFO")
REVISIONS = ("2025-11-25", "2026-07-28")
_SUITES = HERE / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
_NODES = HERE / "node_modules"
_STAMP = re.compile(r"-\d{4}-\d{2}-\d{2}T[\d-]+Z$")


@dataclass(frozen=True)
class Check:
    """One check of a scenario, and what came of it."""

    scenario: str
    id: str
    status: str
    words: str


def command() -> list[str]:
    """What starts the suites. They are skipped where they are not installed, but not in CI."""
    node = next(_NODES.glob("node-*/bin/node"), None)
    if node is None or not _SUITES.is_file():
        words = "The suites are missing: scripts/ensure-mcp-conformance.sh installs them."
        pytest.fail(words) if os.environ.get("CI") else pytest.skip(words)
    return [str(node), str(_SUITES)]


def scenarios(kind: str) -> set[str]:
    """Every scenario that the suites have for a `server` or a `client`."""
    listed = subprocess.run(
        [*command(), "list", f"--{kind}"], capture_output=True, text=True, timeout=60, check=True
    )
    return set(re.findall(r"^  - (\S+) \[", listed.stdout, re.MULTILINE))


def found(folder: Path, kind: str) -> Iterator[Check]:
    """What the suites have written to a folder."""
    for file in sorted(folder.rglob("checks.json")):
        scenario = _STAMP.sub("", str(file.parent.relative_to(folder))).removeprefix(f"{kind}-")
        for each in json.loads(file.read_text()):
            words = each.get("errorMessage", "")
            yield Check(scenario, each["id"], each["status"], words)


def not_applicable(kind: str) -> set[str]:
    """What is listed for a `server` or a `client`, each with its reason."""
    listed = tomllib.loads((HERE / "not_applicable.toml").read_text())[kind]
    assert all(each["reason"].strip() for each in listed)
    entries = [entry for each in listed for entry in each["checks"]]
    assert len(entries) == len(set(entries)), "listed twice"
    return set(entries)


def wrong(checks: list[Check], kind: str) -> list[str]:
    """The checks that did not succeed and are not listed, in words."""
    listed = not_applicable(kind)
    return [
        f"{each.scenario}/{each.id}: {each.status} {each.words}"
        for each in checks
        if each.status not in GOOD and not listed & {each.scenario, f"{each.scenario}/{each.id}"}
    ]


def stale(checks: list[Check], kind: str) -> set[str]:
    """What is listed of scenarios that were run, and did succeed."""
    failing = {
        name
        for each in checks
        if each.status not in GOOD
        for name in (each.scenario, f"{each.scenario}/{each.id}")
    }
    run = {each.scenario for each in checks}
    return {
        entry
        for entry in not_applicable(kind)
        if entry not in failing and (entry in run or entry.rpartition("/")[0] in run)
    }
