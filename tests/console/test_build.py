"""The committed build of the console: made of the sources beside it, complete, and small."""

from __future__ import annotations

import gzip
import json
import os
import re
import runpy
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
WEB = REPOSITORY / "web"
BUILT = REPOSITORY / "src" / "antiphon" / "console" / "static"
# What the build is made of, as web/build-mark.ts has it.
INPUTS = re.search(r"INPUTS = (\[.*?\])", (WEB / "build-mark.ts").read_text("utf-8"))
FIRST_LOAD = 150 * 1024
PATIENCE = 280
AGAIN = "`make console` builds it again."


def console() -> Path:
    """The build under test: the committed one, unless another is served."""
    return Path(os.environ.get("ANTIPHON_SERVER__CONSOLE") or BUILT)


def sources() -> list[str]:
    assert INPUTS is not None
    found: list[str] = []
    for name in json.loads(INPUTS[1]):
        path = WEB / name
        files = [path] if path.is_file() else [each for each in path.rglob("*") if each.is_file()]
        found += [each.relative_to(WEB).as_posix() for each in files]
    return sorted(found)


def test_the_build_is_made_of_the_sources_beside_it() -> None:
    digest = sha256()
    for name in sources():
        digest.update(f"{name}\0".encode() + (WEB / name).read_bytes() + b"\0")
    built = json.loads((BUILT / "build.json").read_text("utf-8"))
    assert built == {"sources": digest.hexdigest()}, f"The console in {BUILT} is stale. {AGAIN}"


def test_the_types_of_session_events_are_those_of_the_server() -> None:
    made = runpy.run_path(str(REPOSITORY / "scripts" / "console_types.py"))["typescript"]()
    there = (WEB / "src" / "api" / "session-events.ts").read_text("utf-8")
    assert there == made, "`make console-types` writes them again."


def test_the_lock_file_is_of_today_and_names_no_address_to_download_from() -> None:
    lock = json.loads((WEB / "package-lock.json").read_text("utf-8"))
    wanted = json.loads((WEB / "package.json").read_text("utf-8"))
    for kind in ("dependencies", "devDependencies"):
        assert lock["packages"][""][kind] == wanted[kind], "package-lock.json is of another time"
    packages = {name: each for name, each in lock["packages"].items() if name}
    assert packages
    assert [name for name, each in packages.items() if "resolved" in each] == []
    assert [name for name, each in packages.items() if "integrity" not in each] == []


def imports(name: str, kind: str) -> set[str]:
    """Files that a script imports, at its start (`from`, or nothing) or when it wants to."""
    text = (console() / name).read_text("utf-8")
    if kind == "lazy":
        return set(re.findall(r'\bimport\(\s*["`]\./([^"`]+)["`]', text))
    return set(re.findall(r'(?:^|;)(?:import|export)\b[^"\n;]*"\./([^"]+)"', text, re.MULTILINE))


def reached(start: set[str]) -> set[str]:
    """All that is loaded because these are."""
    found, waiting = set(), list(start)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += imports(name, "static") if name.endswith(".js") else []
    return found


def first_files() -> set[str]:
    page = (console() / "index.html").read_text("utf-8")
    return reached(set(re.findall(r'(?:src|href)="console/([^"]+)"', page)))


def packed(names: set[str]) -> int:
    return sum(len(gzip.compress((console() / name).read_bytes())) for name in names)


def test_the_first_load_is_small() -> None:
    first = first_files() | {"index.html"}
    assert {"app.js", "style.css", "geist.woff2"} <= first
    assert "vox.js" not in first, "pages come when they are opened"
    assert packed(first) <= FIRST_LOAD
    # The page that is opened first counts for whoever waits for it.
    opened = reached(first_files() | {"vox.js"})
    assert packed(opened) <= FIRST_LOAD, sorted(opened)


def test_every_file_that_is_named_is_there() -> None:
    named, seen = first_files(), set[str]()
    while named - seen:
        for name in named - seen:
            seen.add(name)
            if name.endswith(".js"):
                named = named | imports(name, "static") | imports(name, "lazy")
    there = {path.name for path in console().iterdir()}
    assert named <= there
    assert {"tools.js", "metrics.js", "settings.js"} <= named


# -- with Node.js ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def npx() -> str:
    found = shutil.which("npx")
    missing = "Node.js" if found is None else "web/node_modules"
    if found is None or not (WEB / "node_modules" / ".package-lock.json").is_file():
        words = f"{missing} is missing: scripts/ensure-console-tools.sh says what to do"
        pytest.fail(words) if os.environ.get("CI") else pytest.skip(words)
    return found


def run(*command: str) -> None:
    done = subprocess.run(
        command, cwd=WEB, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, (
        f"{' '.join(command[1:])}:\n{done.stdout[-6000:]}{done.stderr[-3000:]}"
    )


def test_the_sources_are_well_typed(npx: str) -> None:
    run(npx, "--no-install", "tsc", "--noEmit")


def test_the_tests_of_the_sources_pass(npx: str) -> None:
    run(npx, "--no-install", "vitest", "run")


def test_building_again_makes_the_same_files(npx: str, tmp_path: Path) -> None:
    run(npx, "--no-install", "vite", "build", "--outDir", str(tmp_path / "built"), "--emptyOutDir")
    made = {path.name: path.read_bytes() for path in (tmp_path / "built").iterdir()}
    committed = {path.name: path.read_bytes() for path in BUILT.iterdir()}
    assert sorted(made) == sorted(committed), AGAIN
    assert [name for name in made if made[name] != committed[name]] == [], AGAIN
