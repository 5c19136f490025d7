"""Arguments for a tool from an utterance, by its schema: what was said, and what is missing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from antiphon.providers.local import values
from antiphon.providers.local.catalogue import Catalogue, Parameter, Phrase, Tool
from antiphon.providers.local.dates import When, moments
from antiphon.providers.local.names import Mention, Name, NameBook, person_like
from antiphon.providers.local.numbers import durations, numbers
from antiphon.providers.local.remainder import Span, payload, quoted, subject, subject_from
from antiphon.providers.local.values import Choice, Found, Kind, kind_of
from antiphon.providers.local.words import DETERMINERS, stem, stems, tokens, word_set

_PRONOUN = re.compile(r"\b(?:his|her|him|he|she|they|their|them|it|its|this|that)\b", re.IGNORECASE)
_INSTEAD = re.compile(r"\b(?:give this or|instead of)\b", re.IGNORECASE)
_PATTERN = re.compile(r"\S+\s+(?:-\w*->|<-\w*-|->)\s+\S+(?:\s\S+)*?(?=\s+(?:in|on)\s|[.?!]?$)")
_LITERAL = re.compile(r"[\w.+-]+@[\w-]+\.\w+|https?://\S+|\+?\d[\d ()/-]{6,}\d")
_NAME_ENDS = re.compile(r"\s{2,}|\s+(?:with|from|for|on|at|about|to|in)\s")
_CALLED = re.compile(r"\b(?:called|named|titled|with the name)\s+(.+)$", re.IGNORECASE)
_BEFORE_PLACE = word_set("in into to from on of for across over through within using use both at")


@dataclass(slots=True)
class Scene:
    """What is known besides the utterance."""

    catalogue: Catalogue
    book: NameBook
    now: datetime
    lists: Mapping[str, Sequence[Choice]] = field(default_factory=dict)  # by the listing tool
    results: Sequence[Mapping[str, Any]] = ()  # what was found last
    entities: Sequence[Name] = ()  # what was spoken of, the latest first


@dataclass(slots=True)
class Filled:
    """The arguments that were said. `missing` are required and were not; `ask_first` lists what
    one of them may be. `evidence` counts values that fit this tool by their form."""

    args: dict[str, Any] = field(default_factory=dict)
    missing: list[Parameter] = field(default_factory=list)
    ask_first: Tool | None = None
    evidence: int = 0
    spans: list[tuple[Span, Parameter]] = field(default_factory=list)  # where each value stands


class Filler:
    """Fills the parameters of one tool from one utterance."""

    def __init__(self, tool: Tool, text: str, scene: Scene, phrase: Phrase | None = None) -> None:
        self._tool = tool
        self._text = text
        self._scene = scene
        self._phrase = phrase or Phrase("")
        self._masked: list[Span] = []
        self._mentions = scene.book.mentions(text)
        self._begin: When | None = None
        self._full = False  # moments are given with their offset
        self._filled = Filled()

    def fill(self, *, only: str | None = None) -> Filled:
        """`only` is a parameter that was asked for: all of the utterance may be its value."""
        tool, filled = self._tool, self._filled
        kinds = {p.name: kind_of(p, self._scene.catalogue) for p in tool.parameters}
        wanted = [p for p in tool.parameters if only in (None, p.name)]
        # What ends is read after what begins.
        order = {p.name: (_ORDER.index(kinds[p.name]), p.name.startswith("end")) for p in wanted}
        for parameter in sorted(wanted, key=lambda p: order[p.name]):
            if parameter.name not in filled.args:
                self._one(parameter, kinds[parameter.name], asked=only == parameter.name)
        if only is None:
            self._from_phrase(kinds)
        filled.missing = [p for p in wanted if self._is_missing(p, kinds)]
        for parameter in filled.missing:
            source = self._scene.catalogue.source(parameter)
            if source is not None and source.name not in self._scene.lists:
                filled.ask_first = source
        return filled

    # -- one parameter

    def _one(self, parameter: Parameter, kind: Kind, asked: bool) -> None:
        many = "array" in parameter.types
        match kind:
            case "choice":
                self._named(parameter, values.options_of(parameter), many, asked)
            case "reference":
                self._named(parameter, self._offered(parameter), many, asked)
            case "record":
                self._records(parameter, many)
            case "person":
                self._person(parameter, asked)
            case "type":
                self._type(parameter)
            case "results":
                self._results(parameter)
            case "text" | "name":
                self._free(parameter, kind, asked)
            case "other" | "flag":
                pass
            case "email" if many:
                self._emails(parameter)
            case _:
                self._put(parameter, self._single(parameter, kind, asked), evidence=True)

    def _emails(self, parameter: Parameter) -> None:
        found = values.emails(self._blanked())
        if found or (parameter.required and not parameter.schema.get("minItems")):
            self._filled.args[parameter.name] = [one.value for one in found]
        for one in found:
            self._filled.evidence += 1
            self._mask(one.span, parameter)

    def _single(self, parameter: Parameter, kind: Kind, asked: bool) -> Found | None:
        text, schema = self._blanked(), parameter.schema
        match kind:
            case "count":
                found = values.count(text, schema.get("maximum"))
                return found or (self._number(parameter) if asked else None)
            case "duration":
                return values.duration(text, parameter)
            case "number":
                return self._number(parameter) if asked or parameter.required else None
            case "moment":
                return self._moment(parameter)
            case "zone":
                return values.zone(text)
            case "email":
                return next(iter(values.emails(text)), None)
            case "url":
                return values.url(text)
            case "shape":
                return values.shape(text, schema["pattern"])
        return None

    def _number(self, parameter: Parameter) -> Found | None:
        for number in numbers(self._blanked()):
            whole = isinstance(number.value, int)
            if whole or "number" in parameter.types:
                return Found(number.value, (number.start, number.end))
        return None

    def _moment(self, parameter: Parameter) -> Found | None:
        if not parameter.required and not self._slotted(parameter):
            return None
        now, about = self._scene.now, parameter.description.lower()
        full = parameter.schema.get("format") == "date-time" or "with an offset" in about
        self._full = full = full or (self._full and parameter.name.startswith("end"))
        for when in moments(self._text, now):
            span = when.start, when.end
            if any(span[0] < b and span[1] > a for a, b in self._masked):
                continue
            if when.day is None and self._begin is not None and self._begin.day is not None:
                when = replace(when, day=self._begin.day)
            self._begin = self._begin or when
            return Found(when.iso(now, full=full), span)
        if "epoch" in about:
            match = re.search(r"(?<![\w:.-])-?\d{9,16}(?![\w:.-])", self._text)
            if match:
                number = int(match.group())
                return Found(number if "number" in parameter.types else match.group(), match.span())
        return self._end(parameter, full)

    def _end(self, parameter: Parameter, full: bool) -> Found | None:
        """The end of what has begun: after a length of time that was said, or on the same day."""
        begin, now = self._begin, self._scene.now
        if begin is None or not parameter.name.startswith("end") or begin.day is None:
            return None
        span = begin.start, begin.start
        if begin.at is None:
            return Found(begin.day.isoformat(), span)
        for found in durations(self._text):
            end = datetime.combine(begin.day, begin.at) + timedelta(seconds=found.seconds)
            when = When(0, 0, end.date(), end.time())
            return Found(when.iso(now, full=full), (found.start, found.end))
        return None

    def _slotted(self, parameter: Parameter) -> bool:
        return f"{{{parameter.name}}}" in self._phrase.text

    # -- names of things

    def _offered(self, parameter: Parameter) -> Sequence[Choice]:
        scene = self._scene
        source = scene.catalogue.source(parameter)
        if source is not None and source.name in scene.lists:
            return scene.lists[source.name]
        if parameter.name.startswith("database"):
            return [Choice(name, (name,)) for name in scene.book.databases]
        return ()

    def _named(
        self, parameter: Parameter, options: Sequence[Choice], many: bool, asked: bool
    ) -> None:
        places = set(self._scene.book.databases)
        scoped = not asked and any(option.value in places for option in options)
        text = self._blanked()
        found = values.choices(text, options, scoped)
        if not found and asked:
            found = _nearest(text, options)
        if not found:
            return
        if many:
            least = 2 if parameter.name.startswith("database") and not asked else 1
            chosen = list(dict.fromkeys(one.value for one in found))
            if len(chosen) >= least:
                self._filled.args[parameter.name] = chosen
                self._filled.evidence += len(chosen)
                for one in found:
                    self._mask(self._with_surroundings(one.span, parameter), parameter, one.span)
            return
        self._filled.args[parameter.name] = found[0].value
        self._filled.evidence += 1
        span = found[0].span
        self._mask(self._with_surroundings(span, parameter), parameter, span)

    def _with_surroundings(self, span: Span, parameter: Parameter) -> Span:
        """A place with the words that belong to it: "in the studio graph"."""
        words = tokens(self._text)
        first = next(n for n, word in enumerate(words) if word.start >= span[0])
        last = max(n for n, word in enumerate(words) if word.end <= span[1])
        about = stems(
            f"{parameter.label} {parameter.description} {self._tool.title} knowledge base"
        )
        about |= {"graph", "databas", "namespac", "node"}
        for _ in range(3):
            if last + 1 < len(words) and stem(words[last + 1].key) in about:
                last += 1
        if first and words[first - 1].key in DETERMINERS:
            first -= 1
        if first and words[first - 1].key in _BEFORE_PLACE:
            first -= 1
        return words[first].start, words[last].end

    def _records(self, parameter: Parameter, many: bool) -> None:
        found = self._free_mentions()
        others = [p for p in self._tool.parameters if _INSTEAD.search(p.description)]
        if not found and not many and _PRONOUN.search(self._text) and self._scene.entities:
            self._filled.args[parameter.name] = self._scene.entities[0].id
            return
        if not found or (len(others) > 1 and many != (len(found) > 1)):
            return
        ids = list(dict.fromkeys(mention.name.id for mention in found))
        self._filled.args[parameter.name] = ids if many else ids[0]
        self._filled.evidence += sum(":" in self._text[m.start : m.end] for m in found)
        for mention in found:
            self._mask((mention.start, mention.end), parameter)

    def _person(self, parameter: Parameter, asked: bool) -> None:
        for mention in self._free_mentions():
            if mention.name.type == "person":
                said = self._text[mention.start : mention.end]
                value = mention.name.id if ":" in said else mention.name.title
                self._filled.evidence += 1
                self._put(parameter, Found(value, (mention.start, mention.end)))
                return
        name = self._text.strip(" .?!") if asked else self._capitalised()
        people = person_like(self._scene.entities)
        if name:
            self._filled.args[parameter.name] = name
        elif people and _PRONOUN.search(self._text):
            self._filled.args[parameter.name] = people[0].title

    def _capitalised(self) -> str:
        """A name that nobody has told us: words with a capital, not the first of the sentence."""
        known = {stem(token.key) for p in self._tool.phrases for token in tokens(p.text)}
        words = tokens(self._text)
        names = [
            word
            for at, word in enumerate(words)
            if at and word.text[:1].isupper() and stem(word.key) not in known and word.key != "i"
        ]
        return self._text[names[0].start : names[-1].end] if names else ""

    def _type(self, parameter: Parameter) -> None:
        known = self._scene.book.types
        for word in tokens(self._blanked()):
            if word.key in known:
                self._put(parameter, Found(known[word.key], (word.start, word.end)))
                return

    def _results(self, parameter: Parameter) -> None:
        if self._scene.results:
            most = parameter.schema.get("maxItems", 200)
            allowed = (parameter.schema.get("items") or {}).get("properties") or {}
            self._filled.args[parameter.name] = [
                {key: value for key, value in result.items() if key in allowed}
                for result in self._scene.results[:most]
            ]

    # -- free text

    def _free(self, parameter: Parameter, kind: Kind, asked: bool) -> None:
        value = self._free_text(parameter, kind, asked)
        most = parameter.schema.get("maxLength")
        if value and most:
            value = value[:most]
        if value and len(value) >= parameter.schema.get("minLength", 1):
            self._filled.args[parameter.name] = value
            at = self._text.find(value)
            if at >= 0:
                self._filled.spans.append(((at, at + len(value)), parameter))

    def _free_text(self, parameter: Parameter, kind: Kind, asked: bool) -> str:
        text = self._text
        if asked:
            quotes = quoted(text)
            return quotes[0][1] if quotes else text.strip()
        if "pattern" in parameter.description.lower() and (found := _PATTERN.search(text)):
            self._filled.evidence += 1
            return found.group().strip()
        if kind == "name":
            if (called := _CALLED.search(self._blanked())) is not None:
                return _NAME_ENDS.split(called[1])[0].strip(" \"'.?!,")
            quotes = quoted(text)
            return quotes[0][1] if quotes else ""
        long = _is_long(parameter)
        carried = payload(text, self._masked, long=long)
        if not parameter.required:
            quotes = quoted(text)
            if quotes and self._is_said(parameter):
                return quotes[0][1]
            return subject(text, self._tool, parameter, self._masked, connected=True)
        if carried and not _made_up(self._tool, parameter):
            return carried
        if _made_up(self._tool, parameter):
            quotes = quoted(text)
            return quotes[0][1] if quotes else ""
        if long:
            return self._literal()
        return subject(text, self._tool, parameter, self._masked)

    def _literal(self) -> str:
        """A text that nothing marks off, but that holds an address or a number to be read."""
        spots = [m.start() for m in _LITERAL.finditer(self._text)]
        return subject_from(self._text, spots[0], self._masked) if spots else ""

    def _is_said(self, parameter: Parameter) -> bool:
        return "message" in parameter.name or "text" in parameter.name

    # -- what the phrase means

    def _from_phrase(self, kinds: Mapping[str, Kind]) -> None:
        """What the likest phrase stands for: choices, and words that the tool's author chose."""
        for name, value in self._phrase.args.items():
            parameter = self._tool.parameter(name)
            if parameter is None or name in self._filled.args:
                continue
            authored = (
                parameter.required and isinstance(value, str) and not self._slotted(parameter)
            )
            if kinds[name] == "choice" or (authored and kinds[name] in ("text", "moment")):
                self._filled.args[name] = value
        for parameter in self._tool.required:
            if parameter.name not in self._filled.args and _made_up(self._tool, parameter):
                self._filled.args[parameter.name] = _authored(self._tool, parameter)

    def _is_missing(self, parameter: Parameter, kinds: Mapping[str, Kind]) -> bool:
        if parameter.name in self._filled.args:
            return False
        if parameter.required:
            return True
        # One of several must be given, which the schema itself does not say.
        either = [p.name for p in self._tool.parameters if _INSTEAD.search(p.description)]
        return (
            parameter.name in either[:1]
            and kinds[parameter.name] == "record"
            and not any(name in self._filled.args for name in either)
        )

    # -- inside

    def _put(self, parameter: Parameter, found: Found | None, *, evidence: bool = False) -> None:
        if found is None:
            return
        low, high = parameter.schema.get("minimum"), parameter.schema.get("maximum")
        if isinstance(found.value, int | float) and not isinstance(found.value, bool):
            whole = "integer" in parameter.types and "number" not in parameter.types
            if whole and found.value != int(found.value):
                return
            below = low is not None and found.value < low
            # Out of range is for the tool to say, when it was asked for in so many words.
            if (below or (high is not None and found.value > high)) and not parameter.required:
                return
        self._filled.args[parameter.name] = found.value
        self._filled.evidence += evidence
        self._mask(found.span, parameter)

    def _mask(self, span: Span, parameter: Parameter, value: Span | None = None) -> None:
        """Nothing else is made of this part; `value` is the value itself in it."""
        self._masked.append(span)
        self._filled.spans.append((value or span, parameter))

    def _blanked(self) -> str:
        """The text with spaces where something was found already, and in what it quotes."""
        text = list(self._text)
        for a, b in (*self._masked, *(span for span, _ in quoted(self._text))):
            text[a:b] = " " * (b - a)
        return "".join(text)

    def _free_mentions(self) -> list[Mention]:
        return [
            m for m in self._mentions if not any(m.start < b and m.end > a for a, b in self._masked)
        ]


