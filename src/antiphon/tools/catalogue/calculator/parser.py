"""Recursive-descent parser that evaluates arithmetic; Python's own evaluation is never used."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from antiphon import ToolError
from antiphon.toolkit import invalid

from .functions import FUNCTIONS, Value, divide, floor, modulo, plus, power, times

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}")
NUMBER = re.compile(r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
OPERATOR = re.compile(r"\*\*|//|[-+*/%^!(),]")
WRITTEN = str.maketrans({"\u00d7": "*", "·": "*", "÷": "/", "\u2212": "-", "π": "pi"})
DEEPEST = 60


class ExpressionParser:
    """Recursive-descent parser: sum, product, unary and power, by rising precedence."""

    def __init__(self, text: str, names: dict[str, Value]) -> None:
        self.text = text.translate(WRITTEN)
        self.names = names
        self.tokens = self.read()
        self.at = 0
        self.depth = 0

    def read(self) -> list[tuple[str, str, int]]:
        tokens, at = [], 0
        while at < len(self.text):
            if self.text[at].isspace():
                at += 1
                continue
            for kind, pattern in (("number", NUMBER), ("name", NAME), ("operator", OPERATOR)):
                if found := pattern.match(self.text, at):
                    tokens.append((kind, found[0], at))
                    at = found.end()
                    break
            else:
                raise self.wrong(at, f"{self.text[at]!r} is not part of arithmetic")
        tokens.append(("end", "", len(self.text)))
        return tokens

    def wrong(self, at: int, message: str) -> ToolError:
        return invalid("/expression", f"at character {at + 1}: {message}.", at=at + 1)

    def peek(self) -> str:
        kind, text, _ = self.tokens[self.at]
        return text if kind == "operator" else ""

    def take(self, *wanted: str) -> str:
        found = self.peek()
        if found and found in wanted:
            self.at += 1
            return found
        return ""

    def expect(self, wanted: str) -> None:
        if not self.take(wanted):
            _, text, at = self.tokens[self.at]
            raise self.wrong(at, f"{wanted!r} is missing before {text or 'the end'!r}")

    def result(self) -> Value:
        value = self.sum()
        kind, text, at = self.tokens[self.at]
        if kind != "end":
            raise self.wrong(at, f"{text!r} does not belong here; write * between factors")
        return value

    def sum(self) -> Value:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.wrong(self.tokens[self.at][2], f"more than {DEEPEST} brackets deep")
        value = self.product()
        while sign := self.take("+", "-"):
            other = self.product()
            value = plus(value, other if sign == "+" else times(other, Fraction(-1)))
        self.depth -= 1
        return value

    def product(self) -> Value:
        value = self.unary()
        while sign := self.take("*", "/", "//", "%"):
            other = self.unary()
            match sign:
                case "*":
                    value = times(value, other)
                case "/":
                    value = divide(value, other)
                case "//":
                    value = floor(divide(value, other))
                case _:
                    value = modulo(value, other)
        return value

    def unary(self) -> Value:
        # A minus binds less than a power: -2^2 is -4.
        negative = False
        while sign := self.take("+", "-"):
            negative ^= sign == "-"
        value = self.power()
        return times(value, Fraction(-1)) if negative else value

    def power(self) -> Value:
        bases = [self.factorial()]
        signs: list[bool] = []
        while self.take("^", "**"):
            negative = False
            while sign := self.take("+", "-"):
                negative ^= sign == "-"
            signs.append(negative)
            bases.append(self.factorial())
        value = bases.pop()
        while bases:  # from the right: 2^3^2 is 2^9
            value = power(bases.pop(), times(value, Fraction(-1)) if signs.pop() else value)
        return value

    def factorial(self) -> Value:
        value = self.atom()
        while self.take("!"):
            value = FUNCTIONS["factorial"].call([value])
        return value

    def atom(self) -> Value:
        kind, text, at = self.tokens[self.at]
        if kind == "number":
            self.at += 1
            return Fraction(text)
        if kind == "name":
            self.at += 1
            return self.called(text, at) if self.peek() == "(" else self.named(text, at)
        if self.take("("):
            value = self.sum()
            self.expect(")")
            return value
        raise self.wrong(at, f"a number is missing before {text or 'the end'!r}")

    def named(self, text: str, at: int) -> Value:
        for name in (text, text.lower()):
            if name in self.names:
                return self.names[name]
        known = ", ".join(sorted(self.names))
        raise self.wrong(at, f"there is no value {text!r}; known are {known[:200]}")

    def called(self, text: str, at: int) -> Value:
        function = FUNCTIONS.get(text.lower())
        if function is None:
            raise self.wrong(at, f"there is no function {text!r}; known are {', '.join(FUNCTIONS)}")
        self.expect("(")
        values: list[Any] = []
        if self.peek() != ")":
            values.append(self.sum())
            while self.take(","):
                values.append(self.sum())
        self.expect(")")
        if not function.least <= len(values) <= function.most:
            raise self.wrong(at, f"{text} takes {function.takes()}, not {len(values)}")
        return function.call(values)
