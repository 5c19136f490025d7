"""Texts as arguments: what a request carries, what it is about, what something is called."""

from __future__ import annotations

import re

from antiphon.providers.local.catalogue import SLOT, DeclaredTool, Parameter
from antiphon.providers.local.free_text_slot import (
    after_command,
    connectors,
    payload,
    quoted,
    subject,
    subject_from,
    unmasked,
)
from antiphon.providers.local.slot_filling import SlotSheet
from antiphon.providers.local.values import Kind, kind_of
from antiphon.providers.local.words import tokens, without_courtesy

_PATTERN = re.compile(
    r"(?<!\S)\S+\s+(?:-\w*->|<-\w*-|->)\s+\S+(?:\s\S+)*?(?=\s+(?:in|on)\s|[.?!]?$)"
)
_LITERAL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+\.\w+|https?://\S+|\+?\d[\d ()/-]{6,}\d")
# Where a name ends that nothing marks off.
_NAME_ENDS = re.compile(
    r"\s{2,}|[,:;]\s|\s+(?:with|from|for|on|at|about|to|in|that|which|who|when|whenever)\s"
)
_CALLED = re.compile(
    r"\b(?:called|named|titled|entitled|(?:call|name) (?:it|this|that)|with the (?:name|title)"
    r"|(?:the )?(?:title|name) is)\s+(.+)$",
    re.IGNORECASE,
)
# Source code, which only tools that work on code are given.
_CODE = re.compile(
    r"\b(?:def|class|import|function|func|return|const|let|var|fn|void)\b[^.?]{0,80}[(:{=;]"
    r"|\w\([^)]{0,80}\)|=>|[!=]=|[{};]\s*$",
    re.MULTILINE,
)
_CARRIED = 2  # as evidence
_LOOKED_AT = 2_000
_READS_ADDRESSES = re.compile(r"\be-?mail addresses|\bphone numbers", re.IGNORECASE)
# A long text that is described by the request itself, not only carried by it.
_DESCRIBED = re.compile(r"^(?:what|how)\b", re.IGNORECASE)


def free(sheet: SlotSheet, parameter: Parameter, kind: Kind, asked: bool) -> None:
    value = _value(sheet, parameter, kind, asked)
    most = parameter.schema.get("maxLength")
    if value and most:
        value = value[:most]
    if value and len(value) >= parameter.schema.get("minLength", 1):
        sheet.args[parameter.name] = value
        if is_long(parameter) and _of_its_kind(sheet.tool, parameter, value):
            sheet.filled.evidence += _CARRIED
        at = sheet.text.lower().find(value.lower())
        if at >= 0:
            sheet.filled.spans.append(((at, at + len(value)), parameter))
            if parameter.required:
                sheet.masked.append((at, at + len(value)))


def _of_its_kind(tool: DeclaredTool, parameter: Parameter, value: str) -> bool:
    """Whether a text is plainly one that this tool works on: code, or one with addresses in it."""
    if "code" in parameter.name:
        return _CODE.search(value[:_LOOKED_AT]) is not None
    return bool(_READS_ADDRESSES.search(tool.summary) and _LITERAL.search(value[:_LOOKED_AT]))


def is_long(parameter: Parameter) -> bool:
    """A text of its own, which a request carries rather than describes."""
    return int(parameter.schema.get("maxLength", 0)) > 2000


