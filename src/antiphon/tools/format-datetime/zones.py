"""Time zone lookup by name, with the nearest names when there is none."""

from __future__ import annotations

import difflib
import re
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from antiphon.toolkit import invalid

# Machine-dependent or leap-second variants of the database, not zones a person means.
NOT_ZONES = {"localtime", "posixrules", "Factory", "leapseconds", "tzdata.zi"}
ABBREVIATIONS = {
    "PST": ["America/Los_Angeles"],
    "PDT": ["America/Los_Angeles"],
    "MDT": ["America/Denver"],
    "CST": ["America/Chicago", "Asia/Shanghai"],
    "CDT": ["America/Chicago"],
    "EDT": ["America/New_York"],
    "BST": ["Europe/London", "Asia/Dhaka"],
    "CEST": ["Europe/Paris", "Europe/Berlin"],
    "EEST": ["Europe/Athens"],
    "IST": ["Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem"],
    "JST": ["Asia/Tokyo"],
    "AEST": ["Australia/Sydney", "Australia/Brisbane"],
    "AEDT": ["Australia/Sydney"],
}


@cache
def zone_names() -> frozenset[str]:
    return frozenset(available_timezones() - NOT_ZONES)


def find_zone(name: str) -> ZoneInfo:
    if name in zone_names():
        return ZoneInfo(name)
    nearest = nearest_zones(name)
    hint = f" Nearest: {', '.join(nearest)}." if nearest else ""
    raise invalid(
        "/timezone",
        f"{name!r} is not an IANA time zone; use a name such as 'Europe/Paris' or 'UTC'.{hint}",
        nearest=nearest,
    )


def nearest_zones(name: str) -> list[str]:
    wanted = name.strip().replace(" ", "_").casefold()
    known = sorted(zone_names())
    offset = re.fullmatch(r"(?:utc|gmt)?([+-])0?(\d{1,2})(?::?00)?", wanted, re.ASCII)
    if offset:
        # The Etc zones count the other way round: Etc/GMT-2 is two hours ahead of UTC.
        sign = "-" if offset[1] == "+" else "+"
        return [z for z in (f"Etc/GMT{sign}{int(offset[2])}",) if z in zone_names()]
    found = list(ABBREVIATIONS.get(name.strip().upper(), ()))
    found += [z for z in known if z.casefold() == wanted]
    found += [z for z in known if z.rpartition("/")[2].casefold() == wanted]
    by_fold = {z.casefold(): z for z in known}
    by_city = {z.rpartition("/")[2].casefold(): z for z in known if "/" in z}
    for names in (by_fold, by_city):
        found += [names[m] for m in difflib.get_close_matches(wanted, names, 3, 0.75)]
    return list(dict.fromkeys(z for z in found if z in zone_names()))[:3]
