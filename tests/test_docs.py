"""The documents say what is true: links lead somewhere, examples run, tables match the code."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml

import antiphon
from antiphon.cli import app
from antiphon.config.settings import LEAVES, Settings
from antiphon.contracts import ErrorType, IntentType
from antiphon.contracts.definition import ToolDefinition
from antiphon.emulators import Script
from antiphon.emulators.runner import APIS
from antiphon.emulators.script import BEATS, HEARD
from antiphon.policy import TEXT, VOICE
from antiphon.policy.rules import RULES
from antiphon.registry import Registry
from antiphon.registry.builder import build
from antiphon.registry.findings import FindingList
from antiphon.registry.lint_fields import FIELDS
from antiphon.registry.projections import PROVIDERS
from antiphon.server import create_app
from antiphon.server.problems import STATUS

ROOT = Path(__file__).parents[1]
PACKAGE = Path(antiphon.__file__).parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("bench/peers/*.md")])
# All but hello.py: README.md has it, and its snippets are run.
EXAMPLES = sorted(set(ROOT.glob("examples/*.py")) - {ROOT / "examples" / "hello.py"})

FENCE = re.compile(r"^```(?P<info>[^\n]*)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)\s]+)\)")
ROUTE = re.compile(r"(?:(?P<method>GET|POST|DELETE) |127\.0\.0\.1:8080)(?P<path>/[\w/{}.]*)")


def text(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def section(document: str, heading: str) -> str:
    """What stands under a heading, up to the next one of its level or above."""
    marks = heading.partition(" ")[0]
    _, found, rest = document.partition(f"\n{heading}\n")
    assert found, f"there is no heading {heading!r}"
    return re.split(rf"^#{{1,{len(marks)}}} ", rest, maxsplit=1, flags=re.MULTILINE)[0]


def rows(part: str) -> Iterator[list[str]]:
    """The cells of every row of the tables in a text; `|` inside backquotes is not used."""
    for line in part.splitlines():
        if line.startswith("| ") and not line.startswith("|---"):
            yield [cell.strip() for cell in line.strip("|").split(" | ")]


def named(part: str) -> dict[str, list[str]]:
    """Rows whose first cell is one name in backquotes, by that name."""
    found: dict[str, list[str]] = {}
    for cells in rows(part):
        name = re.fullmatch(r"`([^`]+)`", cells[0])
        if name:
            assert name[1] not in found, f"{name[1]} has two rows"
            found[name[1]] = cells[1:]
    return found


def anchors(document: str) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", document), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


# -- links and code ----------------------------------------------------------------------------


@pytest.mark.parametrize("document", DOCUMENTS, ids=relative)
def test_every_relative_link_leads_somewhere(document: Path) -> None:
    broken = []
    for target in LINK.findall(FENCE.sub("", document.read_text("utf-8"))):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = document.parent / path if path else document
        if not file.exists() or (anchor and anchor not in anchors(file.read_text("utf-8"))):
            broken.append(target)
    assert not broken


def test_the_navigation_of_the_site_leads_to_every_document() -> None:
    nav = set(re.findall(r"^ +- (?:.*: )?(\S+\.md)$", text("mkdocs.yml"), re.MULTILINE))
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in ROOT.glob("docs/**/*.md")}
    generated = {
        *("index.md", "changelog.md", "contributing.md", "vulnerabilities.md"),
        *("reference/python.md", "reference/command-line.md"),
    }
    assert pages <= nav
    assert nav <= pages | generated


def test_the_site_builds_and_asks_nobody_but_itself(tmp_path: Path) -> None:
    """MkDocs is strict: a link, an anchor or a page of the navigation that is not there fails."""
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    fetched = re.compile(r'<(?:script|link|img)[^>]+(?:src|href)="?(?:https?:)?//')
    for page in tmp_path.rglob("*.html"):
        assert not fetched.search(page.read_text("utf-8")), page
    listed = set(re.findall(r"^- \[.+?\]\((\S+)\): \S", (tmp_path / "llms.txt").read_text(), re.M))
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in ROOT.glob("docs/**/*.md")}
    assert pages <= listed
    whole = (tmp_path / "llms-full.txt").read_text("utf-8")
    assert all(f"\n## {name}\n" in whole for name in command_line())


@pytest.mark.parametrize("example", EXAMPLES, ids=relative)
def test_examples_run(example: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", str(example)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr


@pytest.mark.parametrize("document", DOCUMENTS, ids=relative)
def test_code_in_the_documents_can_be_parsed(document: Path) -> None:
    for block in FENCE.finditer(document.read_text("utf-8")):
        language = block["info"].partition(" ")[0]
        if language == "python":
            compile(block["code"], relative(document), "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        elif language == "json":
            json.loads(block["code"])


def test_the_example_tools_build_without_findings(tmp_path: Path) -> None:
    report = build([ROOT / "examples" / "tools"], tmp_path / "tool_registry.json")
    assert report.ok
    assert report.findings == []


# -- the command line and the routes -----------------------------------------------------------


def commands(group: Any, prefix: str = "antiphon") -> dict[str, set[str]]:
    """Every command with its options."""
    found: dict[str, set[str]] = {}
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            found |= commands(command, f"{prefix} {name}")
        if not hasattr(command, "commands") or command.invoke_without_command:
            options = {flag for p in command.params for flag in (*p.opts, *p.secondary_opts)}
            found[f"{prefix} {name}"] = options | {"-h", "--help"}
    return found


def command_line() -> dict[str, set[str]]:
    return commands(typer.main.get_command(app))


def spoken_of(document: Path) -> Iterator[str]:
    """What stands in a document as a command: in a block at the start of a line, or in words."""
    whole = document.read_text("utf-8")
    for block in FENCE.finditer(whole):
        for line in block["code"].splitlines():
            found = re.search(r"(?:^|\| |[A-Z_]+=\S+ )(antiphon [a-z].*)", line)
            if found and not block["info"]:
                yield found[1].partition("#")[0]
    yield from re.findall(r"`(antiphon [a-z][^`]*)`", FENCE.sub("", whole).replace("\n", " "))


@pytest.mark.parametrize("document", DOCUMENTS, ids=relative)
def test_every_command_that_is_named_exists_with_its_options(document: Path) -> None:
    known = command_line()
    wrong = []
    for said in spoken_of(document):
        words = said.partition(" -- ")[0].split()  # the rest is another program
        name = next((n for n in (" ".join(words[:3]), " ".join(words[:2])) if n in known), None)
        options = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
        if name is None or not options <= known[name]:
            wrong.append(said)
    assert not wrong


def test_the_readme_is_short_and_begins_with_the_hello_world_that_is_an_example() -> None:
    readme = text("README.md")
    assert len(readme.splitlines()) <= 150
    first = next(block for block in FENCE.finditer(readme) if block["info"].startswith("python"))
    assert text("examples/hello.py").endswith("\n\n" + first["code"])


@pytest.fixture(scope="module")
def routes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The routes of the server, with their methods."""
    folder = tmp_path_factory.mktemp("served")
    artifact = folder / "tool_registry.json"
    assert build([ROOT / "examples" / "tools"], artifact).ok
    paths: dict[str, Any] = create_app(Registry.load(artifact), Settings(data=folder)).openapi()[
        "paths"
    ]
    return paths


