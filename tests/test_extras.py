"""Layers of the distribution: what each extra brings, and how a missing one is named."""

from __future__ import annotations

import tomllib
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from scripts.distributions import needed

from antiphon.extras import MODULES, missing_extra, missing_extra_in

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]


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


def test_all_brings_every_layer_but_the_engine_of_large_models() -> None:
    others = ("dev", "docs", "llm")  # llm is a hundred megabytes, for those who have a model
    assert brought("all") == set[str]().union(*(brought(e) for e in EXTRAS if e not in others))


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
            assert homes[module] & direct or homes[module] & needed(direct).keys(), (module, extra)
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
