"""Plain answers: what Antiphon is and can do, days until a date, the last answer once more."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime

from antiphon.providers.local.catalogue import DeclaredTool, DeclaredTools
from antiphon.providers.local.dates import moments
from antiphon.providers.local.names import NameBook
from antiphon.providers.local.words import bare_question, joined, without_courtesy
from antiphon.text.sentences import line_sentences

_NAMED = r"(?:this )?antiphon"
_HERE = r"(?:this|this (?:app|program|place|page|site|thing|workspace|tool)|this all about)"
_ABOUT = re.compile(
    rf"^(?:what(?:'s| is| does| can)|who(?:'s| is)|tell me (?:more |something )?about|explain|"
    rf"describe|introduce)\s+{_NAMED}(?:\s+(?:do|for|about|all about))?[?.! ]*$"
    rf"|^(?:tell me )?what {_NAMED} (?:is|does|can do)(?: for)?[?.! ]*$"
    rf"|^what(?:'s| is) {_HERE}(?: for| about)?[?.! ]*$"
    r"|^(?:what am i (?:looking at|seeing)|where am i)[?.! ]*$",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    r"^(?:(?:can|could|would) you )?(?:(?:repeat|say) (?:that|it|this)(?: again| once more)?"
    r"|(?:repeat|say again|come again|once more|pardon(?: me)?|what did you say|what was that))"
    r"(?: please)?[?.! ]*$",
    re.IGNORECASE,
)
_BIGGER = re.compile(
    r"^(?:make|set) (?:the |this |all )?(?:text|font|letters?|words|page|screen|everything|type)"
    r"(?: size)? (?:bigger|larger|smaller|big|large|small)[?.! ]*$"
    r"|^(?:zoom (?:in|out)|(?:increase|enlarge|decrease|reduce) the (?:text|font)(?: size)?)"
    r"[?.! ]*$",
    re.IGNORECASE,
)
_UNTIL = re.compile(
    r"^how (?:many (?P<unit>days|weeks)|(?P<long>long))(?: (?:is it|are there|are left|is left|"
    r"do we have|have we got))? (?:until|till|to|before) (?P<day>[^?!]{2,60}?)[?.! ]*$",
    re.IGNORECASE,
)
_FEASTS = {
    "christmas": (12, 25),
    "christmas day": (12, 25),
    "xmas": (12, 25),
    "christmas eve": (12, 24),
    "new year": (1, 1),
    "new year's": (1, 1),
    "new year's day": (1, 1),
    "new year's eve": (12, 31),
    "halloween": (10, 31),
    "valentine's day": (2, 14),
}
_SAMPLE = "Harbor Light"
_SHOWN = 5


def asks_about(text: str) -> bool:
    """Whether somebody asks what Antiphon is."""
    return bool(_ABOUT.match(without_courtesy(text).strip()))


def asks_again(text: str) -> bool:
    """Whether somebody wants to hear the last answer once more."""
    return bool(_AGAIN.match(without_courtesy(text).strip()))


def about(catalogue: DeclaredTools, book: NameBook, spoken: bool) -> str:
    """What Antiphon is, and three things to try."""
    return _with_examples(
        "Antiphon is a workspace that you talk or write to. It answers from your knowledge and "
        "names its sources, and it uses tools for you, from the calendar to calculations. It asks "
        "before it changes anything.",
        catalogue,
        book,
        spoken,
    )


def abilities(catalogue: DeclaredTools, book: NameBook, spoken: bool) -> str:
    """What can be asked for here, and three things to try."""
    tools = catalogue.tools
    if "kb_search" not in tools:
        return _tools_of(list(tools.values()), spoken)
    can = [
        *(["calculate and convert"] if "calculator" in catalogue.inner else []),
        *(["tell the time anywhere"] if "format_datetime" in tools else []),
        *(["look after your calendar"] if "calendar_create_event" in tools else []),
        *(["open pages"] if "navigate_page" in tools else []),
        *(["run macros and workflows"] if "run_workflow" in tools else []),
    ]
    more = f" I can also {joined(can)}." if can else ""
    return _with_examples(
        "Ask me about the people, projects and documents in your knowledge, and I answer with the "
        f"sources.{more} I ask before I change anything.",
        catalogue,
        book,
        spoken,
    )


def _with_examples(text: str, catalogue: DeclaredTools, book: NameBook, spoken: bool) -> str:
    some = _examples(catalogue, book)
    if not some:
        return text
    if spoken:
        return f"{text} Try: {some[0]}"
    return "\n".join([f"{text} Try:", *(f"- {one}" for one in some)])


def _examples(catalogue: DeclaredTools, book: NameBook) -> list[str]:
    """Three things that work here."""
    found = []
    if "kb_search" in catalogue.tools and book.mentions(_SAMPLE):
        found.append(f"Who leads {_SAMPLE}?")
    if "calculator" in catalogue.inner:
        found.append("What is 17% of 2400?")
    if "calendar_get_availability" in catalogue.tools:
        found.append("When am I free tomorrow?")
    if "format_datetime" in catalogue.tools:
        found.append("What time is it in Tokyo?")
    if "unit_converter" in catalogue.inner:
        found.append("Convert 20 celsius to fahrenheit")
    if "list_kgs" in catalogue.tools:
        found.append("Which databases are there?")
    return found[:3]


def _tools_of(tools: Sequence[DeclaredTool], spoken: bool) -> str:
    """The tools of a program that has others than the workspace."""
    if not tools:
        return "There are no tools here, so all that I can do is talk a little."
    some = tools[:_SHOWN]
    if spoken:
        return f"I can use tools for you, such as {joined(tool.title for tool in some[:3])}."
    lines = ["I can use these tools for you:"]
    for tool in some:
        first = line_sentences(tool.summary)[:1]
        lines.append(f"- {tool.title}: {first[0] if first else tool.summary}")
    if len(tools) > _SHOWN:
        lines.append(f"- and {len(tools) - _SHOWN} more")
    return "\n".join(lines)


def text_size(text: str) -> str:
    """How to make the text larger, where somebody asks for it; empty for anything else."""
    if not _BIGGER.match(without_courtesy(text).strip()):
        return ""
    return (
        "Press Ctrl and + to make everything larger, Ctrl and - to make it smaller, Ctrl and 0 for "
        "the usual size; on a Mac, Cmd instead of Ctrl."
    )


def days_until(text: str, now: datetime) -> str:
    """How long it is until a day; empty where nobody asks for that."""
    match = _UNTIL.match(bare_question(text).strip())
    if match is None:
        return ""
    name = match["day"].strip().lower().removeprefix("the ").replace("\u2019", "'")
    feast = _FEASTS.get(name)
    day = _next(now.date(), *feast) if feast else _date_in(match["day"], now)
    if day is None or (match["long"] and not feast):
        return ""
    days = (day - now.date()).days
    told = f"{day:%A} {day.day} {day:%B} {day.year}"
    if days <= 0:
        return f"{told} is {'today' if not days else 'over already'}."
    weeks, over = divmod(days, 7)
    if (match["unit"] or "").lower() == "weeks" and weeks:
        rest = f" and {_count(over, 'day')}" if over else ""
        return f"{_count(weeks, 'week')}{rest}, until {told}."
    return f"{_count(days, 'day')}, until {told}."


def _date_in(text: str, now: datetime) -> date | None:
    found = [each for each in moments(text, now) if each.day is not None]
    return found[0].day if len(found) == 1 else None


def _next(today: date, month: int, day: int) -> date:
    this = date(today.year, month, day)
    return this if this >= today else date(today.year + 1, month, day)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
