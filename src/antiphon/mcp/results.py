"""Results of MCP tools as the data of an envelope."""

from __future__ import annotations

from typing import Any

import orjson

from antiphon.contracts import ErrorType, ToolError
from antiphon.contracts.json_depth import is_deeper

_MOST_WORDS = 500
MAX_DEPTH = 32
MAX_BLOCKS = 1000


def result_data(result: Any, server: str, *, writes: bool, max_bytes: int) -> dict[str, Any]:
    """Return what a tool brought: its structured result, else its texts and other contents.

    Raises ToolError for a result that says it is an error, and for one of more than `max_bytes`,
    with very many parts, or nested very deep.
    """
    if len(result.content) > MAX_BLOCKS:
        raise _too_much(server, f"{len(result.content)} parts; at most {MAX_BLOCKS}", writes)
    texts = [block.text for block in result.content if block.type == "text"]
    if result.is_error:
        words = " ".join(texts)[:_MOST_WORDS] or "no reason was given"
        raise ToolError(
            ErrorType.PERMANENT, f"{server} failed: {words}", partial_side_effects=writes
        )
    structured = result.structured_content
    if isinstance(structured, dict):
        data = structured
    elif structured is not None:
        data = {"result": structured}
    else:
        data = {"text": "\n".join(texts)} if texts else {}
        others = [block for block in result.content if block.type != "text"]
        if others:
            data["content"] = [
                block.model_dump(mode="json", by_alias=True, exclude_none=True) for block in others
            ]
    if is_deeper(data, MAX_DEPTH):
        raise _too_much(server, f"values nested very deep; at most {MAX_DEPTH} levels", writes)
    try:
        size = len(orjson.dumps(data))
    except TypeError as error:  # a number of many digits, a text that is none
        raise ToolError(
            ErrorType.PERMANENT,
            f"{server} answered with what cannot be passed on: {error}.",
            partial_side_effects=writes,
        ) from None
    if size > max_bytes:
        raise _too_much(server, f"{size} bytes; at most {max_bytes}", writes)
    return data


def _too_much(server: str, what: str, writes: bool) -> ToolError:
    return ToolError(
        ErrorType.PERMANENT,
        f"{server} answered with {what} are taken. Ask for less.",
        partial_side_effects=writes,
    )
