"""Claude message assembly: the events of one stream, strictly checked and put together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from antiphon.contracts.events import Usage


class NotAMessage(ValueError):
    """Stream events that make no sense."""


class StreamError(Exception):
    """Error that the service reports inside a stream, whose HTTP status was 200 long ago."""

    def __init__(self, body: Any) -> None:
        error = body.get("error") if isinstance(body, dict) else None
        what = error if isinstance(error, dict) else {}
        super().__init__(str(what.get("message", body)))
        self.type = str(what.get("type", "error"))


@dataclass(slots=True)
class ToolUseBlock:
    """Content block of type `tool_use`, and whether it is complete.

    `args` that are no object are passed on as they were written, for dispatch to refuse.
    """

    block: dict[str, Any]
    args: Any
    complete: bool


class ClaudeMessage:
    """Assembler of one message from the events of its stream, none of which is trusted.

    Unknown events, deltas and blocks are the service's right; they are passed over.
    """

    def __init__(self) -> None:
        self.over = False
        self.reason: str | None = None
        self._blocks: dict[int, dict[str, Any]] = {}
        self._arguments: dict[int, str] = {}
        self._done: set[int] = set()
        self._counts: dict[str, Any] = {}

    def take(self, name: str | None, data: str) -> str:
        """Add one event; return the text in it, which is empty for most. Raises NotAMessage or
        StreamError."""
        if name is None or name == "ping":
            return ""
        try:
            body = orjson.loads(data)
        except orjson.JSONDecodeError as error:
            raise NotAMessage(f"an event that is not JSON ({error}): {data[:200]}") from None
        if name == "error":
            raise StreamError(body)
        match body:
            case {"type": "message_start", "message": {"usage": dict(counts)}}:
                self._counts |= counts
            case {"type": "content_block_start", "index": int(at), "content_block": dict(block)}:
                return self._start(at, block)
            case {"type": "content_block_delta", "index": int(at), "delta": dict(delta)}:
                return self._grow(at, delta)
            case {"type": "content_block_stop", "index": int(at)}:
                self._done.add(at)
            case {"type": "message_delta", "delta": dict(delta)}:
                self.reason = delta.get("stop_reason") or self.reason
                self._counts |= {k: v for k, v in (body.get("usage") or {}).items() if v}
            case {"type": "message_stop"}:
                if not isinstance(self.reason, str):
                    raise NotAMessage("the message ended and gives no stop_reason")
                self.over = True
            case {"type": "message_start" | "content_block_start" | "content_block_delta"}:
                raise NotAMessage(f"an event without what belongs in it: {body!r}")
            case {"type": str()}:
                pass
            case _:
                raise NotAMessage(f"not an event: {body!r}")
        return ""

    def _start(self, at: int, block: dict[str, Any]) -> str:
        if at in self._blocks:
            if block == self._blocks[at]:
                return ""  # the same event twice
            raise NotAMessage(f"two blocks have the index {at}")
        if not isinstance(block.get("type"), str):
            raise NotAMessage(f"a block without a type: {block!r}")
        self._blocks[at] = dict(block)
        return _text(block.get("text")) if block["type"] == "text" else ""

    def _grow(self, at: int, delta: dict[str, Any]) -> str:
        block = self._blocks.get(at)
        if block is None or at in self._done:
            raise NotAMessage(f"a piece of block {at}, which is not open")
        match delta:
            case {"type": "text_delta", "text": str(text)} if block["type"] == "text":
                block["text"] = _text(block.get("text")) + text
                return text
            case {"type": "input_json_delta", "partial_json": str(piece)}:
                self._arguments[at] = self._arguments.get(at, "") + piece
            case {"type": "thinking_delta", "thinking": str(piece)}:
                block["thinking"] = _text(block.get("thinking")) + piece
            case {"type": "signature_delta", "signature": str(piece)}:
                block["signature"] = _text(block.get("signature")) + piece
            case {"type": "citations_delta", "citation": citation}:
                block["citations"] = [*(block.get("citations") or []), citation]
            case {"type": "text_delta" | "input_json_delta" | "thinking_delta" | "signature_delta"}:
                raise NotAMessage(f"a piece that does not fit its block: {delta!r}")
        return ""

    # -- what it came to

    @property
    def called(self) -> int:
        """The number of calls that were begun."""
        return sum(block["type"] == "tool_use" for block in self._blocks.values())

    def calls(self) -> Iterator[ToolUseBlock]:
        """Yield the calls of the message, in order."""
        for at, block in sorted(self._blocks.items()):
            if block["type"] == "tool_use":
                yield ToolUseBlock(block, self._parsed(at), at in self._done)

    def whole_blocks(self) -> list[dict[str, Any]]:
        """Return the complete blocks, as the service wants them back."""
        found = []
        for at, block in sorted(self._blocks.items()):
            if block["type"] == "thinking" and not block.get("signature"):
                continue  # cut off; it would be refused
            if block["type"] == "server_tool_use" and at in self._arguments:
                args = self._parsed(at)
                block["input"] = args if isinstance(args, dict) else {}
            found.append(block)
        return found

    def usage(self) -> Usage:
        """Return the token counts. The service counts what it read from its cache, or put there,
        apart from the rest."""
        fresh, made, read, out = (
            value if isinstance(value := self._counts.get(name), int) else 0
            for name in (
                "input_tokens",
                "cache_creation_input_tokens",
                "cache_read_input_tokens",
                "output_tokens",
            )
        )
        return Usage(fresh + made + read, out, read, dict(self._counts), cache_write_tokens=made)

    def _parsed(self, at: int) -> Any:
        """Return the arguments of a call, or their text where it is no JSON. Without any pieces
        they came with the block, or there are none."""
        raw = self._arguments.get(at, "")
        if not raw:
            given = self._blocks[at].get("input")
            return {} if given is None else given
        try:
            args = orjson.loads(raw)
        except orjson.JSONDecodeError:
            return raw
        return raw if args is None else args  # a call would take None for no arguments


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
