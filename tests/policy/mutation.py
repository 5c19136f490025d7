"""Mutants of the policy: each has one small fault, which the tests of the policy have to notice.

python -m tests.policy.mutation                   all of them, in two processes
python -m tests.policy.mutation rules.py --every 10
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib
import multiprocessing
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.queues import SimpleQueue
from pathlib import Path

ROOT = Path(__file__).parents[2]
POLICY = Path("antiphon") / "policy"
SECONDS = 300  # after which a mutant counts as noticed: the tests hang
OPTIONS = ["-q", "-x", "-n0", "-p", "no:cacheprovider", "-p", "no:randomly"]
OPTIONS += ["-W", "ignore:Module already imported"]
LOADED = ("hypothesis", "jsonschema_rs", "orjson", "pydantic", "pytest", "sqlalchemy")
LOADED += ("antiphon.contracts", "antiphon.registry.validation")  # nothing of the policy
LAST = "tests/policy/test_reference_model.py"  # a slow one: most mutants are noticed before
_SWAPS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitAnd: (ast.BitOr,),
}
_IDS = frozenset({"Verdict", "refuse", "ask", "_ask"})  # their first argument is no mere words


@dataclass(frozen=True, slots=True)
class Mutant:
    """A file with one fault: `was` became `now` in a line."""

    file: str
    line: int
    was: str
    now: str
    source: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.was!r} became {self.now!r}"


def mutants(path: Path) -> Iterator[Mutant]:
    """Every mutant of a file."""
    source = path.read_text("utf-8")
    lines = source.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode()))
    raw = source.encode()
    for node in _mutable(ast.parse(source)):
        for changed in _changes(node):
            start = starts[node.lineno - 1] + node.col_offset
            end = starts[node.end_lineno - 1] + node.end_col_offset
            was = raw[start:end].decode()
            now = ast.unparse(ast.fix_missing_locations(changed))
            if isinstance(node, ast.expr):
                now = f"({now})"
            made = (raw[:start] + now.encode() + raw[end:]).decode()
            yield Mutant(path.name, node.lineno, was, now, made)


def _mutable(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes that say what the program does: no words, types or declarations."""
    for node in _parts(tree):
        if isinstance(node, ast.Import | ast.ImportFrom | ast.arguments | ast.Assert):
            continue
        if isinstance(tree, ast.ClassDef) and node in tree.decorator_list:
            continue
        if isinstance(node, ast.FunctionDef):
            if node.name == "__repr__" or any(_is_overload(each) for each in node.decorator_list):
                continue
            yield from _mutable(node)
            continue
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.AnnAssign):
            if node.value is not None:
                yield node.value
                yield from _mutable(node.value)
            continue
        if isinstance(node, ast.Assign) and isinstance(tree, ast.Module | ast.ClassDef):
            continue  # tables of words, types and slots
        if isinstance(node, ast.JoinedStr):
            continue
        yield node
        yield from _mutable(node)


def _parts(tree: ast.AST) -> Iterator[ast.AST]:
    """What a node is made of; of a function what it does, and what it takes if nothing is given."""
    if not isinstance(tree, ast.FunctionDef):
        yield from ast.iter_child_nodes(tree)
        return
    yield from tree.args.defaults
    yield from (each for each in tree.args.kw_defaults if each is not None)
    yield from tree.body


def _is_overload(node: ast.expr) -> bool:
    return ast.unparse(node) in ("overload", "typing.overload")


def _changes(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(ops=[operator]):
            yield from (_with(node, ops=[new()]) for new in _SWAPS[type(operator)])
        case ast.Compare(ops=[first, *others]):
            yield from (_with(node, ops=[new(), *others]) for new in _SWAPS[type(first)])
        case ast.BoolOp():
            yield from (_with(node, op=new()) for new in _SWAPS[type(node.op)])
            for at in range(len(node.values)):
                left = node.values[:at] + node.values[at + 1 :]
                yield left[0] if len(left) == 1 else _with(node, values=left)
        case ast.BinOp() if type(node.op) in _SWAPS:
            yield from (_with(node, op=new()) for new in _SWAPS[type(node.op)])
        case ast.UnaryOp(op=ast.Not()):
            yield node.operand
        case ast.IfExp():
            yield _with(node, body=node.orelse, orelse=node.body)
        case ast.If() if not isinstance(node.test, ast.Compare | ast.BoolOp | ast.UnaryOp):
            pass  # its test is mutated by itself below
        case ast.Return(value=value) if value is not None and not _is_none(value):
            yield ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call()) | ast.Assign() | ast.AugAssign():
            yield ast.Pass()
        case ast.Constant(value=bool()):
            yield ast.Constant(not node.value)
        case ast.Constant(value=int()):
            yield ast.Constant(node.value + 1)
        case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=str()) as first, *rest]):
            if name in _IDS:
                yield _with(node, args=[ast.Constant(f"{first.value}x"), *rest])


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _with(node: ast.AST, **members: object) -> ast.AST:
    changed = copy.copy(node)
    for name, value in members.items():
        setattr(changed, name, value)
    return changed


