"""Claude history: a conversation in the form of the Messages API, repaired where it was cut."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import orjson

from antiphon.contracts import ToolCall
from antiphon.contracts.events import CallAnswer, HistoryTurn, ModelTurn
from antiphon.providers.history_writer import write_history
from antiphon.providers.text import fit_name

Block = dict[str, Any]

# The first word is always the person's.
_OPENING = "(The beginning of this conversation is missing.)"
_UNANSWERED = "No answer to this call was recorded."
_NOT_ALLOWED = re.compile(r"[^a-zA-Z0-9_-]")


def messages(history: Sequence[HistoryTurn]) -> list[dict[str, Any]]:
    """Return the messages of a history: roles alternate, and every call is answered first of all in
    the message after it."""
    return write_history(_Writer(), history)


class _Writer:
    def __init__(self) -> None:
        self.said: list[dict[str, Any]] = []
        self._open: list[tuple[str, str]] = []  # calls without an answer: our id, and the sent one
        self._used: set[str] = set()

    def user(self, text: str) -> None:
        self.settle()
        if text.strip():
            self._add("user", [{"type": "text", "text": text}])

    def model(self, turn: ModelTurn) -> None:
        self.settle()
        if turn.api == "claude" and turn.native:
            blocks: list[Block] = [_fit(block) for block in turn.native]
            for block in blocks:
                if block.get("type") == "tool_use":
                    self._open.append((block["id"], block["id"]))
                    self._used.add(block["id"])
        else:
            blocks = [{"type": "text", "text": turn.text}] if turn.text.strip() else []
            blocks += [self._call(call) for call in turn.calls]
        if not blocks:
            return
        if not self.said:
            self._add("user", [{"type": "text", "text": _OPENING}])
        self._add("assistant", blocks)

    def answers(self, answers: Iterable[CallAnswer]) -> None:
        results = []
        for answer in answers:
            call = next((each for each in self._open if each[0] == answer.id), None)
            if call is not None:  # else the call is no longer part of the history
                self._open.remove(call)
                sent = call[1]
                body = orjson.dumps(answer.envelope).decode()
                results.append(_result(sent, body, failed=answer.envelope.get("ok") is not True))
        results += self._left()
        if results:
            self._add("user", results)

    def settle(self) -> None:
        """Answer the calls that have no answer, which the service would refuse."""
        if left := self._left():
            self._add("user", left)

    def _left(self) -> list[Block]:
        left = [_result(sent, _UNANSWERED, failed=True) for _, sent in self._open]
        self._open.clear()
        return left

    def _call(self, call: ToolCall) -> Block:
        plain = _NOT_ALLOWED.sub("_", call.id or "") or "call"
        sent, number = plain, 1
        while sent in self._used:
            number += 1
            sent = f"{plain}_{number}"
        self._used.add(sent)
        self._open.append((call.id or "", sent))
        args = call.args if isinstance(call.args, dict) else {}
        return {"type": "tool_use", "id": sent, "name": fit_name(call.name), "input": args}

    def _add(self, role: str, blocks: list[Block]) -> None:
        if self.said and self.said[-1]["role"] == role:
            self.said[-1]["content"].extend(blocks)
        else:
            self.said.append({"role": role, "content": list(blocks)})


def _fit(block: Block) -> Block:
    """Return a block as it came, but with a name that the service takes back."""
    return (
        {**block, "name": fit_name(block.get("name"))} if block.get("type") == "tool_use" else block
    )


def _result(id: str, content: str, *, failed: bool) -> Block:
    block: Block = {"type": "tool_result", "tool_use_id": id, "content": content}
    if failed:
        block["is_error"] = True
    return block
