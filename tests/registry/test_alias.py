"""Tools that are another tool under a second name."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from antiphon import Orchestrator, Registry, ToolCall
from antiphon.registry.builder import BuildReport, build

COUNT = """\
from antiphon import ErrorType, ToolError, ok


def execute(args, context):
    if args.get("query") == "bad":
        raise ToolError(ErrorType.CONFLICT, "It is bad.", retry_after=2, place="here")
    return ok({"found": args.get("query")})
"""


@pytest.fixture
def built(
    write_tool: Callable[..., Path], tools: Path, tmp_path: Path
) -> Callable[[], BuildReport]:
    """Builds `kb-search`, which has a handler, and `find-notes`, which is an alias of it."""
    write_tool("kb-search", handler=COUNT)
    write_tool("find-notes", handler=None, aliasOf="kb_search")
    return lambda: build([tools], tmp_path / "tool_registry.json")


def said(report: BuildReport) -> list[tuple[str, str, str]]:
    return [(f.rule, f.pointer, f.message) for f in report.findings if f.severity == "error"]


async def test_an_alias_answers_as_its_target_does(
    built: Callable[[], BuildReport], tmp_path: Path
) -> None:
    assert said(built()) == []

    registry = Registry.load(tmp_path / "tool_registry.json")
    async with Orchestrator(registry, "sqlite://") as orchestrator:
        session = orchestrator.session("text", "ada")
        good = await session.dispatch(ToolCall(None, "find_notes", {"query": "x"}))
        assert good["data"] == {"found": "x"}
        assert good["meta"]["toolId"] == "find_notes"
        session = orchestrator.session("text", "bob")  # who has read nothing yet
        bad = await session.dispatch(ToolCall(None, "find_notes", {"query": "bad"}))
        session = orchestrator.session("text", "eve")
        own = await session.dispatch(ToolCall(None, "kb_search", {"query": "bad"}))
        assert bad["error"] == own["error"]
        assert bad["error"]["place"] == "here"
        await orchestrator.store.flush()
        lines = await orchestrator.store.audit_lines()
        named = [json.loads(line.line).get("toolId") for line in lines]
        assert named.count("find_notes") == 2
        assert named.count("kb_search") == 3


def test_the_artifact_says_which_tool_an_alias_runs(
    built: Callable[[], BuildReport], tmp_path: Path
) -> None:
    built()
    registry = Registry.load(tmp_path / "tool_registry.json")
    entry = registry.entry("find_notes")
    assert entry["aliasOf"] == "kb_search"
    assert entry["handlerPath"].endswith("find-notes/schema.json")
    assert "aliasOf" not in registry.entry("kb_search")


# What the tool that it runs counts as, which does not say so.
WORST = {"origin": "untrusted", "sensitivity": "private", "outside": True}


@pytest.mark.parametrize(
    ("changes", "pointer", "message"),
    [
        ({"aliasOf": "find_notes"}, "/aliasOf", "names the tool itself"),
        ({"aliasOf": 3}, "/aliasOf", "3 is no tool id"),
        ({"isolation": "process"}, "/isolation", "of a tool that runs another one"),
        ({"sideEffects": "none", **WORST}, "/sideEffects", "is not that of 'kb_search'"),
        ({"output": {"type": "object"}}, "/output", "is not that of 'kb_search'"),
    ],
)
def test_an_alias_that_does_not_fit_is_refused(
    built: Callable[[], BuildReport],
    write_tool: Callable[..., Path],
    changes: dict[str, Any],
    pointer: str,
    message: str,
) -> None:
    write_tool("find-notes", handler=None, **{"aliasOf": "kb_search", **changes})
    found = [one for one in said(built()) if one[0] == "alias"]
    assert [one[1] for one in found] == [pointer]
    assert message in found[0][2]


async def test_an_alias_without_its_target_is_built_and_says_so_when_called(
    built: Callable[[], BuildReport], write_tool: Callable[..., Path], tmp_path: Path
) -> None:
    write_tool("find-notes", handler=None, aliasOf="kb_serch")
    report = built()
    assert report.ok
    assert [(f.severity, f.rule) for f in report.findings] == [("warning", "alias")]
    assert "there is no tool 'kb_serch'" in report.findings[0].message

    registry = Registry.load(tmp_path / "tool_registry.json")
    async with Orchestrator(registry, "sqlite://") as orchestrator:
        session = orchestrator.session("text", "ada")
        found = await session.dispatch(ToolCall(None, "find_notes", {"query": "x"}))
        assert found["error"]["type"] == "NOT_FOUND"


def test_an_alias_has_no_code_and_no_alias_for_a_target(
    built: Callable[[], BuildReport], write_tool: Callable[..., Path]
) -> None:
    write_tool("look-up", handler=None, aliasOf="find_notes")
    assert said(built()) == [("alias", "/aliasOf", "'find_notes' is an alias too")]
    write_tool("look-up", aliasOf="kb_search")
    assert said(built()) == [("alias", "", "is code of a tool that runs another one")]


def test_a_target_that_changes_alone_is_found_by_a_cached_build(
    built: Callable[[], BuildReport], write_tool: Callable[..., Path]
) -> None:
    assert said(built()) == []
    write_tool("kb-search", handler=COUNT, idempotent=False, category="action")
    report = built()
    assert report.cached == 1
    assert ("alias", "/idempotent", "`idempotent` is not that of 'kb_search'") in said(report)
