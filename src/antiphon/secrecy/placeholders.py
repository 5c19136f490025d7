"""Placeholders: `[card 1]` in place of a card number, and the number put back where it is meant."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from antiphon.secrecy.personal_data import PersonalData, PersonalSpan, replaced

# Somebody's own text that looks like a placeholder gets one itself, so that it is never taken for
# what another one stands for.
QUOTE = "quote"
# A text that could still become a placeholder is held back for so long.
_LONGEST = 64
_PASSES = 8
_BEGUN = re.compile(r"\[[A-Za-z0-9_-]{0,40}(?: [0-9]{0,8})?$")

_Mask = Callable[[str, PersonalData], str]


class Placeholders:
    """The placeholders of one conversation: each personal text has one, always the same.

    Kept in memory alone, for as long as the conversation is open, and never shared with another.
    """

    def __init__(self, kinds: frozenset[str]) -> None:
        names = "|".join(sorted(map(re.escape, {*kinds, QUOTE}), key=len, reverse=True))
        self._looks = re.compile(rf"\[({names}) ([0-9]{{1,8}})\]", re.IGNORECASE)
        self._by_value: dict[tuple[str, str | int], str] = {}
        self._values: dict[str, str | int] = {}
        self._counts: dict[str, int] = {}

    # -- masking -------------------------------------------------------------------------------

    def mask(self, text: str, finder: PersonalData) -> str:
        """The text with placeholders. `restore` gives it back, whatever it says."""
        quoted = [PersonalSpan(*each.span(), QUOTE) for each in self._placed(text)]
        found = _apart(finder.spans(text), quoted)
        if not found and not quoted:
            return text
        return self._mask_rest(replaced(text, sorted([*found, *quoted]), self._name_of), finder)

    def mask_all(self, value: Any, finder: PersonalData) -> Any:
        """A JSON value with placeholders in its texts, names of members, and whole numbers."""
        return self._walk(value, finder, self.mask)

    def mask_kept(self, value: Any, finder: PersonalData) -> Any:
        """The same for a value of ours, in which placeholders may stand already. They stay as they
        are; the numbers of those of an earlier life are given to nothing else."""
        return self._walk(value, finder, self._mask_but_for_placeholders)

    def _mask_but_for_placeholders(self, text: str, finder: PersonalData) -> str:
        for each in self._placed(text):
            kind, number = each[1].lower(), int(each[2])
            self._counts[kind] = max(self._counts.get(kind, 0), number)
        return self._mask_rest(text, finder)

    def _mask_rest(self, text: str, finder: PersonalData) -> str:
        """Mask what stands between placeholders, also what is found only when its neighbour has
        become one: `4111 1111 1111 1111+49 30 1234567`."""
        for _ in range(_PASSES):
            placed = [PersonalSpan(*each.span(), QUOTE) for each in self._placed(text)]
            spans = _apart(finder.spans(text), placed)
            if not spans:
                break
            text = replaced(text, spans, self._name_of)
        return text

    def _placed(self, text: str) -> list[re.Match[str]]:
        return list(self._looks.finditer(text)) if "[" in text else []

    def _walk(self, value: Any, finder: PersonalData, mask: _Mask) -> Any:
        match value:
            case str():
                return mask(value, finder)
            case dict():
                masked = {str(name): self._walk(each, finder, mask) for name, each in value.items()}
                return {mask(name, finder): each for name, each in masked.items()}
            case list() | tuple():
                return [self._walk(each, finder, mask) for each in value]
            case int() if not isinstance(value, bool):
                spans = finder.spans(text := str(value))
                is_whole = len(spans) == 1 and spans[0][:2] == (0, len(text))
                return self._name(spans[0].kind, value) if is_whole else value
        return value

    def _name_of(self, span: PersonalSpan, value: str) -> str:
        return self._name(span.kind, value)

    def _name(self, kind: str, value: str | int) -> str:
        name = self._by_value.get((kind, value))
        if name is None:
            number = self._counts[kind] = self._counts.get(kind, 0) + 1
            name = self._by_value[kind, value] = f"[{kind} {number}]"
            self._values[name] = value
        return name

    # -- putting back --------------------------------------------------------------------------

    def restore(self, text: str) -> str:
        """The text with what the placeholders stand for; unknown ones stay."""
        if "[" not in text:
            return text
        return self._looks.sub(lambda found: str(self._value_of(found[0], found[0])), text)

    def restore_all(self, value: Any) -> Any:
        """The same for every text in a JSON value; a text that is nothing but a placeholder becomes
        what it was, a number too."""
        match value:
            case str():
                whole = self._value_of(value, None)
                return self.restore(value) if whole is None else whole
            case dict():
                return {
                    self.restore(str(name)): self.restore_all(each) for name, each in value.items()
                }
            case list() | tuple():
                return [self.restore_all(each) for each in value]
        return value

    def _value_of(self, name: str, usual: str | None) -> str | int | None:
        return self._values.get(name.lower(), usual)


def _apart(spans: list[PersonalSpan], others: list[PersonalSpan]) -> list[PersonalSpan]:
    """The spans that overlap none of the others."""
    return [s for s in spans if all(s.end <= o.start or s.start >= o.end for o in others)]


class StreamedRestore:
    """Putting back in a text that comes in pieces, cut anywhere: `[car` and `d 1]`."""

    def __init__(self, placeholders: Placeholders) -> None:
        self._placeholders = placeholders
        self._held = ""

    def feed(self, piece: str) -> str:
        """What can be shown of the text after this piece."""
        text = self._held + piece
        begun = _BEGUN.search(text, max(0, len(text) - _LONGEST))
        shown = text if begun is None else text[: begun.start()]
        self._held = text[len(shown) :]
        return self._placeholders.restore(shown)

    def finish(self) -> str:
        """What was held back, at the end of the text."""
        held, self._held = self._held, ""
        return self._placeholders.restore(held)
