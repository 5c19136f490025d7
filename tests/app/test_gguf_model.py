"""The tools that a model in a file is shown: those whose words are nearest to what was said."""

from __future__ import annotations

from typing import Any

from antiphon.app.gguf_model import ToolChoice

TOOLS: list[dict[str, Any]] = [
    {"toolId": "unit_converter", "description": "Convert between units of measurement."},
    {"toolId": "send_email", "description": "Write an email to somebody."},
    {"toolId": "kb_search", "description": "Search the records."},
    {
        "toolId": "lamp",
        "description": "Operate a device.",
        "documentation": '## Phrases\n\n- "Make it brighter in here"\n- "Switch the light off"\n',
    },
]


def test_the_nearest_come_first_behind_the_search_which_is_always_shown() -> None:
    choose = ToolChoice()

    def shown(text: str) -> list[str]:
        return [tool["toolId"] for tool in choose(text, TOOLS, 2)]

    assert shown("How many kilometres are five miles?") == ["kb_search", "unit_converter"]
    assert shown("It is too dark, make it bright") == ["kb_search", "lamp"]
    assert shown("Mail Ada that I am late") == ["kb_search", "send_email"]
    assert choose("Anything", TOOLS[:1], 2) == TOOLS[:1]
