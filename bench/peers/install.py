"""Creates the peers' virtual environments from their pinned requirement files.

python bench/peers/install.py [peer ...]            install what is missing or out of date
python bench/peers/install.py --search              the same for the search engines (search/*)
python bench/peers/install.py --relay               the same for the relays of speech (relay/*)
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
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
VENVS = HERE / ".venvs"
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


def python_of(peer: str) -> Path:
    """The interpreter of a peer's environment (which may not exist yet)."""
    folder = VENVS / peer
    return folder / "Scripts" / "python.exe" if os.name == "nt" else folder / "bin" / "python"


def stamp_of(peer: str) -> str:
    """What an up-to-date environment was made from: the pins and the interpreter."""
    digest = hashlib.sha256((HERE / f"{peer}.txt").read_bytes())
    digest.update(f"{sys.version}\0{sys.base_prefix}".encode())
    return digest.hexdigest()


def is_current(peer: str) -> bool:
    """Whether the environment exists and was completely installed from today's pins."""
    stamp = VENVS / peer / "installed.stamp"
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
    shutil.rmtree(VENVS / peer, ignore_errors=True)
    run([sys.executable, "-m", "venv", str(VENVS / peer)], "creating the virtual environment")


def install(peer: str) -> None:
    """Install exactly what the requirement file pins and stamp the environment."""
    create(peer)
    requirements = str(HERE / f"{peer}.txt")
    run(pip(peer, "install", "--quiet", "--no-input", "-r", requirements), "pip install")
    (VENVS / peer / "installed.stamp").write_text(stamp_of(peer))


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
    (VENVS / peer / "installed.stamp").write_text(stamp_of(peer))


def main() -> int:
    parser = argparse.ArgumentParser(description="Install the benchmark's peers, each on its own.")
    known = [*peers(), *search_peers(), *relay_peers()]
    parser.add_argument("peer", nargs="*", help=f"one or more of: {', '.join(known)}")
    parser.add_argument("--search", action="store_true", help="all search engines")
    parser.add_argument("--relay", action="store_true", help="all relays of speech")
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
