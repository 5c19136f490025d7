"""The running server against the official conformance suites, in both revisions."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator

import pytest
from tests.mcp_conformance import suites
from tests.server.conftest import Serve
from tests.server.mcp_serving_helpers import modern

from antiphon.registry import Registry
from antiphon.registry.builder import build


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    suites.command()
    folder = tmp_path_factory.mktemp("conformance")
    report = build([suites.HERE / "tools"], folder / "tools.json")
    assert report.ok, report.findings
    shutil.copytree(suites.HERE / "playbooks", folder / "data" / "playbooks")
    serve = Serve(Registry.load(folder / "tools.json").lock(), folder)
    with serve.running(serve.app(data=folder / "data")) as client:
        # What a first request opens takes longer than the suites wait for some answers.
        for method in ("prompts/list", "resources/list"):
            body, headers = modern(method)
            assert client.post("/mcp", body, **headers).status == 200
        yield f"http://127.0.0.1:{client.port}/mcp"


@pytest.fixture(scope="module")
def checks(address: str, tmp_path_factory: pytest.TempPathFactory) -> list[suites.Check]:
    """What the suites of both revisions find, which run side by side: most of it is waiting."""
    running = []
    for revision in suites.REVISIONS:
        folder = tmp_path_factory.mktemp(revision)
        arguments = ["server", "--url", address, "--requirements", revision, "-o", str(folder)]
        process = subprocess.Popen(
            [*suites.command(), *arguments],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        running.append((process, folder))
    found: list[suites.Check] = []
    for process, folder in running:
        said, _ = process.communicate(timeout=120)
        assert "=== SUMMARY ===" in said, said[-2000:]
        found += suites.found(folder, "server")
    return found


def test_everything_that_applies_succeeds(checks: list[suites.Check]) -> None:
    wrong = suites.wrong(checks, "server")
    assert not wrong, "\n".join(wrong)
    assert sum(each.status == "SUCCESS" for each in checks) > 200


def test_every_scenario_is_run_or_listed_with_a_reason(checks: list[suites.Check]) -> None:
    run = {each.scenario for each in checks}
    listed = {entry.partition("/")[0] for entry in suites.not_applicable("server")}
    assert suites.scenarios("server") <= run | listed


def test_nothing_is_listed_that_succeeds(checks: list[suites.Check]) -> None:
    assert not suites.stale(checks, "server")
    known = suites.scenarios("server")
    assert {entry.partition("/")[0] for entry in suites.not_applicable("server")} <= known
