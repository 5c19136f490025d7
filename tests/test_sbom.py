"""The bill of materials: complete, valid, and under licences that were accepted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cyclonedx.schema._res as schemas
import jsonschema_rs
import pytest
from boolean.boolean import DualBase, Expression
from license_expression import AND, Licensing
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from scripts.distributions import ROOT, declared
from scripts.sbom import make_sbom

from antiphon import __version__

PERMISSIVE = {
    *("0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MIT-0"),
    *("PSF-2.0", "Unlicense", "Zlib"),
}
# Accepted by name, as they are used unchanged. The LGPL comes with the extra `postgres` only; the
# MPL asks that changes to their own files are published, and we make none.
EXCEPTIONS = {
    "psycopg": "LGPL-3.0-only",
    "psycopg-binary": "LGPL-3.0-only",
    "certifi": "MPL-2.0",
    "orjson": "MPL-2.0",
    "pathspec": "MPL-2.0",
    "tqdm": "MPL-2.0",
    # A font: it may be shipped with any program; only its name stays its own.
    "@fontsource-variable/geist": "OFL-1.1",
}


@pytest.fixture(scope="module")
def sbom() -> dict[str, Any]:
    return json.loads(make_sbom())


def accepted(expression: Expression, licenses: set[str]) -> bool:
    """Whether a licence expression can be met with these licences."""
    if isinstance(expression, DualBase):
        met = [accepted(part, licenses) for part in expression.args]
        return all(met) if isinstance(expression, AND) else any(met)
    return expression.key in licenses


def test_it_is_valid_cyclonedx(sbom: dict[str, Any]) -> None:
    [folder] = schemas.__path__
    bom, spdx, jsf = (
        (f"http://cyclonedx.org/schema/{name}", json.loads(Path(folder, name).read_text("utf-8")))
        for name in (
            "bom-1.6.SNAPSHOT.schema.json",
            "spdx.SNAPSHOT.schema.json",
            "jsf-0.82.SNAPSHOT.schema.json",
        )
    )
    registry = jsonschema_rs.Registry([spdx, jsf])
    validator = jsonschema_rs.Draft7Validator(bom[1], registry=registry)
    assert not [error.message for error in validator.iter_errors(sbom)]
    assert sbom["metadata"]["component"]["version"] == __version__


def test_it_is_the_same_each_time(sbom: dict[str, Any]) -> None:
    assert json.loads(make_sbom()) == sbom


def test_every_direct_dependency_is_in_it(sbom: dict[str, Any]) -> None:
    own = sbom["metadata"]["component"]["bom-ref"]
    [direct] = [each["dependsOn"] for each in sbom["dependencies"] if each["ref"] == own]
    names = {part["name"] for part in sbom["components"] if part["bom-ref"] in direct}
    wanted = {
        canonicalize_name(each.name)
        for each in map(Requirement, declared("all"))
        if each.marker is None or each.marker.evaluate()
    }
    console = json.loads((ROOT / "web" / "package.json").read_text("utf-8"))
    assert wanted | console["dependencies"].keys() <= names


def test_every_licence_is_permissive_or_accepted_by_name(sbom: dict[str, Any]) -> None:
    licensing = Licensing()
    for part in sbom["components"]:
        [told] = part["licenses"]
        words = told.get("expression") or told["license"]["id"]
        licenses = PERMISSIVE | {EXCEPTIONS.get(part["name"], "MIT")}
        assert accepted(licensing.parse(words), licenses), f"{part['name']} is under {words}"


def test_the_licences_of_the_console_are_shipped(sbom: dict[str, Any]) -> None:
    text = (ROOT / "THIRD_PARTY_LICENSES.txt").read_text("utf-8")
    bundled = [part for part in sbom["components"] if part["purl"].startswith("pkg:npm/")]
    assert bundled
    for part in bundled:
        assert f"\n{part['name']} {part['version']} (" in text, "run `make console-licenses`"
