"""Classes of the tested module, as far as their objects can be worked out."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any

DATACLASS = ("dataclass", "dataclasses.dataclass")


@dataclass
class Class:
    """A class without bases: its methods, and for a dataclass its fields with their defaults."""

    name: str
    methods: dict[str, Any] = field(default_factory=dict)
    properties: dict[str, Any] = field(default_factory=dict)
    statics: dict[str, Any] = field(default_factory=dict)
    constants: dict[str, ast.expr] = field(default_factory=dict)
    is_dataclass: bool = False
    frozen: bool = False
    fields: list[tuple[str, ast.expr | None, ast.expr]] = field(default_factory=list)


class Instance:
    """An object of such a class."""

    def __init__(self, kind: Class) -> None:
        self.kind = kind
        self.fields: dict[str, Any] = {}

    def __eq__(self, other: object) -> bool:
        if self.kind.is_dataclass and isinstance(other, Instance):
            return self.kind is other.kind and self.fields == other.fields
        return self is other

    __hash__ = None  # type: ignore[assignment]


def classes_in(tree: ast.Module) -> dict[str, Class]:
    found = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            read = class_of(node)
            if read is not None:
                found[node.name] = read
    return found


def class_of(node: ast.ClassDef) -> Class | None:
    """None for a class whose objects may do more than its body says."""
    if node.keywords or any(ast.unparse(base) != "object" for base in node.bases):
        return None
    made = Class(node.name)
    for decorator in node.decorator_list:
        call = decorator if isinstance(decorator, ast.Call) else None
        if ast.unparse(call.func if call else decorator) not in DATACLASS:
            return None
        options = {k.arg: ast.unparse(k.value) for k in call.keywords} if call else {}
        if options.keys() - {"frozen", "slots", "order", "eq", "kw_only"} or "kw_only" in options:
            return None
        made.is_dataclass = options.get("eq") != "False"
        made.frozen = options.get("frozen") == "True"
    for item in node.body:
        if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef):
            names = {ast.unparse(d) for d in item.decorator_list}
            if names == {"property"}:
                made.properties[item.name] = item
            elif names == {"staticmethod"}:
                made.statics[item.name] = item
            elif not names:
                made.methods[item.name] = item
        elif isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            if made.is_dataclass:
                made.fields.append((item.target.id, item.value, item.annotation))
            elif item.value is not None:
                made.constants[item.target.id] = item.value
        elif isinstance(item, ast.Assign) and isinstance(item.targets[0], ast.Name):
            made.constants[item.targets[0].id] = item.value
    odd = {"__new__", "__getattr__", "__getattribute__", "__setattr__", "__eq__"}
    return None if odd & made.methods.keys() else made


def factory_of(default: ast.expr) -> ast.expr | None:
    """The function of `field(default_factory=…)`; None for a plain default."""
    if isinstance(default, ast.Call) and ast.unparse(default.func) in (
        "field",
        "dataclasses.field",
    ):
        for keyword in default.keywords:
            if keyword.arg == "default_factory":
                return keyword.value
    return None


def parameters_of(kind: Class) -> list[ast.arg]:
    """What an object is made from."""
    if kind.is_dataclass:
        return [
            ast.arg(name, annotation)
            for name, default, annotation in kind.fields
            if default is None
        ]
    made = kind.methods.get("__init__")
    if made is None:
        return []
    every = [*made.args.posonlyargs, *made.args.args][1:]
    needed = len(every) - len(made.args.defaults)
    for default in made.args.defaults:
        # What None or another object stands for is not known; those behind it keep their defaults.
        if not isinstance(default, ast.Constant) or default.value is None:
            break
        needed += 1
    return every[:needed]
