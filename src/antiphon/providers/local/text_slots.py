"""Texts as arguments: the words of a request that the trained reader gives to each parameter."""

from __future__ import annotations

import re
from collections.abc import Sequence

from antiphon.providers.local.catalogue import DeclaredTool, Parameter
from antiphon.providers.local.free_text_slot import payload, quoted, unmasked
from antiphon.providers.local.slot_filling import SlotSheet
from antiphon.providers.local.values import Kind
from antiphon.providers.local.words import without_courtesy
from antiphon.understanding.reader import SlotSpan

_PATTERN = re.compile(
    r"(?<!\S)\S+\s+(?:-\w*->|<-\w*-|->)\s+\S+(?:\s\S+)*?(?=\s+(?:in|on)\s|[.?!]?$)"
)
_LITERAL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+\.\w+|https?://\S+|\+?\d[\d ()/-]{6,}\d")
_CARRIED = 2  # as evidence
_EDGES = " \t\n,;:.!?\"'\u201c\u201d"
_BEHIND = re.compile(r"\s(?:with|on|about)\s+(?:the (?:input|text|words?)\s+)?(\w[^.?!]*)[.?!]*$")
_RELEVANCE = re.compile(
    r"^(?:relevance|relation|how well they fit)\s+(?:to|for)?\s*", re.IGNORECASE
)
_ARTICLE = re.compile(r"^(?:an?|the|my|our|some)\s+(?=\w)", re.IGNORECASE)


def free(sheet: SlotSheet, parameter: Parameter, kind: Kind, asked: bool) -> None:
    """What a text, a name or a title is, where the request has one."""
    value = _value(sheet, parameter, asked)
    most = parameter.schema.get("maxLength")
    value = value[:most] if value and most else value
    if not value or len(value) < parameter.schema.get("minLength", 1):
        return
    if kind == "title" and not asked:
        value = _ARTICLE.sub("", value)
        value = value[:1].upper() + value[1:]
    sheet.args[parameter.name] = [value] if "array" in parameter.types else value
    if is_long(parameter) or sheet.spans(parameter.name):
        sheet.filled.evidence += _CARRIED if is_long(parameter) else 1
    at = sheet.text.lower().find(value.lower())
    if at >= 0:
        sheet.filled.spans.append(((at, at + len(value)), parameter))
        if parameter.required:
            sheet.masked.append((at, at + len(value)))


def _value(sheet: SlotSheet, parameter: Parameter, asked: bool) -> str:
    text = sheet.text
    spans = [s for s in sheet.spans(parameter.name) if sheet.is_free((s.start, s.end))]
    if "pattern" in parameter.description.lower() and (found := _PATTERN.search(text)):
        return found.group().strip()
    if is_long(parameter) and not asked and (carried := payload(text, sheet.masked, long=True)):
        return carried
    quotes = quoted(text)
    if quotes and (len(quotes) == 1 or not spans):
        others = [
            p for p in sheet.tool.required if p.name != parameter.name and sheet.spans(p.name)
        ]
        inside = any(span.start >= a and span.end <= b for span in spans for (a, b), _ in quotes)
        named = parameter.label in text.lower()
        if inside or (not spans and (asked or named or (parameter.required and not others))):
            return quotes[0][1].strip()
    if spans:
        words = words_of(text, spans)
        words = _RELEVANCE.sub("", words)
        if len(words.split()) > 1 or sheet.tool.category != "retrieval" or len(text.split()) < 8:
            return words
    if asked:
        return text.strip()
    slotted = any(f"{{{parameter.name}}}" in phrase.text for phrase in sheet.tool.phrases)
    left = unmasked(text, 0, len(text), sheet.masked)
    if (parameter.required or slotted) and (behind := _BEHIND.search(left)):
        return behind[1].strip(_EDGES)
    if parameter.required and is_made_up(sheet.tool, parameter):
        return ""
    if parameter.required and sheet.tool.category == "retrieval":
        return without_courtesy(unmasked(text, 0, len(text), sheet.masked)).strip(_EDGES)
    if parameter.required and is_long(parameter):
        found_literal = _LITERAL.search(text)
        return text[found_literal.start() :].strip(_EDGES) if found_literal else ""
    return ""


def words_of(text: str, spans: Sequence[SlotSpan]) -> str:
    """The words of the surest span, and of what goes on right behind it."""
    best = max(spans, key=lambda span: (span.confidence, span.end - span.start))
    start, end = best.start, best.end
    for span in sorted(spans, key=lambda one: one.start):
        if span.start >= end and not text[end : span.start].strip(" ,'\"-"):
            end = span.end
    # Whole words, and what an apostrophe joins.
    while start > 0 and text[start - 1].isalnum():
        start -= 1
    while end < len(text) and (text[end].isalnum() or _joins(text, end)):
        end += 1
    return text[start:end].strip(_EDGES)


def _joins(text: str, at: int) -> bool:
    return text[at] in "'\u2019-" and text[at + 1 : at + 2].isalpha()


def is_long(parameter: Parameter) -> bool:
    """A text of its own, which a request carries rather than describes."""
    return int(parameter.schema.get("maxLength", 0)) > 2000


def is_made_up(tool: DeclaredTool, parameter: Parameter) -> bool:
    """Whether the words are the tool author's rather than the person's: no phrase has a slot for
    them, and the examples of the guide say what they are."""
    slotted = any(f"{{{parameter.name}}}" in phrase.text for phrase in tool.phrases)
    return not slotted and bool(authored(tool, parameter))


def authored(tool: DeclaredTool, parameter: Parameter) -> str:
    for phrase in tool.phrases:
        value = phrase.args.get(parameter.name)
        if isinstance(value, str) and value:
            return value
    return ""
