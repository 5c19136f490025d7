"""Every tool of the catalogue: how it is described, and what it may do."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from tests.shipped import shipped_registry
from tests.tools.catalogue_world import data

from antiphon.registry.sources import CATALOGUE_TOOLS

HALF = ("code", "developer", "security", "web", "system", "knowledge")
ALL = {*HALF, "text", "data", "math", "date", "media"}
TOOLS = sorted(path.parent.name for path in CATALOGUE_TOOLS.glob("*/schema.json"))


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_of_the_catalogue_is_described_in_full(name: str) -> None:
    folder = CATALOGUE_TOOLS / name
    schema: dict[str, Any] = json.loads((folder / "schema.json").read_text("utf-8"))
    guide = (folder / "guide.md").read_text("utf-8")
    assert schema["catalogue"]
    assert schema["sideEffects"] != "writes"
    assert schema["output"]["additionalProperties"] is False
    for heading in ("## Parameters", "## Examples", "## Watch Out"):
        assert heading in guide
    for parameter in schema["parameters"]["properties"]:
        assert f"`{parameter}`" in guide, parameter


@pytest.mark.parametrize("name", TOOLS)
def test_the_first_example_of_each_guide_is_a_call_that_the_schema_takes(name: str) -> None:
    guide = (CATALOGUE_TOOLS / name / "guide.md").read_text("utf-8")
    first = re.search(r"```json\n(.*?)```", guide, re.DOTALL)
    assert first
    tool = shipped_registry().tools[name.replace("-", "_")]
    assert tool.validator.errors(json.loads(first[1])) == []


def test_the_catalogue_has_eleven_categories_and_each_has_tools() -> None:
    found = {tool.definition.catalogue for tool in shipped_registry().tools.values()} - {None}
    assert found == ALL
    assert len(ALL) == 11


# What these answer depends on the machine, the moment or chance.
CHANGING = {
    "id_generator",
    "cron_explainer",
    "system_info",
    "process_list",
    "disk_usage",
    "http_fetch",
}


def differences(shown: Any, real: Any, place: str = "") -> list[str]:
    """Where an example says something else than the tool; what it leaves out is no difference."""
    if isinstance(shown, dict) and isinstance(real, dict):
        found = [f"{place}/{name} is not there" for name in shown if name not in real]
        for name in shown.keys() & real.keys():
            found += differences(shown[name], real[name], f"{place}/{name}")
        return found
    if isinstance(shown, list) and isinstance(real, list):
        found = [] if len(shown) <= len(real) else [f"{place} has only {len(real)} items"]
        for index, (one, other) in enumerate(zip(shown, real, strict=False)):
            found += differences(one, other, f"{place}/{index}")
        return found
    if isinstance(shown, str) and isinstance(real, str) and "…" in shown and "…" not in real:
        return [] if real.startswith(shown.partition("…")[0]) else [f"{place} is {real!r}"]
    return [] if shown == real else [f"{place} is {real!r}, not {shown!r}"]


def category(name: str) -> str:
    schema = json.loads((CATALOGUE_TOOLS / name / "schema.json").read_text("utf-8"))
    return str(schema.get("catalogue"))


@pytest.mark.parametrize(
    "name", [n for n in TOOLS if category(n) in HALF and n.replace("-", "_") not in CHANGING]
)
def test_the_answers_in_the_guides_are_true(name: str) -> None:
    tool_id = name.replace("-", "_")
    guide = (CATALOGUE_TOOLS / name / "guide.md").read_text("utf-8")
    blocks = re.findall(r"```json\n(.*?)```", guide, re.DOTALL)
    assert len(blocks) >= 2
    assert differences(json.loads(blocks[1]), data(tool_id, **json.loads(blocks[0]))) == []
