"""Sandboxed run of the calls under test: the outcome of each."""

from __future__ import annotations

import ast
import asyncio
import builtins
import copy
import dataclasses
import datetime
import enum
import inspect
import itertools
import os
import signal
import sys
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from types import CodeType, GeneratorType, ModuleType
from typing import Any

from .determinism import Determinism
from .missing_packages import MissingPackage, stand_in_for_missing

MODULE = "subject"
YIELDED = 5
CASE_SECONDS = 0.3
ENOUGH = 10  # calls one after the other that show nothing new
TOO_LONG = "it takes too long, or does not end"
TARGET_SECONDS = 1.5
LONGEST = 4_000  # characters of an expected value
WORLDS = 6  # outcomes that are compared where chance or the clock decides
PLAIN = (int, float, str, bytes, list, tuple, set, frozenset, dict, bool)
OUTSIDE = {
    "socket.connect": "the network",
    "socket.getaddrinfo": "the network",
    "socket.gethostbyname": "the network",
    "socket.bind": "the network",
    "socket.sendto": "the network",
    "subprocess.Popen": "other programs",
    "os.system": "other programs",
    "os.exec": "other programs",
    "os.posix_spawn": "other programs",
    "os.fork": "other programs",
    "os.kill": "other processes",
}
FILES = {"open", "os.listdir", "os.scandir", "os.mkdir", "os.rename", "os.remove", "os.rmdir"}


class Untestable(Exception):
    """Outcome that cannot be written down as a test; the message says why."""


class CallTimeout(BaseException):
    """Call that took longer than its share of time."""


def outcomes(code: str, targets: list[dict[str, Any]], fresh: bool) -> Iterator[dict[str, Any]]:
    """One message when a target is begun, and one with what came of its calls.

    With `fresh` each call has a module of its own; else all of them have the same, one after the
    other, as in a test run. Only what is the same both times can be tested.
    """
    signal.signal(signal.SIGALRM, raise_timeout)
    trial = Trial(compile(code, f"{MODULE}.py", "exec", dont_inherit=True), fresh)
    yield {"begin": -1}
    try:
        trial.load()
    except MissingPackage as missing:
        yield {"stop": f"its import needs {missing.name}"}
        return
    except BaseException as error:  # noqa: BLE001 - whatever a module does when it is imported
        yield {"stop": f"it cannot be imported: {type(error).__name__}: {error}"[:300]}
        return
    for number, target in enumerate(targets):
        yield {"begin": number}
        yield {"target": number, **trial.target(target)}


def raise_timeout(*_: Any) -> None:
    raise CallTimeout


