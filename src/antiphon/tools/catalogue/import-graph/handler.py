"""Import graph of Python modules, with its cycles, from their sources."""

from __future__ import annotations

import ast
import sys
import warnings
from typing import Any

from antiphon import ok
from antiphon.toolkit import invalid


def execute(args: dict[str, Any], context: Any) -> Any:
    sources: dict[str, str] = args["modules"]
    known = {name.removesuffix(".__init__"): name for name in sources}
    graph: dict[str, list[str]] = {}
    outside: set[str] = set()
    for name, code in sources.items():
        inner: dict[str, None] = {}
        for target in find_imports(name, code):
            own = resolve_module(target, known)
            if own is None:
                outside.add(target.partition(".")[0])
            elif known[own] != name:
                inner[known[own]] = None
        graph[name] = list(inner)
    packages = {name.partition(".")[0] for name in known}
    outside -= packages | {""}
    cycles = find_cycles(graph)
    return ok(
        {
            "modules": graph,
            "standard": sorted(outside & sys.stdlib_module_names),
            "third_party": sorted(outside - sys.stdlib_module_names),
            "cycles": cycles,
            "order": [] if cycles else order_modules(graph),
            "mermaid": mermaid(graph),
        }
    )


def find_imports(name: str, code: str) -> list[str]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code)
    except SyntaxError as error:
        message = f"is no valid Python: {error.msg} (line {error.lineno})."
        raise invalid(pointer_of(name), message) from None
    except (ValueError, RecursionError, MemoryError):
        raise invalid(pointer_of(name), "is binary data or nested too deeply.") from None
    package = name.split(".")
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: -node.level] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            found += [f"{module}.{alias.name}" if module else alias.name for alias in node.names]
    return found


def resolve_module(target: str, known: dict[str, str]) -> str | None:
    """Return the given module that a dotted name resolves to: itself or the one that holds it."""
    while target:
        if target in known:
            return target
        target = target.rpartition(".")[0]
    return None


def find_cycles(graph: dict[str, list[str]]) -> list[list[str]]:
    import networkx

    directed = networkx.DiGraph([(name, other) for name in graph for other in graph[name]])
    found = networkx.strongly_connected_components(directed)
    return sorted(sorted(part) for part in found if len(part) > 1)


def order_modules(graph: dict[str, list[str]]) -> list[str]:
    done: dict[str, None] = {}
    waiting = sorted(graph)
    while waiting:
        ready = [name for name in waiting if all(other in done for other in graph[name])]
        done |= dict.fromkeys(ready)
        waiting = [name for name in waiting if name not in done]
    return list(done)


def mermaid(graph: dict[str, list[str]]) -> str:
    numbers = {name: f"m{index}" for index, name in enumerate(graph)}
    lines = ["flowchart LR"]
    lines += [f'  {number}["{name.replace(chr(34), "")}"]' for name, number in numbers.items()]
    lines += [f"  {numbers[a]} --> {numbers[b]}" for a in graph for b in graph[a]]
    return "\n".join(lines)


def pointer_of(name: str) -> str:
    """Return the JSON pointer of a module in the arguments."""
    return "/modules/" + name.replace("~", "~0").replace("/", "~1")
