"""FastAPI endpoint from templates where they do all that is asked; code is always parsed."""

from __future__ import annotations

import ast
import json
import re
from typing import Any

from antiphon import ErrorType, ToolError, ok
from antiphon.toolkit import invalid

from .description import METHODS, EndpointRequest, parse_request
from .inspection import inspect_module, inspect_test
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
    if "code" in args:
        return ok(describe_written(framework, method, path, args["code"], args.get("test", "")))
    request = require_template(" ".join(args["description"].split()), method, path)
    # Python is written, not HTML, and every value is checked or quoted.
    templates = Environment(  # noqa: S701
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    templates.filters["quoted"] = json.dumps
    values = request.values()
    code = parse_code(templates.from_string(FRAMEWORKS[framework]).render(values))
    test = parse_code(templates.from_string(TEST).render(values))
    what = (
        f"all {request.plural}"
        if request.listing
        else f"{article(request.resource)} {request.resource}"
    )
    return ok(
        {
            "framework": framework,
            "method": request.method,
            "path": request.path,
            "resource": request.resource,
            "fields": [{"name": name, "type": kind} for name, kind, _, _ in request.fields],
            "code": code,
            "test": test,
            "files": [
                {"path": "main.py", "content": code},
                {"path": "test_main.py", "content": test},
            ],
            "by": "template",
            "run": "uvicorn main:app --reload",
            "summary": f"{request.method} {request.path} {DOES[request.method]} {what}.",
        }
    )


def require_template(description: str, method: str, path: str) -> EndpointRequest:
    """Return the request if a template covers it; raise PERMANENT with what none does."""
    request = parse_request(description, method, path)
    if not request.method:
        raise unsupported("it names nothing to list, get, create, update, replace or delete", ())
    if request.unknown:
        named = ", ".join(f"\u201c{word}\u201d" for word in request.unknown[:8])
        raise unsupported(f"no template does anything for {named}", request.unknown)
    return request


def unsupported(why: str, unknown: tuple[str, ...]) -> ToolError:
    return ToolError(
        ErrorType.PERMANENT,
        f"This cannot be made from templates: {why}. They list (with pages), get by id, create, "
        "update, replace and delete records of one kind with named fields, kept in memory. With "
        "the key of a model, generate_fastapi_endpoint writes any endpoint.",
        unknown=list(unknown),
        templates=["list", "get", "create", "update", "replace", "delete"],
    )


def describe_written(
    framework: str, method: str, path: str, code: str, test: str
) -> dict[str, Any]:
    """Check and describe a module that a model wrote; raise PERMANENT if it is unusable."""
    module = inspect_module(code, method, path)
    lines = code.strip().count("\n") + 1
    files = [{"path": "main.py", "content": code.strip() + "\n"}]
    if test.strip():
        files.append({"path": "test_main.py", "content": inspect_test(test)})
    return {
        "framework": framework,
        "method": module.method,
        "path": module.path,
        "resource": module.function,
        "fields": module.fields,
        "code": files[0]["content"],
        "test": files[1]["content"] if len(files) > 1 else "",
        "files": files,
        "by": "model",
        "run": f"uvicorn main:{module.app} --reload",
        "summary": f"{module.method} {module.path}, {lines} lines, written by the model.",
    }


def parse_code(text: str) -> str:
    """Return the code tidied; raise PERMANENT if it does not parse."""
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
