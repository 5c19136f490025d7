"""Names as arguments: choices, what other tools list, records, people, types."""

from __future__ import annotations

import re
from collections.abc import Sequence

from antiphon.providers.local import values
from antiphon.providers.local.catalogue import Parameter
from antiphon.providers.local.free_text_slot import Span, enumerated, quoted
from antiphon.providers.local.names import person_like
from antiphon.providers.local.slot_filling import SlotSheet
from antiphon.providers.local.values import ChoiceValue, ValueMatch
from antiphon.providers.local.words import DETERMINERS, folded, stem, stems, tokens
from antiphon.text.words import word_set

PRONOUN = re.compile(r"\b(?:his|her|him|he|she|they|their|them|it|its|this|that)\b", re.IGNORECASE)
_NAMED = 2  # as evidence
INSTEAD = re.compile(r"\b(?:give this or|instead of)\b", re.IGNORECASE)
_BEFORE_PLACE = word_set("in into to from on of for across over through within using use both at")


def offered(sheet: SlotSheet, parameter: Parameter) -> Sequence[ChoiceValue]:
    scene = sheet.scene
    source = scene.catalogue.source(parameter)
    if source is not None and source.name in scene.lists:
        return scene.lists[source.name]
    if parameter.name.startswith("database"):
        return [ChoiceValue(name, (name,)) for name in scene.book.databases]
    return ()


def named(
    sheet: SlotSheet, parameter: Parameter, options: Sequence[ChoiceValue], many: bool, asked: bool
) -> None:
    places = set(sheet.scene.book.databases)
    scoped = not asked and bool(options) and all(o.value in places for o in options)
    text = sheet.blanked()
    found = values.choices(text, options, scoped)
    if not found:
        # In quotation marks stands a text of any kind, or just the name of one of them.
        found = [
            ValueMatch(option.value, span)
            for span, inner in quoted(sheet.text)
            for option in options
            if folded(inner.strip()) in map(folded, option.called)
        ]
    if not options and parameter.examples and not asked:
        _likely(sheet, parameter, text)
        return
    if not found and asked:
        found = _nearest(text, options)
    if not found:
        return
    if many:
        least = 2 if parameter.name.startswith("database") and not asked else 1
        chosen = list(dict.fromkeys(one.value for one in found))
        if len(chosen) >= least:
            sheet.args[parameter.name] = chosen
            sheet.filled.evidence += len(chosen)
            for one in found:
                sheet.mask(_with_surroundings(sheet, one.span, parameter), parameter, one.span)
        return
    # Of several the longest name is meant: "weekly report" rather than "report".
    best = max(found, key=lambda one: (one.span[1] - one.span[0], -one.span[0]))
    if (at := values.corrected_at(sheet.text)) and found[-1].span[0] >= at:
        best = found[-1]
    sheet.args[parameter.name] = best.value
    # A thing that somebody has named is hardly said by chance.
    sheet.filled.evidence += 1 if scoped or parameter.choices else _NAMED
    sheet.mask(_with_surroundings(sheet, best.span, parameter), parameter, best.span)


def own_name(sheet: SlotSheet, parameter: Parameter, asked: bool) -> None:
    """What somebody calls a thing of their own: "the weekly report workflow", "workflow weekly"."""
    noun = re.escape(parameter.name.removesuffix("_name").replace("_", " "))
    name = r"[\w'-]+(?: [\w'-]+){0,4}?"
    shapes = [
        rf"\b(?:the|my|our) (?P<name>{name}) {noun}\b",
        rf"\b{noun} (?:called |named )?(?P<name>{name})(?= (?:on|with|for|about)\b|[.?!]*$)",
    ]
    if asked:  # and nothing else is said
        shapes.append(rf"^(?:the |my |our )?(?P<name>{name})[.?!]*$")
    text = sheet.blanked().strip()
    for shape in shapes:
        if found := re.search(shape, text, re.IGNORECASE):
            at = sheet.text.find(found["name"])
            span = _with_surroundings(sheet, (at, at + len(found["name"])), parameter)
            sheet.args[parameter.name] = found["name"]
            sheet.filled.evidence += 1
            sheet.mask(span, parameter, (at, at + len(found["name"])))
            return


def _likely(sheet: SlotSheet, parameter: Parameter, text: str) -> None:
    """A value that the guide names speaks for the tool; whether there is one, the list tells."""
    named = [ChoiceValue(name, (name,)) for name in parameter.examples]
    for one in values.choices(text, named, False)[:1]:
        sheet.filled.evidence += _NAMED
        sheet.mask(_with_surroundings(sheet, one.span, parameter), parameter, one.span)


