"""Imports handlers from the very bytes that were hashed, and says what kind of handler each is."""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import inspect
import linecache
import os
import re
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import CodeType, FrameType, ModuleType
from typing import TYPE_CHECKING, Any, Literal

# The builder waits for a process to import this: `importlib.abc` and `pathlib`, which only give
# names to types here, would take a third of that time.
if TYPE_CHECKING:
    from importlib.abc import Loader, MetaPathFinder
    from pathlib import Path

    from antiphon.contracts.definition import HandlerKind
else:
    Loader = MetaPathFinder = object

PACKAGE = "antiphon_tools"
# Before the id of a tool, the name of the frame in which its function is called.
_FRAME = "tool "

# `process`: it runs in a worker process, which imports it from where `origin` says.
Kind = Literal["async", "sync", "generator", "process"]

# What a module may offer besides `execute`, in the order of Handler's fields.
_OPTIONAL = {
    "reconcile": ("key",),
    "prepare": ("args", "context"),
    "preview": ("args", "context"),
}
_RECONCILE = ("key", "args", "context")


@dataclass(frozen=True, slots=True)
class HandlerOrigin:
    """The origin of a handler: all that a worker process needs to import the same bytes."""

    tool_id: str
    digest: str
    sources: Mapping[str, bytes]
    directory: str
    file: str
    kind: HandlerKind

    @property
    def key(self) -> str:
        return f"{self.tool_id}/{self.digest}/{self.directory}/{self.file}"


@dataclass(frozen=True, slots=True)
class Handler:
    """What a tool's module offers: `execute(args, context)`, and perhaps `reconcile` and, for
    what runs in the browser, as a task or after an approval, `prepare(args, context)`; for what
    needs an approval also `preview(args, context)`.

    `preview` gives words for arguments whose effect the schema alone cannot tell, by name, and
    under the empty name the whole call as one question. A module may have `reconcile(key)` or
    `reconcile(key, args, context)`; here it takes all three.
    """

    kind: Kind
    execute: Callable[..., Any]
    reconcile: Callable[..., Any] | None = None
    prepare: Callable[..., Any] | None = None
    preview: Callable[..., Any] | None = None
    origin: HandlerOrigin | None = None


def load_module(
    tool_id: str,
    digest: str,
    sources: Mapping[str, bytes],
    directory: str | Path,
    name: str = "handler.py",
) -> ModuleType:
    """Import the file `name` of a tool from `sources`, never from the disk.

    The files of a tool import each other as `from .helper import x`. Different digests of one tool
    live side by side; the same digest from the same directory is imported once. Whatever the
    module raises while it is imported passes through.
    """
    package = _FINDER.add(tool_id, digest, dict(sources), os.fspath(directory))
    return importlib.import_module(f"{package.name}.{package.module_of(name)}")


def unload(tool_id: str, digest: str, directory: str | Path) -> None:
    """Unload the modules of one digest of a tool. Code that still runs keeps what it has."""
    _FINDER.remove(tool_id, digest, os.fspath(directory))


def named_frame(execute: Callable[..., Any], tool_id: str) -> Callable[..., Any]:
    """Return the handler of a function tool, whose frames say in a traceback which tool it is."""
    code: CodeType = execute.__code__
    name = _FRAME + tool_id
    execute.__code__ = code.replace(co_name=name, co_qualname=name)
    return execute


def find_handler_frame(frame: FrameType) -> tuple[str, FrameType] | None:
    """Return the tool whose handler a stack is in, and the innermost frame of its code; None where
    no handler is at work."""
    called = current = frame
    while True:
        tool_id = tool_of(str(current.f_globals.get("__name__", "")))
        if tool_id is not None:
            return tool_id, current
        if current.f_code.co_name.startswith(_FRAME):
            return current.f_code.co_name.removeprefix(_FRAME), called
        if current.f_back is None:
            return None
        called, current = current, current.f_back


def tool_of(module: str) -> str | None:
    """Return the id of the tool that a module of this name was imported for; None for other
    modules."""
    package, _, rest = module.partition(".")
    if package != PACKAGE or not rest:
        return None
    # As `_Finder.add` names packages: the id, then eight digits of the digest.
    return rest.partition(".")[0].rstrip("_").rpartition("_")[0] or None


def describe(module: ModuleType) -> Handler:
    """Return the handler in a module; raises ValueError with a plain sentence when it has none."""
    if problem := handler_problem(module):
        raise ValueError(problem)
    execute = module.execute
    reconcile = getattr(module, "reconcile", None)
    if reconcile is not None and _signature_problem(reconcile, "reconcile", _RECONCILE):
        reconcile = _by_key_alone(reconcile)
    prepare, preview = (getattr(module, name, None) for name in ("prepare", "preview"))
    return Handler(_kind(execute), execute, reconcile, prepare, preview)


def alias_handler(target: str) -> Handler:
    """Return the handler of an alias: it calls the target through the gates, relays its answer."""
    from antiphon.contracts import relay

    async def execute(args: Any, context: Any) -> Any:
        return relay(await context.call_tool(target, args))

    return Handler("async", execute)


def handler_problem(module: ModuleType) -> str | None:
    """Return what keeps `module` from being a handler, or None."""
    execute = getattr(module, "execute", None)
    if execute is None:
        return "has no `execute`"
    if not callable(execute):
        return f"`execute` is {type(execute).__name__}, not a function"
    if problem := _signature_problem(execute, "execute", ("args", "context")):
        return problem
    if inspect.isgeneratorfunction(_called(execute)):
        return "`execute` is a plain generator; make it `async def` to yield progress"
    for name, parameters in _OPTIONAL.items():
        function = getattr(module, name, None)
        if function is None:
            continue
        if not callable(function):
            return f"`{name}` is {type(function).__name__}, not a function"
        problem = _signature_problem(function, name, parameters)
        if problem and (name != "reconcile" or _signature_problem(function, name, _RECONCILE)):
            return problem
    return None


