"""A tool can be written in its other form and back; its contract stays the same."""

from __future__ import annotations

import importlib
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from antiphon import Orchestrator, Registry, ToolCall
from antiphon.cli import main
from antiphon.registry.artifact import contract_digest
from antiphon.registry.builder import build
from antiphon.registry.conversion import directory_of, package_of
from antiphon.registry.findings import has_errors
from antiphon.registry.functions import FunctionTool
from antiphon.registry.lint import lint_tool
from antiphon.registry.scaffold import ScaffoldError
from antiphon.registry.sources import GUIDE, SCHEMA, read_tool
from antiphon.registry.strict_json import parse
from antiphon.registry.validation import Validator

from .conftest import PARAMETERS, WriteTool, contract
from .schema_strategies import instances, tool_schemas

GUIDE_TEXT = "# kb_search\n\nLooks for something.\n"
ECHO = """\
from antiphon import ok
from .helper import wrapped


async def execute(args, context):
    return ok(wrapped(args))


def prepare(args, context):
    return args | {"prepared": True}


def reconcile(key):
    return ok({"key": key})
"""
HELPER = "def wrapped(args):\n    return {'echo': args}\n"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder of the Python path, for modules that a test makes."""
    folder = tmp_path_factory.mktemp("packages")
    sys.path.append(str(folder))
    yield folder
    sys.path.remove(str(folder))


@pytest.fixture(autouse=True)
def forget_packages(place: Path) -> Iterator[None]:
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "kb_search"]:
        del sys.modules[name]
    shutil.rmtree(place / "kb_search", ignore_errors=True)


def digest_of(directory: Path) -> str:
    source = read_tool(directory)
    schema, _ = parse(source.files[SCHEMA])
    return contract_digest(schema, source.files[GUIDE])


def function_of(package: Path) -> FunctionTool[..., Any]:
    importlib.invalidate_caches()
    made = getattr(importlib.import_module(package.name), package.name)
    assert isinstance(made, FunctionTool)
    return made


def write_directory(directory: Path, schema: dict[str, Any]) -> None:
    directory.mkdir(parents=True)
    (directory / SCHEMA).write_text(json.dumps(schema))
    (directory / GUIDE).write_text(GUIDE_TEXT)
    (directory / "handler.py").write_text(ECHO)
    (directory / "helper.py").write_text(HELPER)


@settings(max_examples=12)
@given(data=st.data())
def test_a_directory_becomes_a_function_and_a_directory_again(data: st.DataObject) -> None:
    parameters = data.draw(tool_schemas()) | {"additionalProperties": False}
    parameters.pop("patternProperties", None)
    parameters["required"] = [n for n in parameters.get("required", []) if n != "undeclared"]
    folder = Path(sys.path[-1])
    for made in ("kb_search", "tools", "again", ".cache"):
        shutil.rmtree(folder / made, ignore_errors=True)
    for name in [name for name in sys.modules if name.partition(".")[0] == "kb_search"]:
        del sys.modules[name]
    first = folder / "tools" / "kb-search"
    write_directory(first, contract("kb_search", parameters=parameters))
    assume(not has_errors(lint_tool(read_tool(first)).findings))
    package, digest = package_of(first, folder)
    function = function_of(package)
    assert digest == digest_of(first)
    assert contract_digest(function.schema, function.guide.encode()) == digest
    again, same = directory_of("kb_search:kb_search", folder / "again")
    assert same == digest == digest_of(again)
    # A call brings the handler what it brought before.
    args = Validator(parameters).accept(data.draw(instances(parameters, parameters)))
    assume(args is not None)
    answer = function.handler.execute(args, None)
    with pytest.raises(StopIteration) as stopped:
        answer.send(None)
    assert json.dumps(stopped.value.value.data["echo"]) == json.dumps(args)


async def test_the_further_handlers_come_along(place: Path) -> None:
    first = place / "further" / "kb-search"
    write_directory(first, contract("kb_search"))
    function = function_of(package_of(first, place)[0])
    handler = function.handler
    assert handler.prepare is not None
    assert handler.reconcile is not None
    assert handler.prepare({"query": "x"}, None) == {"query": "x", "prepared": True}
    assert handler.reconcile("k", {"query": "x"}, None).data == {"key": "k"}
    async with Orchestrator(Registry.of(function)) as orchestrator:
        session = orchestrator.session("text")
        answer = await session.dispatch(ToolCall(None, "kb_search", {"query": "x"}))
    assert answer["data"] == {"echo": {"query": "x"}}


@pytest.mark.parametrize(
    ("handler", "fields"),
    [
        ("from antiphon import ok\n\ndef execute(args, context):\n    return ok(args)\n", {}),
        (
            "from antiphon import ok\n\nasync def execute(args, context):\n"
            "    yield 'half'\n    yield ok(args)\n",
            {
                "rateLimit": {"calls": 3, "windowMs": 500},
                "redact": ["/query"],
                "availability": {"env": ["HOME"]},
                "output": {"type": "object", "title": "Anything"},
                "timeoutMs": 1500.5,
                "network": False,
                "catalogue": "text",
            },
        ),
    ],
)
def test_every_kind_and_field_of_a_directory_survives(
    place: Path, write_tool: WriteTool, handler: str, fields: dict[str, Any]
) -> None:
    directory = write_tool(handler=handler, **fields)
    package, digest = package_of(directory, place)
    function = function_of(package)
    assert contract_digest(function.schema, function.guide.encode()) == digest_of(directory)
    assert digest == digest_of(directory)


def test_the_commands_say_what_they_made(
    write_tool: WriteTool, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    directory = write_tool()
    assert main(["new-tool", "--from", str(directory), "--folder", str(place)]) == 0
    digest = digest_of(directory)[:12]
    assert f"with the contract {digest} of {directory}" in capsys.readouterr().out
    assert main(["new-tool", "--from", "kb_search:kb_search", "--folder", str(place / "new")]) == 0
    assert f"with the contract {digest} of kb_search:kb_search" in capsys.readouterr().out
    assert build([place / "new"], place / "new.json").ok
    assert main(["new-tool", "--from", "kb_search:kb_search", "--folder", str(place / "new")]) == 1
    assert "is already there" in capsys.readouterr().err


def test_wrong_origins_are_told(
    write_tool: WriteTool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new-tool"]) == 2
    assert main(["new-tool", "name", "--from", "json:dumps"]) == 2
    assert main(["new-tool", "--from", "json:missing"]) == 1
    assert main(["new-tool", "--from", "json:dumps"]) == 1
    assert "have no types" in capsys.readouterr().err
    assert main(["new-tool", "--from", str(tmp_path / "nowhere")]) == 1
    variants = [{"name": "b", "weight": 1, "handler": "handler.py"}]
    with pytest.raises(ScaffoldError, match="has `variants`"):
        package_of(write_tool(variants=variants), tmp_path)
    open_ended = {**PARAMETERS, "patternProperties": {"^x": {"type": "string"}}}
    with pytest.raises(ScaffoldError, match="cannot be written as a function"):
        package_of(write_tool(parameters=open_ended), tmp_path)
    with pytest.raises(ScaffoldError, match="cannot be imported: ZeroDivisionError"):
        package_of(write_tool(handler="1 / 0\n"), tmp_path)
