"""Pronouns at the head of a sentence, read as the person whom the text spoke of last."""

from __future__ import annotations

import re

from antiphon.knowledge.ingestion.mentions import EntityMention

# The first word, or the first behind "In 2020" and the like; inside a sentence it may be anybody.
_PRONOUN = re.compile(
    r"(?:(?:In|Since|After|Before|By|From|Until) [\w ]{1,30},? )?([Ss]he|[Hh]e)\b"
)
SURE = 0.5


class LastPerson:
    """Memory of the last sentence's subject, for pronouns."""

    def __init__(self) -> None:
        self._last: EntityMention | None = None

    def with_pronoun(self, text: str, mentions: list[EntityMention]) -> list[EntityMention]:
        """The mentions of a sentence and, where it begins with a pronoun, whom that means."""
        found = _PRONOUN.match(text)
        if found is not None and self._last is not None:
            last, (start, end) = self._last, found.span(1)
            meant = EntityMention(last.name, last.type, start, end, "pronoun", SURE, last.id)
            return sorted([*mentions, meant], key=lambda one: (one.start, one.end))
        people = [one for one in mentions if one.type == "person"]
        if people and found is None:
            # Whom a sentence begins with is its subject; of several others none surely is.
            first = people[0] if people[0] is mentions[0] or len(people) == 1 else None
            self._last = first
        return mentions
