"""Errors of workspace services: ToolErrors in the words of the envelope."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import Any, TypeVar

from antiphon.contracts import ErrorType, ToolError
from antiphon.storage import StoreError

Result = TypeVar("Result")


class NotThere(ToolError):
    """No macro, page or tour of that name; `nearest` are names that may have been meant.

    It is VALIDATION: in an envelope NOT_FOUND says that there is no such tool.
    """

    def __init__(self, message: str, nearest: Sequence[str] = (), **details: Any) -> None:
        super().__init__(ErrorType.VALIDATION, message, nearest=list(nearest), **details)
        self.nearest = tuple(nearest)


def field_error(pointer: str, message: str, expected: str) -> dict[str, str]:
    """One entry of `errors` in a VALIDATION error."""
    return {"pointer": pointer, "message": message, "expected": expected}


def invalid(errors: Sequence[dict[str, str]], what: str = "Invalid parameters") -> ToolError:
    """VALIDATION with every bad field, the first few of them in the message."""
    listed = "; ".join(f"{each['pointer'] or 'it'} {each['message']}" for each in errors[:5])
    return ToolError(ErrorType.VALIDATION, f"{what}: {listed}", errors=list(errors))


async def stored(work: Awaitable[Result]) -> Result:
    """What the store answers; where it cannot, that may be over in a moment. All of it was done,
    or nothing."""
    try:
        return await work
    except StoreError as error:
        raise ToolError(
            ErrorType.TRANSIENT, f"The store is not there right now. {error}"
        ) from error
