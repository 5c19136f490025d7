"""Layers of the distribution: the bare wheel is the core, and what is missing is named."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from antiphon.extras import MODULES, missing_extra, missing_extra_in
from antiphon.registry.sources import CATALOGUE_TOOLS

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
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


def needed(names: list[str], extras: frozenset[str] = frozenset()) -> set[str]:
    """The distributions that these requirements bring, all the way down, on this machine."""
    found: set[str] = set()
    waiting = [(Requirement(name), extras) for name in names]
    while waiting:
        requirement, wanted = waiting.pop()
        marker = requirement.marker
        if marker and not any(marker.evaluate({"extra": extra}) for extra in wanted or {""}):
            continue
        name = canonicalize_name(requirement.name)
        if name in found and not requirement.extras:
            continue
        found.add(name)
        for each in distribution(name).requires or ():
            waiting.append((Requirement(each), frozenset(requirement.extras)))
    return found


def brought(extra: str) -> set[str]:
    """The distributions that an extra names itself or through others of ours."""
    found: set[str] = set()
    for each in map(Requirement, EXTRAS[extra]):
        if each.name == "antiphon":
            found |= set[str]().union(*(brought(other) for other in each.extras))
        else:
            found.add(canonicalize_name(each.name))
    return found


def test_the_core_has_at_most_ten_dependencies() -> None:
    assert len(PROJECT["dependencies"]) <= 10


def test_all_brings_every_layer() -> None:
    assert brought("all") == set[str]().union(
        *(brought(e) for e in EXTRAS if e not in ("dev", "docs"))
    )


def test_every_module_of_an_extra_is_known_and_belongs_to_it() -> None:
    homes = {
        module: {canonicalize_name(name) for name in names}
        for module, names in packages_distributions().items()
    }
    for module, extras in MODULES.items():
        if module not in homes:
            continue  # not for this machine
        for extra in extras:
            direct = brought(extra)
            assert homes[module] & direct or homes[module] & needed(sorted(direct)), (module, extra)
    known = set[str]().union(*(homes.get(module, set()) for module in MODULES))
    for extra in EXTRAS.keys() - {"dev", "docs"}:
        for name in brought(extra):
            try:
                distribution(name)
            except PackageNotFoundError:
                continue  # not for this machine
            assert name in known, f"antiphon.extras does not know the module of {name} ({extra})"


def test_the_layer_that_imports_decides_which_extra_is_named() -> None:
    path = str(ROOT / "src" / "antiphon" / "speech" / "engines.py")
    with pytest.raises(ModuleNotFoundError) as raised:
        exec(compile("raise ModuleNotFoundError('No', name='numpy.linalg')", path, "exec"))
    assert "pip install 'antiphon[speech]'" in str(missing_extra(raised.value))
    assert "pip install 'antiphon[knowledge]'" in str(
        missing_extra(ModuleNotFoundError("No", name="numpy"))
    )
    said = missing_extra_in("ModuleNotFoundError: No module named 'lizard'")
    assert "pip install 'antiphon[catalogue]'" in str(said)
    assert missing_extra(ModuleNotFoundError("No", name="own_module")) is None
    assert missing_extra(ValueError("No module named 'lizard'")) is None
    assert missing_extra_in("something else") is None


# -- the bare wheel ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the wheel and what its dependencies bring, nothing else.

    The packages are those of this environment, so that nothing is fetched.
    """
    folder = tmp_path_factory.mktemp("bare")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    [wheel] = folder.glob("*.whl")
    venv.create(folder / "venv", with_pip=False)
    [site] = (folder / "venv").glob("lib/python*/site-packages")
    zipfile.ZipFile(wheel).extractall(site)
    for name in needed([*PROJECT["dependencies"], *TEST_TOOLS]):
        _link(name, site)
    return folder / "venv" / "bin" / "python"


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


CLI = ("-c", "import sys; from antiphon.cli import main; sys.exit(main())")

CALL = """
import asyncio
from antiphon import Orchestrator, Registry, ToolCall

async def main():
    async with Orchestrator(Registry.load("registry.json"), "sqlite:///calls.db") as orchestrator:
        session = orchestrator.session("text")
        call = ToolCall("call_0123456789", "greet_person", {"text": "Ada"})
        envelope = await session.dispatch(call)
        assert envelope["ok"], envelope
        await orchestrator.store.flush()
        lines = await orchestrator.store.audit_lines()
        [line] = [each.data for each in lines if each.data["event"] == "tool_execution"]
        assert line["rule"] == "run"

asyncio.run(main())
"""


def test_the_bare_wheel_builds_a_tool_and_runs_a_governed_call(bare: Path, tmp_path: Path) -> None:
    made = run(bare, *CLI, "new-tool", "greet_person", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    built = run(bare, *CLI, "build", "tools", "--out", "registry.json", cwd=tmp_path)
    assert built.returncode == 0, built.stderr
    called = run(bare, "-c", CALL, cwd=tmp_path)
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
