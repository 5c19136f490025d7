"""Realtime faults: error events, refused upgrades and closed sockets as provider faults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from antiphon.contracts.events import Fault, FaultKind
from antiphon.providers.faults import fault, kind_of_status, missing_sdk, retry_after, words_in
from antiphon.providers.port import ProviderFault

# After these nothing more comes, whatever the client does.
_FATAL: Mapping[str, FaultKind] = {
    "invalid_api_key": "auth",
    "account_deactivated": "auth",
    "unsupported_country_region_territory": "auth",
    "model_not_found": "not_found",
    "missing_model": "not_found",
    "insufficient_quota": "rate_limited",
    "session_expired": "closed",
    "beta_api_shape_disabled": "bad_request",
}
_PASSING: Mapping[str, FaultKind] = {
    "rate_limit_exceeded": "rate_limited",
    "server_error": "overloaded",
    "internal_server_error": "overloaded",
    "inference_rate_limit_exceeded": "rate_limited",
    "inference_not_available": "overloaded",
    "inference_timeout": "timeout",
    "content_filter": "refused",
}


def of_event(error: Any, *, where: str | None = None) -> Fault:
    """Return the fault in the `error` of an event, or of the status of a failed response."""
    if not isinstance(error, dict):
        return fault("openai", "protocol", f"an error without words: {error!r}", fatal=False)
    code = str(error.get("code") or error.get("type") or "")
    detail = f"{code}: {error.get('message')}"
    if error.get("param"):
        detail += f" ({error['param']})"
    said = error.get("message")
    if code in _FATAL:
        return fault("openai", _FATAL[code], detail, where=where, said=said)
    kind = _PASSING.get(code) or _PASSING.get(str(error.get("type"))) or "bad_request"
    return fault("openai", kind, detail, fatal=False, said=said)


def of_exception(error: BaseException, *, where: str | None = None) -> Fault:
    """Return the fault in what the SDK, or a layer below it, raised."""
    import openai
    from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

    detail = f"{type(error).__name__}: {error}"
    match error:
        case ProviderFault():
            return error.fault
        case ConnectionClosed():
            received = error.rcvd
            return _closed(
                received.code if received else 1006, received.reason if received else "", detail
            )
        case InvalidStatus():
            status = error.response.status_code
            raw = bytes(error.response.body or b"")
            return fault(
                "openai",
                kind_of_status(status),
                f"HTTP {status}: {raw.decode('utf-8', 'replace')}",
                code=status,
                retry_after=retry_after({k.lower(): v for k, v in error.response.headers.items()}),
                where=where,
                said=words_in(raw),
            )
        case openai.APITimeoutError() | TimeoutError():
            return fault("openai", "timeout", detail, where=where)
        case openai.APIStatusError():
            return fault(
                "openai",
                kind_of_status(error.status_code),
                detail,
                code=error.status_code,
                retry_after=retry_after(error.response.headers),
                where=where,
            )
        case openai.OpenAIError() if isinstance(error.__cause__, ImportError):
            return missing_sdk("openai", error.__cause__).fault
        case openai.APIConnectionError():
            cause = error.__cause__
            because = f"{detail}; {type(cause).__name__}: {cause}" if cause else detail
            return fault("openai", "unreachable", because, where=where)
        case WebSocketException() | OSError():
            return fault("openai", "unreachable", detail, where=where)
        case orjson.JSONDecodeError():
            return fault("openai", "protocol", detail, where=where)
        case ValueError() | TypeError() | openai.OpenAIError():
            return fault("openai", "bad_request", detail, where=where)
    return fault("openai", "protocol", detail, where=where)


def _closed(code: int, reason: str, detail: str) -> Fault:
    """Return the fault of a closed socket, whose reason is `type.code` when the service closes
    because of an error."""
    kinds = [kind for name, kind in _FATAL.items() if f".{name}" in detail]
    return fault("openai", kinds[0] if kinds else "closed", detail, code=code, said=reason)
