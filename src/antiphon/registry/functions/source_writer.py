"""Python source of a function tool, written from the contract of a tool directory."""

from __future__ import annotations

import builtins
import json
import keyword
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import orjson
from pydantic import Field, WithJsonSchema

from antiphon.contracts.definition import HandlerKind
from antiphon.registry.functions.arguments import Arguments, object_schema
from antiphon.registry.functions.options import LATENCY_MS, UNSET
from antiphon.registry.functions.signature import EMPTY, FunctionParameter

# Fields of schema.json by the arguments of `@tool`; the rest has a form of its own.
_ARGUMENTS = {
    "version": "version",
    "description": "description",
    "category": "category",
    "sideEffects": "side_effects",
    "origin": "origin",
    "sensitivity": "sensitivity",
    "outside": "outside",
    "idempotent": "idempotent",
    "requiresConfirmation": "confirm",
    "latencyBudgetMs": "latency_ms",
    "timeoutMs": "timeout_ms",
    "risk": "risk",
    "approvals": "approvals",
    "execution": "execution",
    "interruption": "interruption",
    "isolation": "isolation",
    "network": "network",
    "availability": "availability",
    "output": "output",
    "redact": "redact",
    "catalogue": "catalogue",
}
_TYPES = {"string": "str", "integer": "int", "boolean": "bool"}
_LIMITS = {
    "description": "description",
    "minLength": "min_length",
    "maxLength": "max_length",
    "minimum": "ge",
    "maximum": "le",
    "exclusiveMinimum": "gt",
    "exclusiveMaximum": "lt",
    "multipleOf": "multiple_of",
    "pattern": "pattern",
}
_WIDTH = 96
_TAKEN = frozenset({"args", "context", "handler", "tool", "given", "Any", "Annotated", "Path"})
_NAMES = {
    "Annotated": Annotated,
    "Any": Any,
    "Field": Field,
    "Literal": Literal,
    "WithJsonSchema": WithJsonSchema,
}
_STEPS = "async for value in {call}:\n        yield value"
_BODIES: dict[HandlerKind, tuple[str, str, str]] = {
    "async": ("async def", "Any", "return await {call}"),
    "sync": ("def", "Any", "return {call}"),
    "generator": (
        "async def",
        "AsyncIterator[Any]",
        "async for step in {call}:\n        yield step",
    ),
}


class _WrittenParameter:
    """One parameter as it is written: its name in Python, its annotation and its default."""

    def __init__(self, name: str, python: str, schema: Any, *, required: bool) -> None:
        self.name = name
        self.python = python
        self.default = EMPTY if required else UNSET
        if isinstance(schema, dict) and "default" in schema and not required:
            self.default = schema["default"]
        self._schema = schema
        self._alias = {} if python == name else {"alias": name}
        self.annotation = "Any"
        if self._alias:
            self.annotation = _annotated("Any", f"Field({_keywords(self._alias)})")

    def annotate(self) -> None:
        """Write an annotation that gives back the schema: as a person would, or exactly."""
        natural = _natural(self._schema, self._alias)
        if natural is not None:
            self.annotation = natural
            made = Arguments([self.compiled()]).schema.get("properties", {})
            if canonical(made.get(self.name)) == canonical(self._schema):
                return
        has_default = self.default is not EMPTY and self.default is not UNSET
        self.annotation = _exact(self._schema, self._alias, has_default=has_default)

    def compiled(self) -> FunctionParameter:
        """Return the parameter as it will be read."""
        hint = eval(self.annotation, dict(_NAMES))  # noqa: S307 - written just above
        return FunctionParameter(self.python, hint, self.default)

    def __str__(self) -> str:
        text = f"{self.python}: {self.annotation}"
        if self.default is UNSET:
            return f"{text} = UNSET"
        return text if self.default is EMPTY else f"{text} = {_literal(self.default)}"


