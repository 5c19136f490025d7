"""Requests of operations: arguments put into path, query, headers and body."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

import orjson

from antiphon.contracts import ErrorType, ToolError
from antiphon.openapi.operations import ApiOperation, OperationParameter

_SEPARATORS = {"spaceDelimited": " ", "pipeDelimited": "|"}


@dataclass(slots=True)
class ApiRequest:
    """A request as it is sent, below the address of the API."""

    method: str
    path: str
    query: list[tuple[str, str]] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    content: bytes | None = None

    @property
    def target(self) -> str:
        """Path and query."""
        return f"{self.path}?{urlencode(self.query)}" if self.query else self.path


def make_request(operation: ApiOperation, args: Mapping[str, Any]) -> ApiRequest:
    """The request of a call. Raises ToolError (VALIDATION) for a value that cannot be sent."""
    request = ApiRequest(operation.method.upper(), operation.path)
    cookies: list[str] = []
    for parameter in operation.parameters:
        if parameter.name not in args:
            continue
        value = args[parameter.name]
        if parameter.location == "query":
            request.query += _query(parameter, value)
            continue
        text = _as_json(value) if parameter.as_json else _simple(parameter, value)
        if parameter.location == "path":
            request.path = request.path.replace(
                f"{{{parameter.sent_as}}}", _segment(parameter, text)
            )
        elif parameter.location == "header":
            request.headers[parameter.sent_as] = _header(parameter, text)
        else:
            cookies.append(f"{parameter.sent_as}={quote(text, safe='')}")
    if cookies:
        request.headers["cookie"] = "; ".join(cookies)
    _add_body(request, operation, args)
    return request


def _add_body(request: ApiRequest, operation: ApiOperation, args: Mapping[str, Any]) -> None:
    body = operation.body
    if body is None:
        return
    if body.whole is not None:
        if body.whole not in args:
            return
        value = args[body.whole]
    else:
        value = {sent: args[name] for sent, name in body.members.items() if name in args}
        if not value and not body.required:
            return
    if body.kind == "text":
        request.content = str(value).encode()
    elif body.kind == "form":
        pairs = [(name, each) for name, given in value.items() for each in _listed(given)]
        request.content = urlencode([(name, _text(each)) for name, each in pairs]).encode()
    else:
        request.content = orjson.dumps(value)
    request.headers["content-type"] = body.media_type


def _query(parameter: OperationParameter, value: Any) -> list[tuple[str, str]]:
    name = parameter.sent_as
    if parameter.as_json:
        return [(name, _as_json(value))]
    if isinstance(value, Mapping):
        if parameter.style == "deepObject":
            return [(f"{name}[{key}]", _text(each)) for key, each in value.items()]
        if parameter.explode:
            return [(key, _text(each)) for key, each in value.items()]
        return [(name, ",".join(f"{key},{_text(each)}" for key, each in value.items()))]
    if isinstance(value, list):
        if parameter.explode:
            return [(name, _text(each)) for each in value]
        return [(name, _SEPARATORS.get(parameter.style, ",").join(map(_text, value)))]
    return [(name, _text(value))]


def _simple(parameter: OperationParameter, value: Any) -> str:
    if isinstance(value, Mapping):
        joint = "=" if parameter.explode else ","
        return ",".join(f"{key}{joint}{_text(each)}" for key, each in value.items())
    return ",".join(map(_text, value)) if isinstance(value, list) else _text(value)


def _segment(parameter: OperationParameter, text: str) -> str:
    """A value as part of a path: it can neither be empty nor lead out of its place."""
    # Some servers take an escaped slash for a slash.
    if not text or {".", ".."}.intersection(text.replace("\\", "/").split("/")):
        raise _invalid(parameter.name, f"{text!r} cannot be part of an address")
    return quote(text, safe=",")


def _header(parameter: OperationParameter, text: str) -> str:
    if not text.isprintable() or not text.isascii():
        raise _invalid(parameter.name, "a header takes printable ASCII only")
    return text


def _invalid(name: str, message: str) -> ToolError:
    return ToolError(
        ErrorType.VALIDATION,
        f"Invalid parameters: /{name}: {message}.",
        errors=[{"pointer": f"/{name}", "message": message}],
    )


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return _as_json(value) if isinstance(value, dict | list) else str(value)


def _as_json(value: Any) -> str:
    return orjson.dumps(value).decode()
