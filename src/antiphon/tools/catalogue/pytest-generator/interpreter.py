"""Works out what plain Python returns, without running it: a bounded walk over its syntax tree."""

from __future__ import annotations

import ast
import builtins
import operator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from .library import ATTRIBUTES, WRITTEN, Kind, TooMuch
from .library import METHODS as LIBRARY_METHODS
from .objects import Class, Instance, factory_of

STEPS = 5_000
YIELDED = 5
YIELDS = "yield"  # among the names of a generator's call: no name of the code is a keyword
LARGEST = 1_000
DEEPEST = 20


class Unknown(Exception):
    """The code does something that is not worked out here."""


class Raised(Exception):
    """The code raises an exception of this name."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Returned(Exception):
    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


class Enough(Exception):
    """A generator has given as many values as are looked at."""


class Cut(list[Any]):
    """The first values of a generator that may give more."""


class Lazy(list[Any]):
    """What a generator gives, where it is not yet known who takes it."""

    def __bool__(self) -> bool:
        return True


class Broken(Exception):
    """A `break`."""


class Continued(Exception):
    """A `continue`."""


BINARY = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
    ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor,
}  # fmt: skip
COMPARE = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Is: operator.is_, ast.IsNot: operator.is_not,
    ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b,
}  # fmt: skip
UNARY = {
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Not: operator.not_,
    ast.Invert: operator.invert,
}  # fmt: skip
BUILTINS: dict[str, Any] = {
    f.__name__: f
    for f in (
        len, abs, min, max, sum, sorted, round, str, int, float, bool, list, tuple, dict, set,
        any, all, reversed, enumerate, zip, range, isinstance, divmod, ord, chr, repr, frozenset,
    )
}  # fmt: skip
# Those that take what a generator gives.
TAKING = {"list", "tuple", "set", "dict", "sum", "min", "max", "any", "all", "sorted", "enumerate"}
METHODS = {
    str: {
        "lower", "upper", "strip", "lstrip", "rstrip", "split", "join", "replace", "startswith",
        "endswith", "title", "capitalize", "isdigit", "isalpha", "isalnum", "find", "count",
        "index", "splitlines", "casefold", "swapcase", "isupper", "islower", "isspace", "partition",
        "removeprefix", "removesuffix",
    },
    list: {
        "append", "extend", "insert", "pop", "remove", "index", "count", "reverse", "sort", "copy",
    },
    dict: {"get", "items", "keys", "values", "pop", "setdefault", "update", "copy"},
    set: {"add", "discard", "union", "intersection", "difference", "copy", "remove"},
    tuple: {"index", "count"},
}  # fmt: skip
# What plain code raises by itself; anything else that goes wrong here is ours.
USUAL = (
    ZeroDivisionError, ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class World:
    """What a module has: what its functions can name."""

    functions: dict[str, Any]
    constants: dict[str, Any]
    classes: dict[str, Class]
    library: dict[str, Any]


class Interpreter:
    """Works out one call. `budget` holds the steps that all calls of a module may still take."""

    def __init__(self, world: World, budget: list[int]) -> None:
        self._budget = budget
        self._world = world
        self._steps = 0
        self._depth = 0

    def call(self, node: Any, arguments: Any, keywords: dict[str, Any] | None = None) -> Any:
        """The value of a call; of a generator the first values. Raises Raised or Unknown."""
        if node.args.vararg or node.args.kwarg or node.args.kwonlyargs:
            raise Unknown
        parameters = [p.arg for p in (*node.args.posonlyargs, *node.args.args)]
        names = dict(zip(parameters, arguments, strict=False))
        names |= keywords or {}
        defaults = node.args.defaults
        for parameter, default in zip(reversed(parameters), reversed(defaults), strict=False):
            if parameter not in names:
                names[parameter] = self._fresh(default)
        if names.keys() != set(parameters) or len(arguments) > len(parameters):
            raise Unknown
        self._depth += 1
        if self._depth > DEEPEST:
            raise Unknown
        yields: list[Any] | None = [] if is_generator(node) else None
        if yields is not None:
            names[YIELDS] = yields
        try:
            self.block(node.body, names)
        except Returned as returned:
            return returned.value if yields is None else yields
        except Enough:
            return Cut(yields or [])
        finally:
            self._depth -= 1
        return yields

    def make(self, kind: Class, arguments: Any, keywords: dict[str, Any] | None = None) -> Instance:
        """A new object. Raises Raised or Unknown."""
        made = Instance(kind)
        if kind.is_dataclass:
            names = [name for name, _, _ in kind.fields]
            given = dict(zip(names, arguments, strict=False)) | (keywords or {})
            if len(arguments) > len(names) or given.keys() - set(names):
                raise Raised("TypeError")
            for name, default, _ in kind.fields:
                if name in given:
                    made.fields[name] = given[name]
                    continue
                if default is None:
                    raise Raised("TypeError")
                factory = factory_of(default)
                node = default if factory is None else ast.Call(factory, [], [])
                made.fields[name] = self.value(node, {})
        start = kind.methods.get("__post_init__" if kind.is_dataclass else "__init__")
        if start is not None:
            given_here = [] if kind.is_dataclass else arguments
            self.call(start, [made, *given_here], None if kind.is_dataclass else keywords)
        elif not kind.is_dataclass and (arguments or keywords):
            raise Raised("TypeError")
        return made

    def block(self, body: list[ast.stmt], names: dict[str, Any]) -> None:
        for statement in body:
            self._step()
            self._statement(statement, names)

    def _step(self) -> None:
        self._steps += 1
        self._budget[0] -= 1
        if self._steps > STEPS or self._budget[0] < 0:
            raise Unknown

    def _statement(self, node: ast.stmt, names: dict[str, Any]) -> None:
        match node:
            case ast.Return():
                raise Returned(None if node.value is None else self.value(node.value, names))
            case ast.Expr() | ast.Pass():
                if isinstance(node, ast.Expr):
                    self.value(node.value, names)
            case ast.Assign():
                value = self.value(node.value, names)
                for target in node.targets:
                    self._store(target, value, names)
            case ast.AnnAssign():
                if node.value is not None:
                    self._store(node.target, self.value(node.value, names), names)
            case ast.AugAssign():
                before = self.value(node.target, names)
                after = self._binary(node.op, before, self.value(node.value, names))
                self._store(node.target, after, names)
            case ast.If():
                self.block(node.body if self.value(node.test, names) else node.orelse, names)
            case ast.For():
                self._loop(node, names)
            case ast.While():
                self._while(node, names)
            case ast.Raise():
                raise Raised(raised_name(node.exc, names))
            case ast.Break():
                raise Broken
            case ast.Continue():
                raise Continued
            case ast.Assert():
                if not self.value(node.test, names):
                    raise Raised("AssertionError")
            case ast.Try():
                self._try(node, names)
            case _:
                raise Unknown

    def _try(self, node: ast.Try, names: dict[str, Any]) -> None:
        try:
            self.block(node.body, names)
        except Raised as raised:
            for handler in node.handlers:
                if caught(handler.type, raised.name):
                    # What the exception says is not known here, so its name is not set.
                    self.block(handler.body, names)
                    break
            else:
                self.block(node.finalbody, names)
                raise
        else:
            self.block(node.orelse, names)
        self.block(node.finalbody, names)

    def _loop(self, node: ast.For, names: dict[str, Any]) -> None:
        for item in self._iterated(node.iter, names):
            self._step()
            self._store(node.target, item, names)
            try:
                self.block(node.body, names)
            except Broken:
                return
            except Continued:
                continue
        self.block(node.orelse, names)

    def _while(self, node: ast.While, names: dict[str, Any]) -> None:
        while self.value(node.test, names):
            self._step()
            try:
                self.block(node.body, names)
            except Broken:
                return
            except Continued:
                continue
        self.block(node.orelse, names)

    def _iterated(self, node: ast.expr, names: dict[str, Any]) -> list[Any]:
        return self._items(self.value(node, names))

    def _items(self, found: Any) -> list[Any]:
        if isinstance(found, set | frozenset):
            raise Unknown  # in no order that a test could rely on
        items = []
        try:
            for item in found:
                items.append(item)
                if len(items) > LARGEST:
                    raise Unknown
        except TypeError:
            raise Raised("TypeError") from None
        return items

    def _store(self, target: ast.expr, value: Any, names: dict[str, Any]) -> None:
        if isinstance(target, ast.Name):
            names[target.id] = value
        elif isinstance(target, ast.Tuple | ast.List):
            if any(isinstance(part, ast.Starred) for part in target.elts):
                raise Unknown
            parts = self._items(value)
            if len(parts) != len(target.elts):
                raise Raised("ValueError")
            for part, item in zip(target.elts, parts, strict=True):
                self._store(part, item, names)
        elif isinstance(target, ast.Subscript):
            holder = self.value(target.value, names)
            if not isinstance(holder, dict | list):
                raise Unknown
            self._plainly(operator.setitem, holder, self.value(target.slice, names), value)
        elif isinstance(target, ast.Attribute):
            thing = self.value(target.value, names)
            if not isinstance(thing, Instance) or thing.kind.frozen:
                raise Unknown
            thing.fields[target.attr] = value
        else:
            raise Unknown

    def value(self, node: ast.expr, names: dict[str, Any]) -> Any:
        self._step()
        match node:
            case ast.Constant():
                return node.value
            case ast.Name():
                return self._name(node.id, names)
            case ast.BinOp():
                left, right = self.value(node.left, names), self.value(node.right, names)
                return self._binary(node.op, left, right)
            case ast.UnaryOp():
                return self._plainly(UNARY[type(node.op)], self.value(node.operand, names))
            case ast.BoolOp():
                return self._logic(node, names)
            case ast.Compare():
                return self._compared(node, names)
            case ast.IfExp():
                chosen = node.body if self.value(node.test, names) else node.orelse
                return self.value(chosen, names)
            case ast.Tuple() | ast.List() | ast.Set():
                items = [self.value(item, names) for item in node.elts]
                kind = {ast.Tuple: tuple, ast.List: list, ast.Set: set}[type(node)]
                return self._plainly(kind, items)
            case ast.Dict():
                return self._plainly(
                    dict,
                    [self._pair(*pair, names) for pair in zip(node.keys, node.values, strict=True)],
                )
            case ast.Subscript():
                holder = self.value(node.value, names)
                if isinstance(holder, Lazy):
                    raise Unknown
                return self._plainly(operator.getitem, holder, self.value(node.slice, names))
            case ast.Slice():
                parts = (node.lower, node.upper, node.step)
                return slice(*(None if p is None else self.value(p, names) for p in parts))
            case ast.JoinedStr():
                return self._joined(node, names)
            case ast.ListComp() | ast.GeneratorExp() | ast.SetComp() | ast.DictComp():
                return self._comprehension(node, names)
            case ast.Call():
                return self._called(node, names)
            case ast.Attribute():
                return self._attribute(self.value(node.value, names), node.attr)
            case ast.Await():
                return self._awaited(node.value, names)
            case ast.Yield() if YIELDS in names:
                value = None if node.value is None else self.value(node.value, names)
                names[YIELDS].append(value)
                if len(names[YIELDS]) >= YIELDED:
                    raise Enough
                return None
            case ast.YieldFrom() if YIELDS in names:
                for item in self._iterated(node.value, names):
                    names[YIELDS].append(item)
                    if len(names[YIELDS]) >= YIELDED:
                        raise Enough
                return None
        raise Unknown

    def _attribute(self, holder: Any, name: str) -> Any:
        if isinstance(holder, Instance):
            if name in holder.fields:
                return holder.fields[name]
            if name in holder.kind.properties:
                return self.call(holder.kind.properties[name], [holder])
            if name in holder.kind.constants:
                return self._fresh(holder.kind.constants[name])
        elif isinstance(holder, SimpleNamespace | Kind):
            if hasattr(holder, name):
                return getattr(holder, name)
        elif name in ATTRIBUTES.get(type(holder), ()):
            return getattr(holder, name)
        raise Unknown

    def _fresh(self, node: ast.expr) -> Any:
        """A default, or what a class has. One that can change is shared from call to call."""
        value = self.value(node, {})
        if isinstance(value, list | dict | set | Instance):
            raise Unknown
        return value

    def _awaited(self, node: ast.expr, names: dict[str, Any]) -> Any:
        if not isinstance(node, ast.Call):
            raise Unknown
        text = ast.unparse(node.func)
        if text == "asyncio.sleep":
            return None
        if text == "asyncio.gather":
            return [self._awaited(each, names) for each in node.args]
        return self._called(node, names, awaited=True)

    def _pair(self, key: ast.expr | None, item: ast.expr, names: dict[str, Any]) -> Any:
        if key is None:  # `**other`
            raise Unknown
        return self.value(key, names), self.value(item, names)

    def _name(self, name: str, names: dict[str, Any]) -> Any:
        if name in names:
            return names[name]
        world = self._world
        if name in world.constants:
            return copied(world.constants[name])
        if name in world.library:
            return world.library[name]
        if name in BUILTINS and name not in world.functions and name not in world.classes:
            return BUILTINS[name]
        raise Unknown

    def _logic(self, node: ast.BoolOp, names: dict[str, Any]) -> Any:
        stop = isinstance(node.op, ast.Or)
        value: Any = None
        for part in node.values:
            value = self.value(part, names)
            if bool(value) is stop:
                return value
        return value

    def _compared(self, node: ast.Compare, names: dict[str, Any]) -> bool:
        left = self.value(node.left, names)
        for op, part in zip(node.ops, node.comparators, strict=True):
            right = self.value(part, names)
            if isinstance(op, ast.Is | ast.IsNot) and not isinstance(right, bool | None):
                raise Unknown  # whether equal values are one object is up to the interpreter
            if not self._plainly(COMPARE[type(op)], left, right):
                return False
            left = right
        return True

    def _binary(self, op: ast.operator, left: Any, right: Any) -> Any:
        if isinstance(op, ast.Pow):
            small = isinstance(right, int | float) and abs(right) <= 64
            if not small or not isinstance(left, int | float) or abs(left) > 10**6:
                raise Unknown
            return self._plainly(operator.pow, left, right)
        if isinstance(op, ast.Mult):
            for text, times in ((left, right), (right, left)):
                repeated = isinstance(text, str | list | tuple) and isinstance(times, int)
                if repeated and len(text) * max(0, times) > LARGEST:
                    raise Unknown
        if isinstance(op, ast.Mod) and isinstance(left, str | bytes):
            raise Unknown  # text formatting can make texts of any length
        if type(op) not in BINARY:
            raise Unknown
        return self._plainly(BINARY[type(op)], left, right)

    def _joined(self, node: ast.JoinedStr, names: dict[str, Any]) -> str:
        parts = []
        for piece in node.values:
            if isinstance(piece, ast.Constant):
                parts.append(str(piece.value))
                continue
            if not isinstance(piece, ast.FormattedValue) or piece.conversion not in (-1, 114, 115):
                raise Unknown
            value = self.value(piece.value, names)
            if isinstance(value, set | frozenset):
                raise Unknown
            if piece.conversion == 114:
                value = repr(value)
            spec = ""
            if piece.format_spec is not None:
                spec = self._joined(piece.format_spec, names)  # type: ignore[arg-type]
                if any(len(digits) > 2 for digits in spec.split(".")):
                    raise Unknown
            parts.append(self._plainly(format, value, spec))
        return "".join(parts)

    def _comprehension(self, node: Any, names: dict[str, Any]) -> Any:
        results: list[Any] = []

        def nested(generators: list[ast.comprehension], inner: dict[str, Any]) -> None:
            if not generators:
                if isinstance(node, ast.DictComp):
                    pair = (self.value(node.key, inner), self.value(node.value, inner))
                    results.append(pair)
                else:
                    results.append(self.value(node.elt, inner))
                return
            first, *rest = generators
            if first.is_async:
                raise Unknown
            for item in self._iterated(first.iter, inner):
                self._step()
                self._store(first.target, item, inner)
                if all(self.value(test, inner) for test in first.ifs):
                    nested(rest, inner)

        nested(node.generators, dict(names))
        if isinstance(node, ast.DictComp):
            return self._plainly(dict, results)
        if isinstance(node, ast.GeneratorExp):
            return Lazy(results)
        return self._plainly(set, results) if isinstance(node, ast.SetComp) else results

    def _called(self, node: ast.Call, names: dict[str, Any], *, awaited: bool = False) -> Any:
        if any(isinstance(argument, ast.Starred) for argument in node.args):
            raise Unknown
        arguments = [self.value(argument, names) for argument in node.args]
        keywords = {k.arg: self.value(k.value, names) for k in node.keywords if k.arg}
        if len(keywords) != len(node.keywords):
            raise Unknown
        if isinstance(node.func, ast.Name) and node.func.id not in names:
            name, world = node.func.id, self._world
            if name in world.functions:
                return self._own(world.functions[name], arguments, keywords, awaited)
            if name in world.classes:
                return self.make(world.classes[name], arguments, keywords)
            if name in world.library:
                return self._plainly(world.library[name], *arguments, **keywords)
            if name in BUILTINS:
                return self._builtin(name, arguments, keywords)
        elif isinstance(node.func, ast.Attribute):
            if isinstance(node.func.value, ast.Name) and node.func.value.id in self._world.classes:
                static = self._world.classes[node.func.value.id].statics.get(node.func.attr)
                if static is None:
                    raise Unknown
                return self._own(static, arguments, keywords, awaited)
            holder = self.value(node.func.value, names)
            if isinstance(holder, Instance):
                kind = holder.kind
                if node.func.attr in kind.statics:
                    return self._own(kind.statics[node.func.attr], arguments, keywords, awaited)
                if node.func.attr in kind.methods:
                    method = kind.methods[node.func.attr]
                    return self._own(method, [holder, *arguments], keywords, awaited)
                raise Unknown
            if isinstance(holder, SimpleNamespace | Kind):
                function = self._attribute(holder, node.func.attr)
                return self._plainly(function, *arguments, **keywords)
            if node.func.attr in LIBRARY_METHODS.get(type(holder), ()):
                return self._plainly(getattr(holder, node.func.attr), *arguments, **keywords)
            if node.func.attr in METHODS.get(type(holder), ()):
                if any(map(callable, (*arguments, *keywords.values()))):
                    raise Unknown
                return self._plainly(getattr(holder, node.func.attr), *arguments, **keywords)
        raise Unknown

    def _own(self, node: Any, arguments: Any, keywords: dict[str, Any], awaited: bool) -> Any:
        """A call of the module's own function."""
        if isinstance(node, ast.AsyncFunctionDef) is not awaited:
            raise Unknown
        if not is_generator(node):
            return self.call(node, arguments, keywords)
        try:
            result = self.call(node, arguments, keywords)
        except Raised:
            raise Unknown from None  # it raises when it is asked for values, if it ever is
        if isinstance(result, Cut):
            raise Unknown  # more than is looked at here
        return Lazy(result)

    def _builtin(self, name: str, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        if name == "range" and len(self._plainly(range, *arguments)) > LARGEST:
            raise Unknown
        # A function as an argument (`key=len`) would be called out of sight.
        handed = [a for a in (*arguments, *keywords.values()) if callable(a)]
        if handed and name != "isinstance" and any(a not in (len, str, abs) for a in handed):
            raise Unknown
        if name not in TAKING and any(isinstance(a, Lazy) for a in arguments):
            raise Unknown
        unordered = arguments and isinstance(arguments[0], set | frozenset)
        if unordered and name in ("str", "repr", "list", "tuple"):
            raise Unknown
        result = self._plainly(BUILTINS[name], *arguments, **keywords)
        if name in ("reversed", "enumerate", "zip"):
            return list(result)
        return result

    def _plainly(self, function: Any, *arguments: Any, **keywords: Any) -> Any:
        try:
            return checked(function(*arguments, **keywords))
        except USUAL as error:
            raise Raised(type(error).__name__) from None
        except (MemoryError, RecursionError, UnicodeError, TooMuch):
            raise Unknown from None


def checked(value: Any) -> Any:
    if isinstance(value, int) and value.bit_length() > 4096:
        raise Unknown
    if isinstance(value, str | bytes | list | tuple | dict | set) and len(value) > LARGEST:
        raise Unknown
    return value


def copied(value: Any) -> Any:
    if isinstance(value, list):
        return [copied(item) for item in value]
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    return set(value) if isinstance(value, set) else value


def plain(value: Any) -> Any:
    """The value, if a test can write it down and compare with it."""
    if isinstance(value, Lazy):
        raise Unknown
    if isinstance(value, list | tuple | set):
        for item in value:
            plain(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            plain(key)
            plain(item)
    elif isinstance(value, Instance):
        if not value.kind.is_dataclass or len(value.fields) != len(value.kind.fields):
            raise Unknown
        plain(list(value.fields.values()))
    elif isinstance(value, WRITTEN):
        if getattr(value, "tzinfo", None) is not None:
            raise Unknown
    elif not isinstance(value, None | bool | int | float | str | bytes | range) or value != value:
        raise Unknown
    return value


def caught(wanted: ast.expr | None, name: str) -> bool:
    """Whether an `except` takes an exception of this name. Raises Unknown where that depends."""
    if wanted is None:
        return True
    if isinstance(wanted, ast.Tuple):
        return any(caught(each, name) for each in wanted.elts)
    text = ast.unparse(wanted)
    if text in (name, "Exception", "BaseException"):
        return True
    one, other = getattr(builtins, name, None), getattr(builtins, text, None)
    if not isinstance(one, type) or not isinstance(other, type):
        raise Unknown
    return issubclass(one, other)


def is_generator(node: Any) -> bool:
    """Whether it yields by itself; a function inside it may, too."""
    todo = list(node.body)
    while todo:
        part = todo.pop()
        if isinstance(part, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            todo += ast.iter_child_nodes(part)
    return False


def raised_name(node: ast.expr | None, names: dict[str, Any]) -> str:
    if isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Name) and node.id not in names:
        return node.id
    raise Unknown