class Trial:
    def __init__(self, code: CodeType, fresh: bool) -> None:
        self._code = code
        self._fresh = fresh
        self._module = ModuleType(MODULE)
        self._folder = os.getcwd()
        self._number = 0
        self.chance = Determinism()
        self.reached = ""
        self.files = False
        self._watching = False
        stand_in_for_missing()
        builtins.input = refuse_input
        self._builtins = {**vars(builtins), "__import__": self.chance.import_for}
        sys.addaudithook(self._audit)

    def _audit(self, event: str, args: tuple[Any, ...]) -> None:
        if not self._watching:
            return
        if event in OUTSIDE:
            self.reached = OUTSIDE[event]
        elif event == "socket.__new__" and len(args) > 1 and args[1] in (2, 10):
            self.reached = "the network"
        elif event in FILES and args:
            path = args[0]
            if isinstance(path, str | bytes | os.PathLike):
                text = os.fspath(path)
                text = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
                inside = not os.path.isabs(text) or text.startswith(self._folder)
                self.files = self.files or inside

    def load(self) -> ModuleType:
        module = self._module = ModuleType(MODULE)
        module.__file__ = f"{MODULE}.py"
        module.__dict__["__builtins__"] = self._builtins
        sys.modules[MODULE] = module
        exec(self._code, module.__dict__)  # noqa: S102 - this is what the process is confined for
        return module

    def target(self, target: dict[str, Any]) -> dict[str, Any]:
        until = self.chance.real_monotonic() + TARGET_SECONDS
        self.files = False
        found: list[dict[str, Any] | None] = []
        reason = ""
        seen: set[str] = set()
        old = late = 0
        self._new_folder()
        for setup, arguments in target["tried"]:
            if self.chance.real_monotonic() > until or old > ENOUGH or late > 1:
                break
            if self._fresh:
                self._new_folder()
            try:
                found.append(self._compared(target, setup, arguments))
                outcome = repr(found[-1])
            except Untestable as why:
                found.append(None)
                outcome = str(why)
                reason = reason or outcome
                late += outcome == TOO_LONG
            old = old + 1 if outcome in seen else 0
            seen.add(outcome)
        examples = [self._example(source, want) for source, want in target["examples"]]
        return {"cases": found, "reason": reason, "examples": examples, "files": self.files}

    def _new_folder(self) -> None:
        self._number += 1
        folder = os.path.join(self._folder, str(self._number))
        os.mkdir(folder)
        os.chdir(folder)

    def _example(self, source: str, want: str) -> str:
        """Check a documented example; return what the code gives instead, empty if it is true."""
        try:
            value = self._timed(lambda: eval(source, self.load().__dict__))  # noqa: S307
            return "" if value == ast.literal_eval(want) else repr(value)[:100]
        except Untestable as why:
            return str(why)[:100]
        except Exception as error:  # noqa: BLE001 - whatever it raises
            return type(error).__name__

    def _compared(self, target: dict[str, Any], setup: Any, arguments: Any) -> dict[str, Any]:
        """Return what a call does whatever randomness and clock say."""
        for _ in range(1 if self._fresh else 2):  # what a call leaves behind shows the second time
            self.chance.restart(0)
            first = self._outcome(target, setup, arguments)
        if not self.chance.used:
            if first["value"] is None and not first["error"]:
                raise Untestable(first["why"])
            return first
        others = []
        for world in range(1, WORLDS):
            self.chance.restart(world)
            others.append(self._outcome(target, setup, arguments))
        return common_outcome([first, *others])

    def _outcome(self, target: dict[str, Any], setup: Any, arguments: Any) -> dict[str, Any]:
        module = self.load() if self._fresh or self.chance.world else self._module
        given = copy.deepcopy(arguments)
        self.reached = ""
        thing: Any = None
        self._watching = True
        try:
            owner = getattr(module, target["owner"]) if target["owner"] else None
            if setup is not None:
                thing = self._made(owner, copy.deepcopy(setup))
            before = state(thing, module)
            try:
                value, cut = self._timed(lambda: make_call(target, module, thing, given))
                error = None
            except Untestable:
                raise
            except (Exception, SystemExit) as raised:  # noqa: BLE001 - whatever it raises
                value, cut, error = None, False, raised
        finally:
            self._watching = False
        if self.reached:
            raise Untestable(f"it reaches {self.reached}, which is closed while it is tried")
        if error is not None:
            return describe_error(error, module)
        if thing is not None and value is thing:
            raise Untestable("it returns its own object")
        return describe_return(value, cut, before, state(thing, module), module)

    def _made(self, owner: Any, setup: list[Any]) -> Any:
        try:
            return self._timed(lambda: owner(*setup))
        except Untestable:
            raise
        except (Exception, SystemExit):  # noqa: BLE001 - whatever it raises
            why = f"no {getattr(owner, '__name__', 'object')} could be made"
            raise Untestable(why) from None

    def _timed(self, work: Any) -> Any:
        signal.setitimer(signal.ITIMER_REAL, CASE_SECONDS)
        try:
            return work()
        except CallTimeout:
            raise Untestable(TOO_LONG) from None
        except MissingPackage as missing:
            raise Untestable(f"it uses {missing.name}, which is not there") from None
        except RecursionError:
            raise Untestable("it calls itself without end") from None
        except MemoryError:
            raise Untestable("it needs too much memory") from None
        except BaseException as error:
            if not isinstance(error, Exception | SystemExit):
                raise Untestable(f"it ends with {type(error).__name__}") from None
            raise
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)


