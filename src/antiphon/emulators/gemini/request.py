"""Requests of Gemini's generateContent: which there are, and what the service refuses in them."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass, field
from typing import Any

import orjson

from antiphon.emulators.base import Emulator
from antiphon.emulators.gemini.schemas import check_tools, names_of, searches
from antiphon.emulators.requests import RequestRefusal, result_facts
from antiphon.emulators.wire import HttpRequest

MODELS = ("gemini-2.5-flash", "gemini-2.5-pro", "gemini-3.8-flash")

_PATH = re.compile(r"/+(v1|v1beta|v1alpha)/(models|tunedModels)(?:/([^/:]+)(?::(\w+))?)?/?")
_STATUS = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    409: "ABORTED",
    429: "RESOURCE_EXHAUSTED",
    499: "CANCELLED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}

_PARTS = (
    *("text", "inlineData", "fileData", "functionCall", "functionResponse", "toolCall"),
    *("toolResponse", "executableCode", "codeExecutionResult", "thoughtSignature"),
)


@dataclass(slots=True)
class GeminiServiceState:
    """State of the service over the requests of all clients."""

    signatures: dict[str, str] = field(default_factory=dict)  # of thoughts, given out with calls
    answers: int = 0


class GeminiRefusal(RequestRefusal):
    """A refusal as Google's services write it, with `details` of the error."""

    def __init__(
        self, status: int, message: str, *details: dict[str, Any], mistake: bool = True
    ) -> None:
        super().__init__(message, status, error_body(status, message, *details), mistake=mistake)


def error_body(code: int, message: str, *details: dict[str, Any]) -> dict[str, Any]:
    """An error as Google's services write it."""
    error: dict[str, Any] = {"code": code, "message": message, "status": _status(code)}
    if details:
        error["details"] = list(details)
    return {"error": error}


# -- which request it is


def route(emulator: Emulator, request: HttpRequest) -> tuple[str, str]:
    """The operation (`list`, `get` or a method) and the model of a request."""
    found = _PATH.fullmatch(request.path)
    if found is None:
        raise GeminiRefusal(404, f"emulator: Gemini has nothing at {request.path}")
    version, _, model, method = found.groups()
    _check_key(emulator, request)
    if model is None or method is None:
        if request.method != "GET":
            raise GeminiRefusal(404, f"emulator: {request.method} {request.path} is not known")
        if model is not None:
            _check_model(emulator, model, version, "GetModel")
        return ("list", "") if model is None else ("get", model)
    if method not in ("generateContent", "streamGenerateContent") or request.method != "POST":
        raise GeminiRefusal(404, f"emulator: {request.method} {request.path} is not known")
    _check_model(emulator, model, version, "generateContent")
    if method == "streamGenerateContent" and request.query.get("alt") != "sse":
        raise GeminiRefusal(400, "emulator: only ?alt=sse is spoken here")
    return method, model


def _check_key(emulator: Emulator, request: HttpRequest) -> None:
    key = request.headers.get("x-goog-api-key") or request.query.get("key")
    if not key:
        raise GeminiRefusal(
            403,
            "Method doesn't allow unregistered callers (callers without established identity). "
            "Please use API Key or other form of API consumer identity to call this API.",
            mistake=False,
        )
    if emulator.key is not None and key != emulator.key:
        reason = {
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            "reason": "API_KEY_INVALID",
            "domain": "googleapis.com",
            "metadata": {"service": "generativelanguage.googleapis.com"},
        }
        message = "API key not valid. Please pass a valid API key."
        raise GeminiRefusal(400, message, reason, mistake=False)


def _check_model(emulator: Emulator, model: str, version: str, method: str) -> None:
    """A script that lists `models` in its options has no others."""
    if not emulator.has_model(model):
        raise GeminiRefusal(
            404,
            f"models/{model} is not found for API version {version}, or is not supported for "
            f"{method}. Call ListModels to see the list of available models and their supported "
            "methods.",
            mistake=False,
        )


def model_body(name: str) -> dict[str, Any]:
    return {
        "name": f"models/{name}",
        "version": "001",
        "displayName": name,
        "inputTokenLimit": 1_048_576,
        "outputTokenLimit": 65_536,
        "supportedGenerationMethods": ["generateContent", "countTokens"],
    }


def read(request: HttpRequest) -> dict[str, Any]:
    """The body of a request as a JSON object. Raises GeminiRefusal."""
    try:
        body = request.json()
    except ValueError as error:
        raise GeminiRefusal(400, f"Invalid JSON payload received. {error}") from None
    if not isinstance(body, dict):
        raise GeminiRefusal(400, "Invalid JSON payload received. Root element must be a message.")
    return body


# -- whether the service would take it


def check(emulator: Emulator, body: dict[str, Any]) -> None:
    """Raises GeminiRefusal for a body that the service would not take."""
    problem = check_tools(body.get("tools") or [])
    if problem is not None:
        raise GeminiRefusal(400, problem)
    tools = body.get("tools") or []
    config = _either(body, "toolConfig", "tool_config") or {}
    if names_of(tools) and searches(tools):
        flag = "includeServerSideToolInvocations", "include_server_side_tool_invocations"
        if not _either(config, *flag):
            raise GeminiRefusal(
                400,
                "Please enable tool_config.include_server_side_tool_invocations to use Built-in "
                "tools with Function calling.",
            )
    contents = body.get("contents")
    if not isinstance(contents, list) or not contents:
        raise GeminiRefusal(400, "* GenerateContentRequest.contents: contents is not specified\n")
    for number, content in enumerate(contents):
        _check_content(content, number)
    _check_answers(contents)
    _check_signatures(emulator, contents)
    if contents[-1].get("role") == "model":
        raise GeminiRefusal(400, "Please ensure that multiturn requests end with a user role.")


