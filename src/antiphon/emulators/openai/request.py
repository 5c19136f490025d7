"""Requests of OpenAI's Chat Completions: which there are, and what the service refuses in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from antiphon.emulators.base import Emulator
from antiphon.emulators.requests import RequestRefusal, parse_result, result_facts
from antiphon.emulators.wire import HttpRequest

MODELS = ("gpt-4.1", "gpt-4.1-mini", "gpt-5.5")

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_ROLES = ("system", "developer", "user", "assistant", "tool", "function")


@dataclass(slots=True)
class OpenAIServiceState:
    """State of the service over the requests of all clients."""

    answers: int = 0


class OpenAIRefusal(RequestRefusal):
    """A refusal as OpenAI writes it, with the parameter and the code of the error."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        param: str | None = None,
        code: str | None = None,
        mistake: bool = True,
    ) -> None:
        body = error_body(message, "invalid_request_error", param=param, code=code)
        super().__init__(message, status, body, mistake=mistake)


def error_body(
    message: str, kind: str, *, param: str | None = None, code: Any = None
) -> dict[str, Any]:
    """An error as OpenAI writes it."""
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


def route(emulator: Emulator, request: HttpRequest) -> tuple[str, str]:
    """The operation of a request: `list`, `get` with the name of a model, or `chat`."""
    path = re.sub(r"/+", "/", request.path).removeprefix("/v1").rstrip("/")
    chat = (request.method, path) == ("POST", "/chat/completions")
    model = path.removeprefix("/models/")
    listed = request.method == "GET" and (path == "/models" or model != path)
    if not chat and not listed:
        raise OpenAIRefusal(
            404, f"Invalid URL ({request.method} {request.path})", code="unknown_url"
        )
    _check_key(emulator, request)
    if chat:
        return "chat", ""
    if path == "/models":
        return "list", ""
    _check_model(emulator, model)
    return "get", model


def read(request: HttpRequest) -> dict[str, Any]:
    """The body of a request as a JSON object. Raises OpenAIRefusal."""
    try:
        body = request.json()
    except ValueError:
        body = None
    if not isinstance(body, dict):
        raise OpenAIRefusal(
            400,
            "We could not parse the JSON body of your request. (HINT: This likely means you "
            "aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but "
            "what was sent was not valid JSON.)",
        )
    return body


def model_body(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 1_700_000_000, "owned_by": "system"}


def check(emulator: Emulator, body: dict[str, Any]) -> None:
    """Raises OpenAIRefusal for what the service would not take."""
    options = emulator.playback.script.options
    if not isinstance(body.get("model"), str):
        raise OpenAIRefusal(400, "you must provide a model parameter")
    _check_model(emulator, body["model"])
    if "max_tokens" in body and "max_completion_tokens" in body:
        raise OpenAIRefusal(
            400,
            "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
            code="invalid_parameter_combination",
        )
    for name in options.get("refuse", ()):
        # What a server does not know is no mistake of a client that asks again without it.
        if name in body:
            message = f"Unsupported parameter: '{name}' is not supported with this model."
            if name == "max_tokens":
                message += " Use 'max_completion_tokens' instead."
            raise OpenAIRefusal(
                400, message, param=name, code="unsupported_parameter", mistake=False
            )
    if "stream_options" in body and not body.get("stream"):
        message = "The 'stream_options' parameter is only allowed when 'stream' is enabled."
        raise OpenAIRefusal(400, message, param="stream_options")
    _check_tools(body.get("tools"))
    _check_messages(body.get("messages"))


