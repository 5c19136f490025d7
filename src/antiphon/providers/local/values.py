"""Values of single parameters in an utterance: what kind each parameter is, and what fits it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from antiphon.providers.local.catalogue import DeclaredTools, Parameter
from antiphon.providers.local.free_text_slot import Span
from antiphon.providers.local.numbers import UNITS, durations, numbers
from antiphon.providers.local.words import STOP, folded, stem, tokens
from antiphon.text.words import word_set

Kind = Literal[
    "choice",  # one of the values in the schema
    "flag",  # yes or no
    "reference",  # one of the values that another tool lists
    "record",  # the id of a record
    "person",  # somebody's name
    "type",  # a type of records
    "count",  # how many
    "duration",  # how long
    "number",
    "moment",  # a date or a time
    "zone",  # a time zone
    "email",
    "url",
    "shape",  # a word of a given shape
    "results",  # the results that were found before
    "made",  # what another tool has made
    "steps",  # calls of other tools
    "text",
    "name",  # what a new thing is called
    "title",  # what a new thing is called, or about
    "other",  # nothing that can be said in a sentence
]

_COUNTS = re.compile(r"\b(?:limit|top_k|count|max_results|how_many)\b")
_LENGTH = re.compile(r"\b(milliseconds|seconds|minutes|hours|days)\b", re.IGNORECASE)
_RECORD = re.compile(r"\bids? of (?:one|a|several|the) records?\b", re.IGNORECASE)
_MOMENT = re.compile(r"\bISO 8601\b|^(?:a|the) (?:date|day|moment)\b", re.IGNORECASE)
# Who says so takes back what stands before it.
CORRECTS = re.compile(
    r"[\s,.;](?:no|nope|sorry|oh no|oops|wait|actually|rather|correction|i mean(?:t)?|"
    r"make (?:that|it)|or rather|scratch that|hm+|not that one)[\s,.:]+(?=\w)",
    re.IGNORECASE,
)
_ZONE = re.compile(r"\bIANA\b|\btime ?zone\b", re.IGNORECASE)
_TYPE = re.compile(r"\bof this type\b|\brecord type\b|\bkind of record\b", re.IGNORECASE)
_MADE = re.compile(r"\bas ([a-z][a-z0-9_]+) returned it\b")
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
# As it is said: "ada at example dot org", and as it is then written: "Ada at example.org".
_SAID_EMAIL = re.compile(
    r"\b(?P<who>\w+(?:(?:\s+(?:dot|underscore|dash|plus)\s+|[.+-])\w+){0,8})\s+at\s+"
    r"(?P<where>[a-z0-9-]+(?:(?:\s+dot\s+|\s?\.\s?)[a-z0-9-]+){0,8}(?:\s+dot\s+|\s?\.)[a-z]{2,})\b",
    re.IGNORECASE,
)
_SIGNS = {"dot": ".", "underscore": "_", "dash": "-", "plus": "+"}
_IDENTIFIER = re.compile(r"(?<![\w/.:])(?:https?://\S+|/?(?:[\w.-]+/)*[a-z]+_\w*\d\w*)(?![\w/])")
_URL = re.compile(r"https?://[^\s<>\"']+[^\s<>\"'.,;:!?)]")

_LANGUAGES = {
    "german": "de",
    "french": "fr",
    "spanish": "es",
    "italian": "it",
    "portuguese": "pt",
    "dutch": "nl",
    "british": "en-GB",
    "uk": "en-GB",
    "american": "en-US",
    "us": "en-US",
    "english": "en",
}


@dataclass(frozen=True, slots=True)
class ValueMatch:
    """A value and where in the text it stands."""

    value: Any
    span: Span


@dataclass(frozen=True, slots=True)
class ChoiceValue:
    """One value that a list offers, and the words by which people call it."""

    value: str
    called: tuple[str, ...]


def kind_of(parameter: Parameter, catalogue: DeclaredTools) -> Kind:
    """Told from the schema and from what its description says."""
    schema, about = parameter.schema, parameter.description
    if "array" in parameter.types:
        inner = schema.get("items") or {}
        if "object" in (inner.get("type") or ()):
            members = inner.get("properties") or {}
            if "function" in members:
                return "steps"
            return "results" if "id" in members else "other"
        return kind_of(parameter.items, catalogue)
    if parameter.choices:
        return "choice"
    if parameter.types == ("boolean",):
        return "flag"
    if "object" in parameter.types:
        return "other"
    if catalogue.source(parameter) is not None:
        return "reference"
    if set(parameter.types) <= {"integer", "number"}:
        if _COUNTS.search(parameter.name) or about.lower().startswith(("number of", "how many")):
            return "count"
        return (
            "duration"
            if _LENGTH.search(f"{parameter.name.replace('_', ' ')} {about}")
            else "number"
        )
    return _text_kind(parameter, about)


def _text_kind(parameter: Parameter, about: str) -> Kind:
    form = parameter.schema.get("format")
    if form in ("date-time", "date", "time") or _MOMENT.search(about):
        return "moment"
    if form in ("email", "uri"):
        return "email" if form == "email" else "url"
    if _ZONE.search(about):
        return "zone"
    if _RECORD.search(about):
        return "record"
    if maker_of(parameter) is not None:
        return "made"
    if parameter.name == "person" or about.lower().startswith("name of the person"):
        return "person"
    if _TYPE.search(about):
        return "type"
    if "pattern" in parameter.schema:
        return "shape"
    return parameter.name if parameter.name in ("name", "title") else "text"  # type: ignore[return-value]


def maker_of(parameter: Parameter) -> str | None:
    """The tool that makes what a parameter takes: "as image_generate returned it"."""
    match = _MADE.search(parameter.description)
    return match[1] if match else None


def is_zone(parameter: Parameter) -> bool:
    return parameter.types == ("string",) and bool(_ZONE.search(parameter.description))


# -- values in a text


def choices(text: str, options: Iterable[ChoiceValue], scoped: bool) -> list[ValueMatch]:
    """The options that are named. With `scoped`, common words count only where they stand for a
    place to look in: "in the studio", "the studio graph"."""
    words = tokens(text)
    keys = [word.key for word in words]
    forms = [stem(word.key) for word in words]
    found: list[ValueMatch] = []
    for option in options:
        for called in option.called:
            wanted = [token.key for token in tokens(called.replace("_", " ").replace("-", " "))]
            stemmed = [stem(word) for word in wanted]
            for at in range(len(words) - len(wanted) + 1):
                same = keys[at : at + len(wanted)] == wanted
                if not same and (len(wanted) < 2 or forms[at : at + len(wanted)] != stemmed):
                    continue
                if not wanted or (scoped and not _in_scope(keys, at, at + len(wanted))):
                    continue
                if at and keys[at - 1] == "how":
                    continue  # "how long" names no style
                if called.isupper() and not words[at].text.isupper():
                    continue  # "get" is no GET
                span = words[at].start, words[at + len(wanted) - 1].end
                if all(span[1] <= f.span[0] or span[0] >= f.span[1] for f in found):
                    found.append(ValueMatch(option.value, span))
    return sorted(found, key=lambda one: one.span)


_BEFORE = word_set("in into to from on of for within search ask query using use and or both")
_BEHIND = word_set(
    "graph graphs database databases namespace knowledge kg kb base one and or graph's"
)


def _in_scope(keys: Sequence[str], start: int, end: int) -> bool:
    if end < len(keys) and keys[end] in _BEHIND:
        return True
    before = keys[start - 1] if start else ""
    if before in ("the", "my", "our") and start > 1 and end >= len(keys):
        before = keys[start - 2]
    return before in _BEFORE or len(keys) <= 3


def corrected_at(text: str) -> int:
    """Where what counts begins, when the person takes back what stands before it; else 0."""
    found = [match.end() for match in CORRECTS.finditer(text)]
    return found[-1] if found and len(text[: found[-1]].split()) > 2 else 0


def options_of(parameter: Parameter) -> list[ChoiceValue]:
    """The values in the schema, and what its description says behind each of them."""
    found = []
    for value in parameter.choices:
        if not isinstance(value, str):
            continue
        called = [value]
        beside = re.search(rf"\b{re.escape(value)} \(([^)]+)\)", parameter.description)
        if beside:
            called += [part.strip(" '\"") for part in re.split(r"[,;]", beside[1])]
        language = re.fullmatch(r"([a-z]{2})(?:-[A-Z]{2})?", value)
        if language:
            called = [
                value,
                *(word for word, code in _LANGUAGES.items() if code in (value, language[1])),
            ]
        found.append(ChoiceValue(value, tuple(dict.fromkeys(called))))
    return found


def listed(data: Mapping[str, Any]) -> list[ChoiceValue]:
    """The values in the answer of a tool that lists things: the id of each, and its names."""
    for value in data.values():
        if not isinstance(value, list) or not value:
            continue
        found = []
        for each in value:
            if isinstance(each, str):
                found.append(ChoiceValue(each, (each,)))
            elif isinstance(each, Mapping):
                # A phrase says what is meant where it is shown; an id does not.
                ids = [
                    each[key]
                    for key in ("trigger_phrase", "id", "toolId", "name")
                    if isinstance(each.get(key), str)
                ]
                named = [
                    each[key]
                    for key in ("id", "name", "title", "label", "trigger_phrase")
                    if isinstance(each.get(key), str)
                ]
                if ids:
                    found.append(ChoiceValue(ids[0], tuple(dict.fromkeys(named))))
        return found
    return []


def count(text: str, most: float | None) -> ValueMatch | None:
    """ "The five best", "top 3", "2 results", "three projects"."""
    for number in numbers(text):
        before = folded(text[: number.start]).rstrip()
        behind = re.match(
            r"\s*+(?:best|top|first|newest|most)?\s*+([a-z-]+)(?:\s+([a-z-]+))?",
            folded(text[number.end :]),
        )
        said = bool(re.search(r"\b(?:top|best|first|only|most|to|just|keep)$", before))
        noun = behind is not None and (
            _is_plural(behind[1], behind[2]) or behind[1] in ("people", "best", "top", "of")
        )
        if (said or noun) and isinstance(number.value, int) and 0 < number.value <= (most or 1000):
            end = number.end
            return ValueMatch(number.value, (number.start, end))
    return None


def _is_plural(noun: str, second: str | None) -> bool:
    """ "Three projects", "three prompt ideas", but not "ten minutes"."""
    last = noun if noun.endswith("s") or second is None else second
    return last.endswith("s") and last.removesuffix("s") not in UNITS and last not in STOP


def duration(text: str, parameter: Parameter) -> ValueMatch | None:
    """In the unit that the parameter is counted in."""
    about = f"{parameter.name.replace('_', ' ')} {parameter.description}".lower()
    unit = _LENGTH.search(about)
    size = {"milliseconds": 0.001, "seconds": 1, "minutes": 60, "hours": 3600, "days": 86_400}
    for found in durations(text):
        value = found.seconds / size[unit[1].lower() if unit else "seconds"]
        return ValueMatch(int(value) if value == int(value) else value, (found.start, found.end))
    return None


def emails(text: str) -> list[ValueMatch]:
    """Addresses, written or as they are said."""
    found = [ValueMatch(match.group(), match.span()) for match in _EMAIL.finditer(text)]
    for match in _SAID_EMAIL.finditer(text):
        if all(match.end() <= one.span[0] or match.start() >= one.span[1] for one in found):
            found.append(
                ValueMatch(f"{_signs(match['who'])}@{_signs(match['where'])}", match.span())
            )
    return sorted(found, key=lambda one: one.span)


def _signs(said: str) -> str:
    said = re.sub(r"(?<!\s)\s*\.\s*", ".", said.lower())
    return re.sub(r"(?<!\s)\s++(dot|underscore|dash|plus)\s++", lambda m: _SIGNS[m[1]], said)


def identifier(text: str) -> ValueMatch | None:
    """An id or the address of something, such as img_4f8a2c or /api/images/img_4f8a2c."""
    match = _IDENTIFIER.search(text)
    return ValueMatch(match.group(), match.span()) if match else None


def url(text: str) -> ValueMatch | None:
    match = _URL.search(text)
    return ValueMatch(match.group(), match.span()) if match else None


def shape(text: str, pattern: str, *, asked: bool = False) -> ValueMatch | None:
    """The last word that has the shape which the schema asks for. A shape that every word has
    says nothing: then it is one with a digit in it, or the answer to a question."""
    try:
        wanted = re.compile(pattern)
    except re.error:
        return None
    loose = wanted.search("something") is not None and not asked
    for match in reversed(list(re.finditer(r"\S+", text))):
        word = match.group().strip(".,;:!?\"'()")
        if loose and not re.search(
            r"[a-z][\w.:/@-]{0,60}\d|\d[\w.:/@-]{0,60}[a-z]", word, re.IGNORECASE
        ):
            continue
        if wanted.search(word) and word not in ("I", "OK", "AM", "PM", "TV", "IT"):
            return ValueMatch(word, match.span())
    return None
