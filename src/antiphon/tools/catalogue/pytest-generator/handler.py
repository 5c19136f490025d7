"""Test generator: the code runs in a sandbox, and what it does becomes the tests."""

from __future__ import annotations

import ast
from typing import Any

from antiphon import ErrorType, ToolError, ok
from antiphon.toolkit import invalid
from antiphon.toolkit.python_source import parse_python, source_text

from .targets import CallTarget, select_cases, targets_in
from .test_source import write_module
from .trials import try_out

STYLES = {"basic": 1, "parametrized": 4, "thorough": 12}
STYLE_NAMES = {"parametrize": "parametrized", "parameterized": "parametrized", "simple": "basic"}
MODULE = "subject"
# Calls that end a module while it is imported, or wait for somebody.
ENDING = {"sys.exit", "exit", "quit", "os._exit", "os.abort", "input"}


def execute(args: dict[str, Any], context: Any) -> Any:
    framework = args.get("framework", "pytest").strip().casefold()
    if framework not in ("pytest", "unittest"):
        raise invalid("/framework", f"{framework[:40]!r} is not known; use pytest or unittest.")
    style = args.get("style", "parametrized").strip().casefold()
    style = STYLE_NAMES.get(style, style)
    if style not in STYLES:
        raise invalid("/style", f"{style[:40]!r} is not known; use {', '.join(STYLES)}.")
    tree = parse_python(args["code"])
    check_import(tree)
    try:
        targets = targets_in(tree)
    except RecursionError:
        raise invalid("/code", "is nested too deeply to be read.") from None
    if targets:
        try_out(source_text(args["code"]), targets, context)
    for target in targets:
        select_cases(target, STYLES[style])
    covered = [target for target in targets if target.cases or target.examples]
    skipped = [
        {"name": target.name, "reason": target.reason or "no call of it could be tested"}
        for target in targets
        if not target.cases and not target.examples
    ]
    if not targets:
        raise invalid("/code", "holds no public function or class to test.")
    if not covered:
        listed = "; ".join(f"{one['name']}: {one['reason']}" for one in skipped[:5])
        raise invalid("/code", f"has nothing that a test could be written for: {listed}.")
    code, count = write_module(covered, framework, MODULE)
    check(code)
    return ok(
        {
            "framework": framework,
            "style": style,
            "module": MODULE,
            "code": code,
            "files": [
                {"path": f"{MODULE}.py", "content": args["code"]},
                {"path": f"test_{MODULE}.py", "content": code},
            ],
            "tests": count,
            "covered": [target.name for target in covered],
            "skipped": skipped,
            "run": "pytest" if framework == "pytest" else "python -m unittest",
            "summary": summary(count, covered, skipped),
        }
    )


def check_import(tree: ast.Module) -> None:
    """Raise the error of `/code` if importing the module would exit or wait for input."""
    todo: list[ast.AST] = list(tree.body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and "__name__" in ast.unparse(node.test):
            continue  # for whoever runs it as a program
        what = ""
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ENDING:
            what = f"{ast.unparse(node.func)}()"
        elif isinstance(node, ast.Raise) and node.exc is not None:
            what = "raise SystemExit" if "SystemExit" in ast.unparse(node.exc) else ""
        if what:
            line = getattr(node, "lineno", 1)
            message = (
                f"calls {what} as soon as it is imported (line {line}), so no test could import "
                'it. Put that under `if __name__ == "__main__":`.'
            )
            raise ToolError(ErrorType.VALIDATION, f"/code: {message}", pointer="/code", line=line)
        todo += ast.iter_child_nodes(node)


def check(code: str) -> None:
    try:
        ast.parse(code)
    except SyntaxError as error:
        message = f"The generated tests do not parse (line {error.lineno})."
        raise ToolError(ErrorType.PERMANENT, message) from None


def summary(count: int, covered: list[CallTarget], skipped: list[dict[str, str]]) -> str:
    tests = f"{count} test{'' if count == 1 else 's'}"
    functions = f"{len(covered)} function{'' if len(covered) == 1 else 's'}"
    rest = f"; {len(skipped)} skipped" if skipped else ""
    return f"{tests} for {functions}{rest}."
