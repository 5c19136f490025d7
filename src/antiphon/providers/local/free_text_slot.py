"""The free-text slot: the payload an utterance carries, or the topic it is about."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from antiphon.providers.local.catalogue import SLOT, DeclaredTool, Parameter
from antiphon.providers.local.words import (
    DETERMINERS,
    MARKERS,
    ORDERS,
    STOP,
    Token,
    order_verb,
    stem,
    stems,
    tokens,
)
from antiphon.text.words import word_set

Span = tuple[int, int]

_QUOTE = re.compile(r"\"([^\"]+)\"|\u201c([^\u201c\u201d]+)\u201d|(?<!\w)'([^']{2,})'(?!\w)")
# A colon that introduces something; not the one of a time, an id or an address.
_COLON = re.compile(r"(?<=[\w)\"']):\s+(?=\S)")
_THAT = re.compile(r"\bthat\s+(?=\S)", re.IGNORECASE)
_ASKED_FIRST = re.compile(r"\?\s+(?=\S)")
# Speech has no colons: the request ends with a full stop, or with a comma.
_STOPPED = re.compile(r"(?<=[^\W\d_]{2})\.\s+(?=\S)")
# A line of its own, or a dash, begins what is carried.
_DASH = re.compile(r"(?<=\w)\s+[-\u2013\u2014]\s+(?=\S)|(?<=\S)[ \t]*\n+(?=\S)")
_FENCE = re.compile(r"```[\w+-]*\n(?P<code>.+?)\n?```", re.DOTALL)
# Source code, which has colons and full stops of its own.
_CODE_BEGINS = re.compile(
    r"\b(?:async\s+def|def|function|func|fn)\s+\w+\s*\(|\bclass\s+\w+\s*[(:{]|"
    r"\b(?:const|let|var)\s+\w+\s*=|\bfrom\s+\w+\s+import\b|\bimport\s+\w+\s*(?:;|$)|"
    r"@\w+[^\n]*\n\s*(?:async\s+)?def\b",
    re.MULTILINE,
)
_COMMA = re.compile(r"(?<=\w),\s+(?=\S)")
# A command before a payload is short.
_HEAD_WORDS = 16
# Said around a request, whatever the tool.
_COMMON = frozenset(
    stem(word)
    for word in word_set(
        """find search look get give show tell fetch list read see want need like know let go
        please thing things something anything information info stuff result results best top
        first check do have us me run use using through across inside within around
        via kind following question answer whole entire try make take put doing made there exist"""
    )
)


def quoted(text: str) -> list[tuple[Span, str]]:
    """What stands in quotation marks, without them."""
    return [
        (m.span(), next(group for group in m.groups() if group is not None))
        for m in _QUOTE.finditer(text)
    ]


def head(text: str) -> str:
    """The command of an utterance that carries a text: before a colon, a quotation or "that"."""
    cut = len(text)
    marks = [_COLON, _QUOTE, _THAT, _DASH, _CODE_BEGINS]
    if order_verb(text) is not None:
        marks.append(_STOPPED)
    for mark in marks:
        found = mark.search(text)
        if found is not None and 2 <= len(text[: found.start()].split()) <= _HEAD_WORDS:
            cut = min(cut, found.start())
    return text[:cut].strip()


def payload(text: str, masked: Iterable[Span], *, long: bool) -> str:
    """The text that an utterance carries, marked off by quotation marks or a colon, a `long` one
    also by "that" or by a question before it. Empty when nothing marks one.

    The first mark counts: what follows it may have marks of its own.
    """
    if long and (fenced := _FENCE.search(text)) is not None:
        return fenced["code"]
    marks = (_COLON, _THAT, _ASKED_FIRST, _STOPPED, _DASH) if long else (_COLON,)
    found = [(m.start(), mark, m) for mark in marks if (m := mark.search(text)) is not None]
    found = [one for one in found if len(text[: one[0]].split()) <= _HEAD_WORDS]
    quotes = quoted(text)
    first = min(found, key=lambda one: one[0], default=None)
    code = _CODE_BEGINS.search(text)
    marked = min(first[0] if first else len(text), quotes[0][0][0] if quotes else len(text))
    if code is not None and 0 < code.start() < marked:
        return text[code.start() :].strip()
    if quotes and (first is None or quotes[0][0][0] < first[0]):
        return max((inner for _, inner in quotes), key=len).strip()
    if first is None:
        return ""
    end = first[2].end()
    if first[1] is _THAT:
        return unmasked(text, end, len(text), masked)
    rest = text[end:].strip()
    if first[1] is _COLON and not long and quotes:
        return max((inner for _, inner in quotes), key=len).strip()
    return rest


_BULLET = re.compile(r"^[ \t]*(?:[-*\u2022]|\(?\w[.)])[ \t]+(?P<one>\S.*?)[ \t]*$", re.MULTILINE)
_PART = re.compile(r"[^,;\n]+")


def enumerated(text: str) -> list[Span]:
    """Where the members of a list stand that an utterance carries: one a line, or after a colon
    with commas between them."""
    lines = [m.span("one") for m in _BULLET.finditer(text)]
    colon = _COLON.search(text)
    if lines or colon is None:
        return lines
    found = []
    for part in _PART.finditer(text, colon.end()):
        begin = len(part[0]) - len(re.sub(r"^\s*(?:and\s|or\s)?\s*", "", part[0]))
        end = len(part[0].rstrip(" .?!"))
        if begin < end:
            found.append((part.start() + begin, part.start() + end))
    return found


def after_command(text: str, tool: DeclaredTool, masked: Collection[Span]) -> str:
    """What follows a comma before which there is nothing but the request: "add to the graph, …"."""
    known = vocabulary(tool)
    for mark in _COMMA.finditer(text):
        before = [t for t in tokens(text[: mark.start()]) if not _within(t, masked)]
        commands = all(_is_command(word, known, False) for word in before)
        verb = order_verb(text) is not None
        if verb and commands and len(before) <= _HEAD_WORDS:
            return unmasked(text, mark.end(), len(text), masked)
    return ""


def _within(word: Token, masked: Collection[Span]) -> bool:
    return any(a <= word.start < b for a, b in masked)


def vocabulary(tool: DeclaredTool) -> frozenset[str]:
    """The words with which people ask for a tool, as stems."""
    words = set(_COMMON)
    for phrase in tool.phrases:
        text = SLOT.sub(" ", phrase.text)
        words |= {stem(token.key) for token in tokens(text) if token.key not in _CALLED}
    return frozenset(words | stems(tool.title))


def subject(
    text: str,
    tool: DeclaredTool,
    parameter: Parameter,
    masked: Collection[Span],
    *,
    connected: bool = False,
    order: bool = False,
    title: bool = False,
) -> str:
    """What a request is about: without the words of the request at both ends.

    With `connected` it must follow a word that stands before this parameter in a phrase. With
    `order` the verb of the order is left out, whichever it is; with `title` what follows it is
    kept as a whole.
    """
    keep = bool(OWN_WORDS.search(parameter.description))
    known = vocabulary(tool)
    words = [t for t in tokens(text) if not _within(t, masked)]
    if keep and (after := _after_named(words, masked, connectors(tool, parameter))):
        return unmasked(text, after[0].start, after[-1].end, masked)
    first = _order_words(words) if order else 0
    begin = first
    while first < len(words) and _is_command(words[first], known, keep):
        if _has_purpose(words, first):
            break
        first += 1
    last = len(words)
    while not keep and last > first and _is_trailing(words, last, known, connected):
        last -= 1
    if first == last:
        return _after_marker(text, words, masked) if not connected and not order else ""
    if connected:
        before = connectors(tool, parameter)
        spots = [n for n in range(first) if words[n].key in before]
        if not spots and (spot := _late_connector(words, first, last, before)) is not None:
            spots, first = [spot], spot + 1
        if not spots:
            return ""
        # "And" begins a request of its own, all of which is meant.
        joint = next((n for n in spots if words[n].key == "and"), None)
        first = first if joint is None else joint + 1
    if title and begin < first and words[begin].key in DETERMINERS:
        first = begin + 1  # "a planning day" is one thing, though people plan with this tool
    # A name in the middle of a request is not cut in two, nor is "catch-up".
    end = words[last - 1].end
    hyphened = _HYPHENED.match(text, end)
    return unmasked(text, words[first].start, hyphened.end() if hyphened else end, masked)


def _has_purpose(words: list[Token], at: int) -> bool:
    """ "Make an endpoint to create orders": what it is for begins here, with a verb of its own."""
    if words[at].key not in ORDERS or at < 2 or words[at - 1].key not in ("to", "that", "which"):
        return False
    return any(word.key in ORDERS for word in words[: at - 1])


def subject_from(text: str, spot: int, masked: Collection[Span]) -> str:
    """From the clause that holds this spot to the end."""
    before = max(text.rfind(mark, 0, spot) for mark in (" in ", " from ", "? ", ". ", "\n"))
    start = text.find(" ", before + 1) + 1 if before >= 0 else spot
    return unmasked(text, min(start, spot), len(text), masked)


def _is_command(word: Token, known: frozenset[str], keep_question: bool) -> bool:
    if word.text[:1].isupper() and word.start and word.key not in STOP:
        return False
    if keep_question and word.key in _ASKING:
        return False
    return word.key in STOP or word.key in _CALLED or stem(word.key) in known


def _is_trailing(words: list[Token], last: int, known: frozenset[str], whole: bool) -> bool:
    """Of a clause that is meant as a `whole` only words of the request itself are left out."""
    word = words[last - 1]
    if not whole:
        return _is_command(word, known, False)
    if word.key in STOP:
        return last < len(words) and word.key in _DANGLING
    return _is_command(word, known, False)


# A question is kept as it was asked, from its first word to its last.
OWN_WORDS = re.compile(r"question|\bin their words\b", re.IGNORECASE)


def _order_words(words: list[Token]) -> int:
    """How many words say that something is to be done: "set up", "please go and"."""
    at = 0
    while at < len(words) and words[at].key in _COURTESY:
        at += 1
    if at < len(words) and words[at].key in ORDERS:
        at += 1
        while at < len(words) and words[at].key in _PARTICLES:
            at += 1
    return at


_HYPHENED = re.compile(r"(?:-\w+)+")
_COURTESY = word_set(
    "please kindly now then also just can could would will you i want need like to"
)
_PARTICLES = word_set("up off out over down me us")
_CALLED = word_set("called named titled")  # "a call" is none of these
_DANGLING = word_set("by in with via through using on for and to at the")
_ASKING = word_set("who whom whose what which when where why how")


def _after_named(
    words: list[Token], masked: Collection[Span], before: frozenset[str]
) -> list[Token]:
    """What is said behind the name of who is asked: "… think about holidays", "… who leads it"."""
    end = max((b for _, b in masked), default=0)
    rest = [word for word in words if word.start >= end]
    if not end or not any(word.key not in STOP for word in rest):
        return []
    for at, word in enumerate(rest[:3]):
        if word.key in _ASKING:
            return rest[at:]
        if word.key in before and any(w.key not in STOP for w in rest[at + 1 :]):
            return rest[at + 1 :]
    return rest


def _late_connector(
    words: list[Token], first: int, last: int, before: frozenset[str]
) -> int | None:
    """A connector after a word or two that no phrase has: "at once think about …"."""
    for at in range(first, min(first + 3, last - 1)):
        if words[at].key in before and words[at].key != "and":
            return at
    return None


def _after_marker(text: str, words: list[Token], masked: Collection[Span]) -> str:
    """All words are words of requests: what follows the first marker is meant all the same."""
    for at, word in enumerate(words[:-1]):
        if word.key in MARKERS and any(w.key not in STOP for w in words[at + 1 :]):
            return unmasked(text, words[at + 1].start, words[-1].end, masked)
    return ""


def connectors(tool: DeclaredTool, parameter: Parameter) -> frozenset[str]:
    """The words right before a parameter's slot in the tool's phrases."""
    found = set()
    for phrase in tool.phrases:
        for match in SLOT.finditer(phrase.text):
            before = tokens(phrase.text[: match.start()])
            if match[1] == parameter.name and before:
                found.add(before[-1].key)
    return frozenset(found)


def unmasked(text: str, start: int, end: int, masked: Iterable[Span]) -> str:
    """A part of the text without the spans that something else was made of."""
    kept, at = [], start
    for a, b in sorted(masked):
        if b <= at or a >= end:
            continue
        kept.append(text[at : max(at, a)])
        at = max(at, b)
    kept.append(text[at:end] if at < end else "")
    return " ".join("".join(kept).split()).strip(" ,;:?!\u2013-")
