"""Unavailable calendar: a stand-in whose every call says what is wrong with the settings."""

from __future__ import annotations

from typing import Any, NoReturn

from antiphon.contracts import ErrorType, ToolError


class UnavailableCalendar:
    """A calendar whose settings cannot be used; every method raises ToolError with the reason."""

    label = "no calendar"

    def __init__(self, why: ToolError) -> None:
        self._why = why.message

    def _refuse(self) -> NoReturn:
        raise ToolError(ErrorType.PERMANENT, self._why)

    async def occurrences(self, *_: Any) -> Any:
        self._refuse()

    async def busy(self, *_: Any) -> Any:
        self._refuse()

    async def find(self, *_: Any) -> Any:
        self._refuse()

    async def create(self, *_: Any) -> Any:
        self._refuse()

    async def close(self) -> None:
        """Nothing to close."""
