"""Phrases that somebody has set a macro on: which tool runs them, and which one is meant."""

from __future__ import annotations

import re
from collections.abc import Sequence

from antiphon.providers.local.catalogue import DeclaredTool, DeclaredTools, Parameter
from antiphon.providers.local.utterance_reader import Reading
from antiphon.providers.local.values import ChoiceValue
from antiphon.providers.local.words import order_words, tokens, without_courtesy

_LEAD = re.compile(r"^\s*(?:(?:the|my|our|a) )?(?:macro |routine )?(?:called |named )?", re.I)
_AT_ONCE = re.compile(r"(?<![\s,])[\s,]++(?:right |just )?(?:now|away|at once|again)[\s.!]*$", re.I)
_LIKENESS = 88  # of 100
# Who says so nearly what a guide has means that tool.
_OWN_WORDS = 0.85


def trigger_tool(
    catalogue: DeclaredTools,
) -> tuple[DeclaredTool | None, Parameter | None, DeclaredTool | None]:
    """The tool that runs what a trigger phrase stands for, the parameter that takes the phrase,
    and the tool that lists them all."""
    for tool in catalogue.tools.values():
        for parameter in tool.required:
            if len(tool.required) == 1 and "trigger phrase" in parameter.description.lower():
                noun = tool.name.rpartition("_")[2]
                source = catalogue.source(parameter) or catalogue.get(f"list_{noun}s")
                if source is not None and not source.writes and not source.required:
                    return tool, parameter, source
    return None, None, None


def may_be_set(reading: Reading) -> bool:
    """Whether somebody may have set a macro on it, rather than said it in a tool's own words."""
    if reading.aim == "talk" and reading.confidence > _OWN_WORDS:
        return reading.name in ("greeting", "goodbye", "beyond")
    return reading.likeness < _OWN_WORDS


def likest(text: str, options: Sequence[ChoiceValue], tool: DeclaredTool) -> str | None:
    """The phrase of the option that was said, a letter or two apart."""
    from rapidfuzz import fuzz

    plain = without_courtesy(text)
    asked = {text, plain, _AT_ONCE.sub("", plain)}
    # "Start the weekly report" is the same as its phrase alone; "delete …" is not.
    verbs = {order_words(phrase.text) for phrase in tool.phrases} | {"do"}
    for one in sorted(asked):
        if (verb := order_words(one)) in verbs and verb is not None:
            asked.add(_LEAD.sub("", one[len(verb) :]))
    said = [" ".join(t.key for t in tokens(re.sub(r"[^\w\s']", " ", one))) for one in asked]
    best, value = 0.0, None
    for option in options:
        for called in option.called:
            name = " ".join(token.key for token in tokens(called))
            likeness = max(fuzz.ratio(one, name) for one in said)
            if likeness > best:
                best, value = likeness, option.value
    return value if best >= _LIKENESS else None
