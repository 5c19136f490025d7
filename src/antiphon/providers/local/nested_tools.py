"""Nested tools: a tool that is run by name through another one, and its arguments."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from antiphon.providers.local.calculations import spoken_measure, spoken_sum
from antiphon.providers.local.catalogue import DeclaredTool, DeclaredTools, Parameter
from antiphon.providers.local.free_text_slot import payload, quoted, unmasked
from antiphon.providers.local.numbers import numbers
from antiphon.providers.local.slot_filling import SlotScene
from antiphon.providers.local.slots import fill
from antiphon.providers.local.values import kind_of
from antiphon.providers.local.words import order_verb, stem, tokens, without_courtesy

# What stands between the name of a tool and what it is given.
_LEAD = re.compile(
    r"^[\s,:]*(?:tool\b[\s,:]*)?(?:(?:on|with|for|of|to|over|in|and|from|at|turn|convert|work out|"
    r"compute|calculate|this|text|the|is)\b[\s,:]*)*",
    re.IGNORECASE,
)
_SUM = re.compile(
    r"^(?:(?:what(?:'s| is)|how much is|calculate|compute|work out|evaluate)\s+)?"
    r"(?P<sum>[-+(]*\d[\d\s.,()]*+(?:[-+*/^%\u00d7\u00f7]\s*+[-+(]*\d[\d\s.()]*+)+)[?=.!\s]*+$",
    re.IGNORECASE,
)
CONVERTER = "unit_converter"
_TEXTS = ("text", "name", "title", "shape")


@dataclass(frozen=True, slots=True)
class Carrier:
    """The tool that runs others, and its parameters for the name and the arguments of one."""

    tool: DeclaredTool
    name: Parameter
    params: Parameter


def carrier(catalogue: DeclaredTools) -> Carrier | None:
    for tool in catalogue.tools.values():
        name = next((p for p in tool.required if "catalogue tool" in p.description), None)
        params = next((p for p in tool.parameters if p.types == ("object",)), None)
        if name is not None and params is not None and catalogue.inner:
            return Carrier(tool, name, params)
    return None


def meant(text: str, catalogue: DeclaredTools) -> str | None:
    """The one tool that an order names: by its id, or by all the words of its name."""
    asked = without_courtesy(text)
    if calculator := calculates(text, catalogue):
        return calculator
    command = tokens(unmasked(asked, 0, len(asked), [span for span, _ in quoted(asked)]))
    said = {_root(token.key) for token in command} | {token.key for token in command}
    ordered = order_verb(asked) is not None
    first = _root(command[0].key) if command else ""
    found = {
        name: len(roots)
        for name in catalogue.inner
        if (roots := [_root(word) for word in name.split("_")])
        and (ordered or first in roots)  # "hash the text" is an order for what hashes
        and (name in said or (len(roots) > 1 and said.issuperset(roots)))
    }
    longest = max(found.values(), default=0)
    best = [name for name, size in found.items() if size == longest]
    return best[0] if len(best) == 1 else None


def calculates(text: str, catalogue: DeclaredTools) -> str:
    """The tool for a calculation or a conversion, when nothing else is asked for."""
    if "calculator" in catalogue.inner and sum_in(text):
        return "calculator"
    return CONVERTER if CONVERTER in catalogue.inner and spoken_measure(text) else ""


def sum_in(text: str) -> str:
    """The expression, when nothing but a calculation is asked for: "2 + 2"."""
    match = _SUM.match(without_courtesy(text))
    if match is None:
        return spoken_sum(text)
    return match["sum"].strip().replace("\u00d7", "*").replace("\u00f7", "/")


def arguments(tool: DeclaredTool, text: str, scene: SlotScene) -> dict[str, Any]:
    """What was said of the parameters of the tool that is named in the text."""
    if (expression := sum_in(text)) and len(tool.required) == 1:
        return {tool.required[0].name: expression}
    if tool.name == CONVERTER and (measure := spoken_measure(text)):
        return measure
    rest = _behind_name(text, tool)
    args = fill(tool, rest, scene).args
    for parameter in tool.parameters:
        if (value := _by_preposition(parameter, rest)) is not None:
            args[parameter.name] = value
    texts = [p for p in tool.required if kind_of(p, scene.catalogue) in _TEXTS]
    if len(texts) == 1:
        # What follows its name is what the tool is for.
        spans = fill(tool, rest, scene).spans
        others = [span for span, parameter in spans if parameter.name != texts[0].name]
        quotes = quoted(rest)
        whole = _LEAD.sub("", unmasked(rest, 0, len(rest), others) if others else rest).strip()
        value = quotes[0][1] if quotes else payload(text, others, long=True) or whole
        if value:
            args[texts[0].name] = value
    return {name: value for name, value in args.items() if tool.parameter(name) is not None}


def answer_to(tool: DeclaredTool, name: str, text: str, scene: SlotScene) -> Any:
    """The value in an answer to the question for one parameter; None when there is none."""
    return fill(tool, text, scene, only=name).args.get(name)


def _by_preposition(parameter: Parameter, text: str) -> str | None:
    """A parameter that is called by a preposition: "5 miles into km" has `from` and `to`."""
    if parameter.name == "to":
        found = re.search(r"\b(?:into|to|in)\s+([^\s,?]+)[\s.?!]*$", text, re.IGNORECASE)
        return found[1].rstrip(".") if found else None
    if parameter.name == "from":
        for number in numbers(text):
            behind = re.match(r"\s*([^\W\d][^\s,?]*|\u00b0\w)", text[number.end :])
            if behind:
                return behind[1]
    return None


def _behind_name(text: str, tool: DeclaredTool) -> str:
    """The utterance without the command that names the tool."""
    words = {_root(word) for word in tool.name.split("_")} | {tool.name}
    told = [t for t in tokens(text) if t.key in words or _root(t.key) in words]
    quotes = quoted(text)
    end = max((t.end for t in told if not quotes or t.start < quotes[0][0][0]), default=0)
    return _LEAD.sub("", text[end:])


def _root(word: str) -> str:
    """ "Converter" is of "convert"."""
    base = stem(word)
    return base.removesuffix("er").removesuffix("or") if len(base) > 5 else base
