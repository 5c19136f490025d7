"""A model that answers by script, behind the port of the real ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from antiphon import ToolCall
from antiphon.contracts.events import (
    CallAnswer,
    Event,
    Input,
    Prompt,
    Text,
    ToolCalls,
    TurnEnded,
    Usage,
)
from antiphon.providers.port import Setup
from antiphon.testing.model import EVERYTHING, ScriptedConnection, ScriptedModel

Reply = list[Event]


def says(text: str) -> Reply:
    return [Text(text), Usage(7, 3), TurnEnded("complete")]


def calls(*made: tuple[str, dict[str, Any]]) -> Reply:
    return [
        ToolCalls(tuple(ToolCall(f"c{i}", name, args) for i, (name, args) in enumerate(made, 1)))
    ]


class Replies(ScriptedModel):
    """Plays the next reply whenever it is told something; `prompts` has what it was told."""

    def __init__(self, *replies: Reply) -> None:
        super().__init__(EVERYTHING)
        self.replies: Iterator[Reply] = iter(replies)
        self.prompts: list[str] = []
        self.answers: list[CallAnswer] = []

    async def connect(self, setup: Setup) -> ScriptedConnection:
        connection = _Replying(setup, self)
        self.connections.append(connection)
        return connection


class _Replying(ScriptedConnection):
    def __init__(self, setup: Setup, model: Replies) -> None:
        super().__init__(setup, EVERYTHING)
        self._model = model

    async def send(self, event: Input) -> None:
        await super().send(event)
        if isinstance(event, Prompt):
            self._model.prompts.append(event.text)
        elif isinstance(event, CallAnswer):
            self._model.answers.append(event)
            if self.pending:
                return
        else:
            return
        self.play(*next(self._model.replies))
