"""Availability of a tool: roles, providers, environment, and a small safe expression.

The expression language (`availability.when`) knows names of session fields with dots, text in
quotes, numbers, true, false, null, lists, the comparisons == != < <= > >= in, and, or, not, and
brackets. It has no calls, no indexing and no way to anything but the fields it is given.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

Fields = Mapping[str, Any]
Evaluate = Callable[[Fields], Any]

MAX_LENGTH = 500
MAX_DEPTH = 32

_TOKEN = re.compile(
    r"\s*(?:(?P<number>-?\d+(?:\.\d+)?)"
    r"|(?P<text>'[^'\\]*'|\"[^\"\\]*\")"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*)"
    r"|(?P<sign>==|!=|<=|>=|<|>|\(|\)|\[|\]|,))"
)
_CONSTANTS = {"true": True, "false": False, "null": None}
_WORDS = frozenset({"and", "or", "not", "in"})


class ExpressionError(ValueError):
    """The expression cannot be read; the message says where."""


def parse_expression(text: str) -> Evaluate:
    """Compile an expression into a function of the session's fields. A missing field is null;
    comparisons never raise. Raises ExpressionError."""
    if not isinstance(text, str) or not text.strip():
        raise ExpressionError("the expression is empty")
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"the expression is longer than {MAX_LENGTH} characters")
    return _Parser(text).parse()


class _Parser:
    def __init__(self, text: str) -> None:
        self.tokens = _tokens(text)
        self.position = 0
        self.depth = 0

    def parse(self) -> Evaluate:
        evaluate = self.either()
        if self.peek() != "":
            raise ExpressionError(f"unexpected {self.peek()!r} after the expression")
        return evaluate

    def peek(self) -> str:
        return self.tokens[self.position][1] if self.position < len(self.tokens) else ""

    def take(self) -> tuple[str, str]:
        if self.position >= len(self.tokens):
            raise ExpressionError("the expression ends too early")
        self.position += 1
        return self.tokens[self.position - 1]

    def either(self) -> Evaluate:
        self.deeper()
        parts = [self.both()]
        while self.peek() == "or":
            self.take()
            parts.append(self.both())
        self.depth -= 1
        return parts[0] if len(parts) == 1 else lambda f: any(part(f) for part in parts)

    def both(self) -> Evaluate:
        parts = [self.negated()]
        while self.peek() == "and":
            self.take()
            parts.append(self.negated())
        return parts[0] if len(parts) == 1 else lambda f: all(part(f) for part in parts)

    def negated(self) -> Evaluate:
        negations = 0
        while self.peek() == "not":
            self.take()
            negations += 1
        inner = self.compared()
        if not negations:
            return inner
        odd = negations % 2 == 1
        return lambda f: bool(inner(f)) is not odd

    def compared(self) -> Evaluate:
        left = self.value()
        sign = self.peek()
        if sign not in ("==", "!=", "<", "<=", ">", ">=", "in"):
            return left
        self.take()
        right = self.value()
        compare = _COMPARISONS[sign]
        return lambda f: compare(left(f), right(f))

    def value(self) -> Evaluate:
        kind, word = self.take()
        if kind == "number":
            number = float(word) if "." in word else int(word)
            return lambda _: number
        if kind == "text":
            text = word[1:-1]
            return lambda _: text
        if word == "(":
            inner = self.either()
            self.expect(")")
            return inner
        if word == "[":
            return self.list_of_values()
        if kind != "name" or word in _WORDS:
            raise ExpressionError(f"expected a value, found {word!r}")
        if word in _CONSTANTS:
            constant = _CONSTANTS[word]
            return lambda _: constant
        path = tuple(word.split("."))
        return lambda f: _field(f, path)

    def list_of_values(self) -> Evaluate:
        self.deeper()
        items: list[Evaluate] = []
        while self.peek() != "]":
            items.append(self.value())
            if self.peek() != "]":
                self.expect(",")
        self.take()
        self.depth -= 1
        return lambda f: [item(f) for item in items]

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ExpressionError(f"the expression is nested deeper than {MAX_DEPTH}")

    def expect(self, sign: str) -> None:
        _, word = self.take()
        if word != sign:
            raise ExpressionError(f"expected {sign!r}, found {word!r}")


def _tokens(text: str) -> list[tuple[str, str]]:
    tokens: list[tuple[str, str]] = []
    position, end = 0, len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            raise ExpressionError(f"cannot read {text[position:].strip()[:20]!r}")
        kind = match.lastgroup or ""
        # Text keeps its quotes, so that 'or' is never taken for the word or.
        tokens.append((kind, match.group(kind)))
        position = match.end()
    return tokens


def _field(fields: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        if not isinstance(fields, Mapping):
            return None
        fields = fields.get(name)
    return fields


def _ordered(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def safe(a: Any, b: Any) -> bool:
        numbers = isinstance(a, int | float) and isinstance(b, int | float)
        return compare(a, b) if numbers or (isinstance(a, str) and isinstance(b, str)) else False

    return safe


def _contains(item: Any, whole: Any) -> bool:
    if isinstance(whole, str):
        return isinstance(item, str) and item in whole
    # Looked through one by one, because what cannot be hashed cannot be looked up in a set.
    return isinstance(whole, list | tuple | set | frozenset) and any(item == i for i in whole)


_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "==": lambda a, b: bool(a == b),
    "!=": lambda a, b: bool(a != b),
    "<": _ordered(lambda a, b: a < b),
    "<=": _ordered(lambda a, b: a <= b),
    ">": _ordered(lambda a, b: a > b),
    ">=": _ordered(lambda a, b: a >= b),
    "in": _contains,
}


class Availability:
    """The compiled `availability` of one tool."""

    __slots__ = ("env", "providers", "requires_auth", "roles", "when", "when_text")

    def __init__(self, rules: Mapping[str, Any]) -> None:
        self.requires_auth = bool(rules.get("requiresAuth", False))
        self.roles = frozenset(rules.get("roles", ()))
        self.providers = frozenset(rules.get("providers", ()))
        self.env = tuple(rules.get("env", ()))
        self.when_text = rules.get("when", "")
        self.when = parse_expression(self.when_text) if self.when_text else None

    def refusal(self, session: Fields, environment: Mapping[str, str]) -> str | None:
        """Return why the tool is not there for this session, or None when it is."""
        if self.requires_auth and not session.get("authenticated"):
            return "it needs a signed-in user"
        if self.roles and not self.roles & frozenset(session.get("roles") or ()):
            return f"it is for {' or '.join(sorted(self.roles))} only"
        if self.providers and session.get("provider") not in self.providers:
            return f"it is only there with {' or '.join(sorted(self.providers))}"
        missing = [name for name in self.env if not environment.get(name)]
        if missing:
            return f"{', '.join(missing)} must be set in the environment"
        if self.when is not None and not self.when(session):
            return f"its condition is not met: {self.when_text}"
        return None