def _check_content(content: Any, number: int) -> None:
    where = f"GenerateContentRequest.contents[{number}]"
    if not isinstance(content, dict):
        raise GeminiRefusal(400, f"Invalid value at 'contents[{number}]'")
    if content.get("role", "user") not in ("user", "model", "function"):
        raise GeminiRefusal(400, "Please use a valid role: user, model.")
    parts = content.get("parts")
    if not isinstance(parts, list) or not parts:
        raise GeminiRefusal(400, f"* {where}.parts: contents.parts must not be empty.\n")
    for place, part in enumerate(parts):
        if not isinstance(part, dict) or all(part.get(name) is None for name in _PARTS):
            message = f"* {where}.parts[{place}].data: required oneof field 'data' must have one "
            raise GeminiRefusal(400, f"{message}initialized field\n")


def _check_answers(contents: list[dict[str, Any]]) -> None:
    """Every call is answered in the next turn, by its name and, if it has one, its id."""
    for number, content in enumerate(contents):
        calls = [(c.get("name"), c.get("id")) for c in _parts(content, "functionCall")]
        answers = []
        following = contents[number + 1] if number + 1 < len(contents) else None
        if following is not None:
            answers = [(a.get("name"), a.get("id")) for a in _parts(following, "functionResponse")]
        before = contents[number - 1] if number else {}
        if _parts(content, "functionResponse") and not _parts(before, "functionCall"):
            raise GeminiRefusal(
                400,
                "Please ensure that function response turn comes immediately after a function "
                "call turn.",
            )
        if not calls:
            continue
        if number == 0 or before.get("role", "user") == "model":
            raise GeminiRefusal(
                400,
                "Please ensure that function call turn comes immediately after a user turn or "
                "after a function response turn.",
            )
        if len(calls) != len(answers):
            raise GeminiRefusal(
                400,
                "Please ensure that the number of function response parts is equal to the number "
                "of function call parts of the function call turn.",
            )
        for (name, id_), (answered, answered_id) in zip(
            sorted(calls, key=str), sorted(answers, key=str), strict=True
        ):
            if name != answered or (answered_id is not None and answered_id != id_):
                raise GeminiRefusal(
                    400,
                    f"emulator: the call of {name} (id {id_}) is answered as {answered} "
                    f"(id {answered_id})",
                )
    for content in contents:
        for answer in _parts(content, "functionResponse"):
            if not isinstance(answer.get("response"), dict):
                raise GeminiRefusal(400, "Invalid value at 'function_response.response' (Struct)")


def _check_signatures(emulator: Emulator, contents: list[dict[str, Any]]) -> None:
    """Since the person last wrote, calls come back with the signature they were given."""
    given = emulator.state(GeminiServiceState).signatures
    start = max(
        (n for n, c in enumerate(contents) if c.get("role", "user") == "user" and _text(c)),
        default=0,
    )
    for number, content in enumerate(contents[start:], start):
        for part in content["parts"]:
            call = part.get("functionCall")
            if not isinstance(call, dict) or (wanted := given.get(call_key(call))) is None:
                continue
            found = part.get("thoughtSignature")
            if not found:
                raise GeminiRefusal(
                    400,
                    "Function call is missing a thought_signature in functionCall parts. This is "
                    "required for tools to work correctly, and missing thought_signature may lead "
                    "to degraded model performance. Additional data, function call "
                    f"`default_api:{call.get('name')}` , position {number + 1}. Please refer to "
                    "https://ai.google.dev/gemini-api/docs/thought-signatures for more details.",
                )
            if _decoded(found) != _decoded(wanted):
                raise GeminiRefusal(400, "Corrupted thought signature.")


def call_key(call: dict[str, Any]) -> str:
    """What identifies a call that the service has signed."""
    args = orjson.dumps(call.get("args") or {}, option=orjson.OPT_SORT_KEYS).decode()
    return f"{call.get('id')} {call.get('name')} {args}"


def _decoded(text: Any) -> bytes | None:
    """Base64 in either alphabet, as clients use both; None when it is neither."""
    try:
        plain = str(text).replace("-", "+").replace("_", "/").rstrip("=")
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except binascii.Error:
        return None


# -- what the client said


def request_facts(model: str, body: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The event and facts of a request: `text`, or `results` when it ends with answers."""
    contents = body["contents"]
    instructions = _either(body, "systemInstruction", "system_instruction") or {}
    facts: dict[str, Any] = {
        "model": model,
        "instructions": _text(instructions),
        "tools": names_of(body.get("tools") or []),
        "search": searches(body.get("tools") or []),
        "history": [text for text in map(_text, contents[:-1]) if text],
    }
    answers = _parts(contents[-1], "functionResponse")
    if not answers:
        return "text", {"text": _text(contents[-1]), **facts}
    results = [
        {"id": a.get("id"), "name": a.get("name"), "envelope": a["response"]} for a in answers
    ]
    return "results", {**result_facts(results), **facts}


def _parts(content: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    found = (part.get(kind) for part in content.get("parts") or [] if isinstance(part, dict))
    return [data for data in found if isinstance(data, dict)]


def _text(content: dict[str, Any]) -> str:
    parts = [p for p in content.get("parts") or [] if isinstance(p, dict) and not p.get("thought")]
    return "".join(p["text"] for p in parts if isinstance(p.get("text"), str))


def _either(body: dict[str, Any], camel: str, snake: str) -> Any:
    return body.get(camel, body.get(snake))


def _status(code: int) -> str:
    return _STATUS.get(code, "INVALID_ARGUMENT" if code < 500 else "UNKNOWN")
