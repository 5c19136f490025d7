"""Edge patterns: `source -relation-> target`, and the same from right to left."""

from __future__ import annotations

import re
from dataclasses import dataclass

# An end is parted from the arrow by a space or a bracket, or has no hyphen in it itself.
_LEFT = r"^(?P<left>.+\)|.+?(?=\s)|[^\s-]+)"
_FORWARD = re.compile(rf"{_LEFT}\s*+-++\s*+\[?(?P<relation>[^\[\]<>]*+)\]?[\s-]*+>(?P<right>.+)$")
_BACKWARD = re.compile(
    rf"{_LEFT}\s*+<-++\s*+(?:\[?(?P<relation>[^\[\]<>]*?)(?:\]\s*+)?-+)?(?P<right>.+)$"
)
_ANY = ("", "*", "?")


@dataclass(frozen=True)
class EdgePattern:
    """Conditions on both ends and the relation; an empty text matches everything."""

    source: str
    relation: str
    target: str


def parse_pattern(query: str) -> EdgePattern | None:
    """Parse a query as a pattern; return None if it is a question in words."""
    text = query.strip()
    if "->" in text:
        found = _FORWARD.match(text)
        return found and EdgePattern(
            _end(found["left"]), _name(found["relation"]), _end(found["right"])
        )
    if "<-" in text:
        found = _BACKWARD.match(text)
        return found and EdgePattern(
            _end(found["right"]), _name(found["relation"]), _end(found["left"])
        )
    return None


def _end(text: str) -> str:
    bare = text.strip().strip("()").strip()
    return "" if bare in _ANY else bare


def _name(text: str | None) -> str:
    bare = (text or "").strip().lstrip(":").strip("- ")
    return "" if bare in _ANY else re.sub(r"[\s-]+", "_", bare).lower()
