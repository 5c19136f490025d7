"""Request checks of the Messages API: refusals in the service's words, and facts for scripts."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import orjson

from antiphon.emulators.requests import RequestRefusal, parse_result, result_facts

_FIELDS = {
    *("cache_control", "container", "context_management", "diagnostics", "fallbacks"),
    *("inference_geo", "max_tokens", "mcp_servers", "messages", "metadata", "model"),
    *("output_config", "service_tier", "speed", "stop_sequences", "stream", "system", "thinking"),
    *("tool_choice", "tools"),
}
_TOOL_NAME = "^[a-zA-Z0-9_-]{1,128}$"
_PROPERTY = "^[a-zA-Z0-9_.-]{1,64}$"
_CALL_ID = "^[a-zA-Z0-9_-]+$"
_MOST_BREAKPOINTS = 4

# The kinds of error, by status.
ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    504: "timeout_error",
    529: "overloaded_error",
}


class AnthropicRefusal(RequestRefusal):
    """A refusal as Anthropic writes it, under a request id of its own."""

    def __init__(self, message: str, status: int = 400, *, mistake: bool = True) -> None:
        id_ = request_id()
        body = error_body(status, message, id_)
        super().__init__(message, status, body, headers={"request-id": id_}, mistake=mistake)


def request_id() -> str:
    """A new id of a request, as the service gives to each."""
    return f"req_{secrets.token_hex(12)}"


def error_body(
    status: int, message: str, request_id: str, kind: str | None = None
) -> dict[str, Any]:
    """An error as Anthropic writes it."""
    kind = kind or ERRORS.get(status, ERRORS[500] if status >= 500 else ERRORS[400])
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": request_id}


@dataclass(slots=True)
class AnthropicServiceState:
    """State of the service over all requests: what it has given out and recognizes."""

    thoughts: dict[str, str] = field(default_factory=dict)  # signature, and what it signs
    thought_first: set[str] = field(default_factory=set)  # calls that the model thought before
    paused: list[Any] = field(default_factory=list)  # contents of turns that are to be continued
    cached: set[bytes] = field(default_factory=set)  # beginnings of requests


def check(body: Any, state: AnthropicServiceState) -> None:
    """Raises AnthropicRefusal for what the service would not take."""
    if not isinstance(body, dict):
        raise AnthropicRefusal("Input should be an object")
    for name in ("model", "messages", "max_tokens"):
        if name not in body:
            raise AnthropicRefusal(f"{name}: Field required")
    for name in body:
        if name not in _FIELDS:  # temperature, top_p and top_k are among these
            raise AnthropicRefusal(f"{name}: Extra inputs are not permitted")
    if not isinstance(body["model"], str) or not body["model"]:
        raise AnthropicRefusal("model: Input should be a valid string")
    if type(body["max_tokens"]) is not int:
        raise AnthropicRefusal("max_tokens: Input should be a valid integer")
    if body["max_tokens"] < 1:
        raise AnthropicRefusal("max_tokens: must be greater than or equal to 1")
    if not isinstance(body.get("stream", False), bool):
        raise AnthropicRefusal("stream: Input should be a valid boolean")
    _check_system(body.get("system"))
    _check_tools(body.get("tools"))
    _check_messages(body["messages"], state)
    found = sum(1 for block in _marked(body) if block.get("cache_control"))
    if found > _MOST_BREAKPOINTS:
        raise AnthropicRefusal(
            f"A maximum of {_MOST_BREAKPOINTS} blocks with cache_control may be provided. "
            f"Found {found}."
        )


def request_facts(body: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The event and facts of a request: `results`, or `text` when text follows the results."""
    messages = body["messages"]
    last = next(n for n in range(len(messages) - 1, -1, -1) if messages[n]["role"] == "user")
    blocks = content(messages[last])
    heard: dict[str, Any] = {
        "text": "\n\n".join(_texts(blocks)),
        "model": body["model"],
        "instructions": "\n\n".join(_texts(_blocks(body.get("system") or []))),
        "tools": [t["name"] for t in body.get("tools") or [] if "input_schema" in t],
        "search": any(str(t.get("type")).startswith("web_search") for t in body.get("tools") or []),
        "history": [text for m in messages[:last] for text in _texts(content(m))],
    }
    names = {
        block["id"]: block["name"]
        for message in messages
        for block in content(message)
        if block.get("type") == "tool_use"
    }
    results = [
        {
            "id": block["tool_use_id"],
            "name": names.get(block["tool_use_id"]),
            "envelope": _result(block.get("content")),
        }
        for block in blocks
        if block.get("type") == "tool_result"
    ]
    if not results:
        return "text", heard
    heard |= result_facts(results)
    return ("text" if heard["text"] else "results"), heard


def content(message: dict[str, Any]) -> list[dict[str, Any]]:
    """The content of a message as a list of blocks."""
    return _blocks(message["content"])


