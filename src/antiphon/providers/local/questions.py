"""Short questions to the person: for a parameter that is missing, and before something is done."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from antiphon.providers.local.catalogue import DeclaredTool, DeclaredTools, Parameter
from antiphon.providers.local.times import in_words
from antiphon.providers.local.values import ChoiceValue, kind_of
from antiphon.providers.local.words import as_order, joined, shortened
from antiphon.text.sentences import line_sentences

_MOST = 8


def ask_for(
    parameter: Parameter, catalogue: DeclaredTools, offered: Sequence[ChoiceValue] = ()
) -> str:
    """One short question."""
    kind = kind_of(parameter, catalogue)
    label = parameter.label.removesuffix(" name")
    names = [option.value for option in offered] or [str(value) for value in parameter.choices]
    if names:
        some = joined(names[:_MOST], "or")
        return f"Which {label}: {some}?"
    match kind:
        case "person":
            return "Which person?"
        case "record":
            return "Which record? A name or an id will do."
        case "duration":
            return "For how long?"
        case "moment":
            if parameter.name.startswith(("start", "end")):
                return "From when?" if parameter.name.startswith("start") else "Until when?"
            return "For which date or time?"
        case "email":
            many = "array" in parameter.types
            verb, noun = ("are", "addresses") if many else ("is", "address")
            return f"What {verb} the email {noun} of the {label}?"
        case "made":
            return f"Which {label}? There is none yet in this conversation."
        case "zone":
            return "For which time zone or city?"
        case "count" | "number":
            return f"Which number for {label}?"
        case "results":
            return "There are no results yet. What should I search for first?"
        case "other":
            return (
                f"This needs {label}, which cannot be said in a sentence. Use the form of the tool "
                "in the console, or a larger model."
            )
    about = line_sentences(parameter.description)[:1]
    if about and about[0].lower().startswith("what to "):
        return f"What should I {about[0][8:].rstrip('.')}?"
    if about and about[0].lower().startswith("the text to "):
        return "What is the text?"
    return f"What is the {label}?"


def over(start: str, now: datetime) -> str:
    """What is to begin has been already."""
    moment = datetime.fromisoformat(start)
    moment = moment if moment.tzinfo else moment.replace(tzinfo=now.tzinfo)
    return (
        f"{in_words(moment, now)} is in the past: now it is {in_words(now, now)}. "
        "Which time in the future do you mean?"
    )


def offer_of(tool: DeclaredTool, args: Mapping[str, Any]) -> str:
    """Before something is done that was not clearly asked for."""
    told = [
        f"{name.replace('_', ' ')}: {shortened(str(value), 80)}"
        for name, value in args.items()
        if isinstance(value, str | int | float)
    ]
    detail = f" ({'; '.join(told)})" if told else ""
    return f"Do you want me to {doing(tool)}{detail}? Say yes or no."


def doing(tool: DeclaredTool) -> str:
    """What a tool does, from how its guide begins: "create a calendar event with attendees"."""
    first = re.split(r"[,:;(.]", tool.summary, maxsplit=1)[0].strip()
    return as_order(f"{first[:1].lower()}{first[1:]}") if " " in first else tool.title
