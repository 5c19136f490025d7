"""Scripted answers: a text model that says and calls what a test has written down."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from antiphon.contracts import Envelope, ToolCall
from antiphon.contracts.events import AnswersTurn, Fault, ModelTurn, Text, Usage, UserTurn
from antiphon.providers.port import Access, Capabilities, Provider, Setup
from antiphon.providers.text import ModelAnswer, TextConnection


@dataclass(frozen=True, slots=True)
class ScriptedCall:
    """A tool call in a script; `call` makes one."""

    name: str
    args: dict[str, Any] = field(default_factory=dict)


def call(name: str, /, **args: Any) -> ScriptedCall:
    """Return a step of a script in which the model calls a tool with these arguments."""
    return ScriptedCall(name, args)


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request to the model. `text` is the last that the person wrote, `results` are the
    envelopes of the calls that were answered since the model last spoke."""

    text: str
    results: tuple[Envelope, ...] = ()

    @property
    def data(self) -> dict[str, Any]:
        """The data of the last result. Raises AssertionError when that is no success."""
        if not self.results or not self.results[-1]["ok"]:
            raise AssertionError(f"the model was given no data: {self.results!r}")
        data: dict[str, Any] = self.results[-1]["data"]
        return data


Step: TypeAlias = str | ScriptedCall
Answer: TypeAlias = Step | Sequence[Step] | Callable[[ModelRequest], Step | Sequence[Step]]


class ScriptEnded(Exception):
    """A request for which the script has no answer."""


class AnswerScript(Provider):
    """A model that gives the answers of a script, one for each request, and nothing else.

    An answer is a text; `call(...)`, a tool call; a list of both, which is one answer; or a
    function of the `ModelRequest` that returns one of these. After a call the model is asked
    again, with the result. `requests` has what it was asked, `unused` the answers that are left. A
    request beyond the end of the script is a fault of the model.
    """

    api = "local"

    def __init__(self, *answers: Answer) -> None:
        super().__init__(Access())
        self.requests: list[ModelRequest] = []
        self.unused: deque[Answer] = deque(answers)
        self._calls = 0

    def answers(self, *answers: Answer) -> None:
        """Add answers to the end of the script."""
        self.unused.extend(answers)

    def check(self) -> None:
        """Raise AssertionError when the script has answers that nobody asked for."""
        if self.unused:
            left = "\n".join(f"  {_described(answer)}" for answer in self.unused)
            raise AssertionError(
                f"The script of the model has {len(self.unused)} unused "
                f"answer{'' if len(self.unused) == 1 else 's'}:\n{left}"
            )

    def capabilities(self, model: str) -> Capabilities:
        del model
        return Capabilities()

    async def connect(self, setup: Setup) -> TextConnection:
        return _ScriptedTextConnection(self, setup)

    async def probe(self, seconds: float) -> None:
        del seconds

    def _next_answer(self, request: ModelRequest) -> ModelTurn:
        """Take the next answer from the script. Raises ScriptEnded when there is none."""
        self.requests.append(request)
        if not self.unused:
            given = len(self.requests) - 1
            raise ScriptEnded(
                f"The model was asked for answer {given + 1}, but its script ends after {given}. "
                "Add an answer: a text, or call(...)."
            )
        answer = self.unused.popleft()
        if callable(answer):
            answer = answer(request)
        steps = [answer] if isinstance(answer, str | ScriptedCall) else list(answer)
        calls = []
        for step in steps:
            if isinstance(step, ScriptedCall):
                self._calls += 1
                calls.append(ToolCall(f"call_{self._calls:04}", step.name, step.args))
            elif not isinstance(step, str):
                raise TypeError(f"an answer is a text or call(...), not {step!r}")
        return ModelTurn("".join(step for step in steps if isinstance(step, str)), tuple(calls))


class _ScriptedTextConnection(TextConnection):
    """Connection that takes each answer from a script."""

    def __init__(self, script: AnswerScript, setup: Setup) -> None:
        super().__init__("local", setup, Capabilities())
        self._script = script

    async def _stream(self) -> AsyncIterator[Text | Usage | ModelAnswer]:
        turn = self._script._next_answer(self._last_request())
        if turn.text:
            yield Text(turn.text)
        yield ModelAnswer(turn)

    def _last_request(self) -> ModelRequest:
        written = [turn.text for turn in self.history if isinstance(turn, UserTurn)]
        last = self.history[-1]
        answers = last.answers if isinstance(last, AnswersTurn) else ()
        return ModelRequest(written[-1] if written else "", tuple(a.envelope for a in answers))

    def _fault(self, error: Exception) -> Fault:
        words = str(error) if isinstance(error, ScriptEnded) else f"The script failed: {error!r}"
        return Fault("protocol", words, fatal=False)

    def receive_tool_calls(self, message: Any) -> list[ToolCall]:
        return list(message.turn.calls) if isinstance(message, ModelAnswer) else []


def _described(answer: Answer) -> str:
    if isinstance(answer, ScriptedCall):
        args = ", ".join(f"{name}={value!r}" for name, value in answer.args.items())
        return f"call {answer.name}({args})"
    if isinstance(answer, str) or callable(answer):
        return repr(answer)
    return ", ".join(_described(step) for step in answer)
