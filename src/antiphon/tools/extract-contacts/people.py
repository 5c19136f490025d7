"""Recognition of names, roles and organisations among other words."""

from __future__ import annotations

import re

from .items import Item, vocabulary

PARTICLES = vocabulary(
    "al ap bin bint da das de del della den der di dos du el ibn la le ten ter van von y zu"
)
HONORIFICS = vocabulary("dr dr. prof prof. mr mr. mrs mrs. ms ms. sir dame herr frau")
ROLE_WORDS = vocabulary(
    "accountant administrator advisor adviser analyst architect assistant associate attorney "
    "cco ceo cfo chair chairman chairwoman chief cio ciso cmo co-founder cofounder consultant "
    "coo coordinator cpo cto curator dean designer developer director editor engineer founder "
    "head intern lawyer lead lecturer manager officer owner partner physician president "
    "principal producer professor programmer recruiter representative researcher scientist "
    "secretary specialist supervisor teacher technician treasurer vp writer"
)
ORG_WORDS = vocabulary(
    "ab ag agency associates association bank bv college company consulting corp corp. "
    "corporation foundation gmbh group hospital inc inc. institute kg lab laboratories labs "
    "limited llc llp ltd ltd. museum nv oy partners plc pty s.a. s.l. s.r.l. sa sarl school "
    "se society solutions spa studio studios technologies trust university"
)
NOT_NAME_WORDS = vocabulary(
    "a address am and ask at best call cc cell cheers contact contacts customer dear "
    "department direct email e-mail fax for from hello help hi home hotline i info "
    "information kind mail main many message mob mobile monday my no office on or our phone "
    "please pm questions reach regards regarding reply reservations sales sent service "
    "sincerely street subject support talk team tel telephone text thank thanks the this to "
    "tuesday via visit warm we web website wednesday with work write www you your yours "
    "thursday friday saturday sunday january february march april june july august september "
    "october november december re fwd date linkedin twitter github instagram"
)
NAME_TOKEN = re.compile(r"[^\W\d_](?:[^\W\d_]|['\u2019.-]){0,39}")
PIECES = re.compile(
    # White space is looked at from its beginning only, or a long run of it takes its square.
    r"(?:(?<!\s)\s+)?[|;\u2022\u00b7\t\n\0]+\s*|(?<!\s)\s+[/\u2013\u2014-]\s+"
    r"|(?:(?<!\s)\s+)?,(?:\s+|$)|^[-*\u2022]\s+|^\d{1,3}[.)]\s+"
)
CONNECTORS = re.compile(
    r"(?:\s|[,:(<\u2013\u2014|-]|\b(?:at|on|via|by|is|e-?mail|mail|phone|tel|mobile|cell|direct|work)\b)$",
    re.I,
)


def clean_name(text: str) -> str:
    tokens = text.strip(" \t\"'*_,:()").split()
    while tokens and tokens[0].lower() in HONORIFICS:
        tokens = tokens[1:]
    return " ".join(tokens)


def is_name(text: str, least: int = 2) -> bool:
    tokens = text.split()
    if not least <= len(tokens) <= 5 or len(text) > 80:
        return False
    capitals = 0
    for token in tokens:
        low = token.lower().rstrip(".")
        if not NAME_TOKEN.fullmatch(token) or low in NOT_NAME_WORDS:
            return False
        if low in ROLE_WORDS or (low in ORG_WORDS and low not in PARTICLES):
            return False
        # Scripts without capitals have no lower case either.
        if token[0].islower():
            if low not in PARTICLES:
                return False
        else:
            capitals += 1
    return capitals >= least and not tokens[-1][0].islower()


def display_name(text: str, email: Item) -> str | None:
    """Return the name in `Name <address>` or `address (Name)`."""
    line_start = max(text.rfind("\n", 0, email["start"]) + 1, email["start"] - 100)
    before = re.sub(r"mailto:$", "", text[line_start : email["start"]], flags=re.I)
    if before.endswith("<"):
        quoted = re.search(r"\"([^\"<>]{1,80})\"\s{0,3}<$", before)
        if quoted:
            last, comma, first = quoted[1].partition(",")
            name = clean_name(f"{first} {last}" if comma else last)
        else:
            name = clean_name(re.split(r"[,;<>:\0]", before[:-1])[-1])
            name = trailing_name(name) or name
        return name if is_name(name, 1) else None
    after = re.match(r"\s?\(([^()\n]{1,80})\)", text[email["end"] : email["end"] + 90])
    if after and is_name(clean_name(after[1])):
        return clean_name(after[1])
    return None


def trailing_name(before: str) -> str | None:
    """Return the name that prose puts right before an item: `please call Grace Hopper on`."""
    before = before[-120:]
    while match := CONNECTORS.search(before):
        before = before[: match.start()]
    tokens: list[str] = []
    for token in reversed(before.split()[-6:]):
        low = token.lower().rstrip(".")
        if token.endswith((",", ":", ";", ".", "!", "?")) and tokens and len(token) > 2:
            break
        if not NAME_TOKEN.fullmatch(token) or low in NOT_NAME_WORDS or low in HONORIFICS:
            break
        if token[0].islower() and low not in PARTICLES:
            break
        tokens.insert(0, token)
    while tokens and tokens[0][0].islower():
        tokens = tokens[1:]
    name = " ".join(tokens)
    return name if is_name(name) else None


def is_role(text: str) -> bool:
    tokens = [token.strip("().&").lower() for token in text.split()]
    return 1 <= len(tokens) <= 7 and len(text) <= 80 and not ROLE_WORDS.isdisjoint(tokens)


def is_organisation(text: str, after_role: bool) -> bool:
    tokens = text.split()
    if not 1 <= len(tokens) <= 7 or len(text) > 80 or not text[0].isalnum() or "@" in text:
        return False
    if any(token.lower() in ORG_WORDS for token in tokens) and text[0].isupper():
        return True
    fits = all(token[0].isupper() or token.lower() in ("of", "the", "and", "&") for token in tokens)
    return after_role and fits and NOT_NAME_WORDS.isdisjoint(token.lower() for token in tokens)
