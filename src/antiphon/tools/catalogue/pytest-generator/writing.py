"""Writes the cases down as a test module for pytest or unittest."""

from __future__ import annotations

import builtins
import re
from typing import Any

from .interpreter import YIELDED
from .objects import Instance
from .targets import Case, Target


def written(targets: list[Target], framework: str, module: str) -> tuple[str, int]:
    """The test module, and how many test functions it has."""
    blocks: list[str] = []
    for target in targets:
        blocks += pytest_blocks(target) if framework == "pytest" else unittest_blocks(target)
    names = sorted(
        {(t.owner or t.name) for t in targets} | own_errors(targets) | own_types(targets)
    )
    body = "\n".join(blocks)
    lines = [f'"""Tests of {module}; expected values say what the code does today."""', ""]
    lines += ["from __future__ import annotations", ""]
    used = ("asyncio", "datetime", "itertools")
    lines += [f"import {name}" for name in used if re.search(rf"\b{name}\.", body)]
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


def own_types(targets: list[Target]) -> set[str]:
    """Classes of the tested module that expected values are of."""
    found: set[str] = set()

    def look(value: Any) -> None:
        if isinstance(value, Instance):
            found.add(value.kind.name)
            look(list(value.fields.values()))
        elif isinstance(value, list | tuple | set):
            for item in value:
                look(item)
        elif isinstance(value, dict):
            look(list(value.values()))

    for target in targets:
        for case in target.cases:
            look([case.value, case.setup, case.arguments, case.after])
            if case.shape and case.shape[0][0].isupper():
                found.add(case.shape[0])
    return found


def stepwise(target: Target) -> bool:
    """Whether its cases need more than one call each, or compare more than a value."""
    return any(case.setup is not None or case.shape for case in target.cases)


def uses_pytest(target: Target) -> bool:
    returned = [case for case in target.cases if case.error is None]
    several = len(returned) > 1 and not stepwise(target)
    return several or len(returned) < len(target.cases)


def steps(target: Target, case: Case, check: Checks) -> list[str]:
    """The statements of one case that ends with a value."""
    lines = [] if case.setup is None else [f"it = {target.owner}({joined(case.setup)})"]
    text = made_call(target, case)
    if case.shape is None:
        lines.append(check.equal(text, case.value))
    else:
        kind, length = case.shape
        lines += [f"result = {text}", check.isinstance(kind)]
        if length is not None:
            lines.append(check.equal("len(result)", length))
    lines += [check.equal(f"it.{name}", value) for name, value in case.after.items()]
    return lines


def made_call(target: Target, case: Case) -> str:
    if case.setup is None:
        return call(target, joined(case.arguments))
    text = f"it.{target.call}" + ("" if target.is_property else f"({joined(case.arguments)})")
    return wrapped(target, text)


class Checks:
    """How a framework says what has to be."""

    def equal(self, text: str, value: Any) -> str:
        return asserted(text, value)

    def isinstance(self, kind: str) -> str:
        return f"assert isinstance(result, {kind})"


class UnittestChecks(Checks):
    def equal(self, text: str, value: Any) -> str:
        return f"self.assertEqual({text}, {literal(value)})"

    def isinstance(self, kind: str) -> str:
        return f"self.assertIsInstance(result, {kind})"


def label(target: Target) -> str:
    spread = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", target.name.replace(".", "_"))
    return spread.lower()


def call(target: Target, arguments: str) -> str:
    return wrapped(target, f"{target.call}({arguments})")


def wrapped(target: Target, text: str) -> str:
    if target.yields == "first":
        return f"list(itertools.islice({text}, {YIELDED}))"
    if target.yields:
        return f"list({text})"
    return f"asyncio.run({text})" if target.is_async else text


def joined(arguments: list[Any]) -> str:
    return ", ".join(literal(argument) for argument in arguments)


def literal(value: Any) -> str:
    if isinstance(value, Instance):
        given = ", ".join(f"{name}={literal(item)}" for name, item in value.fields.items())
        return f"{value.kind.name}({given})"
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
    if returned and stepwise(target):
        body = "\n".join(
            f"    {line}" for case in returned for line in steps(target, case, Checks())
        )
        blocks.append(f"def test_{label(target)}():\n{body}")
    elif len(returned) > 1 and returned[0].arguments:
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
            setup_line(target, case, indent)
            + pattern.format(error=error, call=made_call(target, case))
            for case in cases
        )
        name = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", error).lower()
        blocks.append(f"{indent}def test_{label(target)}_raises_{name}({self}):\n{body}")
    return blocks


def setup_line(target: Target, case: Case, indent: str) -> str:
    if case.setup is None:
        return ""
    return f"{indent}    it = {target.owner}({joined(case.setup)})\n"


def unittest_blocks(target: Target) -> list[str]:
    blocks = []
    returned = [case for case in target.cases if case.error is None]
    if returned:
        check = UnittestChecks()
        body = "\n".join(
            f"        {line}" for case in returned for line in steps(target, case, check)
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
