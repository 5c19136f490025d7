"""Regular expressions of the package, and texts made from their own parts to slow them down."""

from __future__ import annotations

import ast
import importlib
import importlib.machinery
import importlib.util
import re
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import partial
from itertools import product
from pathlib import Path
from re import _constants as opcodes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from types import ModuleType
from typing import Any

import antiphon

PACKAGE = Path(antiphon.__file__).parent
TOOLS = PACKAGE / "tools"
METHODS = ("compile", "search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer")
ANCHORED = {"match", "fullmatch"}
# A class of characters is tried with one that many others match too.
FAVOURITES = [*map(ord, " \nAa0_,.-/*<x\t")]
SAMPLES = 2


@dataclass(frozen=True)
class Use:
    """A pattern, where it is written, and how it is used."""

    where: str
    pattern: re.Pattern[str]
    methods: frozenset[str]

    def cpu_time(self, text: str) -> float:
        begun = time.thread_time()
        for method in self.methods:
            if method in ANCHORED:
                getattr(self.pattern, method)(text)
            else:
                # What search does, finditer and sub do, and go on after a match.
                for _ in self.pattern.finditer(text):
                    pass
        return time.thread_time() - begun


def uses() -> list[Use]:
    """The patterns of all modules, but for those that only a call puts together."""
    sources = {
        path: path.read_text(encoding="utf-8")
        for path in sorted(PACKAGE.rglob("*.py"))
        if "static" not in path.parts
    }
    trees = {path: ast.parse(source) for path, source in sources.items() if "re." in source}
    everywhere = _methods(*trees.values())
    found: dict[tuple[str, int], Use] = {}
    for path, tree in trees.items():
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _method(node)]
        if not calls:
            continue
        module, here = _module(path), _methods(tree)
        names = {
            id(node.value): target.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        where = str(path.relative_to(PACKAGE))
        for call in calls:
            try:
                pattern, flags = _arguments(call, module)
            except NameError:
                continue
            used = {_method(call)}
            if used == {"compile"}:
                name = names.get(id(call), "")
                used = here.get(name) or everywhere.get(name) or {"search"}
            if isinstance(pattern, str):
                compiled = re.compile(pattern, flags)
                found[pattern, compiled.flags] = Use(where, compiled, frozenset(used))
        # Those in tables, which are put together where they are.
        for compiled in _held(list(vars(module).values())):
            use = Use(where, compiled, frozenset(here.get("pattern", {"search"}) & set(METHODS)))
            found.setdefault((compiled.pattern, compiled.flags), use)
    return list(found.values())


def _held(values: Iterable[Any], depth: int = 0) -> Iterator[re.Pattern[str]]:
    for value in values:
        if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
            yield value
        elif isinstance(value, dict) and depth < 3:
            yield from _held(value.values(), depth + 1)
        elif isinstance(value, tuple | list) and depth < 3:
            yield from _held(value, depth + 1)
        elif is_dataclass(value) and not isinstance(value, type) and depth < 3:
            yield from _held([getattr(value, f.name) for f in fields(value)], depth + 1)


def _method(call: ast.Call) -> str:
    function = call.func
    if (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Name)
        and function.value.id == "re"
        and function.attr in METHODS
    ):
        return function.attr
    return ""


