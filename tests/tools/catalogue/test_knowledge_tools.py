"""Citations and entities: what is written, what is found, and what is not made up."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tools.catalogue_world import data

PAPER: dict[str, Any] = {
    "title": "Attention & memory",
    "authors": ["Ada Lovelace", "von Neumann, John", "Grace B. Hopper"],
    "year": 2024,
    "container": "Journal of Minds",
    "volume": "7",
    "pages": "12 - 30",
    "url": "https://doi.example.org/10.1/x_y",
}


@pytest.mark.parametrize(
    ("style", "citation", "in_text"),
    [
        (
            "apa",
            "Lovelace, A., von Neumann, J., & Hopper, G. B. (2024). Attention & memory. "
            "Journal of Minds, 7, 12–30. https://doi.example.org/10.1/x_y",
            "(Lovelace et al., 2024)",
        ),
        (
            "mla",
            "Lovelace, Ada, et al. “Attention & memory.” Journal of Minds, vol. 7, 2024, "
            "pp. 12–30. https://doi.example.org/10.1/x_y",
            "(Lovelace et al.)",
        ),
        (
            "chicago",
            "Lovelace, Ada, John von Neumann, and Grace B. Hopper. 2024. “Attention & memory.” "
            "Journal of Minds 7: 12–30. https://doi.example.org/10.1/x_y",
            "(Lovelace et al. 2024)",
        ),
    ],
)
def test_a_source_is_written_in_the_style_that_was_asked_for(
    style: str, citation: str, in_text: str
) -> None:
    made = data("citation_formatter", **PAPER, style=style)
    assert (made["citation"], made["in_text"], made["missing"]) == (citation, in_text, [])


def test_a_bibtex_entry_is_escaped_and_has_a_key() -> None:
    made = data("citation_formatter", **PAPER, style="bibtex")
    assert made["citation"].startswith("@article{lovelace2024,\n  author = {Lovelace, Ada and ")
    assert "title = {Attention \\& memory}," in made["citation"]
    assert "pages = {12--30}," in made["citation"]
    assert made["in_text"] == "\\cite{lovelace2024}"


@pytest.mark.parametrize("style", ["apa", "mla", "chicago", "bibtex"])
def test_what_is_not_given_is_named_and_not_made_up(style: str) -> None:
    made = data("citation_formatter", title="A page", style=style)
    assert "A page" in made["citation"]
    assert made["missing"] == ["authors", "year", "container"]


TEXT = """\
Dr Maren Holt of the University of Bergen met Petrel Insurance GmbH on 2026-03-04.
The fee is $1.5 million, or 12% more than in May 2025. Write to maren@uib.example, see
https://uib.example/plan. Maren Holt agreed. Yesterday it rained.
"""


def test_the_things_of_a_text_are_found_with_their_kinds() -> None:
    found = data("entity_extractor", text=TEXT)["entities"]
    kinds: dict[str, list[str]] = {}
    for one in found:
        kinds.setdefault(one["type"], []).append(one["text"])
        assert TEXT[one["position"] :].startswith(one["text"])
    assert kinds["organisation"] == ["University of Bergen", "Petrel Insurance GmbH"]
    assert kinds["date"] == ["2026-03-04", "May 2025"]
    assert kinds["money"] == ["$1.5 million"]
    assert kinds["percentage"] == ["12%"]
    assert kinds["email"] == ["maren@uib.example"]
    assert kinds["url"] == ["https://uib.example/plan"]
    assert "Maren Holt" in kinds["name"]
    assert not {"The", "Write", "Yesterday"} & set(kinds["name"])


def test_only_the_types_that_are_asked_for_are_listed() -> None:
    found = data("entity_extractor", text=TEXT, types=["date", "money"])
    assert found["counts"] == {"date": 2, "money": 1}


def test_a_text_without_any_has_none_and_a_long_one_ends() -> None:
    assert data("entity_extractor", text="nothing here")["entities"] == []
    assert data("entity_extractor", text="A" * 200_000)["entities"] == []
    assert data("entity_extractor", text="Aa " * 60_000)["counts"]
