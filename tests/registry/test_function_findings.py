"""A function that can be no tool is told with file, line and what to do, all of them at once."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any

import pytest

from antiphon import Orchestrator, Registry, ToolCall, tool
from antiphon.registry import RegistryError

from . import bad_functions as bad

FILE = Path(bad.__file__)
CASES: list[tuple[Any, str, str, str]] = [
    (bad.untyped, "def untyped", "annotation", "the parameters `a`, `c` have no types"),
    (bad.starred, "def starred", "parameter-kind", "`*words` takes values without names"),
    (bad.open_ended, "def open_ended", "parameter-kind", "`**words` takes any parameter"),
    (bad.positional, "def positional", "parameter-kind", "`word` cannot be given by name"),
    (bad.connected, "def connected", "parameter-type", "the type 'socket' of 'line' has no form"),
    (bad.connecting, "def connecting", "result-type", "the type 'socket' of the result"),
    (bad.unknown, "def unknown", "annotation", "the type of 'word', 'Missing', cannot be told"),
    (
        bad.misdescribed,
        "def misdescribed",
        "docstring",
        "describes 'cities', which is no",
    ),
    (bad.speechless, "def speechless", "description", "must be a sentence"),
    (bad.stepping, "def stepping", "function", "it is a plain generator"),
    (bad.Shop.order, "def order", "function", "Shop.order is a method"),
    (bad.misspelt, "def misspelt", "side-effects", "'wrote' is not allowed here"),
    (bad.hasty, "def hasty", "rate-limit", "'often' is no rate"),
    (bad.unnamed, "unnamed = tool", "function", "a lambda has neither a name nor types"),
    (bad.pay, "def _check", "handler", "`prepare` takes 'sum', which is no parameter"),
    (bad.refund, "def _look_up", "handler", "`reconcile` takes no key"),
    (
        bad.make_closure(isolation="process"),
        "def closure",
        "isolation",
        "a worker process cannot import it: it is made inside another function",
    ),
]


def findings_of(*functions: Any) -> list[str]:
    """The lines of the error by which a registry of these functions is refused."""
    with pytest.raises(RegistryError) as refused:
        Registry.of(*functions)
    head, *lines = str(refused.value).splitlines()
    assert head == "the tools cannot be used:"
    return lines


def line_of(text: str) -> int:
    lines = FILE.read_text().splitlines()
    return next(number for number, line in enumerate(lines, start=1) if text in line)


@pytest.mark.parametrize(("function", "at", "rule", "message"), CASES, ids=[c[1] for c in CASES])
def test_one_mistake_is_one_finding_with_file_and_line(
    function: Any, at: str, rule: str, message: str
) -> None:
    (line,) = findings_of(function)
    assert re.match(rf"  error: \S*bad_functions\.py:{line_of(at)}[: ]", line), line
    assert message in line
    assert line.endswith(f"[{rule}]")


def test_all_findings_come_at_once() -> None:
    assert len(findings_of(*(case[0] for case in CASES))) == len(CASES)


def test_two_tools_of_one_name_are_told_at_both_places() -> None:
    first, second = findings_of(bad.first_taken, bad.second_taken)
    assert f":{line_of('def first_taken')} " in first
    assert f"also taken by {first.split()[1]}" in second
    assert first.endswith("[duplicate-id]")


@pytest.mark.parametrize("thing", [len, 3, "order", functools.partial(print, "x")])
def test_what_is_no_function_is_told(thing: Any) -> None:
    (line,) = findings_of(thing)
    assert "not a function" in line


def test_a_closure_works_and_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    registry = Registry.of(bad.make_closure())
    assert registry.tool_ids() == ["closure"]
    assert f"bad_functions.py:{line_of('def closure')}: it is made inside" in caplog.text


@pytest.mark.real_time
async def test_a_bound_method_is_a_tool() -> None:
    bound = tool(side_effects="none", isolation="thread")(bad.Shop().bound)
    async with Orchestrator(Registry.of(bound)) as orchestrator:
        session = orchestrator.session("text")
        answer = await session.dispatch(ToolCall(None, "bound", {"number": 2}))
    assert answer["data"] == {"result": 3}


def test_a_contract_with_mistakes_cannot_be_read() -> None:
    for name in ("schema", "definition", "guide", "handler"):
        with pytest.raises(RegistryError, match="have no types"):
            getattr(bad.untyped, name)
