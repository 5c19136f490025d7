"""Phrases that somebody has set a macro on: which tool runs them, and which one is meant."""

from __future__ import annotations

import re
from collections.abc import Sequence

from antiphon.providers.local.catalogue import Catalogue, Parameter, Tool
from antiphon.providers.local.reading import Reading
from antiphon.providers.local.values import Choice
from antiphon.providers.local.words import tokens

_LIKENESS = 88  # of 100


def trigger_tool(catalogue: Catalogue) -> tuple[Tool | None, Parameter | None, Tool | None]:
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
    """Whether somebody may have set a macro on it: it means little or nothing otherwise."""
    if reading.aim == "talk":
        return reading.name in ("greeting", "goodbye", "beyond")
    return reading.aim == "unclear"


def likest(text: str, options: Sequence[Choice]) -> str | None:
    """The option that was said, a letter or two apart."""
    from rapidfuzz import fuzz

    said = " ".join(token.key for token in tokens(re.sub(r"[^\w\s']", " ", text)))
    best, value = 0.0, None
    for option in options:
        for called in option.called:
            likeness = fuzz.ratio(said, " ".join(token.key for token in tokens(called)))
            if likeness > best:
                best, value = likeness, option.value
    return value if best >= _LIKENESS else None
