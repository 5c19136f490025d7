"""Creates the peers' virtual environments from their pinned requirement files.

python bench/peers/install.py [peer ...]            install what is missing or out of date
python bench/peers/install.py --search              the same for the search engines (search/*)
python bench/peers/install.py --relay               the same for the relays of speech (relay/*)
python bench/peers/install.py --tools               the questions of bench/tool_search.py (tools/*)
python bench/peers/install.py --adapters            environments for the tests of antiphon.adapters
                                                    and for tests/dojo
python bench/peers/install.py --freeze [peer ...]   install from the direct requirement alone,
                                                    then write the versions that were resolved
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).resolve().parent
VENVS = HERE / ".venvs"
ROOT = HERE.parents[1]
TOOLS = "tools/"  # only their data are of use: what they depend on is left out
ADAPTERS = "adapters/"  # their environments are in the product's own
FROZEN = "# Everything it brought in (written by install.py --freeze; Linux, Python 3.11):"
# pip quotes the index it asked, which is a matter of the machine and may hold a password.
ADDRESS = re.compile(r"\b[a-z][a-z+]*://\S+|\S*/simple/\S*", re.IGNORECASE)
PIN = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]*(\[[A-Za-z0-9,._-]+\])?==[A-Za-z0-9.!+]+$")


class InstallError(Exception):
    """A peer that could not be installed, with the reason a person can act on."""


def peers() -> list[str]:
    """The names of all dispatch peers: one requirement file each."""
    return sorted(path.stem for path in HERE.glob("*.txt"))


def search_peers() -> list[str]:
    """The names of all search engines, such as `search/lancedb`."""
    return sorted(f"search/{path.stem}" for path in (HERE / "search").glob("*.txt"))


def relay_peers() -> list[str]:
    """The names of all relays of speech, such as `relay/pipecat`."""
    return sorted(f"relay/{path.stem}" for path in (HERE / "relay").glob("*.txt"))


def tool_sets() -> list[str]:
    """The packages with questions and tools, such as `tools/bfcl-eval`."""
    return sorted(f"{TOOLS}{path.stem}" for path in (HERE / TOOLS).glob("*.txt"))


def adapter_peers() -> list[str]:
    """The environments of the adapters' tests, such as `adapters/langchain`."""
    return sorted(f"{ADAPTERS}{path.stem}" for path in (HERE / ADAPTERS).glob("*.txt"))


def folder_of(peer: str) -> Path:
    """The folder of a peer's environment."""
    return (ROOT / ".venv" if peer.startswith(ADAPTERS) else VENVS) / peer


def python_of(peer: str) -> Path:
    """The interpreter of a peer's environment (which may not exist yet)."""
    folder = folder_of(peer)
    return folder / "Scripts" / "python.exe" if os.name == "nt" else folder / "bin" / "python"


def stamp_of(peer: str) -> str:
    """What an up-to-date environment was made from: the pins and the interpreter."""
    digest = hashlib.sha256()
    for path in requirement_files(peer):
        digest.update(path.read_bytes())
    digest.update(f"{sys.version}\0{sys.base_prefix}".encode())
    return digest.hexdigest()


def requirement_files(peer: str) -> list[Path]:
    """The files that say what belongs into an environment."""
    own = HERE / f"{peer}.txt"
    if not peer.startswith(ADAPTERS):
        return [own]
    included = re.findall(r"^-r (\S+)", own.read_text(), re.MULTILINE)
    files = [own, *((own.parent / name).resolve() for name in included)]
    return [*files, ROOT / "pyproject.toml", ROOT / "constraints.txt"]


def is_current(peer: str) -> bool:
    """Whether the environment exists and was completely installed from today's pins."""
    stamp = folder_of(peer) / "installed.stamp"
    return stamp.is_file() and python_of(peer).exists() and stamp.read_text() == stamp_of(peer)


