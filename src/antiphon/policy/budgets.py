"""Budgets: the most that one turn may cost in each mode, and the numbers rules go by."""

from __future__ import annotations

from dataclasses import dataclass

from antiphon.contracts.definition import Mode


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one turn in one mode; None is no limit.

    `tool_time_ms` is soft: past it the model is warned. `write_calls` counts calls of tools that
    change something; `open_questions` counts confirmations that wait for an answer in the session,
    and those that were asked in the turn.
    """

    retrieval_calls: int | None = None
    total_calls: int | None = None
    rounds: int | None = None
    top_k: int | None = None
    tool_time_ms: float | None = None
    write_calls: int | None = None
    open_questions: int | None = None


VOICE = Budget(
    retrieval_calls=2,
    total_calls=3,
    rounds=None,
    top_k=3,
    tool_time_ms=1500,
    open_questions=5,
)
TEXT = Budget(
    retrieval_calls=5,
    total_calls=20,
    rounds=5,
    top_k=10,
    tool_time_ms=None,
    write_calls=8,
    open_questions=5,
)


@dataclass(frozen=True, slots=True)
class Policy:
    """Every number that the rules go by; the defaults are the product's."""

    voice: Budget = VOICE
    text: Budget = TEXT
    same_call_limit: int = 3
    empty_result_limit: int = 2
    nested_calls: int = 20
    nested_depth: int = 3
    history_turns: int = 5
    confirmation_seconds: float = 300
    # Tools that a person is asked about once the turn has read anything, whoever wrote it.
    ask_after_reading: frozenset[str] = frozenset({"ignore_user"})
    # Tools that a person is asked about before each call, although their contract does not ask.
    ask_first: frozenset[str] = frozenset()
    # Whether a turn is held to the tools that the person's request needs, and which ones it may use
    # besides.
    only_planned: bool = False
    pinned: frozenset[str] = frozenset()

    def budget(self, mode: Mode) -> Budget:
        """Return the limits of a turn in this mode."""
        return self.voice if mode == "voice" else self.text
