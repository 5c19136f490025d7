"""Parts by organisation: what the first one has, and what those beside it have instead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, TypeVar

from antiphon.contracts.capabilities import PerSession

Part = TypeVar("Part")


class ByOrganisation(PerSession, Generic[Part]):
    """A part of the application that holds what belongs to the operator, such as their calendar
    or the files that they added: the first organisation has it, the others have another."""

    def __init__(self, first: Part, others: Part) -> None:
        self._first = first
        self._others = others

    def of(self, fields: Mapping[str, Any]) -> Part:
        return self.chosen(str(fields.get("organisation") or ""))

    def chosen(self, organisation: str) -> Part:
        """The part that people of an organisation have."""
        return self._others if organisation else self._first
