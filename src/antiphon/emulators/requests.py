"""Request handling shared by all emulated APIs: refusals, facts of tool results, call arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson


class RequestRefusal(Exception):
    """A request that the service does not take, and the HTTP response that says so.

    `mistake`: no sound client sends it, so it counts as a problem of the conversation.
    """

    def __init__(
        self,
        message: str,
        status: int,
        body: dict[str, Any],
        *,
        headers: Mapping[str, str] | None = None,
        mistake: bool = True,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.body = body
        self.headers = dict(headers or {})
        self.mistake = mistake


def result_facts(results: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The facts that scripts match on tool results; each has `id`, `name` and `envelope`."""
    return {
        "results": list(results),
        "names": [result["name"] for result in results],
        "ok": all(_is_ok(result["envelope"]) for result in results),
        "count": len(results),
    }


def parse_result(text: str) -> Any:
    """A tool result as JSON; the text itself where it is none."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text


def call_arguments(call: Mapping[str, Any]) -> str:
    """The arguments of a scripted call as the model writes them: `arguments`, or `args` as JSON."""
    raw = call.get("arguments")
    return orjson.dumps(call.get("args") or {}).decode() if raw is None else str(raw)


def fragments(text: str, size: int) -> Iterator[str]:
    """A text in pieces of `size` characters, as arguments are streamed."""
    for start in range(0, len(text), size):
        yield text[start : start + size]


def retry_headers(options: Mapping[str, Any]) -> dict[str, str]:
    """The Retry-After header of a scripted error, where its `retry_after` asks for one."""
    seconds = options.get("retry_after")
    return {} if seconds is None else {"retry-after": str(seconds)}


def _is_ok(envelope: Any) -> bool:
    return isinstance(envelope, dict) and envelope.get("ok") is True