def run(command: list[str], doing: str) -> str:
    """Run a command quietly; on failure raise with its last lines, addresses taken out."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return done.stdout
    lines = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")] or lines
    reason = "\n".join("    " + ADDRESS.sub("<address>", line)[:400] for line in errors[-6:])
    raise InstallError(f"{doing} failed (exit code {done.returncode}):\n{reason}")


def pip(peer: str, *arguments: str) -> list[str]:
    return [str(python_of(peer)), "-m", "pip", "--disable-pip-version-check", *arguments]


def create(peer: str) -> None:
    """An empty environment: leftovers of older pins would make the run hard to repeat."""
    shutil.rmtree(folder_of(peer), ignore_errors=True)
    run([sys.executable, "-m", "venv", str(folder_of(peer))], "creating the virtual environment")


def install(peer: str) -> None:
    """Install exactly what the requirement file pins and stamp the environment."""
    wanted = ["-r", str(HERE / f"{peer}.txt")]
    if peer.startswith(ADAPTERS):
        install_with_core(peer, wanted)
    else:
        create(peer)
        alone = ["--no-deps"] if peer.startswith(TOOLS) else []
        run(pip(peer, "install", "--quiet", "--no-input", *alone, *wanted), "pip install")
    (folder_of(peer) / "installed.stamp").write_text(stamp_of(peer))


def install_with_core(peer: str, wanted: list[str]) -> None:
    """Install a framework beside what Antiphon's core and its tests need. The framework's pins
    come first; all else is pinned by constraints.txt."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*wanted, *project["dependencies"], "pytest", "pytest-timeout"]
    files = requirement_files(peer)[:-2]
    pinned = {name_of(line) for path in files for line in path.read_text().splitlines()}
    kept = [
        line
        for line in (ROOT / "constraints.txt").read_text().splitlines()
        if PIN.match(line) and name_of(line) not in pinned
    ]
    with tempfile.TemporaryDirectory() as folder:
        constraints = Path(folder) / "constraints.txt"
        constraints.write_text("\n".join([*kept, ""]))
        wanted += ["-c", str(constraints)]
        if find_spec("uv") is not None:  # takes seconds where pip takes minutes
            try:
                install_by_uv(peer, wanted)
            except InstallError as error:
                print(f"{peer}: {error}\n    pip is used instead.", file=sys.stderr)
            else:
                return
        create(peer)
        run(pip(peer, "install", "--quiet", "--no-input", *wanted), "pip install")


def install_by_uv(peer: str, wanted: list[str]) -> None:
    """Make an environment without pip in it; what several have in common is on the disk once."""
    cache = ["--quiet", "--cache-dir", str(folder_of(ADAPTERS) / "uv-cache")]
    uv, folder = [sys.executable, "-m", "uv"], str(folder_of(peer))
    run([*uv, "venv", *cache, "--clear", "--python", sys.executable, folder], "uv venv")
    target = ["--link-mode", "hardlink", "--python", str(python_of(peer))]
    run([*uv, "pip", "install", *cache, *target, *wanted], "uv pip install")


def name_of(pin: str) -> str:
    """A pin's package in one spelling: pip takes `-`, `_` and `.` for the same."""
    return re.sub(r"[-_.]+", "-", re.split(r"[\[=]", pin)[0]).lower()


def freeze(peer: str) -> None:
    """Resolve the direct requirement afresh and rewrite the frozen part of the file."""
    path = HERE / f"{peer}.txt"
    direct = path.read_text().split(FROZEN)[0].rstrip()
    wanted = [line for line in direct.splitlines() if line.strip() and not line.startswith("#")]
    create(peer)
    run(pip(peer, "install", "--quiet", "--no-input", *wanted), "pip install")
    listed = run(pip(peer, "freeze", "--local"), "pip freeze").splitlines()
    loose = [line for line in listed if not PIN.match(line)]
    if loose:
        raise InstallError(f"pip freeze gave lines that are not plain pins: {', '.join(loose)}")
    names = {name_of(line) for line in wanted}
    others = [line for line in listed if name_of(line) not in names]
    path.write_text("\n".join([direct, "", FROZEN, *others, ""]))
    (folder_of(peer) / "installed.stamp").write_text(stamp_of(peer))


def main() -> int:
    parser = argparse.ArgumentParser(description="Install the benchmark's peers, each on its own.")
    known = [*peers(), *search_peers(), *relay_peers(), *tool_sets(), *adapter_peers()]
    parser.add_argument("peer", nargs="*", help=f"one or more of: {', '.join(known)}")
    parser.add_argument("--search", action="store_true", help="all search engines")
    parser.add_argument("--relay", action="store_true", help="all relays of speech")
    parser.add_argument("--tools", action="store_true", help="the questions of tool search")
    parser.add_argument("--adapters", action="store_true", help="all of the adapters' tests")
    parser.add_argument("--freeze", action="store_true", help="rewrite the frozen pins")
    options = parser.parse_args()
    unknown = sorted(set(options.peer) - set(known))
    if unknown:
        parser.error(f"no such peer: {', '.join(unknown)} (there are: {', '.join(known)})")
    chosen = dict.fromkeys(
        [
            *options.peer,
            *(search_peers() if options.search else []),
            *(relay_peers() if options.relay else []),
            *(tool_sets() if options.tools else []),
            *(adapter_peers() if options.adapters else []),
        ]
    )
    failed = []
    for peer in chosen or peers():
        if not options.freeze and is_current(peer):
            print(f"{peer}: up to date")
            continue
        start = time.monotonic()
        try:
            (freeze if options.freeze else install)(peer)
        except InstallError as error:
            failed.append(peer)
            print(f"{peer}: NOT installed: {error}", file=sys.stderr)
            continue
        done = "frozen and installed" if options.freeze else "installed"
        print(f"{peer}: {done} in {time.monotonic() - start:.0f} s", flush=True)
    if failed:
        print(
            f"{len(failed)} peer(s) could not be installed: {', '.join(failed)}. Check that pip can"
            " reach a package index from here, then run this again; the others are usable.",
            file=sys.stderr,
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
