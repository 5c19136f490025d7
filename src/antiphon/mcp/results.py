"""Results of MCP tools as the data of an envelope."""

from __future__ import annotations

from typing import Any

import orjson

from antiphon.contracts import ErrorType, ToolError

_MOST_WORDS = 500


def result_data(result: Any, server: str, *, writes: bool, max_bytes: int) -> dict[str, Any]:
    """Return what a tool brought: its structured result, else its texts and other contents.

    Raises ToolError for a result that says it is an error, and for one of more than `max_bytes`.
    """
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
    size = len(orjson.dumps(data))
    if size > max_bytes:
        raise ToolError(
            ErrorType.PERMANENT,
            f"{server} answered with {size} bytes; at most {max_bytes} are taken. Ask for less.",
            partial_side_effects=writes,
        )
    return data