# Values that are known by their form come before those that are whatever is left.
_ORDER: tuple[Kind, ...] = (
    "reference", "choice", "record", "person", "email", "url", "moment", "zone", "duration",
    "count", "number", "type", "shape", "results", "flag", "name", "text", "other",
)  # fmt: skip


def _nearest(text: str, options: Sequence[Choice]) -> list[Found]:
    """The option that a short answer means, though it is written or heard a little wrong."""
    from rapidfuzz import fuzz, process

    called = {name: option.value for option in options for name in option.called}
    best = process.extractOne(text.strip(" .?!").lower(), list(called), scorer=fuzz.WRatio)
    if best is None or best[1] < 80:
        return []
    return [Found(called[best[0]], (0, len(text)))]


def _is_long(parameter: Parameter) -> bool:
    """A text of its own, which a request carries rather than describes."""
    return int(parameter.schema.get("maxLength", 0)) > 2000


def _made_up(tool: Tool, parameter: Parameter) -> bool:
    """Whether the words are the tool author's rather than the person's: no phrase has a slot for
    them, and the examples of the guide say what they are."""
    slotted = any(f"{{{parameter.name}}}" in phrase.text for phrase in tool.phrases)
    return not slotted and bool(_authored(tool, parameter))


def _authored(tool: Tool, parameter: Parameter) -> str:
    for phrase in tool.phrases:
        value = phrase.args.get(parameter.name)
        if isinstance(value, str) and value:
            return value
    return ""


def fill(
    tool: Tool,
    text: str,
    scene: Scene,
    phrase: Phrase | None = None,
    *,
    only: str | None = None,
) -> Filled:
    """See Filler."""
    return Filler(tool, text, scene, phrase).fill(only=only)
