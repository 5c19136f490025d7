"""JSON Schema validation of documents by jsonschema-rs; nothing is fetched."""

from __future__ import annotations

import itertools
import json
from typing import Any

from antiphon import ok
from antiphon.toolkit import invalid

DIALECTS = {
    "draft-04": "Draft4Validator", "draft-06": "Draft6Validator", "draft-07": "Draft7Validator",
    "2019-09": "Draft201909Validator", "2020-12": "Draft202012Validator",
}  # fmt: skip
MOST, COUNTED = 100, 1000


def execute(args: dict[str, Any], context: Any) -> Any:
    import jsonschema_rs

    schema = parse_json(args["schema"], "/schema")
    document = parse_json(args["document"], "/document")
    if not isinstance(schema, dict | bool):
        raise invalid("/schema", "must be an object, true or false.")
    named = str(schema.get("$schema", "")) if isinstance(schema, dict) else ""
    dialect = next((name for name in DIALECTS if name in named), "2020-12")

    def nothing(uri: str) -> Any:
        raise ValueError(f"references outside the schema are not followed ({uri[:100]})")

    try:
        make = getattr(jsonschema_rs, DIALECTS[dialect])
        validator = make(schema, validate_formats=True, retriever=nothing)
        found = list(itertools.islice(validator.iter_errors(document), COUNTED))
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as error:
        message = getattr(error, "message", None) or str(error)
        raise invalid("/schema", f"cannot be used: {message[:300]}.") from None
    count = len(found)
    return ok(
        {
            "valid": not found,
            "errors": [
                {
                    "pointer": pointer(error.instance_path),
                    "message": error.message[:500],
                    "rule": pointer(error.schema_path),
                }
                for error in found[:MOST]
            ],
            "count": count,
            "dialect": dialect,
            "summary": f"{count} error{'' if count == 1 else 's'}."
            if count
            else "The document fits.",
        }
    )


def parse_json(text: str, place: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise invalid(place, f"is no JSON: {error.msg} ({where}).") from None
    except (RecursionError, ValueError):
        raise invalid(place, "is nested too deeply, or holds a number that is too long.") from None


def pointer(parts: Any) -> str:
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)
