"""What a document says of its operations, as contracts of tools and as findings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.shipped import shipped_registry

from antiphon import Registry
from antiphon.config import Settings
from antiphon.openapi import OpenApiError, tools_from_asgi, tools_from_openapi
from antiphon.registry import RegistryError
from antiphon.server import create_app

NASTY = Path(__file__).parent / "nasty.json"
ADDRESS = "http://localhost:1/v1"
BROKEN = ["upload", "looped", "lost", "remote", "matrix"]


def document(paths: dict[str, Any], version: str = "3.1.0", **more: Any) -> dict[str, Any]:
    return {"openapi": version, "info": {"title": "T", "version": "1"}, "paths": paths, **more}


def operation(**more: Any) -> dict[str, Any]:
    return {"operationId": "doIt", "summary": "Do it.", "responses": {}, **more}


def contract(spec: dict[str, Any], **options: Any) -> dict[str, Any]:
    (tool,) = tools_from_openapi(spec, base_url=ADDRESS, **options)
    Registry.of(tool)
    return tool.schema


def body_of(schema: Any, **more: Any) -> dict[str, Any]:
    return {"required": True, "content": {"application/json": {"schema": schema}}, **more}


def test_what_it_returns_counts_as_text_of_others_unless_the_operator_says_otherwise() -> None:
    spec = document({"/it": {"get": operation()}})
    assert (contract(spec)["origin"], contract(spec)["outside"]) == ("untrusted", True)
    ours = contract(spec, overrides={"do_it": {"origin": "trusted", "outside": False}})
    assert (ours["origin"], ours["outside"]) == ("trusted", False)


# -- findings ------------------------------------------------------------------------------------


def test_each_thing_that_is_wrong_is_a_finding_with_its_pointer() -> None:
    with pytest.raises(RegistryError) as refused:
        tools_from_openapi(NASTY, base_url=ADDRESS)
    lines = str(refused.value).splitlines()[1:]
    places = [line.split(": ")[1].removeprefix("nasty.json ") for line in lines]
    assert places == [
        "/components/schemas/Pong/$ref",
        "/paths/~1b/post/requestBody/content",
        "/paths/~1c/get/parameters/0/$ref",
        "/paths/~1c/post/requestBody/content/application~1json/schema/$ref",
        "/paths/~1c/put/parameters/0/style",
        "/paths/~1d",
    ]
    assert "takes only multipart/form-data" in lines[1]
    assert 'exclude "POST /b"' in lines[1]


def test_what_is_left_of_it_are_tools() -> None:
    spec = json.loads(NASTY.read_text("utf-8"))
    del spec["paths"]["/d"]
    tools = tools_from_openapi(spec, base_url=ADDRESS, exclude=BROKEN)
    assert Registry.of(*tools).tool_ids() == ["get_a_by_id", "make_a", "make_a_2"]
    named = [each for tool in tools for each in tool.source.findings]
    assert [(each.severity, each.pointer, each.message) for each in named] == [
        (
            *("warning", "/paths/~1a~1{id}/get"),
            "has no operationId, so the tool is called `get_a_by_id`",
        ),
        (
            *("warning", "/paths/~1b/get/operationId"),
            "another operation is called `make_a`, so this one is `make_a_2`",
        ),
    ]
    node = tools[0].schema["output"]
    assert node["properties"]["next"] == {"$ref": "#/$defs/Node"}
    assert node["$defs"]["Node"]["properties"]["value"] == {"type": ["integer", "null"]}


def test_a_pattern_and_an_override_that_fit_nothing_are_slips() -> None:
    spec = document({"/x": {"get": operation()}})
    with pytest.raises(RegistryError) as refused:
        tools_from_openapi(
            spec, base_url=ADDRESS, exclude=["doThat"], overrides={"do_ti": {"confirm": False}}
        )
    assert "`exclude` has 'doThat', which no operation matches" in str(refused.value)
    assert "Did you mean `do_it`?" in str(refused.value)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ({"swagger": "2.0"}, "it is of Swagger 2.0"),
        ({}, "it has no `openapi`"),
        ({"openapi": "3.1.0", "paths": []}, "`/paths` must be an object"),
        ("nowhere.json", "nowhere.json cannot be read: No such file"),
        ("http://localhost:1/openapi.json", "cannot be fetched"),
    ],
)
def test_a_document_that_is_none_is_told_in_words(spec: Any, words: str) -> None:
    with pytest.raises(OpenApiError, match=words):
        tools_from_openapi(spec, base_url=ADDRESS)


def test_a_document_that_names_no_address_needs_one() -> None:
    spec = document({}, servers=[{"url": "/v1"}])
    with pytest.raises(OpenApiError, match="base_url="):
        tools_from_openapi(spec)
    with pytest.raises(OpenApiError, match="whole address"):
        tools_from_openapi(spec, base_url="api.example.com")
    assert tools_from_openapi(document({}, servers=[{"url": "https://api.example.com"}])) == []


def test_an_application_that_does_not_describe_itself_needs_a_document() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError

    with pytest.raises(OpenApiError, match="has no `openapi\\(\\)`"):
        tools_from_asgi(app)


# -- contracts -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "effects", "asks", "idempotent"),
    [
        ("get", "read_only", False, True),
        ("head", "read_only", False, True),
        ("post", "writes", True, False),
        ("put", "writes", True, True),
        ("patch", "writes", True, False),
        ("delete", "writes", True, True),
    ],
)
def test_reading_is_free_and_everything_else_asks(
    method: str, effects: str, asks: bool, idempotent: bool
) -> None:
    made = contract(document({"/x": {method: operation()}}))
    assert (made["sideEffects"], made["requiresConfirmation"]) == (effects, asks)
    assert made["idempotent"] is idempotent


def test_an_override_says_more_of_one_tool() -> None:
    spec = document({"/search": {"post": operation()}})
    made = contract(
        spec,
        overrides={"do_it": {"side_effects": "read_only", "confirm": False, "modes": ["text"]}},
    )
    assert (made["sideEffects"], made["allowedModes"]) == ("read_only", ["text"])


def test_operations_are_chosen_by_name_path_and_tag() -> None:
    paths = {
        "/pets": {"get": operation(operationId="listPets", tags=["pets"])},
        "/pets/{id}": {
            "parameters": [{"name": "id", "in": "path", "schema": {"type": "string"}}],
            "get": operation(operationId="getPet", tags=["pets"]),
            "delete": operation(operationId="deletePet", tags=["pets", "admin"]),
        },
        "/shops": {"get": operation(operationId="listShops")},
    }

    def names(**options: Any) -> list[str]:
        tools = tools_from_openapi(document(paths), base_url=ADDRESS, **options)
        return [tool.name for tool in tools]

    assert names(include=["tag:pets"], exclude=["tag:admin"]) == ["list_pets", "get_pet"]
    assert names(include=["GET /pets*"]) == ["list_pets", "get_pet"]
    assert names(include=["listShops", "delete_*"]) == ["delete_pet", "list_shops"]
    assert names(include=lambda each: each.reads, prefix="crm_") == [
        *("crm_list_pets", "crm_get_pet", "crm_list_shops")
    ]


def test_parameters_and_body_are_merged() -> None:
    pet = {
        "type": "object",
        "required": ["name", "id"],
        "properties": {
            "id": {"type": "integer", "readOnly": True},
            "name": {"type": "string", "description": "What it is called."},
            "kind": {"$ref": "#/components/schemas/Kind"},
            "secret": {"type": "string", "format": "password"},
        },
    }
    spec = document(
        {
            "/shops/{shopId}/pets": {
                "parameters": [{"name": "shopId", "in": "path", "schema": {"type": "integer"}}],
                "post": operation(
                    parameters=[
                        {"name": "filter[tag]", "in": "query", "schema": {"type": "string"}},
                        {"name": "X-Trace", "in": "header", "required": True, "schema": {}},
                        {"name": "Idempotency-Key", "in": "header", "schema": {"type": "string"}},
                    ],
                    requestBody=body_of({"$ref": "#/components/schemas/Pet"}),
                ),
            }
        },
        components={"schemas": {"Pet": pet, "Kind": {"type": "string", "enum": ["cat", "dog"]}}},
    )
    made = contract(spec)
    inputs = made["parameters"]
    assert list(inputs["properties"]) == [
        *("shopId", "filter_tag", "X-Trace", "name", "kind", "secret")
    ]
    assert inputs["required"] == ["shopId", "X-Trace", "name"]
    assert inputs["properties"]["kind"] == {"$ref": "#/$defs/Kind"}
    assert inputs["$defs"] == {"Kind": {"type": "string", "enum": ["cat", "dog"]}}
    assert made["redact"] == ["/secret"]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array", "items": {"type": "string"}},
        {"oneOf": [{"type": "string"}, {"type": "integer"}]},
        {"type": "object", "properties": {"id": {"type": "string"}}},  # clashes with the path's
        {"type": "object", "additionalProperties": {"type": "string"}},
        {"type": "object", "properties": {"strange name": {"type": "string"}}},
    ],
    ids=["list", "choice", "clash", "map", "name"],
)
def test_a_body_that_cannot_be_merged_is_one_argument(schema: dict[str, Any]) -> None:
    at = {"name": "id", "in": "path", "schema": {"type": "string"}}
    spec = document({"/x/{id}": {"put": operation(parameters=[at], requestBody=body_of(schema))}})
    inputs = contract(spec)["parameters"]
    assert inputs["required"] == ["id", "body"]
    assert {**schema, "description": "The body of the request."} == inputs["properties"]["body"]


def test_a_body_that_may_be_left_out_is_whole_or_nothing() -> None:
    schema = {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}
    spec = document({"/x": {"post": operation(requestBody=body_of(schema, required=False))}})
    inputs = contract(spec)["parameters"]
    assert (list(inputs["properties"]), "required" in inputs) == (["body"], False)


def test_schemas_of_version_3_0_are_those_of_today() -> None:
    schema = {
        "type": "object",
        "properties": {
            "age": {"type": "integer", "format": "int32", "minimum": 0, "exclusiveMinimum": True},
            "size": {"type": "string", "enum": ["s", "l"], "nullable": True, "example": "s"},
            "of": {"nullable": True, "allOf": [{"type": "string"}], "x-kept": "no"},
        },
    }
    spec = document({"/x": {"post": operation(requestBody=body_of(schema))}}, "3.0.3")
    assert contract(spec)["parameters"]["properties"] == {
        "age": {"type": "integer", "exclusiveMinimum": 0},
        "size": {"type": ["string", "null"], "enum": ["s", "l", None]},
        "of": {"anyOf": [{"allOf": [{"type": "string"}]}, {"type": "null"}]},
    }


@pytest.mark.parametrize(
    ("responses", "output"),
    [
        ({"200": {"type": "object"}}, {"type": "object"}),
        (
            {"200": {"type": "array"}},
            {"type": "object", "properties": {"result": {"type": "array"}}, "required": ["result"]},
        ),
        ({"200": {"type": "object"}, "201": {"type": "string"}}, None),
        ({"200": {"type": "object"}, "204": None}, None),
        ({"400": {"type": "object"}}, None),
    ],
)
def test_the_result_is_checked_where_all_successes_are_alike(
    responses: dict[str, Any], output: Any
) -> None:
    said = {
        status: {"description": ""}
        | ({} if schema is None else {"content": {"application/json": {"schema": schema}}})
        for status, schema in responses.items()
    }
    made = contract(document({"/x": {"get": operation(responses=said)}}))
    assert made.get("output") == output


def test_all_of_our_own_server_can_be_tools(tmp_path: Path) -> None:
    server = create_app(shipped_registry(), Settings(data=tmp_path))
    registry = Registry.of(*tools_from_asgi(server, prefix="own_"))
    tools = registry.snapshot().tools
    assert len(tools) > 90
    assert tools["own_call_tool"].definition.requires_confirmation
    assert not tools["own_list_sessions"].definition.writes


def test_documents_are_read_from_yaml_files(tmp_path: Path) -> None:
    path = tmp_path / "api.yaml"
    path.write_text(
        "openapi: 3.1.0\ninfo: {title: T, version: '1'}\nservers: [{url: 'https://x.example'}]\n"
        "paths:\n  /x:\n    get:\n      operationId: getX\n"
        "      responses: {200: {description: ok}}\n"
    )
    assert [tool.name for tool in tools_from_openapi(path)] == ["get_x"]
    path.write_text("a: [1\nb: 2")
    with pytest.raises(OpenApiError, match=r"neither JSON nor YAML: .* \(line 2\)"):
        tools_from_openapi(path)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"a: " + b"[" * 2_000, "nested too deeply"),
        (b"a: 2001-99-99", "not of the type"),
        (b"a: 99999999999999999999999", "64-bit"),
        (b"a: \xff", "not in UTF-8"),
        (b"a0: &a0 [1]\n" + b"".join(
            b"a%d: &a%d [%s]\n" % (n, n, b", ".join([b"*a%d" % (n - 1)] * 9)) for n in range(1, 30)
        ), "unfolds to more than"),
    ],
    ids=["deep", "date", "number", "bytes", "aliases"],
)  # fmt: skip
def test_what_no_document_holds_is_refused(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "api.yaml"
    path.write_bytes(content)
    with pytest.raises(OpenApiError, match=words):
        tools_from_openapi(path)
