"""Imports point one way: who may import whom, and what the pure parts may not touch."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import antiphon

ROOT = Path(antiphon.__file__).parent

# Every part speaks in contracts, so they are allowed wherever anything of ours is.
MAY_IMPORT: dict[str, frozenset[str]] = {
    "contracts": frozenset(),
    "extras": frozenset(),
    "access": frozenset({"contracts", "extras", "net", "storage", "text"}),
    "limits": frozenset({"access", "contracts", "storage"}),
    "registry": frozenset({"contracts", "extras"}),
    "policy": frozenset({"contracts"}),
    "orchestrator": frozenset(
        {"contracts", "extras", "policy", "registry", "storage", "text", "workers"}
    ),
    "storage": frozenset({"contracts"}),
    "text": frozenset(),
    "understanding": frozenset({"text"}),
    "fastpath": frozenset(),
    "resampling": frozenset(),
    "net": frozenset({"contracts"}),
    "plugins": frozenset(),
    "providers": frozenset(
        {
            "contracts",
            "extras",
            "fastpath",
            "net",
            "plugins",
            "resampling",
            "text",
            "understanding",
        }
    ),
    "emulators": frozenset({"contracts", "text"}),
    "speech": frozenset({"contracts", "net", "plugins", "resampling", "text"}),
    "agents": frozenset(
        [
            "contracts",
            "registry",
            "policy",
            "orchestrator",
            "plugins",
            "storage",
            "providers",
            "text",
            "emulators",
            "speech",
            "tool_search",
        ]
    ),
    "tool_search": frozenset({"knowledge", "text", "understanding"}),
    "knowledge": frozenset(
        {"contracts", "net", "plugins", "storage", "text", "understanding", "workers"}
    ),
    "workspace": frozenset(
        [
            "contracts",
            "knowledge",
            "net",
            "orchestrator",
            "storage",
            "text",
            "understanding",
            "workers",
        ]
    ),
    "tasks": frozenset({"contracts", "storage"}),
    "usage": frozenset({"access", "contracts", "storage"}),
    "toolkit": frozenset({"contracts", "text"}),
    "tools": frozenset({"toolkit"}),  # and the names of `antiphon` itself, and what `context` gives
    "openapi": frozenset({"contracts", "extras", "net", "registry", "text"}),
    "mcp": frozenset({"access", "contracts", "extras", "net", "registry", "storage"}),
    # Of the agents the words of notes to a model alone.
    "adapters": frozenset({"agents", "contracts", "orchestrator", "policy"}),
    "console": frozenset(),
    "workers": frozenset({"contracts"}),
    "_eager": frozenset(),
    "_lazy": frozenset(),
}
MAY_IMPORT["config"] = frozenset({"contracts", "plugins"})
MAY_IMPORT["secrecy"] = frozenset({"extras"})
for _part in ("access", "agents", "config", "mcp", "net", "openapi", "orchestrator"):
    MAY_IMPORT[_part] |= {"secrecy"}
for _part in ("providers", "speech", "storage", "tasks", "workspace"):
    MAY_IMPORT[_part] |= {"secrecy"}
# These put the others together and may import everything below but handlers, which are loaded: the
# application every part, the server the application, the command line both, and the façade all of
# them. What ships for tests may do the same; nothing else may lean on it.
for _part in ("app", "server", "cli", "facade", "testing"):
    MAY_IMPORT[_part] = frozenset(MAY_IMPORT.keys() - {"tools"})
MAY_IMPORT["__main__"] = frozenset({"cli"})

PURE = ("contracts", "policy")
NOT_PURE = {
    *("asyncio", "concurrent", "multiprocessing", "signal", "subprocess", "threading"),
    *("fileinput", "glob", "io", "mmap", "os", "pathlib", "pickle", "shelve", "shutil", "tempfile"),
    *("ftplib", "http", "select", "selectors", "smtplib", "socket", "socketserver", "ssl"),
    *("urllib", "fastapi", "httpx", "httpx2", "requests", "starlette", "uvicorn", "websockets"),
    *("ctypes", "importlib", "logging", "sqlalchemy", "sqlite3", "sys"),
    *("random", "secrets", "time", "uuid"),
}


def modules(folder: Path = ROOT) -> list[Path]:
    return sorted(p for p in folder.rglob("*.py") if "__pycache__" not in p.parts)


def part_of(module: Path) -> str:
    first = module.relative_to(ROOT).parts[0]
    return first.removesuffix(".py")


# Where the public names live, as type checkers are told at the top of the package.
HOMES = {
    alias.name: node.module or ""
    for node in ast.walk(ast.parse((ROOT / "__init__.py").read_text("utf-8")))
    if isinstance(node, ast.ImportFrom)
    for alias in node.names
}


def absolute(module: Path, node: ast.ImportFrom) -> str:
    """The module that `from … import` names, with leading dots worked out."""
    if not node.level:
        return node.module or ""
    package = ("antiphon", *module.relative_to(ROOT).parts[:-1])
    base = package[: len(package) - node.level + 1]
    return ".".join((*base, node.module) if node.module else base)


def imported(module: Path, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Every module that is imported anywhere in a file, as (line, dotted name).

    Imports inside functions and under TYPE_CHECKING count, and so do import_module("…") calls.
    A name taken from the top of `antiphon` counts as the module that it lives in.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            source = absolute(module, node)
            for alias in node.names:
                if source == "antiphon":
                    yield node.lineno, HOMES.get(alias.name, f"antiphon.{alias.name}")
                else:
                    yield node.lineno, f"{source}.{alias.name}"
        elif isinstance(node, ast.Call):
            called = node.func
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if name in ("import_module", "__import__") and node.args:
                argument = node.args[0]
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield node.lineno, argument.value


def ours(names: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The parts of antiphon among imported modules. Its version is everybody's to read."""
    for line, name in names:
        top, _, rest = name.partition(".")
        if top == "antiphon" and rest != "__version__":
            yield line, rest.partition(".")[0]


