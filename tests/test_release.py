"""The release: what is built, what is in it, and that it works in a clean environment."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
from scripts.distributions import needed
from tests.shipped import shipped_artifact

import antiphon
from antiphon.registry.sources import CATALOGUE_TOOLS

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
# What the core's own tests need.
TEST_TOOLS = ("pytest", "pytest-randomly", "pytest-timeout", "hypothesis", "hypothesis-jsonschema")
TESTS = (
    "tests/contracts",
    "tests/policy/test_rules.py",
    "tests/policy/test_further_rules.py",
    "tests/registry/test_validation.py",
    "tests/orchestrator/test_confirmations.py",
    "tests/orchestrator/test_duplicates.py",
)
STEM = f"antiphon-{antiphon.__version__}"
WHEEL = f"{STEM}-py3-none-any.whl"
SDIST = f"{STEM}.tar.gz"


def build(source: Path, folder: Path) -> None:
    """Build the sdist and the wheel of a source tree into a folder, as `make dist` does."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(folder)],
        cwd=source,
        env={**os.environ, "SOURCE_DATE_EPOCH": "1767225600"},
        check=True,
        capture_output=True,
    )


def sources(built: Path) -> set[str]:
    """The names of the files in the sdist, from the root of the tree."""
    with tarfile.open(built / SDIST) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the sdist and the wheel of this tree."""
    folder = tmp_path_factory.mktemp("dist")
    build(ROOT, folder)
    return folder


@pytest.fixture(scope="module")
def bare(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the wheel and what its dependencies bring, nothing else.

    The packages are those of this environment, so that nothing is fetched.
    """
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder / "venv", with_pip=False)
    python = folder / "venv" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--quiet", "install"]
    subprocess.run(
        [*pip, "--no-deps", "--no-index", "--no-compile", str(built / WHEEL)],
        check=True,
        capture_output=True,
    )
    [site] = (folder / "venv").glob("lib/python*/site-packages")
    for name in needed([*PROJECT["dependencies"], *TEST_TOOLS]):
        _link(name, site)
    return python


def _link(name: str, site: Path) -> None:
    found = distribution(name)
    for top in {file.parts[0] for file in found.files or () if file.parts[0] not in ("..", ".")}:
        target = site / top
        if top != "__pycache__" and not target.exists():
            target.symlink_to(Path(str(found.locate_file(top))))


