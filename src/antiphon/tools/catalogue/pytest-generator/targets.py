"""Finds what can be tested in a module, and works out cases for it."""

from __future__ import annotations

import ast
import doctest
import itertools
from dataclasses import dataclass, field
from typing import Any

from .interpreter import Interpreter, Raised, Unknown
from .samples import samples_for

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# What a call of these does depends on more than the arguments, or is seen outside.
OUTSIDE = {
    "open", "input", "print", "exec", "eval", "compile", "requests", "httpx", "urllib", "socket",
    "subprocess", "shutil", "random", "secrets", "uuid", "time", "datetime", "os", "sys", "sqlite3",
    "pathlib", "Path", "asyncio", "threading", "logging", "tempfile",
}  # fmt: skip
MOST = 60
# Of all functions together: about two seconds.
ALL_STEPS = 600_000


@dataclass
class Case:
    """One call: its arguments, and what it returns (`value`) or raises (`error`)."""

    arguments: list[Any]
    value: Any = None
    error: str | None = None


@dataclass
class Target:
    """A function, or a method of a class that can be made without arguments."""

    name: str
    call: str
    is_async: bool = False
    owner: str | None = None
    parameters: list[str] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)
    examples: list[tuple[str, str]] = field(default_factory=list)
    reason: str = ""


def targets_in(tree: ast.Module, most: int) -> list[Target]:
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    constants = literals(tree)
    found: list[Target] = []
    budget = [ALL_STEPS]
    for node in tree.body:
        if len(found) >= MOST:
            break
        if isinstance(node, FUNCTIONS) and not node.name.startswith("_"):
            target = Target(node.name, node.name, isinstance(node, ast.AsyncFunctionDef))
            fill(target, node, functions, constants, most, budget)
            found.append(target)
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            found += methods(node, functions, constants, most, budget)
    return found[:MOST]


def literals(tree: ast.Module) -> dict[str, Any]:
    """The constants of the module that are written out."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            name = node.targets[0]
            if isinstance(name, ast.Name):
                try:
                    found[name.id] = ast.literal_eval(node.value)
                except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                    continue
    return found


def methods(
    node: ast.ClassDef,
    functions: dict[str, Any],
    constants: dict[str, Any],
    most: int,
    budget: list[int],
) -> list[Target]:
    found = []
    for item in node.body:
        if not isinstance(item, FUNCTIONS) or item.name.startswith("_"):
            continue
        names = {ast.unparse(d) for d in item.decorator_list}
        target = Target(
            f"{node.name}.{item.name}",
            f"{node.name}.{item.name}",
            isinstance(item, ast.AsyncFunctionDef),
            node.name,
        )
        if "staticmethod" in names:
            fill(target, item, functions, constants, most, budget)
        else:
            target.examples = examples_of(item)
            target.reason = "it depends on the state of its object"
        found.append(target)
    return found


def fill(
    target: Target,
    node: ast.FunctionDef | ast.AsyncFunctionDef,
    functions: dict[str, Any],
    constants: dict[str, Any],
    most: int,
    budget: list[int],
) -> None:
    target.examples = examples_of(node)
    reached = outside(node)
    decorators = {ast.unparse(d) for d in node.decorator_list} - {"staticmethod"}
    pure = {
        "cache",
        "lru_cache",
        "functools.cache",
        "functools.lru_cache",
        "lru_cache(maxsize=None)",
    }
    if reached:
        target.reason = f"it uses {reached}, which reaches outside"
        return
    if any(isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(node)):
        target.reason = "it is a generator"
        return
    if decorators - pure:
        target.reason = "its decorators may change what it does"
        return
    if node.args.vararg or node.args.kwarg or node.args.kwonlyargs:
        target.reason = "it takes any number of arguments, or keywords only"
        return
    target.parameters = [p.arg for p in (*node.args.posonlyargs, *node.args.args)]
    target.cases = cases_of(node, functions, constants, most, budget)
    if not target.cases:
        target.reason = "what it returns cannot be worked out without running it"


def outside(node: ast.AST) -> str:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and inner.id in OUTSIDE:
            return inner.id
        if isinstance(inner, ast.Global | ast.Nonlocal):
            return "variables of the module"
        if isinstance(inner, ast.Import | ast.ImportFrom):
            return "imports of its own"
    return ""


def cases_of(
    node: ast.FunctionDef | ast.AsyncFunctionDef,
    functions: dict[str, Any],
    constants: dict[str, Any],
    most: int,
    budget: list[int],
) -> list[Case]:
    parameters = [*node.args.posonlyargs, *node.args.args]
    choices = [samples_for(parameter, node) for parameter in parameters]
    usual: list[Case] = []
    errors: list[Case] = []
    seen: set[str] = set()
    # Neighbours first: all first values, then one changed at a time, then everything.
    for arguments in itertools.islice(combinations(choices), 400):
        try:
            case = Case(
                list(arguments), Interpreter(functions, constants, budget).call(node, arguments)
            )
            usual.append(case)
        except Raised as raised:
            errors.append(Case(list(arguments), error=raised.name))
        except Unknown:
            if budget[0] < 0:
                break
    picked: list[Case] = []
    for case in interleaved(usual, errors):
        outcome = f"raises {case.error}" if case.error else repr(case.value)
        # One case for each outcome tells most; repeat outcomes only when there is room.
        if outcome not in seen and len(picked) < most:
            seen.add(outcome)
            picked.append(case)
    return picked


def interleaved(usual: list[Case], errors: list[Case]) -> list[Case]:
    """The usual cases, with the first one that raises second."""
    return [*usual[:1], *errors[:1], *usual[1:], *errors[1:]]


def combinations(choices: list[list[Any]]) -> Any:
    if not choices:
        yield ()
        return
    first = [values[0] for values in choices]
    yield tuple(first)
    for place, values in enumerate(choices):
        for value in values[1:]:
            yield (*first[:place], value, *first[place + 1 :])
    yield from itertools.islice(itertools.product(*choices), 300)


def examples_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[tuple[str, str]]:
    """The doctest examples that are one expression with a literal result."""
    text = ast.get_docstring(node) or ""
    try:
        parsed = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return []
    found = []
    for example in parsed:
        source, want = example.source.strip(), example.want.strip()
        try:
            ast.parse(source, mode="eval")
            ast.literal_eval(want)
        except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
            continue
        names = {n.id for n in ast.walk(ast.parse(source, mode="eval")) if isinstance(n, ast.Name)}
        if node.name in names:
            found.append((source, want))
    return found[:20]