def judge(chosen: list[Mutant], folder: Path, told: SimpleQueue[tuple[Mutant, bool]]) -> None:
    """Put each mutant in place of its file, in a copy of the package, and tell whether it was
    noticed."""
    sys.path.insert(0, str(folder))
    for name in LOADED:
        importlib.import_module(name)  # once, and not for each mutant
    for mutant in chosen:
        file = folder / POLICY / mutant.file
        before = file.read_text("utf-8")
        file.write_text(mutant.source, "utf-8")
        told.put((mutant, not passes(folder)))
        file.write_text(before, "utf-8")


def passes(folder: Path) -> bool:
    """Whether the tests of the policy pass with the package in a folder: what kills most mutants
    first, then all of them. In a process of its own, as nothing of ours is loaded yet."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] == 0
    status = 1
    try:
        signal.alarm(SECONDS)
        out = os.open(os.devnull, os.O_WRONLY)
        os.dup2(out, 1)
        os.dup2(out, 2)
        sys.dont_write_bytecode = True
        sys.path[:0] = [str(folder), str(ROOT)]
        os.chdir(ROOT)
        os.environ["CI"] = "true"
        from tests.policy.generated_cases import random_facts
        from tests.policy.test_reference_model import difference

        draw = random.Random(1)
        if not any(difference(random_facts(draw)) for _ in range(3000)):
            import pytest

            others = sorted(str(each) for each in Path("tests/policy").glob("test_*.py"))
            others.remove(LAST)
            status = int(pytest.main([*OPTIONS, *others, LAST]))
    finally:
        os._exit(status)


def main() -> int:
    parser = argparse.ArgumentParser(description="Break the policy and see whether a test fails.")
    parser.add_argument("file", nargs="*", help="only these files of src/antiphon/policy")
    parser.add_argument("--every", type=int, default=1, help="only every so many of the mutants")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--line", type=int, help="only those of this line")
    options = parser.parse_args()
    files = sorted((ROOT / "src" / POLICY).glob("*.py"))
    chosen = [each for each in files if not options.file or each.name in options.file]
    every = [mutant for path in chosen for mutant in mutants(path)]
    if options.line:
        every = [mutant for mutant in every if mutant.line == options.line]
    every = every[:: options.every]
    began = time.monotonic()
    forked = multiprocessing.get_context("fork")
    told: SimpleQueue[tuple[Mutant, bool]] = forked.SimpleQueue()
    with tempfile.TemporaryDirectory() as place:
        judges = []
        for number in range(options.processes):
            folder = Path(place) / str(number)
            ignored = shutil.ignore_patterns("__pycache__", "static")
            shutil.copytree(ROOT / "src" / "antiphon", folder / "antiphon", ignore=ignored)
            if number == 0 and not passes(folder):
                print("The tests of the policy fail as it is.", file=sys.stderr)
                return 2
            own = every[number :: options.processes]
            judges.append(forked.Process(target=judge, args=(own, folder, told)))
            judges[-1].start()
        killed = 0
        for _ in every:
            mutant, is_killed = told.get()
            killed += is_killed
            if not is_killed:
                print(f"survived: {mutant}", flush=True)
        for each in judges:
            each.join()
    share = killed / len(every) if every else 1.0
    minutes = (time.monotonic() - began) / 60
    print(f"{killed} of {len(every)} mutants killed ({share:.1%}) in {minutes:.1f} min")
    return 0 if share >= 0.95 else 1


if __name__ == "__main__":
    sys.exit(main())
