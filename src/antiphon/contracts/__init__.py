"""Pure data that every other part speaks in. Imports nothing of ours and does no I/O."""

from antiphon.contracts.calls import ToolCall
from antiphon.contracts.definition import RateLimit, ToolDefinition, Variant
from antiphon.contracts.envelope import (
    RESPONSE_SCHEMA_VERSION,
    Envelope,
    ToolResult,
    envelope_problems,
    fail,
    failure,
    flat_result,
    make_meta,
    ok,
    relay,
    success,
)
from antiphon.contracts.errors import ErrorType, ToolError, error_body
from antiphon.contracts.intents import Intent, IntentType, intent_problem
from antiphon.contracts.principal import Principal

__all__ = [
    "RESPONSE_SCHEMA_VERSION",
    "Envelope",
    "ErrorType",
    "Intent",
    "IntentType",
    "Principal",
    "RateLimit",
    "ToolCall",
    "ToolDefinition",
    "ToolError",
    "ToolResult",
    "Variant",
    "envelope_problems",
    "error_body",
    "fail",
    "failure",
    "flat_result",
    "intent_problem",
    "make_meta",
    "ok",
    "relay",
    "success",
]
