"""Licences of the packages and the font that the built console contains: THIRD_PARTY_LICENSES.txt.

Run it after a change of the console's dependencies (`make console-licenses`); it reads
web/package-lock.json and the licence texts in web/node_modules.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
OUT = ROOT / "THIRD_PARTY_LICENSES.txt"
# scripts/console-font.sh makes web/src/fonts/geist.woff2 of it.
FONT = "@fontsource-variable/geist"
HEAD = """The web console in this package (antiphon/console/static) contains code of the following
packages, and a font, each under its own licence.
"""


class BundledPackage(NamedTuple):
    """A package of the npm registry that is part of the built console."""

    name: str
    version: str
    license: str

    @property
    def title(self) -> str:
        return f"{self.name} {self.version} ({self.license})"


def bundled_packages() -> Iterator[BundledPackage]:
    """Yield what the lock file names for run time; packages of types leave no code behind."""
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text("utf-8"))
    for path, package in sorted(lock["packages"].items()):
        name = path.removeprefix("node_modules/")
        if name and not package.get("dev") and not name.startswith("@types/"):
            yield BundledPackage(name, package["version"], package["license"].strip("()"))
    yield BundledPackage(FONT, "5.3.0", "OFL-1.1")


def main() -> int:
    """Write the file; return 1 where a package has no licence text."""
    parts = [HEAD]
    for package in bundled_packages():
        place = "src/fonts" if package.name == FONT else f"node_modules/{package.name}"
        folder = ROOT / "web" / place
        texts = sorted(folder.glob("LICEN[CS]E*"))
        if not texts:
            sys.stderr.write(f"{folder} has no licence text; run scripts/ensure-console-tools.sh\n")
            return 1
        text = texts[0].read_text("utf-8").strip()
        lines = "\n".join(line.rstrip() for line in text.splitlines())
        parts.append(f"{'-' * 80}\n{package.title}\n{'-' * 80}\n\n{lines}\n")
    OUT.write_text("\n".join(parts), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