def beginning(body: dict[str, Any]) -> bytes | None:
    """The cacheable prefix of a request: tools and system, when a breakpoint stands in them."""
    blocks = [*(body.get("tools") or []), *_blocks(body.get("system") or [])]
    if not any(block.get("cache_control") for block in blocks):
        return None
    return orjson.dumps([body["model"], blocks], option=orjson.OPT_SORT_KEYS)


# -- parts ---------------------------------------------------------------------------------


def _check_system(system: Any) -> None:
    if system is None or isinstance(system, str):
        return
    if not isinstance(system, list):
        raise AnthropicRefusal("system: Input should be a valid list")
    for n, block in enumerate(system):
        if not isinstance(block, dict) or block.get("type") != "text":
            raise AnthropicRefusal(f"system.{n}: Input should be a text block")
        if not block.get("text"):
            raise AnthropicRefusal("system: text content blocks must be non-empty")


def _check_tools(tools: Any) -> None:
    if tools is None:
        return
    if not isinstance(tools, list):
        raise AnthropicRefusal("tools: Input should be a valid list")
    names = set()
    for n, tool in enumerate(tools):
        if not isinstance(tool, dict):
            raise AnthropicRefusal(f"tools.{n}: Input should be an object")
        if tool.get("type", "custom") != "custom":
            continue  # one of the service's own, which has a shape of its own
        name, schema = tool.get("name"), tool.get("input_schema")
        if not isinstance(name, str) or not re.match(_TOOL_NAME, name):
            raise AnthropicRefusal(
                f"tools.{n}.custom.name: String should match pattern '{_TOOL_NAME}'"
            )
        if name in names:
            raise AnthropicRefusal("tools: Tool names must be unique.")
        names.add(name)
        if not isinstance(schema, dict):
            raise AnthropicRefusal(f"tools.{n}.custom.input_schema: Field required")
        if schema.get("type") != "object":
            raise AnthropicRefusal(f"tools.{n}.custom.input_schema.type: Input should be 'object'")
        for word in ("oneOf", "allOf", "anyOf"):
            if word in schema:
                raise AnthropicRefusal(
                    f"tools.{n}.custom.input_schema: input_schema does not support oneOf, allOf, "
                    "or anyOf at the top level"
                )
        if any(not re.match(_PROPERTY, key) for key in schema.get("properties") or {}):
            raise AnthropicRefusal(
                f"tools.{n}.custom.input_schema.properties: Property keys should match pattern "
                f"'{_PROPERTY}'"
            )


def _check_messages(messages: Any, state: AnthropicServiceState) -> None:
    if not isinstance(messages, list):
        raise AnthropicRefusal("messages: Input should be a valid list")
    if not messages:
        raise AnthropicRefusal("messages: at least one message is required")
    for n, message in enumerate(messages):
        _check_message(n, message)
    if messages[0]["role"] != "user":
        raise AnthropicRefusal('messages: first message must use the "user" role')
    _check_calls(messages)
    for n, message in enumerate(messages):
        if message["role"] == "assistant":
            _check_thoughts(n, content(message), state)
    last = messages[-1]
    if last["role"] == "assistant" and content(last) not in state.paused:
        raise AnthropicRefusal(
            "This model does not support assistant message prefill. The conversation must end "
            "with a user message."
        )


def _check_message(n: int, message: Any) -> None:
    if not isinstance(message, dict):
        raise AnthropicRefusal(f"messages.{n}: Input should be an object")
    role, said = message.get("role"), message.get("content")
    if role == "system":
        raise AnthropicRefusal(
            'messages: Unexpected role "system". The Messages API accepts a top-level `system` '
            'parameter, not "system" as an input message role.'
        )
    if role not in ("user", "assistant"):
        raise AnthropicRefusal(f"messages.{n}.role: Input should be 'user' or 'assistant'")
    if not isinstance(said, str | list):
        raise AnthropicRefusal(f"messages.{n}.content: Input should be a valid list")
    if not said:
        raise AnthropicRefusal(f"messages.{n}: {role} messages must have non-empty content")
    for m, block in enumerate(content(message)):
        where = f"messages.{n}.content.{m}"
        if not isinstance(block, dict) or not isinstance(block.get("type"), str):
            raise AnthropicRefusal(f"{where}.type: Field required")
        _check_block(where, role, block)