@pytest.mark.parametrize("name", ["README.md", "docs/calls.md", "docs/envelope.md"])
def test_every_route_that_is_named_exists(name: str, routes: dict[str, Any]) -> None:
    known = [
        (method.upper(), re.compile(re.sub(r"\{\w+\}", r"[^/]+", path)))
        for path, methods in routes.items()
        for method in methods
    ]
    known.append(("GET", re.compile("/openapi.json")))
    wrong = []
    for found in ROUTE.finditer(text(name)):
        method, path = found["method"], found["path"].rstrip(".")
        if not any((method or m) == m and p.fullmatch(path) for m, p in known):
            wrong.append(found[0])
    assert not wrong


# -- tables ------------------------------------------------------------------------------------


def test_the_fields_of_schema_json_are_those_that_lint_knows() -> None:
    table = named(section(text("docs/tools.md"), "## Fields of schema.json").split("###")[0])
    assert table.keys() == FIELDS.keys()
    for name, (_values, default, _meaning, _example) in table.items():
        assert (default == "required") is FIELDS[name].required, name


def test_the_examples_of_fields_pass_their_own_rules() -> None:
    table = named(section(text("docs/tools.md"), "## Fields of schema.json").split("###")[0])
    whole = {}
    for name, (*_, example) in table.items():
        field = json.loads(f"{{{example.strip('`')}}}")
        assert list(field) == [name]
        found = FindingList("schema.json")
        FIELDS[name].check(found, f"/{name}", field[name])
        assert found.found == []
        whole |= field
    definition = ToolDefinition.from_schema(whole)
    assert definition.metadata().keys() | {"parameters"} == FIELDS.keys()


def test_the_defaults_of_fields_are_the_real_ones() -> None:
    required = {name: json.loads(f"{{{r.example}}}") for name, r in FIELDS.items() if r.required}
    schema = {name: value for field in required.values() for name, value in field.items()}
    table = named(section(text("docs/tools.md"), "## Fields of schema.json").split("###")[0])
    for side_effects in ("read_only", "writes"):
        made = ToolDefinition.from_schema({**schema, "sideEffects": side_effects})
        for name in ("risk", "execution", "interruption"):
            assert f"`{made.metadata()[name]}`" in table[name][1], name


# Where the rule stands among the arguments of what makes a finding.
_PLACES = {
    "error": 0,
    "warning": 0,
    "JsonProblem": 0,
    "_about_artifact": 0,
    "_one_of": 0,
    "LintFinding": 1,
}


def rules_of_the_build() -> set[str]:
    """Every rule id that a finding is made with, from the source."""
    found: set[str] = set()
    registry = PACKAGE / "registry"
    for path in sorted([*registry.glob("*.py"), *registry.glob("functions/*.py")]):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                found |= _given(node)
            elif isinstance(node, ast.Assign):
                found |= _assigned(node)
    return found


