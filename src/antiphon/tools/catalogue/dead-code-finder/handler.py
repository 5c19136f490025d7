"""Dead code of a Python module: unused names, found in its syntax tree alone."""

from __future__ import annotations

import ast
import itertools
import re
from typing import Any

from antiphon import ok
from antiphon.toolkit.python_source import parse_python

MOST = 200
WORD = re.compile(r"[^\W\d]\w*")
ENDS = (ast.Return, ast.Raise, ast.Break, ast.Continue)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def execute(args: dict[str, Any], context: Any) -> Any:
    tree = parse_python(args["code"])
    used = used_names(tree)
    findings = [*imports(tree, used), *private(tree, used), *unreachable(tree)]
    for node in ast.walk(tree):
        if isinstance(node, FUNCTIONS):
            findings += inside(node)
    findings.sort(key=lambda one: (one["line"], one["name"]))
    count = len(findings)
    summary = (
        f"{count} finding{'' if count == 1 else 's'}." if count else "Nothing unused was found."
    )
    return ok({"findings": findings[:MOST], "count": count, "summary": summary})


def used_names(tree: ast.AST) -> set[str]:
    """Collect every name that is read: by attribute, in `__all__` and in annotations too."""
    used = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store):
            used.add(node.id)
        elif isinstance(node, ast.Attribute):
            used.add(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            # Annotations in quotes, and the names of `__all__`.
            used.update(WORD.findall(node.value[:200]))
    return used


def imports(tree: ast.Module, used: set[str]) -> list[dict[str, Any]]:
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                name = alias.asname or alias.name.partition(".")[0]
                # `import x as x` is how a module says that it passes a name on.
                if name not in used and alias.name != "*" and alias.asname != alias.name:
                    message = "is imported but never used; remove it."
                    found.append(finding("import", name, node.lineno, message, "high"))
    return found


def private(tree: ast.Module, used: set[str]) -> list[dict[str, Any]]:
    found = []
    for node in tree.body:
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            name = node.name
            if name.startswith("_") and not name.startswith("__") and name not in used:
                kind = "class" if isinstance(node, ast.ClassDef) else "function"
                message = "is private and never used in this module; remove it."
                found.append(finding(kind, name, node.lineno, message, "medium"))
    return found


def unreachable(tree: ast.AST) -> list[dict[str, Any]]:
    found = []
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if not isinstance(block, list):
                continue
            for before, after in itertools.pairwise(block):
                if isinstance(before, ENDS):
                    word = type(before).__name__.lower()
                    message = f"can never run: it comes after {word}."
                    found.append(finding("unreachable", word, after.lineno, message, "high"))
                    break
        if isinstance(node, ast.If) and isinstance(node.test, ast.Constant) and not node.test.value:
            message = "can never run: the condition is always false."
            found.append(finding("unreachable", "if", node.lineno, message, "high"))
    return found


def inside(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[dict[str, Any]]:
    read, stored, shared = set(), {}, set()
    for node in ast.walk(function):
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                stored.setdefault(node.id, node.lineno)
            else:
                read.add(node.id)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            shared.update(node.names)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            read.add(node.target.id)
    if "locals" in read:
        return []
    found = [
        finding("variable", name, line, "is assigned but never read.", "medium")
        for name, line in stored.items()
        if name not in read | shared and not name.startswith("_")
    ]
    arguments = function.args
    everyone = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    # A body that only raises or is empty is an interface; its arguments are the point.
    body = [n for n in function.body if not isinstance(n, ast.Expr | ast.Pass | ast.Raise)]
    if body and not function.decorator_list:
        found += [
            finding("argument", one.arg, one.lineno, "is never read in the function.", "low")
            for one in everyone
            if one.arg not in read and one.arg not in ("self", "cls") and one.arg[0] != "_"
        ]
    return found


def finding(kind: str, name: str, line: int, message: str, confidence: str) -> dict[str, Any]:
    return {
        "kind": kind,
        "name": name,
        "line": line,
        "message": message,
        "confidence": confidence,
    }
