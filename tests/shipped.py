"""The shipped registry: every tool that comes with the package, built once for all tests."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from antiphon import Registry
from antiphon.registry.builder import build
from antiphon.registry.sources import CATALOGUE_TOOLS, SHIPPED_TOOLS


def build_shipped(artifact: Path, *more: Path) -> Path:
    """Build the shipped tools, and those of further folders, into an artifact."""
    report = build([SHIPPED_TOOLS, CATALOGUE_TOOLS, *more], artifact)
    assert report.ok, [(f.file, f.pointer, f.message) for f in report.findings]
    return artifact


@cache
def shipped_artifact() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="antiphon-registry-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return build_shipped(folder / "tool_registry.json")


@cache
def shipped_registry() -> Registry:
    """That artifact, loaded. Tests that change a registry load one of their own."""
    return Registry.load(shipped_artifact())