def _value(sheet: SlotSheet, parameter: Parameter, kind: Kind, asked: bool) -> str:
    text, tool = sheet.text, sheet.tool
    quotes = quoted(text)
    if asked:
        return quotes[0][1] if quotes else text.strip()
    if "pattern" in parameter.description.lower() and (found := _PATTERN.search(text)):
        sheet.filled.evidence += 1
        return found.group().strip()
    if kind in ("name", "title"):
        return _name(sheet, parameter, kind)
    if not parameter.required:
        if quotes and ("message" in parameter.name or "text" in parameter.name):
            return quotes[0][1]
        if quotes and (marked := _marked(sheet, parameter)):
            return marked
        return subject(text, tool, parameter, sheet.masked, connected=True)
    if (marked := _marked(sheet, parameter)) and _has_siblings(sheet, parameter):
        return marked
    made_up = is_made_up(tool, parameter)
    if made_up:
        return quotes[0][1] if quotes else ""
    long = is_long(parameter)
    carried = payload(text, sheet.masked, long=long)
    if carried:
        return carried
    if long and (rest := after_command(text, tool, sheet.masked)):
        return rest
    if long and not _DESCRIBED.search(parameter.description):
        return _literal(sheet)
    return subject(text, tool, parameter, sheet.masked, order=long) or _slotted(sheet, parameter)


def _slotted(sheet: SlotSheet, parameter: Parameter) -> str:
    """What stands in the place of the parameter's slot, when the request is one of the tool's
    phrases: "take me to settings", although "settings" is a word of the tool itself."""
    said = without_courtesy(sheet.text).rstrip(" .?!")
    for phrase in sheet.tool.phrases:
        slots = [match[1] for match in SLOT.finditer(phrase.text)]
        if slots == [parameter.name]:
            before, after = (re.escape(part.rstrip(".?!")) for part in SLOT.split(phrase.text)[::2])
            found = re.fullmatch(rf"{before}(.+?){after}", said, re.IGNORECASE)
            if found is not None and found[1].strip():
                return found[1].strip()
    return ""


def _name(sheet: SlotSheet, parameter: Parameter, kind: Kind) -> str:
    text = sheet.blanked()
    if (called := _CALLED.search(text)) is not None:
        # The name may be quoted, which is blank here.
        inner = [quote for span, quote in quoted(sheet.text) if span[0] >= called.start()]
        end = _NAME_ENDS.split(called[1])[0].strip(" \"'.?!,")
        return end or (inner[0] if inner else "")
    quotes = quoted(sheet.text)
    if quotes:
        return quotes[0][1]
    if kind == "name" or not parameter.required:
        return ""
    if carried := payload(sheet.text, sheet.masked, long=False):
        at = sheet.text.find(carried)
        title = _NAME_ENDS.split(unmasked(sheet.text, at, len(sheet.text), sheet.masked))[0]
    else:
        title = subject(sheet.text, sheet.tool, parameter, sheet.masked, order=True, title=True)
    return title[:1].upper() + title[1:]


def _has_siblings(sheet: SlotSheet, parameter: Parameter) -> bool:
    """Several texts in one request are told apart by the words before them."""
    kinds = {p.name: kind_of(p, sheet.scene.catalogue) for p in sheet.tool.required}
    others = [name for name, kind in kinds.items() if kind in ("text", "name", "title")]
    slots = {match[1] for phrase in sheet.tool.phrases for match in SLOT.finditer(phrase.text)}
    return any(name in slots for name in others if name != parameter.name)


def _marked(sheet: SlotSheet, parameter: Parameter) -> str:
    """What follows a word that stands before this parameter in the tool's phrases."""
    before = connectors(sheet.tool, parameter) - {"that", "with", "to", "for", "on", "a", "the"}
    words = tokens(sheet.text)
    for at, word in enumerate(words[:-1]):
        if word.key in before and sheet.is_free((word.start, word.end)):
            inner = [quote for span, quote in quoted(sheet.text) if span[0] >= word.end]
            if inner and sheet.text.find(inner[0], word.end) - word.end <= 3:
                return inner[0]
            rest = sheet.text[words[at + 1].start :]
            return _NAME_ENDS.split(rest)[0].strip(" \"'.?!,;:")
    return ""


def _literal(sheet: SlotSheet) -> str:
    """A text that nothing marks off, but that holds an address or a number to be read."""
    spots = [m.start() for m in _LITERAL.finditer(sheet.text)]
    return subject_from(sheet.text, spots[0], sheet.masked) if spots else ""


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
