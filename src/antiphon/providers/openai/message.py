"""Chat Completions message assembly: one answer from the chunks of its stream."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from antiphon.contracts.events import Usage

# Fields of a call that are put together here; whatever else a server sends goes back as it came.
_KNOWN = ("index", "id", "type", "function")


@dataclass(slots=True)
class ChatToolCall:
    """A tool call under assembly. `text` are its arguments as the model wrote them."""

    id: str | None = None
    name: str = ""
    text: str = ""
    args: Any = None  # of servers that send an object instead of a text
    extra: dict[str, Any] = field(default_factory=dict)

    def arguments(self) -> Any:
        """Return the arguments as an object; else as they were sent, for dispatch to refuse."""
        if self.args is not None:
            return self.args
        if not self.text.strip():
            return {}
        try:
            found = orjson.loads(self.text)
        except orjson.JSONDecodeError:
            return self.text
        return self.text if found is None else found  # a call would take None for no arguments

    def body(self, id: str) -> dict[str, Any]:
        """Return the call as it goes back. Some servers read the arguments, and fail on what is no
        object."""
        args = self.arguments()
        text = "{}"
        if isinstance(args, dict):
            text = self.text if self.text.strip() else orjson.dumps(args).decode()
        function = {"name": self.name, "arguments": text}
        return {**self.extra, "id": id, "type": "function", "function": function}


class ChatMessage:
    """Assembler of one answer from chunks; nothing in it may be acted on before `reason` is
    there."""

    def __init__(self) -> None:
        self.text = ""
        self.calls: list[ChatToolCall] = []
        self.reason: str | None = None
        self.refused = False
        self.usage: Usage | None = None
        self._by_index: dict[Any, ChatToolCall] = {}

    def take(self, chunk: Any) -> str:
        """Add a chunk; return the text in it. Raises TypeError for what is no chunk."""
        body = chunk if isinstance(chunk, dict) else chunk.to_dict(warnings=False)
        choices = body.get("choices") or []
        if not isinstance(choices, list) or not all(isinstance(c, dict) for c in choices):
            raise TypeError(f"choices are {choices!r}")
        self._count(body.get("usage"))
        if not choices:
            return ""
        choice = choices[0]
        delta = choice.get("delta") or choice.get("message") or {}
        if not isinstance(delta, dict):
            raise TypeError(f"a delta is {delta!r}")
        for number, piece in enumerate(delta.get("tool_calls") or []):
            self._call(piece, number)
        reason = choice.get("finish_reason")
        if reason is not None:
            self.reason = str(reason)
        refusal = delta.get("refusal")
        if isinstance(refusal, str) and refusal:
            self.refused = True
        added = "".join(t for t in (delta.get("content"), refusal) if isinstance(t, str))
        self.text += added
        return added

    def _call(self, piece: Any, number: int) -> None:
        if not isinstance(piece, dict):
            raise TypeError(f"a tool call is {piece!r}")
        function = piece.get("function") or {}
        if not isinstance(function, dict):
            raise TypeError(f"the function of a tool call is {function!r}")
        index = piece.get("index")
        index = number if index is None else index
        call = self._by_index.get(index)
        # Some servers count every call as the first one.
        other = call is not None and piece.get("id") and call.id and piece["id"] != call.id
        if call is None or other:
            call = self._by_index[index] = ChatToolCall()
            self.calls.append(call)
        call.id = call.id or piece.get("id")
        call.name = call.name or str(function.get("name") or "")
        call.extra |= {key: value for key, value in piece.items() if key not in _KNOWN}
        arguments = function.get("arguments")
        if isinstance(arguments, str):
            call.text += arguments
        elif arguments is not None:
            call.args = arguments

    def _count(self, usage: Any) -> None:
        if not isinstance(usage, Mapping):
            return
        details = usage.get("prompt_tokens_details")
        cached = details.get("cached_tokens") if isinstance(details, Mapping) else 0
        self.usage = Usage(
            _number(usage.get("prompt_tokens")),
            _number(usage.get("completion_tokens")),
            _number(cached),
            dict(usage),
        )


def _number(value: Any) -> int:
    return value if type(value) is int else 0
