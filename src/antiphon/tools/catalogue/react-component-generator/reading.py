"""Reads from a description what sort of component is wanted, and with which fields."""

from __future__ import annotations

import re

# The first that fits decides: a form in a modal is a modal, a list that is fetched is fetched.
KINDS = {
    "modal": r"\b(?:modal|dialog|popup|pop-up|overlay|lightbox)\b",
    "form": r"\b(?:form|sign[- ]?up|log[- ]?in|sign[- ]?in|regist\w+|checkout|survey)\b",
    "fetch": r"\b(?:fetch\w*|load\w*|api|endpoint|from (?:the |a )?(?:server|url|backend))\b",
    "table": r"\b(?:table|grid|rows|columns|spreadsheet)\b",
    "list": r"\b(?:lists?|feed|menu|items|cards|gallery)\b",
    "counter": r"\b(?:counter|count\w*|increment\w*|stepper|quantity)\b",
    "toggle": r"\b(?:toggle|switch|accordion|collaps\w*|expand\w*|show and hide|dropdown)\b",
    "card": r".",
}
EVERY = tuple(KINDS)
EXTRAS: dict[str, tuple[str, tuple[str, ...]]] = {
    "search": (r"\b(?:search\w*|filter\w*|find)\b", ("list", "table")),
    "sort": (r"\b(?:sort\w*|order(?:ed|able)? by)\b", ("table",)),
    "pagination": (r"\b(?:pagina\w+|paged|pages)\b", ("list", "table")),
    "dark-mode": (r"\bdark[- ](?:mode|theme)\b", EVERY),
    "styles": (r"\b(?:css|styles?|styled|styling)\b", EVERY),
    "tests": (r"\b(?:tests?|tested)\b", EVERY),
}
TYPES = (
    ("email", r"e-?mail"), ("password", r"password|passphrase"),
    ("number", r"age|quantity|amount|price|count|number|year|total|size"),
    ("date", r"date|birthday|deadline|due"), ("tel", r"phone|mobile|telephone"),
    ("url", r"url|website|link|homepage"),
    ("checkbox", r"remember|agree|accept|terms|newsletter|subscribe|active|enabled"),
    ("textarea", r"message|comment|description|notes?|bio|address|feedback"),
)  # fmt: skip
USUAL = {
    "form": ["name", "email"], "table": ["name", "status", "date"], "list": [],
    "modal": [], "fetch": [], "counter": [], "toggle": [], "card": [],
}  # fmt: skip
LISTED = re.compile(
    r"\b(?:with|fields?(?: for)?|columns?(?: for)?|containing|inputs?(?: for)?|has|showing)\s+"
    r"(?:the\s+|fields?\s+|columns?\s+|inputs?\s+|for\s+)*([^.;:!?]{1,400})"
)
STOP = {
    "a", "an", "the", "and", "or", "field", "fields", "column", "columns", "input", "inputs",
    "button", "submit", "validation", "search", "filter", "sorting", "pagination", "tests",
    "styles", "sort", "items", "rows", "users", "list", "css", "dark", "mode", "loading", "error",
    "states", "state", "paging", "filtering", "typescript", "props", "accessible", "test",
}  # fmt: skip
MOST_FIELDS = 12
CARD_PROPS = ("title", "children", "dark")  # which every card has


def words_to_name(text: str) -> str:
    """PascalCase of letters and digits; empty when there is no letter to start with."""
    spread = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", text)
    words = re.findall(r"[A-Za-z0-9]+", spread)
    name = "".join(word[:1].upper() + word[1:] for word in words).lstrip("0123456789")
    return name[:1].upper() + name[1:60]


def kind_of(description: str, wanted: list[str]) -> str:
    for kind in KINDS:
        if kind in wanted:
            return kind
    lower = description.casefold()
    return next(kind for kind, pattern in KINDS.items() if re.search(pattern, lower))


def fields_in(description: str, kind: str) -> list[dict[str, str]]:
    """Name, label and input type of each field that the description lists."""
    if kind not in ("form", "table", "card"):
        return []
    found: dict[str, dict[str, str]] = {}
    listed = LISTED.search(description)
    parts = re.split(r",|\band\b|&|/|\bplus\b", listed[1]) if listed else []
    if kind == "card":
        # "a price with currency" shows the price too; "a card with …" is no field of itself.
        subject = description[: listed.start()] if listed else description
        parts = (
            [subject, *parts] if as_field(subject.split()[-1:] or [""])["type"] != "text" else parts
        )
    for part in parts:
        words = [w for w in re.findall(r"[A-Za-z][A-Za-z0-9]*", part) if w.lower() not in STOP]
        if 0 < len(words) <= 3:
            field = as_field(words)
            if kind != "card" or field["name"] not in CARD_PROPS:
                found.setdefault(field["name"], field)
    if not found:
        found = {name: as_field([name]) for name in USUAL[kind]}
    return list(found.values())[:MOST_FIELDS]


def as_field(words: list[str]) -> dict[str, str]:
    lower = [word.lower() for word in words]
    name = lower[0] + "".join(word.capitalize() for word in lower[1:])
    label = " ".join(lower).capitalize()
    text = " ".join(lower)
    kind = next((k for k, pattern in TYPES if re.search(rf"\b(?:{pattern})", text)), "text")
    # A word that means something to JavaScript cannot be the name of a property that is set apart.
    return {"name": f"{name}Value" if name in RESERVED else name, "label": label, "type": kind}


RESERVED = {
    "class", "default", "delete", "function", "new", "return", "switch", "this", "typeof", "var",
    "void", "with", "enum", "export", "import", "in", "constructor", "prototype",
}  # fmt: skip
