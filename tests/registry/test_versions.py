"""Several versions of one tool in a registry: which is in force, what the build says of them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.orchestrator.helpers import PURE, contract, write_tool
from typer.testing import CliRunner

from antiphon.cli import app
from antiphon.registry import Registry
from antiphon.registry.builder import build, check
from antiphon.registry.diff import diff_artifacts
from antiphon.registry.versions import precedence

VARIANT = """\
from antiphon import ok


async def execute(args, context):
    return ok({{"by": {version!r}}})
"""


def write_version(
    folder: Path, tool_id: str, version: str, *, at: str = "", **changes: Any
) -> None:
    """A version of a tool in a directory of its own, or in `at`."""
    directory = folder / (at or f"{tool_id.replace('_', '-')}@{version}")
    write_tool(folder, "scratch", handler="async def execute(args, context): ...\n", **PURE)
    shutil.move(folder / "scratch", directory)
    body = contract(tool_id, version=version, **changes)
    (directory / "schema.json").write_text(json.dumps(body))
    (directory / "guide.md").write_text(f"# {tool_id}\n\nVersion {version} of it.\n")
    (directory / "handler.py").write_text(VARIANT.format(version=version))


def built(folder: Path) -> Any:
    return build([folder], folder.parent / "tool_registry.json")


def rules(folder: Path) -> list[str]:
    return [finding.rule for finding in built(folder).findings if finding.severity == "error"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "tools"
    made.mkdir()
    write_version(made, "look", "1.9.0", at="look")
    write_version(made, "look", "1.10.0")
    write_version(made, "look", "2.0.0", staged=True)
    write_version(made, "other", "1.0.0", at="other")
    return made


def test_the_newest_that_is_not_staged_is_in_force(folder: Path) -> None:
    assert built(folder).ok
    registry = Registry.load(folder.parent / "tool_registry.json")
    snapshot = registry.snapshot()
    assert snapshot.tools["look"].definition.version == "1.10.0"
    assert list(snapshot.versions["look"]) == ["1.9.0", "1.10.0", "2.0.0"]
    assert snapshot.held_versions == {"look": "1.10.0"}
    assert [row["toolId"] for row in snapshot.summaries()] == ["look", "other"]
    beta = snapshot.chosen({"look": "2.0.0", "other": "7.0.0", "none": "1.0.0"})
    assert beta.tools["look"].definition.version == "2.0.0"
    assert beta.tools["other"] is snapshot.tools["other"]
    assert (beta.version, beta.base, beta.chosen({})) == (snapshot.version, snapshot, snapshot)


def test_the_artifact_is_the_same_however_it_was_built_and_follows_every_version(
    folder: Path,
) -> None:
    first = built(folder)
    again = built(folder)
    assert (again.cached, again.version) == (again.tools, first.version)
    out = folder.parent / "tool_registry.json"
    assert check([folder], out).ok
    guide = folder / "look@2.0.0" / "guide.md"
    guide.write_text(guide.read_text() + "\nMore.\n")
    assert [finding.rule for finding in check([folder], out).findings] == ["stale"]
    assert built(folder).version != first.version


def test_one_version_alone_gives_the_artifact_that_it_always_gave(tmp_path: Path) -> None:
    (tmp_path / "a" / "tools").mkdir(parents=True)
    (tmp_path / "b" / "tools").mkdir(parents=True)
    write_version(tmp_path / "a" / "tools", "look", "1.0.0", at="look")
    write_version(tmp_path / "b" / "tools", "look", "1.0.0")
    assert built(tmp_path / "a" / "tools").version == built(tmp_path / "b" / "tools").version


def test_the_build_says_what_is_no_set_of_versions(tmp_path: Path) -> None:
    same = tmp_path / "same"
    same.mkdir()
    write_version(same, "look", "1.0.0", at="look")
    write_version(same, "look", "1.0.0")
    assert rules(same) == ["duplicate-id", "duplicate-id"]

    named = tmp_path / "named"
    named.mkdir()
    write_version(named, "look", "1.0.0", at="look@1.0.1")
    assert rules(named) == ["tool-id-directory"]

    staged = tmp_path / "staged"
    staged.mkdir()
    write_version(staged, "look", "1.0.0", staged=True)
    assert rules(staged) == ["staged"]


def test_commands_know_versions(folder: Path) -> None:
    out = folder.parent / "tool_registry.json"
    assert built(folder).ok

    def said(*words: str) -> str:
        result = CliRunner().invoke(app, ["tools", *words, "--registry", str(out)])
        assert result.exit_code == 0, result.output
        return result.output

    listed = said("list").splitlines()
    assert [line.split()[:2] for line in listed[:4]] == [
        ["look", "1.9.0"],
        ["look", "1.10.0"],
        ["look", "2.0.0"],
        ["other", "1.0.0"],
    ]
    assert "(staged)" in listed[2]
    assert listed[-1].startswith("2 tools")
    assert "version: 1.10.0" in said("show", "look")
    assert "version: 2.0.0" in said("show", "look@2.0.0")


def test_a_diff_compares_what_is_in_force_and_names_other_versions(folder: Path) -> None:
    before = built(folder).artifact
    write_version(folder, "look", "1.11.0")
    shutil.rmtree(folder / "look")
    after = built(folder).artifact
    assert before is not None
    assert after is not None
    difference = diff_artifacts(before, after)
    assert difference.added == ("look@1.10.0",)
    assert difference.removed == ("look@1.9.0",)
    [changed] = difference.changed
    assert (changed.tool_id, changed.old_version, changed.new_version) == (
        *("look", "1.10.0", "1.11.0"),
    )


numbers = st.integers(0, 20)
marks = st.lists(st.sampled_from(["alpha", "beta", "1", "2", "11"]), min_size=1, max_size=2)


@given(numbers, numbers, numbers, marks)
def test_versions_are_ordered_as_semantic_versions(a: int, b: int, c: int, mark: list[str]) -> None:
    release = f"{a}.{b}.{c}"
    early = f"{release}-{'.'.join(mark)}"
    assert precedence(early) < precedence(release) < precedence(f"{a}.{b}.{c + 1}-alpha")
    assert precedence(early) < precedence(f"{early}.1")
    assert precedence("1.0.0-2") < precedence("1.0.0-11") < precedence("1.0.0-alpha")