def _given(node: ast.Call) -> set[str]:
    called = node.func
    if isinstance(called, ast.Attribute) and getattr(called.value, "id", "") == "logger":
        return set()  # a line of the log is no finding
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    rule = dict(enumerate(node.args)).get(_PLACES.get(name, -1))
    return {rule.value} if isinstance(rule, ast.Constant) and isinstance(rule.value, str) else set()


def _assigned(node: ast.Assign) -> set[str]:
    """`rule = "…"`, or `rule, fix = "…", "…"`."""
    target, value = node.targets[0], node.value
    pairs: list[tuple[ast.expr, ast.expr]] = [(target, value)]
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        pairs = list(zip(target.elts, value.elts, strict=True))
    return {
        v.value
        for t, v in pairs
        if isinstance(t, ast.Name) and t.id == "rule" and isinstance(v, ast.Constant)
    }


def test_every_rule_of_the_build_is_explained_and_no_other() -> None:
    heading = "## Findings of the build, and what to do"
    table = named(section(text("docs/tools.md"), heading))
    assert table.keys() == rules_of_the_build()
    assert {severity for severity, *_ in table.values()} == {"error", "warning", "both"}


def test_every_setting_is_listed_with_its_default() -> None:
    table = named(text("docs/settings.md"))
    assert table.keys() == LEAVES.keys()
    settings = Settings()
    for name, (default, _meaning) in table.items():
        value: object = settings
        for part in name.split("."):
            value = getattr(value, part)
        if isinstance(value, bool):
            value = str(value).lower()  # as TOML has it
        shown = "not set" if value is None else "none" if value == [] else f"`{value}`"
        if name in ("tools.folders", "server.console"):
            continue  # it depends on where one is; said in words
        assert default.replace("<data>", ".antiphon") == shown, name


def test_every_error_type_and_intent_is_explained() -> None:
    document = text("docs/envelope.md")
    tree = FENCE.findall(section(document, "## Errors"))[0][1]
    layers = re.split(r"^(?=\w)", tree, flags=re.MULTILINE)[1:]
    found = {
        (kind, layer.partition(" ")[0])
        for layer in layers
        for kind in re.findall(r"^  ([A-Z_]+) ", layer, re.MULTILINE)
    }
    assert found == {(kind.value, kind.layer) for kind in ErrorType}
    assert named(section(document, "## Intents")).keys() == {kind.value for kind in IntentType}


def test_the_gates_stand_in_their_order() -> None:
    table = rows(section(text("docs/calls.md"), "## Gates, in order"))
    listed = [cells[0].partition(":")[0] for cells in table]
    assert listed[1:] == [rule.id for rule in RULES if rule.check is not None]


def test_the_budgets_are_the_real_ones() -> None:
    cells = list(rows(section(text("docs/calls.md"), "## Budgets")))[1:]
    names = (
        *("retrieval_calls", "total_calls", "rounds", "top_k", "tool_time_ms"),
        *("write_calls", "open_questions"),
    )
    for name, (_, voice, text_) in zip(names, cells, strict=True):
        for said, budget in ((voice, VOICE), (text_, TEXT)):
            value = getattr(budget, name)
            assert said.removesuffix(" ms") == ("no limit" if value is None else str(value)), name


def test_the_statuses_are_the_real_ones() -> None:
    part = section(text("docs/calls.md"), "## Over HTTP")
    said = {
        ErrorType(kind): int(cells[0])
        for cells in rows(part)
        if cells[0].isdecimal()
        for kind in re.findall(r"`([A-Z_]+)`", cells[1])
    }
    assert said == STATUS


def test_everything_that_a_script_can_hear_and_do_is_described() -> None:
    document = text("docs/emulators.md")
    heard = named(section(document, "### What is heard"))
    assert {kind: cells[-1] == "no" for kind, cells in heard.items()} == HEARD
    assert named(section(document, "### What the model does")).keys() == BEATS.keys()


def test_scripts_in_the_documents_can_be_used() -> None:
    blocks = FENCE.finditer(text("docs/emulators.md"))
    scripts = [block["code"] for block in blocks if block["info"] == "yaml"]
    assert scripts
    for script in scripts:
        Script.parse(yaml.safe_load(script))


@pytest.mark.parametrize("api", APIS)
def test_the_clients_in_the_documents_are_those_of_the_examples(api: str) -> None:
    example = text(f"examples/emulate/client_{api}.py")
    code = example[example.index("\nimport ") + 1 :]
    blocks = FENCE.finditer(text("docs/emulators.md"))
    assert code in [block["code"] for block in blocks]


def test_every_form_of_declaration_is_described() -> None:
    forms = {
        re.findall(r"`(\w+)`", cells[0])[0] for cells in list(rows(text("docs/projections.md")))[1:]
    }
    assert forms == {*PROVIDERS, "openaiResponses"}
