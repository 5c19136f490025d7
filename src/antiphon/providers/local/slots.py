"""Arguments for a tool from an utterance, by its schema: what was said, and what is missing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from antiphon.providers.local import entity_slots, people, text_slots, time_slots, values, zones
from antiphon.providers.local.catalogue import DeclaredTool, Parameter, Phrase
from antiphon.providers.local.numbers import numbers
from antiphon.providers.local.slot_filling import Filled, SlotScene, SlotSheet
from antiphon.providers.local.values import Kind, ValueMatch, kind_of
from antiphon.providers.local.words import tokens
from antiphon.understanding.reader import SlotSpan

__all__ = ["Filled", "SlotScene", "fill"]

_SURE_CHOICE, _SURE_FLAG = 0.6, 0.9
# Values that are known by their form come before those that are whatever is left.
_ORDER: tuple[Kind, ...] = (
    "email", "url", "moment", "reference", "choice", "record", "person", "zone", "duration",
    "count", "number", "type", "made", "shape", "results", "flag", "name", "title", "text",
    "steps", "other",
)  # fmt: skip


def fill(
    tool: DeclaredTool,
    text: str,
    scene: SlotScene,
    phrase: Phrase | None = None,
    *,
    only: str | None = None,
    known: Mapping[str, Any] | None = None,
    before: str = "",
) -> Filled:
    """`only` is a parameter that was asked for: all of the utterance may be its value. Then
    `known` are the arguments that are there, and `before` is the request."""
    return _Filler(tool, text, scene, phrase, known or {}, before, only or "").fill(only)


class _Filler:
    """Fills the parameters of one tool from one utterance."""

    def __init__(
        self,
        tool: DeclaredTool,
        text: str,
        scene: SlotScene,
        phrase: Phrase | None,
        known: Mapping[str, Any],
        before: str,
        asked: str,
    ) -> None:
        self._sheet = SlotSheet(tool, text, scene, phrase, asked)
        self._tool = tool
        self._known = known
        self._before = before
        self._kinds = {p.name: kind_of(p, scene.catalogue) for p in tool.parameters}

    def fill(self, only: str | None) -> Filled:
        sheet, kinds = self._sheet, self._kinds
        wanted = [p for p in self._tool.parameters if only in (None, p.name)]
        ends = time_slots.ends_of(self._tool, kinds)
        timed = ends if ends and (only is None or only in (ends[0].name, ends[1].name)) else None
        # A text that the request carries is found before those that only stand beside it.
        order = {p.name: (_ORDER.index(kinds[p.name]), not p.required) for p in wanted}
        for parameter in sorted(wanted, key=lambda p: order[p.name]):
            if timed is not None and parameter.name in (timed[0].name, timed[1].name):
                if not timed_already(sheet, timed):
                    time_slots.fill_ends(
                        sheet, timed, only=only, known=self._known, before=self._before
                    )
            elif parameter.name not in sheet.args:
                self._one(parameter, kinds[parameter.name], asked=only == parameter.name)
        if only is None:
            self._from_phrase()
        filled = sheet.filled
        filled.missing = [p for p in wanted if self._is_missing(p)]
        for parameter in filled.missing:
            source = sheet.scene.catalogue.source(parameter)
            if source is not None and source.name not in sheet.scene.lists:
                filled.ask_first = source
        return filled

    # -- one parameter

    def _one(self, parameter: Parameter, kind: Kind, asked: bool) -> None:
        sheet, many = self._sheet, "array" in parameter.types
        match kind:
            case "choice":
                options = values.options_of(parameter.items if many else parameter)
                self._chosen(parameter, many)
                if parameter.name not in sheet.args:
                    entity_slots.named(sheet, parameter, options, many, asked)
                if parameter.takes_others and parameter.name not in sheet.args:
                    entity_slots.own_name(sheet, parameter, asked)
            case "reference":
                entity_slots.named(
                    sheet, parameter, entity_slots.offered(sheet, parameter), many, asked
                )
            case "record":
                entity_slots.records(sheet, parameter, many)
            case "person":
                entity_slots.person(sheet, parameter, asked)
            case "type":
                entity_slots.record_type(sheet, parameter)
            case "results":
                entity_slots.results(sheet, parameter)
            case "made":
                entity_slots.made(sheet, parameter)
            case "text" | "name" | "title" if many:
                self._texts(parameter)
            case "text" | "name" | "title":
                text_slots.free(sheet, parameter, kind, asked)
            case "flag":
                self._flag(parameter)
            case "other" | "steps":
                pass
            case "email" if many:
                self._emails(parameter, asked)
            case "number" | "count" | "zone" | "moment" | "url" | "shape" if many:
                self._several(parameter, kind, asked)
            case _:
                sheet.put(parameter, self._single(parameter, kind, asked), evidence=True)

    def _several(self, parameter: Parameter, kind: Kind, asked: bool) -> None:
        """Every number, zone or word of that form that was said for a list."""
        sheet = self._sheet
        text = sheet.only(parameter.name) or (
            sheet.blanked() if asked or parameter.required else ""
        )
        found: list[Any] = []
        if kind in ("number", "count"):
            found = [number.value for number in numbers(text)]
        elif kind == "zone":
            for part in re.split(r",|\band\b|\bversus\b|\bvs\b", text):
                if (zone := zones.zone(part)) is not None:
                    found.append(zone.value)
        else:
            found = [part.strip() for part in re.split(r",|\band\b", text) if part.strip()]
        if found:
            sheet.args[parameter.name] = list(dict.fromkeys(found))
            sheet.filled.evidence += len(found)

    def _chosen(self, parameter: Parameter, many: bool) -> None:
        """Listed values that the reader has seen meant, in whatever words."""
        sheet = self._sheet
        found = [s for s in sheet.spans(parameter.name) if s.choice and s.confidence > _SURE_CHOICE]
        if not found:
            return
        by_text = {str(value): value for value in parameter.choices}
        named = {text.lower(): value for text, value in by_text.items()}

        def meant(span: SlotSpan) -> Any:
            # What is said letter by letter is not another of the values.
            said = sheet.text[span.start : span.end].lower()
            return named.get(said, by_text[span.choice or ""])

        chosen = list(dict.fromkeys(map(meant, found)))
        best = max(found, key=lambda span: span.confidence)
        if at := values.corrected_at(sheet.text):
            best = max(found, key=lambda span: span.start)
            if best.start < at and not many:
                return  # what was taken back
        sheet.args[parameter.name] = chosen if many else meant(best)
        sheet.filled.evidence += 1
        for span in found:
            sheet.mask((span.start, span.end), parameter)

    def _flag(self, parameter: Parameter) -> None:
        found = [s for s in self._sheet.spans(parameter.name) if s.choice]
        if found:
            best = max(found, key=lambda span: span.confidence)
            if best.confidence > _SURE_FLAG:
                self._sheet.args[parameter.name] = best.choice == "yes"
                self._sheet.mask((best.start, best.end), parameter)

    def _texts(self, parameter: Parameter) -> None:
        sheet = self._sheet
        found = [
            words
            for span in sheet.spans(parameter.name)
            if (words := text_slots.words_of(sheet.text, [span]))
        ]
        if found:
            sheet.args[parameter.name] = list(dict.fromkeys(found))
            sheet.filled.evidence += 1

    def _emails(self, parameter: Parameter, asked: bool) -> None:
        """The addresses that were said. None where nobody else takes part, if that may be."""
        sheet = self._sheet
        found = values.emails(sheet.text)
        may_be_empty = parameter.required and not parameter.schema.get("minItems")
        alone = people.nobody(sheet.text) if asked else not people.takes_part(sheet)
        if found or (may_be_empty and alone):
            sheet.args[parameter.name] = list(dict.fromkeys(one.value for one in found))
        for one in found:
            sheet.filled.evidence += 1
            sheet.mask(one.span, parameter)

    def _single(self, parameter: Parameter, kind: Kind, asked: bool) -> ValueMatch | None:
        text, schema = self._sheet.blanked(), parameter.schema
        own = self._sheet.only(parameter.name)  # where the reader has seen it
        match kind:
            case "count":
                found = self._number_in(own, parameter) or values.count(text, schema.get("maximum"))
                return found or (self._number_in(text, parameter) if asked else None)
            case "duration":
                return (
                    values.duration(own, parameter)
                    or values.duration(text, parameter)
                    or self._number_in(own, parameter)
                )
            case "number":
                needed = asked or parameter.required
                found = self._number_in(own, parameter)
                return found or (self._number_in(text, parameter) if needed else None)
            case "moment":
                return time_slots.single(self._sheet, parameter)
            case "zone":
                ends = time_slots.ends_of(self._tool, self._kinds)
                return (zones.zone(own) or zones.zone(text)) if ends is None else None
            case "email":
                return next(iter(values.emails(text)), None)
            case "url":
                return values.url(text)
            case "shape":
                return values.shape(text, schema["pattern"], asked=asked)
        return None

    def _number_in(self, text: str, parameter: Parameter) -> ValueMatch | None:
        found = [
            ValueMatch(number.value, (number.start, number.end))
            for number in numbers(text)
            if isinstance(number.value, int) or "number" in parameter.types
        ]
        at = values.corrected_at(self._sheet.text)
        late = [one for one in found if at and one.span[0] >= at]
        return next(iter(late or found), None)

    # -- what the phrase means

    def _from_phrase(self) -> None:
        """What the likest phrase stands for: choices, and words that the tool's author chose."""
        sheet, kinds = self._sheet, self._kinds
        for phrase in self._fitting_phrases():
            self._take_from(phrase)
        for parameter in self._tool.required:
            told = kinds[parameter.name] not in ("shape", "reference")
            if parameter.name in sheet.args or not told:
                continue
            if text_slots.is_made_up(self._tool, parameter):
                sheet.args[parameter.name] = text_slots.authored(self._tool, parameter)

    def _take_from(self, phrase: Phrase) -> None:
        sheet, kinds = self._sheet, self._kinds
        # Said in the very words of the phrase, so all that these mean is meant.
        verbatim = "{" not in phrase.text and _same_words(phrase.text, sheet.text)
        for name, value in phrase.args.items():
            parameter = self._tool.parameter(name)
            if parameter is None or name in sheet.args:
                continue
            if verbatim:
                sheet.args[name] = value
                continue
            slotted = f"{{{name}}}" in phrase.text
            authored = parameter.required and isinstance(value, str) and not slotted
            chosen = kinds[name] in ("choice", "flag", "duration")
            if chosen or (authored and kinds[name] in ("text", "moment", "shape")):
                sheet.args[name] = value

    def _fitting_phrases(self) -> list[Phrase]:
        """The likest phrase, unless it means something else than what was said, and one that says
        what goes with that."""
        args = self._sheet.args

        def agrees(phrase: Phrase) -> bool:
            return all(args.get(name, value) == value for name, value in phrase.args.items())

        chosen = self._sheet.phrase
        found = [chosen] if agrees(chosen) else []
        missing = {p.name for p in self._tool.required} - args.keys() - chosen.args.keys()
        for phrase in self._tool.phrases:
            named = any(name in args for name in phrase.args)
            if agrees(phrase) and named and (missing & phrase.args.keys() or not found):
                return [*found, phrase]
        return found

    def _is_missing(self, parameter: Parameter) -> bool:
        args = self._sheet.args
        if parameter.name in args:
            return False
        if parameter.required:
            return True
        # One of several must be given, which the schema itself does not say.
        either = [
            p.name for p in self._tool.parameters if entity_slots.INSTEAD.search(p.description)
        ]
        return (
            parameter.name in either[:1]
            and self._kinds[parameter.name] == "record"
            and not any(name in args for name in either)
        )


def _same_words(a: str, b: str) -> bool:
    return [token.key for token in tokens(a)] == [token.key for token in tokens(b)]


def timed_already(sheet: SlotSheet, ends: tuple[Parameter, Parameter]) -> bool:
    return any(parameter.name in sheet.args for parameter in ends)
