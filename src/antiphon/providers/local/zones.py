"""Time zones by the names that people have for them."""

from __future__ import annotations

import re
from functools import cache
from zoneinfo import available_timezones

from antiphon.providers.local.values import ValueMatch
from antiphon.providers.local.words import folded, tokens

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


def zone(text: str) -> ValueMatch | None:
    known = _zones()
    for match in re.finditer(r"\b[A-Za-z]+/[A-Za-z_]+(?:/[A-Za-z_]+)?\b", text):
        if match.group() in available_timezones():
            return ValueMatch(match.group(), match.span())
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
                return ValueMatch(name, (words[at].start, part[-1].end))
    return None


_ZONE_TIME = re.compile(
    r"(?:\bin (?:the )?)?\b(?P<name>[A-Z][\w/]*(?: [A-Z]\w*)?|utc|gmt)(?:'s)?"
    r"(?P<time> time(?: ?zone)?)?\b",
    re.IGNORECASE,
)


def zone_time(text: str) -> ValueMatch | None:
    """A zone that is named as one, beside other places: "Berlin time", "UTC"."""
    known = _zones()
    for match in _ZONE_TIME.finditer(text):
        parts = match["name"].split()
        for name in (match["name"], parts[-1]):
            exact = name if "/" in name and name in available_timezones() else None
            zone_name = exact or known.get(folded(name))
            sure = match["time"] or exact or name.lower() in ("utc", "gmt")
            if zone_name is not None and sure:
                return ValueMatch(zone_name, match.span())
    return None


@cache
def _zones() -> dict[str, str]:
    found: dict[str, str] = {}
    for name in sorted(available_timezones(), key=lambda zone: (zone.count("/") != 1, zone)):
        if not name.startswith(("Etc/", "posix/", "right/", "SystemV/")):
            found.setdefault(folded(name.rpartition("/")[2].replace("_", " ")), name)
    return {**found, **_PLACES}
