"""Source of the generated test module, for pytest or unittest."""

from __future__ import annotations

import re
from typing import Any

from .sandbox_run import YIELDED
from .targets import CallCase, CallTarget

# The code uses files of its working directory: each test has one of its own.
FOLDER = """@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)"""
UNITTEST_FOLDER = """    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)"""


def write_module(targets: list[CallTarget], framework: str, module: str) -> tuple[str, int]:
    """Return the test module and the number of its test functions."""
    blocks: list[str] = []
    for target in targets:
        blocks += pytest_blocks(target) if framework == "pytest" else unittest_blocks(target)
    cases = [case for target in targets for case in target.cases]
    names = sorted({(t.owner or t.name) for t in targets}.union(*(case.names for case in cases)))
    body = "\n".join(blocks)
    lines = [f'"""Tests of {module}; expected values say what the code does today."""', ""]
    lines += ["from __future__ import annotations", ""]
    used = {name for name in ("asyncio", "itertools") if re.search(rf"\b{name}\.", body)}
    used = used.union(*(case.modules for case in cases))
    files = any(target.files for target in targets)
    if framework == "unittest":
        used |= {"unittest", *(("os", "tempfile") if files else ())}
    lines += [f"import {name}" for name in sorted(used)]
    if lines[-1]:
        lines.append("")
    if framework == "pytest" and (files or any(uses_pytest(target) for target in targets)):
        lines += ["import pytest", ""]
    if names:
        line = f"from {module} import {', '.join(names)}"
        if len(line) > 100:
            listed = "".join(f"    {name},\n" for name in names)
            line = f"from {module} import (\n{listed})"
        lines += [line, ""]
    count = len(blocks)
    if framework == "pytest":
        blocks = [FOLDER, *blocks] if files else blocks
        text = "\n".join(lines) + "\n\n" + "\n\n\n".join(blocks)
    else:
        blocks = [UNITTEST_FOLDER, *blocks] if files else blocks
        lines += ["", f"class Test{module.capitalize()}(unittest.TestCase):"]
        text = "\n".join(lines) + "\n" + "\n\n".join(blocks)
        text += '\n\n\nif __name__ == "__main__":\n    unittest.main()'
    return text.rstrip() + "\n", count


def needs_steps(target: CallTarget) -> bool:
    """Return whether the cases need several calls each, or compare more than a value."""
    return any(case.setup is not None or case.shape for case in target.cases)


def uses_pytest(target: CallTarget) -> bool:
    returned = [case for case in target.cases if case.error is None]
    several = len(returned) > 1 and not needs_steps(target)
    return several or len(returned) < len(target.cases)


def steps(target: CallTarget, case: CallCase, check: Checks) -> list[str]:
    """Return the statements of one case that ends with a value."""
    lines = [] if case.setup is None else [f"it = {target.owner}({joined(case.setup)})"]
    text = made_call(target, case)
    if case.shape is None:
        lines.append(check.equal(text, case.value or "None"))
    else:
        kind, length = case.shape
        lines += [f"result = {text}", check.isinstance(kind)]
        if length is not None:
            lines.append(check.equal("len(result)", str(length)))
    lines += [check.equal(f"it.{name}", value) for name, value in case.after.items()]
    return lines


def made_call(target: CallTarget, case: CallCase) -> str:
    if case.setup is None:
        return call(target, joined(case.arguments))
    text = f"it.{target.call}" + ("" if target.is_property else f"({joined(case.arguments)})")
    return wrap_call(target, text)


class Checks:
    """Assertions as pytest writes them."""

    def equal(self, text: str, value: str) -> str:
        return assertion(text, value)

    def isinstance(self, kind: str) -> str:
        return f"assert isinstance(result, {kind})"


class UnittestChecks(Checks):
    def equal(self, text: str, value: str) -> str:
        return f"self.assertEqual({text}, {value})"

    def isinstance(self, kind: str) -> str:
        return f"self.assertIsInstance(result, {kind})"


def label(target: CallTarget) -> str:
    spread = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", target.name.replace(".", "_"))
    return spread.lower()


def call(target: CallTarget, arguments: str) -> str:
    return wrap_call(target, f"{target.call}({arguments})")


def wrap_call(target: CallTarget, text: str) -> str:
    if target.yields == "first":
        return f"list(itertools.islice({text}, {YIELDED}))"
    if target.yields:
        return f"list({text})"
    return f"asyncio.run({text})" if target.is_async else text


def joined(arguments: list[Any]) -> str:
    return ", ".join(literal(argument) for argument in arguments)


def literal(value: Any) -> str:
    """Return an argument as source; sets are sorted, since each process orders them anew."""
    if isinstance(value, set):
        inner = ", ".join(sorted(map(repr, value)))
        return f"{{{inner}}}" if inner else "set()"
    return repr(value)


def assertion(text: str, value: str) -> str:
    if value in ("None", "True", "False"):
        return f"assert {text} is {value}"
    return f"assert {text} == {value}"


def pytest_blocks(target: CallTarget) -> list[str]:
    blocks = []
    returned = [case for case in target.cases if case.error is None]
    if returned and needs_steps(target):
        body = "\n".join(
            f"    {line}" for case in returned for line in steps(target, case, Checks())
        )
        blocks.append(f"def test_{label(target)}():\n{body}")
    elif len(returned) > 1 and returned[0].arguments:
        rows = "\n".join(
            f"        ({', '.join([*map(literal, case.arguments), case.value])}),"
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
        text = assertion(call(target, joined(returned[0].arguments)), returned[0].value or "None")
        blocks.append(f"def test_{label(target)}():\n    {text}")
    blocks += error_blocks(target, "    with pytest.raises({error}):\n        {call}", "")
    if target.examples:
        lines = "\n".join(f"    assert {source} == {want}" for source, want in target.examples)
        blocks.append(f"def test_{label(target)}_as_documented():\n{lines}")
    return blocks


def error_blocks(target: CallTarget, pattern: str, indent: str) -> list[str]:
    by_error: dict[str, list[CallCase]] = {}
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
        name = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", error.rpartition(".")[2]).lower()
        blocks.append(f"{indent}def test_{label(target)}_raises_{name}({self}):\n{body}")
    return blocks


def setup_line(target: CallTarget, case: CallCase, indent: str) -> str:
    if case.setup is None:
        return ""
    return f"{indent}    it = {target.owner}({joined(case.setup)})\n"


def unittest_blocks(target: CallTarget) -> list[str]:
    blocks = []
    returned = [case for case in target.cases if case.error is None]
    if returned:
        check = UnittestChecks()
        body = "\n".join(
            f"        {line}" for case in returned for line in steps(target, case, check)
        )
        blocks.append(f"    def test_{label(target)}(self):\n{body}")
    pattern = "        with self.assertRaises({error}):\n            {call}"
    blocks += error_blocks(target, pattern, "    ")
    if target.examples:
        lines = "\n".join(
            f"        self.assertEqual({source}, {want})" for source, want in target.examples
        )
        blocks.append(f"    def test_{label(target)}_as_documented(self):\n{lines}")
    return blocks
