"""The software bill of materials: dist/antiphon-VERSION.cdx.json, in CycloneDX 1.6.

python -m scripts.sbom [FOLDER]

It names what `pip install 'antiphon[all]'` installs on this machine and what the built console
contains, with versions, licences and who requires whom. The same input gives the same bytes;
SOURCE_DATE_EPOCH sets its date.
"""

from __future__ import annotations

import os
import sys
import uuid
from datetime import UTC, datetime
from importlib.metadata import distribution
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from scripts.console_licenses import bundled_packages
from scripts.distributions import ROOT, declared, needed, project

from antiphon import __version__

EXTRA = "all"
# What some distributions declare in words of their own.
SPDX = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache 2.0": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0",
    "ISC License": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
# What others leave open; read in the licence text that they ship.
READ = {
    "jinja2": "BSD-3-Clause",
    "pyasn1-modules": "BSD-2-Clause",
    "python-dateutil": "Apache-2.0 OR BSD-3-Clause",
    "segno": "BSD-3-Clause",
    "uvloop": "MIT OR Apache-2.0",
}
_LICENSES = LicenseFactory()


class UnknownLicense(Exception):
    """A distribution whose licence is not told in a form that is understood here."""


def license_of(name: str) -> str:
    """Return the SPDX expression of an installed distribution; raises UnknownLicense."""
    if name in READ:
        return READ[name]
    facts = distribution(name).metadata
    classifiers = [
        line.rpartition(" :: ")[2]
        for line in facts.get_all("Classifier") or ()
        if line.startswith("License :: ")
    ]
    for said in (facts.get("License-Expression"), facts.get("License"), *classifiers):
        if not said:
            continue
        known = _LICENSES.make_from_string(SPDX.get(said, said))
        if getattr(known, "id", None) or getattr(known, "value", None):
            return SPDX.get(said, said)
    raise UnknownLicense(
        f"the licence of {name} is not understood ({facts.get('License')!r}, {classifiers}); "
        "read its licence text and add it to READ in scripts/sbom.py"
    )


def _component(kind: str, name: str, version: str, license: str) -> Component:
    namespace, _, plain = name.rpartition("/")
    purl = PackageURL(kind, namespace or None, plain, version)
    return Component(
        name=name,
        version=version,
        bom_ref=purl.to_string(),
        purl=purl,
        licenses=[_LICENSES.make_from_string(license)],
    )


def make_sbom() -> str:
    """Return the text of the bill of materials. Raises UnknownLicense, and PackageNotFoundError
    where this environment lacks a distribution."""
    own = _component("pypi", "antiphon", __version__, project()["license"])
    own.type = ComponentType.APPLICATION
    graph = needed(declared(EXTRA))
    parts = {
        name: _component("pypi", name, distribution(name).version, license_of(name))
        for name in sorted(graph)
    }
    bundled = [
        _component("npm", package.name, package.version, package.license)
        for package in bundled_packages()
    ]
    moment = datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), UTC)
    refs = " ".join(str(part.bom_ref) for part in (own, *parts.values(), *bundled))
    bom = Bom(
        components=[*parts.values(), *bundled],
        serial_number=uuid.uuid5(uuid.NAMESPACE_URL, refs),
        metadata=BomMetaData(component=own, timestamp=moment),
    )
    direct = {canonicalize_name(Requirement(line).name) for line in declared(EXTRA)} & parts.keys()
    bom.register_dependency(own, [*(parts[name] for name in sorted(direct)), *bundled])
    for name in sorted(graph):
        bom.register_dependency(parts[name], [parts[each] for each in sorted(graph[name])])
    return str(JsonV1Dot6(bom).output_as_string(indent=2)) + "\n"


def main() -> int:
    """Write the file into the folder named, dist/ by default, and print where it is."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist"
    folder.mkdir(parents=True, exist_ok=True)
    out = folder / f"antiphon-{__version__}.cdx.json"
    try:
        out.write_text(make_sbom(), "utf-8")
    except UnknownLicense as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(f"{out}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