def refuse_input(*_: Any) -> str:
    raise MissingPackage("somebody who answers input()")


def make_call(target: dict[str, Any], module: ModuleType, thing: Any, arguments: Any) -> Any:
    """Make one call; return its value, and whether it is only the beginning of more."""
    if target["bound"]:
        found = getattr(thing, target["call"])
        value = found if target["is_property"] else found(*arguments)
    else:
        found = module
        for name in target["call"].split("."):
            found = getattr(found, name)
        value = found(*arguments)
    if target["is_async"] or inspect.iscoroutine(value):
        if not target["is_async"]:
            raise Untestable("it returns a coroutine")
        return asyncio.run(value), False
    if isinstance(value, GeneratorType):
        if not target["yields"]:
            value.close()
            raise Untestable("it returns a generator")
        taken = list(itertools.islice(value, YIELDED))
        return taken, len(taken) == YIELDED
    return value, False


def describe_return(
    value: Any, cut: bool, before: dict[str, str], after: dict[str, str], module: ModuleType
) -> dict[str, Any]:
    text = ValueSource(module)
    try:
        written, why = text.of(value), ""
    except Untestable as error:
        written, why = None, str(error)
    changed = {name: shown for name, shown in after.items() if before.get(name) != shown}
    return {
        "value": written,
        "why": why,
        "error": None,
        "cut": cut,
        "after": changed,
        "shape": shape_of(value, module),
        "names": sorted(text.names),
        "modules": sorted(text.modules),
    }


def describe_error(error: BaseException, module: ModuleType) -> dict[str, Any]:
    if isinstance(error, PermissionError):
        raise Untestable("it uses files or services outside its folder")
    if isinstance(error, RecursionError | MemoryError):
        raise Untestable("it needs too much memory")
    kind = type(error)
    names, modules, name = [], [], kind.__qualname__
    if kind.__module__ == MODULE:
        if getattr(module, name, None) is not kind:
            raise Untestable(f"it raises a {name} that cannot be named")
        names = [name]
    elif getattr(builtins, name, None) is not kind:
        if kind.__module__.partition(".")[0] not in sys.stdlib_module_names:
            raise Untestable(f"it raises {name} of another package")
        name, modules = f"{kind.__module__}.{name}", [kind.__module__]
    found = {"value": None, "why": "", "error": name, "cut": False, "after": {}, "shape": None}
    return {**found, "names": names, "modules": modules}


