"""`antiphon init`: a project that runs green at once, and what is refused."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from tests.testing.projects import modules_restored, run_pytest

from antiphon.cli import main

FILES = {
    *("README.md", "pyproject.toml", "antiphon.toml", "Dockerfile", ".dockerignore", ".gitignore"),
    *("opening_hours/__init__.py", "opening_hours/tools.py", "opening_hours/app.py"),
    *("profiles/opening_hours.toml", ".github/workflows/ci.yml"),
    *("tests/conftest.py", "tests/test_tools.py", "tests/test_conversation.py"),
}


@pytest.fixture
def project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    assert main(["init", "opening-hours"]) == 0
    assert capsys.readouterr().out.startswith("Made opening-hours. Next:\n  cd opening-hours\n")
    with modules_restored(tmp_path):
        yield tmp_path / "opening-hours"


def test_its_files_are_there_and_can_be_read(project: Path) -> None:
    made = {str(path.relative_to(project)) for path in project.rglob("*") if path.is_file()}
    assert made == FILES
    for path in made:
        text = (project / path).read_text("utf-8")
        assert "@NAME@" not in text
        assert "@PACKAGE@" not in text
        assert not text.startswith("\n")
        if path.endswith(".toml"):
            tomllib.loads(text)
    jobs = yaml.safe_load((project / ".github/workflows/ci.yml").read_text("utf-8"))["jobs"]
    assert {"run": "pytest"} in jobs["test"]["steps"]
    docker = (project / "Dockerfile").read_text("utf-8").splitlines()
    assert docker.index("USER agent") < docker.index('CMD ["antiphon", "serve", "--data", "/data"]')


def test_its_tests_pass_at_once(project: Path) -> None:
    outcomes, text = run_pytest(project)
    assert len(outcomes) == 4, text
    assert set(outcomes.values()) == {"passed"}, text


def test_its_tools_are_those_of_the_command_line(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project)
    monkeypatch.syspath_prepend(str(project))  # as `pip install -e .` would
    assert main(["build"]) == 0
    assert main(["tools", "list"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("1 tool, registry")
    assert main(["chat", "--message", "When are you open on Saturday?"]) == 0
    said = capsys.readouterr()
    assert "13:00" in said.out
    assert 'opening_hours {"day":"saturday"}: run' in said.err


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("1st", "is no name for a project. Start with a letter"),
        ("a b", "is no name for a project"),
        ("../up", "is no name for a project"),
        ("shop-", "a letter or digit last"),
        ("x" * 65, "is no name for a project"),
        ("class", "would be the package `class`, and that name is taken"),
        ("Json", "such as `Json-agent`"),
        ("typing-extensions", "or by a package that is installed"),
        ("tests", "that name is taken"),
    ],
)
def test_bad_names_are_told(
    name: str,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["init", name]) == 2
    assert words in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_nothing_is_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop").mkdir()
    (tmp_path / "file").write_text("mine")
    assert main(["init", "shop"]) == 1
    assert "shop is already there. Choose another name, or remove it." in capsys.readouterr().err
    assert main(["init", "shop", "--folder", "file"]) == 1
    assert "cannot be made: not a directory" in capsys.readouterr().err
    assert not list((tmp_path / "shop").iterdir())
    assert main(["init", "shop", "--folder", "new/place"]) == 0
    assert (tmp_path / "new" / "place" / "shop" / "shop" / "tools.py").is_file()