def _check_block(where: str, role: str, block: dict[str, Any]) -> None:
    kind = block["type"]
    if kind == "text":
        if not isinstance(block.get("text"), str):
            raise AnthropicRefusal(f"{where}.text.text: Field required")
        if not block["text"]:
            raise AnthropicRefusal("messages: text content blocks must be non-empty")
        if not block["text"].strip():
            raise AnthropicRefusal("messages: text content blocks must contain non-whitespace text")
    elif kind == "tool_use":
        if role != "assistant":
            raise AnthropicRefusal(
                f"{where}: `tool_use` blocks can only be in `assistant` messages"
            )
        if not isinstance(block.get("id"), str) or not re.match(_CALL_ID, block["id"]):
            raise AnthropicRefusal(f"{where}.tool_use.id: String should match pattern '{_CALL_ID}'")
        if not isinstance(block.get("name"), str) or not re.match(_TOOL_NAME, block["name"]):
            raise AnthropicRefusal(
                f"{where}.tool_use.name: String should match pattern '{_TOOL_NAME}'"
            )
        if not isinstance(block.get("input"), dict):
            raise AnthropicRefusal(f"{where}.tool_use.input: Input should be a valid dictionary")
    elif kind == "tool_result":
        if role != "user":
            raise AnthropicRefusal(f"{where}: `tool_result` blocks can only be in `user` messages")
        if not isinstance(block.get("tool_use_id"), str):
            raise AnthropicRefusal(f"{where}.tool_result.tool_use_id: Field required")


def _check_calls(messages: list[dict[str, Any]]) -> None:
    """Every call is answered first of all in the next message, and nothing else is answered."""
    seen: set[str] = set()
    asked: list[str] = []
    for n, message in enumerate(messages):
        blocks = content(message)
        answered: list[str] = []
        for m, block in enumerate(blocks):
            if block["type"] != "tool_result":
                continue
            if block["tool_use_id"] not in asked:
                raise AnthropicRefusal(
                    f"messages.{n}.content.{m}: unexpected `tool_use_id` found in `tool_result` "
                    f"blocks: {block['tool_use_id']}. Each `tool_result` block must have a "
                    "corresponding `tool_use` block in the previous message."
                )
            if block["tool_use_id"] in answered:
                raise AnthropicRefusal(
                    f"messages.{n}.content.{m}: each tool_use must have a single result. Found "
                    f"multiple `tool_result` blocks with id: {block['tool_use_id']}"
                )
            if len(answered) == m:  # nothing else stands before it
                answered.append(block["tool_use_id"])
        if missing := [call for call in asked if call not in answered]:
            raise AnthropicRefusal(
                f"messages.{n - 1}: `tool_use` ids were found without `tool_result` blocks "
                f"immediately after: {', '.join(missing)}. Each `tool_use` block must have a "
                "corresponding `tool_result` block in the next message."
            )
        asked = [block["id"] for block in blocks if block["type"] == "tool_use"]
        if len(set(asked)) < len(asked) or seen & set(asked):
            raise AnthropicRefusal(f"messages.{n}: `tool_use` ids must be unique")
        seen |= set(asked)
    if asked:
        raise AnthropicRefusal(
            f"messages.{len(messages) - 1}: `tool_use` ids were found without `tool_result` blocks "
            f"immediately after: {', '.join(asked)}. Each `tool_use` block must have a "
            "corresponding `tool_result` block in the next message."
        )


def _check_thoughts(n: int, blocks: list[dict[str, Any]], state: AnthropicServiceState) -> None:
    for m, block in enumerate(blocks):
        if block["type"] == "thinking":
            thought = state.thoughts.get(block.get("signature", ""))
            if thought is None:
                raise AnthropicRefusal(
                    f"messages.{n}.content.{m}: Invalid `signature` in `thinking` block"
                )
            if thought != block.get("thinking"):
                raise AnthropicRefusal(
                    f"messages.{n}.content.{m}: `thinking` or `redacted_thinking` blocks in the "
                    "latest assistant message cannot be modified. These blocks must remain as "
                    "they were in the original response."
                )
    if blocks[-1]["type"] == "thinking":
        raise AnthropicRefusal(
            f"messages.{n}: The final block in an assistant message cannot be `thinking`."
        )
    first = blocks[0]["type"]
    calls = {block["id"] for block in blocks if block["type"] == "tool_use"}
    if calls & state.thought_first and first != "thinking":
        raise AnthropicRefusal(
            f"messages.{n}.content.0.type: Expected `thinking` or `redacted_thinking`, but found "
            f"`{first}`. When `thinking` is enabled, a final `assistant` message must start with a "
            "thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks)."
        )


# -- reading -------------------------------------------------------------------------------


def _blocks(said: str | list[dict[str, Any]]) -> list[dict[str, Any]]:
    if isinstance(said, str):
        return [{"type": "text", "text": said}] if said else []
    return said


def _texts(blocks: list[dict[str, Any]]) -> list[str]:
    return [block["text"] for block in blocks if block.get("type") == "text"]


def _result(said: Any) -> Any:
    """The envelope of a tool result, parsed where it is JSON."""
    return parse_result("".join(_texts(_blocks(said))) if isinstance(said, str | list) else "")


def _marked(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from body.get("tools") or []
    yield from _blocks(body.get("system") or [])
    for message in body["messages"]:
        yield from content(message)
