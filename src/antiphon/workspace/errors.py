"""Errors of workspace services: ToolErrors in the words of the envelope."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import Any, TypeVar

from antiphon.contracts import ErrorType, ToolError
from antiphon.storage import StoreError

Result = TypeVar("Result")


class NotThere(ToolError):
    """No macro, page or tour has that name; `nearest` are names that may have been meant.

    It is VALIDATION: in an envelope NOT_FOUND says that there is no such tool.
    """

    def __init__(self, message: str, nearest: Sequence[str] = (), **details: Any) -> None:
        super().__init__(ErrorType.VALIDATION, message, nearest=list(nearest), **details)
        self.nearest = tuple(nearest)


def field_error(pointer: str, message: str, expected: str) -> dict[str, str]:
    """Return one entry of `errors` for a VALIDATION error."""
    return {"pointer": pointer, "message": message, "expected": expected}


def invalid(errors: Sequence[dict[str, str]], what: str = "Invalid parameters") -> ToolError:
    """Return a VALIDATION error with every bad field, the first few of them in its message."""
    listed = "; ".join(f"{each['pointer'] or 'it'} {each['message']}" for each in errors[:5])
    return ToolError(ErrorType.VALIDATION, f"{what}: {listed}", errors=list(errors))


async def from_store(work: Awaitable[Result]) -> Result:
    """Await work in the store; a failure of the store becomes ToolError TRANSIENT. The work was
    done whole, or not at all."""
    try:
        return await work
    except StoreError as error:
        raise ToolError(
            ErrorType.TRANSIENT, f"The store is not there right now. {error}"
        ) from error
