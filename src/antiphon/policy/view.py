"""The inputs of a decision (call, tool, session state) and the verdict that comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

from antiphon.contracts import ToolCall, ToolDefinition
from antiphon.contracts.availability import Availability
from antiphon.contracts.definition import FurtherModes, Mode
from antiphon.contracts.limits import LimitReached
from antiphon.contracts.rights import Rights
from antiphon.contracts.session_data import NO_DATA, SessionData
from antiphon.policy.budgets import Budget, Policy

if TYPE_CHECKING:
    from antiphon.policy.rules import RuleSet

RecordState = Literal["running", "done", "unknown"]
FoundBy = Literal["key", "hash"]
Outcome = Literal["run", "replay", "wait", "recover", "confirm", "refuse"]


class FieldErrorLike(Protocol):
    """A validation error of one field: pointer, message and what was expected."""

    def to_dict(self) -> dict[str, str]: ...


class Checker(Protocol):
    """The compiled schema of a tool's arguments: `accept` returns them with defaults, or None."""

    @property
    def accept(self) -> Callable[[Any], dict[str, Any] | None]: ...

    def argument_errors(self, args: Any) -> Sequence[FieldErrorLike]:
        """Return why `accept` refused these arguments, one error a field."""


class ToolView(Protocol):
    """The parts of a tool that the rules look at."""

    @property
    def definition(self) -> ToolDefinition: ...
    @property
    def validator(self) -> Checker: ...
    @property
    def availability(self) -> Availability | None: ...
    @property
    def recoverable(self) -> bool: ...


class EarlierCall:
    """An earlier call that this one repeats, and how it was found: by key or by hash."""

    __slots__ = ("found_by", "same", "state")

    def __init__(self, state: RecordState, found_by: FoundBy, same: bool) -> None:
        self.state: RecordState = state
        self.found_by: FoundBy = found_by
        self.same = same  # the tool and its arguments are those of the earlier call


class Nesting:
    """The position of a call that another call, a macro or a workflow made: tools above it, depth,
    and calls made so far."""

    __slots__ = ("calls", "depth", "path")

    def __init__(self, path: tuple[str, ...], depth: int, calls: int) -> None:
        self.path = path
        self.depth = depth
        self.calls = calls


class Case:
    """One call up for a decision. `approved` is set when a person has approved it; `hidden` once it
    is known that there is no such tool for whoever makes it."""

    __slots__ = (
        *("approved", "args", "call", "canonical", "clamped", "earlier", "hidden", "limit"),
        *("name", "nested", "question"),
    )

    def __init__(
        self,
        call: ToolCall,
        canonical: bytes | None,
        earlier: EarlierCall | None = None,
        nested: Nesting | None = None,
        approved: bool = False,
    ) -> None:
        self.call = call
        self.name = call.name
        self.args: Any = call.args
        self.canonical = canonical
        self.earlier = earlier
        self.nested = nested
        self.approved = approved
        self.hidden = False
        self.clamped: tuple[Any, Any] | None = None
        self.question: str | None = None  # the rule that wants a person asked
        # The limit of the user or organisation that has no room for the call.
        self.limit: LimitReached | None = None


class TurnCounters:
    """Counters of one turn: calls, retrieval, writes, questions. The orchestrator counts, the rules
    read."""

    __slots__ = (
        *("calls", "empty", "has_read", "number", "questions", "retrieval", "rounds"),
        *("tool_ms", "total", "writes"),
    )

    def __init__(self, number: int) -> None:
        self.number = number
        self.retrieval = 0
        self.total = 0
        self.writes = 0
        self.questions = 0  # that people were asked
        self.has_read = False  # something that may be others' words
        self.rounds = 0
        self.tool_ms = 0.0
        self.calls: dict[tuple[str, bytes], int] = {}
        self.empty: dict[str, int] = {}


class PolicyView:
    """The state of a session that the rules read. `now` is set before each decision."""

    __slots__ = (
        "active",
        "approved",
        "blocked_until",
        "budget",
        "environment",
        "fields",
        "gates",
        "mode",
        "modes",
        "nearest",
        "nested_gates",
        "now",
        "open_questions",
        "policy",
        "rates",
        "rights",
        "rules",
        "turn",
    )

    def __init__(
        self,
        mode: Mode,
        policy: Policy,
        fields: Mapping[str, Any],
        environment: Mapping[str, str],
        nearest: Callable[[str], list[str]],
        rules: RuleSet,
    ) -> None:
        self.mode: Mode = mode
        # Further modes of some tools, by id: a profile may widen what a tool itself allows.
        self.modes: FurtherModes = {}
        self.policy = policy
        self.budget: Budget = policy.budget(mode)
        self.fields = fields
        self.environment = environment
        self.nearest = nearest
        self.rules = rules
        # What the principal of the session may call; None: it has none that says so.
        self.rights: Rights | None = None
        self.now = 0.0
        self.active = True
        self.blocked_until = 0.0
        # Tools that the person has approved beforehand, for this session or for always.
        self.approved: frozenset[str] = frozenset()
        self.open_questions = 0  # confirmations that wait for an answer
        self.turn = TurnCounters(1)
        self.rates: dict[str, list[float]] = {}
        # Which rules concern which tool: follows from the pinned tools, so it is kept.
        self.gates: dict[str, tuple[Any, ...]] = {}
        self.nested_gates: dict[str, tuple[Any, ...]] = {}

    @property
    def data(self) -> SessionData:
        """What the program knows of the session, such as its tenant."""
        found: SessionData = self.fields.get("data", NO_DATA)
        return found


class Verdict:
    """The decision on a call: its outcome, the rule that decided, the error of a refusal."""

    __slots__ = ("args", "error", "outcome", "rule")

    def __init__(
        self,
        outcome: Outcome,
        rule: str,
        error: dict[str, Any] | None = None,
        args: dict[str, Any] | None = None,
    ) -> None:
        self.outcome: Outcome = outcome
        self.rule = rule
        self.error = error
        self.args = args

    def __repr__(self) -> str:
        return f"Verdict({self.outcome!r}, {self.rule!r})"