def common_outcome(found: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what all outcomes have in common; raise Untestable if that is nothing."""
    first = found[0]
    if all(each == first for each in found[1:]) and (first["value"] or first["error"]):
        return first
    shapes = [each["shape"] for each in found]
    if any(each["error"] or each["after"] for each in found) or None in shapes:
        raise Untestable("chance or the clock decides what it does")
    names = {name for name, _ in shapes}
    lengths = {length for _, length in shapes}
    if len(names) != 1:
        raise Untestable("chance or the clock decides what it returns")
    own = [name for name in names if name[0].isupper()]
    shape = [names.pop(), lengths.pop() if len(lengths) == 1 else None]
    modules = ["datetime"] if shape[0].startswith("datetime.") else []
    return {**first, "value": None, "shaped": shape, "names": own, "modules": modules}


def shape_of(value: Any, module: ModuleType) -> list[Any] | None:
    kind = type(value)
    if kind in (int, float, str, bool, list, tuple, dict, set, bytes):
        return [kind.__name__, len(value) if hasattr(value, "__len__") else None]
    if kind.__module__ == "datetime":
        return [f"datetime.{kind.__name__}", None]
    if kind.__module__ == MODULE and getattr(module, kind.__name__, None) is kind:
        return [kind.__name__, None]
    return None


def state(thing: Any, module: ModuleType) -> dict[str, str]:
    """Return the public fields of an object that a test can write down."""
    found: dict[str, str] = {}
    try:
        fields = vars(thing)
    except TypeError:
        names = [f.name for f in dataclasses.fields(thing)] if is_dataclass(thing) else []
        fields = {name: getattr(thing, name, None) for name in names}
    for name, value in fields.items():
        if not name.startswith("_"):
            text = ValueSource(module)
            try:
                shown = text.of(value)
            except Untestable:
                continue
            if not text.names and not text.modules:
                found[name] = shown
    return found


def is_dataclass(value: Any) -> bool:
    return dataclasses.is_dataclass(value) and not isinstance(value, type)


class ValueSource:
    """Value as Python source, with the names and modules that the source needs."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module
        self._length = 0
        self.names: set[str] = set()
        self.modules: set[str] = set()

    def of(self, value: Any, depth: int = 0) -> str:
        text = self._of(value, depth)
        self._length += len(text)
        if self._length > LONGEST or depth > 20:
            raise Untestable("what it returns is too long for a test")
        return text

    def _of(self, value: Any, depth: int) -> str:
        kind = type(value)
        if kind in PLAIN and hasattr(value, "__len__") and len(value) > LONGEST:
            raise Untestable("what it returns is too long for a test")
        if value is None or kind in (bool, str, bytes, range):
            return repr(value)
        if kind is int:
            if value.bit_length() > 4096:
                raise Untestable("what it returns is too long for a test")
            return repr(value)
        if kind is float:
            if value != value:
                raise Untestable("it returns nan, which equals nothing")
            special = {"inf": 'float("inf")', "-inf": 'float("-inf")'}
            return special.get(repr(value), repr(value))
        if kind in (list, tuple, set, frozenset, dict):
            return self._collection(value, kind, depth)
        if kind in (Decimal, Fraction):
            self.modules.add(kind.__module__)
            return f"{kind.__module__}.{value!r}"
        if kind.__module__ == "datetime" and getattr(value, "tzinfo", None) is None:
            self.modules.add("datetime")
            return "datetime." + repr(value).removeprefix("datetime.")
        return self._own(value, kind, depth)

    def _collection(self, value: Any, kind: type, depth: int) -> str:
        if kind is dict:
            pairs = (f"{self.of(k, depth + 1)}: {self.of(v, depth + 1)}" for k, v in value.items())
            return "{" + ", ".join(pairs) + "}"
        parts = [self.of(item, depth + 1) for item in value]
        if kind is list:
            return "[" + ", ".join(parts) + "]"
        if kind is tuple:
            return "(" + ", ".join(parts) + ("," if len(parts) == 1 else "") + ")"
        inner = ", ".join(sorted(parts))
        if kind is frozenset:
            return f"frozenset({{{inner}}})" if inner else "frozenset()"
        return f"{{{inner}}}" if inner else "set()"

    def _own(self, value: Any, kind: type, depth: int) -> str:
        name = kind.__name__
        if kind.__module__ == MODULE and getattr(self._module, name, None) is kind:
            if isinstance(value, enum.Enum):
                self.names.add(name)
                return f"{name}.{value.name}"
            compares = is_dataclass(value) and "__eq__" in kind.__dict__
            fields = dataclasses.fields(value) if compares else ()
            if compares and all(field.init for field in fields):
                self.names.add(name)
                given = (f"{f.name}={self.of(getattr(value, f.name), depth + 1)}" for f in fields)
                return f"{name}({', '.join(given)})"
        raise Untestable(f"what it returns ({name}) cannot be written down in a test")


# Loaded while the standard library can still be read in full.
_LOADED = (asyncio, datetime)
