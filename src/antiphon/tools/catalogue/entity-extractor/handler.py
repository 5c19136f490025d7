"""Entity extraction by form: names, organisations, dates, amounts and addresses in a text."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from antiphon import ok
from antiphon.toolkit import language

MOST = 500
MONTHS = "|".join(
    [*language.MONTHS, *(name for name in language.MONTHS_SHORT if name not in ("May", "Sep"))]
    + ["Sept?"]
)
NUMBER = r"\d{1,3}(?:[,.\u00a0 ]\d{3}){1,6}(?:[.,]\d{1,2})?|\d{1,12}(?:[.,]\d{1,4})?"
SCALE = r"(?:\s?(?:thousand|million|billion|[kKmM])\b)?"
UNIT = r"euros?|dollars?|pounds?|francs?|EUR|USD|GBP|CHF"
CAPITAL = r"[A-ZÀ-ÖØ-ÞĀ-Ž][\w\u2019'-]*"
FORM = r"(?:Inc|Ltd|LLC|GmbH|AG|SA|SE|Corp|Co|PLC|plc|BV|AB|Oy)\b\.?"
KIND = r"(?:University|Institute|Bank|Foundation|Council|Ministry|College|Hospital|Museum|Group)"
# The first that fits at a place is what it is.
FORMS = (
    ("url", r"https?://[^\s<>\"')\]]{1,2000}"),
    ("email", r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}"),
    ("date", r"\d{4}-\d{2}-\d{2}\b"),
    ("date", rf"\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?(?:{MONTHS})\b\.?(?:,?\s\d{{4}}\b)?"),
    ("date", rf"(?:{MONTHS})\b\.?\s\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s\d{{4}}\b)?"),
    ("date", rf"(?:{MONTHS})\s\d{{4}}\b"),
    ("percentage", rf"(?:{NUMBER})\s?(?:%|percent\b|per cent\b)"),
    ("money", rf"[€$£¥]\s?(?:{NUMBER}){SCALE}"),
    ("money", rf"(?:{NUMBER}){SCALE}\s?(?:€|(?:{UNIT})\b)"),
    ("organisation", rf"(?:{CAPITAL}\s(?:&\s|and\s|of\s)?){{1,5}}{FORM}"),
    ("organisation", rf"(?:{CAPITAL}\s){{1,4}}{KIND}\b"),
    ("organisation", rf"{KIND}\sof\s(?:the\s)?{CAPITAL}(?:\s{CAPITAL}){{0,3}}"),
    ("name", rf"{CAPITAL}(?:\s(?:van|von|de|der|da|di|la|le)\b){{0,2}}(?:\s{CAPITAL}){{1,3}}"),
    ("name", CAPITAL),
)
ANY = re.compile("|".join(rf"(?P<f{n}>(?<!\w){form})" for n, (_, form) in enumerate(FORMS)))
# Words that begin a sentence, and with it look like the beginning of a name.
OPENING = frozenset(
    {
        *("A", "An", "And", "As", "At", "But", "By", "For", "From", "He", "Her", "His", "How", "I"),
        *("If", "In", "It", "Its", "My", "No", "Not", "On", "Or", "Our", "She", "So", "That"),
        *("The", "Their", "Then", "There", "These", "They", "This", "To", "We", "What", "When"),
        *("Where", "Which", "Who", "Why", "With", "You", "Your"),
    }
)
CALENDAR = frozenset([*MONTHS.replace("?", "").split("|"), "Sep"])
SENTENCE = re.compile(r"(?:^|[.!?:\n][\"'”\u2019)\]]{0,8}+\s{0,8}+[\"'“\u2018(\[]{0,8}+)$")


def execute(args: dict[str, Any], context: Any) -> Any:
    text = args["text"]
    wanted = set(args.get("types") or [kind for kind, _ in FORMS])
    found: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], int] = {}
    for kind, start, words in find_entities(text):
        if kind in wanted:
            found[kind, words] += 1
            first.setdefault((kind, words), start)
    entities = [
        {"type": kind, "text": words, "count": found[kind, words], "position": start}
        for (kind, words), start in sorted(first.items(), key=lambda each: each[1])
    ][:MOST]
    return ok({"entities": entities, "counts": dict(Counter(one["type"] for one in entities))})


def find_entities(text: str) -> Any:
    place = 0
    while (match := ANY.search(text, place)) is not None:
        place = match.end()
        kind = FORMS[int(str(match.lastgroup)[1:])][0]
        words, start = match[0], match.start()
        if kind in ("name", "organisation"):
            opening = words.split()[0]
            if opening in OPENING:
                # What follows it may be a name by itself.
                place = start + len(opening)
                continue
            alone = " " not in words
            if alone and (words in CALENDAR or len(words) < 2 or opens_sentence(text, start)):
                continue
        if kind == "url":
            words = words.rstrip(".,;:!?")
        yield kind, start, words


def opens_sentence(text: str, start: int) -> bool:
    """Return whether a sentence begins there, where a capital letter says nothing."""
    return SENTENCE.search(text[max(0, start - 8) : start]) is not None
