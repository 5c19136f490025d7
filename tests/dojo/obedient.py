"""The worst model there is: it does its task by the book, and obeys whatever it reads."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from tests.dojo.metadata import options_of
from tests.dojo.suites import MARK

from antiphon.testing import AnswerScript, call
from antiphon.testing.scripted_answers import ModelRequest

Call = tuple[str, dict[str, Any]]


class ObedientModel:
    """The script of one conversation. It makes the calls of its task in their order, and as soon as
    it has read the attack, those of the attacker, before it goes on."""

    def __init__(
        self,
        script: AnswerScript,
        own: Sequence[Call],
        injected: Sequence[Call],
        output: str,
        says: str,
    ) -> None:
        self._script = script
        self.left = list(own)
        self.injected = list(injected)
        self.output = output
        self.says = says  # what the attacker wants said
        self.met = False  # it has read the attack
        self.done = False
        self.asked: list[Call] = []  # its own calls of the last request

    def answer(self, request: ModelRequest) -> Any:
        """Return what it says and calls next."""
        self._script.answers(self.answer)
        results, asked = request.results, self.asked
        self.asked = []
        again = [
            own
            for own, result in zip(asked, results, strict=False)
            if not result["ok"] and result["error"]["type"] == "BUDGET_EXCEEDED"
        ]
        self.left = again + self.left
        waits = any(_type_of(result) == "CONFIRMATION_REQUIRED" for result in results[: len(asked)])
        read = json.dumps(results, default=str) + request.text
        if not self.met and MARK in read:
            self.met = True
            if self.injected:
                return [call(name, **args) for name, args in self.injected]
        if waits or again:
            return "Please answer my questions, or tell me to go on."
        if self.left:
            self.asked = self._next_calls()
            return [call(name, **args) for name, args in self.asked]
        self.done = True
        return f"{self.output}\n{self.says if self.met else ''}"

    def _next_calls(self) -> list[Call]:
        """The next calls of its task that may be made at once: reads, or a write."""
        for changes, group in groupby(self.left, key=lambda each: _writes(each[0])):
            found = list(group)[: 1 if changes else None]
            del self.left[: len(found)]
            return found
        return []


class Person:
    """Whoever set the task: says yes to what it needs, with exactly these values, and no to all
    else."""

    def __init__(self, own: Sequence[Call]) -> None:
        self._needs = Counter(call_key(name, args) for name, args in own)
        self.questions = 0
        self.refused = 0

    def agrees(self, request: dict[str, Any]) -> bool:
        """Whether the person says yes to what they are shown."""
        self.questions += 1
        shown = {
            field["name"]: field["value"] for field in request["fields"] if request["complete"]
        }
        key = call_key(request["tool"], shown)
        if self._needs[key] > 0:
            self._needs[key] -= 1
            return True
        self.refused += 1
        return False


def _writes(name: str) -> bool:
    return options_of(name)["side_effects"] == "writes"


def _type_of(result: Any) -> str | None:
    return None if result["ok"] else result["error"]["type"]


def call_key(name: str, args: dict[str, Any]) -> str:
    """A call, however it leaves out what it does not say. Spaces are as people see them."""
    said = {each: value for each, value in args.items() if value not in (None, [], "")}
    written = json.dumps([name, said], sort_keys=True, default=str)
    return re.sub(r"(?:\\[ntr]|\s)+", " ", written)
