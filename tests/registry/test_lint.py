"""Every lint rule finds what it is for, says where, and finds everything in one run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from antiphon.registry.findings import LintFinding
from antiphon.registry.lint import ClaimedId, duplicate_ids, lint_tool, summary_of
from antiphon.registry.sources import ToolSource, read_tool

WriteTool = Callable[..., Path]

PARAMETERS = {"type": "object", "properties": {}, "additionalProperties": False}


def with_properties(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {**PARAMETERS, "properties": properties, **more}


def lint(directory: Path) -> list[LintFinding]:
    return lint_tool(read_tool(directory, f"tools/{directory.name}")).findings


def places(findings: list[LintFinding]) -> set[tuple[str, str, str]]:
    return {(finding.severity, finding.rule, finding.pointer) for finding in findings}


def test_a_sound_tool_has_no_findings_and_a_definition(write_tool: WriteTool) -> None:
    tool = lint_tool(read_tool(write_tool()))
    assert tool.findings == []
    assert tool.definition is not None
    assert tool.definition.tool_id == "kb_search"
    assert tool.summary == "Looks for something."


def test_every_optional_field_in_its_right_form_is_accepted(write_tool: WriteTool) -> None:
    directory = write_tool(
        category="action",
        sideEffects="writes",
        requiresConfirmation=True,
        risk="low",
        execution="background",
        timeoutMs=120_000,
        interruption="detach",
        rateLimit={"calls": 3, "windowMs": 60_000},
        availability={
            "requiresAuth": True,
            "roles": ["admin"],
            "providers": ["gemini"],
            "env": ["CALENDAR_URL"],
            "when": 'mode == "voice"',
        },
        output={"type": "object", "properties": {"a/b": {"type": "array"}}},
        redact=["", "/query", "/a~1b/0"],
        variants=[
            {"name": "a", "weight": 1, "handler": "handler.py"},
            {"name": "b", "weight": 0.5, "handler": "handler-b.py"},
        ],
        version="1.2.3-rc.1+build.5",
        files={"handler-b.py": "async def execute(args, context): ..."},
    )
    assert lint(directory) == []


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"toolId": None}, ("error", "field-missing", "/toolId")),
        ({"toolId": 5}, ("error", "tool-id", "/toolId")),
        ({"toolId": "Kb"}, ("error", "tool-id", "/toolId")),
        ({"toolId": "a" * 65}, ("error", "tool-id", "/toolId")),
        ({"toolId": "kb_search\n"}, ("error", "tool-id", "/toolId")),
        ({"toolId": "kb_find"}, ("error", "tool-id-directory", "/toolId")),
        ({"version": "1.0"}, ("error", "version", "/version")),
        ({"version": "01.0.0"}, ("error", "version", "/version")),
        ({"version": 1}, ("error", "version", "/version")),
        ({"description": " "}, ("error", "description", "/description")),
        ({"description": ["x"]}, ("error", "description", "/description")),
        ({"description": "x" * 1025}, ("error", "description", "/description")),
        ({"description": "One. Two."}, ("warning", "description", "/description")),
        ({"category": "retrival"}, ("error", "category", "/category")),
        ({"category": ["action"]}, ("error", "category", "/category")),
        ({"sideEffects": "reads"}, ("error", "side-effects", "/sideEffects")),
        ({"sideEffects": "writes"}, ("error", "retrieval-writes", "/sideEffects")),
        ({"origin": "house"}, ("error", "origin", "/origin")),
        ({"origin": ["trusted"]}, ("error", "origin", "/origin")),
        ({"sensitivity": "confidential"}, ("error", "sensitivity", "/sensitivity")),
        ({"outside": "no"}, ("error", "flag", "/outside")),
        ({"origin": "trusted", "outside": True}, ("warning", "origin", "/origin")),
        ({"idempotent": "yes"}, ("error", "flag", "/idempotent")),
        ({"idempotent": False}, ("error", "retrieval-idempotent", "/idempotent")),
        ({"requiresConfirmation": 1}, ("error", "flag", "/requiresConfirmation")),
        ({"risk": "medium", "requiresConfirmation": True}, ("error", "risk", "/risk")),
        ({"risk": "low"}, ("warning", "risk-unused", "/risk")),
        ({"risk": "high"}, ("warning", "risk-unused", "/risk")),
        ({"approvals": 2}, ("error", "approvals", "/approvals")),
        ({"approvals": 3, "requiresConfirmation": True}, ("error", "approvals", "/approvals")),
        ({"approvals": True, "requiresConfirmation": True}, ("error", "approvals", "/approvals")),
        ({"catalogue": "Code analysis"}, ("error", "catalogue", "/catalogue")),
        ({"catalogue": "x" * 33}, ("error", "catalogue", "/catalogue")),
        ({"allowedModes": []}, ("error", "allowed-modes", "/allowedModes")),
        ({"allowedModes": "text"}, ("error", "allowed-modes", "/allowedModes")),
        ({"allowedModes": ["text", "video"]}, ("error", "allowed-modes", "/allowedModes/1")),
        ({"allowedModes": ["text", "text"]}, ("error", "allowed-modes", "/allowedModes/1")),
        ({"allowedModes": [{}]}, ("error", "allowed-modes", "/allowedModes/0")),
        ({"latencyBudgetMs": 0}, ("error", "latency-budget", "/latencyBudgetMs")),
        ({"latencyBudgetMs": True}, ("error", "latency-budget", "/latencyBudgetMs")),
        ({"latencyBudgetMs": "1s"}, ("error", "latency-budget", "/latencyBudgetMs")),
        ({"timeoutMs": 120_001}, ("error", "timeout", "/timeoutMs")),
        ({"timeoutMs": -1}, ("error", "timeout", "/timeoutMs")),
        ({"timeoutMs": 499}, ("warning", "timeout-budget", "/timeoutMs")),
        ({"latencyBudgetMs": 130_000}, ("warning", "timeout-budget", "/latencyBudgetMs")),
        ({"execution": "cloud"}, ("error", "execution", "/execution")),
        ({"interruption": "stop"}, ("error", "interruption", "/interruption")),
        ({"isolation": "fork"}, ("error", "isolation", "/isolation")),
        ({"network": 1}, ("error", "flag", "/network")),
        ({"network": True}, ("error", "network", "/network")),
        ({"rateLimit": 5}, ("error", "rate-limit", "/rateLimit")),
        ({"rateLimit": {"calls": 1.5, "windowMs": 1}}, ("error", "rate-limit", "/rateLimit/calls")),
        ({"rateLimit": {"calls": 1}}, ("error", "rate-limit", "/rateLimit/windowMs")),
        (
            {"rateLimit": {"calls": 1, "windowMs": 1, "per": "user"}},
            ("error", "rate-limit", "/rateLimit/per"),
        ),
        ({"availability": []}, ("error", "availability", "/availability")),
        ({"availability": {"requiresAuth": 1}}, ("error", "flag", "/availability/requiresAuth")),
        ({"availability": {"roles": "admin"}}, ("error", "availability", "/availability/roles")),
        ({"availability": {"roles": [3]}}, ("error", "availability", "/availability/roles/0")),
        ({"availability": {"env": ["A B"]}}, ("error", "availability", "/availability/env/0")),
        ({"availability": {"when": ""}}, ("error", "availability", "/availability/when")),
        ({"availability": {"when": "a ="}}, ("error", "availability", "/availability/when")),
        (
            {"availability": {"when": "__import__('os')"}},
            ("error", "availability", "/availability/when"),
        ),
        ({"availability": {"role": ["x"]}}, ("error", "availability", "/availability/role")),
        ({"output": True}, ("error", "output", "/output")),
        ({"output": {"type": "array"}}, ("error", "output-type", "/output/type")),
        (
            {"output": {"type": "object", "properties": 3}},
            ("error", "schema-invalid", "/output/properties"),
        ),
        ({"redact": "/a"}, ("error", "redact", "/redact")),
        ({"redact": ["a"]}, ("error", "redact", "/redact/0")),
        ({"redact": ["/a~2"]}, ("error", "redact", "/redact/0")),
        ({"variants": []}, ("error", "variants", "/variants")),
        ({"variants": ["b"]}, ("error", "variants", "/variants/0")),
        (
            {"variants": [{"name": "b", "weight": 0, "handler": "handler.py"}]},
            ("error", "variants", "/variants/0/weight"),
        ),
        (
            {"variants": [{"name": "b", "weight": 1, "handler": "handlr.py"}]},
            ("error", "variants", "/variants/0/handler"),
        ),
        (
            {"variants": [{"name": "b", "weight": 1, "handler": "../x/handler.py"}]},
            ("error", "variants", "/variants/0/handler"),
        ),
        (
            {"variants": [{"name": "b", "weight": 1, "handler": "handler.py"}] * 2},
            ("error", "variants", "/variants/1/name"),
        ),
        ({"latencyBudgetms": 5}, ("error", "field-unknown", "/latencyBudgetms")),
    ],
)
def test_each_field_is_checked(
    changes: dict[str, Any], expected: tuple[str, str, str], write_tool: WriteTool
) -> None:
    findings = lint(write_tool(**changes))
    assert places(findings) == {expected}
    assert all(finding.message and finding.fix for finding in findings)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            {"requiresConfirmation": False},
            ("warning", "write-unconfirmed", "/requiresConfirmation"),
        ),
        (
            {"requiresConfirmation": True, "interruption": "cancel"},
            ("warning", "write-cancelled", "/interruption"),
        ),
        (
            {"requiresConfirmation": True, "sideEffects": "none"},
            ("warning", "confirmation-needless", "/requiresConfirmation"),
        ),
        ({"sideEffects": "none", "outside": True}, ("warning", "outside", "/outside")),
    ],
)
def test_combinations_that_are_likely_mistakes_are_warned_about(
    changes: dict[str, Any], expected: tuple[str, str, str], write_tool: WriteTool
) -> None:
    directory = write_tool(**{"category": "action", "sideEffects": "writes", **changes})
    assert places(lint(directory)) == {expected}


def test_a_misspelt_field_is_answered_with_the_nearest_name(write_tool: WriteTool) -> None:
    findings = lint(write_tool(requiresConfirmation=None, requires_confirmation=False))
    [unknown] = [finding for finding in findings if finding.rule == "field-unknown"]
    assert unknown.fix == "Did you mean `requiresConfirmation`?"


def test_all_findings_come_in_one_run(write_tool: WriteTool) -> None:
    directory = write_tool(
        version="x", category="x", parameters={"type": "array"}, guide="no heading", handler=None
    )
    rules = {finding.rule for finding in lint(directory)}
    assert rules == {
        "version",
        "category",
        "parameters-type",
        "additional-properties",
        "guide-heading",
        "file-missing",
    }


def chain(length: int) -> dict[str, Any]:
    """Definitions that each refer to the next one."""
    defs: dict[str, Any] = {f"d{i}": {"$ref": f"#/$defs/d{i + 1}"} for i in range(length)}
    defs[f"d{length}"] = {"type": "string"}
    properties = {"a": {"$ref": "#/$defs/d0", "description": "x"}}
    return with_properties(properties, **{"$defs": defs})


def laughs(levels: int) -> dict[str, Any]:
    """Each definition holds the next one ten times: ten to the power of `levels` schemas."""
    defs: dict[str, Any] = {
        f"l{i}": {"type": "array", "prefixItems": [{"$ref": f"#/$defs/l{i + 1}"}] * 10}
        for i in range(levels)
    }
    defs[f"l{levels}"] = {"type": "string"}
    properties = {"a": {"$ref": "#/$defs/l0"}}
    return with_properties(properties, **{"$defs": defs})


def nested(depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string", "description": "x"}
    for _ in range(depth - 1):
        schema = {"type": "object", "description": "x", "properties": {"a": schema}}
    return with_properties({"a": schema})


@pytest.mark.parametrize(
    ("parameters", "rule", "pointer"),
    [
        ("x", "parameters", ""),
        ({**PARAMETERS, "type": ["object"]}, "parameters-type", "/type"),
        (
            {**PARAMETERS, "additionalProperties": {}},
            "additional-properties",
            "/additionalProperties",
        ),
        ({**PARAMETERS, "required": "a"}, "schema-invalid", "/required"),
        ({**PARAMETERS, "required": ["a"]}, "required-undeclared", "/required/0"),
        (
            {**PARAMETERS, "$schema": "http://json-schema.org/draft-07/schema#"},
            "schema-dialect",
            "/$schema",
        ),
        ({**PARAMETERS, "$id": "http://[x"}, "schema-invalid", ""),
        (with_properties({"a": {"$ref": "http://[x"}}), "remote-ref", "/properties/a/$ref"),
        (
            with_properties({"a": {"$ref": "https://example.com/a.json"}}),
            "remote-ref",
            "/properties/a/$ref",
        ),
        (with_properties({"a": {"$ref": "other.json#/x"}}), "remote-ref", "/properties/a/$ref"),
        (
            with_properties({"a": {"$ref": "file:///etc/passwd"}}),
            "remote-ref",
            "/properties/a/$ref",
        ),
        (with_properties({"a": {"$ref": "#/$defs/b"}}), "dangling-ref", "/properties/a/$ref"),
        (with_properties({"a": {"$ref": "#b"}}), "dangling-ref", "/properties/a/$ref"),
        (
            with_properties({"a": {"pattern": "^(a+)+$", "description": "x"}}),
            "unsafe-pattern",
            "/properties/a/pattern",
        ),
        (
            with_properties({"a": {"pattern": "(", "description": "x"}}),
            "unsafe-pattern",
            "/properties/a/pattern",
        ),
        (
            with_properties({"a": {"description": "x", "patternProperties": {"^(a+)+$": True}}}),
            "unsafe-pattern",
            "/properties/a/patternProperties/^(a+)+$",
        ),
        (
            with_properties({"a": {"type": "integer", "default": "1", "description": "x"}}),
            "default",
            "/properties/a/default",
        ),
        (
            with_properties(
                {"a": {"$ref": "#/$defs/n", "default": -1}},
                **{"$defs": {"n": {"type": "integer", "minimum": 0}}},
            ),
            "default",
            "/properties/a/default",
        ),
        (
            with_properties({"confirmationToken": {"description": "x"}}),
            "confirmation-token",
            "/properties/confirmationToken",
        ),
        (nested(33), "schema-depth", "/properties/a" * 33),
        (laughs(9), "schema-size", ""),
        (chain(3000), "schema-size", ""),
    ],
)
def test_parameters_are_checked(
    parameters: Any, rule: str, pointer: str, write_tool: WriteTool
) -> None:
    findings = [f for f in lint(write_tool(parameters=parameters)) if f.severity == "error"]
    assert places(findings) == {("error", rule, "/parameters" + pointer)}
    assert all(finding.message and finding.fix for finding in findings)


@pytest.mark.parametrize(
    "parameters",
    [
        nested(32),
        chain(100),
        laughs(3),
        with_properties(
            {"tree": {"$ref": "#/$defs/node", "default": {"children": [{}]}}},
            **{
                "$defs": {
                    "node": {
                        "type": "object",
                        "description": "A node.",
                        "properties": {
                            "children": {
                                "type": "array",
                                "description": "x",
                                "items": {"$ref": "#/$defs/node"},
                            }
                        },
                        "additionalProperties": False,
                    }
                }
            },
        ),
        with_properties(
            {"a": {"$ref": "https://example.com/kb#/$defs/x"}},
            **{"$id": "https://example.com/kb", "$defs": {"x": {"type": "string"}}},
        ),
        with_properties({"a": {"$ref": "#x"}}, **{"$defs": {"x": {"$anchor": "x"}}}),
        with_properties(
            {
                "a": {
                    "enum": ["confirmationToken"],
                    "default": "confirmationToken",
                    "description": "x",
                }
            }
        ),
        with_properties({"pattern": {"const": "^(a+)+$"}}),
    ],
)
def test_unusual_but_sound_parameters_are_accepted(
    parameters: dict[str, Any], write_tool: WriteTool
) -> None:
    assert lint(write_tool(parameters=parameters)) == []


def test_parameters_without_description_are_warned_about_but_not_inside_conditions(
    write_tool: WriteTool,
) -> None:
    parameters = with_properties(
        {
            "a": {"type": "string"},
            "b": {
                "type": "array",
                "description": "x",
                "items": {"type": "object", "properties": {"c": {"type": "string"}}},
            },
        },
        allOf=[{"if": {"properties": {"a": {"enum": ["x"]}}}, "then": {"required": ["b"]}}],
    )
    assert places(lint(write_tool(parameters=parameters))) == {
        ("warning", "undescribed", "/parameters/properties/a"),
        ("warning", "undescribed", "/parameters/properties/b/items/properties/c"),
    }


@pytest.mark.parametrize(
    ("guide", "rule", "severity"),
    [
        (None, "file-missing", "error"),
        (" \n", "guide-empty", "error"),
        (b"# kb_search\n\n\xff\n", "guide-encoding", "error"),
        ("# kb_find\n\nText.\n", "guide-heading", "error"),
        ("Text.\n", "guide-heading", "error"),
        ("# kb_search\n\n## Parameters\n", "guide-summary", "error"),
        ("# kb_search\n\n" + "x" * 251, "guide-summary", "error"),
    ],
)
def test_the_guide_is_checked(
    guide: str | bytes | None, rule: str, severity: str, write_tool: WriteTool
) -> None:
    [finding] = lint(write_tool(guide=guide))
    assert (finding.severity, finding.rule) == (severity, rule)
    assert finding.file == "tools/kb-search/guide.md"


def test_the_summary_is_the_first_line_that_is_no_heading() -> None:
    assert summary_of("# kb_search\n\n## More\n  First line. \nSecond.\n") == "First line."


@pytest.mark.parametrize("name", ["schema.json", "handler.py"])
def test_a_missing_file_is_named(name: str, write_tool: WriteTool) -> None:
    directory = write_tool()
    (directory / name).unlink()
    [finding] = lint(directory)
    assert (finding.rule, finding.file) == ("file-missing", f"tools/kb-search/{name}")


@pytest.mark.parametrize("schema", ["[]", "3", '"x"', "null"])
def test_a_contract_that_is_no_object_is_refused(schema: str, write_tool: WriteTool) -> None:
    [finding] = lint(write_tool(schema=schema))
    assert finding.rule == "schema-object"


def test_wrong_types_everywhere_give_findings_only(write_tool: WriteTool) -> None:
    fields = lint_tool(read_tool(write_tool())).schema
    assert fields is not None
    optional = ("risk", "execution", "timeoutMs", "interruption", "rateLimit", "availability")
    for value in (None, True, -1, 1.5, "x", [], [None], {}, {"x": None}):
        names = [*fields, *optional, "output", "redact", "variants", "catalogue"]
        names += ["isolation", "network"]
        schema = json.dumps(dict.fromkeys(names, value))
        assert any(f.severity == "error" for f in lint(write_tool(schema=schema)))


def test_an_id_that_two_directories_claim_is_reported_at_both() -> None:
    labels = [("a", "x/a"), ("b", "x/b"), ("a", "y/a")]
    findings = duplicate_ids(
        [ClaimedId(tool_id, "1.0.0", ToolSource("", label)) for tool_id, label in labels]
    )
    assert [(f.file, f.pointer) for f in findings] == [
        ("x/a/schema.json", "/toolId"),
        ("y/a/schema.json", "/toolId"),
    ]
    assert "y/a" in findings[0].message
    assert "x/a" in findings[1].message


# -- what nothing fits, and what nothing would hide ---------------------------------------------

NUMBER = {"type": "integer", "description": "A number."}


@pytest.mark.parametrize(
    "wrong",
    [
        {"type": "integer", "minimum": 5, "maximum": 3},
        {"type": "number", "exclusiveMinimum": 3, "maximum": 3},
        {"type": "integer", "exclusiveMinimum": 3, "exclusiveMaximum": 4},
        {"type": "integer", "minimum": 1, "maximum": 4, "multipleOf": 5},
        {"type": "string", "minLength": 5, "maxLength": 3},
        {"type": "array", "minItems": 2, "maxItems": 1},
        {"type": "array", "minItems": 1, "items": {"type": "string", "enum": [1]}},
        {"type": "string", "enum": [1, 2]},
        {"type": "string", "const": 5},
        {"enum": [1, 2], "minimum": 3},
        {"allOf": [{"type": "string"}, {"type": "integer"}]},
        {"allOf": [{"type": "integer", "minimum": 5}, {"maximum": 3}]},
        {
            "anyOf": [
                {"type": "string", "const": 1},
                {"type": "integer", "minimum": 2, "maximum": 1},
            ]
        },
        {"type": "object", "minProperties": 2, "maxProperties": 1},
        {"type": "object", "properties": {"a": False}, "required": ["a"]},
        {"$ref": "#/$defs/never"},
    ],
)
def test_a_tool_that_can_never_be_called_is_an_error(
    write_tool: WriteTool, wrong: dict[str, Any]
) -> None:
    wrong = {"description": "Never.", **wrong}
    never = {"never": {"type": "integer", "minimum": 2, "maximum": 1}}
    required = with_properties({"n": wrong}, required=["n"], **{"$defs": never})
    found = lint(write_tool(parameters=required))
    assert [f.rule for f in found if f.severity == "error"] == ["unsatisfiable"]
    [finding] = [f for f in found if f.severity == "error"]
    assert finding.pointer.startswith(("/parameters/properties/n", "/parameters/$defs/never"))
    assert "cannot be called" in finding.message
    # Where it may be left out, the tool can be called without it.
    optional = with_properties({"n": wrong}, **{"$defs": never})
    found = lint(write_tool(parameters=optional))
    assert {(f.severity, f.rule) for f in found} <= {("warning", "unsatisfiable")}


@pytest.mark.parametrize(
    "right",
    [
        {"type": "integer", "minimum": 3, "maximum": 3},
        {"type": "integer", "exclusiveMinimum": 3, "exclusiveMaximum": 5},
        {"type": "number", "exclusiveMinimum": 3, "exclusiveMaximum": 4},
        {"type": ["string", "integer"], "minLength": 5, "maxLength": 3},
        {"type": "array", "maxItems": 0, "items": {"type": "string", "enum": ["a"]}},
        {"type": "object", "properties": {"a": False, "b": {"type": "string", "not": {}}}},
        {"enum": [1, 5], "minimum": 3},
        {"type": "object", "properties": {"again": {"$ref": "#/$defs/tree"}}},
    ],
)
def test_what_some_value_fits_is_no_contradiction(
    write_tool: WriteTool, right: dict[str, Any]
) -> None:
    tree = {"tree": {"type": "object", "properties": {"again": {"$ref": "#/$defs/tree"}}}}
    parameters = with_properties(
        {"n": {"description": "Fine.", **right}}, required=["n"], **{"$defs": tree}
    )
    assert "unsatisfiable" not in {f.rule for f in lint(write_tool(parameters=parameters))}


def test_a_result_that_can_never_be_given_is_an_error(write_tool: WriteTool) -> None:
    output = {
        "type": "object",
        "properties": {"n": {"type": "integer", "minimum": 2, "maximum": 1}},
        "required": ["n"],
    }
    assert places(lint(write_tool(output=output))) == {
        ("error", "unsatisfiable", "/output/properties/n")
    }


@pytest.mark.parametrize(
    ("pointer", "meant"),
    [
        ("/ibann", "/iban"),
        ("/account/ibn", "/account/iban"),
        ("/people/*/emial", "/people/*/email"),
        ("/results/*/secrt", "/results/*/secret"),
        ("/nothing/like/it", None),
    ],
)
def test_a_pointer_that_would_hide_nothing_is_an_error(
    write_tool: WriteTool, pointer: str, meant: str | None
) -> None:
    text = {"type": "string", "description": "Text."}
    account = {"type": "object", "description": "One.", "properties": {"iban": text}}
    people = {
        "type": "array",
        "description": "Them.",
        "items": {"type": "object", "properties": {"email": text}},
    }
    results = {"type": "array", "items": {"type": "object", "properties": {"secret": text}}}
    contract = {
        "parameters": with_properties({"iban": text, "account": account, "people": people}),
        "output": {"type": "object", "properties": {"results": results}},
    }
    good = ["/iban", "/account/iban", "/people/*/email", "/people/0/email", "/results/*/secret"]
    assert lint(write_tool(redact=good, **contract)) == []
    [finding] = lint(write_tool(redact=[*good, pointer], **contract))
    assert (finding.severity, finding.rule, finding.pointer) == ("error", "redact", "/redact/5")
    if meant is not None:
        assert meant in finding.fix
