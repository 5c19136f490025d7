"""The package of `acme/`, installed into a folder on the path as pip would install it."""

from __future__ import annotations

import shutil
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent / "acme"
PACKAGE = "acme_plugins"


def entry_points() -> str:
    """The file entry_points.txt that an installer writes of the project's tables."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    return "\n".join(
        line
        for group, points in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{name} = {place}" for name, place in points.items()), "")
    )


def install(folder: Path, name: str, version: str, points: str) -> None:
    """What an installer leaves of a distribution beside its code."""
    made = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    made.mkdir()
    (made / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (made / "entry_points.txt").write_text(points)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path into which `install` puts distributions."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    return folder


@pytest.fixture
def acme(installed: Path) -> Iterator[Path]:
    """The example package, installed."""
    shutil.copytree(PROJECT / PACKAGE, installed / PACKAGE)
    install(installed, "acme-plugins", "1.2", entry_points())
    yield installed
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]
