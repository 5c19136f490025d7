"""The guides of the catalogue's text, data, math, date and media tools tell the truth."""

from __future__ import annotations

import json
import re

import pytest
from tests.tools.catalogue_world import run, within

from antiphon.registry.sources import CATALOGUE_TOOLS

CATEGORIES = ("text", "data", "math", "date", "media")
EXAMPLE = re.compile(r"```json\n(.+?)\n```\n```json\n(.+?)\n```", re.DOTALL)


def tools() -> list[str]:
    schemas = (
        json.loads(file.read_text("utf-8")) for file in CATALOGUE_TOOLS.glob("*/schema.json")
    )
    return sorted(one["toolId"] for one in schemas if one.get("catalogue") in CATEGORIES)


def test_every_example_gives_what_its_guide_says() -> None:
    async def scenario(call):
        for tool in tools():
            guide = CATALOGUE_TOOLS / tool.replace("_", "-") / "guide.md"
            examples = EXAMPLE.findall(guide.read_text("utf-8"))
            assert examples, tool
            for given, wanted in examples:
                found = await call("run_tool", tool_id=tool, params=json.loads(given))
                assert found["ok"], (tool, found["error"])
                assert found["data"]["result"] == json.loads(wanted), tool

    within(scenario)


def test_every_tool_is_free_of_effects_and_says_what_it_returns() -> None:
    assert len(tools()) >= 24
    for tool in tools():
        schema = json.loads(
            (CATALOGUE_TOOLS / tool.replace("_", "-") / "schema.json").read_text("utf-8")
        )
        assert schema["sideEffects"] in ("none", "read_only"), tool
        assert schema["output"]["additionalProperties"] is False, tool


@pytest.mark.parametrize("tool", ["calculator", "unit_converter", "date_add"])
def test_they_are_there_for_voice_too(tool: str) -> None:
    params = {
        "calculator": {"expression": "2+2"},
        "unit_converter": {"value": 1, "from": "km", "to": "m"},
        "date_add": {"start": "2026-01-01", "days": 1},
    }
    assert run(tool, mode="voice", **params[tool])["ok"]
