"""Participants of an appointment: whether others take part in what is asked for."""

from __future__ import annotations

import re

from antiphon.providers.local.slot_filling import SlotSheet

_TOGETHER = re.compile(
    r"\b(?:with|invit\w+|meet(?:ing|up)?s?|guests?|attend\w*|participants?|every(?:one|body)|"
    r"team|colleagues?|us|interview|sync|stand-?up|workshop|one-on-one|1:1|schedul\w+|arrange|"
    r"review|kick-?off|retro\w*|briefing)\b",
    re.IGNORECASE,
)
_GUESTS = r"(?:attendees?|guests?|participants?|people|addresses|emails?|others|one else)"
_WITHOUT = re.compile(
    rf"\b(?:(?:without|no)(?: any)?(?: other)? {_GUESTS}|(?:just|only)(?: for)? (?:me|myself)|"
    r"by myself|on my own|me alone|for myself|no invitations?)\b",
    re.IGNORECASE,
)
_NOBODY = re.compile(
    r"^(?:(?:no|oh|well|um|there(?:'s| is| are)|it(?:'s| is)|that(?:'s| is)|with|for)[\s,]+)*"
    rf"(?:none|nobody|no[ -]?one|nothing|without|(?:no|without)(?: any)?(?: other)? {_GUESTS}|"
    r"(?:just|only)(?: for)? (?:me|myself|i)|me|myself|alone|private|"
    r"(?:skip|leave)(?: (?:it|that|this|them))?(?: (?:out|empty|blank))?)"
    r"(?:[\s,.!]+(?:it's|it is|that's|that is|else|at all|just|only|for|me|myself|please|thanks|"
    r"thank you|private|alone|needed))*[\s.!]*$",
    re.IGNORECASE,
)


def takes_part(sheet: SlotSheet) -> bool:
    """Whether the request speaks of anybody besides the person."""
    if _WITHOUT.search(sheet.text):
        return False
    named = any(mention.name.type == "person" for mention in sheet.free_mentions())
    return named or bool(_TOGETHER.search(sheet.text))


def nobody(text: str) -> bool:
    """Whether the answer to "who takes part?" is that nobody else does."""
    return bool(_NOBODY.match(text.strip()))
