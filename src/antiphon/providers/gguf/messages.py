"""Chat messages: instructions, tools and history in the three roles that every template knows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import orjson

from antiphon.contracts.events import CallAnswer, HistoryTurn, ModelTurn, UserTurn
from antiphon.providers.gguf.grammar import CALL, CALL_END
from antiphon.providers.history_writer import write_history

Message = dict[str, str]
Round = list[HistoryTurn]

_OPENING = "(The beginning of this conversation is missing.)"
_UNANSWERED = '{"error": "No answer to this call was recorded."}'
# As models are taught that call tools at all.
_TOOLS = """# Tools

You may call one tool at a time to help with what the person wants. They are JSON objects:
<tools>
{}
</tools>

To call a tool, answer with its name and its arguments as a JSON object within these tags:
<tool_call>
{{"name": <name of the tool>, "arguments": <object with its arguments>}}
</tool_call>
You are given its result then. When no tool is needed, answer in words."""


def rounds_of(history: Sequence[HistoryTurn]) -> list[Round]:
    """The history in rounds, each begun by the person: what is left out is left out whole."""
    found: list[Round] = []
    for turn in history:
        if isinstance(turn, UserTurn) or not found:
            found.append([])
        found[-1].append(turn)
    return found


def write_messages(
    instructions: str, tools: Sequence[dict[str, Any]], rounds: Iterable[Round], longest: int
) -> list[Message]:
    """The messages for the model's template. A result of more than `longest` characters is cut."""
    parts = [instructions.strip()]
    if tools:
        listed = "\n".join(orjson.dumps(tool).decode() for tool in tools)
        parts.append(_TOOLS.format(listed))
    writer = _Writer(longest)
    if system := "\n\n".join(part for part in parts if part):
        writer.said.append({"role": "system", "content": system})
    return write_history(writer, [turn for each in rounds for turn in each])


class _Writer:
    """Roles take turns, as many templates demand: neighbours of one role become one message."""

    def __init__(self, longest: int) -> None:
        self.said: list[Message] = []
        self._longest = longest
        self._open: list[str | None] = []

    def user(self, text: str) -> None:
        self.settle()
        self._add("user", text)

    def model(self, turn: ModelTurn) -> None:
        self.settle()
        if not any(message["role"] == "user" for message in self.said):
            self._add("user", _OPENING)
        calls = [f"{CALL}\n{_call(each.name, each.args)}\n{CALL_END}" for each in turn.calls]
        self._add("assistant", "\n".join([turn.text, *calls] if turn.text.strip() else calls))
        self._open = [call.id for call in turn.calls]

    def answers(self, answers: Iterable[CallAnswer]) -> None:
        given = {answer.id: orjson.dumps(answer.envelope).decode() for answer in answers}
        calls, self._open = self._open, []
        for call in calls:
            result = self._cut(given.get(call))
            self._add("user", f"<tool_response>\n{result}\n</tool_response>")

    def settle(self) -> None:
        """Answer the calls that have no answer, which would be made again."""
        self.answers(())

    def _cut(self, text: str | None) -> str:
        if text is None:
            return _UNANSWERED
        left = len(text) - self._longest
        return text if left <= 0 else f"{text[: self._longest]} … ({left} characters left out)"

    def _add(self, role: str, text: str) -> None:
        if not text.strip():
            return
        if self.said and self.said[-1]["role"] == role:
            self.said[-1]["content"] += f"\n\n{text}"
        else:
            self.said.append({"role": role, "content": text})


def _call(name: str, args: Any) -> str:
    arguments = args if isinstance(args, dict) else {}
    return json.dumps({"name": name, "arguments": arguments}, ensure_ascii=False)
