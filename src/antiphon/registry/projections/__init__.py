"""The canonical schema in each provider's own form, with a list of what that form cannot say.

A projection only ever widens: no valid call is made impossible by it. Validation at run time
always uses the canonical schema.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from antiphon.contracts import ToolDefinition
from antiphon.registry.projections.gemini import NativeCodec
from antiphon.registry.projections.names import NameCodec
from antiphon.registry.projections.nodes import Loss
from antiphon.registry.projections.roots import plain_root
from antiphon.registry.projections.strict import StrictCodec
from antiphon.registry.schemas import UnusableSchema, compile_schema, schema_problems

__all__ = [
    "PROVIDERS",
    "ArgumentCodec",
    "Projection",
    "StrictCodec",
    "UnusableSchema",
    "codec_of",
    "declarations",
    "project",
]

PROVIDERS = ("openai", "openaiStrict", "geminiNative", "geminiJson", "anthropic", "mcp")

# Chains of references recurse further than Python's default allows; the frames are on the heap.
RECURSION_LIMIT = 10_000


class ArgumentCodec(Protocol):
    """A codec: a schema in a provider's form, and the translation of arguments there and back."""

    schema: dict[str, Any]
    losses: list[Loss]

    def encode(self, args: Any) -> Any:
        """Translate canonical arguments into the provider's form."""

    def decode(self, args: Any) -> Any:
        """Translate arguments in the provider's form into canonical ones."""


# The forms in which a model writes arguments differently from how a tool takes them.
CODECS: dict[str, Callable[[Any], ArgumentCodec]] = {
    "openaiStrict": StrictCodec,
    "geminiNative": NativeCodec,
    "anthropic": NameCodec,
}


def codec_of(provider: str, schema: Any) -> ArgumentCodec | None:
    """Return the codec of a provider's form; None where arguments travel as they are."""
    make = CODECS.get(provider)
    return None if make is None else make(schema)


Renderer = Callable[[Any], tuple[dict[str, Any], list[Loss]]]


@dataclass(frozen=True, slots=True)
class Projection:
    """A schema in one provider's form, and what it cannot say."""

    schema: dict[str, Any]
    losses: list[dict[str, str]]


def project(provider: str, schema: object) -> Projection:
    """Project one parameter schema into the form of one provider.

    Raises UnusableSchema when `schema` is no valid JSON Schema 2020-12, or when no object can be an
    instance of it; KeyError for an unknown provider.
    """
    render = _RENDERERS[provider]
    require_object_schema(schema)
    return _projection(render, schema)


def _projection(render: Renderer, schema: Any) -> Projection:
    try:
        body, losses = render(schema)
    except RecursionError:
        body, losses = _render_deep(render, schema)
    return Projection(body, [loss.to_dict() for loss in losses])


def _render_deep(render: Renderer, schema: Any) -> tuple[dict[str, Any], list[Loss]]:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
    try:
        return render(schema)
    except RecursionError:
        raise UnusableSchema("the schema is nested too deeply to be written out") from None
    finally:
        sys.setrecursionlimit(limit)


def require_object_schema(schema: object) -> None:
    """Raise UnusableSchema unless `schema` can describe the arguments of a tool."""
    problems = schema_problems(schema)
    if problems:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        where, message = problems[0]
        raise UnusableSchema(f"{where or '/'}: {message}{more}")
    compile_schema(schema)
    if schema is False:
        raise UnusableSchema("/: false allows no call at all")
    if isinstance(schema, dict):
        kind = schema.get("type", "object")
        if kind != "object" and not (isinstance(kind, list) and "object" in kind):
            raise UnusableSchema(f"/type: arguments are an object, not {kind!r}")


def _verbatim(schema: Any) -> tuple[dict[str, Any], list[Loss]]:
    """Return JSON Schema as it is; the top level says that it is an object."""
    if not isinstance(schema, dict):
        return {"type": "object"}, []
    return (schema if schema.get("type") == "object" else {**schema, "type": "object"}), []


def _coded(make: Callable[[Any], ArgumentCodec]) -> Renderer:
    def render(schema: Any) -> tuple[dict[str, Any], list[Loss]]:
        codec = make(schema)
        return codec.schema, codec.losses

    return render


_RENDERERS: dict[str, Renderer] = {
    "openai": plain_root,
    "geminiJson": _verbatim,
    "mcp": _verbatim,
    **{provider: _coded(make) for provider, make in CODECS.items()},
}


def declarations(
    definition: ToolDefinition,
) -> tuple[dict[str, dict[str, Any]], dict[str, list[dict[str, str]]]]:
    """Return a tool as each provider wants it declared, and the losses by provider (those that have
    any).

    The definition has passed the lint rules, so its parameters are a valid object schema.
    """
    schemas: dict[str, dict[str, Any]] = {}
    losses: dict[str, list[dict[str, str]]] = {}
    for provider in PROVIDERS:
        projection = _projection(_RENDERERS[provider], definition.parameters)
        schemas[provider] = _DECLARE[provider](definition, projection.schema)
        if projection.losses:
            losses[provider] = projection.losses
    return schemas, losses


def _openai(tool: ToolDefinition, parameters: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {
            "name": tool.tool_id,
            "description": tool.description,
            "parameters": parameters,
        },
    }


def _openai_strict(tool: ToolDefinition, parameters: dict[str, Any]) -> dict[str, Any]:
    declaration = _openai(tool, parameters)
    declaration["function"]["strict"] = True
    return declaration


def responses_form(declaration: dict[str, Any]) -> dict[str, Any]:
    """Return an OpenAI chat declaration as the Responses and Realtime APIs want it: one level
    flatter."""
    return {"type": "function", **declaration["function"]}


def _gemini(tool: ToolDefinition, parameters: dict[str, Any]) -> dict[str, Any]:
    return {"name": tool.tool_id, "description": tool.description, "parameters": parameters}


def _gemini_json(tool: ToolDefinition, parameters: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": tool.tool_id,
        "description": tool.description,
        "parametersJsonSchema": parameters,
    }


def _anthropic(tool: ToolDefinition, parameters: dict[str, Any]) -> dict[str, Any]:
    return {"name": tool.tool_id, "description": tool.description, "input_schema": parameters}


def _mcp(tool: ToolDefinition, parameters: dict[str, Any]) -> dict[str, Any]:
    declaration: dict[str, Any] = {
        "name": tool.tool_id,
        "description": tool.description,
        "inputSchema": parameters,
        "annotations": {
            "readOnlyHint": not tool.writes,
            "destructiveHint": tool.writes and not tool.idempotent,
            "idempotentHint": tool.idempotent,
            "openWorldHint": tool.outside or tool.origin == "untrusted",
        },
    }
    if tool.output is not None:
        declaration["outputSchema"] = tool.output
    return declaration


_DECLARE: dict[str, Callable[[ToolDefinition, dict[str, Any]], dict[str, Any]]] = {
    "openai": _openai,
    "openaiStrict": _openai_strict,
    "geminiNative": _gemini,
    "geminiJson": _gemini_json,
    "anthropic": _anthropic,
    "mcp": _mcp,
}
