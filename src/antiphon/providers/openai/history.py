"""Chat history: a conversation in the form of Chat Completions, repaired where it was cut."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import orjson

from antiphon.contracts import ToolCall
from antiphon.contracts.events import CallAnswer, HistoryTurn, ModelTurn
from antiphon.providers.history_writer import write_history
from antiphon.providers.text import fit_name

_UNANSWERED = {"error": "No answer to this call was recorded."}
_LONGEST_ID = 40


def messages(instructions: str, history: Sequence[HistoryTurn]) -> list[dict[str, Any]]:
    """Return the messages of a history: every call is answered right after it, and none is
    empty."""
    writer = _Writer()
    if instructions.strip():
        writer.said.append({"role": "system", "content": instructions})
    return write_history(writer, history)


class _Writer:
    def __init__(self) -> None:
        self.said: list[dict[str, Any]] = []
        self._open: list[tuple[str | None, str]] = []  # our id of each call, and the one sent
        self._used: set[str] = set()

    def user(self, text: str) -> None:
        self.settle()
        if text.strip():
            self.said.append({"role": "user", "content": text})

    def model(self, turn: ModelTurn) -> None:
        self.settle()
        message: dict[str, Any] = {"role": "assistant", "content": turn.text or None}
        if turn.calls:
            native = turn.native if turn.api == "openai-chat" else None
            bodies = native if isinstance(native, list) and len(native) == len(turn.calls) else None
            message["tool_calls"] = [
                {**(_fit(bodies[n]) if bodies else _call(call)), "id": self._id(call)}
                for n, call in enumerate(turn.calls)
            ]
        if turn.text.strip() or turn.calls:
            self.said.append(message)

    def answers(self, answers: Iterable[CallAnswer]) -> None:
        self._answer({answer.id: answer.envelope for answer in answers})

    def settle(self) -> None:
        """Answer the calls that have no answer, which the service would refuse."""
        self._answer({})

    def _answer(self, given: dict[str | None, dict[str, Any]]) -> None:
        calls, self._open = self._open, []
        for ours, sent in calls:
            content = orjson.dumps(given.get(ours, _UNANSWERED)).decode()
            self.said.append({"role": "tool", "tool_call_id": sent, "content": content})

    def _id(self, call: ToolCall) -> str:
        """Return an id that no other call of the conversation has, and not too long for the
        service."""
        plain = (call.id or "call")[-_LONGEST_ID:]
        sent, number = plain, 1
        while sent in self._used:
            number += 1
            sent = f"{plain[-_LONGEST_ID + 6 :]}_{number}"
        self._used.add(sent)
        self._open.append((call.id, sent))
        return sent


def _call(call: ToolCall) -> dict[str, Any]:
    args = orjson.dumps(call.args if isinstance(call.args, dict) else {}).decode()
    return {"type": "function", "function": {"name": fit_name(call.name), "arguments": args}}


def _fit(body: dict[str, Any]) -> dict[str, Any]:
    """Return a call as it came, but with a name that the service takes back."""
    function = body["function"]
    return {**body, "function": {**function, "name": fit_name(function["name"])}}
