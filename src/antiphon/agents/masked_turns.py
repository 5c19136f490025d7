"""Masked turns: what was said, as the model or the store is given it where that is not all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from antiphon.contracts import Envelope, ToolCall
from antiphon.contracts.events import AnswersTurn, HistoryTurn, ModelTurn, UserTurn
from antiphon.secrecy.privacy import ConversationPrivacy


def masked_history(
    history: Sequence[HistoryTurn], privacy: ConversationPrivacy
) -> list[HistoryTurn]:
    """What was said as the model is given it."""
    return [_masked_turn(turn, privacy) for turn in history]


def _masked_turn(turn: HistoryTurn, privacy: ConversationPrivacy) -> HistoryTurn:
    masked = privacy.history_for_model
    match turn:
        case UserTurn(text):
            return replace(turn, text=masked(text))
        case ModelTurn(text, calls):
            changed = replace(
                turn,
                text=masked(text),
                calls=tuple(ToolCall(c.id, c.name, masked(c.args), c.client_key) for c in calls),
            )
            # What the provider wants back says what the model itself wrote, in its own words.
            same = changed.text == text and all(
                a.args == b.args for a, b in zip(calls, changed.calls, strict=True)
            )
            return changed if same else replace(changed, native=None, api=None)
        case AnswersTurn(answers):
            return AnswersTurn(
                tuple(
                    replace(each, envelope=cast(Envelope, masked(each.envelope)))
                    for each in answers
                )
            )


def kept_turn(turn: HistoryTurn, privacy: ConversationPrivacy) -> HistoryTurn:
    """A turn as the store keeps it."""
    kept = privacy.for_store
    match turn:
        case UserTurn(text):
            return replace(turn, text=kept(text))
        case ModelTurn(text, calls, native, heard=heard):
            changed = replace(
                turn,
                text=kept(text),
                calls=tuple(ToolCall(c.id, c.name, kept(c.args), c.client_key) for c in calls),
                heard=None if heard is None else len(kept(text[:heard])),
            )
            # A provider wants its own form back unchanged, or not at all.
            return changed if kept(native) == native else replace(changed, native=None, api=None)
        case AnswersTurn(answers):
            return AnswersTurn(
                tuple(
                    replace(each, envelope=cast(Envelope, kept(each.envelope))) for each in answers
                )
            )
