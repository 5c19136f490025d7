"""Rendering of answers and results: which facts are told, and which were told already."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from antiphon.contracts.events import CallAnswer
from antiphon.contracts.intents import IntentType
from antiphon.providers.local.answers import AnswerEvidence
from antiphon.providers.local.names import Name

# Results that score less are guesses, as the search itself says.
GUESS = 0.2


def named_in(result: Mapping[str, Any]) -> Name:
    return Name(result["id"], str(result.get("title") or result["id"]), str(result.get("type", "")))


def rest(said: str, until: str) -> list[str]:
    """What was not heard of the last answer: all of it, or from where the person heard it."""
    found = said.find(until.rstrip(" \u2026")) if until else -1
    text = said[found + len(until.rstrip(" \u2026")) :] if found >= 0 else said
    text = text.lstrip(" .,;:").rstrip(" \u2026")
    return [text] if text else []


def worth_telling(found: list[AnswerEvidence], spoken: bool) -> list[AnswerEvidence]:
    """The best few, without those that are far behind the first."""
    least = max(GUESS, 0.4 * found[0].score) if found and found[0].score else 0.0
    return [one for one in found if one.score >= least][: 3 if spoken else 5] or found[:1]


def is_said_already(answer: CallAnswer) -> bool:
    """Some tools have their own last word, which the session says for them."""
    data = answer.envelope.get("data")
    if not isinstance(data, Mapping):
        return False
    return bool(data.get("finalMessage")) or bool(data.get("voice_session_requested"))


def ends(answer: CallAnswer) -> bool:
    """Whether the session is over with this answer."""
    intents = answer.envelope.get("intents", ())
    return any(intent.get("type") == IntentType.END_VOICE_SESSION for intent in intents)
