"""Managed MCP servers against the official conformance suites for clients, in both revisions."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest
from tests.mcp_conformance import suites
from tests.mcp_conformance.client_driver import driver


@pytest.fixture(scope="module")
def checks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[suites.Check]]:
    """What the suites of both revisions find."""
    suites.command()
    found: list[suites.Check] = []
    with driver(tmp_path_factory.mktemp("driver")) as socket:
        launcher = [sys.executable, "-I", "-S", str(suites.HERE / "client_launcher.py")]
        for revision in suites.REVISIONS:
            folder = tmp_path_factory.mktemp(revision)
            arguments = [
                "--requirements",
                revision,
                "--command",
                " ".join([*launcher, str(socket)]),
            ]
            done = subprocess.run(
                [*suites.command(), "client", *arguments, "-o", str(folder)],
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=180,
            )
            assert "Total: " in done.stdout + done.stderr, done.stdout[-2000:]
            found += suites.found(folder, "client")
        yield found


def test_everything_that_applies_succeeds(checks: list[suites.Check]) -> None:
    assert not suites.wrong(checks, "client")
    assert sum(each.status == "SUCCESS" for each in checks) > 500


def test_every_scenario_is_run_or_listed_with_a_reason(checks: list[suites.Check]) -> None:
    run = {each.scenario for each in checks}
    listed = suites.not_applicable("client")
    assert suites.scenarios("client") <= run | listed


def test_nothing_is_listed_that_succeeds(checks: list[suites.Check]) -> None:
    assert not suites.stale(checks, "client")
