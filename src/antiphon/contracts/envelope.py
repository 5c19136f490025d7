"""Envelope 1.0.0: the one shape in which every tool call is answered.

Envelopes are plain dictionaries because they are made on the hot path and leave as JSON; the
makers here are the only places that spell their keys.
"""

from __future__ import annotations

from math import inf
from typing import Any

from antiphon.contracts.errors import ErrorType, error_body
from antiphon.contracts.intents import intent_problem

RESPONSE_SCHEMA_VERSION = "1.0.0"

Envelope = dict[str, Any]


class ToolResult:
    """What a handler returns, by way of `ok` or `fail`. The orchestrator adds `meta`."""

    __slots__ = ("data", "error", "intents", "ok")

    def __init__(
        self,
        ok: bool,
        data: dict[str, Any] | None,
        error: dict[str, Any] | None,
        intents: list[dict[str, Any]],
    ) -> None:
        self.ok = ok
        self.data = data
        self.error = error
        self.intents = intents

    def __repr__(self) -> str:
        return f"ok({self.data!r})" if self.ok else f"fail({self.error!r})"


def ok(
    data: dict[str, Any] | None = None, intents: list[dict[str, Any]] | None = None
) -> ToolResult:
    """Return the result of a call that succeeded. `intents` ask the session for state changes."""
    return ToolResult(True, {} if data is None else data, None, intents or [])


def fail(
    type: ErrorType,
    message: str,
    *,
    retryable: bool | None = None,
    partial_side_effects: bool = False,
    retry_after: float | None = None,
    idempotency_required: bool = False,
    **details: Any,
) -> ToolResult:
    """Return the result of a call that failed in a way the tool expected. Same members as
    `ToolError`."""
    body = error_body(
        ErrorType(type),
        message,
        retryable=retryable,
        partial_side_effects=partial_side_effects,
        retry_after=retry_after,
        idempotency_required=idempotency_required,
        **details,
    )
    return ToolResult(False, None, body, [])


# The members of an error that `fail` takes under names of its own.
_NAMED = ("type", "message", "retryable", "partialSideEffects", "retryAfter")


def relay(answer: Envelope, prefix: str = "") -> ToolResult:
    """Return the envelope of another tool's call as the answer of this one.

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


def make_meta(
    tool_id: str, tool_version: str | None, registry_version: str, duration_ms: float
) -> dict[str, Any]:
    """Return the `meta` member of an envelope; `duration` is in milliseconds."""
    return {
        "toolId": tool_id,
        "toolVersion": tool_version,
        "registryVersion": registry_version,
        "duration": duration_ms,
        "responseSchemaVersion": RESPONSE_SCHEMA_VERSION,
    }


def success(data: dict[str, Any], intents: list[dict[str, Any]], meta: dict[str, Any]) -> Envelope:
    """Return the envelope of a call that succeeded."""
    return {"ok": True, "data": data, "intents": intents, "meta": meta}


def failure(error: dict[str, Any], meta: dict[str, Any]) -> Envelope:
    """Return the envelope of a call that failed."""
    return {"ok": False, "error": error, "intents": [], "meta": meta}


def flat_result(envelope: Envelope) -> dict[str, Any]:
    """Return an envelope in VOX's flat form: `{success: true, …data}` or `{success: false, error,
    error_type, …}`.

    Data that has a `success` of its own keeps it: a macro that ran may still have failed.
    """
    if envelope["ok"]:
        return {"success": True, **envelope["data"]}
    error = envelope["error"]
    more = {k: v for k, v in error.items() if k not in ("type", "message")}
    return {"success": False, "error": error["message"], "error_type": error["type"], **more}


def envelope_problems(envelope: object) -> list[str]:
    """Return everything that keeps `envelope` from being a valid envelope 1.0.0; empty when it is
    one."""
    if not isinstance(envelope, dict):
        return [f"an envelope is an object, not {type(envelope).__name__}"]
    problems: list[str] = []
    succeeded = envelope.get("ok")
    if not isinstance(succeeded, bool):
        problems.append("/ok: must be true or false")
    expected = {"ok", "data" if succeeded else "error", "intents", "meta"}
    for name in sorted(expected - envelope.keys()):
        problems.append(f"/{name}: is missing")
    for name in sorted(envelope.keys() - expected, key=str):
        problems.append(f"/{name}: does not belong in an envelope with ok={succeeded}")
    if succeeded and "data" in envelope and not isinstance(envelope["data"], dict):
        problems.append("/data: must be an object")
    if not succeeded and isinstance(envelope.get("error"), dict):
        problems.extend(_error_problems(envelope["error"]))
    elif not succeeded and "error" in envelope:
        problems.append("/error: must be an object")
    problems.extend(_intent_problems(envelope.get("intents", []), succeeded is True))
    problems.extend(_meta_problems(envelope.get("meta", {})))
    return problems


def _error_problems(error: dict[str, Any]) -> list[str]:
    problems = []
    if error.get("type") not in list(ErrorType):
        problems.append(f"/error/type: {error.get('type')!r} is no error type")
    if not isinstance(error.get("message"), str) or not error["message"]:
        problems.append("/error/message: must be a non-empty string")
    for flag in ("retryable", "partialSideEffects"):
        if not isinstance(error.get(flag), bool):
            problems.append(f"/error/{flag}: must be true or false")
    return problems


def _intent_problems(intents: object, succeeded: bool) -> list[str]:
    if not isinstance(intents, list):
        return ["/intents: must be an array"]
    if intents and not succeeded:
        return ["/intents: a failure carries none"]
    found = ((i, intent_problem(intent)) for i, intent in enumerate(intents))
    return [f"/intents/{i}: {problem}" for i, problem in found if problem]


def _meta_problems(meta: object) -> list[str]:
    if not isinstance(meta, dict):
        return ["/meta: must be an object"]
    problems = []
    for name in ("toolId", "registryVersion"):
        if not isinstance(meta.get(name), str):
            problems.append(f"/meta/{name}: must be a string")
    if not isinstance(meta.get("toolVersion"), str | None):
        problems.append("/meta/toolVersion: must be a string, or null for an unknown tool")
    duration: Any = meta.get("duration")
    if type(duration) not in (int, float) or not 0 <= duration < inf:
        problems.append("/meta/duration: must be milliseconds, 0 or more")
    if meta.get("responseSchemaVersion") != RESPONSE_SCHEMA_VERSION:
        problems.append(f"/meta/responseSchemaVersion: must be {RESPONSE_SCHEMA_VERSION!r}")
    return problems
