"""Sample arguments: by annotation, by default, by name, and near the code's constants."""

from __future__ import annotations

import ast
from typing import Any

INTS = [3, 0, -2, 1, 10]
FLOATS = [2.5, 0.0, -1.0]
TEXTS = ["hello", "", "Ada Lovelace", "a1"]
BY_TYPE: dict[str, list[Any]] = {
    "int": INTS,
    "float": FLOATS,
    "str": TEXTS,
    "bool": [True, False],
    "list": [[3, 1, 2], [], [5]],
    "list[int]": [[3, 1, 2], [], [5]],
    "list[float]": [[1.5, 0.5], [], [2.0]],
    "list[str]": [["b", "a"], [], ["x"]],
    "dict": [{"a": 1}, {}],
    "dict[str, int]": [{"a": 1, "b": 2}, {}],
    "dict[str, str]": [{"a": "x"}, {}],
    "tuple": [(1, 2), ()],
    "set": [{1, 2}, set()],
    "set[int]": [{1, 2}, set()],
    "bytes": [b"abc", b""],
    "None": [None],
    "object": [1, "a"],
}
BY_NAME = (
    (("text", "name", "word", "string", "s", "title", "prefix", "suffix", "label", "key"), TEXTS),
    (("items", "values", "numbers", "nums", "xs", "data", "lst", "array"), [[3, 1, 2], [], [5]]),
    (("flag", "enabled", "active", "reverse", "strict", "is_", "has_"), [True, False]),
    (("ratio", "rate", "price", "factor"), FLOATS),
    (("mapping", "options", "config", "d"), [{"a": 1}, {}]),
)
SEQUENCES = {"list", "Sequence", "Iterable", "Collection", "List", "Iterator"}
MAPPINGS = {
    "Mapping": "dict",
    "Dict": "dict",
    "MutableMapping": "dict",
    "Set": "set",
    "Tuple": "tuple",
}


def samples_for(parameter: ast.arg, function: Any) -> list[Any]:
    values = list(samples_by_type(parameter.annotation))
    if not values:
        values = by_default(parameter, function) or by_name(parameter.arg)
    near = constants_near(parameter.arg, function)
    kinds = {type(value) for value in values}
    found: list[Any] = []
    for value in [*values, *(n for n in near if type(n) in kinds)]:
        if not any(value == other and type(value) is type(other) for other in found):
            found.append(value)
    return found


def samples_by_type(annotation: ast.expr | None) -> list[Any]:
    if annotation is None:
        return []
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            return samples_by_type(ast.parse(annotation.value, mode="eval").body)
        except SyntaxError:
            return []
    if isinstance(annotation, ast.BinOp):
        return [*samples_by_type(annotation.left), *samples_by_type(annotation.right)]
    text = ast.unparse(annotation)
    if text in BY_TYPE:
        return BY_TYPE[text]
    if isinstance(annotation, ast.Subscript):
        outer = ast.unparse(annotation.value).rpartition(".")[2]
        inner = ast.unparse(annotation.slice)
        if outer == "Optional":
            return [*samples_by_type(annotation.slice), None]
        if outer in SEQUENCES:
            return BY_TYPE.get(f"list[{inner}]", BY_TYPE["list"])
        if outer == "Literal":
            parts = annotation.slice
            listed = parts.elts if isinstance(parts, ast.Tuple) else [parts]
            return [item.value for item in listed if isinstance(item, ast.Constant)]
        return BY_TYPE.get(MAPPINGS.get(outer, outer), [])
    return BY_TYPE.get(MAPPINGS.get(text, text), [])


def by_default(parameter: ast.arg, function: Any) -> list[Any]:
    names = [*function.args.posonlyargs, *function.args.args]
    defaults = dict(
        zip(reversed([n.arg for n in names]), reversed(function.args.defaults), strict=False)
    )
    default = defaults.get(parameter.arg)
    if not isinstance(default, ast.Constant) or default.value is None:
        return []
    value = default.value
    return [value, *BY_TYPE.get(type(value).__name__, [])]


def by_name(name: str) -> list[Any]:
    lower = name.lower()
    for names, values in BY_NAME:
        if lower in names or any(n.endswith("_") and lower.startswith(n) for n in names):
            return values
    return INTS


def constants_near(name: str, function: Any) -> list[Any]:
    """Return the constants that a parameter is compared with, and their neighbours."""
    found: list[Any] = []
    for node in ast.walk(function):
        if not isinstance(node, ast.Compare):
            continue
        sides = [node.left, *node.comparators]
        if not any(isinstance(side, ast.Name) and side.id == name for side in sides):
            continue
        for side in sides:
            try:
                value = ast.literal_eval(side)
            except (ValueError, TypeError, SyntaxError):
                continue
            if isinstance(value, int | float) and not isinstance(value, bool):
                found += [value, value + 1, value - 1]
            elif isinstance(value, str):
                found.append(value)
            elif isinstance(value, list | tuple | set):
                found += list(value)[:5]
    return found
