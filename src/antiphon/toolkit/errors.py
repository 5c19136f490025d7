"""Errors of handlers: a refused argument, and the answer of another tool passed on."""

from __future__ import annotations

from typing import Any

from antiphon.contracts import ErrorType, ToolError, fail, ok

# The members of an error that `fail` takes under names of its own.
_NAMED = ("type", "message", "retryable", "partialSideEffects", "retryAfter")


def invalid(pointer: str, message: str, **details: Any) -> ToolError:
    """Return the VALIDATION error of the argument at a JSON pointer, for the handler to raise.

    `details` become further members of the error, such as `line` and `column`.
    """
    return ToolError(ErrorType.VALIDATION, f"{pointer}: {message}", pointer=pointer, **details)


def relay(answer: Any, prefix: str = "") -> Any:
    """Return the envelope of `context.call_tool` as this handler's own answer.

    An error keeps its type and members; `prefix` is put before its message.
    """
    if answer["ok"]:
        return ok(answer["data"])
    error = answer["error"]
    return fail(
        ErrorType(error["type"]),
        prefix + error["message"],
        retryable=error["retryable"],
        partial_side_effects=error["partialSideEffects"],
        retry_after=error.get("retryAfter"),
        **{name: value for name, value in error.items() if name not in _NAMED},
    )