def run(python: Path, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "PYTHON"))}
    return subprocess.run(
        [str(python), *arguments],
        cwd=cwd,
        env={**environment, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


# -- what is built -----------------------------------------------------------------------------


def test_a_build_from_the_sdist_elsewhere_and_later_gives_the_same_bytes(
    built: Path, tmp_path: Path
) -> None:
    with tarfile.open(built / SDIST) as archive:
        archive.extractall(tmp_path, filter="data")
    source = tmp_path / STEM
    for path in source.rglob("*"):
        os.utime(path)
    build(source, tmp_path / "again")
    for name in (SDIST, WHEEL):
        assert (tmp_path / "again" / name).read_bytes() == (built / name).read_bytes(), name


def test_the_wheel_holds_the_package_and_its_licences_and_nothing_else(built: Path) -> None:
    names = set(zipfile.ZipFile(built / WHEEL).namelist())
    package = {name.removeprefix("src/") for name in sources(built) if name.startswith("src/")}
    assert names == package | {
        f"{STEM}.dist-info/{name}"
        for name in (
            *("METADATA", "RECORD", "WHEEL", "entry_points.txt"),
            *("licenses/LICENSE", "licenses/THIRD_PARTY_LICENSES.txt"),
            "licenses/src/antiphon/text/NOTICE",
        )
    }
    assert {
        *("antiphon/py.typed", "antiphon/providers/models.toml", "antiphon/console/static/app.js"),
        *("antiphon/tools/kb-search/schema.json", "antiphon/emulators/default.yaml"),
    } <= names


def test_the_sdist_holds_what_the_package_is_built_and_tested_from(built: Path) -> None:
    names = sources(built)
    assert {
        *("CHANGELOG.md", "LICENSE", "Makefile", "README.md", "SECURITY.md", "pyproject.toml"),
        *("THIRD_PARTY_LICENSES.txt", "constraints.txt", "web/package-lock.json"),
        *("src/antiphon/py.typed", "tests/test_release.py", "docs/deployment.md"),
    } <= names
    assert not [name for name in names if re.search(r"(^|/)(node_modules|\.venv|\.ci)/", name)]


# -- the image ---------------------------------------------------------------------------------


def instructions(dockerfile: str) -> list[list[tuple[str, str]]]:
    """The stages of a Dockerfile, each as its instructions: word and arguments."""
    lines = [line for line in dockerfile.splitlines() if not line.lstrip().startswith("#")]
    text = "\n".join(lines).replace("\\\n", " ")
    words = [line.split(None, 1) for line in text.splitlines() if line.strip()]
    stages: list[list[tuple[str, str]]] = [[]]
    for word, arguments in words:
        if word == "FROM":
            stages.append([])
        stages[-1].append((word, arguments))
    return stages[1:]


def test_the_image_runs_the_wheel_as_nobody_special_and_keeps_its_data_in_a_volume() -> None:
    build_stage, final = instructions((ROOT / "Dockerfile").read_text("utf-8"))
    does = dict(final)
    assert does["USER"] == "10001"
    assert does["VOLUME"] == "/var/lib/antiphon"
    assert json.loads(does["ENTRYPOINT"]) + json.loads(does["CMD"]) == [
        *("antiphon", "serve", "--data", "/var/lib/antiphon"),
    ]
    assert "/readyz" in does["HEALTHCHECK"]
    assert does["COPY"] == "--from=build /opt/antiphon /opt/antiphon"
    assert "pip" not in does["RUN"]
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    for word, arguments in build_stage:
        if word == "COPY":
            for source in arguments.split()[:-1]:
                assert (ROOT / source).exists(), source
                assert f"!{source}" in ignored, source
    [extras] = [rest for word, rest in build_stage if word == "ARG"]
    assert set(extras.removeprefix("EXTRAS=").split(",")) <= PROJECT["optional-dependencies"].keys()


# -- the changelog of the contract -------------------------------------------------------------


def test_the_changelog_of_the_contract_tells_a_new_tool_from_a_broken_one(tmp_path: Path) -> None:
    artifact = json.loads(shipped_artifact().read_text("utf-8"))
    tools = {tool["toolId"]: tool for tool in artifact["tools"]}
    del tools["calculator"]
    tools["word_count"]["jsonSchema"] = {"type": "object"}
    old = tmp_path / "old.json"
    old.write_text(json.dumps({**artifact, "tools": list(tools.values())}), "utf-8")
    done = run(ROOT / "scripts" / "contract-changelog.sh", str(old), cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "+ calculator\n" in done.stdout
    assert "~ word_count 1.0.0 (breaking)\n" in done.stdout
    assert "This breaks callers." in done.stdout
    wrong = run(ROOT / "scripts" / "contract-changelog.sh", "no-such-revision", cwd=tmp_path)
    assert wrong.returncode == 2
    assert "neither a file nor a revision" in wrong.stderr


# -- the wheel in a clean environment ----------------------------------------------------------


@pytest.mark.parametrize("command", [("bin/antiphon",), ("bin/python", "-m", "antiphon")])
def test_the_installed_command_tells_its_version(
    bare: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    program, *arguments = command
    done = run(bare.parents[1] / program, *arguments, "--version", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, f"antiphon {antiphon.__version__}\n")


CLI = ("-m", "antiphon")

CALLS = """
import asyncio
import antiphon
from antiphon import Orchestrator, Registry, ToolCall

@antiphon.tool(side_effects="none")
def add_numbers(first: int, second: int) -> int:
    '''Add two numbers. Use it when a person asks for a sum.

    Args:
        first: The first number.
        second: The second number.
    '''
    return first + second

async def call(registry, name, args):
    async with Orchestrator(registry, "sqlite:///calls.db") as orchestrator:
        call = ToolCall("call_0123456789", name, args)
        envelope = await orchestrator.session("text").dispatch(call)
        assert envelope["ok"], envelope
        await orchestrator.store.flush()
        *_, line = [
            each.data
            for each in await orchestrator.store.audit_lines()
            if each.data["event"] == "tool_execution"
        ]
        assert (line["toolId"], line["rule"]) == (name, "run"), line

asyncio.run(call(Registry.load("registry.json"), "greet_person", {"text": "Ada"}))
asyncio.run(call(Registry.of(add_numbers), "add_numbers", {"first": 1, "second": 2}))
"""


def test_the_bare_wheel_runs_governed_calls_of_a_directory_and_of_a_function(
    bare: Path, tmp_path: Path
) -> None:
    made = run(bare, *CLI, "new-tool", "greet_person", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    built = run(bare, *CLI, "build", "tools", "--out", "registry.json", cwd=tmp_path)
    assert built.returncode == 0, built.stderr
    (tmp_path / "calls.py").write_text(CALLS, "utf-8")
    called = run(bare, "calls.py", cwd=tmp_path)
    assert called.returncode == 0, called.stderr


SCAN = """
import asyncio
from antiphon import Orchestrator, Registry, ToolCall

async def main():
    async with Orchestrator(Registry.load("registry.json")) as orchestrator:
        call = ToolCall("call_0123456789", "qr_code", {"text": "Ada"})
        print((await orchestrator.session("text").dispatch(call))["error"])

asyncio.run(main())
"""


def test_a_tool_that_needs_more_names_the_pip_line(bare: Path, tmp_path: Path) -> None:
    shutil.copytree(CATALOGUE_TOOLS / "qr-code", tmp_path / "tools" / "qr-code")
    run(bare, *CLI, "build", "tools", "--out", "registry.json", cwd=tmp_path)
    done = run(bare, "-c", SCAN, cwd=tmp_path)
    assert "pip install 'antiphon[catalogue]'" in done.stdout, done.stderr
    assert "PERMANENT" in done.stdout


ASSEMBLE = """
import asyncio
from antiphon.app import Application
from antiphon.config import Settings
from antiphon.extras import MissingExtra
from antiphon.registry import Registry

async def main():
    try:
        async with Application(Settings(), Registry.load("registry.json")):
            pass
    except MissingExtra as error:
        print(error)

asyncio.run(main())
"""


def test_an_application_that_needs_more_names_the_pip_line(bare: Path, tmp_path: Path) -> None:
    run(bare, *CLI, "new-tool", "greet_person", cwd=tmp_path)
    run(bare, *CLI, "build", "tools", "--out", "registry.json", cwd=tmp_path)
    done = run(bare, "-c", ASSEMBLE, cwd=tmp_path)
    assert "pip install 'antiphon[" in done.stdout, done.stderr


@pytest.mark.parametrize(
    ("command", "extra"),
    [
        (("serve",), "server"),
        (("chat", "-m", "Hi"), "knowledge"),
        (("emulate", "gemini"), "emulators"),
    ],
)
def test_a_command_that_needs_more_names_the_pip_line(
    bare: Path, tmp_path: Path, command: tuple[str, ...], extra: str
) -> None:
    done = run(bare, *CLI, *command, cwd=tmp_path)
    assert done.returncode == 1
    assert f"pip install 'antiphon[{extra}]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_tests_of_the_core_run_on_the_bare_wheel(bare: Path) -> None:
    done = run(
        bare, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", *TESTS, cwd=ROOT
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert re.search(r"\d+ passed", done.stdout)