def _with_surroundings(sheet: SlotSheet, span: Span, parameter: Parameter) -> Span:
    """A place with the words that belong to it: "in the studio graph"."""
    words = tokens(sheet.text)
    first = next(n for n, word in enumerate(words) if word.start >= span[0])
    last = max(n for n, word in enumerate(words) if word.end <= span[1])
    about = stems(f"{parameter.label} {parameter.description} {sheet.tool.title} knowledge base")
    about |= {"graph", "databas", "namespac", "node"}
    for _ in range(3):
        if last + 1 < len(words) and stem(words[last + 1].key) in about:
            last += 1
    if first and words[first - 1].key in DETERMINERS:
        first -= 1
    if first and words[first - 1].key in _BEFORE_PLACE:
        first -= 1
    return words[first].start, words[last].end


def _nearest(text: str, options: Sequence[ChoiceValue]) -> list[ValueMatch]:
    """The option that a short answer means, though it is written or heard a little wrong."""
    from rapidfuzz import fuzz, process

    called = {name: option.value for option in options for name in option.called}
    best = process.extractOne(text.strip(" .?!").lower(), list(called), scorer=fuzz.WRatio)
    if best is None or best[1] < 80:
        return []
    return [ValueMatch(called[best[0]], (0, len(text)))]


def records(sheet: SlotSheet, parameter: Parameter, many: bool) -> None:
    found = sheet.free_mentions()
    if at := values.corrected_at(sheet.text):
        found = [mention for mention in found if mention.start >= at] or found
    others = [p for p in sheet.tool.parameters if INSTEAD.search(p.description)]
    if not found and not many and PRONOUN.search(sheet.text) and sheet.scene.entities:
        sheet.args[parameter.name] = sheet.scene.entities[0].id
        return
    if not found or (len(others) > 1 and many != (len(found) > 1)):
        return
    ids = list(dict.fromkeys(mention.name.id for mention in found))
    sheet.args[parameter.name] = ids if many else ids[0]
    sheet.filled.evidence += sum(":" in sheet.text[m.start : m.end] for m in found)
    for mention in found:
        sheet.mask((mention.start, mention.end), parameter)


def person(sheet: SlotSheet, parameter: Parameter, asked: bool) -> None:
    late = values.corrected_at(sheet.text)
    for mention in sorted(sheet.free_mentions(), key=lambda one: one.start < late):
        if mention.name.type == "person":
            said = sheet.text[mention.start : mention.end]
            value = mention.name.id if ":" in said else mention.name.title
            sheet.put(parameter, ValueMatch(value, (mention.start, mention.end)), evidence=True)
            return
    read = sheet.spans(parameter.name)
    name = sheet.text[read[0].start : read[0].end] if read else ""
    name = name or (sheet.text.strip(" .?!") if asked else _capitalised(sheet))
    people = person_like(sheet.scene.entities)
    if name:
        sheet.args[parameter.name] = name
    elif people and PRONOUN.search(sheet.text):
        sheet.args[parameter.name] = people[0].title


def _capitalised(sheet: SlotSheet) -> str:
    """A name that nobody has told us: words with a capital, not the first of the sentence."""
    known = {stem(token.key) for p in sheet.tool.phrases for token in tokens(p.text)}
    words = tokens(sheet.text)
    names = [
        word
        for at, word in enumerate(words)
        if at and word.text[:1].isupper() and stem(word.key) not in known and word.key != "i"
    ]
    return sheet.text[names[0].start : names[-1].end] if names else ""


def record_type(sheet: SlotSheet, parameter: Parameter) -> None:
    known = sheet.scene.book.types
    for word in tokens(sheet.blanked()):
        if word.key in known:
            sheet.put(parameter, ValueMatch(known[word.key], (word.start, word.end)))
            return


def results(sheet: SlotSheet, parameter: Parameter) -> None:
    """What the request itself lists, else what was found before."""
    said = enumerated(sheet.text)
    if len(said) > 1:
        sheet.args[parameter.name] = [
            {"id": str(n), "title": sheet.text[a:b]} for n, (a, b) in enumerate(said, start=1)
        ]
        sheet.filled.evidence += _NAMED
        sheet.mask((said[0][0], len(sheet.text)), parameter)
    elif sheet.scene.results:
        most = parameter.schema.get("maxItems", 200)
        allowed = (parameter.schema.get("items") or {}).get("properties") or {}
        sheet.args[parameter.name] = [
            {key: value for key, value in result.items() if key in allowed}
            for result in sheet.scene.results[:most]
        ]


def made(sheet: SlotSheet, parameter: Parameter) -> None:
    """What another tool has made: named in the text, else the last one of this conversation."""
    tool = values.maker_of(parameter)
    if tool is None:
        return
    last = sheet.scene.made.get(tool, {})
    key = next((k for k in (parameter.name, parameter.name.rpartition("_")[2]) if k in last), None)
    found = values.identifier(sheet.blanked())
    if found is not None:
        sheet.put(parameter, found, evidence=True)
    elif key is not None:
        sheet.args[parameter.name] = last[key]
        sheet.filled.evidence += 1
