"""History writers: turns of a conversation, handed one by one to a writer of a vendor's form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from antiphon.contracts.events import AnswersTurn, CallAnswer, HistoryTurn, ModelTurn, UserTurn


class HistoryWriter(Protocol):
    """Writes turns as messages of one vendor; `said` has those written so far."""

    said: list[dict[str, Any]]

    def user(self, text: str) -> None:
        """Write a turn of the person."""

    def model(self, turn: ModelTurn) -> None:
        """Write a turn of the model, with its calls."""

    def answers(self, answers: Iterable[CallAnswer]) -> None:
        """Write the results of calls."""

    def settle(self) -> None:
        """Answer the calls that have no answer, which the service would refuse."""


def write_history(writer: HistoryWriter, history: Sequence[HistoryTurn]) -> list[dict[str, Any]]:
    """Return the messages of a whole history, in which no call is left without an answer."""
    for turn in history:
        match turn:
            case UserTurn(text):
                writer.user(text)
            case ModelTurn():
                writer.model(turn)
            case AnswersTurn(answers):
                writer.answers(answers)
    writer.settle()
    return writer.said
