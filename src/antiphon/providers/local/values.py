"""Values of single parameters in an utterance: what kind each parameter is, and what fits it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal
from zoneinfo import available_timezones

from antiphon.providers.local.catalogue import Catalogue, Parameter
from antiphon.providers.local.numbers import durations, numbers
from antiphon.providers.local.remainder import Span
from antiphon.providers.local.words import folded, stem, tokens, word_set

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
    "text",
    "name",  # what a new thing is called
    "other",  # nothing that can be said in a sentence
]

_COUNTS = re.compile(r"\b(?:limit|top_k|count|max_results|how_many)\b")
_LENGTH = re.compile(r"\b(milliseconds|seconds|minutes|hours|days)\b", re.IGNORECASE)
_RECORD = re.compile(r"\bids? of (?:one|a|several|the) records?\b", re.IGNORECASE)
_MOMENT = re.compile(r"\bISO 8601\b", re.IGNORECASE)
_ZONE = re.compile(r"\bIANA\b|\btime ?zone\b", re.IGNORECASE)
_TYPE = re.compile(r"\bof this type\b|\brecord type\b|\bkind of record\b", re.IGNORECASE)
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
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
# Cities and countries by which people name a zone that is called after another city.
_PLACES = {
    "utc": "UTC", "gmt": "Etc/GMT", "san francisco": "America/Los_Angeles",
    "california": "America/Los_Angeles", "seattle": "America/Los_Angeles",
    "boston": "America/New_York", "washington": "America/New_York", "miami": "America/New_York",
    "texas": "America/Chicago", "houston": "America/Chicago", "dallas": "America/Chicago",
    "beijing": "Asia/Shanghai", "china": "Asia/Shanghai", "india": "Asia/Kolkata",
    "mumbai": "Asia/Kolkata", "delhi": "Asia/Kolkata", "new delhi": "Asia/Kolkata",
    "bangalore": "Asia/Kolkata", "osaka": "Asia/Tokyo", "kyoto": "Asia/Tokyo",
    "japan": "Asia/Tokyo", "korea": "Asia/Seoul", "geneva": "Europe/Zurich",
    "bern": "Europe/Zurich", "switzerland": "Europe/Zurich", "munich": "Europe/Berlin",
    "hamburg": "Europe/Berlin", "frankfurt": "Europe/Berlin", "cologne": "Europe/Berlin",
    "leipzig": "Europe/Berlin", "germany": "Europe/Berlin", "france": "Europe/Paris",
    "lyon": "Europe/Paris", "marseille": "Europe/Paris", "spain": "Europe/Madrid",
    "barcelona": "Europe/Madrid", "valencia": "Europe/Madrid", "italy": "Europe/Rome",
    "milan": "Europe/Rome", "trieste": "Europe/Rome", "naples": "Europe/Rome",
    "england": "Europe/London", "britain": "Europe/London", "the uk": "Europe/London",
    "manchester": "Europe/London", "edinburgh": "Europe/London", "glasgow": "Europe/London",
    "ireland": "Europe/Dublin", "cork": "Europe/Dublin", "portugal": "Europe/Lisbon",
    "porto": "Europe/Lisbon", "romania": "Europe/Bucharest", "cluj": "Europe/Bucharest",
    "cluj-napoca": "Europe/Bucharest", "norway": "Europe/Oslo", "bergen": "Europe/Oslo",
    "sweden": "Europe/Stockholm", "gothenburg": "Europe/Stockholm",
    "denmark": "Europe/Copenhagen", "aarhus": "Europe/Copenhagen", "finland": "Europe/Helsinki",
    "netherlands": "Europe/Amsterdam", "rotterdam": "Europe/Amsterdam",
    "utrecht": "Europe/Amsterdam", "belgium": "Europe/Brussels", "ghent": "Europe/Brussels",
    "austria": "Europe/Vienna", "graz": "Europe/Vienna", "greece": "Europe/Athens",
    "poland": "Europe/Warsaw", "czechia": "Europe/Prague", "brno": "Europe/Prague",
    "hungary": "Europe/Budapest", "ukraine": "Europe/Kyiv", "brazil": "America/Sao_Paulo",
    "rio": "America/Sao_Paulo", "rio de janeiro": "America/Sao_Paulo",
    "australia": "Australia/Sydney", "canberra": "Australia/Sydney",
    "new zealand": "Pacific/Auckland", "south africa": "Africa/Johannesburg",
    "cape town": "Africa/Johannesburg", "hawaii": "Pacific/Honolulu", "uae": "Asia/Dubai",
    "abu dhabi": "Asia/Dubai", "thailand": "Asia/Bangkok", "vietnam": "Asia/Ho_Chi_Minh",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Found:
    """A value and where in the text it stands."""

    value: Any
    span: Span


@dataclass(frozen=True, slots=True)
class Choice:
    """One value that a list offers, and the words by which people call it."""

    value: str
    called: tuple[str, ...]


def kind_of(parameter: Parameter, catalogue: Catalogue) -> Kind:
    """Told from the schema and from what its description says."""
    schema, about = parameter.schema, parameter.description
    if "array" in parameter.types:
        inner = schema.get("items") or {}
        if "object" in (inner.get("type") or ()):
            return "results" if "id" in (inner.get("properties") or {}) else "other"
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
        if _COUNTS.search(parameter.name) or about.lower().startswith("number of"):
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
    if parameter.name == "person" or about.lower().startswith("name of the person"):
        return "person"
    if _TYPE.search(about):
        return "type"
    if "pattern" in parameter.schema:
        return "shape"
    return "name" if parameter.name in ("name", "title") else "text"


# -- values in a text


def choices(text: str, options: Iterable[Choice], scoped: bool) -> list[Found]:
    """The options that are named. With `scoped`, common words count only where they stand for a
    place to look in: "in the studio", "the studio graph"."""
    words = tokens(text)
    keys = [word.key for word in words]
    forms = [stem(word.key) for word in words]
    found: list[Found] = []
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
                span = words[at].start, words[at + len(wanted) - 1].end
                if all(span[1] <= f.span[0] or span[0] >= f.span[1] for f in found):
                    found.append(Found(option.value, span))
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


def options_of(parameter: Parameter) -> list[Choice]:
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
        found.append(Choice(value, tuple(dict.fromkeys(called))))
    return found


def listed(data: Mapping[str, Any]) -> list[Choice]:
    """The values in the answer of a tool that lists things: the id of each, and its names."""
    for value in data.values():
        if not isinstance(value, list) or not value:
            continue
        found = []
        for each in value:
            if isinstance(each, str):
                found.append(Choice(each, (each,)))
            elif isinstance(each, Mapping):
                ids = [
                    each[key] for key in ("id", "toolId", "name") if isinstance(each.get(key), str)
                ]
                named = [
                    each[key]
                    for key in ("id", "name", "title", "label", "trigger_phrase")
                    if isinstance(each.get(key), str)
                ]
                if ids:
                    found.append(Choice(ids[0], tuple(dict.fromkeys(named))))
        return found
    return []


def count(text: str, most: float | None) -> Found | None:
    """ "The five best", "top 3", "2 results", "three projects"."""
    for number in numbers(text):
        before = folded(text[: number.start]).rstrip()
        behind = re.match(
            r"\s*(?:best|top|first|newest|most)?\s*([a-z-]+)", folded(text[number.end :])
        )
        said = bool(re.search(r"\b(?:top|best|first|only|most|to|just|keep)$", before))
        noun = behind is not None and (
            behind[1].endswith("s") or behind[1] in ("people", "best", "top", "of")
        )
        if (said or noun) and isinstance(number.value, int) and 0 < number.value <= (most or 1000):
            end = number.end
            return Found(number.value, (number.start, end))
    return None


def duration(text: str, parameter: Parameter) -> Found | None:
    """In the unit that the parameter is counted in."""
    about = f"{parameter.name.replace('_', ' ')} {parameter.description}".lower()
    unit = _LENGTH.search(about)
    size = {"milliseconds": 0.001, "seconds": 1, "minutes": 60, "hours": 3600, "days": 86_400}
    for found in durations(text):
        value = found.seconds / size[unit[1].lower() if unit else "seconds"]
        return Found(int(value) if value == int(value) else value, (found.start, found.end))
    return None


def zone(text: str) -> Found | None:
    known = _zones()
    for match in re.finditer(r"\b[A-Za-z]+/[A-Za-z_]+(?:/[A-Za-z_]+)?\b", text):
        if match.group() in available_timezones():
            return Found(match.group(), match.span())
    words = tokens(text)
    for at, word in enumerate(words):
        if word.key not in ("in", "for", "at", "about", "zone") and not (
            at == 0 or word.text[:1].isupper()
        ):
            continue
        begin = at + 1 if word.key in ("in", "for", "at", "about", "zone") else at
        for length in (3, 2, 1):
            part = words[begin : begin + length]
            if len(part) == length and (name := known.get(" ".join(w.key for w in part))):
                return Found(name, (words[at].start, part[-1].end))
    return None


@cache
def _zones() -> dict[str, str]:
    found: dict[str, str] = {}
    for name in sorted(available_timezones(), key=lambda zone: (zone.count("/") != 1, zone)):
        if not name.startswith(("Etc/", "posix/", "right/", "SystemV/")):
            found.setdefault(folded(name.rpartition("/")[2].replace("_", " ")), name)
    return {**found, **_PLACES}


def emails(text: str) -> list[Found]:
    return [Found(match.group(), match.span()) for match in _EMAIL.finditer(text)]


def url(text: str) -> Found | None:
    match = _URL.search(text)
    return Found(match.group(), match.span()) if match else None


def shape(text: str, pattern: str) -> Found | None:
    """The last word that has the shape which the schema asks for."""
    try:
        wanted = re.compile(pattern)
    except re.error:
        return None
    for match in reversed(list(re.finditer(r"\S+", text))):
        word = match.group().strip(".,;:!?\"'()")
        if wanted.search(word) and word not in ("I", "OK", "AM", "PM", "TV", "IT"):
            return Found(word, match.span())
    return None
