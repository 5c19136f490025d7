"""Finds what can be tested in a module, and works out cases for it."""

from __future__ import annotations

import ast
import builtins
import doctest
import itertools
from dataclasses import dataclass, field
from typing import Any

from .interpreter import Cut, Interpreter, Raised, Unknown, World, copied, is_generator, plain
from .library import Chance, imported, library
from .objects import Class, Instance, classes_in, parameters_of
from .samples import samples_for

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# What a call of these does depends on more than the arguments, or is seen outside.
OUTSIDE = {
    "open", "input", "print", "exec", "eval", "compile", "requests", "httpx", "urllib", "socket",
    "subprocess", "shutil", "random", "secrets", "uuid", "time", "datetime", "os", "sys", "sqlite3",
    "pathlib", "Path", "asyncio", "threading", "logging", "tempfile",
}  # fmt: skip
MOST = 60
# How chance and clock are stood in for: always the least, always the most, and in between.
CHANCES = ((0.5, 0.618), (0.0, 0.0), (0.999999, 0.0), (0.1, 0.382), (0.3, 0.71), (0.9, 0.27))
# Of all functions together: about two seconds.
ALL_STEPS = 600_000


@dataclass
class Case:
    """One call: its arguments, and what it returns (`value`) or raises (`error`).

    `setup` makes the object whose method it is; `after` is what the call changes in it. Where the
    outcome depends on chance or on the clock, `shape` is all that stays: the name of its type, and
    its length if that is always the same.
    """

    arguments: list[Any]
    value: Any = None
    error: str | None = None
    setup: list[Any] | None = None
    after: dict[str, Any] = field(default_factory=dict)
    shape: tuple[str, int | None] | None = None


@dataclass
class Target:
    """A function, or a method of a class; `owner` is the class."""

    name: str
    call: str
    is_async: bool = False
    owner: str | None = None
    parameters: list[str] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)
    examples: list[tuple[str, str]] = field(default_factory=list)
    reason: str = ""
    is_property: bool = False
    yields: str = ""  # "all" or "first" values of a generator


@dataclass
class Module:
    """What the cases are worked out from."""

    worlds: list[tuple[Chance, World]]
    most: int
    budget: list[int]

    @property
    def classes(self) -> dict[str, Class]:
        return self.worlds[0][1].classes


def targets_in(tree: ast.Module, most: int) -> list[Target]:
    functions = {node.name: node for node in tree.body if isinstance(node, FUNCTIONS)}
    constants, classes = literals(tree), classes_in(tree)
    worlds = []
    for share, step in CHANCES:
        chance = Chance(share, step)
        names = imported(tree, library(chance))
        worlds.append((chance, World(functions, constants, classes, names)))
    module = Module(worlds, most, [ALL_STEPS])
    replaced = {
        name.asname or name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    }
    found: list[Target] = []
    for node in tree.body:
        if len(found) >= MOST:
            break
        if isinstance(node, FUNCTIONS) and functions[node.name] is not node:
            continue  # another one of that name comes later
        if isinstance(node, FUNCTIONS) and not node.name.startswith("_"):
            target = Target(node.name, node.name, isinstance(node, ast.AsyncFunctionDef))
            if node.name in replaced or "*" in replaced:
                target.reason = "another one of that name may be imported in its place"
            else:
                fill(target, node, module)
            found.append(target)
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            found += methods(node, module)
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


def methods(node: ast.ClassDef, module: Module) -> list[Target]:
    found = []
    kind = module.classes.get(node.name)
    for item in node.body:
        if not isinstance(item, FUNCTIONS) or item.name.startswith("_"):
            continue
        names = {ast.unparse(d) for d in item.decorator_list}
        target = Target(
            f"{node.name}.{item.name}",
            f"{node.name}.{item.name}",
            isinstance(item, ast.AsyncFunctionDef),
            node.name,
            is_property=names == {"property"},
        )
        if "staticmethod" in names:
            fill(target, item, module)
        elif kind is None or names - {"property"}:
            target.examples = examples_of(item)
            target.reason = "it depends on the state of its object"
        else:
            target.call = item.name
            fill(target, item, module, kind)
        found.append(target)
    return found


