"""Whose rows a statement finds is said where it is made, or which row; the rest is named here."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Table

import antiphon
from antiphon.storage import tables

# Columns that say whose a row is, by themselves or by the session that they name.
OWNING = {"user", "organisation", "session_id", "conversation_id"}
STATEMENTS = {"select", "update", "delete"}
# What says whose rows are meant, and what says which row.
WHOSE = {"user", "owners", "owner", "organisation", "owned_by", "names_in", "principal"}
WHICH = {
    "id",
    "ids",
    "row_id",
    "session_id",
    "conversation_id",
    "turn_id",
    "seq",
    "key",
    "name",
    "identity",
}
WHICH |= {"secret", "digest", "token", "hashed", "began", "run_id"}
# Functions that read or change rows of anybody, and why that is right.
ANYBODY = {
    "access/users.py:has_users": "whether anybody has to sign in at all",
    "access/directory.py:AccessDirectory.purge": "what is long over, whoever had it",
    "access/users.py:UserBook.user_of_identity": "who signs in, before anybody knows who that is",
    "limits/book.py:LimitBook.overrides": "limits of everybody, applied to each by their subject",
    "storage/audit.py:prune": "the chain of the audit is one for the whole server",
    "storage/audit.py:AuditVerifier.page": "the chain of the audit is one for the whole server",
    "storage/records.py:StoreRecords.amend_turn": "one turn, by its session, time and words",
    "storage/records.py:StoreRecords.grants": "all grants, for the memory of a node",
    "storage/records.py:StoreRecords.remove_turn": "one turn, by its session, time and words",
    "storage/records.py:StoreRecords.purge": "what has expired, whoever had it",
    "tasks/statements.py:purge": "what has expired, whoever had it",
    "usage/sums.py:add": "the sums that its caller has locked, of its scope and subject",
    "workspace/calendar/local.py:LocalCalendar._put": "a row that its caller has found",
    "workspace/schedules.py:Schedules.advance": "the clock of the server, which runs all schedules",
}


def test_every_statement_over_what_belongs_to_somebody_says_whose_or_which() -> None:
    unbound = set(_unbound())
    assert unbound - ANYBODY.keys() == set(), (
        "these read or change rows that belong to somebody, and take neither whose (`owners`, "
        "`user`, `organisation`) nor which (`id`): bind them with storage.owners.owned_by"
    )
    assert ANYBODY.keys() - unbound == set(), "these are bound by now, or gone"


def test_a_statement_that_is_bound_to_nobody_is_noticed() -> None:
    code = (
        "from antiphon.storage.tables import projects as kept\n"
        "def everything(limit):\n    return select(kept).limit(limit)\n"
        "def of(user):\n    return select(kept).where(kept.c.user == user)\n"
    )
    assert list(_unbound_in(ast.parse(code))) == ["everything"]


def _unbound() -> Iterator[str]:
    package = Path(antiphon.__file__).parent
    for path in sorted(package.rglob("*.py")):
        if "migrations" in path.parts or path.name == "tables.py":
            continue
        for name in _unbound_in(ast.parse(path.read_text())):
            yield f"{path.relative_to(package).as_posix()}:{name}"


def _unbound_in(module: ast.Module) -> Iterator[str]:
    owned = {
        name
        for name, table in vars(tables).items()
        if isinstance(table, Table) and OWNING & set(table.c.keys())
    }
    known = {
        each.asname or each.name
        for node in ast.walk(module)
        if isinstance(node, ast.ImportFrom) and node.module == "antiphon.storage.tables"
        for each in node.names
        if each.name in owned
    }
    for name, function in _functions(module, ""):
        words = set(_words(function))
        if words & known and words & STATEMENTS and not words & (WHOSE | WHICH):
            yield name


def _functions(
    node: ast.Module | ast.ClassDef, prefix: str
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for each in node.body:
        if isinstance(each, ast.ClassDef):
            yield from _functions(each, f"{prefix}{each.name}.")
        elif isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{prefix}{each.name}", each


def _words(function: ast.AST) -> Iterator[str]:
    """The names of variables and arguments in a function; not those of columns."""
    for node in ast.walk(function):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Attribute) and node.attr in WHOSE:
            yield node.attr
