"""image_draft_prompt: drafts by rules, the same for the same words, all of them different."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tools.kb_world import call, data, registry

TOOL = "image_draft_prompt"
STYLES = (
    *("photo", "illustration", "watercolour", "line art"),
    *("3d render", "poster", "oil painting", "pixel art"),
)


def test_drafts_name_subject_style_light_and_composition() -> None:
    found = data(TOOL, description="a lighthouse on a cliff", variants=6)
    assert found["subject"] == "a lighthouse on a cliff"
    assert [draft["number"] for draft in found["drafts"]] == [1, 2, 3, 4, 5, 6]
    for draft in found["drafts"]:
        assert draft["prompt"].startswith("A lighthouse on a cliff, ")
        assert draft["composition"] in draft["prompt"]
    assert len({draft["prompt"] for draft in found["drafts"]}) == 6
    assert len({draft["style"] for draft in found["drafts"]}) == 6


def test_the_same_description_gives_the_same_drafts() -> None:
    assert data(TOOL, description="a red fox") == data(TOOL, description="a red fox")
    assert data(TOOL, description="a red fox") != data(TOOL, description="a blue fox")


@pytest.mark.parametrize(
    ("asked", "subject"),
    [
        ("Please make me a picture of a red fox.", "a red fox"),
        ("draw a red fox", "a red fox"),
        ("Could you create an image of   two\n boats?", "two boats"),
        ("a red fox", "a red fox"),
        ("picture", "picture"),
    ],
)
def test_how_it_was_asked_for_is_no_part_of_the_subject(asked: str, subject: str) -> None:
    assert data(TOOL, description=asked)["subject"] == subject


@pytest.mark.parametrize("style", STYLES)
def test_a_chosen_style_is_that_of_all_drafts(style: str) -> None:
    found = data(TOOL, description="a robot", style=style, variants=4)
    assert {draft["style"] for draft in found["drafts"]} == {style}
    assert len({draft["prompt"] for draft in found["drafts"]}) == 4


def test_what_the_description_says_comes_first() -> None:
    first = data(TOOL, description="a watercolour of a tower at sunset", variants=1)["drafts"][0]
    assert first["style"] == "watercolour"
    assert first["light"] == "warm evening light"
    assert first["shape"] == "portrait"


@pytest.mark.parametrize("description", ["...", " ", "!?"])
def test_a_description_without_words_is_refused(description: str) -> None:
    error = call(TOOL, description=description)["error"]
    assert error["type"] == "VALIDATION"
    assert error["errors"][0]["pointer"] == "/description"


def test_it_reads_only_and_is_for_text() -> None:
    metadata = registry().metadata(TOOL)
    expected = {
        "category": "action",
        "sideEffects": "read_only",
        "requiresConfirmation": False,
        "allowedModes": ["text"],
        "latencyBudgetMs": 1500,
    }
    assert {name: metadata[name] for name in expected} == expected
    assert call(TOOL, mode="voice", description="a fox")["error"]["type"] == "MODE_RESTRICTED"


@given(description=st.text(min_size=1, max_size=200), variants=st.integers(1, 6))
def test_any_description_gives_drafts_or_a_reason(
    shipped_tool: Callable[[str], Any], description: str, variants: int
) -> None:
    result = shipped_tool("image-draft-prompt").run(
        {"description": description, "variants": variants}
    )
    if result.ok:
        assert len(result.data["drafts"]) == variants
    else:
        assert result.error["type"] == "VALIDATION"
