"""A new tool builds as it stands, and never overwrites anything."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from antiphon import ToolError
from antiphon.registry.artifact import read_artifact
from antiphon.registry.builder import build
from antiphon.registry.handlers import load_module
from antiphon.registry.scaffold import ScaffoldError, new_tool
from antiphon.registry.sources import read_tool


def test_new_tools_of_every_category_build_without_findings(tmp_path: Path) -> None:
    folder = tmp_path / "tools"
    for category in ("utility", "retrieval", "action"):
        new_tool(f"my-{category}", folder, category=category)
    report = build([folder], tmp_path / "registry.json")
    assert report.findings == []
    assert [tool["category"] for tool in read_artifact(tmp_path / "registry.json")["tools"]] == [
        "action",
        "retrieval",
        "utility",
    ]


@pytest.mark.parametrize("category", ["utility", "retrieval", "action"])
def test_the_handler_of_a_new_tool_does_what_its_guide_says(category: str, tmp_path: Path) -> None:
    directory = new_tool("word-list", tmp_path, category=category)
    source = read_tool(directory)
    module = load_module("word_list", category * 8, source.python, directory)
    logged: list[tuple[str, dict[str, Any]]] = []
    context = SimpleNamespace(audit=SimpleNamespace(log=lambda *said: logged.append(said)))
    args = {"text": "call and response", "limit": 2}
    result = asyncio.run(module.execute(args, context))
    assert result.data == {"words": ["and", "call"], "total": 3}
    assert bool(logged) == (category == "action")
    assert '`{"words": ["and", "call"], "total": 3}`' in source.files["guide.md"].decode()
    with pytest.raises(ToolError, match="no words"):
        asyncio.run(module.execute({"text": "123", "limit": 2}, context))


@pytest.mark.parametrize("name", ["kb-search", "kb_search"])
def test_both_spellings_make_the_same_directory(name: str, tmp_path: Path) -> None:
    directory = new_tool(name, tmp_path)
    assert directory == tmp_path / "kb-search"
    assert sorted(path.name for path in directory.iterdir()) == [
        "guide.md",
        "handler.py",
        "schema.json",
    ]
    assert [path.name for path in tmp_path.iterdir()] == ["kb-search"]


@pytest.mark.parametrize(
    "name", ["", "Kb", "1st", "kb search", "../up", "a/b", "-", "a" * 65, "é", "kb\n", "\udce9"]
)
def test_a_name_that_is_none_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(ScaffoldError, match="no name for a tool"):
        new_tool(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("taken", ["kb-search", "kb_search"])
def test_a_taken_name_is_refused_and_left_alone(taken: str, tmp_path: Path) -> None:
    (tmp_path / taken).mkdir()
    with pytest.raises(ScaffoldError, match="already there"):
        new_tool("kb-search", tmp_path)
    assert list((tmp_path / taken).iterdir()) == []


def test_an_unknown_category_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ScaffoldError, match="retrieval, action, utility"):
        new_tool("kb-search", tmp_path, category="magic")


def test_a_folder_that_cannot_be_made_is_said_plainly(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ScaffoldError, match="cannot be made"):
        new_tool("kb-search", tmp_path / "file")
