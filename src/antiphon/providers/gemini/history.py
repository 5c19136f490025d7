"""Gemini history: a conversation in the form of generateContent, repaired where it was cut."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from antiphon.contracts import ToolCall
from antiphon.contracts.events import CallAnswer, HistoryTurn, ModelTurn
from antiphon.providers.history_writer import write_history
from antiphon.providers.text import fit_name

Part = dict[str, Any]

# The first word is always the person's.
_OPENING = "(The beginning of this conversation is missing.)"
_UNANSWERED = {"error": "No answer to this call was recorded."}


def contents(history: Sequence[HistoryTurn]) -> list[dict[str, Any]]:
    """Return the contents of a history: every call is answered right after it, and nothing is
    empty."""
    return write_history(_Writer(), history)


class _Writer:
    def __init__(self) -> None:
        self.said: list[dict[str, Any]] = []
        self._open: list[tuple[str | None, Part]] = []  # our id of each call, and what was sent

    def user(self, text: str) -> None:
        self.settle()
        if text.strip():
            self._add("user", [{"text": text}])

    def model(self, turn: ModelTurn) -> None:
        self.settle()
        parts: list[Part]
        if turn.api == "gemini" and isinstance(turn.native, dict) and turn.native.get("parts"):
            parts = [_fit(part) for part in turn.native["parts"]]
        else:
            parts = [{"text": turn.text}] if turn.text.strip() else []
            parts += [_call(call) for call in turn.calls]
        if not parts:
            return
        if not self.said:
            self._add("user", [{"text": _OPENING}])
        self._add("model", parts)
        sent = [part["functionCall"] for part in parts if "functionCall" in part]
        self._open = list(zip((call.id for call in turn.calls), sent, strict=False))

    def answers(self, answers: Iterable[CallAnswer]) -> None:
        given = {answer.id: answer.envelope for answer in answers}
        self._answer(given)

    def settle(self) -> None:
        """Answer the calls that have no answer, which the service would refuse."""
        self._answer({})

    def _answer(self, given: dict[str | None, dict[str, Any]]) -> None:
        calls, self._open = self._open, []
        if calls:
            self._add("user", [_response(call, given.get(key, _UNANSWERED)) for key, call in calls])

    def _add(self, role: str, parts: list[Part]) -> None:
        self.said.append({"role": role, "parts": list(parts)})


def _call(call: ToolCall) -> Part:
    """Return the part for a call of another provider's model. Its id is not Gemini's; name and
    order say enough."""
    args = call.args if isinstance(call.args, dict) else {}
    return {"functionCall": {"name": fit_name(call.name), "args": args}}


def _fit(part: Part) -> Part:
    """Return a part as it came, signature and all, but with a name that the service takes back."""
    call = part.get("functionCall")
    return (
        part
        if call is None
        else {**part, "functionCall": {**call, "name": fit_name(call.get("name"))}}
    )


def _response(call: Part, envelope: dict[str, Any]) -> Part:
    response: Part = {"name": call["name"], "response": envelope}
    if call.get("id"):
        response["id"] = call["id"]
    return {"functionResponse": response}
