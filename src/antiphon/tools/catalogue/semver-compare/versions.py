"""Semantic versions 2.0.0 and the ranges that npm writes over them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from antiphon.toolkit import invalid

NUMBER = r"(?:0|[1-9][0-9]{0,15})"
IDENTIFIER = rf"(?:{NUMBER}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
TAIL = (
    rf"(?:-(?P<prerelease>{IDENTIFIER}(?:\.{IDENTIFIER})*))?"
    r"(?:\+(?P<build>[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?"
)
VERSION = re.compile(rf"[vV]?(?P<major>{NUMBER})\.(?P<minor>{NUMBER})\.(?P<patch>{NUMBER}){TAIL}")
PART = rf"(?:{NUMBER}|[xX*])"
PARTIAL = re.compile(
    rf"[vV]?(?P<major>{PART})(?:\.(?P<minor>{PART})(?:\.(?P<patch>{PART}){TAIL})?)?"
)
COMPARATOR = re.compile(r"(?P<operator>>=|<=|>|<|=|\^|~>?)?\s*(?P<version>[^\s<>=^~|]+)")
HYPHEN = re.compile(r"(\S+)\s+-\s+(\S+)")


@dataclass(frozen=True)
class Version:
    major: int
    minor: int
    patch: int
    prerelease: tuple[str, ...] = ()
    build: str = ""

    @property
    def key(self) -> tuple[Any, ...]:
        """Sort key of precedence: a release is above its prereleases, numbers are below words."""
        before = tuple(
            (0, int(part), "") if part.isdigit() else (1, 0, part) for part in self.prerelease
        )
        return (self.major, self.minor, self.patch, not self.prerelease, before)

    @property
    def core(self) -> tuple[int, int, int]:
        return (self.major, self.minor, self.patch)

    def __str__(self) -> str:
        text = f"{self.major}.{self.minor}.{self.patch}"
        text += f"-{'.'.join(self.prerelease)}" if self.prerelease else ""
        return text + (f"+{self.build}" if self.build else "")


Bound = tuple[str, Version]


def parse_version(text: str, pointer: str) -> Version:
    found = VERSION.fullmatch(text.strip())
    if not found:
        raise invalid(pointer, f"{text.strip()!r} is no semantic version; write it like 1.4.2.")
    return version_of_match(found)


def version_of_match(found: re.Match[str]) -> Version:
    return Version(
        *(number(found[name]) or 0 for name in ("major", "minor", "patch")),
        prerelease=tuple((found["prerelease"] or "").split(".")) if found["prerelease"] else (),
        build=found["build"] or "",
    )


def number(text: str | None) -> int | None:
    return None if text is None or text in "xX*" else int(text)


def in_range(version: Version, text: str) -> bool:
    return any(satisfies_all(version, alternative) for alternative in alternatives(text))


def alternatives(text: str) -> list[list[Bound]]:
    return [parse_bounds(part.strip()) for part in text.split("||")]


def satisfies_all(version: Version, wanted: list[Bound]) -> bool:
    if not all(compare(version, operator, bound) for operator, bound in wanted):
        return False
    # Nobody gets a prerelease who has not asked for one of that very version.
    return not version.prerelease or any(
        bound.prerelease and bound.core == version.core for _, bound in wanted
    )


def compare(version: Version, operator: str, bound: Version) -> bool:
    match operator:
        case ">=":
            return version.key >= bound.key
        case "<=":
            return version.key <= bound.key
        case ">":
            return version.key > bound.key
        case "<":
            return version.key < bound.key
    return version.key == bound.key


def parse_bounds(text: str) -> list[Bound]:
    if text in ("", "*", "x", "X"):
        return [(">=", Version(0, 0, 0))]
    between = HYPHEN.fullmatch(text)
    if between:
        low, _ = span(between[1])
        _, high = span(between[2])
        last = match_partial(between[2])
        full = last["patch"] is not None and number(last["patch"]) is not None
        return [(">=", low), ("<=", version_of_match(last)) if full else ("<", high)]
    found: list[Bound] = []
    position = 0
    while position < len(text):
        one = COMPARATOR.match(text, position)
        if not one:
            raise invalid("/range", f"{text[position:][:40]!r} is no comparator; write >=1.2.0.")
        found += comparator(one["operator"] or "", one["version"])
        position = one.end()
        while position < len(text) and text[position].isspace():
            position += 1
    return found


def comparator(operator: str, text: str) -> list[Bound]:
    low, high = span(text)
    parts = match_partial(text)
    full = number(parts["patch"]) is not None
    if operator == "^":
        return [(">=", low), ("<", caret_limit(low, parts))]
    if operator in ("~", "~>"):
        minor = number(parts["minor"])
        top = Version(low.major + 1, 0, 0) if minor is None else Version(low.major, minor + 1, 0)
        return [(">=", low), ("<", top)]
    if operator in ("", "="):
        return [("=", low)] if full else [(">=", low), ("<", high)]
    if operator in (">=", "<"):
        return [(operator, low)]
    # Above or up to 1.2 means above or up to all of 1.2.x.
    if operator == ">":
        return [(">", low)] if full else [(">=", high)]
    return [("<=", low)] if full else [("<", high)]


def caret_limit(low: Version, parts: re.Match[str]) -> Version:
    if low.major or number(parts["minor"]) is None:
        return Version(low.major + 1, 0, 0)
    if low.minor or number(parts["patch"]) is None:
        return Version(0, low.minor + 1, 0)
    return Version(0, 0, low.patch + 1)


def match_partial(text: str) -> re.Match[str]:
    found = PARTIAL.fullmatch(text)
    if not found:
        raise invalid("/range", f"{text[:40]!r} is no version; write it like 1.4.2, 1.4 or 1.x.")
    return found


def span(text: str) -> tuple[Version, Version]:
    """Return the lowest version that a partial one stands for, and the first above them all."""
    found = match_partial(text)
    low = version_of_match(found)
    major, minor = number(found["major"]), number(found["minor"])
    if major is None:
        return low, Version(10**16, 0, 0)
    if minor is None:
        return low, Version(major + 1, 0, 0)
    return low, Version(major, minor + 1, 0)
