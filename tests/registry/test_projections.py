"""Every projection converts every schema, excludes no valid call, and names what it loses."""

from __future__ import annotations

import json
import re
import warnings
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.effort import examples
from tests.registry.schema_strategies import instances, tool_schemas

from antiphon.registry.projections import PROVIDERS, codec_of, project

CORPUS = sorted((Path(__file__).parent.parent / "corpus").glob("*.json"))
THOROUGH = settings(
    max_examples=examples(150),
    deadline=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.filter_too_much,
        HealthCheck.data_too_large,
    ],
)


def valid(schema: Any, instance: Any) -> bool:
    return jsonschema_rs.Draft202012Validator(schema, validate_formats=True).is_valid(instance)


def gemini_as_json_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """The native form read back as the JSON Schema it stands for."""
    body: dict[str, Any] = {}
    for key, value in schema.items():
        match key:
            case "type":
                body["type"] = value.lower()
            case "anyOf":
                body["anyOf"] = [gemini_as_json_schema(branch) for branch in value]
            case "items":
                body["items"] = gemini_as_json_schema(value)
            case "properties":
                body["properties"] = {n: gemini_as_json_schema(p) for n, p in value.items()}
            case "nullable" | "description" | "title" | "default":
                pass
            case _:
                body[key] = value
    return {"anyOf": [{"type": "null"}, body]} if schema.get("nullable") else body


def as_declaration(native: dict[str, Any]) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from google.genai import types
    return types.FunctionDeclaration(name="tool", description="d", parameters=native)


def strict_violations(schema: Any, path: str = "") -> list[str]:
    """Where a schema breaks the rules of strict mode."""
    found: list[str] = []
    if not isinstance(schema, dict):
        return [f"{path}: {schema!r}"]
    allowed = {
        "$defs", "$ref", "additionalProperties", "anyOf", "description", "enum", "exclusiveMaximum",
        "exclusiveMinimum", "format", "items", "maxItems", "maximum", "minItems", "minimum",
        "multipleOf", "pattern", "properties", "required", "type",
    }  # fmt: skip
    found += [f"{path}: keyword {name}" for name in schema.keys() - allowed]
    if "$ref" in schema and len(schema) > 1:
        found.append(f"{path}: words beside $ref")
    if not schema.keys() & {"type", "anyOf", "$ref"}:
        found.append(f"{path}: no type")
    kinds = schema.get("type", [])
    if "object" in ([kinds] if isinstance(kinds, str) else kinds):
        if schema.get("additionalProperties") is not False:
            found.append(f"{path}: open object")
        if sorted(schema.get("required", [])) != sorted(schema.get("properties", {})):
            found.append(f"{path}: not all required")
    for name, child in {**schema.get("properties", {}), **schema.get("$defs", {})}.items():
        found += strict_violations(child, f"{path}/{name}")
    if "items" in schema:
        found += strict_violations(schema["items"], f"{path}/items")
    for index, child in enumerate(schema.get("anyOf", [])):
        found += strict_violations(child, f"{path}/anyOf/{index}")
    return found


def native_violations(schema: Any, path: str = "") -> list[str]:
    """Where a schema breaks the rules of Gemini's native form."""
    if "anyOf" in schema:
        alone = [] if len(schema) == 1 else [f"{path}: something beside anyOf"]
        return alone + [f for b in schema["anyOf"] for f in native_violations(b, f"{path}/anyOf")]
    found = [] if isinstance(schema.get("type"), str) else [f"{path}: no type"]
    if schema.get("type") == "ARRAY":
        found += native_violations(schema.get("items", {}), f"{path}/items")
    for name, child in schema.get("properties", {}).items():
        found += native_violations(child, f"{path}/{name}")
    return found


def names_of(schema: Any) -> set[str]:
    """Every property name that a schema declares, wherever."""
    found: set[str] = set()
    if isinstance(schema, list):
        return found.union(*(names_of(part) for part in schema))
    if isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict):
            found |= set(schema["properties"])
        for keyword, value in schema.items():
            if keyword in ("properties", "$defs", "definitions", "patternProperties"):
                found = found.union(*(names_of(child) for child in value.values()))
            elif keyword not in ("const", "enum", "default", "examples"):
                found |= names_of(value)
    return found


def descriptions(schema: Any) -> list[str]:
    if isinstance(schema, list):
        return [text for part in schema for text in descriptions(part)]
    if not isinstance(schema, dict):
        return []
    own = [schema["description"]] if isinstance(schema.get("description"), str) else []
    return own + [text for part in schema.values() for text in descriptions(part)]


def check_call(schema: dict[str, Any], call: dict[str, Any]) -> None:
    """`call`, valid for the canonical schema, is possible in every projection."""
    for provider in PROVIDERS:
        form, codec = project(provider, schema).schema, codec_of(provider, schema)
        encoded = call if codec is None else codec.encode(call)
        as_json = gemini_as_json_schema(form) if provider == "geminiNative" else form
        assert valid(as_json, encoded), (provider, form, encoded)
        if codec is not None:
            assert codec.schema == form
            assert codec.decode(encoded) == call, provider


def check_forms(schema: dict[str, Any]) -> None:
    """Every projection exists and keeps the rules of its provider."""
    for provider in PROVIDERS:
        projection = project(provider, schema)
        assert projection.schema["type"] in ("object", "OBJECT")
        assert json.loads(json.dumps(projection.schema)) == projection.schema
        said = descriptions(projection.schema)
        for loss in projection.losses:
            assert loss.keys() == {"pointer", "keyword", "reason", "told"}
            assert any(loss["told"] in text for text in said), (provider, loss)
    as_declaration(project("geminiNative", schema).schema)
    assert native_violations(project("geminiNative", schema).schema) == []
    for name in names_of(project("anthropic", schema).schema):
        assert re.fullmatch(r"[a-zA-Z0-9_.-]{1,64}", name), name
    assert strict_violations(project("openaiStrict", schema).schema) == []
    for provider in ("openai", "anthropic"):
        top = project(provider, schema).schema.keys()
        assert not top & {"anyOf", "oneOf", "allOf", "not", "enum", "const", "$ref"}


@THOROUGH
@given(tool_schemas())
def test_every_schema_converts_into_every_form(schema: dict[str, Any]) -> None:
    check_forms(schema)


@THOROUGH
@given(st.data())
def test_no_valid_call_is_made_impossible(data: st.DataObject) -> None:
    schema = data.draw(tool_schemas())
    call = data.draw(instances(schema, schema))
    assume(isinstance(call, dict) and valid(schema, call))
    check_call(schema, call)


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_the_corpus_converts_and_its_calls_stay_possible(path: Path) -> None:
    case = json.loads(path.read_text())
    check_forms(case["parameters"])
    for call in case["valid"]:
        check_call(case["parameters"], call)


def test_the_corpus_is_there() -> None:
    assert len(CORPUS) >= 60
