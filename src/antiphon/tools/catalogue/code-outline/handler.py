"""Outline of declarations: Python by its syntax tree, JavaScript by its lines."""

from __future__ import annotations

import ast
import re
from typing import Any

from antiphon import ToolError, ok
from antiphon.toolkit import invalid
from antiphon.toolkit.python_source import parse_python, source_text

MOST = 500
DECLARATION = re.compile(
    r"^(?P<indent>\s{0,40})(?:export\s+(?:default\s+)?)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?"
    r"(?P<kind>class|function\*?|interface|type|enum|const|let|var)\s+(?P<name>[\w$]{1,100})"
)
METHOD = re.compile(
    r"^\s{1,40}(?:public |private |protected |static |async |readonly |get |set |override )*"
    r"(?P<name>[#\w$]{1,100})\s*(?:<[^>]{0,100}>)?\([^;]{0,300}\)[^;=]{0,200}\{\s*$"
)
IMPORT = re.compile(r"""(?:\bfrom|\bimport\s*+\(?|\brequire\s*+\()\s*+["']([^"'\n]{1,300})["']""")
SCRIPT = re.compile(r"\b(?:const|let|var|function|interface)\s+[\w$]|=>|\brequire\(", re.MULTILINE)
NOT_METHODS = {"if", "for", "while", "switch", "catch", "function", "return", "with"}


def execute(args: dict[str, Any], context: Any) -> Any:
    code = source_text(args["code"])
    language = args.get("language")
    if language in (None, "python"):
        try:
            symbols, imports = python(parse_python(code))
            language = "python"
        except RecursionError:
            raise invalid("/code", "is nested too deeply to be read.") from None
        except ToolError:
            if language or not SCRIPT.search(code):
                raise
    if language != "python":
        symbols, imports = script(code)
        language = language or "javascript"
    return ok(
        {
            "language": language,
            "symbols": symbols[:MOST],
            "imports": list(dict.fromkeys(imports))[:MOST],
            "count": len(symbols),
        }
    )


def python(tree: ast.Module) -> tuple[list[dict[str, Any]], list[str]]:
    symbols: list[dict[str, Any]] = []
    imports = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imports += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            imports.append("." * node.level + (node.module or ""))
    collect(tree.body, "", symbols)
    return symbols, imports


def collect(body: list[ast.stmt], owner: str, symbols: list[dict[str, Any]]) -> None:
    for node in body:
        if isinstance(node, ast.ClassDef):
            bases = ", ".join(ast.unparse(base) for base in node.bases)
            text = f"class {node.name}({bases})" if bases else f"class {node.name}"
            symbols.append(python_symbol("class", owner + node.name, node, text))
            collect(node.body, f"{owner}{node.name}.", symbols)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            start = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
            returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
            text = f"{start} {node.name}({ast.unparse(node.args)}){returns}"
            symbols.append(
                python_symbol("method" if owner else "function", owner + node.name, node, text)
            )
        elif isinstance(node, ast.Assign | ast.AnnAssign) and not owner:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, ast.Name):
                    text = ast.unparse(node)[:200]
                    symbols.append(python_symbol("variable", target.id, node, text))


def python_symbol(kind: str, name: str, node: Any, text: str) -> dict[str, Any]:
    body = {
        "kind": kind,
        "name": name,
        "line": node.lineno,
        "signature": text[:500],
        "public": not name.rpartition(".")[2].startswith("_"),
    }
    if not isinstance(node, ast.Assign | ast.AnnAssign) and (doc := ast.get_docstring(node)):
        body["doc"] = doc.split("\n")[0][:300]
    return body


def script(code: str) -> tuple[list[dict[str, Any]], list[str]]:
    symbols: list[dict[str, Any]] = []
    imports: list[str] = []
    owner = ""
    for number, line in enumerate(code.split("\n"), start=1):
        line = line[:2000]
        imports += IMPORT.findall(line)
        found = DECLARATION.match(line)
        if found and not (found["indent"] and found["kind"] in ("const", "let", "var")):
            kind = found["kind"].rstrip("*")
            is_function = kind in ("const", "let", "var") and "=>" in line
            kind = "function" if is_function else kind
            kind = "variable" if kind in ("const", "let", "var") else kind
            owner = found["name"] if kind == "class" and not found["indent"] else owner
            owner = "" if kind != "class" and not found["indent"] else owner
            symbols.append(script_symbol(kind, found["name"], number, line))
        elif owner and (method := METHOD.match(line)) and method["name"] not in NOT_METHODS:
            symbols.append(script_symbol("method", f"{owner}.{method['name']}", number, line))
        elif line.startswith("}"):
            owner = ""
    return symbols, imports


def script_symbol(kind: str, name: str, number: int, line: str) -> dict[str, Any]:
    return {
        "kind": kind,
        "name": name,
        "line": number,
        "signature": line.strip().rstrip("{").strip()[:500],
        "public": not name.rpartition(".")[2].startswith(("_", "#")),
    }
