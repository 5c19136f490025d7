"""Calculations in words: sums and conversions that are said, as arguments of a tool."""

from __future__ import annotations

import re
from typing import Any

from antiphon.providers.local.numbers import numbers
from antiphon.providers.local.words import without_courtesy

_NUMBER = r"-?\d+(?:\.\d+)?"
_LEAD = re.compile(
    r"^(?:what(?:'s| is| are)|how much (?:is|are)|calculate|compute|work out|evaluate|convert|"
    r"change|turn)\s+(?:the )?"
)
# In this order: what is said of one number comes before what stands between two.
_WORDS = (
    (rf"({_NUMBER}) ?(?:%|percent|per cent) of ({_NUMBER})", r"\2 * \1 / 100"),
    (r"square root of (\d+(?:\.\d+)?)", r"sqrt(\1)"),
    (r"factorial of (\d+)", r"\1!"),
    (r"(\d+) factorial", r"\1!"),
    (r" squared\b", "^2"),
    (r" cubed\b", "^3"),
    (r" (?:raised )?to the (?:power of )?(\d+)(?:st|nd|rd|th)?(?: power)?", r"^\1"),
    (r" (?:multiplied by|times|x) ", " * "),
    (r" (?:divided by|over) ", " / "),
    (r" plus ", " + "),
    (r" minus ", " - "),
)
_CALCULATION = re.compile(r"(?:sqrt\(|[-\d.+*/^!() ])+")
_OPERATION = re.compile(r"\d ?[-+*/^!]|sqrt")
_UNIT = (
    r"(?:degrees? )?(?:celsius|fahrenheit|kelvin|°[cf]|kilomet(?:er|re)s?|km|met(?:er|re)s?|m|"
    r"centimet(?:er|re)s?|cm|millimet(?:er|re)s?|mm|miles?|yards?|feet|foot|ft|inch(?:es)?|"
    r"kilograms?|kilos?|kg|grams?|g|pounds?|lbs?|ounces?|oz|tons?|tonnes?|lit(?:er|re)s?|l|"
    r"millilit(?:er|re)s?|ml|gallons?|pints?|cups?|hours?|minutes?|seconds?|days?|weeks?|"
    r"km/h|mph|bytes?|kb|mb|gb|tb|kib|mib|gib)"
)
_MEASURE = re.compile(rf"(?P<value>{_NUMBER}) ?(?P<unit>{_UNIT}) (?:in|into|to|as) (?P<to>{_UNIT})")
_HOW_MANY = re.compile(
    rf"how many (?P<to>{_UNIT}) (?:are |is )?(?:there )?(?:in )?"
    rf"(?P<value>{_NUMBER}|an?) ?(?P<unit>{_UNIT})"
)
_LONGEST = 120


def spoken_sum(text: str) -> str:
    """The expression, when nothing but a calculation is asked for in words: "12 times 17"."""
    said = _plain(text)
    asked = _LEAD.sub("", said)
    expression = asked
    for pattern, replacement in _WORDS:
        expression = re.sub(pattern, replacement, expression)
    if expression == said or not _CALCULATION.fullmatch(expression):
        return ""
    return expression.strip() if _OPERATION.search(expression) else ""


def spoken_measure(text: str) -> dict[str, Any]:
    """What is to be converted from which unit to which; empty where nothing is."""
    said = _plain(text)
    found = _MEASURE.fullmatch(_LEAD.sub("", said)) or _HOW_MANY.fullmatch(said)
    if found is None:
        return {}
    value = 1.0 if found["value"] in ("a", "an") else float(found["value"])
    whole = int(value) if value.is_integer() else value
    return {"value": whole, "from": _unit(found["unit"]), "to": _unit(found["to"])}


def _unit(said: str) -> str:
    return re.sub(r"^degrees? ", "", said)


def _plain(text: str) -> str:
    """In small letters, with digits for numbers in words and without marks around it."""
    text = without_courtesy(text[:_LONGEST]).strip(" ?.!=")
    for number in reversed(numbers(text)):
        text = f"{text[: number.start]}{number.value}{text[number.end :]}"
    return " ".join(re.sub(r"(?<=\d),(?=\d{3}\b)", "", text.lower()).split())
