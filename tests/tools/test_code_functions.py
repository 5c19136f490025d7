"""The functions of VOX that stand on the catalogue: same parameters, same answers, same errors."""

from __future__ import annotations

from typing import Any

import pytest
from tests.shipped import shipped_registry
from tests.tools.catalogue_world import call, run, within

FUNCTIONS = {
    "generate_react_component": "react_component_generator",
    "generate_fastapi_endpoint": "fastapi_endpoint_generator",
    "scan_code_security": "security_scanner",
    "analyze_code_complexity": "complexity_scorer",
    "generate_tests": "pytest_generator",
}
GENERATORS = ("react_component_generator", "fastapi_endpoint_generator")
ARGUMENTS: dict[str, dict[str, Any]] = {
    "generate_react_component": {"name": "clicks", "description": "a counter"},
    "generate_fastapi_endpoint": {"description": "list users"},
    "scan_code_security": {"code": "eval(x)"},
    "analyze_code_complexity": {"code": "def f(): pass"},
    "generate_tests": {"code": "def f(): return 1"},
}
PARAMETERS = {
    "generate_react_component": (["name", "description"], ["framework", "features"]),
    "generate_fastapi_endpoint": (["description"], ["method", "path", "framework"]),
    "scan_code_security": (["code"], ["language"]),
    "analyze_code_complexity": (["code"], ["language"]),
    "generate_tests": (["code"], ["framework", "style"]),
    "run_tool": (["tool_id"], ["params"]),
    "list_tools": ([], []),
}


@pytest.mark.parametrize("function", PARAMETERS)
def test_parameters_are_the_documented_ones(function: str) -> None:
    schema = shipped_registry().tools[function].definition.parameters
    required, optional = PARAMETERS[function]
    assert schema.get("required", []) == required
    assert list(schema["properties"]) == [*required, *optional]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("mode", ["text", "voice"])
def test_each_function_answers_as_its_tool_does(function: str, mode: str) -> None:
    args = ARGUMENTS[function]
    answer = call(function, mode, **args)
    assert answer["ok"], answer["error"]
    assert answer["data"] == run(FUNCTIONS[function], **args)["data"]["result"]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_parameters_and_output_are_those_of_the_tool(function: str) -> None:
    tools = shipped_registry().tools
    own, other = tools[function].definition, tools[FUNCTIONS[function]].definition
    # Those of the generators check code of others, which is no matter of the function.
    shared = {
        name: schema
        for name, schema in other.parameters["properties"].items()
        if not (FUNCTIONS[function] in GENERATORS and name in ("code", "test"))
    }
    assert own.parameters["properties"] == shared
    assert own.parameters["required"] == other.parameters["required"]
    assert own.output == other.output


def test_errors_come_through_whole() -> None:
    error = call("scan_code_security", code="def f(:", language="python")["error"]
    assert (error["type"], error["line"], error["column"]) == ("VALIDATION", 1, 7)


def test_a_function_works_in_a_profile_that_does_not_declare_its_tool() -> None:
    async def scenario(call: Any) -> Any:
        return await call("generate_tests", code="def f(): return 1")

    assert within(scenario, toolset=frozenset({"generate_tests"}))["ok"]
