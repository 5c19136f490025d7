"""Functions are built into an artifact, loaded from it, and run in worker processes."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from antiphon import Orchestrator, Registry, ToolCall
from antiphon.cli import main
from antiphon.registry import RegistryError
from antiphon.registry.functions import find_tool
from antiphon.registry.functions.reference import ReferenceProblem

from .conftest import WriteTool

MODULE = '''\
"""The tools of a shop."""

import os
from collections.abc import AsyncIterator
from dataclasses import dataclass

from antiphon import Context, Registry, tool


@dataclass
class Order:
    """An order."""

    number: int
    process: int


@tool(side_effects="read_only")
async def order_status(number: int) -> Order:
    """Look up an order.

    Args:
        number: Which one.
    """
    return Order(number, os.getpid())


@tool(side_effects="none", isolation="process", timeout_ms=60_000)
def crunch(number: int) -> Order:
    """Compute for long.

    Args:
        number: What.
    """
    return Order(number, os.getpid())


@tool(side_effects="none", isolation="process", timeout_ms=60_000)
async def climb(steps: int, context: Context) -> AsyncIterator[str | dict[str, str]]:
    """Climb stairs.

    Args:
        steps: How many.
    """
    for step in range(steps):
        yield f"step {step}"
    yield {"user": context.session.user}


def plain(word: str) -> str:
    """Repeat a word.

    Args:
        word: Which one.
    """
    return word


def inside():
    """Make a tool that nobody can import."""

    @tool(side_effects="none")
    def hidden() -> None:
        """Hide."""

    return hidden


SOME = [order_status, plain]
HIDDEN = [inside()]
REGISTRY = Registry.of(order_status, crunch)
NUMBER = 3
'''


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A module of the working directory, named by the test's own folder so that each is new."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry not in ("", ".")])
    name = f"shop_{abs(hash(tmp_path))}"
    (tmp_path / f"{name}.py").write_text(MODULE)
    yield name
    sys.modules.pop(name, None)


def changed(shop: str, old: str, new: str) -> None:
    """Change the module's file, as if the program were started anew."""
    path = Path(f"{shop}.py")
    path.write_text(path.read_text().replace(old, new))
    del sys.modules[shop]
    os.utime(path, (1, 1))  # else a compiled file of the same second would be taken
    importlib.invalidate_caches()


@pytest.mark.parametrize(
    ("name", "tools"),
    [
        ("order_status", ["order_status"]),
        ("plain", ["plain"]),
        ("SOME", ["order_status", "plain"]),
        ("", ["climb", "crunch", "order_status"]),
        ("REGISTRY", ["crunch", "order_status"]),
    ],
)
def test_functions_are_named_on_the_command_line(
    shop: str, name: str, tools: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["build", f"{shop}:{name}"]) == 0, capsys.readouterr()
    assert Registry.load("tool_registry.json").tool_ids() == tools
    assert main(["build", f"{shop}:{name}", "--check"]) == 0


def test_functions_and_folders_are_built_together(shop: str, write_tool: WriteTool) -> None:
    write_tool("kb-search")
    assert main(["build", "tools", f"{shop}:order_status"]) == 0
    registry = Registry.load("tool_registry.json")
    assert registry.tool_ids() == ["kb_search", "order_status"]
    entry = registry.entry("order_status")
    assert entry is not None
    assert entry["handlerPath"] == f"{shop}:order_status"


def test_a_registry_of_functions_has_the_version_of_its_artifact(shop: str) -> None:
    assert main(["build", f"{shop}:REGISTRY"]) == 0
    made = importlib.import_module(shop).REGISTRY
    assert Registry.load("tool_registry.json").version == made.version


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("HIDDEN", "an artifact can only name functions that other processes can import"),
        ("NUMBER", "is int. Name a function, a list of functions, a module or a Registry."),
        ("missing", "has no 'missing'. Correct the name."),
    ],
)
def test_what_cannot_be_built_is_told(
    shop: str, name: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["build", f"{shop}:{name}"]) == 1
    told = capsys.readouterr()
    assert said in told.out + told.err
    assert not Path("tool_registry.json").exists()


def test_a_module_that_is_not_there_is_told(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", f"{shop}_not:tool"]) == 1
    assert f"there is no module '{shop}_not' here" in capsys.readouterr().err


def test_functions_are_not_watched(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", f"{shop}:plain", "--watch"]) == 1
    assert "--watch builds folders" in capsys.readouterr().err


def test_a_function_that_changed_is_refused_until_it_is_built_again(shop: str) -> None:
    assert main(["build", f"{shop}:order_status"]) == 0
    changed(shop, "Order(number, os", "Order(number + 1, os")
    with pytest.raises(RegistryError, match="its function has changed since the artifact was"):
        Registry.load("tool_registry.json")
    with pytest.raises(RegistryError, match=rf"Run `antiphon build {shop}:order_status --out"):
        Registry.load("tool_registry.json")
    assert main(["build", f"{shop}:order_status"]) == 0
    assert Registry.load("tool_registry.json").tool_ids() == ["order_status"]


def test_a_function_that_is_gone_is_told(shop: str) -> None:
    assert main(["build", f"{shop}:order_status"]) == 0
    changed(shop, "order_status", "order_state")
    with pytest.raises(RegistryError, match="has no 'order_status'"):
        Registry.load("tool_registry.json")


def test_a_module_that_fails_is_told_without_a_traceback(shop: str) -> None:
    Path(f"{shop}.py").write_text("1 / 0\n")
    with pytest.raises(ReferenceProblem, match="cannot be imported: ZeroDivisionError: division"):
        find_tool(f"{shop}:order_status")


@pytest.mark.real_time
async def test_a_function_runs_in_a_worker_process(shop: str) -> None:
    tools = [find_tool(f"{shop}:{name}") for name in ("crunch", "climb")]
    told: list[str] = []
    async with Orchestrator(Registry.of(*tools)) as orchestrator:
        orchestrator.progress_listeners.subscribe(lambda _, facts: told.append(facts["message"]))
        session = orchestrator.session("text", "ada")
        crunched = await session.dispatch(ToolCall(None, "crunch", {"number": 7}))
        climbed = await session.dispatch(ToolCall(None, "climb", {"steps": 2}))
    assert crunched["data"]["number"] == 7
    assert crunched["data"]["process"] != os.getpid()
    assert climbed["data"] == {"user": "ada"}
    assert told == ["step 0", "step 1"]
