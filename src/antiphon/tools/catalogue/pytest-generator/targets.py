"""Test targets: the public functions and classes of a module, and the calls to try."""

from __future__ import annotations

import ast
import builtins
import doctest
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .samples import samples_for

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Function = ast.FunctionDef | ast.AsyncFunctionDef
DATACLASS = ("dataclass", "dataclasses.dataclass")
MOST = 60
TRIED = 60  # calls of one function


@dataclass
class CallCase:
    """One call, and what came of it when it was tried.

    `setup` makes the object whose method it is. `value` is what the call returns, as source text;
    `error` what it raises; `after` what it changes in its object. Where the outcome depends on
    chance or on the clock, `shape` is all that stays: the name of its type, and its length if that
    is always the same. `names` are classes of the module that these texts use, `modules` imports.
    """

    arguments: list[Any]
    setup: list[Any] | None = None
    value: str | None = None
    error: str | None = None
    after: dict[str, str] = field(default_factory=dict)
    shape: tuple[str, int | None] | None = None
    names: set[str] = field(default_factory=set)
    modules: set[str] = field(default_factory=set)


@dataclass
class CallTarget:
    """Function under test, or a method of the class `owner`."""

    name: str
    call: str
    is_async: bool = False
    owner: str | None = None
    bound: bool = False  # it is called of an object, which has to be made first
    parameters: list[str] = field(default_factory=list)
    tried: list[CallCase] = field(default_factory=list)
    cases: list[CallCase] = field(default_factory=list)
    examples: list[tuple[str, str]] = field(default_factory=list)
    reason: str = ""
    is_property: bool = False
    yields: str = ""  # "all" or "first" values of a generator
    files: bool = False  # it uses files in the working directory


def targets_in(tree: ast.Module) -> list[CallTarget]:
    """Find the public functions and methods of a module, each with the calls to try."""
    functions = {node.name: node for node in tree.body if isinstance(node, FUNCTIONS)}
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    found: list[CallTarget] = []
    for node in tree.body:
        if isinstance(node, FUNCTIONS) and not node.name.startswith("_"):
            if functions[node.name] is not node:
                continue  # another one of that name comes later
            target = CallTarget(node.name, node.name, isinstance(node, ast.AsyncFunctionDef))
            add_trials(target, node, None, classes)
            found.append(target)
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            found += methods(node, classes)
    return found[:MOST]


def methods(node: ast.ClassDef, classes: dict[str, ast.ClassDef]) -> list[CallTarget]:
    found = []
    for item in node.body:
        if not isinstance(item, FUNCTIONS) or item.name.startswith("_"):
            continue
        decorators = {ast.unparse(d) for d in item.decorator_list}
        if any(text.endswith((".setter", ".deleter")) for text in decorators):
            continue
        bound = not decorators & {"staticmethod", "classmethod"}
        target = CallTarget(
            f"{node.name}.{item.name}",
            item.name if bound else f"{node.name}.{item.name}",
            isinstance(item, ast.AsyncFunctionDef),
            node.name,
            bound,
            is_property=bool(decorators & {"property", "cached_property"})
            or "functools.cached_property" in decorators,
        )
        add_trials(target, item, node, classes)
        found.append(target)
    return found


def add_trials(
    target: CallTarget, node: Function, owner: ast.ClassDef | None, classes: dict[str, ast.ClassDef]
) -> None:
    target.examples = examples_of(node)
    keywords = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    required = [parameter.arg for parameter, default in keywords if default is None]
    if required:
        target.reason = f"it needs {required[0]} as a keyword"
        return
    if is_generator(node):
        if target.is_async:
            target.reason = "it is an asynchronous generator"
            return
        target.yields = "all"
    parameters = [*node.args.posonlyargs, *node.args.args]
    if owner is not None and "staticmethod" not in map(ast.unparse, node.decorator_list):
        parameters = parameters[1:]
    target.parameters = [p.arg for p in parameters]
    made_from, start = constructor_of(owner, classes) if target.bound else ([], None)
    choices = [samples_for(parameter, start or node) for parameter in made_from]
    choices += [samples_for(parameter, node) for parameter in parameters]
    # Neighbours first: all first values, then one changed at a time, then everything.
    for values in itertools.islice(combinations(choices), TRIED):
        setup = list(values[: len(made_from)]) if target.bound else None
        target.tried.append(CallCase(list(values[len(made_from) :]), setup))


def constructor_of(
    owner: ast.ClassDef | None, classes: dict[str, ast.ClassDef], depth: int = 0
) -> tuple[list[ast.arg], Function | None]:
    """Return how an object of a class is constructed: parameters, and the function that takes
    them."""
    if owner is None or depth > 10:
        return [], None
    for item in owner.body:
        if isinstance(item, FUNCTIONS) and item.name == "__init__":
            every = [*item.args.posonlyargs, *item.args.args][1:]
            needed = len(every) - len(item.args.defaults)
            for default in item.args.defaults:
                # What None or another object stands for is not known; those behind it keep
                # their defaults.
                if not isinstance(default, ast.Constant) or default.value is None:
                    break
                needed += 1
            return every[: max(0, needed)], item
    inherited: list[ast.arg] = []
    start: Function | None = None
    for base in owner.bases:
        if isinstance(base, ast.Name) and base.id in classes:
            inherited, start = constructor_of(classes[base.id], classes, depth + 1)
            break
    named = (d.func if isinstance(d, ast.Call) else d for d in owner.decorator_list)
    if set(map(ast.unparse, named)) & set(DATACLASS):
        inherited = inherited + [
            ast.arg(item.target.id, item.annotation)
            for item in owner.body
            if isinstance(item, ast.AnnAssign)
            and isinstance(item.target, ast.Name)
            and item.value is None
            and "ClassVar" not in ast.unparse(item.annotation)
        ]
    return inherited, start


def combinations(choices: list[list[Any]]) -> Iterator[tuple[Any, ...]]:
    if not choices:
        yield ()
        return
    first = [values[0] for values in choices]
    yield tuple(first)
    for place, values in enumerate(choices):
        for value in values[1:]:
            yield (*first[:place], value, *first[place + 1 :])
    yield from itertools.islice(itertools.product(*choices), 300)


def select_cases(target: CallTarget, most: int) -> None:
    """Keep the cases that tell most: one for each outcome."""
    known = [case for case in target.tried if case.value is not None or case.error or case.shape]
    usual = [case for case in known if not case.error]
    errors = [case for case in known if case.error]
    seen: set[str] = set()
    for case in [*usual[:1], *errors[:1], *usual[1:], *errors[1:]]:
        returned = repr((case.shape, case.value, case.after))
        outcome = f"raises {case.error}" if case.error else returned
        if outcome not in seen and len(target.cases) < most:
            seen.add(outcome)
            target.cases.append(case)


def is_generator(node: Any) -> bool:
    """Return whether the function itself yields; one nested in it may, too."""
    todo = list(node.body)
    while todo:
        part = todo.pop()
        if isinstance(part, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            todo += ast.iter_child_nodes(part)
    return False


def examples_of(node: Function) -> list[tuple[str, str]]:
    """Return the doctest examples that are one expression with a literal result."""
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
        named = [n for n in ast.walk(ast.parse(source, mode="eval")) if isinstance(n, ast.Name)]
        bound = {n.id for n in named if isinstance(n.ctx, ast.Store)}
        names = {n.id for n in named} - bound
        # Whatever else the documentation has made before is not there in a test.
        if node.name in names and all(n == node.name or hasattr(builtins, n) for n in names):
            found.append((source, want))
    return found[:20]
