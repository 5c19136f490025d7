"""Lint rules for the JSON Schemas inside `schema.json`: `parameters` and `output`."""

from __future__ import annotations

from typing import Any
from urllib.parse import urldefrag

from antiphon.registry import schema_size
from antiphon.registry.findings import FindingList, shown
from antiphon.registry.regexes import unsafe_reason
from antiphon.registry.satisfiability import contradictions
from antiphon.registry.schemas import (
    META_SCHEMA,
    SchemaDocument,
    children,
    pointer,
    schema_problems,
)
from antiphon.registry.validation import UnusableSchema, Validator

# Where a person looks for the meaning of a value. Alternatives and conditions repeat properties
# only to tell cases apart.
_DESCRIBED_THROUGH = ("properties", "items", "prefixItems", "$defs")
_EXPLAINED = frozenset({"description", "$ref", "const"})
_WHOLE = "urn:antiphon:whole"

CONFIRMATION_TOKEN = "confirmationToken"  # noqa: S105 - a name that models must not use


def lint_parameters(found: FindingList, schema: Any) -> None:
    """Check the schema of the parameters."""
    at = "/parameters"
    if not isinstance(schema, dict):
        fix = 'Write {"type": "object", "properties": {…}, "additionalProperties": false}.'
        found.error("parameters", at, "must be a JSON Schema object", fix)
        return
    if schema.get("type") != "object":
        message = f"is of type {shown(schema.get('type'))}; a tool takes an object"
        found.error("parameters-type", at + "/type", message, 'Set it to "object".')
    if schema.get("additionalProperties") is not False:
        message = "unknown parameters would be let through"
        fix = "Set it to false."
        found.error("additional-properties", at + "/additionalProperties", message, fix)
    document = _lint_schema(found, at, schema)
    if document is None:
        return
    if _required_is_declared(found, at, schema):
        _values_are_possible(found, at, schema)
    _no_confirmation_token(found, at, document)
    _properties_are_described(found, at, document)


def lint_output(found: FindingList, schema: Any) -> None:
    """Check the schema of the result."""
    at = "/output"
    if not isinstance(schema, dict):
        fix = 'Write the schema of `data`, for example {"type": "object"}.'
        found.error("output", at, "must be a JSON Schema object", fix)
        return
    if schema.get("type") != "object":
        message = f"is of type {shown(schema.get('type'))}; `data` is always an object"
        found.error("output-type", at + "/type", message, 'Set it to "object".')
    if _lint_schema(found, at, schema) is not None:
        _values_are_possible(found, at, schema)


def _lint_schema(found: FindingList, at: str, schema: dict[str, Any]) -> SchemaDocument | None:
    """Check the rules that hold for any schema; None when it is not safe to look at it further."""
    level, path = schema_size.depth(schema)
    if level > schema_size.MAX_DEPTH:
        message = f"is nested {level} schemas deep; {schema_size.MAX_DEPTH} is the limit"
        fix = "Flatten it, or move the inner parts into $defs."
        found.error("schema-depth", at + pointer(path), message, fix)
        return None
    document = SchemaDocument(schema)
    _dialect_is_2020(found, at, document)
    reported = _references_stay_inside(found, at, document)
    nodes, longest = schema_size.unfolded(document)
    if nodes > schema_size.MAX_NODES or longest > schema_size.MAX_PATH:
        what = f"more than {schema_size.MAX_NODES:,} schemas"
        if nodes <= schema_size.MAX_NODES:
            what = f"a chain of more than {schema_size.MAX_PATH} schemas"
        message = f"its references unfold to {what}"
        found.error("schema-size", at, message, "Use fewer references to references.")
        return None
    reported |= _patterns_are_safe(found, at, document)
    valid = _is_valid_schema(found, at, schema, reported)
    if valid:
        _defaults_fit(found, at, document)
    return document if valid else None


def _is_valid_schema(
    found: FindingList, at: str, schema: dict[str, Any], reported: set[str]
) -> bool:
    problems = schema_problems(schema)
    for where, message in problems:
        if where not in reported:
            fix = "Correct it by JSON Schema 2020-12."
            found.error("schema-invalid", at + where, shortened(message), fix)
    return not problems


def shortened(message: str, limit: int = 300) -> str:
    """Return a message cut to the length of a finding."""
    return message if len(message) <= limit else message[: limit - 1] + "…"


def _dialect_is_2020(found: FindingList, at: str, document: SchemaDocument) -> None:
    for path, schema, _ in document.subschemas():
        dialect = schema.get("$schema", META_SCHEMA)
        if isinstance(dialect, str) and dialect.rstrip("#") != META_SCHEMA:
            message = f"{shown(dialect)} is another dialect"
            fix = f"Use JSON Schema 2020-12, or remove `$schema` ({META_SCHEMA} is assumed)."
            found.error("schema-dialect", at + pointer((*path, "$schema")), message, fix)


