"""Error types of tool calls, by the layer that reports them.

ErrorType
├── registry       the call does not fit a tool
│   ├── VALIDATION             arguments break the schema; every bad field is named
│   ├── NOT_FOUND              no such tool; the nearest names are offered
│   └── INTERNAL               the handler failed in a way nobody planned for
├── orchestrator   the call fits, but must not run now
│   ├── MODE_RESTRICTED        not in this mode (text or voice)
│   ├── BUDGET_EXCEEDED        the turn's calls are used up
│   ├── CONFIRMATION_REQUIRED  a person has to approve first
│   ├── LOOP_DETECTED          the model repeats itself
│   ├── UNAVAILABLE            not for this session, user or environment
│   ├── IN_PROGRESS            the same call is still running
│   ├── OUTCOME_UNKNOWN        it may have happened; it must not be repeated
│   └── CANCELLED              stopped by barge-in, by the provider or by its deadline
└── handler        the call ran and the tool reports
    ├── SESSION_INACTIVE       the session is over
    ├── SESSION_ACTIVE         the session is already running
    ├── TRANSIENT              may work when tried again
    ├── PERMANENT              will not work when tried again
    ├── CONFLICT               clashes with what is there
    ├── AUTH                   access is missing
    └── RATE_LIMIT             too often; `retryAfter` says when
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal

Layer = Literal["registry", "orchestrator", "handler"]


class ErrorType(StrEnum):
    """The type of a failed call; the tree above says what each means."""

    VALIDATION = "VALIDATION"
    NOT_FOUND = "NOT_FOUND"
    INTERNAL = "INTERNAL"

    MODE_RESTRICTED = "MODE_RESTRICTED"
    BUDGET_EXCEEDED = "BUDGET_EXCEEDED"
    CONFIRMATION_REQUIRED = "CONFIRMATION_REQUIRED"
    LOOP_DETECTED = "LOOP_DETECTED"
    UNAVAILABLE = "UNAVAILABLE"
    IN_PROGRESS = "IN_PROGRESS"
    OUTCOME_UNKNOWN = "OUTCOME_UNKNOWN"
    CANCELLED = "CANCELLED"

    SESSION_INACTIVE = "SESSION_INACTIVE"
    SESSION_ACTIVE = "SESSION_ACTIVE"
    TRANSIENT = "TRANSIENT"
    PERMANENT = "PERMANENT"
    CONFLICT = "CONFLICT"
    AUTH = "AUTH"
    RATE_LIMIT = "RATE_LIMIT"

    @property
    def layer(self) -> Layer:
        """The layer that reports this type."""
        return _LAYERS[self]


_LAYERS: dict[ErrorType, Layer] = {
    **dict.fromkeys((ErrorType.VALIDATION, ErrorType.NOT_FOUND, ErrorType.INTERNAL), "registry"),
    **dict.fromkeys(
        (
            ErrorType.MODE_RESTRICTED,
            ErrorType.BUDGET_EXCEEDED,
            ErrorType.CONFIRMATION_REQUIRED,
            ErrorType.LOOP_DETECTED,
            ErrorType.UNAVAILABLE,
            ErrorType.IN_PROGRESS,
            ErrorType.OUTCOME_UNKNOWN,
            ErrorType.CANCELLED,
        ),
        "orchestrator",
    ),
    **dict.fromkeys(
        (
            ErrorType.SESSION_INACTIVE,
            ErrorType.SESSION_ACTIVE,
            ErrorType.TRANSIENT,
            ErrorType.PERMANENT,
            ErrorType.CONFLICT,
            ErrorType.AUTH,
            ErrorType.RATE_LIMIT,
        ),
        "handler",
    ),
}

RETRYABLE_BY_DEFAULT = frozenset({ErrorType.TRANSIENT, ErrorType.RATE_LIMIT})


def error_body(
    type: ErrorType,
    message: str,
    *,
    retryable: bool | None = None,
    partial_side_effects: bool = False,
    retry_after: float | None = None,
    idempotency_required: bool = False,
    **details: Any,
) -> dict[str, Any]:
    """Return the `error` member of an envelope. `details` become further members as they are. With
    `idempotency_required` the call may be tried again under the same key only."""
    body: dict[str, Any] = {
        "type": type,
        "message": message,
        "retryable": type in RETRYABLE_BY_DEFAULT if retryable is None else retryable,
        "partialSideEffects": partial_side_effects,
    }
    if retry_after is not None:
        body["retryAfter"] = retry_after
    if idempotency_required or type is ErrorType.OUTCOME_UNKNOWN:
        body["idempotencyRequired"] = True
    if details:
        body.update(details)
    return body


class ToolError(Exception):
    """Raised by a handler to report a failure it knows about.

    `retryable` defaults by type: TRANSIENT and RATE_LIMIT are, the others are not.
    """

    def __init__(
        self,
        type: ErrorType,
        message: str,
        *,
        retryable: bool | None = None,
        partial_side_effects: bool = False,
        retry_after: float | None = None,
        idempotency_required: bool = False,
        **details: Any,
    ) -> None:
        super().__init__(message)
        self.type = ErrorType(type)
        self.message = message
        self.body = error_body(
            self.type,
            message,
            retryable=retryable,
            partial_side_effects=partial_side_effects,
            retry_after=retry_after,
            idempotency_required=idempotency_required,
            **details,
        )
