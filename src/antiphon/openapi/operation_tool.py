"""Operation tools: operations of an API as governed tools."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any

import orjson

from antiphon.contracts import ToolResult, ok
from antiphon.extras import MissingExtra, missing_extra
from antiphon.openapi.document import OpenApiDocument, OpenApiError, OpenApiSpec
from antiphon.openapi.operations import ApiOperation, read_operations
from antiphon.openapi.requests import make_request
from antiphon.openapi.responses import result_of
from antiphon.openapi.transport import (
    MAX_BYTES,
    TIMEOUT,
    ApiAuth,
    ApiTransport,
    AsgiApp,
    AsgiTransport,
    HttpTransport,
    credentials_of,
    exchange,
)
from antiphon.registry.findings import FindingList, LintFinding, finding_lines, has_errors, nearest
from antiphon.registry.functions.contract import write_guide, write_schema
from antiphon.registry.functions.docstring import Docstring
from antiphon.registry.functions.function_tool import FunctionTool
from antiphon.registry.functions.options import ToolOptions
from antiphon.registry.functions.source import FunctionSource
from antiphon.registry.handlers import Handler
from antiphon.registry.lint_fields import first_sentence
from antiphon.registry.registry import RegistryError
from antiphon.registry.sources import GUIDE, HANDLER, SCHEMA

LATENCY_MS = 3000
_MOST_SUMMARY = 200

Select = Sequence[str] | Callable[[ApiOperation], bool]


class OperationTool(FunctionTool[..., Any]):
    """One operation of an API as a tool. Called, it sends the request: no gate is passed."""

    def __init__(
        self,
        operation: ApiOperation,
        label: str,
        options: ToolOptions,
        transport: ApiTransport,
        auth: ApiAuth | None,
    ) -> None:
        async def send(**args: Any) -> dict[str, Any]:
            return await self._send(args, None, None)

        send.__name__ = operation.tool_id
        send.__doc__ = operation.summary or operation.title
        super().__init__(send, options, {})
        self.operation = operation
        self._label = label
        self._transport = transport
        self._auth = auth

    @cached_property
    def source(self) -> FunctionSource:
        """The tool as the builder takes it, with what is wrong with it."""
        operation = self.operation
        source = FunctionSource(self.name, f"{self._label}#{operation.pointer}")
        source.present.update((SCHEMA, GUIDE, HANDLER))
        source.kind = "async"
        source.reference = f"openapi:{self._label}#{operation.pointer}"
        source.findings += operation.findings
        docstring = _docstring(operation)
        schema = write_schema(
            self.options,
            self.name,
            docstring,
            operation.input_schema,
            operation.output_schema,
            FindingList(source.label, source.findings),
        )
        source.files[SCHEMA] = orjson.dumps(schema, option=orjson.OPT_INDENT_2)
        source.files[GUIDE] = write_guide(schema, docstring).encode()
        source.files[HANDLER] = f'"""{operation.title} of {self._label}."""\n'.encode()
        source.handler = Handler("async", self._execute, prepare=self._prepare)
        return source

    def _prepare(self, args: dict[str, Any], _context: Any) -> dict[str, Any]:
        make_request(self.operation, args)  # refused before anybody is asked
        return args

    async def _execute(self, args: dict[str, Any], context: Any) -> ToolResult:
        return ok(await self._send(args, context, context.idempotency_key))

    async def _send(self, args: Mapping[str, Any], context: Any, key: str | None) -> dict[str, Any]:
        request = make_request(self.operation, args)
        credentials = await credentials_of(self._auth, context)
        response = await exchange(self._transport, self.operation, request, credentials, key)
        return result_of(self.operation, response, credentials.secrets)


def tools_from_openapi(
    spec: OpenApiSpec,
    *,
    base_url: str | None = None,
    auth: ApiAuth | None = None,
    include: Select | None = None,
    exclude: Select = (),
    prefix: str = "",
    overrides: Mapping[str, Mapping[str, Any]] | None = None,
    timeout: float = TIMEOUT,
    max_bytes: int = MAX_BYTES,
    ca_file: str | os.PathLike[str] | None = None,
) -> list[OperationTool]:
    """The operations of an API as tools: GET and HEAD read, all others write and ask first.

    `spec` is an OpenAPI document (3.0 or 3.1): a mapping, a path, or an address. `base_url` is
    where requests go; without it the first of the document's `servers`. `auth` is a bearer token,
    a pair of user and password, headers, or a function of the call's context that gives one of
    these. `include` and `exclude` choose operations by patterns of the tool's name, the
    operationId, `GET /pets/*` or `tag:pets`, or by a function. `prefix` stands before every name.
    `overrides` change what `@tool(…)` takes, by the name of the tool.

    Raises OpenApiError for a document or address that cannot be used, RegistryError with every
    finding of the chosen operations, each with its JSON pointer, and MissingExtra.
    """
    document = OpenApiDocument.load(spec)
    url = base_url or document.server_url
    if url is None:
        raise OpenApiError(
            f"{document.label} names no server with a whole address. Say where the API is: "
            'base_url="https://…".'
        )
    transport = HttpTransport(
        url,
        timeout=timeout,
        max_bytes=max_bytes,
        ca_file=None if ca_file is None else Path(ca_file),
    )
    return _tools(document, transport, auth, include, exclude, prefix, overrides or {})


def tools_from_asgi(
    app: AsgiApp,
    *,
    spec: OpenApiSpec | None = None,
    auth: ApiAuth | None = None,
    include: Select | None = None,
    exclude: Select = (),
    prefix: str = "",
    overrides: Mapping[str, Mapping[str, Any]] | None = None,
    max_bytes: int = MAX_BYTES,
) -> list[OperationTool]:
    """The operations of an ASGI application as tools, which call it in this process.

    `spec` is its OpenAPI document; without it `app.openapi()`, which FastAPI has. The rest, and
    what it raises, is as for `tools_from_openapi`.
    """
    if spec is None:
        describe = getattr(app, "openapi", None)
        if not callable(describe):
            raise OpenApiError(
                f"{type(app).__name__} has no `openapi()` that describes it. Give its document as "
                "`spec`."
            )
        spec = describe()
    document = OpenApiDocument.load(spec)
    transport = AsgiTransport(app, max_bytes=max_bytes)
    return _tools(document, transport, auth, include, exclude, prefix, overrides or {})


def _tools(
    document: OpenApiDocument,
    transport: ApiTransport,
    auth: ApiAuth | None,
    include: Select | None,
    exclude: Select,
    prefix: str,
    overrides: Mapping[str, Mapping[str, Any]],
) -> list[OperationTool]:
    _require_client()
    findings: list[LintFinding] = []
    operations = list(read_operations(document, findings, prefix))
    found = FindingList(document.label, findings)
    chosen = [
        operation
        for operation in operations
        if (include is None or _matches(operation, include)) and not _matches(operation, exclude)
    ]
    _patterns_match(operations, "include", include, found)
    _patterns_match(operations, "exclude", exclude, found)
    names = [operation.tool_id for operation in chosen]
    for name in overrides:
        if name not in names:
            close = nearest(name, names)
            fix = f"Did you mean `{close}`?" if close else "Use the name of a chosen tool."
            found.error("override", "", f"`overrides` has `{name}`, which is no tool", fix)
    for operation in chosen:
        findings += [each for each in operation.findings if each.severity == "error"]
    findings = list(dict.fromkeys(findings))  # a definition may be looked at more than once
    if has_errors(findings):
        raise RegistryError(f"the API cannot be used as tools:\n{finding_lines(findings)}")
    return [
        OperationTool(
            operation,
            document.label,
            _options(operation, overrides.get(operation.tool_id, {})),
            transport,
            auth,
        )
        for operation in chosen
    ]


def _require_client() -> None:
    """Raise MissingExtra now rather than at the first call."""
    try:
        import httpx2  # noqa: F401 - a later import finds it
    except ModuleNotFoundError as error:
        raise MissingExtra(missing_extra(error)) from error


def _matches(operation: ApiOperation, select: Select) -> bool:
    if callable(select):
        return bool(select(operation))
    texts = [operation.tool_id, operation.title, *(f"tag:{tag}" for tag in operation.tags)]
    if operation.operation_id is not None:
        texts.append(operation.operation_id)
    return any(fnmatchcase(text, pattern) for pattern in select for text in texts)


def _patterns_match(
    operations: Iterable[ApiOperation], name: str, select: Select | None, found: FindingList
) -> None:
    """A pattern that fits nothing is a slip, and would leave a tool out or in unseen."""
    if select is None or callable(select):
        return
    for pattern in select:
        if not any(_matches(operation, [pattern]) for operation in operations):
            message = f"`{name}` has {pattern!r}, which no operation matches"
            fix = "Write a tool's name, an operationId, `GET /path` or `tag:name`; `*` for any."
            found.error("pattern", "", message, fix)


def _options(operation: ApiOperation, overrides: Mapping[str, Any]) -> ToolOptions:
    usual: dict[str, Any] = {
        "name": operation.tool_id,
        "side_effects": "read_only" if operation.reads else "writes",
        "origin": "untrusted",
        "outside": True,
        "confirm": not operation.reads,
        "idempotent": operation.method not in ("post", "patch"),
        "latency_ms": LATENCY_MS,
        "redact": tuple(operation.secret),
    }
    return ToolOptions(**{**usual, **overrides})


def _docstring(operation: ApiOperation) -> Docstring:
    description = " ".join(operation.description.split())
    summary = operation.summary or first_sentence(description) or f"{operation.title}."
    if len(summary) > _MOST_SUMMARY:
        summary = f"{summary[: _MOST_SUMMARY - 1]}…"
    body = operation.description if operation.description != summary else ""
    return Docstring(summary, body)
