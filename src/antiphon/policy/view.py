"""The inputs of a decision (call, tool, session state) and the verdict that comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Protocol

from antiphon.contracts import ToolCall, ToolDefinition
from antiphon.contracts.availability import Availability
from antiphon.contracts.definition import FurtherModes, Mode
from antiphon.contracts.limits import LimitReached
from antiphon.contracts.person_messages import ValueOrigin
from antiphon.contracts.provenance import Exposure
from antiphon.contracts.rights import Rights
from antiphon.contracts.session_data import NO_DATA, SessionData
from antiphon.policy.budgets import Budget, Policy

if TYPE_CHECKING:
    from antiphon.policy.rules import RuleSet

# Kinds of origins of values that nobody has to be asked about.
SETTLED = frozenset({"said", "result", "default"})
NO_VALUES: Mapping[str, ValueOrigin] = MappingProxyType({})
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


class CallOrigins:
    """Where the values of a call come from, prepared for a call that what was read before may have
    led to. All pointers are JSON pointers into its arguments.

    `read` names the untrusted text that was read last; empty where none was. `reaches` says
    whether the conversation can come by private data, `planned` whether the person's request needs
    the tool, `values` the kind of each value's origin, `doubtful` the values that are neither the
    person's nor of trusted data, `new` the destinations that nobody has named or used, `private`
    and `secret` the values that have such data in them.
    """

    __slots__ = ("doubtful", "new", "planned", "private", "reaches", "read", "secret", "values")

    def __init__(
        self,
        *,
        read: str = "",
        reaches: bool = True,
        planned: bool = False,
        values: Mapping[str, ValueOrigin] = NO_VALUES,
        doubtful: Sequence[str] = (),
        new: Sequence[str] = (),
        private: Sequence[str] = (),
        secret: Sequence[str] = (),
    ) -> None:
        self.read = read
        self.reaches = reaches
        self.planned = planned
        self.values = values
        self.doubtful = doubtful
        self.new = new
        self.private = private
        self.secret = secret

    def to_dict(self) -> dict[str, Any]:
        """Return what the audit line and the timeline tell of it."""
        told: dict[str, Any] = {"values": {at: one["kind"] for at, one in self.values.items()}}
        if self.read:
            told |= {"read": self.read, "planned": self.planned, "reaches": self.reaches}
        for name in ("new", "private", "secret"):
            if found := getattr(self, name):
                told[name] = list(found)
        return told

    @classmethod
    def from_dict(cls, told: Mapping[str, Any]) -> CallOrigins:
        """Return what `to_dict` told, without the words of the values."""
        kinds = told.get("values") or {}
        return cls(
            read=str(told.get("read") or ""),
            reaches=bool(told.get("reaches")),
            planned=bool(told.get("planned")),
            values={at: ValueOrigin(kind=kind, text="") for at, kind in kinds.items()},
            doubtful=[at for at, kind in kinds.items() if kind not in SETTLED],
            **{name: list(told.get(name) or ()) for name in ("new", "private", "secret")},
        )


class Case:
    """One call up for a decision. `approved` is set when a person has approved it; `hidden` once it
    is known that there is no such tool for whoever makes it."""

    __slots__ = (
        *("approved", "args", "call", "canonical", "clamped", "earlier", "hidden", "limit"),
        *("name", "nested", "origins", "question"),
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
        # Where its values come from; None: nothing was read that may have led to it.
        self.origins: CallOrigins | None = None
        self.question: str | None = None  # the rule that wants a person asked
        # The limit of the user or organisation that has no room for the call.
        self.limit: LimitReached | None = None


class TurnCounters:
    """Counters of one turn: calls, retrieval, writes, questions. The orchestrator counts, the rules
    read."""

    __slots__ = (
        *("calls", "empty", "number", "questions", "retrieval", "rounds", "tool_ms", "total"),
        "writes",
    )

    def __init__(self, number: int) -> None:
        self.number = number
        self.retrieval = 0
        self.total = 0
        self.writes = 0
        self.questions = 0  # that people were asked
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
        "exposure",
        "fields",
        "gates",
        "mode",
        "modes",
        "nearest",
        "nested_gates",
        "now",
        "open_questions",
        "planned",
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
        # What the model of the session has read and may still remember.
        self.exposure = Exposure()
        # The tools that the task of this turn needs; None: a turn is not held to them.
        self.planned: frozenset[str] | None = None
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
