"""Guided tours of the console, one JSON file for each page.

A tour is `{name, description, steps}`. A step has a `target` (a CSS selector, always
`[data-tour="<page>-<thing>"]`), `speech`, the `position` of the bubble beside its target, and
whether to `highlight` it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from antiphon.workspace.definitions import parse_json, validated
from antiphon.workspace.errors import NotThere, field_error
from antiphon.workspace.pages import IDS, Pages
from antiphon.workspace.validation import StrictModel, Text

SHIPPED = Path(__file__).parent


class _TourStepFile(StrictModel):
    target: str = Field(pattern=r'^\[data-tour="[a-z0-9-]+"\]$')
    speech: Text
    position: Literal["top", "bottom", "left", "right", "center"]
    highlight: bool


class _TourFile(StrictModel):
    name: Text
    description: Text
    steps: list[_TourStepFile] = Field(min_length=1)


class Tours:
    """The tours of a folder. All methods raise ToolError and nothing else."""

    def __init__(self, folder: Path = SHIPPED) -> None:
        self._folder = folder
        self._pages = Pages()

    def listed(self) -> list[dict[str, Any]]:
        """Return `page`, `name`, `description` and `step_count` of each tour, in the order of
        the pages."""
        return [
            {
                "page": page,
                "name": tour["name"],
                "description": tour["description"],
                "step_count": len(tour["steps"]),
            }
            for page, tour in _tours(self._folder).items()
        ]

    def get(self, page: str) -> tuple[str, dict[str, Any]]:
        """Return the page that was meant, and its tour. Raises NotThere."""
        found = self._pages.resolve(page, "/page")
        tours = _tours(self._folder)
        if found not in tours:
            raise NotThere(
                f"There is no tour of the page {found!r}. There are tours of {', '.join(tours)}.",
                errors=[field_error("/page", "has no tour", f"one of {', '.join(tours)}")],
            )
        return found, tours[found]


@cache
def _tours(folder: Path) -> dict[str, dict[str, Any]]:
    """Load the tours of a folder, once: they ship with the code."""
    files = {page: folder / f"{page}.json" for page in IDS}
    return {
        page: validated(_TourFile, parse_json(file.read_text("utf-8"))).model_dump()
        for page, file in files.items()
        if file.is_file()
    }