def _methods(*trees: ast.Module) -> dict[str, set[str]]:
    """By name of a pattern: how it is used; "search" where that cannot be seen."""
    used: dict[str, set[str]] = defaultdict(set)
    for tree in trees:
        methods = {
            id(node.value): node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and node.attr in METHODS
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                used[node.id].add(methods.get(id(node), "search"))
    return used


def _arguments(call: ast.Call, module: ModuleType) -> tuple[Any, int]:
    flags: ast.expr | None = None
    position = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(_method(call), 2)
    if len(call.args) > position:
        flags = call.args[position]
    for keyword in call.keywords:
        if keyword.arg == "flags":
            flags = keyword.value
    return _value(call.args[0], module), int(_value(flags, module)) if flags else 0


def _value(node: ast.expr, module: ModuleType) -> Any:
    return eval(compile(ast.Expression(node), "<pattern>", "eval"), vars(module))


def _module(path: Path) -> ModuleType:
    if not path.is_relative_to(TOOLS):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        return importlib.import_module(".".join(parts).removesuffix(".__init__"))
    package = "regexes_of_" + path.parent.name.replace("-", "_")
    if package not in sys.modules:
        spec = importlib.machinery.ModuleSpec(package, None, is_package=True)
        spec.submodule_search_locations = [str(path.parent)]
        sys.modules[package] = importlib.util.module_from_spec(spec)
    return importlib.import_module(f"{package}.{path.stem}")


def attacks(pattern: re.Pattern[str]) -> Iterator[Callable[[int], str]]:
    """Texts of any length that could make the pattern look at the same characters many times."""
    seen: set[tuple[str, str]] = set()
    for before, body in _loops(parser.parse(pattern.pattern, pattern.flags), [""]):
        for start, pump in (("", body), (before, body), ("", before + body), ("", before)):
            if pump and (start, pump) not in seen:
                seen.add((start, pump))
                # Without what it wants in the end, and behind the end of a line.
                yield partial(_attack, start, pump, "")
                yield partial(_attack, start, pump, "\n!")


def _attack(start: str, pump: str, end: str, length: int) -> str:
    return start + (pump * (length // len(pump) + 1))[:length] + end


def _loops(items: Any, before: list[str]) -> Iterator[tuple[str, str]]:
    """What leads to each open-ended repetition, and what it repeats."""
    before = list(before)
    for op, value in items:
        if op in (opcodes.MAX_REPEAT, opcodes.MIN_REPEAT, opcodes.POSSESSIVE_REPEAT):
            _, most, body = value
            if most > 50:
                yield from product(before, _samples(body))
            yield from _loops(body, before)
        elif op is opcodes.SUBPATTERN:
            yield from _loops(value[3], before)
        elif op is opcodes.ATOMIC_GROUP:
            yield from _loops(value, before)
        elif op is opcodes.BRANCH:
            for branch in value[1]:
                yield from _loops(branch, before)
        elif op in (opcodes.ASSERT, opcodes.ASSERT_NOT):
            yield from _loops(value[1], before)
        after = _samples([(op, value)])
        before = [a + b for a, b in product(before, after)][:SAMPLES]


def _samples(items: Any) -> list[str]:
    """A few texts that a part of a pattern matches."""
    texts = [""]
    for op, value in items:
        texts = [a + b for a, b in product(texts, _sample(op, value))][:SAMPLES]
    return texts


def _sample(op: Any, value: Any) -> list[str]:
    if op is opcodes.LITERAL:
        return [chr(value)]
    if op is opcodes.NOT_LITERAL:
        return [next(chr(c) for c in FAVOURITES if c != value)]
    if op is opcodes.ANY:
        return ["a", " "]
    if op is opcodes.IN:
        return _of_class(value)
    if op is opcodes.BRANCH:
        return [text for branch in value[1] for text in _samples(branch)[:2]][:SAMPLES]
    if op is opcodes.SUBPATTERN:
        return _samples(value[3])
    if op is opcodes.ATOMIC_GROUP:
        return _samples(value)
    if op in (opcodes.MAX_REPEAT, opcodes.MIN_REPEAT, opcodes.POSSESSIVE_REPEAT):
        least, most, body = value
        return [text * max(least, min(1, most)) for text in _samples(body)]
    return [""]


def _of_class(items: Any) -> list[str]:
    found = [c for c in (*FAVOURITES, *range(32, 127), 0x2019, 0xE9, 0x4E00) if _holds(items, c)]
    if not found:
        found = [next(c for c in range(sys.maxunicode) if _holds(items, c))]
    return [chr(c) for c in found[:3]]


def _holds(items: Any, code: int) -> bool:
    negated = False
    held = False
    for op, value in items:
        if op is opcodes.NEGATE:
            negated = True
        elif op is opcodes.LITERAL:
            held |= code == value
        elif op is opcodes.RANGE:
            held |= value[0] <= code <= value[1]
        elif op is opcodes.CATEGORY:
            name = str(value)
            kind = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}[name.rsplit("_", 1)[1]]
            held |= bool(re.match(kind, chr(code))) != ("NOT" in name)
    return held != negated
