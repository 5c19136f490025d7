"""Generation of one answer, with as much of the history as the context window holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from antiphon.contracts.events import Fault, HistoryTurn
from antiphon.providers.gguf.engine import Chunk, Engine
from antiphon.providers.gguf.grammar import CALL, call_grammar
from antiphon.providers.gguf.messages import rounds_of, write_messages
from antiphon.providers.port import ProviderFault, Setup

# `dry_…` ends loops, into which small models fall; ids and addresses, which are shorter, may be
# repeated.
_SAMPLING = {
    "temperature": 0.3,
    "dry_multiplier": 0.8,
    "dry_allowed_length": 20,
    "dry_penalty_last_n": 1024,
    "dry_sequence_breakers": [CALL],
}
_FILLED = 0.75  # of the longest prompt, after something was left out
_LEAST_ANSWER = 64  # tokens; with less room nothing can be said


class Generation:
    """Asks with the whole history first. The engine counts what it is given, so the oldest rounds
    are left out, whole, until the rest and an answer fit; instructions and tools always stay."""

    def __init__(
        self,
        engine: Engine,
        setup: Setup,
        tools: Sequence[dict[str, Any]],
        history: Sequence[HistoryTurn],
    ) -> None:
        self._engine = engine
        self._setup = setup
        self._tools = tools
        self._rounds = rounds_of(history)
        self._room = min(setup.max_tokens, engine.context // 4)

    def run(self, on_chunk: Callable[[Chunk], bool], first: int = 0) -> int:
        """Generate, with every piece to `on_chunk`. Begins with the round `first`, and returns the
        one that it began with in the end. Raises ProviderFault."""
        first = min(first, len(self._rounds) - 1)
        while True:
            rounds = self._rounds[first:]
            messages = write_messages(
                self._setup.instructions, self._tools, rounds, self._engine.context
            )
            attempt = _Attempt(on_chunk, self._longest_prompt(last=len(rounds) <= 1))
            self._engine.stream(self._request(messages), attempt.take)
            if attempt.too_long is None:
                return first
            if len(rounds) <= 1:
                raise ProviderFault(self._too_long(attempt.too_long))
            first += _rounds_to_leave(messages, rounds, attempt.too_long, self._longest_prompt())

    def _request(self, messages: list[dict[str, str]]) -> dict[str, Any]:
        request: dict[str, Any] = {
            **_SAMPLING,
            "messages": messages,
            "max_tokens": self._room,
            "return_progress": True,
            "cache_prompt": True,
            "chat_template_kwargs": {"enable_thinking": False},
        }
        if self._tools:
            request["grammar"] = call_grammar(self._tools)
        return request

    def _longest_prompt(self, *, last: bool = False) -> int:
        """In tokens; of the last round all but the least answer."""
        return self._engine.context - (min(self._room, _LEAST_ANSWER) if last else self._room)

    def _too_long(self, tokens: int) -> Fault:
        return Fault(
            "bad_request",
            f"This is too long for the model: instructions, tools and what was said last have "
            f"{tokens} tokens, and its context window is {self._engine.context}. Say less at once, "
            "or raise `local.context` if the model was trained for more.",
            fatal=False,
        )


class _Attempt:
    """One request. It ends with the first piece if the prompt is longer than `most` tokens."""

    def __init__(self, on_chunk: Callable[[Chunk], bool], most: int) -> None:
        self._on_chunk = on_chunk
        self._most = most
        self.too_long: int | None = None  # tokens

    def take(self, chunk: Chunk) -> bool:
        if "error" in chunk:
            error = chunk["error"]
            if error.get("type") != "exceed_context_size_error":
                raise ProviderFault(
                    Fault("protocol", f"The model refused: {error.get('message')}", fatal=False)
                )
            self.too_long = int(error["n_prompt_tokens"])
            return True
        total = (chunk.get("prompt_progress") or {}).get("total", 0)
        if total > self._most:
            self.too_long = total
            return True
        return self._on_chunk(chunk)


def _rounds_to_leave(
    messages: list[dict[str, str]], rounds: Sequence[Any], tokens: int, most: int
) -> int:
    """How many of the oldest rounds to leave out, by their share of the characters. More than has
    to be: else the prompt would begin anew, and be read anew, in every turn that follows."""
    written = sum(len(message["content"]) for message in messages)
    over = (tokens - _FILLED * most) / tokens * written
    count = 0
    while over > 0 and count < len(rounds) - 1:
        over -= sum(len(str(turn.to_dict())) for turn in rounds[count])
        count += 1
    return max(1, count)