def request_facts(body: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The event and facts of a request: `text`, or `results` when it ends with answers."""
    messages = body["messages"]
    said = [m for m in messages if m["role"] not in ("system", "developer")]
    system = [m for m in messages if m["role"] in ("system", "developer")]
    facts: dict[str, Any] = {
        "model": body["model"],
        "instructions": "\n\n".join(map(_text, system)),
        "tools": [tool["function"]["name"] for tool in body.get("tools") or []],
    }
    answers: list[dict[str, Any]] = []
    while said and said[-1]["role"] == "tool":
        answers.insert(0, said.pop())
    earlier = said if answers else said[:-1]
    facts["history"] = [text for m in earlier if m["role"] != "tool" and (text := _text(m))]
    if not answers:
        return "text", {"text": _text(said[-1]) if said else "", **facts}
    names = {c.get("id"): c["function"]["name"] for c in said[-1].get("tool_calls") or []}
    results = [
        {
            "id": answer["tool_call_id"],
            "name": names.get(answer["tool_call_id"]),
            "envelope": parse_result(_text(answer)),
        }
        for answer in answers
    ]
    return "results", {**result_facts(results), **facts}


def _check_key(emulator: Emulator, request: HttpRequest) -> None:
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    if emulator.key is None:
        return
    if scheme.lower() != "bearer" or not key:
        raise OpenAIRefusal(
            401,
            "You didn't provide an API key. You need to provide your API key in an Authorization "
            "header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
            mistake=False,
        )
    if key != emulator.key:
        shown = f"{key[:2]}{'*' * 8}{key[-2:]}"
        raise OpenAIRefusal(
            401,
            f"Incorrect API key provided: {shown}. You can find your API key at "
            "https://platform.openai.com/account/api-keys.",
            code="invalid_api_key",
            mistake=False,
        )


def _check_model(emulator: Emulator, model: str) -> None:
    """A script that lists `models` in its options has no others."""
    if not emulator.has_model(model):
        message = f"The model `{model}` does not exist or you do not have access to it."
        raise OpenAIRefusal(404, message, code="model_not_found", mistake=False)


def _check_tools(tools: Any) -> None:
    if tools is None:
        return
    if not isinstance(tools, list) or not tools:
        raise OpenAIRefusal(
            400,
            "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an "
            "empty array instead.",
            param="tools",
            code="empty_array",
        )
    for number, tool in enumerate(tools):
        function = tool.get("function") if isinstance(tool, dict) else None
        if not isinstance(function, dict) or tool.get("type") != "function":
            param = f"tools[{number}].function"
            raise OpenAIRefusal(
                400,
                f"Missing required parameter: '{param}'.",
                param=param,
                code="missing_required_parameter",
            )
        name = function.get("name")
        _check_name(name, f"tools[{number}].function.name")
        parameters = function.get("parameters", {"type": "object"})
        if not isinstance(parameters, dict) or parameters.get("type") != "object":
            raise OpenAIRefusal(
                400,
                f"Invalid schema for function '{name}': schema must be a JSON Schema of "
                "'type: \"object\"'.",
                param=f"tools[{number}].function.parameters",
                code="invalid_function_parameters",
            )


def _check_name(name: Any, param: str) -> None:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise OpenAIRefusal(
            400,
            f"Invalid '{param}': string does not match pattern. Expected a string that "
            "matches the pattern '^[a-zA-Z0-9_-]+$'.",
            param=param,
            code="invalid_value",
        )


def _check_messages(messages: Any) -> None:
    if not isinstance(messages, list) or not messages:
        raise OpenAIRefusal(
            400,
            "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an "
            "empty array instead.",
            param="messages",
            code="empty_array",
        )
    waiting: list[str] = []
    for number, message in enumerate(messages):
        role = message.get("role") if isinstance(message, dict) else None
        if role not in _ROLES:
            raise OpenAIRefusal(
                400,
                f"Invalid value: '{role}'. Supported values are: 'system', 'assistant', 'user', "
                "'function', 'tool', and 'developer'.",
                param=f"messages[{number}].role",
                code="invalid_value",
            )
        if role == "tool":
            id_ = message.get("tool_call_id")
            if id_ not in waiting:
                raise OpenAIRefusal(
                    400,
                    "Invalid parameter: messages with role 'tool' must be a response to a "
                    "preceeding message with 'tool_calls'.",
                    param=f"messages.[{number}].role",
                )
            waiting.remove(id_)
            continue
        _check_answered(waiting, number)
        waiting = _check_message(message, number)
    _check_answered(waiting, len(messages))


def _check_answered(waiting: list[str], number: int) -> None:
    if waiting:
        raise OpenAIRefusal(
            400,
            "An assistant message with 'tool_calls' must be followed by tool messages responding "
            "to each 'tool_call_id'. The following tool_call_ids did not have response messages: "
            f"{', '.join(waiting)}",
            param=f"messages.[{number}].role",
        )


def _check_message(message: dict[str, Any], number: int) -> list[str]:
    """Check a message that is no tool result; return the ids of the calls in it."""
    calls = message.get("tool_calls")
    if message.get("content") is None and not (message["role"] == "assistant" and calls):
        raise OpenAIRefusal(
            400,
            "Invalid value for 'content': expected a string, got null.",
            param=f"messages.[{number}].content",
        )
    if calls == []:
        param = f"messages[{number}].tool_calls"
        raise OpenAIRefusal(
            400,
            f"Invalid '{param}': empty array. Expected an array with minimum length 1, but got an "
            "empty array instead.",
            param=param,
            code="empty_array",
        )
    ids = []
    for place, call in enumerate(calls or []):
        where = f"messages[{number}].tool_calls[{place}]"
        function = call.get("function") or {}
        for found, param in (
            (call.get("id"), f"{where}.id"),
            (call.get("type"), f"{where}.type"),
            (function.get("name"), f"{where}.function.name"),
            (function.get("arguments"), f"{where}.function.arguments"),
        ):
            if not isinstance(found, str):
                raise OpenAIRefusal(
                    400,
                    f"Invalid type for '{param}': expected a string.",
                    param=param,
                    code="invalid_type",
                )
        _check_name(function["name"], f"{where}.function.name")
        ids.append(call["id"])
    return ids


def _text(message: dict[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "".join(p["text"] for p in parts if isinstance(p.get("text"), str))