def _references_stay_inside(found: FindingList, at: str, document: SchemaDocument) -> set[str]:
    reported: set[str] = set()
    for path, schema, base in document.subschemas():
        for keyword in ("$ref", "$dynamicRef"):
            ref = schema.get(keyword)
            if not isinstance(ref, str):
                continue
            where = pointer((*path, keyword))
            if document.resolve(ref, base) is None:
                reported.add(where)
                if ref.partition("#")[0]:
                    message = f"{shown(ref)} is outside this document; nothing is fetched"
                    fix = "Copy what it names into $defs and refer to #/$defs/NAME."
                    found.error("remote-ref", at + where, message, fix)
                else:
                    message = f"{shown(ref)} leads nowhere in this document"
                    fix = "Add the definition, or correct the reference."
                    found.error("dangling-ref", at + where, message, fix)
    return reported


def _patterns_are_safe(found: FindingList, at: str, document: SchemaDocument) -> set[str]:
    reported: set[str] = set()
    for path, schema, _ in document.subschemas():
        patterns = [(pointer((*path, "pattern")), schema.get("pattern"))]
        named = schema.get("patternProperties")
        if isinstance(named, dict):
            patterns += [(pointer((*path, "patternProperties", name)), name) for name in named]
        for where, pattern in patterns:
            if isinstance(pattern, str) and (reason := unsafe_reason(pattern)):
                reported.add(where)
                # The reason ends in what to do about it.
                wrong, _, advice = reason.rpartition("; ")
                message = shortened(f"{shown(pattern)}: {wrong or reason}")
                fix = f"{advice[:1].upper()}{advice[1:]}." if wrong else "Rewrite the pattern."
                found.error("unsafe-pattern", at + where, message, fix)
    return reported


def _defaults_fit(found: FindingList, at: str, document: SchemaDocument) -> None:
    for path, schema, _ in document.subschemas():
        if "default" not in schema:
            continue
        where = at + pointer((*path, "default"))
        try:
            errors = Validator(_standing_alone(document, path, schema)).errors(schema["default"])
        except UnusableSchema as error:
            found.error("default", where, shortened(str(error)), "Correct the schema around it.")
            continue
        for problem in errors:
            inner = f" (at {problem.pointer})" if problem.pointer else ""
            message = f"the default does not fit its own schema: {problem.message}{inner}"
            found.error("default", where, shortened(message), f"Expected: {problem.expected}.")


def _values_are_possible(found: FindingList, at: str, schema: dict[str, Any]) -> None:
    for cause in contradictions(schema):
        where = at + cause.pointer
        message = f"no value can ever be valid here: {cause.reason}"
        fix = "Correct the limits so that some value fits."
        if not cause.whole:
            found.warning("unsatisfiable", where, message, fix)
        elif at == "/parameters":
            found.error("unsatisfiable", where, f"{message}, so the tool cannot be called", fix)
        else:
            found.error("unsatisfiable", where, f"{message}, so every result is refused", fix)


def _standing_alone(document: SchemaDocument, path: tuple[str | int, ...], schema: Any) -> Any:
    """Return the subschema as a document of its own whose references still lead where they did."""
    if not _has_reference(schema):
        return schema
    root = document.root
    address = root.get("$id", _WHOLE)
    whole = {**root, "$id": address}
    return {"$ref": f"{urldefrag(address)[0]}#{pointer(path)}", "$defs": {"whole": whole}}


def _has_reference(schema: dict[str, Any]) -> bool:
    return any("$ref" in s or "$dynamicRef" in s for _, s, _ in SchemaDocument(schema).subschemas())


def _required_is_declared(found: FindingList, at: str, schema: dict[str, Any]) -> bool:
    properties = schema.get("properties", {})
    if "patternProperties" in schema or schema.get("additionalProperties") is not False:
        return True
    declared = True
    for index, name in enumerate(schema.get("required", ())):
        if name not in properties:
            declared = False
            message = f"{shown(name)} is required but not declared, so no call could be valid"
            fix = "Declare it under `properties`, or do not require it."
            found.error("required-undeclared", f"{at}/required/{index}", message, fix)
    return declared


def _no_confirmation_token(found: FindingList, at: str, document: SchemaDocument) -> None:
    for path, schema, _ in document.subschemas():
        if CONFIRMATION_TOKEN in schema.get("properties", {}):
            found.error(
                "confirmation-token",
                at + pointer((*path, "properties", CONFIRMATION_TOKEN)),
                f"a parameter must not be called `{CONFIRMATION_TOKEN}`",
                "Set requiresConfirmation instead: approval never passes through the model.",
            )


def _properties_are_described(found: FindingList, at: str, document: SchemaDocument) -> None:
    waiting: list[tuple[tuple[str | int, ...], Any]] = [((), document.root)]
    while waiting:
        path, schema = waiting.pop()
        if not isinstance(schema, dict):
            continue
        if path[-2:-1] == ("properties",) and not _EXPLAINED.intersection(schema):
            message = f"the parameter {shown(path[-1])} has no description"
            fix = "Say in one line what it means: the model reads it."
            found.warning("undescribed", at + pointer(path), message, fix)
        waiting.extend(
            ((*path, *step), child)
            for step, child in children(schema)
            if step[0] in _DESCRIBED_THROUGH
        )