def _by_key_alone(reconcile: Callable[..., Any]) -> Callable[..., Any]:
    def with_key(key: str, args: Any, context: Any) -> Any:
        del args, context
        return reconcile(key)

    return with_key


def _kind(execute: Callable[..., Any]) -> HandlerKind:
    called = _called(execute)
    if inspect.isasyncgenfunction(called):
        return "generator"
    return "async" if inspect.iscoroutinefunction(called) else "sync"


def _called(function: Any) -> Any:
    """Return the function that runs when an object with `__call__` is called; functions as they
    are."""
    if inspect.isroutine(function) or not hasattr(type(function), "__call__"):  # noqa: B004
        return function
    return type(function).__call__ if inspect.isfunction(type(function).__call__) else function


def _signature_problem(
    function: Callable[..., Any], name: str, expected: tuple[str, ...]
) -> str | None:
    wanted = f"`{name}` must take ({', '.join(expected)})"
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return f"{wanted}; its parameters cannot be told"
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    first, rest = parameters[: len(expected)], parameters[len(expected) :]
    if len(first) < len(expected) or any(p.kind not in positional for p in first):
        return f"{wanted}, not ({', '.join(str(p) for p in parameters)})"
    several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    for parameter in rest:
        if parameter.default is inspect.Parameter.empty and parameter.kind not in several:
            return f"{wanted}; `{parameter.name}` needs a default"
    return None


class _ToolPackage:
    """The sources of one digest of one tool, by the module names they are imported under."""

    def __init__(self, name: str, sources: dict[str, bytes], directory: str) -> None:
        self.name = name
        self.sources = sources
        self.directory = directory
        self._files: dict[str, str] = {}
        # Names that Python can spell come first, so that an odd one never takes their place.
        for file in sorted(sources, key=lambda file: (not _stem(file).isidentifier(), file)):
            module = re.sub(r"\W", "_", _stem(file), flags=re.ASCII)
            while module in self._files:
                module += "_"
            self._files[module] = file

    def module_of(self, file: str) -> str:
        for module, candidate in self._files.items():
            if candidate == file:
                return module
        raise ModuleNotFoundError(f"the tool has no file {file!r}", name=f"{self.name}.{file}")

    def file_of(self, module: str) -> str | None:
        return self._files.get(module)


def _stem(file: str) -> str:
    return file.removesuffix(".py")


class _SourceLoader(Loader):
    def __init__(self, package: _ToolPackage, file: str) -> None:
        self._source = package.sources[file]
        self.path = os.path.join(package.directory, file)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        """None: importlib makes the module as usual."""

    def exec_module(self, module: ModuleType) -> None:
        module.__file__ = self.path
        code = self.get_code(module.__name__)
        text = self.get_source(module.__name__)
        # Tracebacks show these lines even when the file on disk has moved on.
        linecache.cache[self.path] = (len(text), None, text.splitlines(keepends=True), self.path)
        exec(code, module.__dict__)  # noqa: S102 - a tool is trusted code

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002 - importlib's protocol
        return compile(self._source, self.path, "exec", dont_inherit=True)

    def get_source(self, fullname: str) -> str:  # noqa: ARG002 - importlib's protocol
        return importlib.util.decode_source(self._source)


class _PackageLoader(Loader):
    """The loader of a tool's package, which has no code of its own and only holds its modules."""

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        """None: importlib makes the module as usual."""

    def exec_module(self, module: ModuleType) -> None:
        module.__path__ = []


class _Finder(MetaPathFinder):
    """The finder that serves imports below `antiphon_tools` from memory, and no others."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._packages: dict[str, _ToolPackage] = {}
        self._names: dict[tuple[str, str, str], str] = {}

    def add(
        self, tool_id: str, digest: str, sources: dict[str, bytes], directory: str
    ) -> _ToolPackage:
        key = (tool_id, digest, directory)
        with self._lock:
            if self not in sys.meta_path:
                sys.meta_path.insert(0, self)
            if key not in self._names:
                name = f"{PACKAGE}.{tool_id}_{digest[:8]}"
                # The same tool from another directory, or eight equal digits by chance.
                while name in self._packages:
                    name += "_"
                self._names[key] = name
                self._packages[name] = _ToolPackage(name, sources, directory)
            return self._packages[self._names[key]]

    def remove(self, tool_id: str, digest: str, directory: str) -> None:
        with self._lock:
            name = self._names.pop((tool_id, digest, directory), None)
            if name is None:
                return
            package = self._packages.pop(name)
            for module in [m for m in sys.modules if m == name or m.startswith(name + ".")]:
                del sys.modules[module]
            parent = sys.modules.get(PACKAGE)
            if parent is not None:
                vars(parent).pop(name.rpartition(".")[2], None)
            for file in package.sources:
                linecache.cache.pop(os.path.join(directory, file), None)

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 - importlib's protocol
        target: ModuleType | None = None,  # noqa: ARG002 - importlib's protocol
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname == PACKAGE or fullname in self._packages:
            return importlib.machinery.ModuleSpec(fullname, _PackageLoader(), is_package=True)
        parent, _, name = fullname.rpartition(".")
        package = self._packages.get(parent)
        file = package.file_of(name) if package else None
        if package is None or file is None:
            return None
        loader = _SourceLoader(package, file)
        return importlib.machinery.ModuleSpec(fullname, loader, origin=loader.path)


_FINDER = _Finder()
