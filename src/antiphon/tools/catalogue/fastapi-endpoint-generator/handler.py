"""Generates an endpoint from templates; the code is parsed before it is returned."""

from __future__ import annotations

import ast
import json
import re
from typing import Any

from antiphon import ErrorType, ToolError, ok

from .reading import METHODS, read_wish
from .templates import FASTAPI, STARLETTE, TEST

FRAMEWORKS = {"fastapi": FASTAPI, "starlette": STARLETTE}
DOES = {
    "GET": "returns", "POST": "creates", "PUT": "replaces", "PATCH": "changes", "DELETE": "deletes",
}  # fmt: skip


def execute(args: dict[str, Any], context: Any) -> Any:
    from jinja2 import Environment, StrictUndefined

    framework = args.get("framework", "fastapi").strip().casefold().replace(" ", "")
    if framework not in FRAMEWORKS:
        message = f"{args['framework'].strip()[:40]!r} is not known; use fastapi or starlette."
        raise invalid("/framework", message)
    method = args.get("method", "").strip().upper()
    if method and method not in METHODS:
        raise invalid("/method", f"{method[:10]!r} is no method; use {', '.join(METHODS)}.")
    path = args.get("path", "").strip()
    check_path(path)
    wish = read_wish(" ".join(args["description"].split()), method, path)
    # Python is written, not HTML, and every value is checked or quoted.
    templates = Environment(  # noqa: S701
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    templates.filters["quoted"] = json.dumps
    values = wish.values()
    code = parsed(templates.from_string(FRAMEWORKS[framework]).render(values))
    test = parsed(templates.from_string(TEST).render(values))
    what = f"all {wish.plural}" if wish.listing else f"{article(wish.resource)} {wish.resource}"
    return ok(
        {
            "framework": framework,
            "method": wish.method,
            "path": wish.path,
            "resource": wish.resource,
            "fields": [{"name": name, "type": kind} for name, kind, _, _ in wish.fields],
            "code": code,
            "test": test,
            "files": [
                {"path": "main.py", "content": code},
                {"path": "test_main.py", "content": test},
            ],
            "run": "uvicorn main:app --reload",
            "summary": f"{wish.method} {wish.path} {DOES[wish.method]} {what}.",
        }
    )


def parsed(text: str) -> str:
    """The code, tidied. What does not parse never leaves."""
    code = re.sub(r"\n{4,}", "\n\n\n", text).strip() + "\n"
    try:
        ast.parse(code)
    except SyntaxError as error:
        message = f"The generated code does not parse (line {error.lineno}); describe it otherwise."
        raise ToolError(ErrorType.PERMANENT, message) from None
    return code


def check_path(path: str) -> None:
    if not path:
        return
    if not re.fullmatch(r"(?:/(?:[\w.~-]+|\{[A-Za-z_]\w*\})?)+", path, re.ASCII):
        message = f"{path[:80]!r} is no path; write it like /orders/{{order_id}}."
        raise invalid("/path", message)
    names = re.findall(r"\{(\w+)\}", path)
    if len(names) != len(set(names)):
        raise invalid("/path", "names a parameter twice.")


def article(word: str) -> str:
    return "an" if word[:1] in "aeiou" else "a"


def invalid(pointer: str, message: str) -> ToolError:
    return ToolError(ErrorType.VALIDATION, f"{pointer}: {message}", pointer=pointer)
