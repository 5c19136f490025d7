"""Writes the cases down as a test module for pytest or unittest."""

from __future__ import annotations

import builtins
import re
from typing import Any

from .targets import Case, Target


def written(targets: list[Target], framework: str, module: str) -> tuple[str, int]:
    """The test module, and how many test functions it has."""
    blocks: list[str] = []
    for target in targets:
        blocks += pytest_blocks(target) if framework == "pytest" else unittest_blocks(target)
    names = sorted({(t.owner or t.name) for t in targets} | own_errors(targets))
    lines = [f'"""Tests of {module}; expected values say what the code does today."""', ""]
    lines += ["from __future__ import annotations", ""]
    if any(target.is_async for target in targets):
        lines.append("import asyncio")
    if framework == "unittest":
        lines.append("import unittest")
    if lines[-1]:
        lines.append("")
    if framework == "pytest" and any(uses_pytest(target) for target in targets):
        lines += ["import pytest", ""]
    if names:
        line = f"from {module} import {', '.join(names)}"
        if len(line) > 100:
            listed = "".join(f"    {name},\n" for name in names)
            line = f"from {module} import (\n{listed})"
        lines += [line, ""]
    if framework == "pytest":
        text = "\n".join(lines) + "\n\n" + "\n\n\n".join(blocks)
    else:
        lines += ["", f"class Test{module.capitalize()}(unittest.TestCase):"]
        text = "\n".join(lines) + "\n" + "\n\n".join(blocks)
        text += '\n\n\nif __name__ == "__main__":\n    unittest.main()'
    return text.rstrip() + "\n", len(blocks)


def own_errors(targets: list[Target]) -> set[str]:
    """Exceptions of the tested module itself; the others are built in."""
    names = {case.error for target in targets for case in target.cases if case.error}
    return {name for name in names if not hasattr(builtins, name)}


def uses_pytest(target: Target) -> bool:
    returned = [case for case in target.cases if case.error is None]
    return len(returned) > 1 or len(returned) < len(target.cases)


def label(target: Target) -> str:
    spread = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", target.name.replace(".", "_"))
    return spread.lower()


def call(target: Target, arguments: str) -> str:
    text = f"{target.call}({arguments})"
    return f"asyncio.run({text})" if target.is_async else text


def joined(arguments: list[Any]) -> str:
    return ", ".join(literal(argument) for argument in arguments)


def literal(value: Any) -> str:
    if isinstance(value, set):
        inner = ", ".join(sorted(literal(item) for item in value))
        return f"{{{inner}}}" if inner else "set()"
    if isinstance(value, float):
        special = {"inf": 'float("inf")', "-inf": 'float("-inf")', "nan": 'float("nan")'}
        return special.get(repr(value), repr(value))
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(literal, value)) + ("," if len(value) == 1 else "") + ")"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(k)}: {literal(v)}" for k, v in value.items()) + "}"
    if isinstance(value, range):
        return repr(value)
    return repr(value)


def asserted(text: str, value: Any) -> str:
    if value is None or isinstance(value, bool):
        return f"assert {text} is {value!r}"
    return f"assert {text} == {literal(value)}"


def pytest_blocks(target: Target) -> list[str]:
    blocks = []
    returned = [case for case in target.cases if case.error is None]
    if len(returned) > 1 and returned[0].arguments:
        rows = "\n".join(
            f"        ({', '.join([*map(literal, case.arguments), literal(case.value)])}),"
            for case in returned
        )
        names = target.parameters
        result = "expected" if "expected" not in names else "expected_result"
        listed = ", ".join(f'"{name}"' for name in [*names, result])
        blocks.append(
            f"@pytest.mark.parametrize(\n    ({listed}),\n    [\n{rows}\n    ],\n)\n"
            f"def test_{label(target)}({', '.join([*names, result])}):\n"
            f"    assert {call(target, ', '.join(names))} == {result}"
        )
    elif returned:
        text = asserted(call(target, joined(returned[0].arguments)), returned[0].value)
        blocks.append(f"def test_{label(target)}():\n    {text}")
    blocks += raising(target, "    with pytest.raises({error}):\n        {call}", "")
    if target.examples:
        lines = "\n".join(f"    assert {source} == {want}" for source, want in target.examples)
        blocks.append(f"def test_{label(target)}_as_documented():\n{lines}")
    return blocks


def raising(target: Target, pattern: str, indent: str) -> list[str]:
    by_error: dict[str, list[Case]] = {}
    for case in target.cases:
        if case.error:
            by_error.setdefault(case.error, []).append(case)
    blocks = []
    self = "self" if indent else ""
    for error, cases in by_error.items():
        body = "\n".join(
            pattern.format(error=error, call=call(target, joined(case.arguments))) for case in cases
        )
        name = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", error).lower()
        blocks.append(f"{indent}def test_{label(target)}_raises_{name}({self}):\n{body}")
    return blocks


def unittest_blocks(target: Target) -> list[str]:
    blocks = []
    returned = [case for case in target.cases if case.error is None]
    if returned:
        body = "\n".join(
            f"        self.assertEqual({text}, {literal(case.value)})"
            for case in returned
            for text in [call(target, joined(case.arguments))]
        )
        blocks.append(f"    def test_{label(target)}(self):\n{body}")
    pattern = "        with self.assertRaises({error}):\n            {call}"
    blocks += raising(target, pattern, "    ")
    if target.examples:
        lines = "\n".join(
            f"        self.assertEqual({source}, {want})" for source, want in target.examples
        )
        blocks.append(f"    def test_{label(target)}_as_documented(self):\n{lines}")
    return blocks