def fill(
    target: Target,
    node: ast.FunctionDef | ast.AsyncFunctionDef,
    module: Module,
    kind: Class | None = None,
) -> None:
    target.examples = examples_of(node)
    decorators = {ast.unparse(d) for d in node.decorator_list} - {"staticmethod", "property"}
    pure = {
        "cache",
        "lru_cache",
        "functools.cache",
        "functools.lru_cache",
        "lru_cache(maxsize=None)",
    }
    if decorators - pure:
        target.reason = "its decorators may change what it does"
        return
    if node.args.vararg or node.args.kwarg or node.args.kwonlyargs:
        target.reason = "it takes any number of arguments, or keywords only"
        return
    if is_generator(node):
        if target.is_async:
            target.reason = "it is an asynchronous generator"
            return
        target.yields = "all"
    target.parameters = [p.arg for p in (*node.args.posonlyargs, *node.args.args)]
    if kind is not None:
        target.parameters = target.parameters[1:]
    target.cases = cases_of(node, module, kind)
    if any(isinstance(case.value, Cut) for case in target.cases):
        target.yields = "first"
    if not target.cases:
        reached = outside(node)
        target.reason = (
            f"it uses {reached}, which reaches outside"
            if reached
            else "what it returns cannot be worked out without running it"
        )


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
    node: ast.FunctionDef | ast.AsyncFunctionDef, module: Module, kind: Class | None
) -> list[Case]:
    made_from = [] if kind is None else parameters_of(kind)
    start = None if kind is None else kind.methods.get("__init__")
    parameters = [*node.args.posonlyargs, *node.args.args][kind is not None :]
    choices = [samples_for(parameter, start or node) for parameter in made_from]
    choices += [samples_for(parameter, node) for parameter in parameters]
    usual: list[Case] = []
    errors: list[Case] = []
    # Neighbours first: all first values, then one changed at a time, then everything.
    for values in itertools.islice(combinations(choices), 400):
        setup = None if kind is None else list(values[: len(made_from)])
        try:
            case = worked_out(node, module, kind, setup, list(values[len(made_from) :]))
        except Unknown:
            if module.budget[0] < 0:
                break
            continue
        (errors if case.error else usual).append(case)
    picked: list[Case] = []
    seen: set[str] = set()
    for case in interleaved(usual, errors):
        outcome = f"raises {case.error}" if case.error else repr((case.shape, literal_of(case)))
        # One case for each outcome tells most; repeat outcomes only when there is room.
        if outcome not in seen and len(picked) < module.most:
            seen.add(outcome)
            picked.append(case)
    return picked


def literal_of(case: Case) -> Any:
    return [shown(case.value), {name: shown(value) for name, value in case.after.items()}]


def shown(value: Any) -> Any:
    return (value.kind.name, shown(value.fields)) if isinstance(value, Instance) else repr(value)


def worked_out(
    node: Any, module: Module, kind: Class | None, setup: list[Any] | None, arguments: list[Any]
) -> Case:
    """What a call does, whatever chance and clock say. Raises Unknown where that differs, or is
    not known."""
    outcomes = []
    for chance, world in module.worlds:
        chance.restart()
        outcomes.append(outcome(Interpreter(world, module.budget), node, kind, setup, arguments))
        if not chance.used:
            break
    first = outcomes[0]
    if all(each == first and type(each.value) is type(first.value) for each in outcomes[1:]):
        try:
            plain(first.value)
            return first
        except Unknown:
            if len(outcomes) == 1:
                raise
    if any(each.error for each in outcomes) or any(each.after for each in outcomes):
        raise Unknown
    names = {type_name(each.value) for each in outcomes}
    if len(names) != 1:
        raise Unknown
    sized = isinstance(first.value, str | list | tuple | dict | set)
    lengths = {len(each.value) for each in outcomes} if sized else set()
    shape = (names.pop(), lengths.pop() if len(lengths) == 1 else None)
    return Case(arguments, setup=setup, shape=shape)


def outcome(
    interpreter: Interpreter, node: Any, kind: Class | None, setup: Any, arguments: list[Any]
) -> Case:
    case = Case(arguments, setup=setup)
    given = copied(arguments)
    if kind is None:
        thing, before = None, {}
    else:
        try:
            thing = interpreter.make(kind, copied(setup))
        except Raised:
            raise Unknown from None  # there is no object to call anything of
        before = state(thing)
        given = [thing, *given]
    try:
        case.value = interpreter.call(node, given)
    except Raised as raised:
        case.error = raised.name
        return case
    if thing is not None:
        after = state(thing)
        case.after = {
            name: value
            for name, value in after.items()
            if name not in before or before[name] != value
        }
        if case.value is thing:
            raise Unknown
    return case


def state(thing: Instance) -> dict[str, Any]:
    """The public fields of an object that a test can write down."""
    found = {}
    for name, value in thing.fields.items():
        if not name.startswith("_"):
            try:
                found[name] = copied(plain(value))
            except Unknown:
                continue
    return found


def type_name(value: Any) -> str:
    if isinstance(value, Instance):
        return value.kind.name
    kind = type(value)
    if kind in (int, float, str, bool, list, tuple, dict, set, bytes):
        return kind.__name__
    if kind.__module__ == "datetime":
        return f"datetime.{kind.__name__}"
    raise Unknown


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
        named = [n for n in ast.walk(ast.parse(source, mode="eval")) if isinstance(n, ast.Name)]
        bound = {n.id for n in named if isinstance(n.ctx, ast.Store)}
        names = {n.id for n in named} - bound
        # Whatever else the documentation has made before is not there in a test.
        if node.name in names and all(n == node.name or hasattr(builtins, n) for n in names):
            found.append((source, want))
    return found[:20]
