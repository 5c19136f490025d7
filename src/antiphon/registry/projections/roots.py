"""Providers that take JSON Schema as it is, but want one plain object at the top."""

from __future__ import annotations

from typing import Any

from antiphon.registry.projections.descriptions import brief
from antiphon.registry.projections.nodes import Loss
from antiphon.registry.schemas import Path, SchemaDocument

REFUSED_AT_TOP = ("allOf", "anyOf", "oneOf", "not", "enum", "const", "$ref")


def plain_root(schema: Any) -> tuple[dict[str, Any], list[Loss]]:
    """`schema` with nothing but one object at its top level; below that it stays as written.

    Parameters that only an alternative declares are declared at the top, by name and words alone
    unless every call has to satisfy them.
    """
    if not isinstance(schema, dict):
        return {"type": "object"}, []
    refused = [keyword for keyword in REFUSED_AT_TOP if keyword in schema]
    if not refused and schema.get("type") == "object":
        return schema, []
    document = SchemaDocument(schema)
    body = {key: value for key, value in schema.items() if key not in refused}
    body["type"] = "object"
    said = [f"{keyword}: {brief(schema[keyword], 400)}." for keyword in refused]
    losses = [
        Loss("", keyword, "not at the top level; in the description", told)
        for keyword, told in zip(refused, said, strict=True)
    ]
    if not refused:
        return body, losses
    fields = dict(schema.get("properties", {}))
    closed = schema.get("additionalProperties") is False
    embedded = any("$id" in sub for path, sub, _ in document.subschemas() if path)
    if not closed:
        for path, certain in _inner(document, (), True, set()):
            for name, child in document.node(path).get("properties", {}).items():
                words = child.get("description", "") if isinstance(child, dict) else ""
                hint = child if certain and not embedded else {"description": words}
                fields.setdefault(name, hint)
    if fields:
        body["properties"] = fields
    required = list(schema.get("required", ()))
    for path, certain in _inner(document, (), True, set()):
        if certain:
            required += document.node(path).get("required", ())
    if required:
        body["required"] = list(dict.fromkeys(required))
    if "unevaluatedProperties" in body:
        # It looked into what is no longer there and would refuse what that allowed.
        said.append(f"unevaluatedProperties: {brief(body.pop('unevaluatedProperties'))}.")
        reason = "depends on what left the top level"
        losses.append(Loss("", "unevaluatedProperties", reason, said[-1]))
    body["description"] = " ".join(part for part in (schema.get("description"), *said) if part)
    return body, losses


def _inner(
    document: SchemaDocument, path: Path, certain: bool, seen: set[Path]
) -> list[tuple[Path, bool]]:
    """Schemas of the same object as the one at `path`, and whether every call satisfies them."""
    schema = document.node(path)
    if not isinstance(schema, dict) or path in seen:
        return []
    seen.add(path)
    found = [(path, certain)] if path else []
    for keyword in ("allOf", "anyOf", "oneOf"):
        for index in range(len(schema.get(keyword, ()))):
            sure = certain and keyword == "allOf"
            found += _inner(document, (*path, keyword, index), sure, seen)
    if isinstance(schema.get("$ref"), str):
        target = document.resolve(schema["$ref"], document.base(path))
        if target is not None:
            found += _inner(document, target, certain, seen)
    return found