def violations(module: Path, source: str) -> list[str]:
    part = part_of(module)
    where = module.relative_to(ROOT)
    tree = ast.parse(source)
    if part == "tools":
        return [
            f"{where}:{node.lineno} imports from inside antiphon; use `from antiphon import …` "
            "or `from antiphon.toolkit import …`"
            for node in ast.walk(tree)
            if (
                isinstance(node, ast.ImportFrom)
                and node.level != 1  # the files of one tool import each other
                and (absolute(module, node) + ".").startswith("antiphon.")
                and not (
                    absolute(module, node) == "antiphon"
                    and {alias.name for alias in node.names} <= set(antiphon.__all__)
                )
                and not (absolute(module, node) + ".").startswith("antiphon.toolkit.")
            )
            or (
                isinstance(node, ast.Import)
                and any(alias.name.startswith("antiphon.") for alias in node.names)
            )
        ]
    if part not in MAY_IMPORT:
        return [f"{where}: {part!r} is not in the table of who may import whom"]
    # How a package defers its imports is no part of what it does.
    allowed = MAY_IMPORT[part] | {part, "_eager", "_lazy"}
    found = [
        f"{where}:{line} imports antiphon.{target}, but {part} may import only "
        f"{', '.join(sorted(MAY_IMPORT[part])) or 'nothing of ours'}"
        for line, target in ours(imported(module, tree))
        if target not in allowed
    ]
    if part in PURE:
        found += [
            f"{where}:{line} imports {name}, but {part} does no I/O and reads no clock"
            for line, name in imported(module, tree)
            if name.partition(".")[0] in NOT_PURE
        ]
        found += [
            f"{where}:{node.lineno} calls {node.func.id}, but {part} does no I/O"
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("open", "print", "input", "eval", "exec")
        ]
    return found


def test_every_module_imports_only_what_its_folder_may() -> None:
    found = [
        problem
        for module in modules()
        if module != ROOT / "__init__.py"
        for problem in violations(module, module.read_text("utf-8"))
    ]
    assert not found, "\n".join(found)


def test_forbidden_imports_are_seen_in_every_form() -> None:
    """The check itself: each of these lines is a violation in a module of `policy`."""
    module = ROOT / "policy" / "rules.py"
    for line in (
        "import antiphon.storage",
        "from antiphon import storage",
        "from antiphon import Registry",
        "from antiphon.storage import ledger",
        "from ..storage import ledger",
        "from .. import storage",
        "def f():\n    from antiphon import storage",
        "if TYPE_CHECKING:\n    from antiphon.storage import Ledger",
        "importlib.import_module('antiphon.storage')",
        "import time",
        "from os import path",
        "open('x')",
    ):
        assert violations(module, line), line
    for line in (
        "from antiphon.contracts import ToolCall",
        "from antiphon import ToolCall, __version__",
        "from .budget import rule",
        "from . import budget",
        "import dataclasses",
    ):
        assert not violations(module, line), line


def test_tools_use_the_public_names_only() -> None:
    """The check itself, for a handler."""
    handler = ROOT / "tools" / "kb-search" / "handler.py"
    for line in (
        "import antiphon.contracts",
        "from antiphon.contracts import ok",
        "from antiphon import contracts",
        "from ...contracts import ok",
        "from ..kb_write import handler",
    ):
        assert violations(handler, line), line
    for line in (
        "from antiphon import ErrorType, ok, fail",
        "from antiphon.toolkit import invalid",
        "from antiphon.toolkit.colours import parse_colour",
        "import json",
        "import antiphon",
        "from .ranking import rank",
    ):
        assert not violations(handler, line), line


def test_every_public_name_has_a_home_that_the_check_knows() -> None:
    assert set(antiphon.__all__) <= HOMES.keys()


def test_the_table_names_only_itself() -> None:
    for part, allowed in MAY_IMPORT.items():
        assert allowed <= MAY_IMPORT.keys(), part


def test_every_module_says_on_its_first_line_what_it_is_for() -> None:
    silent = [
        str(module.relative_to(ROOT))
        for module in modules()
        if not module.read_text("utf-8").startswith('"""')
        or not (ast.get_docstring(ast.parse(module.read_text("utf-8"))) or "").splitlines()[0]
    ]
    assert not silent, f"no docstring on the first line: {', '.join(silent)}"
