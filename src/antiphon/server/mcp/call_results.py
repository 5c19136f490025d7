"""Results of MCP calls: an envelope as content, structured content and error."""

from __future__ import annotations

from typing import Any

import orjson
from mcp_types import CallToolResult, ContentBlock, TextContent
from pydantic import TypeAdapter, ValidationError

from antiphon.contracts import Envelope

# The envelope, without what stands elsewhere in a result.
ENVELOPE = "antiphon/envelope"
_BLOCKS: TypeAdapter[list[ContentBlock]] = TypeAdapter(list[ContentBlock])
_PLAIN = frozenset({"text", "content"})


def call_result(envelope: Envelope) -> CallToolResult:
    """What a client gets for an envelope: data as structured content and as text, an error as the
    whole envelope. Data that has content blocks of MCP is given as these."""
    if not envelope["ok"]:
        return CallToolResult(content=[_text(envelope)], is_error=True, _meta={ENVELOPE: envelope})
    data: dict[str, Any] = envelope["data"]
    about = {name: value for name, value in envelope.items() if name != "data"}
    blocks = _blocks(data)
    if blocks is None:
        return CallToolResult(
            content=[_text(data)], structured_content=data, _meta={ENVELOPE: about}
        )
    return CallToolResult(content=blocks, structured_content=None, _meta={ENVELOPE: about})


def _text(content: dict[str, Any]) -> TextContent:
    return TextContent(type="text", text=orjson.dumps(content).decode())


def _blocks(data: dict[str, Any]) -> list[ContentBlock] | None:
    """The content blocks of data that is nothing else: `text`, `content`, or both."""
    if not data or not data.keys() <= _PLAIN or "content" not in data:
        return None
    try:
        found = _BLOCKS.validate_python(data["content"])
    except ValidationError:
        return None
    text = data.get("text")
    return [TextContent(type="text", text=text), *found] if isinstance(text, str) else found
