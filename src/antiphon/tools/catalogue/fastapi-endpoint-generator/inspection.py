"""Inspection of an endpoint that somebody else wrote: its routes and fields, by the syntax tree."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from antiphon import ErrorType, ToolError

ROUTES = ("get", "post", "put", "patch", "delete", "websocket", "websocket_route", "route")
APPS = ("FastAPI", "Starlette", "APIRouter")


@dataclass(frozen=True)
class EndpointModule:
    """First route of a module, and the fields of its first model."""

    method: str
    path: str
    function: str
    app: str
    fields: list[dict[str, str]]


def inspect_module(code: str, method: str, path: str) -> EndpointModule:
    """Inspect a module; raise PERMANENT if it is none with such a route."""
    tree = _tree(code, "module")
    apps = [
        node.targets[0].id
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Call)
        and _name(node.value.func) in APPS
    ]
    if not apps:
        raise _unusable("it makes no FastAPI, Starlette or APIRouter")
    routes = [route for node in ast.walk(tree) for route in _routes(node)]
    wanted = [
        route
        for route in routes
        if (not method or route[0] in (method, "ROUTE")) and (not path or route[1] == path)
    ]
    if not wanted:
        asked = " ".join(filter(None, (method, path)))
        raise _unusable(f"it has no route {asked}" if asked else "it has no route")
    found_method, found_path, function = wanted[0]
    return EndpointModule(found_method, found_path, function, apps[0], _fields(tree))


def inspect_test(code: str) -> str:
    tree = _tree(code, "test")
    tests = [n for n in ast.walk(tree) if getattr(n, "name", "").startswith("test_")]
    if not tests:
        raise _unusable("its test has no function test_…")
    return code.strip() + "\n"


def _tree(code: str, what: str) -> ast.Module:
    try:
        return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        where = f" (line {line})" if line else ""
        raise _unusable(f"the {what} is no Python{where}") from None


def _routes(node: ast.AST) -> list[tuple[str, str, str]]:
    """Yield method, path and function of each route, by decorator or `Route` in a list."""
    found = []
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        for each in node.decorator_list:
            if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute):
                place = _text(each)
                if each.func.attr in ROUTES and place is not None:
                    found.append((each.func.attr.removesuffix("_route").upper(), place, node.name))
    if isinstance(node, ast.Call) and _name(node.func) in ("Route", "WebSocketRoute"):
        place = _text(node)
        if place is not None:
            method = "WEBSOCKET" if _name(node.func) == "WebSocketRoute" else "ROUTE"
            target = node.args[1] if len(node.args) > 1 else None
            found.append((method, place, _name(target) if target is not None else ""))
    return found


def _text(call: ast.Call) -> str | None:
    first = call.args[0] if call.args else None
    if isinstance(first, ast.Constant) and isinstance(first.value, str):
        return first.value
    return None


def _name(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _fields(tree: ast.Module) -> list[dict[str, str]]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and any(_name(b) == "BaseModel" for b in node.bases):
            return [
                {"name": each.target.id, "type": ast.unparse(each.annotation)}
                for each in node.body
                if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
            ]
    return []


def _unusable(why: str) -> ToolError:
    return ToolError(ErrorType.PERMANENT, f"The code cannot be used: {why}.")
