"""Typed stubs: what they say of a schema, and that Python and TypeScript take them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mypy import api as mypy
from pydantic import TypeAdapter
from tests.registry.schema_strategies import instances, tool_schemas

from antiphon import Antiphon, tool
from antiphon.cli import main
from antiphon.registry.builder import build
from antiphon.registry.scaffold import new_tool
from antiphon.registry.type_stubs import python_stubs, tool_types, typescript_stubs
from antiphon.registry.validation import UnusableSchema, Validator

CORPUS = [
    json.loads(path.read_text("utf-8"))
    for path in sorted((Path(__file__).parents[1] / "corpus").glob("*.json"))
]
WEB = Path(__file__).parents[2] / "web"


def artifact(*tools: tuple[str, Any, Any]) -> dict[str, Any]:
    entries = [
        {"toolId": name, "summary": f'Does "{name}"\\.', "jsonSchema": args, "output": data}
        for name, args, data in tools
    ]
    return {"version": "1.0.00000000", "tools": entries}


def python_of(args: Any, data: Any = None, name: str = "book") -> str:
    return python_stubs(tool_types(artifact((name, args, data))))


def loaded(source: str) -> dict[str, Any]:
    """The names of the module, in words of pydantic: it wants another TypedDict before Python 3.12
    and another form of aliases, and knows no Never (here a value that nobody uses)."""
    names: dict[str, Any] = {"__name__": "stubs", "Never": Literal["no such value"]}
    plain = source.replace("from typing import", "from typing_extensions import TypeAliasType,")
    plain = plain.replace(" Never,", "", 1)
    plain = re.sub(r"^(\w+): TypeAlias = (.*)$", r'\1 = TypeAliasType("\1", \2)', plain, flags=re.M)
    exec(compile(plain, "stubs.py", "exec"), names)
    return names


def accepts(names: dict[str, Any], name: str, value: Any) -> bool:
    adapter = TypeAdapter(names[name], module=None)
    adapter.rebuild(_types_namespace=names)
    adapter.validate_python(value)
    return True


SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "description": "What\nit is."},
        "from": {"type": ["string", "null"]},
        "x-y": {"enum": ["a", 1, True, None, 0.5]},
        "str": {"type": "integer"},
        "guests": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"name": {"type": "string"}},
                "required": ["name"],
            },
        },
        "node": {"$ref": "#/$defs/node"},
        "any": {"anyOf": [{"type": "number"}, {"const": "all"}]},
        "map": {"type": "object", "additionalProperties": {"type": "boolean"}},
    },
    "required": ["id", "from"],
    "additionalProperties": False,
    "$defs": {
        "node": {
            "type": "object",
            "properties": {"next": {"$ref": "#/$defs/node"}, "value": {}},
        }
    },
}


def test_python_says_what_the_schema_does() -> None:
    source = python_of(SCHEMA)
    for line in (
        "    # What it is.",
        """    'id': "str",""",
        """    'from': "str | None",""",
        """    'x-y': NotRequired["float | Literal['a', 1, True, None]"],""",
        """    'guests': NotRequired["list[BookArgsGuestsItem]"],""",
        """    'node': NotRequired["BookArgsNode"],""",
        """    'any': NotRequired["float | Literal['all']"],""",
        """    'map': NotRequired["dict[str, bool]"],""",
        "class BookArgsGuestsItem(TypedDict):\n    name: str",
        "class BookArgsNode(TypedDict):\n    next: NotRequired[BookArgsNode]",
        'BookData: TypeAlias = "dict[str, Any]"',
        "    async def book(self, args: BookArgs) -> BookData:",
    ):
        assert line in source


def test_typescript_says_what_the_schema_does() -> None:
    source = typescript_stubs(tool_types(artifact(("book", SCHEMA, None))))
    for line in (
        "  /** What it is. */\n  id: string;",
        "  from: string | null;",
        '  "x-y"?: number | "a" | 1 | true | null;',
        "  guests?: BookArgsGuestsItem[];",
        "  next?: BookArgsNode;",
        '  any?: number | "all";',
        "  map?: { [name: string]: boolean };",
        "  book: { args: BookArgs; data: BookData };",
        "  book(args: BookArgs): Promise<BookData>;",
    ):
        assert line in source


@pytest.mark.parametrize(
    ("definitions", "line"),
    [
        ({"d": {"$ref": "#/$defs/d"}}, 'BookArgsD: TypeAlias = "Any"'),
        ({"d": {"anyOf": [{"$ref": "#/$defs/d"}, {"type": "string"}]}}, "BookArgsD: TypeAlias"),
        (
            {
                "d": {
                    "anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/$defs/d"}}]
                }
            },
            'BookArgsD: TypeAlias = "str | list[BookArgsD]"',
        ),
    ],
)
def test_definitions_may_refer_to_themselves(definitions: Any, line: str) -> None:
    schema = {
        "type": "object",
        "properties": {"d": {"$ref": "#/$defs/d"}},
        "$defs": definitions,
    }
    source = python_of(schema)
    assert line in source
    assert accepts(loaded(source), "BookArgs", {"d": "x"})


def test_a_member_without_a_name_makes_a_dictionary() -> None:
    source = python_of({"type": "object", "properties": {"": {"type": "string"}}})
    assert 'BookArgs: TypeAlias = "dict[str, Any]"' in source


def test_names_that_mean_something_in_python_are_taken_care_of() -> None:
    kinds = {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {}}}}}
    made = tool_types(artifact(("import", kinds, None), ("import_args", kinds, kinds)))
    names = loaded(python_stubs(made))
    assert names["Tools"].import_ is not None
    declared = [each.name for each in made.declarations]
    assert len(declared) == len(set(declared))


@settings(max_examples=30)
@given(st.data())
def test_every_instance_of_a_schema_is_one_of_its_type(data: st.DataObject) -> None:
    schema = data.draw(tool_schemas())
    try:
        validator = Validator(schema)
    except UnusableSchema:
        return
    value = data.draw(instances(schema, schema))
    names = loaded(python_of(schema, schema))
    typescript_stubs(tool_types(artifact(("book", schema, schema))))
    if isinstance(value, dict) and not list(validator.errors(value)):
        assert accepts(names, "BookArgs", value)


@pytest.fixture(scope="module")
def corpus() -> dict[str, Any]:
    listed = [(each["name"], each["parameters"], None) for each in CORPUS]
    return artifact(*listed, ("book", SCHEMA, SCHEMA), ("import", SCHEMA, None))


def test_python_passes_a_strict_type_checker(corpus: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "stubs.py").write_text(python_stubs(tool_types(corpus)), "utf-8")
    names = loaded((tmp_path / "stubs.py").read_text("utf-8"))
    for each in CORPUS:
        name = "".join(word.capitalize() for word in each["name"].split("_"))
        for value in each["valid"]:
            assert accepts(names, f"{name}Args", value)
    options = ["--strict", "--follow-imports=silent", "--cache-dir", os.devnull]
    limit = sys.getrecursionlimit()
    try:
        said, _, status = mypy.run([*options, str(tmp_path / "stubs.py")])
    finally:
        sys.setrecursionlimit(limit)  # mypy raises it for the whole process
    assert status == 0, said


def test_typescript_passes_a_strict_compiler(corpus: dict[str, Any], tmp_path: Path) -> None:
    compiler = WEB / "node_modules" / ".bin" / "tsc"
    if not compiler.exists():
        if os.environ.get("CI"):
            pytest.fail("the TypeScript compiler is missing: npm ci in web/ installs it")
        pytest.skip("the TypeScript compiler is missing: npm ci in web/ installs it")
    file = tmp_path / "stubs.ts"
    file.write_text(typescript_stubs(tool_types(corpus)), "utf-8")
    done = subprocess.run(
        [compiler, "--strict", "--noEmit", "--target", "ES2022", "--types", "", file],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


# -- the command ---------------------------------------------------------------------------------


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    new_tool("word-list", tmp_path / "tools")
    assert build([tmp_path / "tools"], tmp_path / "tool_registry.json").ok
    return tmp_path


def test_the_command_writes_both_files(registry: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tools", "types", "--python", "stubs.py", "--typescript", "stubs.ts"]) == 0
    assert capsys.readouterr().out == (
        "Wrote stubs.py: the types of 1 tool.\nWrote stubs.ts: the types of 1 tool.\n"
    )
    assert "class WordListArgs(TypedDict):" in (registry / "stubs.py").read_text("utf-8")
    assert main(["tools", "types", "--python", "-"]) == 0
    assert capsys.readouterr().out == (registry / "stubs.py").read_text("utf-8")
    assert "words: string[];" in (registry / "stubs.ts").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        ([], 2, "--python, --typescript, or both"),
        (["--python", "none/stubs.py"], 1, "none/stubs.py cannot be written: no such file"),
        (["--python", "-", "--registry", "other.json"], 1, "antiphon tools types: other.json"),
    ],
)
def test_the_command_says_what_is_wrong(
    registry: Path,
    arguments: list[str],
    status: int,
    words: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["tools", "types", *arguments]) == status
    assert words in " ".join(capsys.readouterr().err.replace("│", "").split())


async def test_calls_go_through_the_stubs_to_the_gates() -> None:
    @tool(side_effects="none")
    def weather(city: str) -> dict[str, str]:
        """Tell the weather of a city."""
        return {"sky": f"clear over {city}"}

    schema = weather.schema
    names: dict[str, Any] = {"__name__": "stubs"}
    stubs = python_stubs(tool_types(artifact(("weather", schema["parameters"], schema["output"]))))
    exec(compile(stubs, "stubs.py", "exec"), names)
    async with Antiphon([weather]) as app:
        tools = names["Tools"](app.call)
        assert await tools.weather({"city": "Oslo"}) == {"sky": "clear over Oslo"}
        with pytest.raises(names["ToolCallFailed"], match="weather: Invalid parameters: /city"):
            await tools.weather({"city": 5})
