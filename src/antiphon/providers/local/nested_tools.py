"""Nested tools: a tool that is run by name through another one, and its arguments."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from antiphon.providers.local.calculations import spoken_measure, spoken_sum
from antiphon.providers.local.catalogue import DeclaredTool, DeclaredTools, Parameter
from antiphon.providers.local.free_text_slot import payload, quoted
from antiphon.providers.local.numbers import numbers
from antiphon.providers.local.slot_filling import SlotScene
from antiphon.providers.local.slots import fill
from antiphon.providers.local.values import kind_of
from antiphon.providers.local.words import without_courtesy

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
    args = fill(tool, text, scene).args
    for parameter in tool.parameters:
        if parameter.name not in args and (value := _by_preposition(parameter, text)) is not None:
            args[parameter.name] = value
    if isinstance(args.get("expression"), str):
        args["expression"] = sum_in(args["expression"]) or args["expression"]
    texts = [p for p in tool.required if kind_of(p, scene.catalogue) in _TEXTS]
    if len(texts) == 1 and texts[0].name not in args:
        # What is marked off from the request is what the tool is for.
        quotes = quoted(text)
        value = quotes[0][1] if quotes else payload(text, (), long=True)
        if value:
            args[texts[0].name] = value
    return {name: value for name, value in args.items() if tool.parameter(name) is not None}


def changes(tool: DeclaredTool, text: str, scene: SlotScene) -> dict[str, Any]:
    """What is said to be different in another call of the same tool."""
    if tool.name == CONVERTER and (measure := spoken_measure(text)):
        return measure
    return fill(tool, text, scene).args


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
