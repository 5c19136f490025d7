"""Numbers of the calculator: fractions as long as results are exact, then floats."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from antiphon import ToolError
from antiphon.toolkit import invalid

Value = Fraction | float
MOST_BITS = 14_000  # some four thousand digits


def expression_error(message: str) -> ToolError:
    return invalid("/expression", message)


def check_magnitude(value: Any) -> Value:
    if isinstance(value, (int, Fraction)):
        exact = Fraction(value)
        if bit_size(exact) > MOST_BITS:
            raise expression_error("a result on the way has too many digits.")
        return exact
    if not math.isfinite(value):
        raise expression_error("a result on the way is too large.")
    return float(value)


def bit_size(value: Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def unify_types(left: Value, right: Value) -> tuple[Any, Any]:
    """Return two values of one type: a float makes both floats."""
    if isinstance(left, float) or isinstance(right, float):
        return to_float(left), to_float(right)
    return left, right


def to_float(value: Value) -> float:
    try:
        return float(value)
    except OverflowError:
        raise expression_error("a result on the way is too large.") from None


def plus(left: Value, right: Value) -> Value:
    one, two = unify_types(left, right)
    return check_magnitude(one + two)


def times(left: Value, right: Value) -> Value:
    one, two = unify_types(left, right)
    return check_magnitude(one * two)


def divide(left: Value, right: Value) -> Value:
    if right == 0:
        raise expression_error("it divides by zero.")
    one, two = unify_types(left, right)
    return check_magnitude(one / two)


def modulo(left: Value, right: Value) -> Value:
    if right == 0:
        raise expression_error("it divides by zero.")
    one, two = unify_types(left, right)
    return check_magnitude(one % two)


def floor(value: Value) -> Value:
    return check_magnitude(math.floor(value))


def power(base: Value, exponent: Value) -> Value:
    if base == 0 and exponent < 0:
        raise expression_error("it divides by zero.")
    if isinstance(base, Fraction) and isinstance(exponent, Fraction) and exponent.denominator == 1:
        count = abs(exponent.numerator)
        if abs(base) in (0, 1) or count * bit_size(base) <= MOST_BITS * 2:
            # The sign of the exponent is all that a power of one or minus one needs.
            small = count % 2 + 2 if abs(base) in (0, 1) and count > 2 else count
            return check_magnitude(base ** (small if exponent >= 0 else -small))
        raise expression_error("a power has too many digits.")
    if base < 0:
        raise expression_error("a negative number has no real power that is not whole.")
    if isinstance(base, Fraction) and exponent == Fraction(1, 2):
        return root(base)
    try:
        return check_magnitude(to_float(base) ** to_float(exponent))
    except OverflowError:
        raise expression_error("a result on the way is too large.") from None


def root(value: Value) -> Value:
    if value < 0:
        raise expression_error("a negative number has no real square root.")
    if isinstance(value, Fraction):
        up, down = math.isqrt(value.numerator), math.isqrt(value.denominator)
        if up * up == value.numerator and down * down == value.denominator:
            return Fraction(up, down)
    return math.sqrt(to_float(value))


def cube_root(value: Value) -> Value:
    near = math.copysign(abs(to_float(value)) ** (1 / 3), to_float(value))
    rounded = Fraction(round(near)) if abs(near) < 2**50 else Fraction(0)
    return rounded if isinstance(value, Fraction) and rounded**3 == value else check_magnitude(near)


def factorial(value: Value) -> Value:
    if value < 0 or value != math.floor(value) or value > 1000:
        raise expression_error("factorial takes a whole number from 0 to 1000.")
    return check_magnitude(math.factorial(int(value)))


def logarithm(value: Value, base: Value = Fraction(10)) -> Value:
    if value <= 0 or base <= 0 or base == 1:
        raise expression_error(
            "a logarithm takes a positive number, and a positive base other than 1."
        )
    if base == 10:
        return math.log10(to_float(value))
    return (
        math.log2(to_float(value))
        if base == 2
        else math.log(to_float(value)) / math.log(to_float(base))
    )


def rounded(value: Value, places: Value = Fraction(0)) -> Value:
    """Round half away from zero, as people do."""
    if places != math.floor(places) or not -50 <= places <= 50:
        raise expression_error("round takes a whole number of places from -50 to 50.")
    scale = Fraction(10) ** int(places)
    exact = Fraction(value) * scale
    up = math.floor(abs(exact) + Fraction(1, 2))
    return check_magnitude(Fraction(up if exact >= 0 else -up) / scale)


def integers(values: tuple[Value, ...]) -> list[int]:
    if any(value != math.floor(value) for value in values):
        raise expression_error("gcd and lcm take whole numbers.")
    return [int(value) for value in values]


def with_floats(function: Callable[..., float]) -> Callable[..., Value]:
    def call(*values: Value) -> Value:
        try:
            return check_magnitude(function(*(to_float(value) for value in values)))
        except ValueError:
            raise expression_error(f"{function.__name__} is not defined for that number.") from None
        except OverflowError:
            raise expression_error("a result on the way is too large.") from None

    return call


@dataclass(frozen=True)
class CalculatorFunction:
    function: Callable[..., Any]
    least: int = 1
    most: int = 1

    def call(self, values: list[Value]) -> Value:
        return check_magnitude(self.function(*values))

    def takes(self) -> str:
        if self.least == self.most:
            return f"{self.least} value" + ("s" if self.least > 1 else "")
        return f"{self.least} to {self.most} values"


CONSTANTS: dict[str, Value] = {"pi": math.pi, "e": math.e, "tau": math.tau}
FUNCTIONS: dict[str, CalculatorFunction] = {
    "abs": CalculatorFunction(abs),
    "sqrt": CalculatorFunction(root),
    "cbrt": CalculatorFunction(cube_root),
    "round": CalculatorFunction(rounded, 1, 2),
    "floor": CalculatorFunction(math.floor),
    "ceil": CalculatorFunction(math.ceil),
    "min": CalculatorFunction(lambda *values: min(values), 1, 50),
    "max": CalculatorFunction(lambda *values: max(values), 1, 50),
    "sum": CalculatorFunction(lambda *values: sum(values, Fraction(0)), 1, 50),
    "factorial": CalculatorFunction(factorial),
    "gcd": CalculatorFunction(lambda *values: math.gcd(*integers(values)), 1, 50),
    "lcm": CalculatorFunction(lambda *values: math.lcm(*integers(values)), 1, 50),
    "ln": CalculatorFunction(lambda value: logarithm(value, Fraction(math.e))),
    "log": CalculatorFunction(logarithm, 1, 2),
    "log2": CalculatorFunction(lambda value: logarithm(value, Fraction(2))),
    "log10": CalculatorFunction(logarithm),
    "exp": CalculatorFunction(with_floats(math.exp)),
    "sin": CalculatorFunction(with_floats(math.sin)),
    "cos": CalculatorFunction(with_floats(math.cos)),
    "tan": CalculatorFunction(with_floats(math.tan)),
    "asin": CalculatorFunction(with_floats(math.asin)),
    "acos": CalculatorFunction(with_floats(math.acos)),
    "atan": CalculatorFunction(with_floats(math.atan)),
    "sinh": CalculatorFunction(with_floats(math.sinh)),
    "cosh": CalculatorFunction(with_floats(math.cosh)),
    "tanh": CalculatorFunction(with_floats(math.tanh)),
    "hypot": CalculatorFunction(with_floats(math.hypot), 2, 10),
    "degrees": CalculatorFunction(with_floats(math.degrees)),
    "radians": CalculatorFunction(with_floats(math.radians)),
}