def write_source(schema: Mapping[str, Any], kind: HandlerKind, further: Mapping[str, str]) -> str:
    """Return a module whose function has the contract `schema`, and runs the `handler` beside it.

    `further` has the calls of what the handler offers besides `execute`, by name. The guide is in
    `guide.md`.
    """
    parameters = _written(schema["parameters"])
    explicit = not _signed(parameters, schema["parameters"])
    if explicit:  # what no signature can say
        parameters = _written(schema["parameters"])
    text = "\n\n\n".join(
        [
            _function(schema, kind, parameters, explicit=explicit),
            *(_further(*each, schema["toolId"], parameters) for each in sorted(further.items())),
        ]
    )
    return f'"""{_docstring(schema["description"])}"""\n\n{_imports(text)}\n\n\n{text}\n'


def canonical(value: Any) -> bytes:
    """Return a JSON value as bytes that are equal exactly when contracts are."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def _written(schema: Mapping[str, Any]) -> list[_WrittenParameter]:
    required = schema.get("required", ())
    names: dict[str, str] = {}
    for name in schema.get("properties", {}):
        python = _python_name(name)
        while python in names.values():
            python += "_"
        names[name] = python
    return [
        _WrittenParameter(name, names[name], body, required=name in required)
        for name, body in schema.get("properties", {}).items()
    ]


def _signed(parameters: list[_WrittenParameter], schema: Mapping[str, Any]) -> bool:
    """Annotate the parameters; return whether their signature says all that the schema does."""
    try:
        for parameter in parameters:
            parameter.annotate()
        made = Arguments([each.compiled() for each in parameters]).schema
    except Exception:  # noqa: BLE001 - Pydantic does not know every schema
        return False
    return canonical(object_schema(made)) == canonical(schema)


def _function(
    schema: Mapping[str, Any],
    kind: HandlerKind,
    parameters: list[_WrittenParameter],
    *,
    explicit: bool,
) -> str:
    options = {argument: schema[name] for name, argument in _ARGUMENTS.items() if name in schema}
    if options["latency_ms"] == LATENCY_MS:
        del options["latency_ms"]
    lines = [f"    name={_literal(schema['toolId'])},"]
    lines += [f"    {name}={_literal(value)}," for name, value in options.items()]
    lines.append(f"    modes={_literal(tuple(schema['allowedModes']))},")
    if rate := schema.get("rateLimit"):
        lines.append(f"    rate=RateLimit({rate['calls']!r}, {rate['windowMs']!r}),")
    if explicit:
        lines.append(f"    parameters={_literal(schema['parameters'])},")
    lines.append('    guide=Path(__file__).with_name("guide.md"),')
    how, returns, body = _BODIES[kind]
    signature = "".join(f"    {each},\n" for each in parameters)
    star = "    *,\n" if parameters else ""
    call = "handler.execute(args, context)"
    return (
        "@tool(\n" + "\n".join(lines) + "\n)\n"
        f"{how} {_function_name(schema['toolId'])}(\n    context: Context,\n{star}{signature}) "
        f"-> {returns}:\n{_given(parameters)}\n    {body.format(call=call)}"
    )


def _further(name: str, call: str, tool_id: str, parameters: list[_WrittenParameter]) -> str:
    first = "key: str, " if name == "reconcile" else ""
    taken = "".join(f", {each.python}: Any" for each in parameters)
    function = _function_name(tool_id)
    return (
        f"@{function}.{name}\ndef {name}_{function}({first}context: Context{taken}) -> Any:\n"
        + (f"{_given(parameters)}\n" if "args" in call else "")
        + f"    return {call}"
    )


def _given(parameters: list[_WrittenParameter]) -> str:
    """Return the statement that collects the arguments of a call."""
    items = [f"{_literal(each.name)}: {each.python}" for each in parameters]
    line = f"    args = given({{{', '.join(items)}}})"
    if len(line) <= _WIDTH:
        return line
    lines = "".join(f"            {each},\n" for each in items)
    return f"    args = given(\n        {{\n{lines}        }}\n    )"


def _imports(text: str) -> str:
    lines = ["from __future__ import annotations", ""]
    if "AsyncIterator[" in text:
        lines.append("from collections.abc import AsyncIterator")
    lines.append("from pathlib import Path")
    used = [name for name in ("Annotated", "Any", "Literal") if re.search(rf"\b{name}\b", text)]
    lines.append(f"from typing import {', '.join(used)}")
    of_pydantic = [name for name in ("Field", "WithJsonSchema") if f"{name}(" in text]
    if of_pydantic:
        lines += ["", f"from pydantic import {', '.join(of_pydantic)}"]
    lines += ["", "from antiphon import Context, tool"]
    if "RateLimit(" in text:
        lines.append("from antiphon.contracts.definition import RateLimit")
    unset = "UNSET, given" if "= UNSET" in text else "given"
    lines += [f"from antiphon.registry.functions import {unset}", "", "from . import handler"]
    return "\n".join(lines)


def _natural(schema: Any, alias: Mapping[str, str]) -> str | None:
    """Return the annotation that a person would write for a schema; None where there is none."""
    if not isinstance(schema, dict):
        return None
    facts = {name: value for name, value in schema.items() if name != "default"}
    limits = {**alias, **{_LIMITS[n]: facts.pop(n) for n in list(facts) if n in _LIMITS}}
    kind = _kind(facts)
    if kind is None:
        return None
    return _annotated(kind, f"Field({_keywords(limits)})") if limits else kind


def _kind(facts: dict[str, Any]) -> str | None:
    match facts:
        case {"type": str(kind), **rest} if kind in _TYPES and not rest:
            return _TYPES[kind]
        case {"type": "string", "enum": [*values], **rest} if not rest:
            return f"Literal[{', '.join(map(_literal, values))}]" if values else None
        case {"type": "array", "items": {**items}, **rest} if not rest:
            inner = _kind(dict(items))  # type: ignore[arg-type]
            return f"list[{inner}]" if inner else None
        case _:
            return None


def _exact(schema: Any, alias: Mapping[str, str], *, has_default: bool) -> str:
    """Return an annotation that lets every value through and has exactly this schema."""
    body = dict(schema) if isinstance(schema, dict) else schema
    if has_default:  # it is the default of the parameter
        body.pop("default")
    field = [f"Field({_keywords(alias)})"] if alias else []
    return _annotated("Any", *field, f"WithJsonSchema({_literal(body)})")


def _annotated(kind: str, *facts: str) -> str:
    return f"Annotated[{', '.join((kind, *facts))}]"


def _keywords(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={_literal(value, '', -_WIDTH)}" for name, value in values.items())


def _literal(value: Any, indent: str = "    ", used: int = 24) -> str:
    """Return a JSON value as Python writes it, on one line where it fits after `used` columns."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list | tuple):
        return repr(value)
    inner = indent + "    "
    named = isinstance(value, dict)
    items = [
        (f"{_literal(each)}: " if named else "") + _literal(value[each] if named else each, inner)
        for each in value
    ]
    first, last = ("{", "}") if named else ("[", "]") if isinstance(value, list) else ("(", ")")
    line = ", ".join(items) + ("," if last == ")" and len(items) == 1 else "")
    if "\n" not in line and len(indent) + used + len(line) <= _WIDTH:
        return f"{first}{line}{last}"
    return f"{first}\n" + "".join(f"{inner}{item},\n" for item in items) + f"{indent}{last}"


def _python_name(name: str) -> str:
    python = re.sub(r"\W", "_", name, flags=re.ASCII)
    if not python or python[0].isdigit():
        python = f"p_{python}"
    taken = python in _TAKEN or keyword.iskeyword(python) or hasattr(builtins, python)
    return f"{python}_" if taken else python


def _function_name(tool_id: str) -> str:
    return _python_name(tool_id)


def _docstring(text: str) -> str:
    """Return a text as it may stand between the quotes of a docstring."""
    return json.dumps(text, ensure_ascii=False)[1:-1]
