"""Names in the form in which they are compared, and the ids that are made of them."""

from __future__ import annotations

import re
import unicodedata
from hashlib import blake2b

from antiphon.knowledge.ingestion.lexicon import COMPANY_SUFFIXES, TITLES

_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_MAX_SLUG = 120


def words(name: str) -> list[str]:
    """Words of a name without case, accents and punctuation: `É. Renée's` gives e, renee."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    plain = "".join(char for char in plain if not unicodedata.combining(char))
    return _WORD.findall(re.sub(r"['\u2019]s\b", "", plain).replace("'", "").replace("\u2019", ""))


def key(name: str) -> tuple[str, ...]:
    """Comparison key of a name: equal for spellings of the same name."""
    found = words(name)
    while len(found) > 1 and found[0] in TITLES | {"the"}:
        found = found[1:]
    # "S.A." and "L.L.C." are single letters by now.
    while len(found) > 1 and found[-1] in COMPANY_SUFFIXES:
        found = found[:-1]
    for tail in (("s", "a"), ("l", "l", "c"), ("s", "r", "l"), ("b", "v"), ("n", "v")):
        if len(found) > len(tail) and tuple(found[-len(tail) :]) == tail:
            found = found[: -len(tail)]
    return tuple(found)


def slug(name: str) -> str:
    """Part of an id: `Ada Lovelace` gives ada_lovelace. Other scripts keep their letters."""
    found = "_".join(key(name))
    if len(found) > _MAX_SLUG:
        digest = blake2b(found.encode(), digest_size=6).hexdigest()
        found = f"{found[:_MAX_SLUG]}_{digest}"
    return found


def same_person(short: tuple[str, ...], full: tuple[str, ...]) -> bool:
    """Whether one name may be short for the other: an initial, the last or the first name alone."""
    if short == full or len(full) < 2:
        return short == full
    if len(short) == 1:
        return short[0] in (full[-1], full[0]) and len(short[0]) > 2
    if short[-1] != full[-1] or len(short) > len(full):
        return False
    if full[-len(short) :] == short:
        return True  # a last name of several words
    return all(
        given == name or (len(given) == 1 and name.startswith(given)) or
        (len(name) == 1 and given.startswith(name))
        for given, name in zip(short[:-1], full[:-1], strict=False)
    )  # fmt: skip
